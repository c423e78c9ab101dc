/* PTX of the first years: a whole file in the style of nvcc 2.x computes what it says. */
#include "base/file.h"
#include "tests/func/ptxrun.h"

static void a_file_in_the_style_of_nvcc_2_runs(void)
{
    struct err e;
    size_t len;
    char *text = file_read("tests/data/ptx/open64_ptx14_sm10.ptx", 1 << 20, &len, &e);
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    struct ptxrun r;
    ptxrun_open(&r, text, 32, 4096);
    r.l.grid[0] = 2;
    CU_ASSERT_TRUE(ptxrun_go(&r));
    for (uint32_t g = 0; g < 64; g++)
        CU_ASSERT_EQUAL(ptxrun_u32(&r, g), ((g & 7) * g + 1) + (g / 32 * 32 + 1) + 4);
    ptxrun_close(&r);
    free(text);
}

SUITE("old PTX", T(a_file_in_the_style_of_nvcc_2_runs))
