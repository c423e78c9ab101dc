#include "cli/set_degree.h"
#include "tests/suite.h"

#include <stdlib.h>
#include <string.h>

/* 48 KB of shared memory, 8 CTA slots, 32768 registers; nothing is rounded up. */
static struct sm_cfg plain(void)
{
    return (struct sm_cfg){.max_ctas = 8,
                           .max_threads = 1536,
                           .registers = 32768,
                           .register_granularity = 1,
                           .warp_granularity = 1,
                           .shared_bytes = 49152,
                           .shared_granularity = 1};
}

static struct cta_resources cta(const struct sm_cfg *c, int regs, int fixed, int dynamic)
{
    struct cta_resources k = {.threads = 128,
                              .regs = regs,
                              .static_shared = (uint32_t)fixed,
                              .all_shared = (uint32_t)((fixed + 15) / 16 * 16 + dynamic)};
    k.n_max = occupancy(c, k.threads, k.regs, (int)k.all_shared, &k.limit);
    return k;
}

/* The least s with 49152 / s == n, rounded up to 16: more than 49152 / (n + 1).
 * n = 7: 6144 + 16; n = 3: 12288 + 16; n = 1: 24576 + 16; of these 100 -> 112 bytes are there. */
static void the_least_bytes_with_which_n_fit(void)
{
    const struct sm_cfg c = plain();
    const struct cta_resources none = cta(&c, 16, 0, 0), some = cta(&c, 16, 100, 32);
    static const struct {
        int n, bytes;
    } row[] = {{7, 6160}, {3, 12304}, {1, 24592}};
    for (size_t i = 0; i < 3; i++) {
        CU_ASSERT_EQUAL(set_degree_shared(&c, &none, row[i].n), row[i].bytes);
        CU_ASSERT_EQUAL(set_degree_shared(&c, &some, row[i].n), row[i].bytes - 112);
    }
    CU_ASSERT_EQUAL(set_degree_shared(&c, &none, 8), 0);
    CU_ASSERT_EQUAL(set_degree_shared(&c, &some, 8), 32);
    CU_ASSERT_EQUAL(set_degree_dynamic(&some), 32);
    CU_ASSERT_EQUAL(set_degree_shared(&c, &none, 9), -1);
}

/* A CTA takes 1024 bytes more, in units of 256, of 65536: 32 of them fit at 2048 each, so 1024 are
 * its own at most; and 24 never do: 24 x 2560 = 61440, 25 x 2560 = 64000 fit, 22 x 2816 = 61952. */
static void every_number_given_gives_n(void)
{
    struct sm_cfg c = plain();
    c.max_ctas = 32;
    c.max_threads = 32 * 128;
    c.registers = 65536;
    c.shared_bytes = 65536;
    c.shared_granularity = 256;
    c.shared_reserved = 1024;
    const struct cta_resources k = cta(&c, 16, 40, 0);
    CU_ASSERT_EQUAL(k.n_max, 32);
    CU_ASSERT_EQUAL(set_degree_shared(&c, &k, 24), -1);
    CU_ASSERT_EQUAL(set_degree_shared(&c, &k, 25), 1296 - 48); /* 1024 + 1296 > 9 x 256 */
    for (int n = 1; n <= 32; n++) {
        const int bytes = set_degree_shared(&c, &k, n);
        if (bytes >= 0)
            CU_ASSERT_EQUAL(occupancy(&c, 128, 16, 48 + bytes, NULL), n);
    }
}

static void expect(const struct sm_cfg *c, const struct cta_resources *k, int n, const char *text)
{
    char out[SET_DEGREE_ROOM];
    CU_ASSERT_STRING_EQUAL(set_degree_text(c, k, n, out), text);
}

/* 63 registers of 128 threads: 32768 / 8064 = 4 CTAs. */
static void fewer_by_shared_memory_more_by_fewer_registers(void)
{
    struct sm_cfg c = plain();
    const struct cta_resources k = cta(&c, 63, 100, 32);
    CU_ASSERT_EQUAL(k.n_max, 4);
    expect(&c, &k, 3, "12160 bytes more dynamic shared memory: <<<grid, block, 12192>>>");
    expect(&c, &k, 4, "as it is; 5 would need __launch_bounds__(128, 5)");
    expect(&c, &k, 6, "__launch_bounds__(128, 6)");
    const struct cta_resources slots = cta(&c, 16, 0, 0);
    expect(&c, &slots, 8, "as it is");
    expect(&c, &slots, 9, "not by fewer registers: CTA slots limit it to 8");
    c.shared_bytes = 0;
    expect(&c, &slots, 2, "shared memory cannot hold it down to 2");
    c.shared_bytes = 102400; /* n = 1: 51216 bytes, beyond 48 KB */
    expect(&c, &slots, 1,
           "51216 bytes more dynamic shared memory: <<<grid, block, 51216>>>, after "
           "cudaFuncSetAttribute(.., cudaFuncAttributeMaxDynamicSharedMemorySize, ..)");
}

static void expect_lines(const struct sm_cfg *c, const struct cta_resources *k, int n,
                         const char *first, const char *second)
{
    char *line[SET_DEGREE_LINES] = {NULL};
    CU_ASSERT_EQUAL(set_degree_lines(c, k, n, "f", line), (first != NULL) + (second != NULL));
    if (first && line[0])
        CU_ASSERT_STRING_EQUAL(line[0], first);
    if (second && line[1])
        CU_ASSERT_STRING_EQUAL(line[1], second);
    for (int i = 0; i < SET_DEGREE_LINES; i++)
        free(line[i]);
}

/* The same numbers as above. The carve-out goes with dynamic shared memory alone. */
static void lines_to_paste(void)
{
    struct sm_cfg c = plain();
    const struct cta_resources slots = cta(&c, 16, 0, 0), regs = cta(&c, 64, 100, 32);
    expect_lines(&c, &slots, 3, "f<<<grid, block, 12304>>>(...);", NULL);
    expect_lines(&c, &slots, 8, NULL, NULL);
    expect_lines(&c, &slots, 9, NULL, NULL);
    expect_lines(&c, &regs, 5, "__global__ void __launch_bounds__(128, 5) f(...)", NULL);
    char *carveout = set_degree_carveout(&c, &slots, 3, "f");
    CU_ASSERT_STRING_EQUAL(
        carveout, "cudaFuncSetAttribute(f, cudaFuncAttributePreferredSharedMemoryCarveout, "
                  "cudaSharedmemCarveoutMaxShared);");
    free(carveout);
    CU_ASSERT_PTR_NULL(set_degree_carveout(&c, &slots, 8, "f"));
    CU_ASSERT_PTR_NULL(set_degree_carveout(&c, &regs, 5, "f"));
    c.shared_bytes = 102400;
    expect_lines(&c, &slots, 1,
                 "cudaFuncSetAttribute(f, cudaFuncAttributeMaxDynamicSharedMemorySize, 51216);",
                 "f<<<grid, block, 51216>>>(...);");
    c.shared_bytes = 0;
    expect_lines(&c, &slots, 2, NULL, NULL);
    CU_ASSERT_PTR_NULL(set_degree_carveout(&c, &slots, 2, "f"));
}

static void expect_blocks(const struct sm_cfg *c, const struct cta_resources *k, int n,
                          const char *text)
{
    char *found = set_degree_blocks(c, k, n);
    CU_ASSERT_EQUAL(!found, !text);
    if (found && text)
        CU_ASSERT_STRING_EQUAL(found, text);
    free(found);
}

/* 8 CTAs of 4 warps are 32; in blocks of 6, 8, 12, 16 warps 48 fit. With 70 registers a thread 14
 * warps fit, of which 3 CTAs of 4 use 12, 7 of 2 all. With 64 the 16 that fit are 4 CTAs. */
static void blocks_that_fit_more_warps(void)
{
    const struct sm_cfg c = plain();
    const struct cta_resources slots = cta(&c, 16, 0, 0), regs = cta(&c, 70, 0, 0),
                               full = cta(&c, 64, 0, 0), shared = cta(&c, 16, 20000, 0);
    expect_blocks(&c, &slots, 8,
                  "CTA slots limit it to 32 warps a core: other blocks fit more, see "
                  "`search --block-sizes 192,256,384,512`");
    expect_blocks(&c, &slots, 7, NULL);
    expect_blocks(&c, &regs, 3,
                  "registers limit it to 12 warps a core: other blocks fit more, see "
                  "`search --block-sizes 64`");
    expect_blocks(&c, &full, 4, NULL);
    expect_blocks(&c, &shared, 2, NULL);
}

SUITE("set_degree", T(the_least_bytes_with_which_n_fit), T(every_number_given_gives_n),
      T(fewer_by_shared_memory_more_by_fewer_registers), T(lines_to_paste),
      T(blocks_that_fit_more_warps))
