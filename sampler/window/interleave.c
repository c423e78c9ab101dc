#include "sampler/window/interleave.h"

#include <math.h>
#include <stdlib.h>

#include "base/err.h"
#include "sampler/window/l1_flight.h"
#include "sampler/window/requests.h"
#include "sim/gpu/gpu.h"
#include "sim/sm/sched/scheduler_name.h"
#include "sim/sm/sched/warp_scheduler.h"

struct turn_warp {
    const uint64_t *at, *end; /* of its stream; at == end: done */
    double ready;             /* may go on */
    double back;              /* the last of its loads */
    int place;
    bool waits; /* at a barrier */
};

struct place {
    int cta;            /* in the order in which they begin; -1: empty */
    int running, waits; /* warps */
};

struct scheduler { /* of a core: warp i is of number i mod their count */
    int last;      /* who had its turn */
    double free;   /* its next issue slot */
};

struct walk {
    const struct interleave *v;
    const struct warp_streams *s;
    struct l1_flight data;
    struct tags code;
    cycle_t code_uses;
    struct turn_warp *warp;      /* owned, [n][warps] */
    double *can;                 /* owned, likewise: when it can go on; INFINITY: not by itself */
    struct place *place;         /* owned, [n] */
    double *first;               /* owned, [n][schedulers]: the least of `can` of these warps */
    struct scheduler *scheduler; /* owned */
    int n, schedulers;
    int most, begun, ended; /* CTAs: that begin; of these; of those that are followed */
    double port_free, gap, now;
    double *began; /* owned: when the last memory instructions had the port, a ring */
    int queued;
    uint64_t asked;
    struct interleaved *of; /* owned, by place.cta */
};

/* A CTA's local memory lies where it runs. */
static addr_t line_of(const struct walk *w, int place, uint64_t value)
{
    const uint64_t local = REQUESTS_LOCAL >> w->data.tags.line_log2;
    if (value >= local)
        value += ((uint64_t)place << 40) + (uint64_t)(place * w->s->warps);
    return value << w->data.tags.line_log2;
}

static void request(struct walk *w, struct turn_warp *t, enum stream_kind kind, uint64_t value)
{
    const addr_t line = line_of(w, t->place, value);
    w->port_free += 1;
    if (kind == STREAM_LOAD || kind == STREAM_NEXT_LOAD)
        t->back = fmax(t->back, l1_flight_load(&w->data, line, &w->port_free,
                                               &w->of[w->place[t->place].cta].l1d_misses));
    else
        l1_flight_store(&w->data, line, w->port_free,
                        kind == STREAM_WRITE || kind == STREAM_NEXT_WRITE);
}

static void fetch(struct walk *w, const struct turn_warp *t, uint64_t value)
{
    const addr_t line = value << w->code.line_log2;
    uint32_t way;
    addr_t dirty;
    w->code_uses++;
    if (tags_probe(&w->code, line, line, &way) == TAG_HIT) {
        tags_touch(&w->code, way, w->code_uses);
        return;
    }
    (void)tags_replace(&w->code, way, line | TAG_VALID, w->code_uses, &dirty); /* none is */
    w->of[w->place[t->place].cta].l1i_misses++;
}

/* The next CTA. Behind those that are followed come the first of them again, so that the last ones
 * are not by themselves: of these nothing counts. */
static void begin(struct walk *w, int p)
{
    struct place *at = &w->place[p];
    const bool more = w->begun < w->most;
    *at = (struct place){.cta = more ? w->begun++ : -1, .running = more ? w->s->warps : 0};
    for (int i = 0; i < w->s->warps; i++) {
        const struct stream *s =
            more ? &w->s->cta[at->cta % w->s->ctas].warp[i] : &(struct stream){0};
        w->warp[p * w->s->warps + i] =
            (struct turn_warp){.at = s->word, .end = s->word + s->n, .ready = w->now, .place = p};
    }
}

static void open_barrier(struct walk *w, int p)
{
    struct place *at = &w->place[p];
    if (at->waits < at->running || !at->waits)
        return;
    at->waits = 0;
    for (int i = 0; i < w->s->warps; i++) {
        struct turn_warp *t = &w->warp[p * w->s->warps + i];
        if (t->waits)
            t->ready = fmax(t->ready, w->now);
        t->waits = false;
    }
}

static void end(struct walk *w, struct turn_warp *t)
{
    struct place *at = &w->place[t->place];
    if (--at->running) {
        open_barrier(w, t->place);
        return;
    }
    w->ended += at->cta < w->s->ctas;
    begin(w, t->place);
}

struct turn { /* of a warp, under way */
    double insts;
    bool asked; /* L1D for something */
};

static double time_of(const struct walk *w, const struct turn *r)
{
    return w->now + r->insts * w->gap;
}

/* A memory instruction goes to the LD/ST unit; false: it is full, and the warp waits. */
static bool enter_port(struct walk *w, struct turn_warp *t, struct turn *r)
{
    double *began = &w->began[w->asked % (uint64_t)w->queued];
    if (*began > time_of(w, r)) {
        t->ready = *began;
        return false;
    }
    w->port_free = fmax(w->port_free, time_of(w, r));
    *began = w->port_free;
    w->asked++;
    r->insts++;
    r->asked = true;
    return true;
}

/* The next word of its stream; false: its turn is over, and `ready` says when it may go on. */
static bool take_word(struct walk *w, struct turn_warp *t, struct turn *r)
{
    const enum stream_kind kind = stream_kind(*t->at);
    const uint64_t value = stream_value(*t->at);
    const double own = w->now + r->insts * w->v->step;
    const bool more = kind >= STREAM_NEXT_LOAD && kind <= STREAM_NEXT_WRITE;
    t->ready = own;
    if (r->asked && !more)
        return false;
    switch (kind) {
    case STREAM_RUN:
        r->insts += (double)value;
        t->ready = w->now + r->insts * w->v->step;
        break;
    case STREAM_CODE:
        fetch(w, t, value);
        break;
    case STREAM_NEED:
        if (t->back > own) {
            t->ready = t->back;
            t->at++;
            return false;
        }
        break;
    case STREAM_BARRIER:
        t->waits = true;
        w->place[t->place].waits++;
        t->at++;
        return false;
    default: /* at its own time */
        if (!more && (r->insts > 0 || !enter_port(w, t, r)))
            return false;
        request(w, t, kind, value);
    }
    t->at++;
    return true;
}

static double *first_at(const struct walk *w, int place, int scheduler)
{
    return &w->first[place * w->schedulers + scheduler];
}

/* From warp i on to the next one of scheduler k. */
static int behind(const struct walk *w, int k, int i)
{
    const int by = k - i % w->schedulers;
    return by < 0 ? by + w->schedulers : by;
}

/* After changes of a place's warps. */
static void look_at(struct walk *w, int p)
{
    const int from = p * w->s->warps, end = from + w->s->warps;
    for (int i = from; i < end; i++) {
        const struct turn_warp *t = &w->warp[i];
        w->can[i] = t->at < t->end && !t->waits ? t->ready : INFINITY;
    }
    for (int k = 0; k < w->schedulers; k++) {
        double first = INFINITY;
        for (int i = from + behind(w, k, from); i < end; i += w->schedulers)
            first = w->can[i] < first ? w->can[i] : first;
        *first_at(w, p, k) = first;
    }
}

static void go_on(struct walk *w, int i)
{
    struct turn_warp *t = &w->warp[i];
    struct scheduler *by = &w->scheduler[i % w->schedulers];
    struct turn r = {0};
    while (t->at < t->end && take_word(w, t, &r))
        ;
    by->free = time_of(w, &r);
    by->last = i;
    if (t->waits)
        open_barrier(w, t->place);
    if (t->at == t->end)
        end(w, t);
    look_at(w, i / w->s->warps);
}

/* The first of scheduler k's warps from `i` up to `end` that can go on by now; -1: none. */
static int first_of(const struct walk *w, int k, int i, int end)
{
    i += behind(w, k, i);
    while (i < end && w->can[i] > w->now)
        i += w->schedulers;
    return i < end ? i : -1;
}

/* Its oldest that can go on by now, but for the last one, which goes on if it can. */
static int oldest(const struct walk *w, int k)
{
    const int last = w->scheduler[k].last;
    int of = -1;
    if (w->can[last] <= w->now)
        return last;
    for (int p = 0; p < w->n; p++)
        if (*first_at(w, p, k) <= w->now && (of < 0 || w->place[p].cta < w->place[of].cta))
            of = p;
    return first_of(w, k, of * w->s->warps, (of + 1) * w->s->warps);
}

/* Its next one behind the last that can go on by now. */
static int next(const struct walk *w, int k)
{
    const int warps = w->s->warps, last = w->scheduler[k].last, place = last / warps;
    int found = first_of(w, k, last + 1, (place + 1) * warps);
    for (int i = 1; found < 0; i++) {
        const int p = (place + i) % w->n;
        if (*first_at(w, p, k) <= w->now)
            found = first_of(w, k, p * warps, (p + 1) * warps);
    }
    return found;
}

static double first_turn(const struct walk *w, int k)
{
    const double free = w->scheduler[k].free;
    double first = INFINITY;
    for (int p = 0; p < w->n; p++)
        first = *first_at(w, p, k) < first ? *first_at(w, p, k) : first;
    return first < free ? free : first;
}

/* Who goes on next; -1: none is left. Of two schedulers that can at once the first one does. */
static int pick(struct walk *w, bool by_age)
{
    int k = 0;
    w->now = INFINITY;
    for (int i = 0; i < w->schedulers; i++) {
        const double turn = first_turn(w, i);
        k = turn < w->now ? i : k;
        w->now = turn < w->now ? turn : w->now;
    }
    if (w->now == INFINITY)
        return -1;
    return by_age ? oldest(w, k) : next(w, k);
}

/* Of the CTAs of a core the first n find empty caches; the others stand for all that follow. */
static struct interleaved summary(const struct walk *w, double share)
{
    struct interleaved first = {0}, later = {0};
    const int n = w->n < w->s->ctas ? w->n : w->s->ctas, others = w->s->ctas - n;
    for (int i = 0; i < w->s->ctas; i++) {
        struct interleaved *to = i < n ? &first : &later;
        to->l1d_misses += w->of[i].l1d_misses / (i < n ? n : others);
        to->l1i_misses += w->of[i].l1i_misses / (i < n ? n : others);
    }
    const double part = others ? fmin(1, n / fmax(share, 1e-9)) : 1;
    return (struct interleaved){part * first.l1d_misses + (1 - part) * later.l1d_misses,
                                part * first.l1i_misses + (1 - part) * later.l1i_misses};
}

static void walk_init(struct walk *w, const struct interleave *v, const struct warp_streams *s,
                      int n, double share)
{
    const struct sm_cfg *sm = &v->cfg->sm;
    const struct cache_cfg *code = &v->cfg->mem.l1i;
    *w = (struct walk){.v = v,
                       .s = s,
                       .n = n,
                       .most = s->ctas + (share > s->ctas ? n : 0),
                       .schedulers = sm->schedulers,
                       .queued = sm->collector.mem_units + sm->collector.issue_mem +
                                 sm->collector.exec_mem,
                       .gap = sm->issue_interval};
    l1_flight_init(&w->data, &v->cfg->mem.l1d, &v->memory);
    tags_init(&w->code, (uint32_t)code->size, (uint32_t)code->line, (uint32_t)code->ways);
    w->warp = xcalloc((size_t)(n * s->warps), sizeof *w->warp);
    w->can = xcalloc((size_t)(n * s->warps), sizeof *w->can);
    w->place = xcalloc((size_t)n, sizeof *w->place);
    w->first = xcalloc((size_t)(n * w->schedulers), sizeof *w->first);
    w->scheduler = xcalloc((size_t)w->schedulers, sizeof *w->scheduler);
    w->began = xcalloc((size_t)w->queued, sizeof *w->began);
    w->of = xcalloc((size_t)w->most + 1, sizeof *w->of);
    for (int k = 0; k < w->schedulers && k < n * s->warps; k++)
        w->scheduler[k].last = k;
    for (int p = 0; p < n; p++) {
        begin(w, p);
        look_at(w, p);
    }
}

static void walk_fini(struct walk *w)
{
    l1_flight_fini(&w->data);
    tags_fini(&w->code);
    free(w->warp);
    free(w->can);
    free(w->place);
    free(w->first);
    free(w->scheduler);
    free(w->began);
    free(w->of);
}

struct interleaved interleave_run(const struct interleave *v, const struct warp_streams *s, int n,
                                  double share)
{
    const bool by_age = sm_warp_scheduler(&v->cfg->sm)->greedy;
    struct walk w;
    walk_init(&w, v, s, n, share);
    for (int i = pick(&w, by_age); i >= 0 && w.ended < s->ctas; i = pick(&w, by_age))
        go_on(&w, i);
    const struct interleaved out = summary(&w, share);
    walk_fini(&w);
    return out;
}

static uint64_t most_of_each(uint64_t of_all, uint64_t ctas, uint64_t of_one)
{
    const uint64_t each = of_all / ctas;
    return of_one && of_one < each ? of_one : each;
}

uint64_t interleave_ctas(const struct window_params *by, int n_max)
{
    const uint64_t rounds = (uint64_t)(by->rounds * n_max), least = (uint64_t)by->ctas;
    return rounds < least ? least : rounds;
}

/* Some of the core's CTAs, one behind the other, with `cta` among them. */
static void follow(struct warp_streams *s, struct launch *l, uint64_t cta, uint64_t max_insts,
                   const struct window_params *by, int n_max)
{
    const uint64_t cores = (uint64_t)s->cfg->top.cores, grid = launch_ctas(l), at = cta / cores,
                   all = (grid - 1 - cta % cores) / cores + 1;
    uint64_t want = interleave_ctas(by, n_max);
    want = want < all ? want : all;
    uint64_t from = at < want / 2 ? 0 : at - want / 2;
    from = from + want > all ? all - want : from;
    const uint64_t each = most_of_each((uint64_t)by->followed, want, max_insts);
    for (uint64_t k = from; k < from + want; k++)
        warp_streams_add(s, l, cta % cores + k * cores, each);
}

/* Cycles from an instruction of a warp to its next one while it waits for no memory: as many of the
 * window's as its schedulers issued or waited for arithmetic, shared by their warps. */
static double step_of(const struct sample *d)
{
    const double warps = fmax(1, d->warps_per_cta / fmax(1, d->schedulers));
    return d->warp_insts > 0 ? (d->issue_cycles + d->alu_dep_cycles) / d->warp_insts * warps : 1;
}

/* What a core of those that have CTAs gets of L2, or of DRAM: as if it were alone where nobody has
 * measured it. */
static struct memory_share memory_of(const struct sample *d, uint64_t grid)
{
    const double rate = d->l2_lines > 0 ? d->l2_lines_per_cycle : d->dram_lines_per_cycle;
    return (struct memory_share){.latency = d->mf_latency > 0 ? d->mf_latency : d->memory_latency,
                                 .each = rate > 0 ? fmin(d->cores, (double)grid) / rate : 0};
}

static void fill_work(const struct warp_streams *s, struct sample *d)
{
    const struct stream_work *w = &s->work;
    const struct sm_cfg *sm = &s->cfg->sm;
    const double n = s->ctas ? s->ctas : 1;
    d->followed_insts = (double)w->warp_insts / n;
    d->load_lines = (double)w->loads / n;
    d->store_lines = (double)w->stores / n;
    d->past_lines = (double)(w->past + w->textures) / n;
    d->port_cycles = (double)w->port_cycles / n;
    d->sp_cycles = (double)w->unit_cycles[PIPE_SP] / sm->sp_units / n;
    d->sfu_cycles = (double)w->unit_cycles[PIPE_SFU] / sm->sfu_units / n;
    d->dp_cycles = (double)w->unit_cycles[PIPE_DP] / fmax(1, sm->dp_units) / n;
    d->next_lines =
        s->ctas > 1 ? (double)(s->lines.n - s->first_lines) / (n - 1) : (double)s->lines.n;
}

static void fill_gpu(const struct gpu_cfg *cfg, struct sample *d)
{
    const int line = cfg->mem.l1d.line;
    d->mshrs = cfg->mem.l1d.mshrs;
    d->issue_rate = (double)cfg->sm.schedulers / cfg->sm.issue_interval;
    d->l2_lines = cfg->mem.l2.enabled && !cfg->mem.partition.l2_texture_only
                      ? (double)cfg->mem.l2.size / line * cfg->mem.partition.count
                      : 0;
}

uint64_t interleave_measure(const struct gpu_cfg *cfg, struct launch *l, uint64_t cta,
                            uint64_t max_insts, const struct window_params *by, struct sample *d)
{
    struct warp_streams s;
    struct fault *const why = l->why;
    const double share = (double)launch_ctas(l) / cfg->top.cores;
    warp_streams_init(&s, cfg, l);
    l->why = NULL;
    follow(&s, l, cta, max_insts, by, (int)d->n_max);
    l->why = why;
    fill_work(&s, d);
    fill_gpu(cfg, d);
    const struct interleave v = {cfg, memory_of(d, launch_ctas(l)), step_of(d)};
    for (int n = 1; n <= d->n_max && n <= SAMPLE_DEGREES; n++) {
        const bool filled = n > 1 && n > s.ctas;
        const struct interleaved m =
            filled ? (struct interleaved){d->l1d_misses_at[n - 2], d->l1i_misses_at[n - 2]}
                   : interleave_run(&v, &s, n, share);
        d->l1d_misses_at[n - 1] = m.l1d_misses;
        d->l1i_misses_at[n - 1] = m.l1i_misses;
    }
    const uint64_t executed = s.work.warp_insts;
    warp_streams_fini(&s);
    return executed;
}
