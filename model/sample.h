/* model/sample.h -- what the sampler hands to a model: counters of one CTA's window, and the GPU's
 * numbers that models need. Plain data; written by sampler/, read by model/; the JSON keys of
 * `mdpredict sample` are the table's names. */
#ifndef MDP_MODEL_SAMPLE_H
#define MDP_MODEL_SAMPLE_H

#include "base/types.h"

#define SAMPLE_FIELDS(X) /* name, unit, help */                                        \
    X(warp_insts, "insts", "warp instructions of the sampled CTA")                     \
    X(thread_insts, "insts", "thread instructions of the sampled CTA")                 \
    X(cta_cycles, "cycles", "core cycles from its dispatch to its completion")         \
    X(l1d_accesses, "requests", "line requests to L1D")                                \
    X(l1d_misses, "requests", "of these, misses")                                      \
    X(l1d_merges, "requests", "of these, merged into a miss on its way")               \
    X(l1d_reservation_fails, "requests", "refused and tried again")                    \
    X(dram_reads, "requests", "data reads that reached DRAM")                          \
    X(dram_writes, "requests", "writes that reached DRAM")                             \
    X(mf_latency, "cycles", "mean latency of a read")                                  \
    X(working_set_lines, "lines", "distinct L1D lines touched")                        \
    X(reused_lines, "lines", "lines of global loads touched by more than one request") \
    X(row_hit_rate, "ratio", "row hits / DRAM requests")                               \
    X(issue_cycles, "cycles", "scheduler cycles in which it issued")                   \
    X(mem_dep_cycles, "cycles", "scheduler cycles blocked on a load")                  \
    X(alu_dep_cycles, "cycles", "scheduler cycles blocked on arithmetic")              \
    X(fetch_cycles, "cycles", "scheduler cycles without a buffered instruction")       \
    X(warps_per_cta, "warps", "warps of a CTA")                                        \
    X(threads_per_cta, "threads", "threads of a CTA")                                  \
    X(grid_ctas, "CTAs", "CTAs of the launches this sample stands for, mean a launch") \
    X(total_ctas, "CTAs", "CTAs of all launches this sample stands for")               \
    X(total_warp_insts, "insts",                                                       \
      "warp instructions of all launches this sample stands for (functional count)")   \
    X(total_thread_insts, "insts", "thread instructions of the same")                  \
    X(n_max, "CTAs", "occupancy limit a core")                                         \
    X(cores, "", "cores")                                                              \
    X(l1d_lines, "lines", "L1D capacity")                                              \
    X(l1d_ways, "", "L1D associativity")                                               \
    X(schedulers, "", "warp schedulers a core")                                        \
    X(warp_size, "threads", "threads a warp")                                          \
    X(dram_lines_per_cycle, "lines",                                                   \
      "L1D lines that DRAM can deliver a core cycle, whole GPU, at best")

struct sample {
    char kernel[256];
#define X(name, unit, help) double name;
    SAMPLE_FIELDS(X)
#undef X
};

struct sample_row {
    const char *name, *unit, *help;
    size_t off;
};
extern const struct sample_row sample_rows[]; /* ends with name == NULL */

#endif
