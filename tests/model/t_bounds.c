/* What bounds a kernel, by every model: caches and memory only where it waits for them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/model.h"
#include "tests/suite.h"

struct shape {
    const char *name;
    double warps, insts;   /* of a CTA */
    double misses, growth; /* of 100 accesses, alone; what the eighth CTA makes of them */
    double lines;          /* reused ones, times the L1D */
    double accesses;       /* per warp instruction */
    double sfu;            /* of its instructions */
    double l2;             /* lines */
};

/* A CTA issues or computes nearly always, two misses in 100 accesses wait for memory a little, and
 * DRAM delivers a line a cycle to 15 cores: below 4 % of it are asked for. */
static struct sample compute_kernel(const struct shape *h)
{
    const double accesses = h->insts * h->accesses, misses = accesses * h->misses / 100;
    const double cycles = h->insts * (h->sfu > 0 ? 4 : h->warps > 8 ? 0.6 : 2);
    struct sample s = {.warp_insts = h->insts,
                       .thread_insts = 32 * h->insts,
                       .cta_cycles = cycles,
                       .l1d_accesses = accesses,
                       .l1d_misses = misses,
                       .dram_reads = misses,
                       .mf_latency = 300,
                       .reused_lines = h->lines * 256,
                       .issue_cycles = h->insts,
                       .mem_dep_cycles = 0.02 * cycles,
                       .alu_dep_cycles = h->warps > 8 ? 0.1 * cycles : cycles,
                       .alu_unit_cycles = h->sfu * cycles,
                       .memory_rounds = 10,
                       .followed_insts = h->insts,
                       .load_lines = accesses,
                       .port_cycles = accesses,
                       .sp_cycles = (1 - h->sfu) * h->insts / 2,
                       .sfu_cycles = h->sfu * h->insts * 8,
                       .next_lines = misses,
                       .launches = 1,
                       .warps_per_cta = h->warps,
                       .grid_ctas = 1200,
                       .total_ctas = 1200,
                       .total_warp_insts = 1200 * h->insts,
                       .total_thread_insts = 1200 * 32 * h->insts,
                       .launch_thread_insts = 1200 * 32 * h->insts,
                       .n_max = 8,
                       .cores = 15,
                       .l1d_lines = 256,
                       .schedulers = 2,
                       .issue_rate = 2,
                       .l2_lines = h->l2,
                       .l2_lines_per_cycle = h->l2 > 0 ? 1.5 : 0,
                       .dram_lines_per_cycle = 1};
    for (int n = 1; n <= 8; n++)
        s.l1d_misses_at[n - 1] = misses * (1 + (h->growth - 1) * (n - 1) / 7);
    return s;
}

static bool is_memory(const char *bound)
{
    return strcmp(bound, "L1D thrash") == 0 || strcmp(bound, "DRAM bandwidth") == 0 ||
           strcmp(bound, "network") == 0;
}

static void compute_bound_kernels_do_not_thrash(void)
{
    static const struct shape shapes[] = {
        {"few warps", 2, 2000, 2, 1.5, 0.1, 0.05, 0, 0},
        {"few warps, misses double", 2, 2000, 2, 2, 0.5, 0.05, 0, 0},
        {"many warps", 32, 20000, 2, 2, 1, 0.05, 0, 0},
        {"many warps, a large working set", 32, 20000, 2, 2, 4, 0.05, 0, 0},
        {"long", 8, 1e6, 2, 2, 3, 0.05, 0, 0},
        {"short of SFUs", 8, 4000, 2, 2, 3, 0.05, 0.3, 0},
        {"with an L2", 8, 4000, 2, 2, 3, 0.05, 0, 6144},
        {"misses treble", 8, 4000, 2, 3, 1, 0.05, 0, 0},
    };
    const struct model_ops *m;
    for (int i = 0; (m = model_at(i)); i++) {
        void *coeff = calloc(1, m->coeff_size);
        params_default(m->groups, coeff);
        for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
            const struct sample s = compute_kernel(&shapes[k]);
            struct prediction p;
            m->predict(coeff, &s, &p);
            for (int n = 1; n <= p.n_max; n++) {
                if (is_memory(p.bound[n]))
                    printf("\n  %s, %s: %s with n = %d\n", m->name, shapes[k].name, p.bound[n], n);
                CU_ASSERT_FALSE(is_memory(p.bound[n]));
            }
        }
        free(coeff);
    }
}

/* The same with four accesses an instruction, of which half miss: alone 8000 lines in 8000 cycles
 * on each of 15 cores, where DRAM delivers one a cycle. */
static void a_kernel_that_asks_for_more_than_memory_has_is_bound_by_it(void)
{
    static const struct shape shape = {"memory", 8, 4000, 50, 1.5, 4, 4, 0, 0};
    static const char *const names[] = {"bottleneck", "segmented"};
    for (int i = 0; i < 2; i++) {
        const struct model_ops *m = model_find(names[i]);
        void *coeff = calloc(1, m->coeff_size);
        const struct sample s = compute_kernel(&shape);
        struct prediction p;
        params_default(m->groups, coeff);
        m->predict(coeff, &s, &p);
        CU_ASSERT_TRUE(is_memory(p.bound[8]));
        free(coeff);
    }
}

SUITE("bounds", T(compute_bound_kernels_do_not_thrash),
      T(a_kernel_that_asks_for_more_than_memory_has_is_bound_by_it))
