/* What a trace keeps of a warp's instructions. On yen2014: lines of 128 bytes, of constants 64. */
#include "tests/sampler/traced.h"

#define ONE_WARP ((struct traced_shape){.ctas = 1, .threads = 32, .want = 1})
/* &out[tid * 16]: a word every 64 bytes */
#define STRIDE "shl.b32 %r2, %r1, 6; cvt.u64.u32 %rd5, %r2; add.s64 %rd6, %rd1, %rd5;"
/* &out[32 * ctaid + tid] */
#define OWN_LINE "mov.u32 %r9, %ctaid.x; mul.wide.u32 %rd5, %r9, 128; add.s64 %rd6, %rd3, %rd5;"

/* The instruction of that kind, of the first warp; *txn: its transactions. */
static const struct trace_inst *find(const struct traced *x, uint8_t kind, const addr_t **txn)
{
    const struct trace_warp *w = x->t.warp;
    const addr_t *at = *txn = w->txn;
    for (uint32_t i = 0; i < w->insts; i++) {
        *txn = at;
        if (w->inst[i].kind == kind)
            return &w->inst[i];
        at += w->inst[i].kind == TRACE_SHARED ? 0 : w->inst[i].n;
    }
    CU_FAIL_FATAL("no such instruction");
    return NULL;
}

static bool has_line(const addr_t *txn, int n, addr_t line)
{
    int found = 0;
    for (int i = 0; i < n; i++)
        found += TRACE_LINE(txn[i]) == line;
    return found == 1;
}

/* Head, load and exit. 32 words lie in one line; 64 bytes apart two are in each line, in both of
 * its halves. */
static void loads_have_a_transaction_a_line(void)
{
    struct traced x;
    const addr_t *txn = NULL;
    traced_open(&x, "ld.global.u32 %r3, [%rd3];", NULL, ONE_WARP);
    CU_ASSERT_EQUAL(x.t.warp->insts, HEAD_INSTS + 2);
    CU_ASSERT_EQUAL(x.t.insts, HEAD_INSTS + 2);
    CU_ASSERT_EQUAL(find(&x, TRACE_READ, &txn)->n, 1);
    CU_ASSERT_EQUAL(find(&x, TRACE_READ, &txn)->pc, HEAD_INSTS);
    CU_ASSERT_EQUAL(TRACE_LINE(*txn), x.run.out);
    CU_ASSERT_EQUAL(TRACE_BYTES(*txn), 128);
    CU_ASSERT_EQUAL(x.t.work->txns, 1);
    traced_close(&x);
    traced_open(&x, STRIDE "ld.global.u32 %r3, [%rd6];", NULL, ONE_WARP);
    CU_ASSERT_EQUAL(find(&x, TRACE_READ, &txn)->n, 16);
    for (addr_t i = 0; i < 16; i++)
        CU_ASSERT_TRUE(has_line(txn, 16, x.run.out + 128 * i));
    CU_ASSERT_EQUAL(x.t.work->txns, 16);
    traced_close(&x);
}

/* Segments of words shrink to the half or the quarter that is touched; those of bytes have 32. */
static void stores_have_the_bytes_that_they_move(void)
{
    static const struct {
        const char *body;
        int n, bytes;
    } row[] = {
        {"st.global.u32 [%rd3], %r1;", 1, 128},
        {"setp.lt.u32 %p1, %r1, 16; @%p1 st.global.u32 [%rd3], %r1;", 1, 64},
        {"setp.lt.u32 %p1, %r1, 8; @%p1 st.global.u32 [%rd3], %r1;", 1, 32},
        {"setp.eq.u32 %p1, %r1, 9; @%p1 st.global.u32 [%rd3], %r1;", 1, 32},
        {"st.global.u8 [%rd3], %r1;", 4, 32},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct traced x;
        const addr_t *txn = NULL;
        traced_open(&x, row[i].body, NULL, ONE_WARP);
        CU_ASSERT_EQUAL(find(&x, TRACE_WRITE, &txn)->n, row[i].n);
        for (int k = 0; k < row[i].n; k++)
            CU_ASSERT_EQUAL(TRACE_BYTES(txn[k]), row[i].bytes);
        CU_ASSERT_EQUAL(x.t.work->txns, row[i].n);
        traced_close(&x);
    }
    struct traced x;
    const addr_t *txn = NULL;
    traced_open(&x, row[3].body, NULL, ONE_WARP); /* word 9 lies in the second quarter */
    find(&x, TRACE_WRITE, &txn);
    CU_ASSERT_EQUAL(TRACE_LINE(*txn), x.run.out + 32);
    traced_close(&x);
}

/* Words of a thread lie 15 cores x 32 threads x 4 bytes apart, from 1 << 62 on. */
static void local_memory_is_that_of_core_0(void)
{
    struct traced x;
    const addr_t *txn = NULL;
    traced_open(&x, ".local .align 8 .b8 a[64]; st.local.u32 [a+4], %r1; ld.local.u64 %rd5, [a+8];",
                NULL, ONE_WARP);
    CU_ASSERT_EQUAL(find(&x, TRACE_LOCAL_WRITE, &txn)->n, 1);
    CU_ASSERT_EQUAL(TRACE_LINE(*txn), (1ull << 62) + 15 * 128);
    CU_ASSERT_EQUAL(find(&x, TRACE_LOCAL_READ, &txn)->n, 2);
    CU_ASSERT_TRUE(has_line(txn, 2, (1ull << 62) + 2 * 15 * 128));
    CU_ASSERT_TRUE(has_line(txn, 2, (1ull << 62) + 3 * 15 * 128));
    CU_ASSERT_EQUAL(x.t.work->txns, 3);
    traced_close(&x);
}

/* Lane i at word i: one cycle; at word 2 i two lanes a bank. Nothing of it leaves the core. */
static void shared_memory_has_cycles(void)
{
    static const struct {
        const char *body;
        int cycles;
    } row[] = {
        {"shl.b32 %r2, %r1, 2; mov.u32 %r3, sh; add.s32 %r3, %r3, %r2; ld.shared.u32 %r4, [%r3];",
         1},
        {"shl.b32 %r2, %r1, 3; mov.u32 %r3, sh; add.s32 %r3, %r3, %r2; ld.shared.u32 %r4, [%r3];",
         2},
        {"shl.b32 %r2, %r1, 7; mov.u32 %r3, sh; add.s32 %r3, %r3, %r2; st.shared.u32 [%r3], %r1;",
         32},
        {"ld.shared.u32 %r4, [sh];", 1},
        {"atom.shared.add.u32 %r4, [sh], 1;", 1}, /* yen2014: lanes are served together */
    };
    static const char *const turns[] = {"shared_atomic_turns=true", NULL};
    for (size_t i = 0; i <= sizeof row / sizeof *row; i++) {
        const bool last = i == sizeof row / sizeof *row; /* the atomic again, lane by lane */
        char body[256];
        struct traced x;
        const addr_t *txn = NULL;
        snprintf(body, sizeof body, ".shared .align 4 .b8 sh[4096]; %s", row[i - last].body);
        traced_open(&x, body, last ? turns : NULL, ONE_WARP);
        CU_ASSERT_EQUAL(find(&x, TRACE_SHARED, &txn)->n, last ? 32 : row[i].cycles);
        CU_ASSERT_EQUAL(x.t.work->txns, 0);
        CU_ASSERT_EQUAL(x.t.warp->txns, 2); /* of the parameters */
        traced_close(&x);
    }
}

/* Both parameters lie in one line of the constant cache; each load asks for it. */
static void constants_have_lines_of_their_cache(void)
{
    struct traced x;
    const addr_t *txn = NULL;
    traced_open(&x, "ld.param.u64 %rd5, [in];", NULL, ONE_WARP);
    CU_ASSERT_EQUAL(find(&x, TRACE_CONST, &txn)->n, 1);
    CU_ASSERT_EQUAL(TRACE_BYTES(*txn), 64);
    CU_ASSERT_EQUAL(x.t.warp->txns, 3);
    CU_ASSERT_EQUAL(TRACE_LINE(txn[0]), TRACE_LINE(txn[1]));
    CU_ASSERT_EQUAL(x.t.work->txns, 0);
    traced_close(&x);
}

static void what_goes_past_l1d_is_told_apart(void)
{
    static const struct {
        const char *body;
        uint8_t kind;
        int n;
    } row[] = {
        {"ld.global.cg.u32 %r3, [%rd3];", TRACE_PAST_READ, 1},
        {"ld.volatile.global.u32 %r3, [%rd3];", TRACE_PAST_READ, 1},
        {"st.global.cg.u32 [%rd3], %r1;", TRACE_PAST_WRITE, 1},
        {"atom.global.add.u32 %r3, [%rd3], 1;", TRACE_ATOMIC, 2}, /* half warps */
        {"red.global.add.u32 [%rd1], 1;", TRACE_ATOMIC, 32},      /* lanes at one word */
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct traced x;
        const addr_t *txn = NULL;
        traced_open(&x, row[i].body, NULL, ONE_WARP);
        CU_ASSERT_EQUAL(find(&x, row[i].kind, &txn)->n, row[i].n);
        CU_ASSERT_EQUAL(x.t.work->txns, row[i].n);
        traced_close(&x);
    }
}

/* Two rounds of 15 CTAs, one a core, of 33. CTA 3's core is number 0: each core has its own, and
 * cores 0 .. 2 none of the third round, which is not recorded. */
static void every_core_has_its_own_ctas(void)
{
    struct traced x;
    traced_open(&x, OWN_LINE "ld.global.u8 %r3, [%rd6]; st.global.u8 [%rd6], %r3;", NULL,
                (struct traced_shape){.ctas = 33, .threads = 64, .first = 3, .want = 2});
    CU_ASSERT_EQUAL(x.t.ctas, 2);
    CU_ASSERT_EQUAL(x.t.warps_per_cta, 2);
    CU_ASSERT_EQUAL(traced_ctas(&x), 30);
    for (int i = 0; i < 15; i++)
        CU_ASSERT_EQUAL(trace_core_ctas(&x.t, i), 2);
    for (addr_t cta = 0; cta < 30; cta++)
        for (addr_t w = 0; w < 2; w++) {
            const addr_t at = cta / 15, core = (cta % 15 + 12) % 15;
            const addr_t own = x.run.out + 128 * (cta + w);
            const struct trace_warp *mine = &x.t.warp[(at * 15 + core) * 2 + w];
            CU_ASSERT_EQUAL_FATAL(mine->txns, 2 + 4 + 4); /* 128 bytes in parts of 32 */
            CU_ASSERT_EQUAL(TRACE_BYTES(mine->txn[2]), 32);
            CU_ASSERT_TRUE(has_line(mine->txn + 2, 4, own + 96));
            CU_ASSERT_TRUE(has_line(mine->txn + 6, 4, own + 96));
        }
    traced_close(&x);
}

/* 30 CTAs on 15 cores: two rounds; from 15 on the second. */
static void there_may_be_fewer_ctas_than_asked_for(void)
{
    static const struct {
        uint64_t first;
        int ctas;
    } row[] = {{3, 2}, {0, 2}, {14, 2}, {15, 1}, {29, 1}, {30, 0}, {1000, 0}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct traced x;
        traced_open(
            &x, "", NULL,
            (struct traced_shape){.ctas = 30, .threads = 32, .first = row[i].first, .want = 5});
        CU_ASSERT_EQUAL(x.t.ctas, row[i].ctas);
        CU_ASSERT_EQUAL(x.t.insts, (uint64_t)(15 * row[i].ctas) * (HEAD_INSTS + 1));
        traced_close(&x);
    }
}

/* A loop of 3 instructions. A CTA is recorded up to 2^17 of its warps' instructions, as many of
 * each warp; the rest is counted. */
static void long_ctas_are_cut(void)
{
    struct traced x;
    traced_open(&x,
                "mov.u32 %r2, 0; setp.gt.u32 %p1, %r1, 31; @%p1 bra E;\n"
                "L: add.s32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 40000; @%p1 bra L;\nE:",
                NULL, (struct traced_shape){.ctas = 1, .threads = 64, .want = 1});
    const uint64_t all = HEAD_INSTS + 3 + 3 * 40000 + 1, most = 1 << 16;
    CU_ASSERT_EQUAL(x.t.warp[0].insts, most);
    CU_ASSERT_EQUAL(x.t.warp[1].insts, HEAD_INSTS + 3 + 1);
    CU_ASSERT_EQUAL(x.t.dropped, all - most);
    CU_ASSERT_EQUAL(x.t.work[0].insts, all + HEAD_INSTS + 3 + 1);
    CU_ASSERT_EQUAL(x.t.ctas, 1);
    traced_close(&x);
}

/* One core: every CTA is its own. Each of its 8192 rounds has 4 instructions and 32 stores, and
 * 2^24 of both are enough: those of 57 CTAs; if 59 fit on the core at once, theirs. */
static void no_cta_begins_once_enough_is_recorded(void)
{
    static const char *const one[] = {"cores=1", NULL};
    static const int fits[] = {0, 8, 59}, want[] = {57, 57, 59};
    for (int f = 0; f < 3; f++) {
        struct traced x;
        traced_open(&x,
                    "mul.wide.u32 %rd5, %r1, 128; add.s64 %rd6, %rd1, %rd5; mov.u32 %r2, 0;\n"
                    "L: st.global.u32 [%rd6], %r2; add.s32 %r2, %r2, 1;\n"
                    "setp.lt.u32 %p1, %r2, 8192; @%p1 bra L;",
                    one,
                    (struct traced_shape){.ctas = 60, .threads = 32, .want = 60, .fits = fits[f]});
        const struct trace_warp *w = x.t.warp;
        CU_ASSERT_EQUAL(x.t.work[0].txns, 8192 * 32);
        CU_ASSERT(f > 1 || (uint32_t)x.t.ctas == (1 << 24) / (w[0].insts + w[0].txns) + 1);
        CU_ASSERT_EQUAL(x.t.ctas, want[f]);
        CU_ASSERT_EQUAL(x.t.insts, (uint64_t)want[f] * w[0].insts);
        CU_ASSERT_EQUAL(x.t.txns, (uint64_t)want[f] * w[0].txns);
        for (int i = 0; i < 60; i++)
            CU_ASSERT_EQUAL(w[i].insts, i < want[f] ? w[0].insts : 0);
        traced_close(&x);
    }
}

/* CTA i of 40 goes i times round a loop of 3, and stores two lines a warp. What is recorded does
 * not matter: all CTAs count, with what of a long one is dropped. Parameters are no transactions
 * that leave the core. */
static void every_ctas_work_is_counted(void)
{
    struct traced x;
    traced_open(&x,
                "mov.u32 %r9, %ctaid.x; mov.u32 %r2, 0;\n"
                "L: add.s32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, %r9; @%p1 bra L;\n"
                "mul.wide.u32 %rd5, %r1, 8; add.s64 %rd6, %rd1, %rd5; st.global.u64 [%rd6], %rd5;",
                NULL, (struct traced_shape){.ctas = 40, .threads = 64, .first = 20, .want = 1});
    uint64_t all = 0;
    CU_ASSERT_PTR_NOT_NULL_FATAL(x.t.work);
    for (uint64_t i = 0; i < 40; i++) {
        const uint64_t rounds = i ? i : 1, each = HEAD_INSTS + 2 + 3 * rounds + 3 + 1;
        CU_ASSERT_EQUAL(x.t.work[i].insts, 2 * each);
        CU_ASSERT_EQUAL(x.t.work[i].txns, 2 * 2);
        all += 2 * each;
    }
    CU_ASSERT_EQUAL(x.t.all_work.insts, all);
    CU_ASSERT_EQUAL(x.t.all_work.txns, 40 * 4);
    CU_ASSERT_EQUAL(all, x.run.counts.warp_insts);
    traced_close(&x);
}

/* Half of the lanes leave first: the warp's instructions are counted when the last lane does. */
static void a_warp_that_ends_in_parts_is_counted_once(void)
{
    struct traced x;
    traced_open(&x, "setp.lt.u32 %p1, %r1, 16; @%p1 ret; mov.u32 %r2, 1;", NULL, ONE_WARP);
    CU_ASSERT_EQUAL(x.t.work[0].insts, HEAD_INSTS + 4);
    CU_ASSERT_EQUAL(x.run.counts.warp_insts, HEAD_INSTS + 4);
    traced_close(&x);
}

/* 15 cores. From CTA 19 on, at place 4 of the round that begins with 15: 19, 20, 21, then 15 more
 * each. From 28, at place 13: 28, 29 and, round the end of its round, 15. */
static void a_cores_ctas_are_a_round_apart(void)
{
    static const struct {
        uint64_t first, cta[3];
    } row[] = {{19, {19, 20, 21}}, {28, {28, 29, 15}}, {0, {0, 1, 2}}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct traced x;
        traced_open(
            &x, "", NULL,
            (struct traced_shape){.ctas = 90, .threads = 32, .first = row[i].first, .want = 2});
        for (int k = 0; k < 3; k++)
            for (int n = 0; n < 4; n++)
                CU_ASSERT_EQUAL(trace_cta(&x.t, k, n), row[i].cta[k] + 15 * (uint64_t)n);
        traced_close(&x);
    }
}

/* A line is read before a loop of 150000 instructions, and 16 behind it, where nothing is
 * recorded any more. A store is no read. */
static void what_cut_ctas_read_later_is_counted(void)
{
    struct traced x;
    traced_open(&x,
                STRIDE "ld.global.u32 %r3, [%rd3]; mov.u32 %r2, 0;\n"
                       "L: add.s32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 50000; @%p1 bra L;\n"
                       "ld.global.u32 %r3, [%rd6]; st.global.u32 [%rd6], %r3;",
                NULL, ONE_WARP);
    CU_ASSERT_EQUAL(x.t.warp[0].insts, 1 << 17);
    CU_ASSERT_EQUAL(x.t.reads, 1);
    CU_ASSERT_EQUAL(x.t.dropped_reads, 16);
    CU_ASSERT_EQUAL(x.t.work[0].txns, 1 + 16 + 16);
    traced_close(&x);
}

SUITE("trace", T(loads_have_a_transaction_a_line), T(stores_have_the_bytes_that_they_move),
      T(local_memory_is_that_of_core_0), T(shared_memory_has_cycles),
      T(constants_have_lines_of_their_cache), T(what_goes_past_l1d_is_told_apart),
      T(every_core_has_its_own_ctas), T(there_may_be_fewer_ctas_than_asked_for),
      T(long_ctas_are_cut), T(what_cut_ctas_read_later_is_counted),
      T(no_cta_begins_once_enough_is_recorded), T(every_ctas_work_is_counted),
      T(a_warp_that_ends_in_parts_is_counted_once), T(a_cores_ctas_are_a_round_apart))
