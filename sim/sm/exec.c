/* SP, SFU and DP units. A unit takes an instruction and is busy for its initiation interval; the
 * result lands on a result bus when the latency is over, and is written back two cycles later (bus,
 * EX/WB register, write-back). Buses are booked when the instruction enters the unit, so a unit
 * never stalls inside; one unit never lands two results in the same cycle. */
#include "sim/sm/core.h"

#include <stdlib.h>

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
    for (int p = 0; p < EXEC_PIPES; p++)
        x->end[p] = sm_pipe(cfg, (enum pipe)p).end;
}

void exec_fini(struct exec *x)
{
    free(x->ring);
    free(x->pending);
}

void exec_writeback(struct sm *s, cycle_t now)
{
    struct exec *x = &s->exec;
    const uint32_t at = now & x->mask;
    struct results *r = &x->ring[at];
    if (!r->n)
        return;
    x->inflight -= r->n;
    for (uint32_t op = r->first; r->n; r->n--) {
        const struct op *o = &s->op[op];
        collector_write(s, o); /* the buses were booked: a taken bank does not hold it up */
        s->warp[o->warp].in_pipe--;
        board_release(s, o->warp, o->m);
        warp_settled(s, o->warp);
        op_put(s, op);
        op = o->next;
    }
    r->units = 0;
    x->pending[at / 64] &= ~(1ull << at % 64);
}

/* Behind those that are written back in the same cycle already. */
static void results_add(struct sm *s, struct results *r, uint32_t op)
{
    uint32_t *link = &r->first;
    for (int i = 0; i < r->n; i++)
        link = &s->op[*link].next;
    *link = op;
    r->n++;
}

static void unit_takes(struct sm *s, struct stage *from, int unit, cycle_t now)
{
    struct exec *x = &s->exec;
    const struct inst_meta *m = s->op[from->op[0]].m;
    const uint32_t write = (uint32_t)(now + m->latency + WRITE_DELAY) & x->mask;
    struct results *r = &x->ring[write];
    if (r->units >> unit & 1 || r->n == s->cfg->result_buses)
        return;
    r->units |= 1u << unit;
    x->free_at[unit] = now + m->interval;
    results_add(s, r, stage_take(from));
    x->pending[write / 64] |= 1ull << write % 64;
    x->inflight++;
}

void exec_issue(struct sm *s, cycle_t now)
{
    struct exec *x = &s->exec;
    for (int p = 0, first = 0; p < EXEC_PIPES; first = x->end[p++]) {
        struct stage *from = &s->oc.pipe[p].out;
        for (int u = first; u < x->end[p] && from->n; u++)
            if (x->free_at[u] <= now)
                unit_takes(s, from, u, now);
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
