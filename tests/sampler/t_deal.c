/* Launches dealt to cores, from logs of replays that are written by hand. Unless a case says
 * otherwise 30 cores, one of them replayed, and CTAs that share what the core does: one alone stays
 * 100 cycles, m at once 100 m.
 *
 * Cores' first CTAs, and each later one, are longer or shorter by DEAL_APART, drawn as the sum of
 * four uniform numbers: by sqrt(12) x 2 % = 6.93 % at the very most. A launch whose cores all do
 * what was derived by hand takes that time within as much. */
#include "sampler/deal.h"

#include <math.h>
#include <string.h>

#include "base/err.h"
#include "tests/suite.h"

#define CORES                     30
#define ROOM                      64 /* CTAs of a lead, at most */
#define DEGS                      4
#define JITTER                    (3.4642 * DEAL_APART)
#define NEAR(got, want, relative) CU_ASSERT_DOUBLE_EQUAL((got) / (want), 1, relative)

struct hand {
    struct trace t;
    struct deal d;
};

/* The lead's core is the one of CTA `own`. */
static void open_hand(struct hand *h, uint64_t all, uint64_t own, int leads)
{
    h->t = (struct trace){
        .stride = CORES, .all = all, .own = own, .ctas = (int)((all + CORES - 1) / CORES)};
    deal_init(&h->d, &h->t, DEGS);
    for (int n = 1; n <= DEGS; n++) {
        struct deal_degree *g = &h->d.degree[n];
        g->room = ROOM;
        g->ctas = xcalloc((size_t)leads, sizeof *g->ctas);
        g->lead = xcalloc((size_t)leads, sizeof *g->lead);
        g->cta = xcalloc((size_t)(leads * ROOM), sizeof *g->cta);
    }
}

static void close_hand(struct hand *h)
{
    h->d.n_max = DEGS;
    deal_fini(&h->d);
    free(h->t.work);
}

/* Appends a CTA to the log of degree n's last lead. */
static void ran(struct hand *h, int n, double start, double end)
{
    struct deal_degree *g = &h->d.degree[n];
    if (g->leads == 0)
        g->leads = 1;
    g->cta[(g->leads - 1) * ROOM + g->ctas[g->leads - 1]++] = (struct replay_cta){start, end};
}

static void next_lead(struct hand *h, int n)
{
    struct deal_degree *g = &h->d.degree[n];
    g->lead[g->leads] = g->leads;
    g->leads++;
}

/* So many CTAs n at once, which begin and end together; stay[m]: m of them. */
static void ran_in_step(struct hand *h, int n, int ctas, const double *stay)
{
    double t = 0;
    for (int i = 0; i < ctas; i += n) {
        const int m = ctas - i < n ? ctas - i : n;
        for (int k = 0; k < m; k++)
            ran(h, n, t, t + stay[m]);
        t += stay[m];
    }
}

static const double shared[DEGS + 1] = {0, 100, 200, 300, 400};

/* At every degree so many CTAs. */
static void open_in_step(struct hand *h, uint64_t all, uint64_t own, int ctas, const double *stay)
{
    open_hand(h, all, own, 1);
    for (int n = 1; n <= DEGS; n++)
        ran_in_step(h, n, ctas, stay);
}

static double launch(const struct hand *h, int n)
{
    return deal_launch(&h->d, n, false);
}

/* ---- Rounds ---- */

/* 120 of 144 CTAs are dealt at once; the six cores that are done first take 4 of the 24 that are
 * left each: two rounds of 400. Dealt evenly it would be 1.2 rounds, 480. */
static void ctas_that_end_together_go_in_whole_rounds(void)
{
    static const struct {
        uint64_t all;
        double rounds;
    } row[] = {{120, 1}, {124, 2}, {144, 2}, {240, 2}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct hand h;
        open_in_step(&h, row[i].all, 29, 4, shared);
        NEAR(launch(&h, 4), 400 * row[i].rounds, JITTER);
        close_hand(&h);
    }
}

static void one_at_once_takes_as_many_rounds_as_the_busiest_core(void)
{
    static const struct {
        uint64_t all;
        int rounds;
    } row[] = {{1, 1}, {30, 1}, {31, 2}, {144, 5}, {150, 5}, {151, 6}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct hand h;
        open_in_step(&h, row[i].all, 0, 1, shared);
        NEAR(launch(&h, 1), 100 * row[i].rounds, JITTER);
        close_hand(&h);
    }
}

/* 4 at once, the lead's first four have 5, 7, 9 and 11 eighths of a CTA's work: from then on one
 * ends every 100 cycles, the last three at the rates of 3, 2 and 1. 384 CTAs are 12 a core and 24
 * more, which as many cores take one by one: 13 x 100, not a fourth round of 400. */
static void ctas_that_end_apart_are_dealt_nearly_evenly(void)
{
    static const double end[12] = {250, 350, 450, 550, 650, 750, 850, 950, 1050, 1125, 1175, 1200};
    struct hand h;
    open_hand(&h, 384, 29, 1);
    for (int n = 1; n <= 3; n++)
        ran_in_step(&h, n, 12, shared);
    for (int i = 0; i < 12; i++)
        ran(&h, 4, i < 4 ? 0 : end[i - 4], end[i]);
    NEAR(launch(&h, 4), 1300, JITTER);
    close_hand(&h);
}

/* One alone takes 100, two 150. The 61st CTA begins when the first core is done, and is alone
 * there: 150 + 100, not 150 + 150. */
static void the_tail_goes_on_at_its_own_rate(void)
{
    static const double stay[DEGS + 1] = {0, 100, 150, 200, 250};
    struct hand h;
    open_in_step(&h, 61, 5, 2, stay);
    NEAR(launch(&h, 2), 250, JITTER);
    close_hand(&h);
    open_in_step(&h, 62, 5, 2, stay);
    NEAR(launch(&h, 2), 300, JITTER);
    close_hand(&h);
}

/* The rounds between the first one and the last 16 are not dealt one by one: 50 more take
 * 50 x 400, to the rounding. Where that begins, behind 17, nothing jumps. */
static void a_long_launch_grows_linearly(void)
{
    static const int rounds[] = {17, 18, 50, 100};
    double cycles[4];
    for (int i = 0; i < 4; i++) {
        struct hand h;
        open_in_step(&h, 120 * (uint64_t)rounds[i], 0, 16, shared);
        cycles[i] = launch(&h, 4);
        NEAR(cycles[i], 400 * rounds[i], 0.02);
        close_hand(&h);
    }
    CU_ASSERT_DOUBLE_EQUAL(cycles[3] - cycles[2], 50 * 400, 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(cycles[1] - cycles[0], 400, 40);
}

/* ---- What differs ---- */

static void give_work(struct hand *h, uint64_t cta, uint64_t insts, uint64_t txns)
{
    if (!h->t.work)
        h->t.work = xcalloc(h->t.all, sizeof *h->t.work);
    h->t.work[cta] = (struct cta_work){insts, txns};
    h->t.all_work.insts += insts;
    h->t.all_work.txns += txns;
}

/* Alone 100, two 150. One of 60 CTAs has ten times the instructions: 150 beside the other one, a
 * tenth of its work; then nine times 100 alone. */
static void a_long_cta_decides_the_end(void)
{
    static const double stay[DEGS + 1] = {0, 100, 150, 200, 250};
    static const uint64_t longest[] = {0, 29, 59};
    for (size_t i = 0; i < sizeof longest / sizeof *longest; i++) {
        struct hand h;
        open_in_step(&h, 60, 5, 2, stay);
        for (uint64_t k = 0; k < 60; k++)
            give_work(&h, k, k == longest[i] ? 1000 : 100, 0);
        NEAR(launch(&h, 2), 150 + 900, JITTER);
        close_hand(&h);
    }
}

/* On a core the first CTA has twice the work of each later one. 5 were replayed, 200 + 4 x 100;
 * 12 take 200 + 11 x 100. */
static void replayed_ctas_stand_for_their_own_work(void)
{
    static const double length[] = {200, 100, 100, 100, 100};
    struct hand h;
    double t = 0;
    open_hand(&h, 12 * CORES, 0, 1);
    for (int i = 0; i < 5; t += length[i++])
        ran(&h, 1, t, t + length[i]);
    for (uint64_t k = 0; k < 12 * CORES; k++)
        give_work(&h, k, k < CORES ? 200 : 100, 0);
    NEAR(launch(&h, 1), 200 + 11 * 100, JITTER);
    close_hand(&h);
}

/* Caches are cold for a core's first CTA, which takes twice as long: 200 + 4 x 100. Of two at once
 * only the first two were replayed, 400: later ones take half of that as well, 400 + 4 x 200. */
static void cold_caches_cost_the_first_ctas_alone(void)
{
    struct hand h;
    open_hand(&h, 300, 0, 1);
    for (int i = 0; i < 5; i++)
        ran(&h, 1, i ? 100 + 100 * i : 0, 200 + 100 * i);
    ran(&h, 2, 0, 400);
    ran(&h, 2, 0, 400);
    h.t.all = 150;
    NEAR(launch(&h, 1), 600, JITTER);
    h.t.all = 300;
    NEAR(launch(&h, 2), 1200, JITTER);
    close_hand(&h);
}

/* A lead's later CTAs took 50 or 150 as often as 100. Of 30 that are drawn like these some take
 * 150: two rounds end at 100 + 150. */
static void later_ctas_scatter_as_the_replayed_ones_did(void)
{
    static const double length[] = {100, 100, 50, 150, 50, 150, 100};
    struct hand h;
    double t = 0;
    open_hand(&h, 60, 0, 1);
    for (int i = 0; i < 7; t += length[i++])
        ran(&h, 1, t, t + length[i]);
    h.t.ctas = 7;
    NEAR(launch(&h, 1), 250, JITTER);
    close_hand(&h);
}

/* One round of one CTA each: the slowest of 30 decides, by a multiple of how far cores are apart
 * that depends on the draws alone. Leads at 97, 100 and 103 are 3 % apart, which is added to the
 * 2 %; those at 80, 100 and 120 are taken for 10 % at most. */
static void cores_differ_as_the_leads_do(void)
{
    static const struct {
        double by, apart;
    } row[] = {{0, 0.02}, {3, 0.05}, {20, 0.10}};
    double more[3];
    for (int i = 0; i < 3; i++) {
        struct hand h;
        open_hand(&h, CORES, 0, 3);
        for (int k = 0; k < 3; k++) {
            next_lead(&h, 1);
            ran(&h, 1, 0, 100 + row[i].by * (k - 1));
        }
        more[i] = launch(&h, 1) / 100 - 1;
        CU_ASSERT_DOUBLE_EQUAL(more[i] / more[0], row[i].apart / 0.02, 1e-6);
        close_hand(&h);
    }
    CU_ASSERT(more[0] > 0.02 && more[0] < JITTER);
}

/* ---- The weight of transactions ---- */

/* Stays are those of a mixture of instructions and transactions, in eighths: no other mixture
 * leaves nothing unexplained. Without transactions instructions say it all. */
static void work_is_what_stays_follow(void)
{
    static const uint64_t insts[] = {100, 300, 200, 100, 300, 200, 300, 100},
                          txns[] = {30, 10, 10, 20, 20, 30, 10, 30}; /* means: 200, 20 */
    for (int w = 0; w <= 8; w += 2) {
        struct hand h;
        open_hand(&h, 8, 0, 1);
        h.t.stride = 1;
        for (int i = 0; i < 8; i++) {
            give_work(&h, (uint64_t)i, insts[i], txns[i]);
            const double of_insts = (double)insts[i] / 200, of_txns = (double)txns[i] / 20;
            for (int n = 1; n <= DEGS; n++)
                ran(&h, n, 10 * i, 10 * i + 100 * n * (of_insts + w / 8.0 * (of_txns - of_insts)));
        }
        deal_weigh(&h.d);
        for (int n = 1; n <= DEGS; n++)
            CU_ASSERT_EQUAL(h.d.degree[n].memory, w / 8.0);
        h.t.all_work.txns = 0;
        deal_weigh(&h.d);
        CU_ASSERT_EQUAL(h.d.degree[1].memory, 0);
        close_hand(&h);
    }
}

/* The CTAs that were replayed are alike and have half of the mean's transactions, the others have
 * three times as many: they take longer by as much as DRAM's buses are taken, b: the work of the
 * former is 1 - b / 2, that of the latter 1 + b / 2. */
static void work_is_what_dram_says_where_stays_do_not_tell(void)
{
    for (int bus = 0; bus <= 4; bus++) {
        struct hand h;
        open_hand(&h, 4 * CORES, 0, 1);
        for (uint64_t i = 0; i < 4 * CORES; i++)
            give_work(&h, i, 100, i < 2 * CORES ? 10 : 30);
        ran(&h, 1, 0, 100);
        ran(&h, 1, 100, 200);
        h.d.degree[1].bus = bus / 4.0;
        deal_weigh(&h.d);
        CU_ASSERT_EQUAL(h.d.degree[1].memory, bus / 4.0);
        NEAR(launch(&h, 1), 200 + 200 * (8 + bus) / (8.0 - bus), JITTER);
        close_hand(&h);
    }
}

/* ---- What the replay says at last ---- */

/* The lead's only CTA begins 100 late and stays 100: dealing it says 100, the replay 200. */
static void what_a_replay_takes_more_corrects_the_launch(void)
{
    struct hand h;
    open_hand(&h, 150, 0, 1);
    ran(&h, 1, 100, 200);
    NEAR(launch(&h, 1), 2 * 500, JITTER);
    close_hand(&h);
}

/* A CTA's share of the core: 100, 200 and 100 cycles with 1, 2 and 3 at once. Drawn half of the way
 * to its neighbours', in logarithms: with 2 at once sqrt(200 x sqrt(100 x 100)); with 3, the most,
 * sqrt(100 x sqrt(200 x 100)), itself standing in for the neighbour that is missing; one alone
 * stays. Where a core gets two CTAs, 2 is the most: sqrt(200 x sqrt(100 x 200)). */
static void even_rates_lie_between_neighbours(void)
{
    static const double stay[DEGS + 1] = {0, 100, 400, 300, 400};
    const double want[] = {1, sqrt(100.0 / 200), sqrt(sqrt(200.0 * 100)) / sqrt(100.0)};
    struct hand h;
    open_hand(&h, 3 * CORES, 0, 1);
    h.d.n_max = 3;
    for (int n = 1; n <= 3; n++)
        ran_in_step(&h, n, n, stay);
    for (int n = 1; n <= 3; n++) {
        h.t.all = (uint64_t)(n * CORES); /* one round */
        CU_ASSERT_DOUBLE_EQUAL(deal_launch(&h.d, n, true) / launch(&h, n), want[n - 1], 1e-9);
    }
    h.t.all = 2 * CORES;
    h.t.ctas = 2;
    CU_ASSERT_DOUBLE_EQUAL(deal_launch(&h.d, 2, true) / launch(&h, 2),
                           sqrt(sqrt(100.0 * 200) / 200), 1e-9);
    close_hand(&h);
}

static void without_a_replayed_cta_there_is_no_answer(void)
{
    struct hand h;
    open_hand(&h, 100, 0, 1);
    deal_weigh(&h.d);
    for (int n = 1; n <= DEGS; n++)
        CU_ASSERT(launch(&h, n) == 0 && deal_launch(&h.d, n, true) == 0);
    close_hand(&h);
}

static void the_same_bits_every_time(void)
{
    struct hand h;
    open_in_step(&h, 1000, 3, 20, shared);
    for (int n = 1; n <= DEGS; n++) {
        const double a = launch(&h, n), b = launch(&h, n);
        CU_ASSERT_EQUAL(memcmp(&a, &b, sizeof a), 0);
    }
    close_hand(&h);
}

SUITE("deal", T(ctas_that_end_together_go_in_whole_rounds),
      T(one_at_once_takes_as_many_rounds_as_the_busiest_core),
      T(ctas_that_end_apart_are_dealt_nearly_evenly), T(the_tail_goes_on_at_its_own_rate),
      T(a_long_launch_grows_linearly), T(a_long_cta_decides_the_end),
      T(replayed_ctas_stand_for_their_own_work), T(cold_caches_cost_the_first_ctas_alone),
      T(later_ctas_scatter_as_the_replayed_ones_did), T(cores_differ_as_the_leads_do),
      T(work_is_what_stays_follow), T(work_is_what_dram_says_where_stays_do_not_tell),
      T(what_a_replay_takes_more_corrects_the_launch), T(even_rates_lie_between_neighbours),
      T(without_a_replayed_cta_there_is_no_answer), T(the_same_bits_every_time))
