/* model/sample.h -- what the sampler hands to a model: counters of one CTA's window, and the GPU's
 * numbers that models need. Plain data; written by sampler/, read by model/; the JSON keys of
 * `mdpredict sample` are the table's names. */
#ifndef MDP_MODEL_SAMPLE_H
#define MDP_MODEL_SAMPLE_H

#include "base/types.h"

/* What models read. Each field changes what one of them says: tests/model/t_sample_fields.c. */
#define SAMPLE_FIELDS(X) /* name, unit, help */                                                  \
    X(warp_insts, "insts", "warp instructions of the sampled CTA")                               \
    X(thread_insts, "insts", "thread instructions of the sampled CTA")                           \
    X(cta_cycles, "cycles", "core cycles from its dispatch to its completion")                   \
    X(l1d_accesses, "requests", "line requests to L1D")                                          \
    X(l1d_misses, "requests", "of these, misses")                                                \
    X(dram_reads, "requests", "data reads that reached DRAM")                                    \
    X(mf_latency, "cycles", "mean latency of a read")                                            \
    X(reused_lines, "lines", "of the lines loaded, those of more than one request")              \
    X(issue_cycles, "cycles", "scheduler cycles in which it issued")                             \
    X(mem_dep_cycles, "cycles", "scheduler cycles blocked on a load")                            \
    X(alu_dep_cycles, "cycles", "scheduler cycles blocked on arithmetic")                        \
    X(fetch_cycles, "cycles", "scheduler cycles without a buffered instruction")                 \
    X(barrier_cycles, "cycles",                                                                  \
      "scheduler cycles in which every warp waits at a barrier, or has finished and awaits its " \
      "stores")                                                                                  \
    X(mem_unit_cycles, "cycles", "scheduler cycles ready, but the LD/ST unit is taken")          \
    X(alu_unit_cycles, "cycles", "scheduler cycles ready, but the arithmetic unit is taken")     \
    X(idle_cycles, "cycles", "scheduler cycles without a warp")                                  \
    X(code_lines, "lines", "lines of code that it executes")                                     \
    X(memory_rounds, "rounds",                                                                   \
      "how often a warp waits for loads: those it issues until it needs one are one round")      \
    X(shared_core, "ratio", "of the CTA's lines, those that the next CTA of its core loads too") \
    X(launch_thread_insts, "insts", "thread instructions of the launch that was sampled")        \
    X(followed_insts, "insts",                                                                   \
      "warp instructions of a CTA, as a few of its core were executed; the next ones likewise")  \
    X(load_lines, "requests", "line requests to L1D that load")                                  \
    X(store_lines, "requests", "stores that go through L1D")                                     \
    X(past_lines, "requests", "requests past L1D: uncached, atomics, lines of textures")         \
    X(port_cycles, "cycles", "for which the LD/ST unit is taken, without misses")                \
    X(sp_cycles, "cycles", "for which the SP units are taken, each")                             \
    X(sfu_cycles, "cycles", "for which the SFUs are taken, each")                                \
    X(dp_cycles, "cycles", "for which the DP units are taken, each")                             \
    X(next_lines, "lines", "distinct lines that another CTA of the core adds")                   \
    X(launches, "launches", "that this sample stands for")                                       \
    X(warps_per_cta, "warps", "warps of a CTA")                                                  \
    X(grid_ctas, "CTAs", "CTAs of the launches this sample stands for, mean a launch")           \
    X(longest_cta, "ratio",                                                                      \
      "warp instructions of the longest CTA of the launch that was sampled, of the mean's; 0: "  \
      "not known")                                                                               \
    X(longest_at, "CTAs", "CTAs of the launch before its longest one, of equals the first")      \
    X(total_ctas, "CTAs", "CTAs of all launches this sample stands for")                         \
    X(total_warp_insts, "insts",                                                                 \
      "warp instructions of all launches this sample stands for (functional count)")             \
    X(total_thread_insts, "insts", "thread instructions of the same")                            \
    X(n_max, "CTAs", "occupancy limit a core")                                                   \
    X(cores, "", "cores")                                                                        \
    X(bank_cycles, "cycles",                                                                     \
      "core cycles for which the channel and bank of DRAM that take longest are taken by each "  \
      "line that CTAs side by side ask for, whole GPU, times window.in_step")                    \
    X(mshrs, "", "lines that L1D may wait for at once")                                          \
    X(l1d_lines, "lines", "L1D capacity")                                                        \
    X(schedulers, "", "warp schedulers a core")                                                  \
    X(issue_rate, "insts", "warp instructions that a core issues a cycle at most")               \
    X(l2_lines, "lines", "L2 capacity, whole GPU; 0: data has none")                             \
    X(l2_lines_per_cycle, "lines",                                                               \
      "L1D lines that L2 and network deliver a core cycle, whole GPU, at best; 0: no L2")        \
    X(dram_lines_per_cycle, "lines", "... that DRAM and network deliver")                        \
    X(memory_latency, "cycles", "from a load that nobody is in the way of to DRAM and back")

/* What predictions do not depend on: of which launches the sample is, and what was counted. Read to
 * tell which degree to simulate next (estimate.h) and what a search takes. */
#define SAMPLE_RECORD(X) /* name, unit, help */                                                \
    X(part, "", "number of this group of like launches among its kernel's, from 0")            \
    X(fewest_ctas, "CTAs",                                                                     \
      "fewest at once on a core with which the launch comes to its end; 0: its CTAs do not "   \
      "wait for each other")                                                                   \
    X(launch_warp_insts, "insts", "warp instructions of the launch that was sampled")          \
    X(window_insts, "insts",                                                                   \
      "warp instructions that the window counted: of several CTAs, one after another, or of "  \
      "one that was cut short; counters are those of one CTA all the same. Without a window, " \
      "that pilots did which may end early")

#define SAMPLE_DEGREES   64 /* element i of a list: n = i + 1 */
#define SAMPLE_ARRAYS(X)    /* name, unit, help; read by models */                             \
    X(l1d_misses_at, "requests", "L1D misses of a followed CTA, n at once")                    \
    X(l1i_misses_at, "requests", "lines of code that a followed CTA misses in L1I, n at once") \
    X(pilot_cycles, "cycles",                                                                  \
      "of the sampled launch with n CTAs at once, by a pilot simulation; none where n had no " \
      "pilot")
#define SAMPLE_RECORD_ARRAYS(X) /* ... and what bounds a kernel */                            \
    X(pilot_insts, "insts", "warp instructions of that simulation")                           \
    X(pilot_seconds, "s", "its CPU time")                                                     \
    X(pilot_bound, "",                                                                        \
      "what bounds that simulation by its own counters, as a number (model/bound.h); 0: not " \
      "known")                                                                                \
    X(pilot_miss_rate, "ratio", "L1D misses of it, of the accesses")

struct sample {
    char kernel[256];
#define X(name, unit, help) double name;
    SAMPLE_FIELDS(X)
    SAMPLE_RECORD(X)
#undef X
#define X(name, unit, help) double name[SAMPLE_DEGREES];
    SAMPLE_ARRAYS(X) SAMPLE_RECORD_ARRAYS(X)
#undef X
};

struct sample_row {
    const char *name, *unit, *help;
    size_t off;
    bool record; /* predictions do not depend on it */
};
extern const struct sample_row sample_rows[]; /* ends with name == NULL */

struct sample_array {
    const char *name, *unit, *help;
    size_t off;
    bool record;
};
extern const struct sample_array sample_arrays[]; /* ends with name == NULL */

/* It has no window: its CTAs wait for each other, or it is short. They were simulated together. */
bool sample_searched(const struct sample *s);
/* ... at every degree, to the end of the launch: pilot_cycles are what it takes. */
bool sample_whole(const struct sample *s);
/* All of these are such ones. */
bool samples_searched(const struct sample *s, int n);
bool samples_whole(const struct sample *s, int n);
/* Such a one was not simulated with n at once, since it can't be the best there: pilot_cycles says
 * how long it takes at least. */
bool sample_skipped(const struct sample *s, int n);
/* CPU seconds of simulating all of these at every degree, if what was skipped takes as long as the
 * others. */
double samples_search_seconds(const struct sample *s, int n);
/* Its CTAs wait for each other, and it has a window all the same: how long they do is not known. */
bool sample_leaves_out_waiting(const struct sample *s);
/* The smallest degree at which its CTAs don't wait for ever; what pilot_cycles says of smaller
 * ones, if all CTAs were simulated, is copied from there. */
int sample_least(const struct sample *s);
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
/* Those of pilot_bound are bounds (model/bound.h). */
bool sample_bounds_ok(const struct sample *s);
/* How many of an array's elements remain when the zeros at its end are left out. */
int sample_used(const struct sample *s, const struct sample_array *a);
/* The used elements, exactly, with a space between them; the caller frees. Reading it back sets the
 * rest to 0; false: no such list, or too long. */
char *sample_array_text(const struct sample *s, const struct sample_array *a);
bool sample_array_read(struct sample *s, const struct sample_array *a, const char *text);

#endif
