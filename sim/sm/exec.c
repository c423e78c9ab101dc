/* SP, SFU and DP units. A unit takes an instruction and is busy for its initiation interval; the
 * result lands on a result bus when the latency is over, and is written back two cycles later (bus,
 * EX/WB register, write-back). Buses are booked when the instruction enters the unit, so a unit
 * never stalls inside; one unit never lands two results in the same cycle. */
#include "sim/sm/core.h"

#include <stdlib.h>

#define WRITE_DELAY 2 /* cycles from the bus to write-back */

void exec_init(struct exec *x, const struct sm_cfg *cfg)
{
    int longest = 1;
    for (int op = 0; op < SM_OP_COUNT; op++) {
        const int l = cfg->latency[op] + cfg->interval[op] * (WARP_SIZE / cfg->simd_width - 1);
        longest = l > longest ? l : longest;
    }
    uint32_t size = 64;
    while (size <= (uint32_t)longest + WRITE_DELAY)
        size *= 2;
    x->mask = size - 1;
    x->ring = xcalloc(size, sizeof *x->ring);
    x->pending = xcalloc(size / 64, sizeof *x->pending);
    const int sfu = cfg->sp_units, dp = sfu + cfg->sfu_units;
    x->units = dp + cfg->dp_units;
    for (int i = 0; i < x->units; i++) {
        x->unit[i].pipe = i < sfu ? PIPE_SP : i < dp ? PIPE_SFU : PIPE_DP;
        x->unit[i].lands = xcalloc(size, sizeof *x->unit[i].lands);
    }
}

void exec_fini(struct exec *x)
{
    for (int i = 0; i < x->units; i++)
        free(x->unit[i].lands);
    free(x->ring);
    free(x->pending);
}

void exec_writeback(struct sm *s, cycle_t now)
{
    struct exec *x = &s->exec;
    const uint32_t at = now & x->mask;
    struct results *r = &x->ring[at];
    for (int i = 0; i < r->n; i++) {
        const uint32_t op = r->op[i];
        const struct op *o = &s->op[op];
        collector_write(s, o); /* the buses were booked: a taken bank does not hold it up */
        s->warp[o->warp].in_pipe--;
        board_release(s, o->warp, o->m);
        warp_settled(s, o->warp);
        op_put(s, op);
    }
    if (!r->n)
        return;
    x->inflight -= r->n;
    r->n = 0;
    x->pending[at / 64] &= ~(1ull << at % 64);
}

static void unit_takes(struct sm *s, struct exec_unit *u, cycle_t now)
{
    struct exec *x = &s->exec;
    struct stage *from = &s->oc.out[u->pipe];
    int at;
    const uint32_t op = stage_oldest(s, from, &at);
    const struct inst_meta *m = s->op[op].m;
    const cycle_t lands = now + m->latency;
    const uint32_t write = (lands + WRITE_DELAY) & x->mask;
    struct results *r = &x->ring[write];
    if (u->lands[lands & x->mask] == lands || r->n == s->cfg->result_buses)
        return;
    stage_drop(from, at);
    u->lands[lands & x->mask] = lands;
    u->free_at = now + m->interval;
    r->op[r->n++] = op;
    x->pending[write / 64] |= 1ull << write % 64;
    x->inflight++;
}

void exec_issue(struct sm *s, cycle_t now)
{
    struct exec *x = &s->exec;
    if (!(s->oc.out[PIPE_SP].n | s->oc.out[PIPE_SFU].n | s->oc.out[PIPE_DP].n))
        return;
    for (int i = 0; i < x->units; i++) {
        struct exec_unit *u = &x->unit[i];
        if (s->oc.out[u->pipe].n && u->free_at <= now)
            unit_takes(s, u, now);
    }
}

cycle_t exec_next(const struct exec *x, cycle_t now)
{
    if (!x->inflight)
        return CYCLE_NEVER;
    const uint32_t words = (x->mask + 1) / 64;
    const uint32_t start = (uint32_t)(now + 1) & x->mask;
    uint64_t bits = x->pending[start / 64] & ~0ull << start % 64;
    for (uint32_t i = 0; i <= words; i++) {
        const uint32_t w = (start / 64 + i) % words;
        if (i)
            bits = x->pending[w];
        if (bits) {
            const uint32_t at = w * 64 + (uint32_t)__builtin_ctzll(bits);
            return now + 1 + ((at - start) & x->mask);
        }
    }
    return CYCLE_NEVER;
}
