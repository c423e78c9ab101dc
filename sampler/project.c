#include "sampler/project.h"

#include <math.h>
#include <string.h>

#include "base/cpu_time.h"
#include "base/pool.h"
#include "sampler/deal.h"
#include "sampler/replayed.h"
#include "sim/func/run.h"
#include "sim/gpu/gpu.h"

/* CTAs replayed, x n; all of a core's if they are hardly more. */
#define ROUNDS       3
#define ROUNDS_MOST  8         /* ... where a core's are short: */
#define ROUNDS_INSTS (1 << 15) /* warp instructions */
#define ROUNDS_LEAST 2         /* ... where they are long */
/* Warp instructions of all these, or of each core's where there are more than 32; CTAs that are
 * longer are cut. What CTAs would ask for behind the cut puts nothing out of an L2: half of these
 * bounds had sgemm:medium read a tenth of what it does on park2015. */
#define MOST_INSTS (1 << 23)
#define CORE_INSTS (MOST_INSTS / 32)

#define WHOLE_INSTS (1 << 21) /* warp instructions of a launch that is replayed whole */
/* ... of which all CTAs are traced, and that is replayed whole where it is fastest. */
#define TRACED_INSTS (MOST_INSTS + MOST_INSTS / 4)
#define NEAR         1.1 /* x its cycles there: degrees that take less are replayed whole, too */
/* ... and again, perturbed, up to so many times, as long as that is no more than MOST_INSTS. */
#define REPEATS 3

bool project_whole(double warp_insts)
{
    return warp_insts <= WHOLE_INSTS;
}

/* CTAs. */
static double traced(const struct trace *t)
{
    double ctas = 0;
    for (int k = 0; k < (int)t->stride; k++)
        ctas += trace_core_ctas(t, k);
    return fmax(1, ctas);
}

/* How much longer CTAs are than what is recorded of them. */
static double cut(const struct trace *t)
{
    return t->insts ? (double)(t->insts + t->dropped) / (double)t->insts : 1;
}

/* DRAM reads of so many CTAs. Those that execution has of what is recorded become those that it has
 * of the whole CTAs; what a replay reads beyond, since CTAs take cache from each other, goes with
 * the transactions. */
static double uncut_reads(const struct trace *t, double reads, double ctas)
{
    const double all = traced(t), dropped = (double)t->dropped_misses * ctas / all;
    const double executed = (double)t->misses * ctas / all, once = fmin(reads, executed);
    const double more = t->reads ? (double)t->dropped_reads / (double)t->reads : 0;
    return reads + dropped * (executed > 0 ? once / executed : 1) + (reads - once) * more;
}

void project_uncut(const struct trace *t, struct replay_result *r)
{
    const double more = cut(t);
    r->cycles *= more;
    r->wave *= more;
    r->cta_cycles *= more;
    r->dram_reads_first = uncut_reads(t, r->dram_reads_first, (double)r->first_ctas);
    r->dram_reads_later = uncut_reads(t, r->dram_reads_later, (double)(r->ctas - r->first_ctas));
}

/* Of n CTAs of so many instructions each. */
static int rounds(double each, int n)
{
    return (int)fmax(ROUNDS, fmin(ROUNDS_MOST, ROUNDS_INSTS / fmax(1, each * n)));
}

/* Warp instructions of a core's CTAs with n at once, unless ROUNDS_LEAST rounds have more. */
static double most_insts(uint64_t cores)
{
    return fmax(CORE_INSTS, (double)MOST_INSTS / (double)cores);
}

/* How many of a core's CTAs are enough with n at once, of so many instructions each. */
static int enough_of(double each, int n, uint64_t there, uint64_t cores)
{
    const int most = rounds(each, n);
    double ctas = (double)there <= (most + 1) * n + 1 ? (double)there : most * n;
    if (ctas * each > most_insts(cores))
        ctas = fmax(ROUNDS_LEAST * n, floor(most_insts(cores) / each));
    return (int)fmin(ctas, (double)there);
}

/* ... of those that are traced. */
static int enough(const struct trace *t, int n)
{
    const double each = (double)t->insts / fmax(1, (double)t->ctas * (double)t->stride);
    return enough_of(each, n, (uint64_t)t->ctas, t->stride);
}

/* With n at once all CTAs are replayed; they are with more then, too. */
static bool is_whole(const struct trace *t, int n)
{
    bool whole = t->whole;
    for (int m = 1; m <= n && t->first == 0; m++)
        whole |= (uint64_t)enough(t, m) * t->stride >= t->all;
    return whole;
}

/* With n at once each launch finds room for all of its CTAs: they are dealt round. */
static bool fits_at_once(const struct projection *p, int n)
{
    return p->most_ctas <= (uint64_t)n * p->trace->stride;
}

static void set_caches(const struct projection *p, int n, struct replay *r)
{
    const int state = fits_at_once(p, n) ? L1_ROUND : L1_ANYWHERE;
    const struct code_seen *code = p->code ? &p->code[state] : NULL;
    const int codes = code ? code->kernels : 0, cores = p->cfg->top.cores;
    for (int i = 0; i < codes; i++)
        for (int k = 0; k < cores; k++)
            if (code_seen_by(code, i, p->core, k))
                replay_set_code(r, k, code->kernel[i]);
    if (p->l1)
        replay_set_l1(r, &p->l1[state], p->core);
    if (p->l2)
        replay_set_l2(r, p->l2);
    for (int i = 0; i < codes; i++)
        replay_set_l2_code(r, code->kernel[i]);
}

/* cfg: p's, or that perturbed; d: takes note, unless all CTAs are replayed; NULL: none does. */
static void replay(struct projection *p, const struct gpu_cfg *cfg, const struct replay_opts *o,
                   int ctas, struct deal *d, struct replay_result *out)
{
    struct replay_opts with = *o;
    const struct trace *t = p->trace;
    with.first = (int)((t->stride - t->own) % t->stride);
    struct replay *r = replay_new(cfg, &with);
    if (!o->alone)
        set_caches(p, o->n, r);
    replay_run(r, t, ctas, out);
    p->insts += out->insts;
    if (d && !with.whole)
        deal_replayed(d, o->n, r, out->bus);
    replay_free(r);
    project_uncut(t, out);
}

void project_alone(struct projection *p, struct sample *d)
{
    const double start = cpu_seconds();
    const struct replay_opts o = {.n = 1, .alone = true};
    struct replay_result r;
    replay(p, p->cfg, &o, 1, NULL, &r);
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
    for (int k = 0; t->work && k < (int)t->stride; k++) {
        const int there = trace_core_ctas(t, k), most = later ? ctas : n;
        for (int i = later ? n : 0; i < most && i < there; i++, of++)
            replayed += (double)t->work[trace_cta(t, k, i)].txns;
    }
    return all > 0 && replayed > 0 ? all * of / replayed : 1;
}

/* With n at once, all CTAs or as many as are enough, added to sum, whose means d gets: the first
 * replay as the GPU is, later ones perturbed. Returns cycles. */
static double replay_degree(struct projection *p, int n, bool whole, struct deal *deal,
                            struct replayed *sum, struct sample *d)
{
    const struct trace *t = p->trace;
    const struct replay_opts o = {.n = n, .whole = whole};
    const int ctas = whole ? t->ctas : enough(t, n);
    struct gpu_cfg cfg = *p->cfg;
    struct replay_result r;
    gpu_cfg_perturb(&cfg, gpu_cfg_perturbation(&cfg, (int)sum->launches));
    replay(p, &cfg, &o, ctas, deal, &r);
    replayed_add(sum, &r);
    replayed_fill(sum, n, d);
    d->replay_reads_first[n - 1] *= like_replayed(t, n, ctas, false);
    d->replay_reads_later[n - 1] *= like_replayed(t, n, ctas, r.ctas > r.first_ctas);
    return r.cycles;
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
    const double start = cpu_seconds();
    struct replayed one = {0};
    replay_degree(p, i + 1, is_whole(p->trace, i + 1), s->deal, &one, s->d);
    p->seconds = cpu_seconds() - start;
    return true;
}

/* CTAs of the launch, x those that a whole replay has: more where recording came to its bound. */
static double more_ctas(const struct trace *t)
{
    return fmax(1, (double)t->all / fmax(1, (double)t->ctas * (double)t->stride));
}

/* A launch at its degrees, by index n - 1. */
struct finer {
    bool whole[SAMPLE_DEGREES]; /* all CTAs were replayed: no dealing */
    bool known[SAMPLE_DEGREES]; /* ... after dealing */
    double off[SAMPLE_DEGREES]; /* ln(cycles replayed whole / dealt), where known; else a guess */
    struct replayed sum[SAMPLE_DEGREES]; /* replays of all CTAs after dealing */
    double squares[SAMPLE_DEGREES]; /* their cycles' deviations from the mean, squared, summed */
};

/* Cycles of the launch; replay_launch has those of all degrees if even. */
static double launch_cycles(const struct deal *deal, const struct finer *f, const struct sample *d,
                            int n, bool even)
{
    const struct trace *t = deal->t;
    if (!f->whole[n - 1])
        return cut(t) * deal_launch(deal, n, even) * exp(f->off[n - 1]);
    return even ? replayed_even(d->replay_launch, n, deal->n_max)
                : more_ctas(t) * d->replay_cycles[n - 1];
}

static bool is_complete(const struct trace *t)
{
    return t->first == 0 && (uint64_t)t->ctas * t->stride >= t->all && t->dropped == 0;
}

/* Of a degree that is dealt: it grows with the degree, from 0 on, up to that of the next one that
 * is known, since the more CTAs at once the fewer rounds of them a launch has; behind the last one
 * it is that one's. */
static double guess(const struct finer *f, int n, int n_max)
{
    int below = n, above = n;
    while (below >= 1 && !f->known[below - 1])
        below--;
    while (above <= n_max && !f->known[above - 1])
        above++;
    const double least = below ? f->off[below - 1] : 0;
    if (above > n_max)
        return least;
    return least + (f->off[above - 1] - least) * (n - below) / (above - below);
}

/* How often all CTAs of such a launch are replayed with n at once, where it is fastest. */
static int repeats(const struct trace *t)
{
    const double insts = (double)t->all_work.insts;
    return (int)fmax(1, fmin(REPEATS, MOST_INSTS / fmax(1, insts)));
}

/* Of the degrees that come near to the fastest of all, or are it, the fastest of those that were
 * not replayed whole; then of those that were replayed least often. 0: none is left. */
static int next_whole(const struct finer *f, const double *launch, int n_max, int most)
{
    int next = 0;
    double least = INFINITY;
    for (int n = 1; n <= n_max; n++)
        least = fmin(least, launch[n - 1]);
    for (int n = 1; n <= n_max; n++) {
        const double done = f->sum[n - 1].launches,
                     of_next = next ? f->sum[next - 1].launches : most;
        const bool wanted = f->whole[n - 1] ? most > 1 && done < most : true;
        if (wanted && launch[n - 1] < NEAR * least &&
            (done < of_next || (next && done == of_next && launch[n - 1] < launch[next - 1])))
            next = n;
    }
    return next;
}

static void replay_whole(struct projection *p, int n, struct finer *f, struct sample *d)
{
    struct replayed *sum = &f->sum[n - 1];
    const double before = sum->launches > 0 ? sum->cycles / sum->launches : NAN;
    const double cycles = replay_degree(p, n, true, NULL, sum, d);
    const double times = sum->launches, mean = sum->cycles / times;
    f->known[n - 1] |= !f->whole[n - 1];
    f->whole[n - 1] = true;
    if (times > 1) {
        f->squares[n - 1] += (cycles - before) * (cycles - mean);
        d->replay_chance[n - 1] = sqrt(f->squares[n - 1] / (times - 1) / times) / mean;
    }
}

/* replay_launch has all degrees. What dealing is off by matters where the launch is fastest:
 * degrees that come near to that are replayed whole, which says what it may be off by at others. */
static void replay_fastest(struct projection *p, struct deal *deal, struct finer *f,
                           struct sample *d)
{
    double *launch = d->replay_launch, dealt[SAMPLE_DEGREES];
    const int most = repeats(p->trace), n_max = deal->n_max;
    memcpy(dealt, launch, sizeof dealt);
    for (int n;
         is_complete(p->trace) && !p->trace->whole && (n = next_whole(f, launch, n_max, most));) {
        replay_whole(p, n, f, d);
        launch[n - 1] = launch_cycles(deal, f, d, n, false);
        if (f->known[n - 1])
            f->off[n - 1] = log(launch[n - 1] / dealt[n - 1]);
        for (int m = 1; m <= n_max; m++)
            if (!f->whole[m - 1]) {
                f->off[m - 1] = guess(f, m, n_max);
                launch[m - 1] = dealt[m - 1] * exp(f->off[m - 1]);
            }
    }
}

/* ... and a mean launch of the group. */
static void fill_launch(struct projection *p, struct deal *deal, struct sample *d)
{
    const double of = (double)deal->t->all_work.insts;
    const double like = p->launch_insts > 0 && of > 0 ? p->launch_insts / of : 1;
    struct finer f = {0};
    deal_weigh(deal);
    for (int n = 1; n <= deal->n_max; n++) {
        f.whole[n - 1] = is_whole(deal->t, n);
        d->replay_launch[n - 1] = launch_cycles(deal, &f, d, n, false);
    }
    replay_fastest(p, deal, &f, d);
    for (int n = 1; n <= deal->n_max; n++)
        d->replay_launch_even[n - 1] = like * launch_cycles(deal, &f, d, n, true);
    for (int n = 1; n <= deal->n_max; n++)
        d->replay_launch[n - 1] *= like;
}

void project(struct projection *p, struct sample *d)
{
    project_alone(p, d);
    const int n_max = (int)fmin(d->n_max, SAMPLE_DEGREES);
    struct deal deal;
    struct degrees s = {.deal = &deal, .d = d};
    deal_init(&deal, p->trace, n_max);
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

/* Of a core's CTAs, of so many instructions each: enough of them for every degree. */
static int worth(double each, int n_max, uint64_t there, uint64_t cores)
{
    int ctas = 0;
    for (int n = 1; n <= n_max; n++) {
        const uint64_t so_many = (uint64_t)(n * (rounds(each, n) + 1));
        const int enough = enough_of(each, n, so_many < there ? so_many : there, cores);
        ctas = enough > ctas ? enough : ctas;
    }
    return ctas;
}

void project_trace(struct trace *t, const struct gpu_cfg *cfg, const struct launch *l,
                   struct project_extent x)
{
    const uint64_t to = x.to ? x.to : launch_ctas(l), all = to - x.from;
    const uint64_t cores = (uint64_t)cfg->top.cores;
    const uint64_t there = x.first < all ? (all - x.first + cores - 1) / cores : 0;
    const int n_max = gpu_occupancy(cfg, l, NULL);
    const double least = fmax(1, fmin(ROUNDS_LEAST * n_max, (double)there));
    const bool all_of_it = x.whole || x.cta_insts * (double)all <= TRACED_INSTS;
    const double each = all_of_it ? x.cta_insts : fmin(x.cta_insts, most_insts(cores) / least);
    const int want =
        all_of_it ? (int)((all + cores - 1) / cores) : worth(each, n_max, there, cores);
    const uint64_t spare = there > (uint64_t)want ? there - (uint64_t)want : 0;
    trace_init_part(t, cfg, l, x.from, to, x.first + spare / 2 * cores, want);
    if (each < x.cta_insts)
        t->most = (uint32_t)fmin(t->most, ceil(each / t->warps_per_cta));
    t->whole = x.whole;
    t->fits = n_max;
}

bool project_launch(struct projection *p, struct launch *l, double cta_insts,
                    uint64_t max_warp_insts, uint64_t *executed, struct sample *d, struct err *e)
{
    struct tracing x = {.made.cfg = p->cfg};
    struct func_opts fo = {.max_warp_insts = max_warp_insts,
                           .resident = gpu_occupancy(p->cfg, l, NULL) * p->cfg->top.cores,
                           .on_step = tracing_step,
                           .user = &x};
    struct func_counts c = {0};
    const double insts = cta_insts * (double)launch_ctas(l);
    project_trace(&x.t, p->cfg, l,
                  (struct project_extent){.cta_insts = cta_insts, .whole = project_whole(insts)});
    const bool ok = func_run(l, &fo, &c, e);
    *executed += c.warp_insts;
    struct projection cold = {.cfg = p->cfg, .trace = &x.t};
    if (ok)
        project(&cold, d);
    p->insts += cold.insts;
    p->seconds += cold.seconds;
    trace_fini(&x.t);
    return ok;
}
