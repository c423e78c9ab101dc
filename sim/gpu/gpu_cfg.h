/* sim/gpu/gpu_cfg.h -- the configuration of a GPU: every parameter of every room, read from
 * data/gpus/NAME.cfg. */
#ifndef MDP_SIM_GPU_GPU_CFG_H
#define MDP_SIM_GPU_GPU_CFG_H

#include "sim/cta/cta_cfg.h"
#include "sim/icnt/icnt_cfg.h"
#include "sim/mem/mem_cfg.h"
#include "sim/sm/sm_cfg.h"

#define GPU_PARAMS(X)                                                          \
    X(cores, INT, 1, 256, 15, "", "cores")                                     \
    X(cluster_size, INT, 1, 64, 1, "cores",                                    \
      "cores that share one port of the network, one packet a cycle each way") \
    X(flush_l1, BOOL, 0, 1, false, "", "invalidate L1D between kernels")

#define CLOCK_PARAMS(X)                                        \
    X(core, INT, 1, 10000, 700, "MHz", "core clock")           \
    X(icnt, INT, 1, 10000, 1400, "MHz", "interconnect clock")  \
    X(l2, INT, 1, 10000, 700, "MHz", "L2 and partition clock") \
    X(dram, INT, 1, 10000, 924, "MHz", "DRAM command clock")   \
    X(rounded, BOOL, 0, 1, false, "", "edges drift as GPGPU-Sim 3.2.1's sums of doubles do")

PARAM_STRUCT(gpu_top_cfg, GPU_PARAMS);
PARAM_STRUCT(clock_cfg, CLOCK_PARAMS);

struct gpu_cfg {
    struct gpu_top_cfg top; /* "" */
    struct clock_cfg clock; /* "clock" */
    struct cta_cfg cta;     /* "" */
    struct sm_cfg sm;       /* "" */
    struct mem_cfg mem;     /* "l1d" "l1i" "l1c" "l2" "partition" "dram" */
    struct icnt_cfg icnt;   /* "icnt" */
};

const struct param_group *gpu_cfg_groups(void); /* ends with rows == NULL */
/* What every other way to fill one begins with. */
void gpu_cfg_default(struct gpu_cfg *c);
/* name_or_path: "yen2014" (data_dir/gpus/yen2014.cfg) or a file. */
bool gpu_cfg_load(struct gpu_cfg *c, const char *data_dir, const char *name_or_path, struct err *e);
/* Contradictions across fields (sizes that don't divide, unknown scheduler ...). Called by gpu_new
 * too. */
bool gpu_cfg_check(const struct gpu_cfg *c, struct err *e);
/* How long a request is on its way to a memory partition's queue, rop_latency, decides nothing of
 * its own: what runs with a few core cycles more and less of it differ by is next to nothing but
 * chance (Alameldeen and Wood, HPCA 2003). Perturbation i <= GPU_CFG_PERTURBATIONS, in core cycles:
 * 0, 1, -1, 2, -2, ... steps, without those that leave less than no latency; a step is what the
 * clocks behind that stage can tell apart. Texture reads don't pass it. */
#define GPU_CFG_PERTURBATIONS 8
int gpu_cfg_perturbation(const struct gpu_cfg *c, int i);
void gpu_cfg_perturb(struct gpu_cfg *c, int cycles);
/* The most warp instructions that the GPU can issue in so many core cycles; 0 stays 0, no limit. */
uint64_t gpu_cfg_issue_bound(const struct gpu_cfg *c, uint64_t cycles);

#endif
