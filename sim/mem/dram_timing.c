#include "sim/mem/dram_timing.h"

void dram_timing_init(struct dram_timing *t, const struct dram_cfg *cfg)
{
    const int burst = cfg->burst / cfg->data_rate;
    *t = (struct dram_timing){
        .ccd = cfg->tCCD,
        .ccdl = cfg->tCCDL,
        .rrd = cfg->tRRD,
        .rcd = cfg->tRCD,
        .rcdwr = cfg->tRCD - (cfg->tWL + 1),
        .ras = cfg->tRAS,
        .rp = cfg->tRP,
        .rc = cfg->tRC,
        .rtpl = cfg->tRTPL,
        .burst = burst,
        .rtw = cfg->tCL + burst + 2 - cfg->tWL,
        .wtr = cfg->tWL + burst + cfg->tCDLR,
        .wtp = cfg->tWL + burst + cfg->tWR,
        .group_log2 = __builtin_ctz((unsigned)(cfg->banks / cfg->bank_groups)),
    };
}

static inline void raise(cycle_t *stamp, cycle_t to)
{
    *stamp = *stamp > to ? *stamp : to;
}

void dram_issue(struct dram_timing *t, enum dram_cmd cmd, int bank, cycle_t now)
{
    struct dram_bank_stamps *b = &t->bank[bank];
    struct dram_group_stamps *g = &t->group[bank >> t->group_log2];
    switch (cmd) {
    case DRAM_RD:
        t->col = now + (cycle_t)t->ccd;
        g->col = now + (cycle_t)t->ccdl;
        t->wr = now + (cycle_t)t->rtw;
        raise(&b->pre, now + (cycle_t)t->burst);
        g->pre = now + (cycle_t)t->rtpl;
        break;
    case DRAM_WR:
        t->col = now + (cycle_t)t->ccd;
        g->col = now + (cycle_t)t->ccdl;
        t->rd = now + (cycle_t)t->wtr;
        raise(&b->pre, now + (cycle_t)t->wtp);
        break;
    case DRAM_ACT:
        t->act = now + (cycle_t)t->rrd;
        b->rd = now + (cycle_t)t->rcd;
        b->wr = now + (cycle_t)t->rcdwr;
        raise(&b->act, now + (cycle_t)t->rc);
        raise(&b->pre, now + (cycle_t)t->ras);
        break;
    case DRAM_PRE:
        raise(&b->act, now + (cycle_t)t->rp);
        break;
    case DRAM_CMDS:
        break;
    }
}
