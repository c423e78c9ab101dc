#include "sim/sm/mem_transactions.h"
#include "tests/gpu/whole.h"

#define BASE 0x80000000ull

struct made {
    struct mem_demand d;
    struct txn t[COALESCE_MAX];
};

/* An instruction of so many bytes a lane, whose lanes lie `apart` bytes from each other. */
static struct made make(const struct gpu_cfg *cfg, struct inst in, enum space space, int bytes,
                        int apart)
{
    struct coalescer c;
    struct step *st = xcalloc(1, sizeof *st);
    struct made m = {0};
    const struct mem_env env = {.sm = &cfg->sm, .mem = &cfg->mem, .local = 1 << 20, .stride = 8192};
    in.vec = in.vec ? in.vec : 1;
    in.space = (uint8_t)space;
    st->inst = &in;
    st->active = LANES_ALL;
    st->space = space;
    st->bytes = (uint8_t)bytes;
    for (int i = 0; i < WARP_SIZE; i++)
        st->addr[i] = (space == SP_GLOBAL ? BASE : 0) + (addr_t)(i * apart);
    mem_transactions(&env, st, &c, &m.d, m.t);
    free(st);
    return m;
}

static void what_becomes_of_each_kind(void)
{
    const struct gpu_cfg cfg = whole_gpu("yen2014", NULL);
    static const struct {
        struct inst in;
        enum space space;
        int bytes, apart, n, conflict;
        bool load, store, atomic, past;
    } row[] = {
        {{.flags = INST_LOAD}, SP_GLOBAL, 4, 4, 1, 1, .load = true},    /* a line of 128 */
        {{.flags = INST_LOAD}, SP_GLOBAL, 4, 128, 32, 1, .load = true}, /* a line each */
        {{.flags = INST_STORE}, SP_GLOBAL, 4, 8, 2, 1, .store = true},
        {{.flags = INST_LOAD | INST_VOLATILE}, SP_GLOBAL, 4, 4, 1, 1, .load = true, .past = true},
        {{.flags = INST_LOAD, .cache = CACHE_CG},
         SP_GLOBAL,
         4,
         4,
         1,
         1,
         .load = true,
         .past = true},
        {{.flags = INST_ATOMIC},
         SP_GLOBAL,
         4,
         0,
         32,
         1, /* one lane after the other */
         .load = true,
         .atomic = true,
         .past = true},
        /* the first element of a vector alone: 32 lines of which 4 bytes are touched */
        {{.flags = INST_LOAD, .vec = 4}, SP_GLOBAL, 16, 128, 32, 1, .load = true},
        {{.flags = INST_LOAD}, SP_SHARED, 4, 4, 0, 1, .load = true},
        {{.flags = INST_STORE}, SP_SHARED, 4, 8, 0, 2, .store = true}, /* 2 words a bank */
        {{.flags = INST_LOAD}, SP_LOCAL, 4, 0, 1, 1, .load = true},    /* one word of each lane */
        {{.flags = INST_LOAD}, SP_LOCAL, 8, 0, 2, 1, .load = true},    /* two */
        {{.flags = INST_LOAD}, SP_CONST, 4, 0, 1, 1, .load = true},
        {{.flags = INST_LOAD}, SP_PARAM, 4, 4, 2, 1, .load = true}, /* lines of 64 */
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const struct made m = make(&cfg, row[i].in, row[i].space, row[i].bytes, row[i].apart);
        if (m.d.n != row[i].n || m.d.conflict != row[i].conflict)
            printf("\n  row %zu: %d transactions, conflict %d\n", i, m.d.n, m.d.conflict);
        CU_ASSERT_EQUAL(m.d.n, row[i].n);
        CU_ASSERT_EQUAL(m.d.conflict, row[i].conflict);
        CU_ASSERT_EQUAL(m.d.space, row[i].space);
        CU_ASSERT_EQUAL(m.d.load, row[i].load);
        CU_ASSERT_EQUAL(m.d.store, row[i].store);
        CU_ASSERT_EQUAL(m.d.atomic, row[i].atomic);
        CU_ASSERT_EQUAL(m.d.past, row[i].past);
    }
}

/* Highest address first. Word 1 lies `stride` behind word 0, where the warp's memory begins. */
static void local_words_lie_where_the_caller_says(void)
{
    const struct gpu_cfg cfg = whole_gpu("yen2014", NULL);
    const struct made m = make(&cfg, (struct inst){.flags = INST_LOAD}, SP_LOCAL, 8, 0);
    CU_ASSERT_EQUAL(m.t[0].addr, (1 << 20) + 8192);
    CU_ASSERT_EQUAL(m.t[1].addr, 1 << 20);
    CU_ASSERT_EQUAL(m.t[1].bytes, 128);
}

static void nothing_is_asked_without_a_lane_or_a_byte(void)
{
    const struct gpu_cfg cfg = whole_gpu("yen2014", NULL);
    const struct made m = make(&cfg, (struct inst){.flags = INST_ATOMIC}, SP_GLOBAL, 0, 4);
    CU_ASSERT_EQUAL(m.d.n, 0);
    CU_ASSERT_FALSE(m.d.atomic);
    CU_ASSERT_TRUE(m.d.load);
}

static void without_caches_everything_passes_by(void)
{
    static const char *const off[] = {"l1d.enabled=false", NULL};
    const struct gpu_cfg cfg = whole_gpu("yen2014", off);
    CU_ASSERT_TRUE(make(&cfg, (struct inst){.flags = INST_LOAD}, SP_GLOBAL, 4, 4).d.past);
    CU_ASSERT_TRUE(make(&cfg, (struct inst){.flags = INST_STORE}, SP_LOCAL, 4, 0).d.past);
}

SUITE("mem_transactions", T(what_becomes_of_each_kind), T(local_words_lie_where_the_caller_says),
      T(nothing_is_asked_without_a_lane_or_a_byte), T(without_caches_everything_passes_by))
