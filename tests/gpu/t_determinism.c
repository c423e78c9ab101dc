/* The same bits, however the simulator goes about it: in which order cores take their turns, with
 * or without sleeping. That results never depend on timing parameters either is shown on every
 * workload, in tests/workloads/. */
#include "tests/gpu/whole.h"

/* No thread of these reads or writes what another writes in the same launch. bfs does: whether a
 * thread still sees an unvisited node, and stores, depends on when its core had its turn. */
static void reversed(const char *gpu, const char *workload)
{
    const struct gpu_cfg cfg = whole_gpu(gpu, NULL);
    const struct gpu_opts reverse = {.reverse_ticks = true};
    const struct whole a = whole_run(workload, &cfg, NULL), b = whole_run(workload, &cfg, &reverse);
    CU_ASSERT_EQUAL(a.hash, b.hash);
    CU_ASSERT_TRUE(whole_same(&a.stats, &b.stats));
}

static void cores_in_reverse_order_give_the_same_bits(void)
{
    reversed("yen2014", "vecadd");
    if (!SANITIZED) {
        reversed("yen2014", "matmul");
        reversed("park2015", "nbf");
    }
    reversed("kayiran2013", "vecadd"); /* clusters in reverse; in them it is whose turn it is */
    reversed("kayiran2013-mesh56", "vecadd");
}

static void a_second_run_gives_the_same_bits(void)
{
    const struct gpu_cfg cfg = whole_gpu("park2015", NULL);
    const struct whole a = whole_run("matmul", &cfg, NULL), b = whole_run("matmul", &cfg, NULL);
    CU_ASSERT_EQUAL(a.hash, b.hash);
    CU_ASSERT_TRUE(whole_same(&a.stats, &b.stats));
}

/* Each thread that races in bfs stores the same value: the results are the same, the cycles not. */
static void a_harmless_race_leaves_the_results_alone(void)
{
    const struct gpu_cfg cfg = whole_gpu("yen2014", NULL);
    const struct gpu_opts reverse = {.reverse_ticks = true};
    CU_ASSERT_EQUAL(whole_run("bfs", NULL, NULL).hash, whole_run("bfs", &cfg, &reverse).hash);
}

static void cores_that_never_sleep_give_the_same_bits(void)
{
    const char *const awake[] = {"tick_every_cycle=true", NULL};
    static const char *const gpus[] = {"yen2014", "kayiran2013"};
    for (int g = 0; g < 2; g++) {
        const struct gpu_cfg cfg = whole_gpu(gpus[g], NULL), slow = whole_gpu(gpus[g], awake);
        const struct whole a = whole_run("vecadd", &cfg, NULL),
                           b = whole_run("vecadd", &slow, NULL);
        CU_ASSERT_EQUAL(a.hash, b.hash);
        CU_ASSERT_TRUE(whole_same(&a.stats, &b.stats));
    }
}

SUITE("determinism", T(cores_in_reverse_order_give_the_same_bits),
      T(a_second_run_gives_the_same_bits), T(a_harmless_race_leaves_the_results_alone),
      T(cores_that_never_sleep_give_the_same_bits))
