#include "sampler/pipeline.h"

#include <stdlib.h>

#include "base/err.h"
#include "sampler/cycles.h"

/* Cycles from an instruction's issue to its write-back, at most: behind all that fit in front of
 * its unit. */
static cycle_t longest(const struct sm_cfg *cfg)
{
    const int passes = WARP_SIZE / cfg->simd_width, places = PIPELINE_COLLECTORS + 16;
    int interval = 1, latency = 1;
    for (int op = 0; op < SM_OP_COUNT; op++) {
        const int i = cfg->interval[op] * passes;
        interval = i > interval ? i : interval;
        latency = cfg->latency[op] + i > latency ? cfg->latency[op] + i : latency;
    }
    return (cycle_t)interval * (cycle_t)places + (cycle_t)latency + WRITE_DELAY;
}

void pipeline_fini(struct pipeline *p)
{
    free(p->at);
}

/* Instructions of a pipe that are looked back at, at most. */
static unsigned remembered(const struct pipe_cfg *c, bool memory)
{
    return (unsigned)(c->in + c->out + c->ports_in + c->ports_out + 2 +
                      (memory ? 2 * c->collectors : 0));
}

void pipeline_init(struct pipeline *p, const struct sm_cfg *cfg)
{
    const cycle_t most = longest(cfg);
    *p = (struct pipeline){.cfg = cfg, .cycles = 256, .places = 8};
    while (p->cycles < most && p->cycles < PIPELINE_CYCLES)
        p->cycles *= 2;
    p->at = xcalloc(p->cycles, sizeof *p->at);
    for (int i = 0; i < PIPE_COUNT; i++) {
        p->pipe[i].cfg = sm_pipe(cfg, (enum pipe)i);
        while (p->places < remembered(&p->pipe[i].cfg, i == PIPE_MEM))
            p->places *= 2;
    }
}

static struct pipeline_cycle *distant(struct pipeline *p, cycle_t t)
{
    struct pipeline_cycle *x = &p->at[t & (p->cycles - 1)];
    if (x->cycle != t)
        *x = (struct pipeline_cycle){.cycle = t};
    p->distant = later(p->distant, t);
    return x;
}

/* t does not stand in p->soon. Cycles move there from p->at when they come near, and back if a
 * later one wants their place before they are over. */
static __attribute__((noinline)) struct pipeline_cycle *bring(struct pipeline *p, cycle_t t)
{
    struct pipeline_cycle *x = &p->soon[t % PIPELINE_SOON];
    if (t >= p->now + p->cycles) {
        p->beyond = (struct pipeline_cycle){0};
        return &p->beyond;
    }
    if (t >= p->last + PIPELINE_SOON || x->cycle > t)
        return distant(p, t);
    if (x->cycle >= p->now)
        *distant(p, x->cycle) = *x;
    *x = t <= p->distant ? *distant(p, t) : (struct pipeline_cycle){.cycle = t};
    return x;
}

static struct pipeline_cycle *at(struct pipeline *p, cycle_t t)
{
    struct pipeline_cycle *x = &p->soon[t % PIPELINE_SOON];
    return x->cycle == t ? x : bring(p, t);
}

/* ---- Registers ---- */

static uint64_t write_banks(const struct pipeline *p, const struct inst_meta *m, int bank0)
{
    uint64_t set = 0;
    for (int i = 0; i < m->nwrite; i++)
        set |= 1ull << bank_behind(p->cfg->reg_banks, bank0, m->write_bank[i]);
    return set;
}

/* Whether the collector unit gets another one of its operands at t. */
static bool gets(const cycle_t *got, int n, cycle_t t)
{
    for (int i = 0; i < n; i++)
        if (got[i] == t)
            return true;
    return false;
}

/* From cycle t on, in which its reads are queued; returns that of the last one, or t. */
static cycle_t read_operands(struct pipeline *p, const struct inst_meta *m, int bank0, cycle_t t)
{
    cycle_t got[INST_MAX_SRC], last = t;
    for (int i = 0; i < m->nread; i++) {
        const int bank = bank_behind(p->cfg->reg_banks, bank0, m->read_bank[i]);
        cycle_t x = later(t + 1, p->bank_next[bank]);
        while (at(p, x)->banks >> bank & 1 || gets(got, i, x))
            x++;
        got[i] = x;
        p->bank_next[bank] = x + 1;
        last = later(last, x);
    }
    return last;
}

cycle_t pipeline_write(struct pipeline *p, const struct inst_meta *m, int bank0, cycle_t t)
{
    const uint64_t banks = write_banks(p, m, bank0);
    p->last = t = later(t, p->port);
    while (at(p, t)->banks & banks)
        t++;
    at(p, t)->banks |= banks;
    p->port = t + 1;
    return t;
}

/* ---- SP, SFU, DP ---- */

/* When the instruction `back` before the next one got a collector unit. */
static cycle_t alloc_before(const struct pipeline *p, const struct pipeline_pipe_state *q,
                            unsigned back)
{
    return q->alloc[(q->n - back) & (p->places - 1)];
}

static cycle_t room_in(const struct pipeline *p, enum pipe pipe)
{
    const struct pipeline_pipe_state *q = &p->pipe[pipe];
    if (pipe == PIPE_MEM && q->n - p->allocated >= (unsigned)q->cfg.in)
        return CYCLE_NEVER;
    return alloc_before(p, q, (unsigned)q->cfg.in);
}

static enum pipe route(const struct pipeline *p, enum pipe_class cls, cycle_t t)
{
    switch (cls) {
    case CLASS_SFU:
        return PIPE_SFU;
    case CLASS_DP:
        return PIPE_DP;
    case CLASS_EITHER:
        return room_in(p, PIPE_SP) > t ? PIPE_SFU : PIPE_SP;
    default:
        return PIPE_SP;
    }
}

cycle_t pipeline_room(const struct pipeline *p, enum pipe_class cls)
{
    if (cls == CLASS_MEM)
        return room_in(p, PIPE_MEM);
    if (cls == CLASS_EITHER)
        return earlier(room_in(p, PIPE_SP), room_in(p, PIPE_SFU));
    return room_in(p, route(p, cls, 0));
}

static bool is_short(const struct inst_meta *m)
{
    return m->interval <= PIPELINE_SHORT;
}

/* When the unit is free from t on for as long as the instruction has it: t, or later. */
static cycle_t free_from(struct pipeline *p, int unit, const struct inst_meta *m, cycle_t t)
{
    if (!is_short(m))
        return later(t, p->unit_end[unit]);
    t = later(t, p->unit_long[unit]);
    for (cycle_t i = 0; t < p->unit_end[unit] && i < m->interval; i++)
        if (at(p, t + i)->busy >> unit & 1)
            return t + i + 1; /* to be asked again */
    return t;
}

static void take(struct pipeline *p, int unit, const struct inst_meta *m, cycle_t t)
{
    const cycle_t end = t + m->interval;
    for (cycle_t i = t; is_short(m) && i < end; i++)
        at(p, i)->busy |= 1u << unit;
    p->unit_end[unit] = later(p->unit_end[unit], end);
    if (!is_short(m))
        p->unit_long[unit] = end;
}

/* When a unit of the pipe takes it, t at the earliest: it has to be free, and so does a result bus
 * when it is done. */
static cycle_t taken_at(struct pipeline *p, const struct pipeline_pipe_state *q,
                        const struct inst_meta *m, cycle_t t)
{
    for (cycle_t next;; t = next) {
        next = CYCLE_NEVER;
        for (int u = q->cfg.first; u < q->cfg.end; u++) {
            const cycle_t from = free_from(p, u, m, t);
            struct pipeline_cycle *write = at(p, t + m->latency + WRITE_DELAY);
            next = earlier(next, later(from, t + 1));
            if (from > t || write->landing >> u & 1 || write->results == p->cfg->result_buses)
                continue;
            write->landing |= 1u << u;
            write->results++;
            take(p, u, m, t);
            return t;
        }
    }
}

/* The collector unit that is free first. */
static cycle_t *first_unit(struct pipeline_pipe_state *q)
{
    cycle_t *best = q->unit;
    for (int i = 1; i < q->cfg.collectors; i++)
        if (q->unit[i] < *best)
            best = &q->unit[i];
    return best;
}

/* When it leaves its collector unit for the register in front of the units, t at the earliest. */
static cycle_t sent_at(struct pipeline *p, enum pipe pipe, cycle_t t)
{
    const struct pipeline_pipe_state *q = &p->pipe[pipe];
    t = later(t, q->taken[(q->n - (unsigned)q->cfg.out) & (p->places - 1)]);
    while (at(p, t)->sent[pipe] >= q->cfg.ports_out || at(p, t)->stand[pipe] >= q->cfg.out)
        t++;
    return t;
}

cycle_t pipeline_execute(struct pipeline *p, const struct inst_meta *m, int bank0, cycle_t t)
{
    const enum pipe pipe = route(p, m->cls, t);
    struct pipeline_pipe_state *q = &p->pipe[pipe];
    const unsigned place = q->n & (p->places - 1);
    cycle_t *unit = first_unit(q);
    p->now = p->last = t;
    const cycle_t alloc = later(later(t, alloc_before(p, q, (unsigned)q->cfg.ports_in)) + 1, *unit);
    const cycle_t sent = sent_at(p, pipe, read_operands(p, m, bank0, alloc) + 1);
    const cycle_t taken = taken_at(p, q, m, sent + 1), write = taken + m->latency + WRITE_DELAY;
    at(p, sent)->sent[pipe]++;
    for (cycle_t i = sent; is_short(m) && i < taken; i++)
        at(p, i)->stand[pipe]++;
    q->alloc[place] = alloc;
    q->taken[place] = is_short(m) ? 0 : taken;
    q->n++;
    *unit = sent;
    at(p, write)->banks |= write_banks(p, m, bank0);
    return write;
}

/* ---- LD/ST ---- */

static struct pipeline_mem *inst(struct pipeline *p, unsigned k)
{
    return &p->mem[k & (p->places - 1)];
}

/* The next one gets a collector unit, if it is known when. */
static bool alloc_next(struct pipeline *p)
{
    struct pipeline_pipe_state *q = &p->pipe[PIPE_MEM];
    const unsigned k = p->allocated;
    struct pipeline_mem *x = inst(p, k);
    if (k == q->n || k - p->sent >= (unsigned)q->cfg.collectors)
        return false;
    const cycle_t before = q->alloc[(k - (unsigned)q->cfg.ports_in) & (p->places - 1)];
    const cycle_t alloc =
        later(later(x->issued, before) + 1, inst(p, k - (unsigned)q->cfg.collectors)->sent);
    x->read = read_operands(p, x->m, x->bank0, alloc);
    q->alloc[k & (p->places - 1)] = alloc;
    p->allocated++;
    return true;
}

static bool send_next(struct pipeline *p)
{
    const struct pipeline_pipe_state *q = &p->pipe[PIPE_MEM];
    const unsigned k = p->sent;
    struct pipeline_mem *x = inst(p, k);
    if (k == p->allocated || k - p->taken >= (unsigned)q->cfg.out)
        return false;
    const cycle_t before = later(inst(p, k - (unsigned)q->cfg.ports_out)->sent,
                                 inst(p, k - (unsigned)q->cfg.out)->taken);
    x->sent = later(x->read, before) + 1;
    p->sent++;
    return true;
}

static void flow(struct pipeline *p)
{
    while (send_next(p) || alloc_next(p))
        ;
}

unsigned pipeline_mem_issue(struct pipeline *p, const struct inst_meta *m, int bank0, cycle_t t)
{
    const unsigned place = p->pipe[PIPE_MEM].n++ & (p->places - 1);
    p->now = p->last = t;
    p->mem[place] = (struct pipeline_mem){.m = m, .bank0 = bank0, .issued = t};
    flow(p);
    return place;
}

bool pipeline_mem_take(struct pipeline *p, cycle_t free, cycle_t *t, unsigned *place)
{
    if (p->taken == p->sent)
        return false;
    *place = p->taken & (p->places - 1);
    *t = p->mem[*place].taken = later(p->mem[*place].sent, free);
    p->taken++;
    flow(p);
    return true;
}
