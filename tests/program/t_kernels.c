/* What counts as a kernel of its own, its name, and the registers that it is simulated with. */
#include "program/kernels.h"

#include <string.h>

#include "sim/gpu/gpu_cfg.h"
#include "tests/suite.h"

static struct program_plan plan(const char *selects)
{
    struct program_plan p = {.magic = PROGRAM_MAGIC};
    gpu_cfg_default(&p.cfg);
    snprintf(p.kernel, sizeof p.kernel, "%s", selects);
    return p;
}

static struct launch shape(struct kernel *k, int threads, uint32_t shared)
{
    return (struct launch){
        .kernel = k, .grid = {1, 1, 1}, .block = {threads, 1, 1}, .dyn_shared = shared};
}

static void an_entry_at_one_block_and_its_resources_is_one(void)
{
    struct kernel a = {.name = "a", .regs = 8, .shared_bytes = 100}, b = {.name = "b", .regs = 8};
    struct launch first = shape(&a, 64, 0),
                  others[] = {shape(&a, 128, 0), shape(&a, 64, 4), shape(&b, 64, 0)};
    const struct program_plan p = plan("");
    struct kernels ks = {0};
    CU_ASSERT_PTR_NULL(kernels_find(&ks, &first));
    const struct kernel_state *k = kernels_add(&ks, &p, &first);
    CU_ASSERT_STRING_EQUAL(k->k.name, "a");
    CU_ASSERT_EQUAL(k->k.block[0], 64);
    CU_ASSERT_EQUAL(k->k.regs, 8);
    CU_ASSERT_EQUAL(k->k.static_shared, 100);
    CU_ASSERT_EQUAL(k->k.shared, launch_shared(&first));
    CU_ASSERT_TRUE(k->k.n_max > 0);
    for (int i = 0; i < 3; i++) {
        CU_ASSERT_PTR_NULL(kernels_find(&ks, &others[i]));
        kernels_add(&ks, &p, &others[i]);
    }
    first.grid[0] = 7; /* that is no resource */
    CU_ASSERT_EQUAL(kernels_find(&ks, &first)->k.kernel, 0);
    for (int i = 0; i < 3; i++)
        CU_ASSERT_EQUAL(kernels_find(&ks, &others[i])->k.kernel, i + 1);
    kernels_fini(&ks);
    CU_ASSERT_EQUAL(ks.count, 0);
}

/* 2 warps of 100 registers a thread are 6,400; there is room for 4,096 / 64 = 64 a thread, and
 * registers come in twelves: 60. */
static void registers_that_do_not_fit_are_fewer(void)
{
    struct kernel a = {.name = "a", .regs = 100};
    struct launch first = shape(&a, 64, 0), second = first;
    struct program_plan p = plan("");
    p.cfg.sm.registers = 4096;
    p.cfg.sm.register_granularity = 12;
    struct kernels ks = {0};
    const struct kernel_state *k = kernels_add(&ks, &p, &first);
    CU_ASSERT_EQUAL(k->k.regs, 60);
    CU_ASSERT_EQUAL(k->k.n_max, 1);
    CU_ASSERT_EQUAL(k->k.limit, OCC_REGISTERS);
    CU_ASSERT_EQUAL(launch_regs(&first), 60);
    CU_ASSERT_EQUAL(launch_regs(&second), 100);
    CU_ASSERT_PTR_EQUAL(kernels_find(&ks, &second), k);
    CU_ASSERT_EQUAL(launch_regs(&second), 60);
    kernels_fini(&ks);
}

static void kernels_are_selected_by_part_of_either_name(void)
{
    static const struct {
        const char *selects;
        bool it;
    } row[] = {{"", true},        {"scale", true}, {"_Z5scale", true}, {"scale(float", true},
               {"scales", false}, {"vec", false}};
    struct kernel a = {.name = "_Z5scalePf", .regs = 8};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct launch l = shape(&a, 64, 0);
        const struct program_plan p = plan(row[i].selects);
        struct kernels ks = {0};
        CU_ASSERT_EQUAL(kernels_add(&ks, &p, &l)->k.selected, row[i].it);
        kernels_fini(&ks);
    }
}

static void a_long_name_is_cut_where_it_is_shown_only(void)
{
    static char name[2 * KERNEL_NAME];
    memset(name, 'x', sizeof name - 1);
    struct kernel a = {.name = name, .regs = 8};
    struct launch l = shape(&a, 64, 0);
    const struct program_plan p = plan("");
    struct kernels ks = {0};
    const struct kernel_state *k = kernels_add(&ks, &p, &l);
    CU_ASSERT_EQUAL(strlen(k->k.name), KERNEL_NAME - 1);
    CU_ASSERT_STRING_EQUAL(k->k.name + KERNEL_NAME - 5, "x...");
    CU_ASSERT_STRING_EQUAL(k->key.name, name);
    name[sizeof name - 2] = 'y'; /* another one, though it looks the same */
    CU_ASSERT_PTR_NULL(kernels_find(&ks, &l));
    kernels_fini(&ks);
}

SUITE("kernels of a program", T(an_entry_at_one_block_and_its_resources_is_one),
      T(registers_that_do_not_fit_are_fewer), T(kernels_are_selected_by_part_of_either_name),
      T(a_long_name_is_cut_where_it_is_shown_only))
