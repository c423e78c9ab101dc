/* sampler/sampling.h -- the numbers by which sampling goes: what counts as alike, how much of a
 * launch is simulated, what is taken for steady, when CTAs are taken to wait. They steer which
 * degree is chosen; those of `bound` name what bounds a simulation, and choose none. None is
 * fitted: each was set while looking at pilots of bundled applications and of programs by others.
 * data/coefficients/sampling.cfg has a row of each, and is what counts. */
#ifndef MDP_SAMPLER_SAMPLING_H
#define MDP_SAMPLER_SAMPLING_H

#include "base/params.h"
#include "model/bound.h"

#define MEMORY_USE_FEW    4   /* of watch.few, at most */
#define PILOT_RECENT_DATA 256 /* of pilot.recent_data, at most */

#define SIMILARITY_PARAMS(X) /* field, type, lowest, highest, default, unit, help */              \
    X(classes, INT, 1, 64, 4, "",                                                                 \
      "classes of grid size, and of instructions a CTA, for a factor of two")                     \
    X(use, REAL, 0, 1, 0.25, "ratio",                                                             \
      "launches whose use of memory differs by more are not alike")                               \
    X(few, REAL, 0.001, 32, 0.25, "txns/inst",                                                    \
      "fewer transactions are compared as if they were this many")                                \
    X(errors, REAL, 0, 100, 4, "",                                                                \
      "standard errors by which the first CTAs' use of memory differs, too, if it is unlike the " \
      "rest's")                                                                                   \
    X(length, REAL, 0, 1, 0.25, "ratio",                                                          \
      "the first CTAs are unlike the rest if their mean length differs by more")                  \
    X(first_from, INT, 1, 4096, 16, "",                                                           \
      "the smallest first part of a grid that is compared with the rest is 1 / this")             \
    X(first_to, INT, 1, 4096, 4, "",                                                              \
      "the largest first part of a grid that is compared with the rest is 1 / this")              \
    X(cold, INT, 0, 1000000, 8, "launches",                                                       \
      "in a cluster of no more launches the first one is sampled on its own")                     \
    X(camping, REAL, -1, 1, 0.1, "",                                                              \
      "correlation of the partitions that CTAs ask, above which they camp on them")

#define WINDOW_PARAMS(X)                                                                         \
    X(long_cta, INT, 1, 1000000000, 65536, "insts",                                              \
      "a CTA of at least this length, in a launch of few, is sampled in part")                   \
    X(few_ctas, INT, 1, 1000000, 4, "CTAs",                                                      \
      "such a launch has no more CTAs; the part is 1 / this")                                    \
    X(alone_times, INT, 1, 1000000, 2, "",                                                       \
      "a CTA waits for others if alone it executes more than this times the longest one's")      \
    X(alone_least, INT, 0, 1000000000, 65536, "insts",                                           \
      "what is added to alone_times: the launch's instructions, and these")                      \
    X(draws_times, INT, 1, 1000000, 4, "",                                                       \
      "it draws work from a queue if alone it executes more than this times what it does among " \
      "others")                                                                                  \
    X(draws_least, INT, 0, 1000000000, 16384, "insts", "what is added to draws_times")           \
    X(alone_cycles, INT, 0, 2000000000, 1000000, "cycles",                                       \
      "a CTA alone takes no more cycles than these, and alone_each for each instruction")        \
    X(alone_each, INT, 1, 2000000000, 32000, "cycles",                                           \
      "an instruction may be 32 transactions, and DRAM answers each in some hundred cycles")     \
    X(items, REAL, 0, 1e9, 4, "items",                                                           \
      "of a queue, for each place of a CTA on the GPU: of fewer the last ones decide the time")  \
    X(neighbour, INT, 1, 1000000, 8, "",                                                         \
      "the next CTA is followed for this times the sampled CTA's instructions")                  \
    X(rounds, INT, 1, 64, 2, "", "rounds of CTAs that are followed side by side")                \
    X(ctas, INT, 1, 4096, 8, "CTAs", "that are followed side by side, at least")                 \
    X(followed, INT, 1, 1000000000, 2097152, "insts",                                            \
      "that are followed of all of them together, at most")                                      \
    X(in_step, REAL, 0, 1, 0.3, "ratio",                                                         \
      "time that DRAM's banks take, of that for CTAs that ask in step")

#define WATCH_PARAMS(X)                                                                            \
    X(counted, INT, 1, 1000000000, 16777216, "CTAs",                                               \
      "in a launch of more nobody counts the instructions of each: the first one is sampled")      \
    X(ctas, INT, 1, 4096, 32, "CTAs", "whose use of memory is looked at, at most")                 \
    X(few, INT, 2, MEMORY_USE_FEW, 4, "CTAs", "... in a glance")                                   \
    X(txns, INT, 1, 1000000000, 16384, "txns", "of such a CTA, after which it is not looked at")   \
    X(side_by_side, INT, 1, 4096, 32, "CTAs",                                                      \
      "that run at once, whose partitions and banks are compared, at most")                        \
    X(requests, INT, 1, 1000000, 4096, "requests", "of such a CTA that count; nothing after them") \
    X(phase, INT, 1, 1000000, 32, "requests", "of such a CTA that count as at once")               \
    X(bank_requests, INT, 1, 65536, 512, "requests",                                               \
      "of such a CTA that banks of DRAM are timed with; nothing after them")

#define RATES_PARAMS(X)                                                                            \
    X(in_flight, INT, 1, 1024, 32, "lines",                                                        \
      "that a core asks for at once, as far as 1024 threads can, to measure what memory delivers") \
    X(loads, INT, 2, 1024, 4, "lines", "that each of its warps asks for, one behind the other")    \
    X(interval, INT, 1, 1024, 64, "cycles", "between two counts of the replies")                   \
    X(from, REAL, 0, 1, 0.25, "ratio", "part of the replies that is left out first: queues fill")  \
    X(to, REAL, 0, 1, 0.75, "ratio", "part of the replies after which the rest is left out")

#define PILOT_PARAMS(X)                                                                            \
    X(most_scaling, REAL, 1, 64, 1.25, "",                                                         \
      "largest factor by which a partition is scaled where no slice has whole ones")               \
    X(slice_of, INT, 1, 1000000, 5, "",                                                            \
      "a slice without whole partitions is 1 / this of the clusters of cores, at least")           \
    X(slice_most, INT, 1, 1000000, 3, "",                                                          \
      "... and 1 / this, if most_scaling would make it the whole GPU")                             \
    X(network_part, REAL, 0, 1, 0.05, "ratio",                                                     \
      "of the instructions of like launches, at most, that measuring the whole GPU's network for " \
      "their pilots takes")                                                                        \
    X(share_lead, INT, 0, 1000000000, 1000, "cycles",                                              \
      "by which a memory channel of a slice may be ahead of its share of the GPU's")               \
    X(together, INT, 1, 1000000, 8, "rounds",                                                      \
      "of the grid that give a pilot CTAs from one place, at least")                               \
    X(cut_waves, INT, 1, 1000000, 2, "waves", "after which a pilot may stop")                      \
    X(cut_whole, INT, 0, 1000000, 6, "waves", "a pilot of no more always runs to its end")         \
    X(cut_steady, REAL, 0, 1, 0.02, "ratio",                                                       \
      "it stops when two rates differ by less: of its last instructions, and of those before "     \
      "them")                                                                                      \
    X(cut_last, REAL, 0.01, 0.5, 0.5, "ratio", "... this last part of its instructions")           \
    X(cut_before, REAL, 0.01, 0.5, 0.25, "ratio", "... and this part, before that")                \
    X(uneven_waves, INT, 1, 1000000, 12, "waves",                                                  \
      "cut_waves, where the first CTAs are unlike the rest")                                       \
    X(uneven_whole, INT, 0, 1000000, 24, "waves", "cut_whole, likewise")                           \
    X(uneven_block, INT, 1, 1000000, 2, "waves",                                                   \
      "in a row that such a pilot has from each place of the grid")                                \
    X(warm_up, REAL, 0, 0.9, 0.25, "ratio", "part of the instructions that is left out of a rate") \
    X(alone, REAL, 1, 1e9, 2, "",                                                                  \
      "a launch ends with its longest CTA if that is this times as long as all others of a core")  \
    X(longer, REAL, 1, 1e9, 1.1, "",                                                               \
      "a launch whose CTAs all run at once ends with its longest one if that is this times the "   \
      "mean")                                                                                      \
    X(very_long, INT, 1, 1000000000, 262144, "insts",                                              \
      "such a CTA is simulated in part from this length on")                                       \
    X(long_part, REAL, 0, 1, 0.25, "ratio",                                                        \
      "part of such a CTA that is simulated, once it is left alone")                               \
    X(one_cta, INT, 1, 1000000000, 8192, "insts",                                                  \
      "a launch of one CTA is simulated in part from this length on")                              \
    X(waits_times, INT, 1, 1000000, 4, "",                                                         \
      "a pilot waits for CTAs that it lacks if it executes more than the launch, plus this times " \
      "its share")                                                                                 \
    X(waits_least, INT, 0, 1000000000, 16384, "insts", "what is added to waits_times")             \
    X(recent_data, INT, 1, PILOT_RECENT_DATA, 64, "allocations",                                   \
      "used last, of which something may be in L2 as a pilot begins")                              \
    X(recent_code, INT, 1, 4096, 64, "kernels",                                                    \
      "that ran on a core last: of earlier ones its caches hold nothing")                          \
    X(every, INT, 1, 1000000, 8, "CTAs",                                                           \
      "at once: up to these a profile has pilots of every degree")                                 \
    X(apart, INT, 1, 1000000, 4, "", "... and beyond of degrees that are 1 / this apart")          \
    X(kept, INT, 0, 2000000000, 268435456, "bytes",                                                \
      "of memory as it was before launches, kept for more pilots at the program's end, at most")

#define WAITS_PARAMS(X)                                                                           \
    X(often, REAL, 0, 1e9, 8, "waits",                                                            \
      "of a CTA: from so many on any part of the work tells of the rest")                         \
    X(once, REAL, 0, 1e9, 2, "waits", "of a CTA: below this the CTAs are one chain")              \
    X(part_least, REAL, 0, 1, 0.1, "ratio", "part of the work after which a simulation may stop") \
    X(often_least, REAL, 0, 1, 0.25, "ratio", "part_least, where CTAs wait often")                \
    X(often_steady, REAL, 0, 1, 0.1, "ratio", "pilot.cut_steady, where CTAs wait often")          \
    X(part, REAL, 0.01, 1, 0.85, "ratio",                                                         \
      "part of the work after which it stops in a long program, if waits.ctas have ended")        \
    X(part_of_one, REAL, 0.01, 1, 0.5, "ratio", "part, of a launch with one degree")              \
    X(ctas, REAL, 0, 1, 0.9, "ratio",                                                             \
      "part of the CTAs that have ended by then, where those tell the work")                      \
    X(end, REAL, 0.01, 1, 0.95, "ratio",                                                          \
      "part of the work after which it stops in any case; less what executing takes of budgets")  \
    X(look_every, INT, 1, 1000000000, 2048, "cycles", "between two looks at the work done")       \
    X(first_of, INT, 1, 64, 3, "",                                                                \
      "where CTAs wait for earlier ones alone, pilots have the first ones on 1 / this of the "    \
      "cores")                                                                                    \
    X(few_waves, INT, 1, 1000000, 4, "waves", "first_of holds where a core gets fewer")           \
    X(large, INT, 0, 1000000000, 262144, "insts",                                                 \
      "first_of holds for launches that have no fewer")                                           \
    X(unlike, REAL, 1, 1e9, 2, "",                                                                \
      "first_of holds where the longest CTA is less than this times the mean")                    \
    X(hop_ctas, INT, 1, 64, 3, "CTAs",                                                            \
      "on a core, in the simulation that times the chain from one CTA to the next")               \
    X(chain, REAL, 1, 1e9, 1.5, "",                                                               \
      "the chain alone bounds a pilot that takes less than this times as long")                   \
    X(first_look, INT, 1, 1000000000, 4096, "insts",                                              \
      "in which a CTA is first looked at, for numbers that it takes; then 16 times as many")      \
    X(limit_runs, INT, 1, 64, 2, "",                                                              \
      "a lower degree never ends if it executes more than this times the default's instructions") \
    X(limit_insts, INT, 0, 1000000000, 65536, "insts", "what is added to limit_runs")             \
    X(limit_cycles, INT, 1, 1000000, 30, "",                                                      \
      "a lower degree never ends if it takes more than this times the default's cycles")          \
    X(limit_each, INT, 1, 1000000, 4, "",                                                         \
      "limit_cycles is at least this times the default degree")                                   \
    X(limit_least, INT, 0, 2000000000, 1000000, "cycles", "what is added to limit_cycles")

#define REPEAT_PARAMS(X)                                                                 \
    X(expected, INT, 1, 1000000, 4, "looks",                                             \
      "in a row that show nothing new: then fewer launches are looked at")               \
    X(in_doubt, INT, 1, 1000000, 32, "looks",                                            \
      "after which fewer launches are looked at in any case")                            \
    X(later, REAL, 0, 100, 0.2, "ratio",                                                 \
      "launches until the next look, in the mean, to those seen")                        \
    X(single, INT, 1, 1000000000, 256, "launches",                                       \
      "of one degree, of a kernel: then new arguments alone are no reason for a look")   \
    X(recent, INT, 1, 16, 8, "looks",                                                    \
      "of launches of the same size: what one of these has shown is not new")            \
    X(undo, INT, 0, 2000000000, 4194304, "bytes",                                        \
      "that are copied of what a launch overwrites; if it is more, it has no pilots")    \
    X(undo_each, INT, 0, 1000000, 64, "bytes",                                           \
      "... and for each warp instruction of the one before")                             \
    X(again_times, INT, 1, 1000000, 2, "",                                               \
      "a second execution ends after more than this times the first one's instructions") \
    X(again_least, INT, 0, 1000000000, 65536, "insts", "what is added to again_times")

PARAM_STRUCT(similarity_params, SIMILARITY_PARAMS);
PARAM_STRUCT(window_params, WINDOW_PARAMS);
PARAM_STRUCT(watch_params, WATCH_PARAMS);
PARAM_STRUCT(rates_params, RATES_PARAMS);
PARAM_STRUCT(pilot_params, PILOT_PARAMS);
PARAM_STRUCT(waits_params, WAITS_PARAMS);
PARAM_STRUCT(repeat_params, REPEAT_PARAMS);

struct sampling {
    struct similarity_params similarity; /* launches, uses of memory, parts of a launch */
    struct window_params window;         /* the CTA that is sampled */
    struct watch_params watch;           /* what is looked at of a launch as it is executed */
    struct rates_params rates;           /* what measures the GPU's memory */
    struct pilot_params pilot;           /* what a pilot simulates of a launch */
    struct waits_params waits;           /* launches whose CTAs wait for each other */
    struct repeat_params repeat;         /* launches of a CUDA program that were seen before */
    struct bound_params bound; /* what bounds a simulation; no degree is chosen by these */
};

extern const struct param_group sampling_groups[];

/* by, or if that is NULL the table's defaults. */
const struct sampling *sampling_or_default(const struct sampling *by);
/* data/coefficients/sampling.cfg. False and e: there is none, or it says what none of the rows
 * allows. */
bool sampling_load(struct sampling *s, struct err *e);

#endif
