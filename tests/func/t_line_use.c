/* Which launches used each line of an allocation last. */
#include "tests/func/ptxrun.h"

/* A run of 128 bytes from `out` on, and a word of every 124 bytes of `in`. */
static const char kernel[] = HEADER KERNEL(
    "st.global.u32 [%rd3], %r1; mul.wide.u32 %rd5, %r1, 124; add.s64 %rd6, %rd2, %rd5;"
    "ld.global.u32 %r2, [%rd6];");

static void go(struct ptxrun *r)
{
    CU_ASSERT_TRUE_FATAL(ptxrun_go(r));
    devmem_usage_end(r->mem);
}

/* Lines of the buffer at `a` that the launches used last, a digit each. */
static const char *used(const struct devmem *m, addr_t a, char text[64])
{
    uint64_t lines;
    const struct alloc *al = devmem_find((struct devmem *)m, a, 1);
    uint32_t *of = devmem_lines_used(m, al, &lines);
    CU_ASSERT_PTR_NOT_NULL_FATAL(of);
    for (uint64_t i = 0; i < lines; i++)
        text[i] = (char)('0' + of[i]);
    text[lines] = '\0';
    free(of);
    return text;
}

static void launches_leave_the_lines_that_they_use(void)
{
    struct ptxrun r;
    char text[64];
    uint64_t lines;
    ptxrun_open(&r, kernel, 32, 1000);
    go(&r);
    CU_ASSERT_PTR_NULL(devmem_lines_used(r.mem, devmem_find(r.mem, r.out, 1), &lines));
    devmem_follow_lines(r.mem, 128); /* launch 1 is over: it used the buffer, nobody knows where */
    CU_ASSERT_STRING_EQUAL(used(r.mem, r.out, text), "11111111");
    go(&r);
    CU_ASSERT_STRING_EQUAL(used(r.mem, r.out, text), "20000000");
    CU_ASSERT_STRING_EQUAL(used(r.mem, r.in, text), "22222222222222222222222222222220");
    r.params[0] = r.out + 64; /* in two lines */
    go(&r);
    CU_ASSERT_STRING_EQUAL(used(r.mem, r.out, text), "33000000");
    r.params[0] = r.out + 128;
    r.l.block[0] = 4; /* no run of all lanes */
    go(&r);
    CU_ASSERT_STRING_EQUAL(used(r.mem, r.out, text), "34000000");
    CU_ASSERT_STRING_EQUAL(used(r.mem, r.in, text), "44433333333333333333333333333330");
    ptxrun_close(&r);
}

/* What was there before the launch that runs, and after it, up to the next but one. */
static void a_copy_knows_what_was_there_before(void)
{
    struct ptxrun r;
    char text[64];
    ptxrun_open(&r, kernel, 32, 512);
    devmem_follow_lines(r.mem, 128);
    go(&r);
    struct devmem *before = devmem_share(r.mem), *const own = r.mem;
    CU_ASSERT_TRUE_FATAL(ptxrun_go(&r)); /* has not ended */
    CU_ASSERT_STRING_EQUAL(used(r.mem, r.out, text), "1000");
    r.l.mem = devmem_share(before); /* executing on a copy marks nothing */
    r.params[0] = r.out + 256;
    CU_ASSERT_TRUE(ptxrun_go(&r));
    devmem_free(r.l.mem);
    r.l.mem = own;
    devmem_usage_end(r.mem);
    CU_ASSERT_STRING_EQUAL(used(r.mem, r.out, text), "2000");
    CU_ASSERT_STRING_EQUAL(used(before, r.out, text), "1000");
    go(&r);
    CU_ASSERT_STRING_EQUAL(used(r.mem, r.out, text), "2030");
    CU_ASSERT_STRING_EQUAL(used(before, r.out, text), "1000");
    r.params[0] = r.out;
    go(&r); /* twice since the copy: what was there before is not known any more, but was used */
    CU_ASSERT_STRING_EQUAL(used(before, r.out, text), "1000");
    devmem_release(r.mem, r.out); /* the copy's lines stay */
    CU_ASSERT_STRING_EQUAL(used(before, r.out, text), "1000");
    devmem_free(before);
    ptxrun_close(&r);
}

/* As textures are, and what a launch is known to have done that was not executed. */
static void all_lines_of_a_buffer_may_be_used(void)
{
    struct ptxrun r;
    char text[64];
    ptxrun_open(&r, kernel, 32, 512);
    devmem_follow_lines(r.mem, 128);
    devmem_use_all(r.mem, devmem_find(r.mem, r.out, 1), ALLOC_READ);
    devmem_usage_end(r.mem);
    CU_ASSERT_STRING_EQUAL(used(r.mem, r.out, text), "1111");
    go(&r);
    CU_ASSERT_STRING_EQUAL(used(r.mem, r.out, text), "2111");
    ptxrun_close(&r);
}

/* What is kept of each line would be much. */
static void a_very_large_buffer_is_not_followed(void)
{
    struct ptxrun r;
    uint64_t lines;
    ptxrun_open(&r, kernel, 32, (DEVMEM_MOST_LINES + 1ull) * 128);
    devmem_follow_lines(r.mem, 128);
    go(&r);
    const struct alloc *al = devmem_find(r.mem, r.out, 1);
    CU_ASSERT_EQUAL(al->last_used, 1);
    CU_ASSERT_PTR_NULL(al->lines);
    CU_ASSERT_PTR_NULL(devmem_lines_used(r.mem, al, &lines));
    ptxrun_close(&r);
}

SUITE("func/line_use", T(a_very_large_buffer_is_not_followed),
      T(launches_leave_the_lines_that_they_use), T(a_copy_knows_what_was_there_before),
      T(all_lines_of_a_buffer_may_be_used))
