/* sim/mem/dram_timing.h -- when a DRAM command may be issued: stamps in DRAM command cycles, one
 * per constraint that GPGPU-Sim 3.2.1 counts, grouped by what they hold back.
 *
 *   stamp        holds back                       set by (cycles after that command)
 *   col          RD, WR anywhere                  RD, WR: CCD
 *   group col    RD, WR in the bank group         RD, WR: CCDL
 *   rd           RD anywhere                      WR: WL + BL/rate + CDLR (tWTR)
 *   wr           WR anywhere                      RD: CL + BL/rate + 2 - WL (tRTW)
 *   act          ACT anywhere                     ACT: RRD
 *   bank rd, wr  RD, WR in the bank               ACT: RCD; RCD - (WL + 1)
 *   bank act     ACT in the bank                  ACT: RC; PRE: RP
 *   bank pre     PRE in the bank                  ACT: RAS; RD: BL/rate; WR: WL + BL/rate + WR
 *   group pre    PRE in the bank group            RD: RTPL
 *
 * Which row is open is the caller's business. Not modelled: refresh, four-activate window, power
 * states. */
#ifndef MDP_SIM_MEM_DRAM_TIMING_H
#define MDP_SIM_MEM_DRAM_TIMING_H

#include "base/types.h"
#include "sim/mem/mem_cfg.h"

#define DRAM_BANKS_MAX  64
#define DRAM_GROUPS_MAX 16

enum dram_cmd { DRAM_RD, DRAM_WR, DRAM_ACT, DRAM_PRE, DRAM_CMDS };

struct dram_bank_stamps {
    cycle_t rd, wr, act, pre;
};

struct dram_group_stamps {
    cycle_t col, pre;
};

struct dram_timing {
    /* config, in command cycles */
    int ccd, ccdl, rrd, rcd, rcdwr, ras, rp, rc, rtpl;
    int burst; /* cycles that one column command holds the data bus */
    int rtw, wtr, wtp;
    int group_log2; /* bank >> group_log2 = its group */
    /* state: next cycle at which the command is allowed */
    cycle_t col, rd, wr, act;
    struct dram_group_stamps group[DRAM_GROUPS_MAX];
    struct dram_bank_stamps bank[DRAM_BANKS_MAX];
};

void dram_timing_init(struct dram_timing *t, const struct dram_cfg *cfg);
void dram_issue(struct dram_timing *t, enum dram_cmd cmd, int bank, cycle_t now);

static inline cycle_t dram_later(cycle_t a, cycle_t b)
{
    return a > b ? a : b;
}

static inline cycle_t dram_earlier(cycle_t a, cycle_t b)
{
    return a < b ? a : b;
}

/* Pure: the earliest cycle at which cmd is allowed in the bank (inline: asked all the time). */
static inline cycle_t dram_earliest(const struct dram_timing *t, enum dram_cmd cmd, int bank)
{
    const struct dram_bank_stamps *b = &t->bank[bank];
    const struct dram_group_stamps *g = &t->group[bank >> t->group_log2];
    switch (cmd) {
    case DRAM_RD:
        return dram_later(dram_later(t->col, t->rd), dram_later(g->col, b->rd));
    case DRAM_WR:
        return dram_later(dram_later(t->col, t->wr), dram_later(g->col, b->wr));
    case DRAM_ACT:
        return dram_later(t->act, b->act);
    case DRAM_PRE:
        return dram_later(g->pre, b->pre);
    case DRAM_CMDS:
        break;
    }
    return CYCLE_NEVER;
}

#endif
