/* Whole files of PTX, by compilers or in their style, compute what their sources say. */
#include "base/file.h"
#include "tests/func/ptxrun.h"

#define DATA "tests/data/ptx/"

static bool open_file(struct ptxrun *r, const char *path, int threads)
{
    struct err e;
    size_t len;
    char *text = file_read(path, 1 << 20, &len, &e);
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    const bool ok = ptxrun_open(r, text, threads, 4096);
    free(text);
    return ok;
}

static void a_file_in_the_style_of_nvcc_2_runs(void)
{
    struct ptxrun r;
    open_file(&r, DATA "open64_ptx14_sm10.ptx", 32);
    r.l.grid[0] = 2;
    CU_ASSERT_TRUE(ptxrun_go(&r));
    for (uint32_t g = 0; g < 64; g++)
        CU_ASSERT_EQUAL(ptxrun_u32(&r, g), ((g & 7) * g + 1) + (g / 32 * 32 + 1) + 4);
    ptxrun_close(&r);
}

static void wide_division_by_carry_chains(void)
{
    typedef unsigned __int128 wide;
    static const struct {
        wide a, b;
    } v[] = {
        {100, 7},
        {(wide)1 << 100, 7},
        {((wide)1 << 127) + 12345, ((wide)1 << 40) + 1},
        {(wide)1 << 90, ((wide)1 << 70) + 3},
        {5, (wide)1 << 100},
        {((wide)1 << 64) + 5, (wide)1 << 32},
        {~(wide)0, 3},
        {~(wide)0, ~(wide)0 - 1},
    };
    enum { N = sizeof v / sizeof *v };
    struct ptxrun r;
    open_file(&r, DATA "div128_nvcc13_sm80.ptx", N);
    devmem_write(r.mem, r.in, v, sizeof v);
    CU_ASSERT_TRUE(ptxrun_go(&r));
    for (uint32_t i = 0; i < N; i++) {
        wide got[2];
        devmem_read(r.mem, r.out + sizeof got * i, got, sizeof got);
        CU_ASSERT_TRUE(got[0] == v[i].a / v[i].b);
        CU_ASSERT_TRUE(got[1] == v[i].a % v[i].b);
    }
    ptxrun_close(&r);
}

SUITE("compiled PTX", T(a_file_in_the_style_of_nvcc_2_runs), T(wide_division_by_carry_chains))
