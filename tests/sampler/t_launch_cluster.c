/* Which launches are of one kernel, and which of these are alike. */
#include "sampler/profile/launch_cluster.h"

#include "tests/suite.h"

static const struct memory_use near = {.all = 1, .own = 1},
                               far = {.all = 1, .missed = {1, 1, 1, 1, 1, 1, 1, 1}, .own = 1};

static struct launch shape(struct kernel *k, int ctas)
{
    return (struct launch){.kernel = k, .grid = {ctas, 1, 1}, .block = {64, 1, 1}};
}

static int of(struct launch_clusters *c, const struct launch *l, int each,
              const struct memory_use *use)
{
    const uint64_t ctas = launch_ctas(l);
    const struct func_counts n = {.warp_insts = ctas * (uint64_t)each, .ctas = ctas};
    return launch_clusters_of(c, &(struct launch_was){l, &n, use});
}

/* Block, registers and shared memory are what a degree depends on. */
static void a_kernel_is_an_entry_and_what_its_ctas_take(void)
{
    struct kernel a = {.name = "a", .regs = 8}, b = {.name = "b", .regs = 8};
    const struct launch l = shape(&a, 100);
    struct launch same = shape(&a, 7), other[] = {l, l, l, shape(&b, 100)};
    struct kernel_key key = kernel_key_of(&l);
    struct kernel_key copy = kernel_key_copy(&key);
    other[0].block[0] = 32;
    other[1].dyn_shared = 4;
    other[2].regs_override = 7;
    CU_ASSERT_TRUE(kernel_key_is(&key, &same) && kernel_key_is(&copy, &same));
    for (int i = 0; i < 4; i++)
        CU_ASSERT_FALSE(kernel_key_is(&key, &other[i]));
    CU_ASSERT_PTR_NOT_EQUAL(key.name, copy.name);
    kernel_key_fini(&key);
    kernel_key_fini(&copy);
}

/* Classes are quarters of a power of two: 100 and 110 are alike, 100 and 200 are not. */
static void alike_are_grids_work_and_memory(void)
{
    struct kernel a = {.name = "a"}, b = {.name = "b"};
    struct launch_clusters c = {0};
    const struct launch l = shape(&a, 100), near_it = shape(&a, 110), large = shape(&a, 200),
                        else_where = shape(&b, 100);
    CU_ASSERT_FALSE(launch_clusters_may_hold(&c, &l));
    CU_ASSERT_EQUAL(of(&c, &l, 1000, &near), 0);
    CU_ASSERT_EQUAL(of(&c, &near_it, 1000, &near), 0);
    CU_ASSERT_EQUAL(of(&c, &l, 2000, &near), 1);
    CU_ASSERT_EQUAL(of(&c, &l, 1000, &far), 2);
    CU_ASSERT_TRUE(launch_clusters_may_hold(&c, &near_it));
    CU_ASSERT_FALSE(launch_clusters_may_hold(&c, &large));
    CU_ASSERT_FALSE(launch_clusters_may_hold(&c, &else_where));
    CU_ASSERT_EQUAL(of(&c, &else_where, 1000, &near), 3);
    CU_ASSERT_EQUAL(c.count, 4);
    for (int i = 0; i < 4; i++)
        CU_ASSERT_EQUAL(c.at[i].part, i % 3); /* of its kernel */
    launch_clusters_fini(&c);
    CU_ASSERT_PTR_NULL(c.at);
}

/* What is split off is of the same kind, but later launches go to the first. */
static void a_cluster_is_split(void)
{
    struct kernel a = {.name = "a"};
    struct launch_clusters c = {0};
    const struct launch l = shape(&a, 100);
    of(&c, &l, 1000, &far);
    launch_cluster_count(&c.at[0], &(struct func_counts){
                                       .warp_insts = 100000, .thread_insts = 3200000, .ctas = 100});
    CU_ASSERT_EQUAL(launch_clusters_split(&c, 0), 1);
    CU_ASSERT_EQUAL(c.at[1].part, 1);
    CU_ASSERT_EQUAL(c.at[1].launches, 0);
    CU_ASSERT_EQUAL(c.at[0].launches, 1);
    CU_ASSERT_EQUAL(c.at[0].thread_insts, 3200000);
    CU_ASSERT_TRUE(kernel_key_is(&c.at[1].kernel, &l));
    CU_ASSERT_EQUAL(of(&c, &l, 1000, &far), 0);
    launch_clusters_fini(&c);
}

SUITE("like launches", T(a_kernel_is_an_entry_and_what_its_ctas_take),
      T(alike_are_grids_work_and_memory), T(a_cluster_is_split))
