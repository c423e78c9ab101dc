/* model/sample.h -- what the sampler hands to a model: counters of one CTA's window, and the GPU's
 * numbers that models need. Plain data; written by sampler/, read by model/; the JSON keys of
 * `mdpredict sample` are the table's names. */
#ifndef MDP_MODEL_SAMPLE_H
#define MDP_MODEL_SAMPLE_H

#include "base/buckets.h"

#define SAMPLE_FIELDS(X) /* name, unit, help */                                                   \
    X(warp_insts, "insts", "warp instructions of the sampled CTA")                                \
    X(thread_insts, "insts", "thread instructions of the sampled CTA")                            \
    X(window_ctas, "CTAs", "CTAs one after another that the counters are means of; 0: cut short") \
    X(extrapolation, "", "of a CTA cut short: times what was counted; else 1")                    \
    X(warp_insts_spread, "ratio", "relative standard deviation of warp_insts over these CTAs")    \
    X(cta_cycles_spread, "ratio", "the same of cta_cycles")                                       \
    X(dram_reads_spread, "ratio", "the same of dram_reads")                                       \
    X(cta_cycles, "cycles", "core cycles from its dispatch to its completion")                    \
    X(l1d_accesses, "requests", "line requests to L1D")                                           \
    X(l1d_misses, "requests", "of these, misses")                                                 \
    X(l1d_merges, "requests", "of these, merged into a miss on its way")                          \
    X(l1d_reservation_fails, "requests", "refused and tried again")                               \
    X(dram_reads, "requests", "data reads that reached DRAM")                                     \
    X(dram_writes, "requests", "writes that reached DRAM")                                        \
    X(mf_latency, "cycles", "mean latency of a read")                                             \
    X(working_set_lines, "lines", "distinct L1D lines touched")                                   \
    X(reused_lines, "lines", "of the lines loaded, those of more than one request")               \
    X(row_hit_rate, "ratio", "row hits / DRAM requests")                                          \
    X(issue_cycles, "cycles", "scheduler cycles in which it issued")                              \
    X(mem_dep_cycles, "cycles", "scheduler cycles blocked on a load")                             \
    X(alu_dep_cycles, "cycles", "scheduler cycles blocked on arithmetic")                         \
    X(fetch_cycles, "cycles", "scheduler cycles without a buffered instruction")                  \
    X(barrier_cycles, "cycles",                                                                   \
      "scheduler cycles in which every warp waits at a barrier, or has finished and awaits its "  \
      "stores")                                                                                   \
    X(mem_unit_cycles, "cycles", "scheduler cycles ready, but the LD/ST unit is taken")           \
    X(alu_unit_cycles, "cycles", "scheduler cycles ready, but the arithmetic unit is taken")      \
    X(idle_cycles, "cycles", "scheduler cycles without a warp")                                   \
    X(insts_int, "insts", "integers, logic, moves, selections, shuffles, votes")                  \
    X(insts_float, "insts", "single and half precision")                                          \
    X(insts_double, "insts", "double precision")                                                  \
    X(insts_sfu, "insts", "transcendental functions, roots, floating-point divisions")            \
    X(insts_global_load, "insts", "loads of global memory")                                       \
    X(insts_global_store, "insts", "stores to global memory")                                     \
    X(insts_shared, "insts", "loads and stores of shared memory")                                 \
    X(insts_const, "insts", "loads of constants and kernel parameters")                           \
    X(insts_local, "insts", "loads and stores of local memory")                                   \
    X(insts_texture, "insts", "texture fetches")                                                  \
    X(insts_atomic, "insts", "atomics of any memory")                                             \
    X(insts_barrier, "insts", "barriers, fences, waits for asynchronous copies")                  \
    X(insts_control, "insts", "branches, calls, exits; insts_* add up to the executed CTA's")     \
    X(reuse_accesses, "requests", "line requests that the reuse distances are of")                \
    X(reuse_cold, "requests", "of these, to lines not loaded before, or stored to since")         \
    X(lines_per_load, "requests", "line requests of a load instruction (global, local)")          \
    X(lines_per_store, "requests", "transactions of a store instruction (global, local)")         \
    X(mlp_loads, "loads", "loads that a warp issues until it needs one of them")                  \
    X(mlp_lines, "requests", "line requests of these: in flight at once for each warp")           \
    X(memory_rounds, "rounds", "how often a warp waits for such a set of loads")                  \
    X(shared_next, "ratio", "of the CTA's lines, those that the next CTA loads too")              \
    X(shared_core, "ratio", "of the CTA's lines, those that the next CTA of its core loads too")  \
    X(launch_warp_insts, "insts", "warp instructions of the launch that was sampled")             \
    X(launch_thread_insts, "insts", "thread instructions of the same")                            \
    X(followed_ctas, "CTAs", "CTAs of its core that the next fields are means of, as executed")   \
    X(followed_insts, "insts", "their warp instructions")                                         \
    X(load_lines, "requests", "line requests to L1D that load")                                   \
    X(store_lines, "requests", "stores that go through L1D")                                      \
    X(past_lines, "requests", "requests past L1D: uncached, atomics, textures")                   \
    X(port_cycles, "cycles", "for which the LD/ST unit is taken, without misses")                 \
    X(sp_cycles, "cycles", "for which the SP units are taken, each")                              \
    X(sfu_cycles, "cycles", "for which the SFUs are taken, each")                                 \
    X(dp_cycles, "cycles", "for which the DP units are taken, each")                              \
    X(next_lines, "lines", "distinct lines that another CTA of the core adds")                    \
    X(part, "", "number of this group of like launches among its kernel's, from 0")               \
    X(launches, "launches", "that this sample stands for")                                        \
    X(warps_per_cta, "warps", "warps of a CTA")                                                   \
    X(threads_per_cta, "threads", "threads of a CTA")                                             \
    X(grid_ctas, "CTAs", "CTAs of the launches this sample stands for, mean a launch")            \
    X(total_ctas, "CTAs", "CTAs of all launches this sample stands for")                          \
    X(total_warp_insts, "insts",                                                                  \
      "warp instructions of all launches this sample stands for (functional count)")              \
    X(total_thread_insts, "insts", "thread instructions of the same")                             \
    X(n_max, "CTAs", "occupancy limit a core")                                                    \
    X(cores, "", "cores")                                                                         \
    X(l1d_lines, "lines", "L1D capacity")                                                         \
    X(l1d_ways, "", "L1D associativity")                                                          \
    X(schedulers, "", "warp schedulers a core")                                                   \
    X(issue_rate, "insts", "warp instructions that a core issues a cycle at most")                \
    X(l2_lines, "lines", "L2 capacity, whole GPU; 0: data has none")                              \
    X(reply_lines_per_cycle, "lines",                                                             \
      "L1D lines that the network brings back a core cycle, whole GPU, at best")                  \
    X(warp_size, "threads", "threads a warp")                                                     \
    X(dram_lines_per_cycle, "lines",                                                              \
      "L1D lines that DRAM can deliver a core cycle, whole GPU, at best")

/* Fields with many values. index: what element i stands for. */
enum sample_index {
    INDEX_BUCKET /* values of bucket i, base/buckets.h */,
    INDEX_FROM_1 /* i + 1 */
};
#define SAMPLE_CORE_CTAS 8
#define SAMPLE_DEGREES   64 /* n = 1 .. */
/* Numbers of sets that an L1D has; 1: fully associative. */
#define SAMPLE_REUSE_SETS(X) X(1) X(16) X(32) X(64) X(128) X(256)
#define SAMPLE_ARRAYS(X)     /* name, length, index, unit, help */                                \
    X(reuse_sets1, BUCKETS, INDEX_BUCKET, "requests",                                             \
      "L1D requests by LRU stack distance, in lines")                                             \
    X(reuse_sets16, BUCKETS, INDEX_BUCKET, "requests", "the same within a set, of 16 sets")       \
    X(reuse_sets32, BUCKETS, INDEX_BUCKET, "requests", "of 32 sets")                              \
    X(reuse_sets64, BUCKETS, INDEX_BUCKET, "requests", "of 64 sets")                              \
    X(reuse_sets128, BUCKETS, INDEX_BUCKET, "requests", "of 128 sets")                            \
    X(reuse_sets256, BUCKETS, INDEX_BUCKET, "requests", "of 256 sets")                            \
    X(dependence_distance, BUCKETS, INDEX_BUCKET, "insts",                                        \
      "instructions by their distance from the nearest producer of a source, in warp "            \
      "instructions")                                                                             \
    X(load_use_distance, BUCKETS, INDEX_BUCKET, "registers",                                      \
      "loaded registers by the distance of their first use, in warp instructions")                \
    X(l1d_misses_at, SAMPLE_DEGREES, INDEX_FROM_1, "requests",                                    \
      "L1D misses of a followed CTA, n at once")                                                  \
    X(l1i_misses_at, SAMPLE_DEGREES, INDEX_FROM_1, "requests",                                    \
      "lines of code that a followed CTA misses in L1I, n at once")                               \
    X(pilot_cycles, SAMPLE_DEGREES, INDEX_FROM_1, "cycles",                                       \
      "of the sampled launch with n CTAs at once, by a pilot simulation; none where n had no "    \
      "pilot")                                                                                    \
    X(pilot_insts, SAMPLE_DEGREES, INDEX_FROM_1, "insts", "warp instructions of that simulation") \
    X(pilot_seconds, SAMPLE_DEGREES, INDEX_FROM_1, "s", "its CPU time")                           \
    X(core_lines, SAMPLE_CORE_CTAS, INDEX_FROM_1, "lines",                                        \
      "distinct lines that so many CTAs of a core load together")

struct sample {
    char kernel[256];
#define X(name, unit, help) double name;
    SAMPLE_FIELDS(X)
#undef X
#define X(name, length, index, unit, help) double name[length];
    SAMPLE_ARRAYS(X)
#undef X
};

struct sample_row {
    const char *name, *unit, *help;
    size_t off;
};
extern const struct sample_row sample_rows[]; /* ends with name == NULL */

struct sample_array {
    const char *name, *unit, *help;
    size_t off;
    int length;
    enum sample_index index;
};
extern const struct sample_array sample_arrays[]; /* ends with name == NULL */

/* Degrees that differ: at most n_max, and at most the CTAs that a core gets of a launch. */
int sample_degrees(const struct sample *s);
/* CTAs that a core gets of a launch, mean over cores. */
double sample_share(const struct sample *s);
/* Thread instructions a cycle that the cores with a CTA can issue at most. */
double sample_issue_limit(const struct sample *s);
/* Part of the accesses that L1D does not serve, 0..1; 1: there is none. Yen's DRAM reads / accesses
 * (4.2), where each miss is one read; reads beyond the misses (textures, a line that is several of
 * them) are accesses too. */
double sample_miss_rate(const struct sample *s);
double sample_value(const struct sample *s, const struct sample_row *r);
const double *sample_values(const struct sample *s, const struct sample_array *a);
/* How many of an array's elements remain when the zeros at its end are left out. */
int sample_used(const struct sample *s, const struct sample_array *a);
/* The used elements, exactly, with a space between them; the caller frees. Reading it back sets the
 * rest to 0; false: no such list, or too long. */
char *sample_array_text(const struct sample *s, const struct sample_array *a);
bool sample_array_read(struct sample *s, const struct sample_array *a, const char *text);

#endif
