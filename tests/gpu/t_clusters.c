/* What the shared memory of another CTA of the cluster costs, in a chain of dependent loads. */
#include "sim/gpu/gpu.h"
#include "tests/suite.h"

#include <stdlib.h>
#include <string.h>

/* Word s of each CTA holds its own address in the cluster's window, so that a load from that
 * address, by whichever CTA, gives the address of the next load. Of two CTAs each reads the
 * other's word (its own: rank = %cluster_ctarank). */
static const char head[] = ".version 8.0\n.target sm_90\n.address_size 64\n"
                           ".entry k()\n.reqnctapercluster 2, 1, 1\n{\n"
                           ".reg .b32 %r<9>;\n.reg .pred %p;\n.shared .align 4 .b32 s;\n"
                           "mov.u32 %r1, s;\nmov.u32 %r2, %cluster_ctarank;\n"
                           "mapa.shared::cluster.u32 %r3, %r1, %r2;\nst.shared.u32 [s], %r3;\n"
                           "barrier.cluster.arrive;\nbarrier.cluster.wait;\n";
static const char tail[] = "barrier.cluster.arrive;\nbarrier.cluster.wait;\nret;\n}\n";

#define LOADS 16 /* a round of the loop */
static char *program(bool remote, int rounds)
{
    char *text = xcalloc(1, 4096);
    char *at = text + sprintf(text,
                              "%s%smapa.shared::cluster.u32 %%r6, %%r1, %%r2;\n"
                              "mov.u32 %%r7, 0;\nL:\n",
                              head, remote ? "xor.b32 %r2, %r2, 1;\n" : "");
    for (int i = 0; i < LOADS; i++)
        at += sprintf(at, "ld.shared::cluster.u32 %%r6, [%%r6];\n");
    sprintf(at, "add.s32 %%r7, %%r7, 1;\nsetp.lt.s32 %%p, %%r7, %d;\n@%%p bra L;\n%s", rounds,
            tail);
    return text;
}

static double cycles(const char *setting, bool remote, int rounds)
{
    struct gpu_cfg cfg;
    struct err e = {""};
    struct run_stats stats = {0};
    gpu_cfg_default(&cfg);
    CU_ASSERT_TRUE(params_set(gpu_cfg_groups(), &cfg, setting, &e));
    char *text = program(remote, rounds);
    struct module *m = module_parse("clusters.ptx", text, strlen(text), &e);
    CU_ASSERT_PTR_NOT_NULL_FATAL(m);
    CU_ASSERT_TRUE_FATAL(module_place(m, &e));
    struct launch l = {.kernel = kernel_get(m, "k", &e),
                       .mem = devmem_new(),
                       .grid = {2, 1, 1},
                       .block = {32, 1, 1}};
    CU_ASSERT_PTR_NOT_NULL_FATAL(l.kernel);
    struct gpu *g = gpu_new(&cfg, &e);
    CU_ASSERT_PTR_NOT_NULL_FATAL(g);
    const struct gpu_opts o = {.n = 8, .only_core = -1, .max_cycles = 1000000};
    const bool ok = gpu_launch(g, &l, &o, &stats, &e);
    if (!ok)
        printf("\n  %s\n", e.msg);
    CU_ASSERT_TRUE(ok);
    gpu_free(g);
    devmem_free(l.mem);
    module_free(m);
    free(text);
    return (double)stats.cycles;
}

/* More rounds less fewer: neither the first fetch of the code nor the barriers are in it. */
static double a_round(const char *setting, bool remote)
{
    return (cycles(setting, remote, 30) - cycles(setting, remote, 10)) / 20;
}

static void a_load_from_another_cta_takes_the_remote_latency(void)
{
    const double near = a_round("remote_shared_latency=180", true);
    const double far = a_round("remote_shared_latency=380", true);
    CU_ASSERT_DOUBLE_EQUAL(far - near, 200 * LOADS, LOADS);
    CU_ASSERT_TRUE(near >= 180 * LOADS && near < 200 * LOADS);
}

/* The same instruction at the CTA's own address costs what shared memory does. */
static void a_load_from_the_own_cta_does_not(void)
{
    const double near = a_round("remote_shared_latency=180", false);
    CU_ASSERT_DOUBLE_EQUAL(a_round("remote_shared_latency=380", false), near, 0.01);
    CU_ASSERT_TRUE(near < 60 * LOADS);
}

SUITE("clusters", T(a_load_from_another_cta_takes_the_remote_latency),
      T(a_load_from_the_own_cta_does_not))
