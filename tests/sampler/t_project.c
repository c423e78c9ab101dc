/* Replays beside the detailed simulator, on yen2014: what they leave out (register banks,
 * write-back ports, cores that drift apart) has to be small where a kernel is regular. */
#include <gsl/gsl_statistics_double.h>
#include <math.h>

#include "model/queueing.h"
#include "sampler/project.h"
#include "sampler/sampler.h"
#include "tests/gpu/whole.h"
#include "tests/sampler/traced.h"
#include "tests/suite.h"

#define OF_LAUNCH 0.03 /* of all launches; measured: 1.6 % at most, pathfinder with 8 at once */
#define OF_READS  0.04 /* measured: 3.05 % at most, sta */
#define OF_CTA    0.02 /* of a CTA alone; measured: 1.2 % at most */

/* The launch that stands for many short ones finds L1s as all before it have left them; measured:
 * 4.4 %. */
#define OF_MANY 0.07

static const char *const names[] = {"aes", "sgemm", "pathfinder", "blackscholes", "vectoradd"};

static struct sample_set taken(const char *name, const struct gpu_cfg *cfg)
{
    struct sample_set s;
    struct err e = {""};
    const struct sampler_opts o = {.cta = -1, .by_group = true};
    struct target *t = target_open(name, NULL, &e);
    CU_ASSERT_PTR_NOT_NULL_FATAL(t);
    CU_ASSERT_TRUE_FATAL(sampler_run(t, cfg, &o, &s, &e));
    target_free(t);
    return s;
}

static double replayed_cycles(const struct sample_set *s, int n)
{
    double cycles = 0;
    for (int k = 0; k < s->nkernels; k++) {
        const struct sample *d = &s->kernel[k];
        cycles += d->launches * d->replay_launch[(n < d->n_max ? n : (int)d->n_max) - 1];
    }
    return cycles;
}

static void launches_find_l1ds_as_others_left_them(void)
{
    const struct gpu_cfg cfg = whole_gpu("kayiran2013", NULL);
    struct sample_set s = taken("gaussian:medium", &cfg);
    const struct gpu_opts o = {.n = 4};
    const double want = (double)whole_run("gaussian:medium", &cfg, &o).stats.cycles;
    CU_ASSERT_DOUBLE_EQUAL(replayed_cycles(&s, o.n) / want, 1, OF_MANY);
    sample_set_release(&s);
}

/* With one CTA at once on a core and with as many as fit: all launches' replays, their CTAs dealt
 * to all cores, and all launches simulated. */
static void launches_take_about_what_they_do_in_detail(void)
{
    const struct gpu_cfg cfg = whole_gpu("yen2014", NULL);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct sample_set s = taken(names[i], &cfg);
        for (int most = 0; most < 2; most++) {
            const double cycles = replayed_cycles(&s, most ? MODEL_N_MAX : 1);
            const struct gpu_opts o = {.n = most ? 8 : 1};
            const double want = (double)whole_run(names[i], &cfg, &o).stats.cycles;
            if (fabs(cycles / want - 1) > OF_LAUNCH)
                printf("\n  %s, n = %d: %.0f, not %.0f\n", names[i], o.n, cycles, want);
            CU_ASSERT_TRUE(want > 0 && fabs(cycles / want - 1) <= OF_LAUNCH);
        }
        sample_set_release(&s);
    }
}

/* Of a launch of 2^21 instructions and more only some rounds are replayed, and the others are
 * dealt, where it is not fastest: with one or two at once a core takes twice or once again as long
 * as with 8. */
static void a_long_launch_on_few_cores_is_dealt(void)
{
    static const char *const one[] = {"cores=1", NULL}, *const three[] = {"cores=3", NULL};
    for (int i = 0; i < 2; i++) {
        const struct gpu_cfg cfg = whole_gpu("yen2014", i ? three : one);
        struct sample_set s = taken("fft:medium", &cfg);
        const struct gpu_opts o = {.n = 2};
        const double want = (double)whole_run("fft:medium", &cfg, &o).stats.cycles;
        CU_ASSERT_DOUBLE_EQUAL(s.kernel[0].replay_launch[1] / want, 1, 0.01);
        CU_ASSERT_TRUE(s.kernel[0].replay_ctas[1] < s.kernel[0].grid_ctas / cfg.top.cores / 2);
        sample_set_release(&s);
    }
}

/* Data reads of DRAM by all launches: of sta and gaussian the first ones fill an L2 in which the
 * replayed one finds nearly all; the last CTAs of spmv, which are not replayed with one at once,
 * ask for five times as much as the others. */
static void all_launches_read_what_they_do_in_detail(void)
{
    const struct {
        const char *name, *gpu;
        bool most; /* as many as fit at once; else one */
    } of[] = {
        {"sta", "park2015", true}, {"gaussian", "park2015", true}, {"spmv", "yen2014", false}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        const struct gpu_cfg cfg = whole_gpu(of[i].gpu, NULL);
        struct sample_set s = taken(of[i].name, &cfg);
        double reads = 0;
        for (int k = 0; k < s.nkernels; k++) {
            const struct sample *d = &s.kernel[k];
            reads += d->total_ctas * queueing_reads(d, of[i].most ? (int)d->n_max : 1);
        }
        const struct gpu_opts o = {.n = of[i].most ? 8 : 1};
        const double want = (double)whole_run(of[i].name, &cfg, &o).stats.dram_reads;
        if (fabs(reads / want - 1) > OF_READS)
            printf("\n  %s: %.0f, not %.0f\n", of[i].name, reads, want);
        CU_ASSERT_TRUE(want > 0 && fabs(reads / want - 1) <= OF_READS);
        sample_set_release(&s);
    }
}

static void a_cta_alone_takes_what_the_window_says(void)
{
    const struct gpu_cfg cfg = whole_gpu("yen2014", NULL);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct sample_set s = taken(names[i], &cfg);
        for (int k = 0; k < s.nkernels; k++)
            CU_ASSERT_DOUBLE_EQUAL(s.kernel[k].replay_alone / s.kernel[k].cta_cycles, 1, OF_CTA);
        sample_set_release(&s);
    }
}

/* Every degree that fits is filled, no other; what was executed for it is reported. */
static void every_degree_is_replayed(void)
{
    const struct gpu_cfg cfg = whole_gpu("yen2014", NULL);
    struct sample_set s = taken("vectoradd", &cfg);
    const struct sample *d = s.kernel;
    for (int n = 1; n <= SAMPLE_DEGREES; n++) {
        const int i = n - 1;
        CU_ASSERT_EQUAL(d->replay_cycles[i] > 0, n <= d->n_max);
        CU_ASSERT_EQUAL(d->replay_wave[i] > 0, n <= d->n_max);
        CU_ASSERT_TRUE(n > d->n_max || d->replay_ctas[i] >= n);
        CU_ASSERT_EQUAL(d->replay_launch[i] > 0, n <= d->n_max);
        CU_ASSERT_EQUAL(d->replay_launch_even[i] > 0, n <= d->n_max);
        CU_ASSERT_EQUAL(d->replay_bus[i] > 0, n <= d->n_max);
        CU_ASSERT_TRUE(d->replay_bus[i] < 1);
    }
    CU_ASSERT_TRUE(s.replayed_warp_insts > 0);
    sample_set_release(&s);
}

/* A core, 51 CTAs of 680 instructions: 8 rounds with 6 at once, and 3 more CTAs, are all of them,
 * but 6 rounds with 7 at once are not. They are replayed whole with 7 as well, and with 8; with 5
 * at once 40 are enough, and they are dealt. */
static void degrees_above_a_whole_one_are_whole(void)
{
    static const char *const one[] = {"cores=1", NULL};
    struct traced x;
    traced_open(&x,
                "mov.u32 %r2, 0;\n"
                "L: add.s32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 224; @%p1 bra L;",
                one, (struct traced_shape){.ctas = 51, .threads = 32, .want = 51});
    x.t.fits = 8;
    CU_ASSERT_EQUAL(x.t.insts, 51 * (HEAD_INSTS + 1 + 3 * 224 + 1));
    struct projection p = {.cfg = &x.cfg, .trace = &x.t};
    struct sample d = {.n_max = 8};
    project(&p, &d);
    for (int n = 1; n <= 8; n++) {
        CU_ASSERT_EQUAL(d.replay_ctas[n - 1], n < 6 ? 8 * n : 51);
        CU_ASSERT_TRUE(d.replay_launch[n - 1] > 0 && d.replay_launch_even[n - 1] > 0);
        if (n >= 6)
            CU_ASSERT_EQUAL(d.replay_launch[n - 1], d.replay_cycles[n - 1]);
        if (n > 1)
            CU_ASSERT_TRUE(d.replay_launch[n - 1] < 1.02 * d.replay_launch[n - 2]);
    }
    traced_close(&x);
}

/* Mean cycles of so many perturbed replays, and its relative standard error. */
static double whole_by_hand(const struct traced *x, int n, int times, double *chance)
{
    static const int by[] = {0, 1, -1};
    double cycles[3];
    for (int i = 0; i < times; i++) {
        struct gpu_cfg cfg = x->cfg;
        const struct replay_opts o = {.n = n, .whole = true};
        struct replay_result r;
        cfg.mem.partition.rop_latency += by[i];
        struct replay *replay = replay_new(&cfg, &o);
        replay_run(replay, &x->t, x->t.ctas, &r);
        replay_free(replay);
        cycles[i] = r.cycles;
    }
    const double mean = gsl_stats_mean(cycles, 1, (size_t)times);
    *chance = gsl_stats_sd(cycles, 1, (size_t)times) / mean / sqrt(times);
    return mean;
}

/* A core, 51 CTAs that go over 48 lines of their own eight times: of 128 lines in L1D two CTAs have
 * room, three have not. So with 2 at once they are fastest, and all are replayed, if all were
 * traced. What that takes beside what dealing says, as of 50 traced ones, is taken for half of it
 * with 1 at once, and as it is with 3 and more, which take more than a tenth longer. */
static void the_fastest_degree_is_replayed_whole(void)
{
    static const char *const one[] = {"cores=1", "l1d.size=16384", NULL};
    struct sample d[2] = {{.n_max = 8}, {.n_max = 8}};
    double mean = 0, chance = 0;
    for (int all = 0; all < 2; all++) {
        struct traced x;
        traced_open(
            &x,
            "mov.u32 %r9, %ctaid.x; mul.wide.u32 %rd5, %r9, 6144; add.s64 %rd6, %rd3, %rd5;\n"
            "mov.u32 %r2, 0;\n"
            "O: mov.u32 %r4, 0; mov.u64 %rd7, %rd6;\n"
            "L: ld.global.u32 %r3, [%rd7]; add.s32 %r5, %r3, 1; add.s64 %rd7, %rd7, 128;\n"
            "add.s32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, 48; @%p1 bra L;\n"
            "add.s32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 8; @%p1 bra O;",
            one, (struct traced_shape){.ctas = 51, .threads = 1, .want = 50 + all});
        x.t.fits = 8;
        struct projection p = {.cfg = &x.cfg, .trace = &x.t};
        project(&p, &d[all]);
        if (all) /* as it is, a cycle later, a cycle earlier */
            mean = whole_by_hand(&x, 2, 3, &chance);
        traced_close(&x);
    }
    CU_ASSERT_DOUBLE_EQUAL(d[1].replay_cycles[1], mean, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(d[1].replay_chance[1], chance, 1e-12);
    CU_ASSERT_TRUE(chance > 0);
    const double off = log(d[1].replay_launch[1] / d[0].replay_launch[1]);
    CU_ASSERT_EQUAL(d[1].replay_ctas[1], 51);
    CU_ASSERT_EQUAL(d[1].replay_launch[1], d[1].replay_cycles[1]);
    CU_ASSERT_TRUE(fabs(off) > 1e-6);
    for (int n = 1; n <= 8; n++) {
        CU_ASSERT_TRUE(n == 2 || d[1].replay_launch[n - 1] > 1.1 * d[1].replay_launch[1]);
        CU_ASSERT_TRUE(d[0].replay_ctas[n - 1] < 50);
        if (n == 2)
            continue;
        CU_ASSERT_EQUAL(d[1].replay_ctas[n - 1], d[0].replay_ctas[n - 1]);
        CU_ASSERT_EQUAL(d[1].replay_chance[n - 1], 0);
        CU_ASSERT_DOUBLE_EQUAL(log(d[1].replay_launch[n - 1] / d[0].replay_launch[n - 1]),
                               n < 2 ? off / 2 : off, 1e-12);
    }
}

/* yen2014: 15 cores, 8 CTAs of a warp on each, 2^23 / 15 = 559240 instructions a core. CTAs of
 * 1000: with 8 at once 4 rounds and one more are 40; of a grid of up to 5 / 4 2^23 instructions all
 * are traced, 699 a core. Of 40000 two rounds are 16 of 34952 each; where a core gets no more than
 * 10, 9 and 10.4 million in all, none is cut; of 70000 each is, to 55924. With 110 cores it is 2^18
 * a core. */
static void long_ctas_are_cut_until_two_rounds_fit(void)
{
    static const char *const yen[] = {"cores=15", NULL}, *const many[] = {"cores=110", NULL};
    static const struct {
        const char *const *cores;
        int grid;
        double each;
        int ctas;
        uint32_t most;
    } row[] = {{yen, 10486, 1000, 40, 1 << 17}, {yen, 10485, 1000, 699, 1 << 17},
               {yen, 1000, 40000, 16, 34953},   {yen, 150, 60000, 10, 1 << 17},
               {yen, 150, 69900, 10, 1 << 17},  {yen, 150, 70000, 10, 55925},
               {many, 2000, 40000, 16, 16384}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct traced x;
        struct trace t;
        traced_open(&x, "", row[i].cores,
                    (struct traced_shape){.ctas = row[i].grid, .threads = 32, .want = 1});
        project_trace(&t, &x.cfg, &x.run.l, (struct project_extent){.cta_insts = row[i].each});
        CU_ASSERT_EQUAL(t.ctas, row[i].ctas);
        CU_ASSERT_EQUAL(t.most, row[i].most);
        CU_ASSERT_EQUAL(t.fits, 8);
        trace_fini(&t);
        traced_close(&x);
    }
}

/* Half of 5 CTAs' instructions were recorded, and of their 40 transactions that may read 10; of
 * execution's misses a given part. Reads, 4 of two CTAs and 6 of three, of which execution has as
 * many as its misses: these go with misses, the others with transactions, 4 times as many. */
static void cut_ctas_stand_for_whole_ones(void)
{
    static const struct {
        uint64_t reads, dropped_reads, misses, dropped_misses;
        double first, later, want_first, want_later;
    } row[] = {
        {10, 30, 10, 30, 4, 6, 16, 24},             /* all miss */
        {10, 30, 10, 0, 4, 6, 4, 6},                /* what is dropped was read before */
        {10, 30, 5, 0, 4, 6, 2 + 2 * 4, 3 + 3 * 4}, /* the half of it was thrown out */
        {10, 30, 5, 30, 4, 6, 2 * 7 + 2 * 4, 3 * 7 + 3 * 4},
        {0, 30, 0, 30, 0, 0, 12, 18}, /* all reads are behind the cut */
        {10, 0, 10, 0, 4, 6, 4, 6},   /* none is */
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const struct trace t = {.stride = 2,
                                .all = 5,
                                .ctas = 3,
                                .insts = 100,
                                .dropped = 100,
                                .reads = row[i].reads,
                                .dropped_reads = row[i].dropped_reads,
                                .misses = row[i].misses,
                                .dropped_misses = row[i].dropped_misses};
        struct replay_result r = {.ctas = 5,
                                  .first_ctas = 2,
                                  .cycles = 70,
                                  .cta_cycles = 20,
                                  .dram_reads_first = row[i].first,
                                  .dram_reads_later = row[i].later};
        project_uncut(&t, &r);
        CU_ASSERT_EQUAL(r.cycles, 140);
        CU_ASSERT_EQUAL(r.cta_cycles, 40);
        CU_ASSERT_DOUBLE_EQUAL(r.dram_reads_first, row[i].want_first, 1e-9);
        CU_ASSERT_DOUBLE_EQUAL(r.dram_reads_later, row[i].want_later, 1e-9);
    }
}

/* A CTA a core, whose line its L1D holds if CTAs were dealt round: if no launch so far had more
 * than one for each core. */
static void what_l1s_hold_depends_on_how_ctas_were_dealt(void)
{
    struct traced x;
    traced_open(&x,
                "mov.u32 %r9, %ctaid.x; mul.wide.u32 %rd5, %r9, 128; add.s64 %rd6, %rd3, %rd5;\n"
                "ld.global.u32 %r3, [%rd6];",
                NULL, (struct traced_shape){.ctas = 15, .threads = 1, .want = 1, .fits = 1});
    struct l1_state l1[L1_STATES];
    for (int i = 0; i < L1_STATES; i++)
        l1_state_init(&l1[i], &x.cfg);
    for (int core = 0; core < 15; core++)
        stamp_put(&l1[L1_ROUND].cache[L1_DATA][core], x.run.out + 128 * (addr_t)core, 1);
    for (uint64_t most = 14; most <= 17; most++) {
        struct projection p = {.cfg = &x.cfg, .trace = &x.t, .l1 = l1, .most_ctas = most};
        struct sample d = {.n_max = 1};
        project(&p, &d);
        CU_ASSERT_EQUAL(d.replay_miss_rate[0], most > 15);
    }
    for (int i = 0; i < L1_STATES; i++)
        l1_state_fini(&l1[i]);
    traced_close(&x);
}

SUITE("project", T(launches_take_about_what_they_do_in_detail),
      T(launches_find_l1ds_as_others_left_them), T(a_long_launch_on_few_cores_is_dealt),
      T(all_launches_read_what_they_do_in_detail), T(a_cta_alone_takes_what_the_window_says),
      T(every_degree_is_replayed), T(degrees_above_a_whole_one_are_whole),
      T(the_fastest_degree_is_replayed_whole), T(long_ctas_are_cut_until_two_rounds_fit),
      T(cut_ctas_stand_for_whole_ones), T(what_l1s_hold_depends_on_how_ctas_were_dealt))
