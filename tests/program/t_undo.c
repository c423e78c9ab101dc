/* Memory as it was before a launch that has run. */
#include "program/undo.h"

#include "tests/func/ptxrun.h"

#define BYTES 8192 /* of `out` */

static void before_store(void *user, const struct alloc *al)
{
    undo_storing(user, al);
}

/* in[tid] = 3 * out[tid] + 1, and then out[tid] = in[tid] + tid: what is read is overwritten. */
static bool both_ways(struct ptxrun *r, struct undo *u, uint64_t room)
{
    ptxrun_open(r,
                HEADER KERNEL("ld.global.u32 %r2, [%rd3]; mad.lo.u32 %r2, %r2, 3, 1;\n"
                              "add.s64 %rd5, %rd2, %rd4; st.global.u32 [%rd5], %r2;\n"
                              "add.u32 %r2, %r2, %r1; st.global.u32 [%rd3], %r2;"),
                32, BYTES);
    for (uint32_t i = 0; i < 32; i++)
        devmem_write(r->mem, r->out + 4 * i, &(uint32_t){100 + i}, 4);
    *u = (struct undo){.room = room};
    devmem_watch(r->mem, before_store, u);
    const bool ok = ptxrun_go(r);
    devmem_watch(r->mem, NULL, NULL);
    return ok;
}

static uint32_t word(struct devmem *m, addr_t a)
{
    uint32_t v = 0;
    CU_ASSERT_TRUE(devmem_read(m, a, &v, sizeof v));
    return v;
}

static void every_byte_is_as_it_was(void)
{
    struct ptxrun r;
    struct undo u;
    CU_ASSERT_TRUE_FATAL(both_ways(&r, &u, BYTES + 4096));
    CU_ASSERT_EQUAL(u.copies, 2); /* one of each buffer, however often it is written to */
    struct devmem *before = undo_clone(&u, r.mem);
    CU_ASSERT_PTR_NOT_NULL_FATAL(before);
    for (uint32_t i = 0; i < 32; i++) {
        CU_ASSERT_EQUAL(word(before, r.out + 4 * i), 100 + i);
        CU_ASSERT_EQUAL(word(before, r.in + 4 * i), i);
        CU_ASSERT_EQUAL(ptxrun_u32(&r, i), 3 * (100 + i) + 1 + i);
    }
    /* The launch does there what it has done. */
    struct launch again = r.l;
    struct func_counts counts;
    again.mem = before;
    CU_ASSERT_TRUE(func_run(&again, NULL, &counts, &r.err));
    CU_ASSERT_EQUAL(counts.warp_insts, r.counts.warp_insts);
    for (uint32_t i = 0; i < 32; i++)
        CU_ASSERT_EQUAL(word(before, r.out + 4 * i), ptxrun_u32(&r, i));
    devmem_free(before);
    undo_fini(&u);
    ptxrun_close(&r);
}

static void what_is_not_all_there_is_not_given(void)
{
    struct ptxrun r;
    struct undo u;
    CU_ASSERT_TRUE_FATAL(both_ways(&r, &u, BYTES + 4095));
    CU_ASSERT_EQUAL(u.copies, 1);
    CU_ASSERT_PTR_NULL(undo_clone(&u, r.mem));
    undo_fini(&u);
    CU_ASSERT_PTR_NULL(u.copy);
    ptxrun_close(&r);
}

SUITE("undo", T(every_byte_is_as_it_was), T(what_is_not_all_there_is_not_given))
