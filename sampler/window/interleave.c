#include "sampler/window/interleave.h"

#include <math.h>
#include <stdlib.h>

#include "sampler/window/requests.h"
#include "sim/gpu/gpu.h"
#include "sim/sm/sched/scheduler_name.h"
#include "sim/sm/sched/warp_scheduler.h"

#define QUEUED_MAX 16 /* memory instructions that the LD/ST unit holds, at most */

struct line {
    uint64_t key; /* line + 1; 0: free */
    uint64_t used;
    double back; /* on its way until then: stays */
};

struct tag_array {
    struct line *line; /* owned, [sets][ways] */
    uint64_t sets, uses;
    int ways;
};

struct turn_warp {
    const uint64_t *at, *end; /* of its stream; at == end: done */
    double ready;             /* may go on */
    double back;              /* the last of its loads */
    uint64_t age;             /* when its CTA began, and its place in it */
    int place;
    bool waits; /* at a barrier */
};

struct place {
    int cta;            /* of the streams; -1: empty */
    int running, waits; /* warps */
    double first;       /* when the first of them can go on; INFINITY: none by itself */
};

struct walk {
    const struct interleave *v;
    const struct warp_streams *s;
    struct tag_array data, code;
    struct turn_warp *warp; /* owned, [n][warps] */
    double *can;            /* owned, likewise: when it can go on, as place.first */
    struct place *place;    /* owned, [n] */
    int n, last, next;      /* last: who had its turn; next: the CTA that begins next */
    double issue_free, port_free, gap, now;
    double *back; /* owned: when each MSHR is free again, a ring */
    int mshrs, oldest;
    double began[QUEUED_MAX]; /* when the last memory instructions had the port, a ring */
    int queued;
    uint64_t asked;
    struct interleaved *of; /* owned, by CTA */
};

static void tags_open(struct tag_array *t, const struct cache_cfg *c)
{
    t->ways = (int)c->ways;
    t->sets = (uint64_t)(c->size / c->line / c->ways);
    t->line = xcalloc((size_t)t->sets * (size_t)t->ways, sizeof *t->line);
}

/* The line in its set; NULL: it is not there. */
static struct line *find(struct tag_array *t, uint64_t line)
{
    struct line *set = t->line + (line & (t->sets - 1)) * (uint64_t)t->ways;
    t->uses++;
    for (int i = 0; i < t->ways; i++)
        if (set[i].key == line + 1)
            return &set[i];
    return NULL;
}

/* The line that leaves for this one: the one used longest ago of those that are not on their way at
 * *now, which waits until there is one. */
static struct line *victim(const struct tag_array *t, uint64_t line, double *now)
{
    struct line *set = t->line + (line & (t->sets - 1)) * (uint64_t)t->ways, *oldest = NULL,
                *first = set;
    for (int i = 0; i < t->ways; i++) {
        if (set[i].back <= *now && (!oldest || set[i].used < oldest->used))
            oldest = &set[i];
        if (set[i].back < first->back)
            first = &set[i];
    }
    if (!oldest)
        *now = first->back;
    return oldest ? oldest : first;
}

/* A CTA's local memory lies where it runs. */
static uint64_t line_of(const struct walk *w, int place, uint64_t value)
{
    const uint64_t local = REQUESTS_LOCAL / (uint64_t)w->v->cfg->mem.l1d.line;
    if (value < local)
        return value;
    return value + ((uint64_t)place << 40) + (uint64_t)(place * w->s->warps);
}

static void request(struct walk *w, struct turn_warp *t, enum stream_kind kind, uint64_t value)
{
    const uint64_t line = line_of(w, t->place, value);
    const bool load = kind == STREAM_LOAD || kind == STREAM_NEXT_LOAD,
               store = kind == STREAM_STORE || kind == STREAM_NEXT_STORE;
    struct line *at = find(&w->data, line);
    w->port_free += 1;
    if (at) {
        at->used = w->data.uses;
        if (load)
            t->back = fmax(t->back, at->back);
        else if (store && at->back <= w->port_free)
            *at = (struct line){0};
        return;
    }
    if (!load)
        return;
    double *mshr = &w->back[w->oldest];
    w->oldest = (w->oldest + 1) % w->mshrs;
    w->port_free = fmax(w->port_free, *mshr);
    at = victim(&w->data, line, &w->port_free);
    *mshr = w->port_free + w->v->latency;
    *at = (struct line){line + 1, w->data.uses, *mshr};
    t->back = *mshr;
    w->of[w->place[t->place].cta].l1d_misses++;
}

static void fetch(struct walk *w, const struct turn_warp *t, uint64_t line)
{
    struct line *at = find(&w->code, line);
    double now = INFINITY;
    if (!at) {
        at = victim(&w->code, line, &now);
        *at = (struct line){.key = line + 1};
        w->of[w->place[t->place].cta].l1i_misses++;
    }
    at->used = w->code.uses;
}

static void begin(struct walk *w, int p)
{
    struct place *at = &w->place[p];
    const bool more = w->next < w->s->ctas;
    *at = (struct place){.cta = more ? w->next++ : -1, .running = more ? w->s->warps : 0};
    for (int i = 0; i < w->s->warps; i++) {
        const struct stream *s = more ? &w->s->cta[at->cta].warp[i] : &(struct stream){0};
        w->warp[p * w->s->warps + i] =
            (struct turn_warp){.at = s->word,
                               .end = s->word + s->n,
                               .ready = w->now,
                               .age = (uint64_t)(at->cta * w->s->warps + i),
                               .place = p};
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
    if (--at->running == 0)
        begin(w, t->place);
    else
        open_barrier(w, t->place);
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
    default:
        if (!more && !enter_port(w, t, r))
            return false;
        request(w, t, kind, value);
    }
    t->at++;
    return true;
}

/* After changes of a place's warps. */
static void look_at(struct walk *w, int p)
{
    struct place *at = &w->place[p];
    at->first = INFINITY;
    for (int i = p * w->s->warps; i < (p + 1) * w->s->warps; i++) {
        const struct turn_warp *t = &w->warp[i];
        w->can[i] = t->at < t->end && !t->waits ? t->ready : INFINITY;
        at->first = w->can[i] < at->first ? w->can[i] : at->first;
    }
}

static void go_on(struct walk *w, int i)
{
    struct turn_warp *t = &w->warp[i];
    struct turn r = {0};
    while (t->at < t->end && take_word(w, t, &r))
        ;
    w->issue_free = time_of(w, &r);
    if (t->waits)
        open_barrier(w, t->place);
    if (t->at == t->end)
        end(w, t);
    look_at(w, i / w->s->warps);
}

/* The first of the warps from `i` up to `end` that can go on by now; -1: none. */
static int first_of(const struct walk *w, int i, int end)
{
    while (i < end && w->can[i] > w->now)
        i++;
    return i < end ? i : -1;
}

/* The oldest that can go on by now, but for the last one, which goes on if it can; -1: none. */
static int oldest(const struct walk *w)
{
    const struct place *of = NULL;
    if (w->can[w->last] <= w->now)
        return w->last;
    for (const struct place *p = w->place; p < w->place + w->n; p++)
        if (p->first <= w->now && (!of || p->cta < of->cta))
            of = p;
    const int at = of ? (int)(of - w->place) * w->s->warps : 0;
    return of ? first_of(w, at, at + w->s->warps) : -1;
}

/* The next one behind the last that can go on by now; -1: none. */
static int next(const struct walk *w)
{
    const int warps = w->s->warps, place = w->last / warps;
    int found = first_of(w, w->last + 1, (place + 1) * warps);
    for (int k = 1; found < 0 && k <= w->n; k++) {
        const int p = (place + k) % w->n;
        if (w->place[p].first <= w->now)
            found = first_of(w, p * warps, (p + 1) * warps);
    }
    return found;
}

/* Who can go on first, and if several can by then, whose turn it is; -1: none is left. */
static int pick(struct walk *w, bool by_age)
{
    double first = INFINITY;
    for (int p = 0; p < w->n; p++)
        first = w->place[p].first < first ? w->place[p].first : first;
    if (first == INFINITY)
        return -1;
    w->now = fmax(w->issue_free, first);
    return by_age ? oldest(w) : next(w);
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

struct interleaved interleave_run(const struct interleave *v, const struct warp_streams *s, int n,
                                  double share)
{
    const struct sm_cfg *sm = &v->cfg->sm;
    const int held = sm->collector.mem_units + sm->collector.issue_mem + sm->collector.exec_mem;
    struct walk w = {.v = v,
                     .s = s,
                     .n = n,
                     .mshrs = v->cfg->mem.l1d.mshrs,
                     .queued = held < QUEUED_MAX ? held : QUEUED_MAX,
                     .gap = (double)sm->issue_interval / sm->schedulers};
    const bool by_age = sm_warp_scheduler(sm)->greedy;
    tags_open(&w.data, &v->cfg->mem.l1d);
    tags_open(&w.code, &v->cfg->mem.l1i);
    w.warp = xcalloc((size_t)(n * s->warps), sizeof *w.warp);
    w.can = xcalloc((size_t)(n * s->warps), sizeof *w.can);
    w.place = xcalloc((size_t)n, sizeof *w.place);
    w.back = xcalloc((size_t)w.mshrs, sizeof *w.back);
    w.of = xcalloc((size_t)s->ctas + 1, sizeof *w.of);
    for (int p = 0; p < n; p++) {
        begin(&w, p);
        look_at(&w, p);
    }
    for (int i; (i = pick(&w, by_age)) >= 0; w.last = i)
        go_on(&w, i);
    const struct interleaved out = summary(&w, share);
    free(w.data.line);
    free(w.code.line);
    free(w.warp);
    free(w.can);
    free(w.place);
    free(w.back);
    free(w.of);
    return out;
}

/* Some of the core's CTAs, one behind the other, with `cta` among them. */
static void follow(struct warp_streams *s, struct launch *l, uint64_t cta,
                   const struct window_params *by, int n_max)
{
    const uint64_t cores = (uint64_t)s->cfg->top.cores, grid = launch_ctas(l), at = cta / cores,
                   all = (grid - 1 - cta % cores) / cores + 1;
    const uint64_t least = (uint64_t)by->ctas;
    uint64_t want = (uint64_t)(by->rounds * n_max);
    want = want < least ? least : want;
    want = want < all ? want : all;
    uint64_t from = at < want / 2 ? 0 : at - want / 2;
    from = from + want > all ? all - want : from;
    for (uint64_t k = from; k < from + want; k++)
        warp_streams_add(s, l, cta % cores + k * cores, (uint64_t)by->followed / want);
}

/* Cycles from an instruction of a warp to its next one while it waits for no memory: as many of the
 * window's as its schedulers issued or waited for arithmetic, shared by their warps. */
static double step_of(const struct sample *d)
{
    const double warps = fmax(1, d->warps_per_cta / fmax(1, d->schedulers));
    return d->warp_insts > 0 ? (d->issue_cycles + d->alu_dep_cycles) / d->warp_insts * warps : 1;
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
                            const struct window_params *by, struct sample *d)
{
    struct warp_streams s;
    struct fault *const why = l->why;
    const double share = (double)launch_ctas(l) / cfg->top.cores;
    const struct interleave v = {cfg, d->mf_latency, step_of(d)};
    warp_streams_init(&s, cfg, l);
    l->why = NULL;
    follow(&s, l, cta, by, (int)d->n_max);
    l->why = why;
    fill_work(&s, d);
    fill_gpu(cfg, d);
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
