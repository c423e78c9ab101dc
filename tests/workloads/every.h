/* tests/workloads/every.h -- what holds for every bundled workload, at its first size (small).
 * The list is cut into SLICES suites that run side by side; t_slice*.c define SLICE and include
 * this. In the environment, CONFIGS=N: N random GPUs a workload instead of one (`make validate`);
 * WORKLOAD=NAME: that one alone, in whichever slice is run. */
#include "sim/frontend/workload.h"
#include "tests/gpu/random_gpu.h"
#include "tests/sm/recording.h"

#define SLICES 4
#ifndef SLICE
#define SLICE 0 /* this file by itself, as lint reads it */
#endif

static bool mine(int i)
{
    const char *one = getenv("WORKLOAD");
    return one ? strcmp(workloads[i]->name, one) == 0 : i % SLICES == SLICE;
}

/* With sanitizers one of eight workloads of a slice, in each of four tests another. */
static bool turn_of(int i, int test)
{
    return mine(i) && (!SANITIZED || getenv("WORKLOAD") || i / SLICES % 8 == 2 * test + 1);
}

/* Without, half of them: `make validate` has all. */
static bool half(int i, int which)
{
    return SANITIZED || getenv("WORKLOAD") || getenv("CONFIGS") || i / SLICES % 2 == which;
}

/* How a run is made, and what there was to see. */
struct seen {
    struct gpu *gpu;         /* NULL: functional */
    struct trace_writer *to; /* functional, and recorded; NULL */
    struct run_stats stats;  /* with timing, of all launches */
    int n;                   /* CTAs a core; 0: as many as fit */
    bool skip;               /* execute nothing */
    int launches, threads;   /* threads a CTA of the first launch */
    uint64_t inputs;         /* hash of all device memory before the first launch */
    uint64_t results;        /* hash of everything that the host copied back, in order */
};

static bool on_launch(void *self, struct launch *l, struct err *e)
{
    struct seen *s = self;
    struct func_counts counts;
    const struct gpu_opts o = {.n = s->n ? s->n : INT32_MAX,
                               .only_core = -1,
                               .max_cycles = 1000000000,
                               .trace_working_set = true};
    if (s->launches++ == 0) {
        s->threads = l->block[0] * l->block[1] * l->block[2];
        s->inputs = whole_hash(l->mem, 0);
    }
    if (s->skip)
        return true;
    if (s->to)
        return launch_init(l, e) &&
               trace_writer_launch(s->to, l, &(struct trace_record_opts){0}, NULL, e);
    return s->gpu ? gpu_launch(s->gpu, l, &o, &s->stats, e)
                  : launch_init(l, e) && func_run(l, &(struct func_opts){0}, &counts, e);
}

static void on_copy(void *self, const void *bytes, size_t n)
{
    struct seen *s = self;
    const uint8_t *b = bytes;
    for (size_t i = 0; i < n; i++)
        s->results = (s->results ^ b[i]) * 0x100000001b3ull;
}

/* Runs and verifies what has that name; false, with the reason on stdout: something is wrong. */
static bool runs(const char *name, const struct target_input *in, bool verify, struct seen *s)
{
    struct err e = {""};
    const struct executor x = {.launch = on_launch, .self = s, .to_host = on_copy};
    struct target *t = target_open(name, in, &e);
    const bool ok = t && target_run(t, &x, verify, &e);
    if (!ok)
        printf("\n  %s: %s\n", name, e.msg);
    target_free(t);
    return ok;
}

static struct seen run_plainly(const struct workload *w, const struct target_input *in)
{
    struct seen s = {0};
    CU_ASSERT_TRUE(runs(w->name, in, true, &s));
    CU_ASSERT_TRUE(s.launches > 0);
    return s;
}

/* With its own input: what every run of it is compared with. Made once. */
static const struct seen *plain(int i)
{
    static struct seen seen[256];
    CU_ASSERT_TRUE_FATAL(i < 256);
    if (!seen[i].launches)
        seen[i] = run_plainly(workloads[i], NULL);
    return &seen[i];
}

/* On a GPU, whose every queue must be empty in the end. */
static struct seen run_timed(const char *name, const struct gpu_cfg *cfg, int n)
{
    struct err e = {""};
    struct seen s = {.gpu = gpu_new(cfg, &e), .n = n};
    CU_ASSERT_PTR_NOT_NULL_FATAL(s.gpu);
    CU_ASSERT_TRUE(runs(name, NULL, true, &s));
    CU_ASSERT_TRUE(gpu_drain(s.gpu, 1000000));
    gpu_free(s.gpu);
    return s;
}

/* Threads of bfs race: which of a level's threads marks a node first depends on timing. */
static bool races(const struct workload *w)
{
    return strcmp(w->name, "bfs") == 0;
}

/* What executed gives the results of the functional run, and its trace runs as it did. */
static void same_executed_and_from_trace(int i, const char *trace, const struct gpu_cfg *cfg, int n)
{
    const struct workload *w = workloads[i];
    const struct seen executed = run_timed(w->name, cfg, n), traced = run_timed(trace, cfg, n);
    if (plain(i)->results != executed.results)
        printf("\n  %s: the host reads other bytes with timing\n", w->name);
    CU_ASSERT_EQUAL(plain(i)->launches, executed.launches);
    CU_ASSERT_EQUAL(plain(i)->results, executed.results);
    CU_ASSERT_EQUAL(executed.launches, traced.launches);
    CU_ASSERT_EQUAL(executed.stats.ctas, traced.stats.ctas);
    if (races(w))
        return;
    const bool same = whole_same(&executed.stats, &traced.stats);
    if (!same)
        printf("  differ between %s and its trace at n = %d\n", w->name, n);
    CU_ASSERT_TRUE(same);
}

/* As many CTAs as fit; of half of the workloads every third also one alone, or on another GPU. With
 * sanitizers every sixth workload of a slice has one of the three. */
static void results_are_the_same_without_timing_with_it_and_from_a_trace(void)
{
    const struct gpu_cfg yen = whole_gpu("yen2014", NULL), other = whole_gpu("kayiran2013", NULL);
    for (int i = 0; workloads[i]; i++) {
        if (!mine(i) || (SANITIZED && !getenv("WORKLOAD") && i / SLICES % 6))
            continue;
        struct err e = {""};
        char path[64];
        recording_path(path);
        struct seen s = {.to = trace_writer_new(path, &e)};
        CU_ASSERT_PTR_NOT_NULL_FATAL(s.to);
        const bool ok = runs(workloads[i]->name, NULL, true, &s);
        CU_ASSERT_TRUE_FATAL(trace_writer_close(s.to, ok, &e));
        CU_ASSERT_EQUAL(s.results, plain(i)->results);
        CU_ASSERT_NOT_EQUAL(s.results, 0);
        if (!SANITIZED || i % 3 == 2)
            same_executed_and_from_trace(i, path, &yen, 0);
        if (i % 3 == 0 && half(i, 0))
            same_executed_and_from_trace(i, path, &other, 2);
        if (i % 3 == 1 && half(i, 0))
            same_executed_and_from_trace(i, path, &yen, 1);
        unlink(path);
    }
}

static int configs(void)
{
    const char *text = getenv("CONFIGS");
    return text ? atoi(text) : 1;
}

static void results_never_depend_on_timing_parameters(void)
{
    for (int i = 0; workloads[i]; i++) {
        if (!turn_of(i, 0) || !half(i, 1))
            continue;
        struct rng r = rng_seed(0);
        for (const char *c = workloads[i]->name; *c; c++) /* each workload has its own GPUs */
            r = rng_seed(rng_u64(&r) + (uint8_t)*c);
        for (int k = 0; k < configs(); k++) {
            const struct gpu_cfg cfg = random_gpu(&r);
            const int n = 1 + (int)rng_below(&r, 8);
            const struct seen timed = run_timed(workloads[i]->name, &cfg, n);
            if (plain(i)->results != timed.results)
                printf("\n  %s differs on random GPU %d at n = %d\n", workloads[i]->name, k, n);
            CU_ASSERT_EQUAL(plain(i)->results, timed.results);
        }
    }
}

/* That the reference looks: an executor that does nothing must not pass. */
static void kernels_that_did_nothing_fail(void)
{
    for (int i = 0; workloads[i]; i++) {
        if (!turn_of(i, 1))
            continue;
        struct err e = {""};
        struct seen s = {.skip = true};
        const struct executor x = {.launch = on_launch, .self = &s};
        struct target *t = target_open(workloads[i]->name, NULL, &e);
        CU_ASSERT_PTR_NOT_NULL_FATAL(t);
        CU_ASSERT_FALSE(target_run(t, &x, true, &e));
        if (!strstr(e.msg, "expected"))
            printf("\n  %s: %s\n", workloads[i]->name, e.msg);
        CU_ASSERT_PTR_NOT_NULL(strstr(e.msg, "expected"));
        CU_ASSERT_TRUE(target_run(t, &x, false, &e));
        target_free(t);
    }
}

struct all_but_one {
    const char *kernel; /* does nothing */
    int skipped;
};

static bool on_launch_of_others(void *self, struct launch *l, struct err *e)
{
    struct all_but_one *s = self;
    struct func_counts counts;
    if (strcmp(l->kernel->name, s->kernel) != 0)
        return launch_init(l, e) && func_run(l, &(struct func_opts){0}, &counts, e);
    s->skipped++;
    return true;
}

/* Without that kernel alone something is wrong, if only that the next one leaves its buffers. Names
 * are those of the workload; rs adds up more than one CTA's counts from medium on. */
static bool kernel_is_missed(void *user, const struct kernel *k, struct err *e)
{
    const char *name = user;
    struct err found = {""};
    struct all_but_one s = {.kernel = k->name};
    const struct executor x = {.launch = on_launch_of_others, .self = &s};
    struct target *t = target_open(strcmp(name, "rs") == 0 ? "rs:medium" : name, NULL, e);
    CU_ASSERT_PTR_NOT_NULL_FATAL(t);
    const bool ok = target_run(t, &x, true, &found);
    if (ok || s.skipped == 0)
        printf("\n  %s: nobody misses %s\n", name, k->name);
    CU_ASSERT_FALSE(ok);
    CU_ASSERT_TRUE(s.skipped > 0);
    target_free(t);
    return true;
}

static void one_kernel_that_did_nothing_fails(void)
{
    for (int i = 0; workloads[i]; i++) {
        struct err e = {""};
        if (!turn_of(i, 2))
            continue;
        struct target *t = target_open(workloads[i]->name, NULL, &e);
        CU_ASSERT_PTR_NOT_NULL_FATAL(t);
        CU_ASSERT_TRUE(target_kernels(t, kernel_is_missed, (char *)workloads[i]->name, &e));
        target_free(t);
    }
}

/* Other inputs are other bytes, and are computed rightly too. */
static void other_seeds_numberings_and_ctas_are_right(void)
{
    for (int i = 0; workloads[i]; i++) {
        const struct workload *w = workloads[i];
        if (!turn_of(i, 3))
            continue;
        const uint64_t own = plain(i)->inputs;
        const struct target_input same = {.seeded = true, .seed = WORKLOAD_SEED};
        const struct target_input other = {.seeded = true, .seed = WORKLOAD_SEED + 1};
        CU_ASSERT_EQUAL(run_plainly(w, &same).inputs, own);
        CU_ASSERT_NOT_EQUAL(run_plainly(w, &other).inputs, own);
        for (int o = 1; w->orders && o < WORKLOAD_ORDER_COUNT; o++) {
            const char *name = workload_order_name((enum workload_order)o);
            const struct target_input in = {.order = name};
            CU_ASSERT_NOT_EQUAL(run_plainly(w, &in).inputs, own);
        }
        for (unsigned warps = 1; w->any_warps && warps <= 8; warps += 3) {
            const struct target_input in = {.warps = warps};
            CU_ASSERT_EQUAL(run_plainly(w, &in).threads, 32 * (int)warps);
        }
    }
}

static bool same_size(const struct workload *w, const char *name)
{
    for (const struct workload_size *s = w->size; s->name; s++)
        if (strcmp(s->name, name) == 0)
            return true;
    return false;
}

static bool count_kernel(void *user, const struct kernel *k, struct err *e)
{
    (void)e;
    ++*(int *)user;
    return k->ninst > 0;
}

/* What `list` shows and the command line promises. */
static void each_says_what_it_is(void)
{
    static const char *const classes[] = {"memory-intensive", "compute-intensive",
                                          "not enough parallelism"};
    int seen = 0;
    for (int i = 0; workloads[i]; i++) {
        const struct workload *w = workloads[i];
        if (!mine(i))
            continue;
        int kernels = 0, known = 0;
        seen++;
        struct err e = {""};
        struct target *t = target_open(w->name, NULL, &e);
        CU_ASSERT_PTR_NOT_NULL_FATAL(t);
        CU_ASSERT_TRUE(target_kernels(t, count_kernel, &kernels, &e));
        CU_ASSERT_TRUE(kernels > 0);
        target_free(t);
        for (int c = 0; c < 3; c++)
            known += strcmp(w->paper_class, classes[c]) == 0;
        if (known != 1)
            printf("\n  %s: class \"%s\"\n", w->name, w->paper_class);
        CU_ASSERT_EQUAL(known, 1);
        CU_ASSERT_STRING_EQUAL(w->size[0].name, "small");
        CU_ASSERT_TRUE(same_size(w, "medium") && same_size(w, "paper"));
        CU_ASSERT_TRUE(*w->suite && *w->title);
    }
    CU_ASSERT_TRUE(seen > 0); /* WORKLOAD names one that there is */
}

SUITE("workloads", T(each_says_what_it_is),
      T(results_are_the_same_without_timing_with_it_and_from_a_trace),
      T(results_never_depend_on_timing_parameters), T(kernels_that_did_nothing_fail),
      T(one_kernel_that_did_nothing_fails), T(other_seeds_numberings_and_ctas_are_right))
