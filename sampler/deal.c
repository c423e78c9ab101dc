#include "sampler/deal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/rng.h"

#define DRAWS   8
#define WEIGHTS 8    /* that are tried, beside 0 */
#define PRIOR   0.02 /* misfit for which the weight may lie 1 off what DRAM's buses say */
#define DEALT   16   /* of CTAs dealt one by one; all that are left go before them, evenly */

void deal_init(struct deal *d, const struct trace *t, int n_max)
{
    *d = (struct deal){.t = t, .n_max = n_max};
    d->degree = xcalloc((size_t)n_max + 1, sizeof *d->degree);
}

void deal_fini(struct deal *d)
{
    for (int n = 0; n <= d->n_max; n++) {
        free(d->degree[n].ctas);
        free(d->degree[n].lead);
        free(d->degree[n].cta);
    }
    free(d->degree);
}

void deal_replayed(struct deal *d, int n, const struct replay *r, double bus)
{
    struct deal_degree *g = &d->degree[n];
    g->bus = bus;
    const int leads = (int)d->t->stride;
    g->room = d->t->ctas;
    g->ctas = xcalloc((size_t)leads, sizeof *g->ctas);
    g->lead = xcalloc((size_t)leads, sizeof *g->lead);
    g->cta = xcalloc((size_t)leads * (size_t)g->room, sizeof *g->cta);
    for (int i = 0; i < leads; i++) {
        int ctas;
        const struct replay_cta *of = replay_ctas(r, i, &ctas);
        if (ctas == 0)
            continue;
        memcpy(g->cta + g->leads * g->room, of, (size_t)ctas * sizeof *of);
        g->lead[g->leads] = i;
        g->ctas[g->leads++] = ctas;
    }
}

/* ---- What the replays say ---- */

static int first_round(const struct deal_degree *g, int lead, int n)
{
    return g->ctas[lead] < n ? g->ctas[lead] : n;
}

static double stay_of(const struct deal_degree *g, int lead, int i)
{
    const struct replay_cta *c = &g->cta[lead * g->room + i];
    return c->end - c->start;
}

/* Of a CTA, x the launch's mean. */
static double work_of(const struct deal *d, const struct deal_degree *g, uint64_t cta)
{
    const struct cta_work all = d->t->all_work;
    if (!d->t->work || d->t->work[cta].insts == 0)
        return 1;
    const double n = (double)d->t->all,
                 insts = n * (double)d->t->work[cta].insts / (double)all.insts;
    const double txns = all.txns ? n * (double)d->t->work[cta].txns / (double)all.txns : insts;
    return insts + g->memory * (txns - insts);
}

static double work_on(const struct deal *d, const struct deal_degree *g, int lead, int i)
{
    return work_of(d, g, trace_cta(d->t, g->lead[lead], i));
}

/* For mean work: of the CTAs that find the core empty, and caches cold; of leads that get n, or
 * else the most. */
static double first_stay(const struct deal *d, int n)
{
    const struct deal_degree *g = &d->degree[n];
    double sum = 0, work = 0;
    int most = 0;
    for (int k = 0; k < g->leads; k++)
        most = first_round(g, k, n) > most ? first_round(g, k, n) : most;
    for (int k = 0; k < g->leads; k++)
        for (int i = 0; i < most && first_round(g, k, n) == most; i++) {
            sum += stay_of(g, k, i);
            work += work_on(d, g, k, i);
        }
    return work > 0 ? sum / work : 0;
}

/* The first CTA of those whose stays tell what goes on for long. */
static int settled(int ctas, int n)
{
    return ctas < 3 * n ? ctas : ctas / 3 > n ? ctas / 3 : n;
}

/* For mean work: of CTAs after which n more start, whose starts are their ends: none of them runs
 * beside fewer than n. 0: there are none. */
static double settled_stay(const struct deal *d, int n)
{
    const struct deal_degree *g = &d->degree[n];
    double sum = 0, work = 0;
    for (int k = 0; k < g->leads; k++)
        for (int i = settled(g->ctas[k], n); i < g->ctas[k] - n; i++) {
            sum += g->cta[k * g->room + i + n].start - g->cta[k * g->room + i].start;
            work += work_on(d, g, k, i);
        }
    return work > 0 ? sum / work : 0;
}

/* With each number at once on a core, caches warm. Where too few were replayed, the first ones'
 * less what cold caches cost at a smaller degree. */
static double *stays(const struct deal *d, bool even)
{
    double *stay = xcalloc((size_t)d->n_max + 2, sizeof *stay), cold = 1;
    for (int n = 1; n <= d->n_max; n++) {
        const double first = first_stay(d, n);
        stay[n] = settled_stay(d, n);
        if (stay[n] > 0)
            cold = first / stay[n];
        else
            stay[n] = first / cold;
    }
    const int most = d->n_max < d->t->ctas ? d->n_max : d->t->ctas; /* that a core gets */
    double below = stay[1];
    for (int n = 2; even && n <= most; n++) {
        const double here = stay[n] / n;
        const double above = n < most && stay[n + 1] > 0 ? stay[n + 1] / (n + 1) : here;
        stay[n] = n * sqrt(here * sqrt(below * above));
        below = here;
    }
    return stay;
}

/* How far the stays for a unit of work lie from their mean, squared: of the CTAs of one degree that
 * find the core empty, or of the later ones. */
static double misfit(const struct deal *d, int n, bool later)
{
    const struct deal_degree *g = &d->degree[n];
    double sum = 0, squares = 0, ctas = 0;
    for (int k = 0; k < g->leads; k++) {
        const int first = first_round(g, k, n);
        for (int i = later ? first : 0; i < (later ? g->ctas[k] : first); i++, ctas++) {
            const double x = stay_of(g, k, i) / work_on(d, g, k, i);
            sum += x;
            squares += x * x;
        }
    }
    return sum > 0 ? squares * ctas / (sum * sum) - 1 : 0;
}

/* A launch that waits for DRAM takes as long as its transactions; other CTAs than those replayed
 * may have more of them for an instruction. */
static void weigh(struct deal *d, int n)
{
    struct deal_degree *g = &d->degree[n];
    double best = 0, least = INFINITY;
    for (int i = 0; i <= WEIGHTS; i++) {
        g->memory = (double)i / WEIGHTS;
        const double off = g->memory - g->bus;
        const double all = misfit(d, n, false) + misfit(d, n, true) + PRIOR * off * off;
        if (all < least) {
            least = all;
            best = g->memory;
        }
    }
    g->memory = best;
}

void deal_weigh(struct deal *d)
{
    for (int n = 1; n <= d->n_max; n++)
        weigh(d, n);
}

/* How the stays of a lead's CTAs from..to scatter, apart from their work: factors of mean 1.
 * Returns the mean stay for mean work. */
static double scatter(const struct deal *d, const struct deal_degree *g, int lead, int from, int to,
                      double *out)
{
    double sum = 0;
    for (int i = from; i < to; i++) {
        out[i - from] = stay_of(g, lead, i) / work_on(d, g, lead, i);
        sum += out[i - from];
    }
    for (int i = from; i < to; i++)
        out[i - from] *= (to - from) / sum;
    return sum / (to - from);
}

/* Relative standard deviation; 0 of one. */
static double deviation(const double *v, int n)
{
    double sum = 0, squares = 0;
    for (int i = 0; i < n; i++)
        sum += v[i];
    for (int i = 0; i < n; i++)
        squares += (v[i] - sum / n) * (v[i] - sum / n);
    return n > 1 ? sqrt(squares / (n - 1)) * n / sum : 0;
}

/* ---- The cores ---- */

struct core {
    double at;   /* up to here `left` is known */
    double next; /* when the first of its CTAs ends */
    int first;   /* which one */
    int ctas;
    double *left; /* of each CTA's work */
};

struct dealing {  /* all cores, and what they are dealt */
    int cores, n; /* n: CTAs at once */
    const struct deal *d;
    const struct deal_degree *g;
    const double *stay;
    double cold;    /* what the first CTAs on a core take more */
    double *factor; /* [leads * room]: how a lead's CTAs scatter; 1 of the last ones */
    int *later;     /* [leads]: how many */
    double apart;   /* relative standard deviation between cores' first CTAs */
    struct core *core;
    double *lefts;    /* of the cores' CTAs */
    uint64_t skipped; /* CTAs that are not dealt one by one, behind those that begin */
};

static void plan(const struct dealing *s, struct core *c)
{
    c->first = 0;
    for (int i = 1; i < c->ctas; i++)
        if (c->left[i] < c->left[c->first])
            c->first = i;
    c->next = c->ctas ? c->at + c->left[c->first] * s->stay[c->ctas] : INFINITY;
}

static void go_on(const struct dealing *s, struct core *c, double t)
{
    const double done = (t - c->at) / s->stay[c->ctas];
    for (int i = 0; i < c->ctas; i++)
        c->left[i] -= done;
    c->at = t;
}

/* The CTA that ends first has left. */
static void first_ends(const struct dealing *s, struct core *c)
{
    plan(s, c);
    go_on(s, c, c->next);
    c->left[c->first] = c->left[--c->ctas];
}

static struct core *first_to_end(const struct dealing *s)
{
    struct core *first = s->core;
    for (int i = 1; i < s->cores; i++)
        if (s->core[i].next < first->next)
            first = &s->core[i];
    return first;
}

/* Nearly normal, mean 0, deviation 1: exact arithmetic, and so the same bits everywhere. */
static double drawn(struct rng *r)
{
    const double sum = rng_unit(r) + rng_unit(r) + rng_unit(r) + rng_unit(r);
    return (sum - 2) * sqrt(3);
}

/* Its own CTAs, if it had any; else the first one's. */
static int lead_of(const struct dealing *s, int core)
{
    const struct trace *t = s->d->t;
    const int number = (int)(((uint64_t)core + t->stride - t->own) % t->stride);
    for (int k = 0; k < s->g->leads; k++)
        if (s->g->lead[k] == number)
            return k;
    return 0;
}

/* Cores are empty; they get one CTA each in turn, n at most. */
static uint64_t fill(struct dealing *s, uint64_t ctas, struct rng *draw)
{
    uint64_t next = 0;
    for (int i = 0; i < s->cores; i++)
        s->core[i] = (struct core){.left = s->lefts + i * s->n};
    for (int k = 0; k < s->n; k++)
        for (int i = 0; i < s->cores && next < ctas; i++) {
            const int lead = lead_of(s, i);
            const double as =
                k < first_round(s->g, lead, s->n) ? s->factor[lead * s->g->room + k] : 1;
            s->core[i].left[s->core[i].ctas++] = s->cold * as * work_of(s->d, s->g, next++);
        }
    for (int i = 0; i < s->cores; i++) {
        const double slow = 1 + s->apart * drawn(draw);
        for (int k = 0; k < s->core[i].ctas; k++)
            s->core[i].left[k] *= slow;
        plan(s, &s->core[i]);
    }
    return next;
}

static double later_work(const struct dealing *s, const struct core *c, uint64_t cta,
                         struct rng *draw)
{
    const int lead = lead_of(s, (int)(c - s->core));
    double as = 1;
    if (s->later[lead])
        as = s->factor[lead * s->g->room + s->n + (int)rng_below(draw, (uint64_t)s->later[lead])];
    return work_of(s->d, s->g, cta) * as * (1 + DEAL_APART * drawn(draw));
}

/* Until the last CTA ends. */
static double deal_out(struct dealing *s, uint64_t seed)
{
    struct rng draw = rng_seed(seed);
    const uint64_t all = s->d->t->all;
    double end = 0;
    uint64_t next = fill(s, all, &draw) + s->skipped;
    for (struct core *c; (c = first_to_end(s))->next < INFINITY; plan(s, c)) {
        end = c->next;
        go_on(s, c, end);
        if (next < all)
            c->left[c->first] = later_work(s, c, next++, &draw);
        else
            c->left[c->first] = c->left[--c->ctas];
    }
    return end;
}

/* Of a long launch: what the CTAs take that are not dealt one by one. */
static double skip(struct dealing *s)
{
    const uint64_t all = s->d->t->all, round = (uint64_t)s->cores * (uint64_t)s->n;
    double work = 0;
    if (all > (DEALT + 1) * round)
        s->skipped = (all / round - DEALT) * round;
    for (uint64_t i = 0; i < s->skipped; i++)
        work += work_of(s->d, s->g, round + i);
    return work * s->stay[s->n] / (double)round;
}

/* A lead's CTAs, as they were replayed: the core gets no others. */
static double deal_lead(struct dealing *s, int lead)
{
    struct core *c = s->core;
    const int all = s->g->ctas[lead], first = first_round(s->g, lead, s->n);
    const double *factor = s->factor + lead * s->g->room;
    *c = (struct core){.left = s->lefts};
    for (int i = 0; i < all; i++) {
        if (c->ctas == s->n)
            first_ends(s, c);
        c->left[c->ctas++] = work_on(s->d, s->g, lead, i) * (i < first ? s->cold : 1) * factor[i];
    }
    while (c->ctas)
        first_ends(s, c);
    return c->at;
}

static void scatter_all(struct dealing *s)
{
    const struct deal_degree *g = s->g;
    s->factor = xcalloc((size_t)(g->leads * g->room), sizeof *s->factor);
    for (int i = 0; i < g->leads * g->room; i++)
        s->factor[i] = 1;
    s->later = xcalloc((size_t)g->leads, sizeof *s->later);
    double *mean = xcalloc((size_t)g->leads, sizeof *mean);
    for (int k = 0; k < g->leads; k++) {
        double *to = s->factor + k * g->room;
        const int first = first_round(g, k, s->n);
        mean[k] = scatter(s->d, g, k, 0, first, to) / s->stay[first];
        if (g->ctas[k] > 2 * s->n) {
            scatter(s->d, g, k, s->n, g->ctas[k] - s->n, to + s->n);
            s->later[k] = g->ctas[k] - 2 * s->n;
        }
    }
    s->apart = fmin(DEAL_APART_MOST, DEAL_APART + deviation(mean, g->leads));
    free(mean);
}

/* What the replay took, x what dealing its CTAs says. */
static double correction(struct dealing *s, double stay)
{
    double replayed = 0, dealt = 0;
    s->cold = first_stay(s->d, s->n) / stay;
    for (int k = 0; k < s->g->leads; k++) {
        double end = 0;
        for (int i = 0; i < s->g->ctas[k]; i++)
            end = fmax(end, s->g->cta[k * s->g->room + i].end);
        replayed += end;
        dealt += deal_lead(s, k);
    }
    return replayed / dealt;
}

double deal_launch(const struct deal *d, int n, bool even)
{
    struct dealing s = {.cores = (int)d->t->stride, .n = n, .d = d, .g = &d->degree[n]};
    if (s.g->leads == 0)
        return 0;
    double *own = stays(d, false), *with = stays(d, even), cycles = 0;
    s.core = xcalloc((size_t)s.cores, sizeof *s.core);
    s.lefts = xcalloc((size_t)(s.cores * n), sizeof *s.lefts);
    s.stay = own;
    scatter_all(&s);
    const double corrected = correction(&s, own[n]);
    s.stay = with;
    const double skipped = skip(&s);
    for (int i = 0; i < DRAWS; i++)
        cycles += (deal_out(&s, (uint64_t)i + 1) + skipped) / DRAWS;
    free(s.core);
    free(s.lefts);
    free(s.factor);
    free(s.later);
    free(own);
    free(with);
    return cycles * corrected;
}
