/* Textures through the whole GPU: tests/data/textures compares what the texture unit filters with
 * what loads and arithmetic make of the same pixels. */
#include "tests/gpu/random_gpu.h"

#define TARGET "tests/data/textures"

static struct run_stats stats_of(const char *const *settings)
{
    const struct gpu_cfg cfg = whole_gpu("yen2014", settings);
    return whole_run(TARGET, &cfg, NULL).stats;
}

/* Without an L2 every line that misses is read from DRAM. */
static void misses_go_to_dram(void)
{
    const struct run_stats s = stats_of(NULL);
    CU_ASSERT_TRUE(s.texture_misses > 0 && s.texture_hits > 0);
    CU_ASSERT_EQUAL(s.texture_accesses, s.texture_hits + s.texture_misses);
    CU_ASSERT_EQUAL(s.dram_texture_reads, s.texture_misses);
    CU_ASSERT_EQUAL(s.dram_reads, s.l1d_misses + s.texture_misses);
    CU_ASSERT_EQUAL(s.l2_accesses, 0);
}

static void an_l2_may_be_for_textures_alone(void)
{
    const char *const l2[] = {"l2.enabled=true", "partition.l2_texture_only=true", NULL};
    const struct run_stats s = stats_of(l2);
    CU_ASSERT_EQUAL(s.l2_accesses, s.texture_misses);
    CU_ASSERT_EQUAL(s.l2_misses, s.dram_texture_reads);
    CU_ASSERT_TRUE(s.l2_misses < s.l2_accesses); /* 96 tiles of the image, read by many cores */
    CU_ASSERT_EQUAL(s.dram_reads, s.l1d_misses + s.dram_texture_reads);
}

/* Bilinear fetches between tiles need up to four lines; the warps' 16 x 2 pixels are 8 x 1 texels
 * and their neighbours. */
static void a_fetch_asks_for_every_line_that_it_needs(void)
{
    const char *const whole[] = {"texture_first_texel=false", NULL};
    CU_ASSERT_TRUE(stats_of(whole).texture_accesses > stats_of(NULL).texture_accesses);
}

static void without_a_texture_cache_results_are_the_same(void)
{
    const char *const off[] = {"l1t.enabled=false", NULL};
    const struct run_stats s = stats_of(off);
    CU_ASSERT_EQUAL(s.texture_accesses, 0);
    CU_ASSERT_TRUE(s.dram_texture_reads > 0);
}

static void a_crowded_cache_refuses_and_comes_to_an_end(void)
{
    const char *const tiny[] = {"l1t.size=256",    "l1t.ways=1",    "l1t.requests=1", "l1t.rob=1",
                                "l1t.fragments=2", "l1t.results=1", "l1t.latency=9",  NULL};
    CU_ASSERT_TRUE(stats_of(tiny).texture_fails > 0);
}

static void every_gpu_gives_the_same_results(void)
{
    static const char *const gpus[] = {"yen2014",       "gpgpusim321",        "kayiran2013",
                                       "park2015",      "kayiran2013-mesh56", "kayiran2013-mesh110",
                                       "awatramani2015"};
    const uint64_t hash = whole_run(TARGET, NULL, NULL).hash;
    for (size_t i = 0; i < sizeof gpus / sizeof *gpus; i++) {
        const struct gpu_cfg cfg = whole_gpu(gpus[i], NULL);
        CU_ASSERT_EQUAL(whole_run(TARGET, &cfg, NULL).hash, hash);
    }
    struct rng r = rng_seed(11);
    for (int i = 0; i < 8; i++) {
        const struct gpu_cfg cfg = random_gpu(&r);
        CU_ASSERT_EQUAL(whole_run(TARGET, &cfg, NULL).hash, hash);
    }
}

static void order_and_sleep_change_nothing(void)
{
    const char *const awake[] = {"tick_every_cycle=true", NULL};
    const struct gpu_cfg cfg = whole_gpu("park2015", NULL), slow = whole_gpu("park2015", awake);
    const struct gpu_opts reverse = {.reverse_ticks = true};
    const struct whole a = whole_run(TARGET, &cfg, NULL);
    const struct whole b = whole_run(TARGET, &cfg, &reverse), c = whole_run(TARGET, &slow, NULL);
    CU_ASSERT_TRUE(whole_same(&a.stats, &b.stats));
    CU_ASSERT_TRUE(whole_same(&a.stats, &c.stats));
    CU_ASSERT_EQUAL(a.hash, c.hash);
}

SUITE("textures on a GPU", T(misses_go_to_dram), T(an_l2_may_be_for_textures_alone),
      T(a_fetch_asks_for_every_line_that_it_needs), T(without_a_texture_cache_results_are_the_same),
      T(a_crowded_cache_refuses_and_comes_to_an_end), T(every_gpu_gives_the_same_results),
      T(order_and_sleep_change_nothing))
