/* The launches of a replay. */
#include "sampler/replay_core.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"

/* ---- Time ---- */

static void find_told(struct replay *r)
{
    for (; r->tolds > 0; r->tolds--) {
        struct core_at *told = r->told[r->tolds - 1];
        told->told = false;
        replay_find_next(told);
    }
}

/* When anything happens next that is not the uncore's. */
static cycle_t next_time(const struct replay *r)
{
    cycle_t first = r->deal_at;
    for (int k = 0; k < r->cores; k++)
        first = earlier(first, r->when[k]);
    return first;
}

/* Every warp has come to its end, and every request: whatever one waits for comes. */
static void check_ended(const struct replay *r)
{
    BUG_ON(r->free_flights != r->flights, "%d requests are still on their way",
           r->flights - r->free_flights);
    for (int k = 0; k < r->cores; k++)
        for (int i = 0; i < r->core[k].warps; i++) {
            const struct warp_at *w = &r->core[k].warp[i];
            BUG_ON(w->live || w->ends, "core %d, warp %d waits for nothing", k, i);
        }
}

static bool cores_go_on(struct replay *r)
{
    bool moved = false;
    for (int k = 0; k < r->cores; k++)
        for (; r->when[k] <= r->now; moved = true) {
            replay_goes_on(&r->core[k]);
            find_told(r);
        }
    return moved;
}

void replay_vacant(struct core_at *c, int place, cycle_t t)
{
    c->vacant |= 1ull << place;
    c->cta[place].done = t;
    c->r->deal_at = earlier(c->r->deal_at, t);
}

static bool gets_more(const struct core_at *c)
{
    return c->r->o.whole ? c->r->next < c->r->end : c->started < c->ctas;
}

/* A place that is free now; -1: none is. */
static int place_in(const struct core_at *c)
{
    for (uint64_t m = c->vacant; m; m &= m - 1)
        if (c->cta[__builtin_ctzll(m)].done <= c->r->now)
            return __builtin_ctzll(m);
    return -1;
}

/* Each core that has room gets a CTA a cycle, from the one on behind that which got the last one
 * (sim/cta/dispatch.c). */
static bool deal(struct replay *r)
{
    const int first = r->turn;
    bool any = false;
    for (int i = 0; i < r->cores; i++) {
        struct core_at *c = &r->core[(first + i) % r->cores];
        const int place = gets_more(c) ? place_in(c) : -1;
        if (place < 0)
            continue;
        c->vacant &= ~(1ull << place);
        r->turn = c->number + 1;
        replay_start_cta(c, place, r->now);
        any = true;
    }
    r->deal_at = CYCLE_NEVER;
    for (int i = 0; i < r->cores; i++)
        for (uint64_t m = gets_more(&r->core[i]) ? r->core[i].vacant : 0; m; m &= m - 1)
            r->deal_at =
                earlier(r->deal_at, later(r->core[i].cta[__builtin_ctzll(m)].done, r->now + 1));
    find_told(r);
    return any;
}

/* Nothing moved in the cycle before r->now: leaves out those in which nothing can. False: nothing
 * ever will. */
static bool leave_out(struct replay *r)
{
    const cycle_t own = uncore_next_event(&r->mem, r->now + 1), cores = next_time(r);
    const cycle_t next = own != CYCLE_NEVER && own - 1 < cores ? own - 1 : cores;
    if (next == CYCLE_NEVER)
        return false;
    if (next > r->now + 1) { /* as in sim/gpu/gpu.c */
        uncore_jump(&r->mem, r->now + 1, next);
        r->now = next - 1;
    }
    return true;
}

/* Every CTA of a whole launch has come to its end before r->now. */
static bool is_over(const struct replay *r)
{
    if (!r->o.whole || r->running || r->next < r->end)
        return false;
    for (int k = 0; k < r->cores; k++)
        if (r->core[k].clock >= r->now)
            return false;
    return true;
}

static bool is_cut(const struct replay *r)
{
    return r->o.most_insts && r->out->insts > r->o.most_insts;
}

/* Core cycle by core cycle. A whole launch is over with its last CTA, as in the simulator. Of
 * others it is of interest what all that was sent has read. */
static void run(struct replay *r)
{
    cycle_t last = r->now; /* something moved */
    for (int k = 0; k < r->cores; k++)
        replay_find_next(&r->core[k]);
    for (bool on = true; on;) {
        bool waits, moved = replay_net_cycle(r, &waits);
        find_told(r);
        moved |= cores_go_on(r);
        if (r->deal_at <= r->now)
            moved |= deal(r);
        r->now++;
        last = moved ? r->now : last;
        on = !is_over(r) && !is_cut(r) && (moved || waits || leave_out(r));
        BUG_ON(waits && r->now > last + HANG_CYCLES,
               "nothing moves, and requests wait for the network");
    }
    uncore_catch_up(&r->mem);
    if (!is_cut(r))
        check_ended(r);
}

/* ---- A launch ---- */

/* For types that begin with a cache line. */
static void *zeroed(size_t n, size_t bytes)
{
    void *p = xaligned(64, n * bytes);
    return memset(p, 0, n * bytes);
}

static int registers(uint16_t *list, const struct board_bits *b, int words)
{
    int n = 0;
    for (int i = 0; i < words; i++)
        for (uint64_t m = b[i].bits; m; m &= m - 1)
            list[n++] = (uint16_t)(b[i].word * 64 + (uint32_t)__builtin_ctzll(m));
    return n;
}

static void decode(struct replay *r)
{
    const struct kernel *k = r->t->kernel;
    r->meta = meta_build(k, &r->cfg->sm);
    r->op = zeroed(k->ninst, sizeof *r->op);
    r->nregs = k->nregnum + 1;
    for (uint32_t i = 0; i < k->ninst; i++) {
        struct op *op = &r->op[i];
        const struct inst_meta *m = op->m = &r->meta[i];
        op->cls = m->cls;
        op->uses = (uint8_t)registers(op->reg, m->check, m->ncheck);
        op->defs = (uint8_t)registers(op->reg + op->uses, m->dst, m->ndst);
        op->atomic = (k->inst[i].flags & INST_ATOMIC) != 0;
        op->barrier = k->inst[i].op == OP_BAR || k->inst[i].op == OP_BAR_RED;
    }
}

struct replay *replay_new(const struct gpu_cfg *cfg, const struct replay_opts *o)
{
    struct replay *r = xcalloc(1, sizeof *r);
    const struct mem_cfg *m = &cfg->mem;
    r->cfg = cfg;
    r->now = LONG_AGO;
    r->o = *o;
    r->policy = wsched_find(cfg->sm.warp_scheduler);
    r->cores = o->alone ? 1 : cfg->top.cores;
    r->core = zeroed((size_t)r->cores, sizeof *r->core);
    r->told = xcalloc((size_t)r->cores, sizeof *r->told);
    r->when = xcalloc((size_t)r->cores, sizeof *r->when);
    for (int i = 0; i < r->cores; i++) {
        struct core_at *c = &r->core[i];
        c->r = r;
        c->number = i;
        pipeline_init(&c->pipe, &cfg->sm);
        stamp_init(&c->l1d, &m->l1d, false);
        stamp_init(&c->l1c, &m->l1c, true);
        stamp_init(&c->l1i, &m->l1i, true);
        replay_tex_init(c);
    }
    replay_net_init(r);
    return r;
}

void replay_free(struct replay *r)
{
    for (int i = 0; i < r->cores; i++) {
        struct core_at *c = &r->core[i];
        pipeline_fini(&c->pipe);
        stamp_fini(&c->l1d);
        stamp_fini(&c->l1c);
        stamp_fini(&c->l1i);
        replay_tex_fini(c);
        free(c->ran);
    }
    free(r->base);
    free(r->core);
    free(r->when);
    free(r->told);
    replay_net_fini(r);
    replay_wait_fini(r);
    free(r);
}

void replay_set_l1(struct replay *r, const struct l1_state *s, int core)
{
    const int cores = r->cfg->top.cores;
    for (int i = 0; i < r->cores; i++) {
        struct core_at *c = &r->core[i];
        l1_state_give(s, L1_DATA, (core + i) % cores, &c->l1d);
        l1_state_give(s, L1_CONST, (core + i) % cores, &c->l1c);
        l1_state_give(s, L1_TEXTURE, (core + i) % cores, &c->l1t);
    }
}

void replay_set_l2(struct replay *r, const struct l2_state *s)
{
    for (int i = 0; s->cfg && i < r->cfg->mem.partition.count; i++)
        l2_state_give(s, i, partition_l2_tags(r->mem.part[i]));
}

/* CTAs of a core at degree n: another launch of the program may have room for more. */
static int at_once(const struct replay *r, int n)
{
    const int fits = r->t->fits, room = WARPS / r->wpc;
    const int most = fits && fits < n ? fits : n;
    return most < room ? most : room;
}

static void flush_l1(struct replay *r)
{
    for (int i = 0; i < r->cores; i++) {
        stamp_flush(&r->core[i].l1d);
        stamp_flush(&r->core[i].l1t);
    }
}

static void begin_core(struct core_at *c, int ctas)
{
    struct replay *r = c->r;
    const int there = trace_core_ctas(r->t, c->number);
    c->ctas = ctas < there ? ctas : there;
    c->started = c->ends = 0;
    c->vacant = 0;
    c->ldst_free = c->clock = r->t0;
    c->ldst_at = CYCLE_NEVER;
    c->mem_waits = c->known = c->empty = c->fetch_waits = 0;
    c->fetch_free = c->r->t0;
    replay_tex_begin(c, r->t0);
    c->ldst_works = false;
    c->fetch_at = CYCLE_NEVER;
    memset(c->warp, 0, sizeof c->warp);
    c->boards = xcalloc((size_t)r->nregs * WARPS, sizeof *c->boards);
    for (int i = 0; i < WARPS; i++) {
        c->warp[i].board = c->boards + i * r->nregs;
        c->ready[i] = CYCLE_NEVER;
    }
    c->n = at_once(r, r->o.n);
    c->slots = (int)earlier((cycle_t)c->n, (r->t->grid + r->t->stride - 1) / r->t->stride);
    if (!r->o.whole && c->ctas < c->n)
        c->n = c->ctas;
    c->warps = c->n * r->wpc;
    for (int i = 0; i < r->cfg->sm.schedulers; i++) {
        struct sched_at *s = &c->sched[i];
        *s = (struct sched_at){.next_issue = r->t0, .view = {.age = c->age}};
        for (int w = i; w < c->warps; w += r->cfg->sm.schedulers)
            s->view.owned |= 1ull << w;
        r->policy->init(s->state, &s->view);
    }
    /* Of some rounds alone: cores one after the other, as if they did not go in step. */
    const int apart = r->o.alone || r->o.whole ? 0 : (int)r->t->stride;
    for (int i = 0; i < c->n; i++)
        replay_vacant(c, i, r->t0 + (cycle_t)(i * apart + (apart ? c->number : 0)));
}

static void collect(struct replay *r, struct run_stats *add)
{
    for (int i = 0; i < r->cfg->mem.partition.count; i++)
        partition_stats(r->mem.part[i], add);
}

static void begin(struct replay *r, const struct trace *t, int ctas)
{
    const bool begins = !r->t;
    r->t = t;
    r->wpc = t->warps_per_cta;
    r->read_sum = 0;
    r->reads = 0;
    struct run_stats before = {0};
    collect(r, &before); /* of launches before: conclude() wants this one's */
    const uint64_t traced = t->first + (uint64_t)t->ctas * t->stride;
    r->next = t->first;
    r->end = traced < t->all ? traced : t->all;
    if (begins)
        r->turn = r->o.first;
    memset(r->dram_reads, 0, sizeof r->dram_reads);
    r->t0 = r->now;
    r->code = replay_code_of(r, t->kernel);
    decode(r);
    if (r->cfg->top.flush_l1)
        flush_l1(r);
    r->deal_at = CYCLE_NEVER;
    for (int i = 0; i < r->cores; i++)
        begin_core(&r->core[i], ctas);
}

/* What DRAM's reads are of those that were counted by request: of a store that misses L2 it is not
 * known whether its line has been asked for already, and evictions, which are nobody's, read lines.
 */
static double of_counted(const struct replay *r, uint64_t dram_reads)
{
    const uint64_t counted = r->dram_reads[0] + r->dram_reads[1];
    return counted ? (double)dram_reads / (double)counted : 1;
}

/* Of a core with n CTAs at once. */
static double wave(const struct core_at *c, int n)
{
    if (c->ends < 3 * n)
        return (double)(c->clock - c->r->t0) * n / fmax(1, c->ends);
    double sum = 0;
    for (int i = n; i < 2 * n; i++)
        sum += (c->ran[i + n].start - c->ran[i].start) / n;
    return sum;
}

double replay_wave(const struct replay *r, int n)
{
    double sum = 0;
    int cores = 0;
    for (int i = 0; i < r->cores; i++) {
        const struct core_at *c = &r->core[i];
        sum += c->ends > 0 ? wave(c, n > r->o.n ? at_once(r, n) : c->n) : 0;
        cores += c->ends > 0;
    }
    return sum / fmax(1, cores);
}

static void add_core(struct replay_result *o, const struct core_at *c)
{
    const int n = c->n;
    const double cycles = (double)(c->clock - c->r->t0);
    o->cores++;
    o->ctas += (uint64_t)c->ends;
    o->first_ctas += (uint64_t)(n < c->ends ? n : c->ends);
    o->cycles += cycles;
    o->last = fmax(o->last, cycles);
}

/* Means over the cores. A whole launch ends with the last of them. With two CTAs a core or fewer
 * the core with the most work decides when the launch ends; with more the dispatcher evens it out.
 */
static void conclude(struct replay *r)
{
    struct replay_result *o = r->out;
    struct run_stats all = {0};
    collect(r, &all);
    const double counted = of_counted(r, all.dram_reads);
    o->dram_reads_first = (double)r->dram_reads[0] * counted;
    o->dram_reads_later = (double)r->dram_reads[1] * counted;
    for (int i = 0; i < r->cores; i++)
        if (r->core[i].ends > 0)
            add_core(o, &r->core[i]);
    const double cores = fmax(1, o->cores);
    o->bus = (double)all.dram_bus_cycles * r->cfg->clock.core / r->cfg->clock.dram /
             r->cfg->mem.partition.count / fmax(1, o->last);
    o->bus = fmin(o->bus, 1);
    o->cycles = is_cut(r)                                     ? (double)(r->now - r->t0)
                : r->o.whole || r->t->all <= 2 * r->t->stride ? o->last
                                                              : o->cycles / cores;
    o->wave = replay_wave(r, r->o.n);
    o->cta_cycles /= fmax(1, (double)o->ctas);
    o->read_latency = r->reads ? r->read_sum / (double)r->reads : 0;
}

const struct replay_cta *replay_ctas(const struct replay *r, int core, int *ctas)
{
    *ctas = core < r->cores ? r->core[core].ends : 0;
    return *ctas ? r->core[core].ran : NULL;
}

void replay_run(struct replay *r, const struct trace *t, int ctas, struct replay_result *out)
{
    *out = (struct replay_result){0};
    r->out = out;
    begin(r, t, ctas);
    run(r);
    conclude(r);
    for (int i = 0; i < r->cores; i++)
        free(r->core[i].boards);
    free(r->meta);
    free(r->op);
}
