#include "sampler/pipeline.h"

#include "sampler/cycles.h"

#define WRITE_DELAY 2 /* core cycles from the result bus to write-back, as in sim/sm/exec.c */

void pipeline_init(struct pipeline *p, const struct sm_cfg *cfg)
{
    const struct collector_cfg *c = &cfg->collector;
    const int sfu = cfg->sp_units, dp = sfu + cfg->sfu_units;
    *p = (struct pipeline){.cfg = cfg};
    p->pipe[PIPELINE_SP] = (struct pipeline_pipe_state){.in = c->issue_sp,
                                                        .ports_in = c->sp_in,
                                                        .units = c->sp_units,
                                                        .ports_out = c->sp_out,
                                                        .out = c->exec_sp,
                                                        .end = sfu};
    p->pipe[PIPELINE_SFU] = (struct pipeline_pipe_state){.in = c->issue_sfu,
                                                         .ports_in = c->sfu_in,
                                                         .units = c->sfu_units,
                                                         .ports_out = c->sfu_out,
                                                         .out = c->exec_sfu,
                                                         .first = sfu,
                                                         .end = dp};
    p->pipe[PIPELINE_DP] = (struct pipeline_pipe_state){.in = c->issue_dp,
                                                        .ports_in = c->dp_in,
                                                        .units = c->dp_units,
                                                        .ports_out = c->dp_out,
                                                        .out = c->exec_dp,
                                                        .first = dp,
                                                        .end = dp + cfg->dp_units};
    p->pipe[PIPELINE_MEM] = (struct pipeline_pipe_state){.in = c->issue_mem,
                                                         .ports_in = c->mem_in,
                                                         .units = c->mem_units,
                                                         .ports_out = c->mem_out,
                                                         .out = c->exec_mem};
}

static struct pipeline_cycle *at(struct pipeline *p, cycle_t t)
{
    struct pipeline_cycle *x = &p->at[t % PIPELINE_CYCLES];
    if (x->cycle != t)
        *x = (struct pipeline_cycle){.cycle = t};
    return x;
}

/* ---- Registers ---- */

static int bank_of(const struct pipeline *p, int bank0, int bank)
{
    const int sum = bank0 + bank, banks = p->cfg->reg_banks;
    return sum < banks ? sum : sum - banks;
}

static uint64_t write_banks(const struct pipeline *p, const struct inst_meta *m, int bank0)
{
    uint64_t set = 0;
    for (int i = 0; i < m->nwrite; i++)
        set |= 1ull << bank_of(p, bank0, m->write_bank[i]);
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
        const int bank = bank_of(p, bank0, m->read_bank[i]);
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
    t = later(t, p->port);
    while (at(p, t)->banks & banks)
        t++;
    at(p, t)->banks |= banks;
    p->port = t + 1;
    return t;
}

/* ---- SP, SFU, DP ---- */

/* When the instruction `back` before the next one got a collector unit. */
static cycle_t alloc_before(const struct pipeline_pipe_state *q, unsigned back)
{
    return q->alloc[(q->n - back) % PIPELINE_PLACES];
}

static cycle_t room_in(const struct pipeline *p, enum pipeline_pipe pipe)
{
    const struct pipeline_pipe_state *q = &p->pipe[pipe];
    if (pipe == PIPELINE_MEM && q->n - p->allocated >= (unsigned)q->in)
        return CYCLE_NEVER;
    return alloc_before(q, (unsigned)q->in);
}

static enum pipeline_pipe route(const struct pipeline *p, enum pipe_class cls, cycle_t t)
{
    switch (cls) {
    case CLASS_SFU:
        return PIPELINE_SFU;
    case CLASS_DP:
        return PIPELINE_DP;
    case CLASS_MEM:
        return PIPELINE_MEM;
    case CLASS_EITHER:
        return room_in(p, PIPELINE_SP) > t ? PIPELINE_SFU : PIPELINE_SP;
    default:
        return PIPELINE_SP;
    }
}

cycle_t pipeline_room(const struct pipeline *p, enum pipe_class cls, cycle_t t)
{
    const cycle_t room = room_in(p, route(p, cls, t));
    const cycle_t sp = cls == CLASS_EITHER ? room_in(p, PIPELINE_SP) : room;
    return sp < room ? sp : room;
}

static bool unit_takes(struct pipeline *p, int unit, const struct inst_meta *m, cycle_t t)
{
    const uint32_t bit = 1u << unit;
    struct pipeline_cycle *write = at(p, t + m->latency + WRITE_DELAY);
    if (write->landing & bit || write->results == p->cfg->result_buses)
        return false;
    for (int i = 0; i < m->interval; i++)
        if (at(p, t + (cycle_t)i)->busy & bit)
            return false;
    for (int i = 0; i < m->interval; i++)
        at(p, t + (cycle_t)i)->busy |= bit;
    write = at(p, t + m->latency + WRITE_DELAY);
    write->landing |= bit;
    write->results++;
    return true;
}

/* When a unit of the pipe takes it, t at the earliest. */
static cycle_t taken_at(struct pipeline *p, const struct pipeline_pipe_state *q,
                        const struct inst_meta *m, cycle_t t)
{
    for (;; t++)
        for (int u = q->first; u < q->end; u++)
            if (unit_takes(p, u, m, t))
                return t;
}

/* The collector unit that is free first. */
static cycle_t *first_unit(struct pipeline_pipe_state *q)
{
    cycle_t *best = q->unit;
    for (int i = 1; i < q->units; i++)
        if (q->unit[i] < *best)
            best = &q->unit[i];
    return best;
}

cycle_t pipeline_execute(struct pipeline *p, const struct inst_meta *m, int bank0, cycle_t t)
{
    const enum pipeline_pipe pipe = route(p, m->cls, t);
    struct pipeline_pipe_state *q = &p->pipe[pipe];
    cycle_t *unit = first_unit(q);
    const cycle_t alloc = later(later(t, alloc_before(q, (unsigned)q->ports_in)) + 1, *unit);
    cycle_t sent = read_operands(p, m, bank0, alloc) + 1;
    while (at(p, sent)->sent[pipe] >= q->ports_out || at(p, sent)->stand[pipe] >= q->out)
        sent++;
    const cycle_t taken = taken_at(p, q, m, sent + 1), write = taken + m->latency + WRITE_DELAY;
    at(p, sent)->sent[pipe]++;
    for (cycle_t i = sent; i < taken; i++)
        at(p, i)->stand[pipe]++;
    q->alloc[q->n++ % PIPELINE_PLACES] = alloc;
    *unit = sent;
    at(p, write)->banks |= write_banks(p, m, bank0);
    return write;
}

/* ---- LD/ST ---- */

static struct pipeline_mem *inst(struct pipeline *p, unsigned k)
{
    return &p->mem[k % PIPELINE_PLACES];
}

/* The next one gets a collector unit, if it is known when. */
static bool alloc_next(struct pipeline *p)
{
    struct pipeline_pipe_state *q = &p->pipe[PIPELINE_MEM];
    const unsigned k = p->allocated;
    struct pipeline_mem *x = inst(p, k);
    if (k == q->n || k - p->sent >= (unsigned)q->units)
        return false;
    const cycle_t before = q->alloc[(k - (unsigned)q->ports_in) % PIPELINE_PLACES];
    const cycle_t alloc =
        later(later(x->issued, before) + 1, inst(p, k - (unsigned)q->units)->sent);
    x->read = read_operands(p, x->m, x->bank0, alloc);
    q->alloc[k % PIPELINE_PLACES] = alloc;
    p->allocated++;
    return true;
}

static bool send_next(struct pipeline *p)
{
    const struct pipeline_pipe_state *q = &p->pipe[PIPELINE_MEM];
    const unsigned k = p->sent;
    struct pipeline_mem *x = inst(p, k);
    if (k == p->allocated || k - p->taken >= (unsigned)q->out)
        return false;
    const cycle_t before =
        later(inst(p, k - (unsigned)q->ports_out)->sent, inst(p, k - (unsigned)q->out)->taken);
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
    const unsigned place = p->pipe[PIPELINE_MEM].n++ % PIPELINE_PLACES;
    p->mem[place] = (struct pipeline_mem){.m = m, .bank0 = bank0, .issued = t};
    flow(p);
    return place;
}

bool pipeline_mem_take(struct pipeline *p, cycle_t free, cycle_t *t, unsigned *place)
{
    if (p->taken == p->sent)
        return false;
    *place = p->taken % PIPELINE_PLACES;
    *t = p->mem[*place].taken = later(p->mem[*place].sent, free);
    p->taken++;
    flow(p);
    return true;
}
