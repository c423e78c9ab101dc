#define QUEUED_MAX 64
#include "sampler/interleave.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sampler/requests.h"

struct line {
    uint64_t key; /* line + 1; 0: free */
    uint64_t used;
    double back; /* on its way until then: stays */
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
    uint64_t misses;
};

struct walk {
    const struct interleave *v;
    const struct warp_streams *s;
    struct line *line; /* owned, [sets][ways] */
    uint64_t sets, uses;
    int ways;
    struct turn_warp *warp; /* owned, [n][warps] */
    struct place *place;    /* owned, [n] */
    int n, last, next;      /* last: who had its turn; next: the CTA that begins next */
    double issue_free, port_free, gap, now;
    double *back;           /* owned: when each MSHR is free again, a ring */
    int mshrs, oldest;
    double began[QUEUED_MAX]; /* when the last requests of the port began, a ring */
    unsigned queued;
    uint64_t asked;
    double *misses; /* owned, by CTA */
};

/* The line in its set; NULL: it is not there. */
static struct line *find(const struct walk *w, uint64_t line)
{
    struct line *set = w->line + (line & (w->sets - 1)) * (uint64_t)w->ways;
    for (int i = 0; i < w->ways; i++)
        if (set[i].key == line + 1)
            return &set[i];
    return NULL;
}

/* The line that leaves for this one: the one used longest ago that is not on its way, once there is
 * one. */
static struct line *victim(struct walk *w, uint64_t line)
{
    struct line *set = w->line + (line & (w->sets - 1)) * (uint64_t)w->ways, *oldest = NULL,
                *first = set;
    for (int i = 0; i < w->ways; i++) {
        if (set[i].back <= w->port_free && (!oldest || set[i].used < oldest->used))
            oldest = &set[i];
        if (set[i].back < first->back)
            first = &set[i];
    }
    if (!oldest)
        w->port_free = first->back;
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
    struct line *at = find(w, line);
    w->port_free += 1;
    w->uses++;
    if (at) {
        at->used = w->uses;
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
    at = victim(w, line);
    *mshr = w->port_free + w->v->latency;
    *at = (struct line){line + 1, w->uses, *mshr};
    t->back = *mshr;
    w->place[t->place].misses++;
}

static void begin(struct walk *w, int p)
{
    struct place *at = &w->place[p];
    *at = (struct place){.cta = -1};
    if (w->next == w->s->ctas)
        return;
    *at = (struct place){.cta = w->next++, .running = w->s->warps};
    for (int i = 0; i < w->s->warps; i++) {
        const struct stream *s = &w->s->cta[at->cta].warp[i];
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
    if (--at->running == 0) {
        w->misses[at->cta] = (double)at->misses;
        begin(w, t->place);
    } else {
        open_barrier(w, t->place);
    }
}

/* The warp's turn. */
static void go_on(struct walk *w, struct turn_warp *t)
{
    double insts = 0;
    bool asked = false;
    while (t->at < t->end) {
        const enum stream_kind kind = stream_kind(*t->at);
        const uint64_t value = stream_value(*t->at);
        const bool more = kind >= STREAM_NEXT_LOAD && kind <= STREAM_NEXT_WRITE;
        if (asked && !more)
            break;
        if (kind == STREAM_NEED && t->back > w->now + insts * w->v->step) {
            t->ready = t->back;
            t->at++;
            w->issue_free = w->now + insts * w->gap;
            return;
        }
        t->at++;
        if (kind == STREAM_RUN) {
            insts += (double)value;
        } else if (kind == STREAM_BARRIER) {
            t->waits = true;
            w->place[t->place].waits++;
            break;
        } else if (kind != STREAM_NEED) {
            if (!more) {
                const double room = w->began[w->asked % w->queued];
                if (room > w->now + insts * w->gap) {
                    t->at--;
                    w->issue_free = w->now + insts * w->gap;
                    t->ready = fmax(room, w->now + insts * w->v->step);
                    return;
                }
                w->port_free = fmax(w->port_free, w->now + insts * w->gap);
                insts++;
                w->began[w->asked++ % w->queued] = w->port_free;
            }
            request(w, t, kind, value);
            asked = true;
        }
    }
    w->issue_free = w->now + insts * w->gap;
    t->ready = w->now + insts * w->v->step;
    if (t->waits)
        open_barrier(w, t->place);
    if (t->at == t->end)
        end(w, t);
}

static bool runs(const struct walk *w, int i)
{
    return w->place[w->warp[i].place].cta >= 0 && w->warp[i].at < w->warp[i].end &&
           !w->warp[i].waits;
}

/* Who can go on first, and if several can by then, whose turn it is; -1: none is left. */
static int pick(struct walk *w, bool oldest)
{
    const int all = w->n * w->s->warps;
    double first = INFINITY;
    int best = -1;
    for (int i = 0; i < all; i++)
        if (runs(w, i) && w->warp[i].ready < first)
            first = w->warp[i].ready;
    w->now = fmax(w->issue_free, first);
    for (int k = 1; k <= all; k++) {
        const int i = oldest ? k - 1 : (w->last + k) % all;
        if (!runs(w, i) || w->warp[i].ready > w->now)
            continue;
        if (!oldest)
            return i;
        if (i == w->last)
            return i;
        if (best < 0 || w->warp[i].age < w->warp[best].age)
            best = i;
    }
    return best;
}

static void summary(const struct walk *w, struct interleaved *out)
{
    *out = (struct interleaved){0};
    for (int i = 0; i < w->s->ctas; i++) {
        if (i < w->n) {
            out->misses_first += w->misses[i];
            out->first++;
        } else {
            out->misses_later += w->misses[i];
            out->later++;
        }
    }
    out->misses_first /= fmax(1, out->first);
    out->misses_later = out->later ? out->misses_later / out->later : out->misses_first;
}

void interleave_run(const struct interleave *v, const struct warp_streams *s, int n,
                    struct interleaved *out)
{
    const struct cache_cfg *l1d = &v->cfg->mem.l1d;
    struct walk w = {.v = v,
                     .s = s,
                     .n = n,
                     .ways = l1d->ways,
                     .sets = (uint64_t)(l1d->size / l1d->line / l1d->ways),
                     .mshrs = l1d->mshrs,
                     .queued = (unsigned)(v->cfg->sm.collector.mem_units + v->cfg->sm.collector.issue_mem + v->cfg->sm.collector.exec_mem),
                     .gap = (double)v->cfg->sm.issue_interval / v->cfg->sm.schedulers};
    const bool oldest = strcmp(v->scheduler, "gto") == 0;
    w.line = xcalloc((size_t)w.sets * (size_t)w.ways, sizeof *w.line);
    w.warp = xcalloc((size_t)(n * s->warps), sizeof *w.warp);
    w.place = xcalloc((size_t)n, sizeof *w.place);
    w.back = xcalloc((size_t)w.mshrs, sizeof *w.back);
    w.misses = xcalloc((size_t)s->ctas + 1, sizeof *w.misses);
    for (int p = 0; p < n; p++)
        begin(&w, p);
    for (int i; (i = pick(&w, oldest)) >= 0; w.last = i)
        go_on(&w, &w.warp[i]);
    summary(&w, out);
    free(w.line);
    free(w.warp);
    free(w.place);
    free(w.back);
    free(w.misses);
}
