/* model/pilots.h -- pilot simulations as a model of their own: IPC is what they found, at the
 * degrees that have one. How far off they are is fitted as it is of any model
 * (fitter/fit/residuals.h); the other rows say when a pilot is worth it, and when a degree is worth
 * choosing. */
#ifndef MDP_MODEL_PILOTS_H
#define MDP_MODEL_PILOTS_H

#include "model/effort.h"
#include "model/model.h"

#define PILOT_COEFFS(X) /* field, type, lowest, highest, default, unit, help */                    \
    X(error, REAL, 0, 2, 0.08, "log", "standard deviation of the logarithm of a pilot's IPC")      \
    X(error_correlation, REAL, 0, 1, 0.8, "ratio",                                                 \
      "of that error, what neighbouring degrees have too")                                         \
    X(correlation_length, REAL, 0, 100, 2, "log n", "distance over which that falls to 1 / e")     \
    X(unknown_error, REAL, 0, 2, 0.5, "log", "error of a model that doesn't know its own")         \
    X(most_error, REAL, 0, 10, 2, "log", "error of a model whose pilots find it far off, at most") \
    X(worth, REAL, 0, 1, 0.003, "log", "expected improvement below which a degree has no pilot")   \
    X(worth_short, REAL, 0, 1, 0, "log",                                                           \
      "... of a short program, for a thorough answer; else it is as `worth`")                      \
    X(worth_run, REAL, 0, 1, 0.005, "log",                                                         \
      "... below which the whole program is not simulated once more, by a thorough answer")        \
    X(worth_now, REAL, 0, 1, 0.02, "log",                                                          \
      "expected improvement below which a pilot of a CUDA program waits until it has ended")       \
    X(least_gain, REAL, 0, 1, 0.01, "log", "gain over the default for which another n is chosen")  \
    X(caution, REAL, 0, 10, 0.5, "",                                                               \
      "standard deviations by which a choice takes an IPC to be lower")                            \
    X(budget, REAL, 0, 100, 0.8, "ratio",                                                          \
      "warp instructions of a kernel's pilots / those of all its launches, at most")               \
    X(budget_two, REAL, 0, 100, 0.9, "ratio",                                                      \
      "the same of the first two, which a choice needs, if budget is less than 1")                 \
    X(budget_short, REAL, 0, 100, 1.6, "ratio", "the same of a short program")                     \
    X(budget_thorough, REAL, 0, 100, 2, "ratio", "... of a thorough answer")                       \
    X(executed, REAL, 0, 1, 0.07, "ratio",                                                         \
      "part of a warp instruction of a pilot that one executed without timing counts as, in "      \
      "budgets; as many of a sample as its launch has are free")                                   \
    X(whole_waves, REAL, 0, 1e9, 6, "waves",                                                       \
      "of CTAs: a pilot that has no more of them is expected to run to its end")                   \
    X(cut_at, REAL, 0.01, 1e9, 5, "waves", "after which a longer one is expected to be cut")       \
    X(short_insts, REAL, 0, 1e12, 1e6, "insts", "warp instructions of a short program, at most")   \
    X(short_cycles, REAL, 0, 1e12, 1e6, "cycles",                                                  \
      "... its core cycles at the default degree, at most, once they are known")                   \
    X(single_insts, REAL, 0, 1e12, 16384, "insts",                                                 \
      "warp instructions of a launch of one degree from which on it has a pilot, for its time")    \
    X(single_part, REAL, 0, 1, 0.1, "ratio", "... if its longest CTA is no more of it than this")  \
    X(runs, REAL, 0, 64, 3, "",                                                                    \
      "simulations of the whole program that a thorough answer may need")                          \
    X(budget_runs, REAL, 0, 100, 4, "ratio",                                                       \
      "warp instructions of these and of all that was simulated before / those of the program, "   \
      "at most; launches that are simulated at every degree are beside that")                      \
    X(run_error, REAL, 0, 1, 0.01, "log", "what chance does to one of them")                       \
    X(far_off, REAL, 0, 100, 3, "",                                                                \
      "standard deviations by which one is off, from which on the default is simulated, too")

PARAM_STRUCT(pilot_coeff, PILOT_COEFFS);

extern const struct model_ops model_pilots;

/* With the budget that pilots have at an effort, and what they have to be worth. */
struct pilot_coeff pilots_at(const struct pilot_coeff *c, enum effort effort);
/* IPC that the pilot with n at once has found; 0: there was none. */
double pilots_ipc(const struct sample *s, int n);

#endif
