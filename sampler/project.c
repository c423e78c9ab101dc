#include "sampler/project.h"

#include <math.h>

#include "base/cpu_time.h"
#include "base/pool.h"
#include "sampler/deal.h"
#include "sampler/replayed.h"
#include "sim/func/run.h"
#include "sim/gpu/gpu.h"

#define ROUNDS       3         /* CTAs replayed, x n; all of a core's if they are hardly more */
#define ROUNDS_MOST  8         /* ... where they are short: */
#define ROUNDS_INSTS (1 << 15) /* warp instructions of a lead */
#define WARM         2         /* of a launch before, x n */
#define MOST_INSTS   (1 << 21) /* warp instructions of a lead, unless n CTAs have more */
#define WHOLE_INSTS  (1 << 21) /* warp instructions of a launch that is replayed whole */
#define ALL_INSTS    (1 << 22) /* ... that are recorded, if every core is a lead */

bool project_whole(double warp_insts)
{
    return warp_insts <= WHOLE_INSTS;
}

/* How much longer CTAs are than what is recorded of them. */
static double cut(const struct trace *t)
{
    return t->insts ? (double)(t->insts + t->dropped) / (double)t->insts : 1;
}

void project_uncut(const struct trace *t, struct replay_result *r)
{
    const double more = cut(t);
    r->cycles *= more;
    r->wave *= more;
    r->cta_cycles *= more;
    r->dram_reads_first *= more;
    r->dram_reads_later *= more;
}

/* Of n CTAs of so many instructions each. */
static int rounds(double each, int n)
{
    return (int)fmax(ROUNDS, fmin(ROUNDS_MOST, ROUNDS_INSTS / fmax(1, each * n)));
}

/* How many of a lead's traced CTAs are enough with n at once. */
static int enough(const struct trace *t, int n)
{
    const double each = (double)t->insts / fmax(1, t->ctas * t->leads);
    const int most = rounds(each, n);
    int ctas = t->ctas <= (most + 1) * n + 1 ? t->ctas : most * n;
    if (ctas * each > MOST_INSTS)
        ctas = (int)fmax(n, MOST_INSTS / each);
    return ctas < t->ctas ? ctas : t->ctas;
}

/* With n at once all CTAs are replayed; they are with more then, too. */
static bool is_whole(const struct trace *t, int n)
{
    bool whole = t->whole;
    for (int m = 1; m <= n && t->leads == (int)t->stride && t->first == 0; m++)
        whole |= (uint64_t)enough(t, m) * t->stride >= t->all;
    return whole;
}

/* How many of a lead's traced CTAs are replayed with n at once. */
static int how_many(const struct trace *t, int n)
{
    return is_whole(t, n) ? t->ctas : enough(t, n);
}

/* With n at once each launch finds room for all of its CTAs: they are dealt round. */
static bool fits_at_once(const struct projection *p, int n)
{
    bool fits = true;
    for (int i = 0; i < p->traces; i++)
        fits &= p->trace[i]->all <= (uint64_t)n * p->trace[i]->stride;
    return fits;
}

/* d: takes note of what is looked at; NULL: none does. */
static void replay(struct projection *p, const struct replay_opts *o, int ctas, struct deal *d,
                   struct replay_result *out)
{
    struct replay_opts with = *o;
    const struct trace *of = p->trace[p->traces - 1];
    with.leads = of->leads;
    with.whole = !o->alone && is_whole(of, o->n);
    with.most = o->n == of->fits;
    with.first = (int)((p->trace[0]->stride - p->trace[0]->own) % p->trace[0]->stride);
    const int codes = p->code ? p->code->kernels : 0;
    struct replay *r = replay_new(p->cfg, &with);
    for (int i = 0; i < codes; i++)
        for (int k = 0; k < p->trace[0]->leads; k++)
            if (code_seen_by(p->code, i, p->trace[0], p->core, k))
                replay_set_code(r, k, p->code->kernel[i]);
    for (int i = 0; i < p->traces; i++) {
        const bool last = i == p->traces - 1;
        if (last && p->l1)
            replay_set_l1(r, &p->l1[fits_at_once(p, o->n) ? L1_ROUND : L1_ANYWHERE], p->core);
        if (last && p->l2)
            replay_set_l2(r, p->l2);
        for (int k = 0; last && k < codes; k++)
            replay_set_l2_code(r, p->code->kernel[k]);
        replay_run(r, p->trace[i], last ? ctas : WARM * o->n, out);
        p->insts += out->insts;
    }
    if (d && !with.whole)
        deal_replayed(d, o->n, r, out->bus);
    replay_free(r);
    project_uncut(of, out);
}

/* The launch that is looked at, with cold caches. */
static struct projection alone(const struct projection *p)
{
    return (struct projection){.cfg = p->cfg, .trace = &p->trace[p->traces - 1], .traces = 1};
}

void project_alone(struct projection *p, struct sample *d)
{
    const double start = cpu_seconds();
    const struct replay_opts o = {.n = 1, .alone = true};
    struct projection cold = alone(p);
    struct replay_result r;
    replay(&cold, &o, 1, NULL, &r);
    p->insts += cold.insts;
    d->replay_alone = r.cta_cycles;
    p->seconds += cpu_seconds() - start;
}

/* Transactions of a CTA of the launch, mean over the first n of each core, or over the later ones;
 * x that of the replayed ones: what their DRAM reads have to be multiplied by. 1: not known. */
static double like_replayed(const struct trace *t, int n, int ctas, bool later)
{
    if (t->whole)
        return 1;
    const uint64_t round = (uint64_t)n * t->stride, end = later || round > t->all ? t->all : round;
    double all = 0, replayed = 0, of = 0;
    for (uint64_t i = later ? round : 0; t->work && i < end; i++)
        all += (double)t->work[i].txns / (double)(later ? t->all - round : end);
    for (int k = 0; t->work && k < t->leads; k++) {
        const int there = trace_lead_ctas(t, k), most = later ? ctas : n;
        for (int i = later ? n : 0; i < most && i < there; i++, of++)
            replayed += (double)t->work[trace_cta(t, k, i)].txns;
    }
    return all > 0 && replayed > 0 ? all * of / replayed : 1;
}

struct degrees {
    struct projection at[SAMPLE_DEGREES]; /* each with its own cost */
    struct deal *deal;
    struct sample *d;
};

/* A pool_job: degree i + 1. */
static bool at_degree(void *user, int i, struct err *e)
{
    (void)e;
    struct degrees *s = user;
    struct projection *p = &s->at[i];
    struct sample *d = s->d;
    const double start = cpu_seconds();
    const struct trace *t = p->trace[p->traces - 1];
    const struct replay_opts o = {.n = i + 1};
    const int ctas = how_many(t, o.n);
    struct replay_result r;
    replay(p, &o, ctas, s->deal, &r);
    struct replayed one = {0};
    replayed_add(&one, &r);
    replayed_fill(&one, o.n, d);
    d->replay_reads_first[i] *= like_replayed(t, o.n, ctas, false);
    d->replay_reads_later[i] *= like_replayed(t, o.n, ctas, r.ctas > r.first_ctas);
    p->seconds = cpu_seconds() - start;
    return true;
}

/* CTAs of the launch, x those that a whole replay has: more where recording came to its bound. */
static double more_ctas(const struct trace *t)
{
    return fmax(1, (double)t->all / fmax(1, (double)t->ctas * (double)t->stride));
}

/* All degrees were replayed: what the launch takes. even: its cycles at all degrees stand in
 * replay_launch. */
static double launch_cycles(const struct deal *deal, const struct sample *d, int n, bool even)
{
    const struct trace *t = deal->t;
    if (!is_whole(t, n))
        return cut(t) * deal_launch(deal, n, even);
    return even ? replayed_even(d->replay_launch, n, deal->n_max)
                : more_ctas(t) * d->replay_cycles[n - 1];
}

/* ... and a mean launch of the group. */
static void fill_launch(const struct projection *p, struct deal *deal, struct sample *d)
{
    const double of = (double)deal->t->all_work.insts;
    const double like = p->launch_insts > 0 && of > 0 ? p->launch_insts / of : 1;
    deal_weigh(deal);
    for (int n = 1; n <= deal->n_max; n++)
        d->replay_launch[n - 1] = launch_cycles(deal, d, n, false);
    for (int n = 1; n <= deal->n_max; n++)
        d->replay_launch_even[n - 1] = like * launch_cycles(deal, d, n, true);
    for (int n = 1; n <= deal->n_max; n++)
        d->replay_launch[n - 1] *= like;
}

void project(struct projection *p, struct sample *d)
{
    project_alone(p, d);
    const int n_max = (int)fmin(d->n_max, SAMPLE_DEGREES);
    struct deal deal;
    struct degrees s = {.deal = &deal, .d = d};
    deal_init(&deal, p->trace[p->traces - 1], n_max);
    for (int i = 0; i < n_max; i++) {
        s.at[i] = *p;
        s.at[i].insts = 0;
    }
    pool_run(p->jobs > 1 ? p->jobs : 1, n_max, at_degree, &s, &(struct err){""});
    const double start = cpu_seconds();
    for (int i = 0; i < n_max; i++) {
        p->insts += s.at[i].insts;
        p->seconds += s.at[i].seconds;
    }
    fill_launch(p, &deal, d);
    deal_fini(&deal);
    p->seconds += cpu_seconds() - start;
}

/* Of a launch and those that warm up its caches: all cores, if their CTAs are not too long. */
static int leads_for(const struct gpu_cfg *cfg, const struct project_extent *x)
{
    double ctas = 0;
    for (int n = 1; n <= cfg->sm.max_ctas; n++)
        ctas = fmax(ctas, n * (rounds(x->pick_cta_insts, n) + 1.0));
    const double insts = fmin(ctas * x->pick_cta_insts * cfg->top.cores, x->pick_insts);
    return x->whole || insts <= ALL_INSTS ? cfg->top.cores : TRACE_LEADS(cfg->top.cores);
}

void project_trace(struct trace *t, const struct gpu_cfg *cfg, const struct launch *l,
                   struct project_extent x)
{
    const uint64_t to = x.to ? x.to : launch_ctas(l), all = to - x.from;
    const uint64_t cores = (uint64_t)cfg->top.cores;
    const uint64_t there = x.first < all ? (all - x.first + cores - 1) / cores : 0;
    const int n_max = gpu_occupancy(cfg, l, NULL);
    const int leads = leads_for(cfg, &x);
    int want = 0;
    for (int n = 1; n <= n_max; n++) {
        const int ctas = n * (x.last ? WARM : rounds(x.cta_insts, n) + 1);
        want = ctas > want ? ctas : want;
    }
    if (x.whole && !x.last)
        want = (int)((all + cores - 1) / cores);
    const uint64_t spare = there > (uint64_t)want ? there - (uint64_t)want : 0;
    trace_init_part(t, cfg, l, x.from, to, x.first + (x.last ? spare : spare / 2) * cores, want,
                    leads);
    t->whole = x.whole;
    t->fits = n_max;
}

bool project_launch(struct projection *p, struct launch *l, double cta_insts,
                    uint64_t max_warp_insts, uint64_t *executed, struct sample *d, struct err *e)
{
    struct tracing x = {.made.cfg = p->cfg};
    const struct trace *const one[] = {&x.t};
    struct func_opts fo = {.max_warp_insts = max_warp_insts,
                           .resident = gpu_occupancy(p->cfg, l, NULL) * p->cfg->top.cores,
                           .on_step = tracing_step,
                           .user = &x};
    struct func_counts c = {0};
    const double insts = cta_insts * (double)launch_ctas(l);
    project_trace(&x.t, p->cfg, l,
                  (struct project_extent){.cta_insts = cta_insts,
                                          .pick_cta_insts = cta_insts,
                                          .pick_insts = insts,
                                          .whole = project_whole(insts)});
    const bool ok = func_run(l, &fo, &c, e);
    *executed += c.warp_insts;
    struct projection cold = {.cfg = p->cfg, .trace = one, .traces = 1};
    if (ok)
        project(&cold, d);
    p->insts += cold.insts;
    p->seconds += cold.seconds;
    trace_fini(&x.t);
    return ok;
}
