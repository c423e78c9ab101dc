#include "sampler/profile/memory_use.h"

#include <math.h>
#include <stdlib.h>

#include "base/buckets.h"
#include "base/err.h"
#include "sampler/profile/cta_strata.h"
#include "sampler/profile/reuse.h"
#include "sampler/window/sharing.h"

#define LINE 128

struct watched { /* a CTA */
    uint64_t cta;
    struct reuse *reuse;
    struct line_set lines;
    uint64_t insts, txns, stores, at; /* at: line of the last one */
    uint64_t strides[MEMORY_USE_STRIDES];
};

struct memory_watch {
    struct requests made;
    uint64_t ctas;
    int n;                  /* looked at */
    int nfew;               /* of those, in a glance */
    bool few;               /* ... these alone are */
    uint64_t most_txns;     /* of a CTA; then no more is looked at */
    uint64_t known;         /* CTA of the last step */
    struct watched *one;    /* ... is this one; NULL: not looked at */
    struct watched *of;     /* owned, [n] */
    struct memory_use *use; /* owned, [n]; NULL: not known yet */
};

/* ---- Watching ---- */

static struct cta_strata strata_of(const struct memory_watch *m)
{
    return (struct cta_strata){.width = m->ctas, .n = m->n};
}

/* The k-th of the few: two neighbours from the beginning, the others from the middle. */
static int few_at(const struct memory_watch *m, int k)
{
    return m->n <= m->nfew ? k : k < 2 ? k : m->n / 2 + k - 2;
}

struct memory_watch *memory_watch_new(const struct gpu_cfg *cfg, uint64_t ctas,
                                      const struct watch_params *by)
{
    struct memory_watch *m = xcalloc(1, sizeof *m);
    m->made.cfg = cfg;
    m->ctas = ctas;
    m->known = UINT64_MAX;
    m->n = ctas < (uint64_t)by->ctas ? (int)ctas : by->ctas;
    m->nfew = m->n < by->few ? m->n : by->few;
    m->most_txns = (uint64_t)by->txns;
    m->of = xcalloc((size_t)m->n + 1, sizeof *m->of);
    struct rng draw = rng_seed(1);
    const struct cta_strata grid = strata_of(m);
    for (int i = 0; i < m->n; i++) {
        m->of[i].cta = cta_strata_draw(&grid, i, &draw);
        m->of[i].reuse = reuse_new();
    }
    return m;
}

struct memory_watch *memory_watch_new_few(const struct gpu_cfg *cfg, uint64_t ctas,
                                          const struct watch_params *by)
{
    struct memory_watch *m = memory_watch_new(cfg, ctas, by);
    m->few = true;
    return m;
}

void memory_watch_free(struct memory_watch *m)
{
    for (int i = 0; m && i < m->n; i++) {
        reuse_free(m->of[i].reuse);
        line_set_fini(&m->of[i].lines);
    }
    if (m) {
        free(m->of);
        free(m->use);
    }
    free(m);
}

static int place_of(const struct memory_watch *m, uint64_t cta)
{
    const struct cta_strata grid = strata_of(m);
    return cta_strata_part(&grid, cta);
}

static bool is_few(const struct memory_watch *m, int place)
{
    for (int k = 0; k < m->nfew; k++)
        if (few_at(m, k) == place)
            return true;
    return false;
}

bool memory_watch_follows(const struct memory_watch *m, uint64_t cta)
{
    const int place = place_of(m, cta);
    return m->of[place].cta == cta && (!m->few || is_few(m, place));
}

static void look_for(struct memory_watch *m, uint64_t cta)
{
    m->known = cta;
    m->one = memory_watch_follows(m, cta) ? &m->of[place_of(m, cta)] : NULL;
}

static void add(struct watched *c, addr_t line)
{
    const uint64_t far = line > c->at ? line - c->at : c->at - line;
    uint64_t least = 1;
    for (int k = 0; c->txns && k < MEMORY_USE_STRIDES && far >= least; k++, least *= 8)
        c->strides[k]++;
    reuse_load(c->reuse, line);
    sharing_add(&c->lines, line);
    c->at = line;
    c->txns++;
}

void memory_watch_step(struct memory_watch *m, const struct warp *w, const struct step *st)
{
    if ((uint64_t)w->cta->linear != m->known)
        look_for(m, (uint64_t)w->cta->linear);
    struct watched *c = m->one;
    if (!c || c->txns >= m->most_txns)
        return;
    c->insts++;
    if (!(st->is_load || st->is_store || st->is_atomic))
        return;
    requests_make(&m->made, w, st);
    if (m->made.path == REQUEST_NONE)
        return;
    for (int i = 0; i < m->made.n; i++)
        add(c, m->made.t[i].addr / LINE);
    if (st->is_store || st->is_atomic)
        c->stores += (uint64_t)m->made.n;
}

/* ---- What it says ---- */

static struct memory_use use_of(const struct watched *c, const struct watched *beside)
{
    const double insts = fmax(1, (double)c->insts);
    struct memory_use u = {.all = (double)c->txns / insts, .stores = (double)c->stores / insts};
    double again[BUCKETS] = {0}, size = 1;
    reuse_histogram(c->reuse, again);
    for (int k = 0; k < MEMORY_USE_SIZES; k++, size *= 4)
        u.missed[k] = ((double)reuse_cold(c->reuse) + buckets_from(again, size)) / insts;
    for (int k = 0; k < MEMORY_USE_STRIDES; k++)
        u.strides[k] = (double)c->strides[k] / insts;
    u.own = 1 - sharing_common(&c->lines, &beside->lines);
    return u;
}

static void know(struct memory_watch *m)
{
    if (m->use)
        return;
    m->use = xcalloc((size_t)m->n + 1, sizeof *m->use);
    for (int i = 0; i < m->n; i++)
        m->use[i] = use_of(&m->of[i], &m->of[i ? i - 1 : m->n > 1]);
}

/* The numbers of a use one after the other; each a part of `all` but the first. */
#define NUMBERS (2 + MEMORY_USE_SIZES + MEMORY_USE_STRIDES + 1)
static void numbers(const struct memory_use *u, double out[NUMBERS])
{
    int n = 0;
    out[n++] = u->all;
    out[n++] = u->stores;
    for (int k = 0; k < MEMORY_USE_SIZES; k++)
        out[n++] = u->missed[k];
    for (int k = 0; k < MEMORY_USE_STRIDES; k++)
        out[n++] = u->strides[k];
    out[n++] = u->own * u->missed[MEMORY_USE_SIZES - 1];
}

static struct memory_use mean_of(const struct memory_use *u, int n)
{
    struct memory_use sum = {0};
    for (int i = 0; i < n; i++) {
        sum.all += u[i].all / n;
        sum.stores += u[i].stores / n;
        for (int k = 0; k < MEMORY_USE_SIZES; k++)
            sum.missed[k] += u[i].missed[k] / n;
        for (int k = 0; k < MEMORY_USE_STRIDES; k++)
            sum.strides[k] += u[i].strides[k] / n;
        sum.own += u[i].own / n;
    }
    return sum;
}

struct memory_use memory_watch_mean(struct memory_watch *m)
{
    know(m);
    return mean_of(m->use, m->n);
}

struct memory_use memory_watch_few_mean(const struct memory_watch *m)
{
    struct memory_use use[MEMORY_USE_FEW];
    const int n = m->nfew;
    for (int k = 0; k < n; k++)
        use[k] = use_of(&m->of[few_at(m, k)], &m->of[few_at(m, (k ^ 1) < n ? k ^ 1 : 0)]);
    return mean_of(use, n);
}

double memory_use_difference(const struct memory_use *a, const struct memory_use *b,
                             const struct similarity_params *by)
{
    double x[NUMBERS], y[NUMBERS], most = 0;
    numbers(a, x);
    numbers(b, y);
    for (int i = 0; i < NUMBERS; i++)
        most = fmax(most, fabs(x[i] - y[i]));
    return most / fmax(by->few, fmax(a->all, b->all));
}

bool memory_use_similar(const struct memory_use *a, const struct memory_use *b,
                        const struct similarity_params *by)
{
    return memory_use_difference(a, b, by) <= by->use;
}

/* ---- Parts ---- */

/* Mean distance of CTAs from..to from their mean, x its standard error's 1 / sqrt(CTAs). */
static double unsure(const struct memory_use *u, int n, const struct similarity_params *by)
{
    const struct memory_use mean = mean_of(u, n);
    double squares = 0;
    for (int i = 0; i < n; i++) {
        const double d = memory_use_difference(&u[i], &mean, by);
        squares += d * d;
    }
    return sqrt(squares / n / n);
}

/* How unlike CTAs from..at - 1 and at..to - 1 are; 0: no more than chance makes CTAs. */
static double change_at(const struct memory_watch *m, int from, int at, int to,
                        const struct similarity_params *by)
{
    const struct memory_use a = mean_of(m->use + from, at - from),
                            b = mean_of(m->use + at, to - at);
    const double d = memory_use_difference(&a, &b, by);
    const double noise =
        hypot(unsure(m->use + from, at - from, by), unsure(m->use + at, to - at, by));
    return d > by->use && d > by->errors * noise ? d : 0;
}

bool memory_watch_uneven(struct memory_watch *m, const struct similarity_params *by)
{
    if (!m)
        return false;
    know(m);
    for (int part = by->first_from; part >= by->first_to; part /= 2)
        if (m->n >= part && change_at(m, 0, m->n / part, m->n, by) > 0)
            return true;
    return false;
}
