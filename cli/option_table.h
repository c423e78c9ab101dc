/* cli/option_table.h -- every option of every command, a row each. To add one: a row here, and the
 * field of struct options in which it is stored; parsing, range, default, --help and "did you mean"
 * follow.
 *
 * Columns: id; short letter or 0; name; argument or NULL; type; lowest and highest (of a number; of
 * a text its length); default; field; commands that take it; help.
 *
 * Types (option_types.c): FLAG (bool), FORMAT (lowest: which), COUNT (int or 64 bits), BYTES,
 * SECONDS (double), NUMBERS and SIZES (struct numbers; a size without a unit is in KB), TEXT (const
 * char
 * *), WORDS (struct words: repeatable), ORDER (const char *), EFFORT (enum effort). --help shows a
 * default that the argument may have; of others, which mean "not given", the help says what holds.
 */
#ifndef MDP_CLI_OPTION_TABLE_H
#define MDP_CLI_OPTION_TABLE_H

#include "cli/command_list.h"
#include "model/model.h"

#define ON(command) (UINT32_C(1) << COMMAND_##command)
#define ON_TARGETS  (ON(run) | ON(search) | ON(sample) | ON(compare))
#define ON_PROGRAMS (ON_TARGETS | ON(trace))
#define OF_PROGRAM  (UINT32_C(1) << 31) /* says something of a program alone */
#define ON_GPUS     (ON_TARGETS | ON(list) | ON(profile) | ON(trace))
#define ON_INPUTS   (ON_TARGETS | ON(profile) | ON(trace))
#define ON_TABLES   (ON_TARGETS | ON(list) | ON(disasm) | ON(figure)) /* also as JSON and CSV */
#define ON_SUITES   (ON(list) | ON(compare) | ON(profile))
#define ON_CHOICES  (ON(sample) | ON(compare)) /* a degree is chosen */

#define WORD 4096 /* a text must not be empty, and is no novel */

#define OPTIONS(X)                                                                               \
    X(GPU, 'g', "gpu", "NAME|FILE", TEXT, 1, WORD, "yen2014", gpu, ON_GPUS | ON(disasm),         \
      "GPU: see `list gpus`")                                                                    \
    X(SET, 0, "set", "NAME=VALUE", WORDS, 1, WORD, NULL, set, ON_GPUS | ON(disasm),              \
      "change a GPU parameter, repeatable: `list parameters`")                                   \
    X(WARP_SCHEDULER, 0, "warp-scheduler", "NAME", TEXT, 1, WORD, NULL, warp_scheduler, ON_GPUS, \
      "see `list schedulers` (default: the GPU's)")                                              \
    X(CTA_SCHEDULER, 0, "cta-scheduler", "NAME", TEXT, 1, WORD, NULL, cta_scheduler, ON_GPUS,    \
      "CTAs a core holds over time: `list schedulers` (default: the GPU's)")                     \
    X(WARP_SCHEDULERS, 0, "warp-schedulers", "LIST", TEXT, 1, WORD, NULL, warp_schedulers,       \
      ON(compare), "of NAME[:PARAMETER=VALUE]..., with commas between them")                     \
    X(CTA_SCHEDULERS, 0, "cta-schedulers", "LIST", TEXT, 1, WORD, NULL, cta_schedulers,          \
      ON(compare), "the same; n=K: at most K CTAs a core; optimum: the best n")                  \
    X(BASELINE, 0, "baseline", "NAME", TEXT, 1, WORD, NULL, baseline, ON(compare),               \
      "what IPC is divided by: NAME, of two lists WARP/CTA (default: the first)")                \
    X(N, 'n', "degree", "N", COUNT, 1, INT32_MAX, 0, n, ON(run),                                 \
      "CTAs at once on a core (default: as many as fit)")                                        \
    X(SEED, 0, "seed", "N", COUNT, 0, INT64_MAX, 1, input.seed, ON_INPUTS,                       \
      "draw a workload's input from seed N")                                                     \
    X(ORDER, 0, "order", "ORDER", ORDER, 1, WORD, NULL, input.order, ON_INPUTS,                  \
      "number its nodes or atoms: natural (default), shuffled, renumbered")                      \
    X(WARPS, 0, "warps-per-cta", "W", COUNT, 1, 32, 0, input.warps, ON_TARGETS | ON(trace),      \
      "1 to 32 warps a CTA (default: the workload's own)")                                       \
    X(WARPS_LIST, 0, "warps-per-cta", "W,W...", NUMBERS, 1, 32, NULL, warps, ON(profile),        \
      "warps a CTA, each of these (default: its own)")                                           \
    X(L1D, 0, "l1d", "KB,KB...", SIZES, 1, 1 << 20, NULL, l1d, ON(profile),                      \
      "L1D sizes, each of these (default: the GPU's)")                                           \
    X(SUITE, 0, "suite", "NAME", TEXT, 1, WORD, NULL, suite, ON_SUITES,                          \
      "workloads: Kayiran, Park, Awatramani, Yen (papers), modern, classic")                     \
    X(SIZE, 0, "size", "SIZE", TEXT, 1, WORD, NULL, size, ON(compare) | ON(profile),             \
      "of every workload that names none (default: its first, small)")                           \
    X(FIGURE_SIZE, 0, "size", "SIZE", TEXT, 1, WORD, NULL, size, ON(figure),                     \
      "of the workloads of a table that is made (default: medium)")                              \
    X(LIST, 0, "list", NULL, FLAG, 0, 0, 0, list, ON(figure),                                    \
      "every figure: what it needs, how long it takes")                                          \
    X(GALLERY, 0, "gallery", "FOLDER", TEXT, 1, WORD, NULL, gallery, ON(figure),                 \
      "all of them: FOLDER/figures.md, a picture each")                                          \
    X(SAMPLES, 0, "samples", NULL, FLAG, 0, 0, 0, samples, ON(profile),                          \
      "samples and their prices alone, no full run")                                             \
    X(NO_SAMPLES, 0, "no-samples", NULL, FLAG, 0, 0, 0, no_samples, ON(profile),                 \
      "full runs alone, no sample and no price")                                                 \
    X(PRICES, 0, "prices", NULL, FLAG, 0, 0, 0, prices, ON(profile),                             \
      "prices alone: CPU time of a sample and of one simulation")                                \
    X(PERTURBED, 0, "perturbed", "K", COUNT, 0, GPU_CFG_PERTURBATIONS, 0, perturbed,             \
      ON(search) | ON(compare) | ON(profile),                                                    \
      "K more runs of each degree, each perturbed by some cycles")                               \
    X(BLOCK_SIZES, 0, "block-sizes", "T,T...", NUMBERS, 1, 1024, NULL, block_sizes, ON(search),  \
      "blocks of each of these numbers of threads, where the grid follows from it")              \
    X(DB, 0, "db", "FILE", TEXT, 1, WORD, "profiles.db", db,                                     \
      ON(profile) | ON(export) | ON(import) | ON(merge), "the profile database")                 \
    X(SEARCH_DB, 0, "db", "FILE", TEXT, 1, WORD, NULL, db, ON(search),                           \
      "a profile database that keeps every run; none is run again")                              \
    X(SHARD, 0, "shard", "I/N", TEXT, 1, WORD, NULL, shard, ON(search) | ON(profile),            \
      "part I of N alone, all of about the same cost; see `merge`")                              \
    X(ALL, 0, "all", NULL, FLAG, 0, 0, 0, all, ON(compare),                                      \
      "of a profile: every application, every L1D size, every model")                            \
    X(PROFILE, 0, "db", "FILE", TEXT, 1, WORD, NULL, db, ON(compare),                            \
      "with --all: a profile database (default: the bundled profile)")                           \
    X(RUNS, 0, "runs", "FILE", TEXT, 1, WORD, NULL, runs, ON(compare),                           \
      "with lists of schedulers: FILE keeps every run; none is run again")                       \
    X(FIGURE_RUNS, 0, "runs", "FILE", TEXT, 1, WORD, NULL, runs, ON(figure),                     \
      "make the table from the runs that FILE keeps; what is missing is run")                    \
    X(PLOTS, 0, "plots", "DIR", TEXT, 1, WORD, NULL, plots, ON(compare),                         \
      "with --all: Yen's Figures 13 to 22, by gnuplot")                                          \
    X(FUNCTIONAL, 0, "functional", NULL, FLAG, 0, 0, 0, functional, ON(run),                     \
      "execute only: instruction counts, no timing")                                             \
    X(EFFORT, 0, "effort", "EFFORT", EFFORT, 1, WORD, EFFORT_DEFAULT, effort, ON_CHOICES,        \
      "what a degree may cost: window, quick, thorough")                                         \
    X(BUDGET, 0, "budget", "SECONDS", SECONDS, 0, 1000000000, 0, budget, ON_CHOICES,             \
      "the best answer within so much CPU time; 0: no limit")                                    \
    X(MODEL, 0, "model", "NAME", TEXT, 1, WORD, MODEL_DEFAULT, model, ON(sample) | ON(fit),      \
      "see `list models`")                                                                       \
    X(MODELS, 0, "model", "NAME", WORDS, 1, WORD, NULL, models, ON(compare),                     \
      "as for `sample`; with --all repeatable (default: all)")                                   \
    X(COEFFICIENTS, 0, "coefficients", "FILE", TEXT, 1, WORD, NULL, coefficients,                \
      ON_CHOICES | ON(fit), "the model's, as `fit` writes them (default: its own)")              \
    X(FROM, 0, "from", "FILE", TEXT, 1, WORD, NULL, from, ON(fit),                               \
      "measured series: a profile database, or a .csv file")                                     \
    X(HOLD, 0, "hold", "NAME", WORDS, 1, WORD, NULL, hold, ON(fit),                              \
      "a coefficient that keeps its value, repeatable")                                          \
    X(HOLD_OUT, 0, "hold-out", "NAME", TEXT, 1, WORD, NULL, hold_out, ON(fit),                   \
      "a workload[:SIZE], suite or size the fit does not see")                                   \
    X(CROSS_VALIDATE, 0, "cross-validate", NULL, FLAG, 0, 0, 0, cross_validate, ON(fit),         \
      "hold every workload out, one after the other")                                            \
    X(ROBUST, 0, "robust", NULL, FLAG, 0, 0, 0, robust, ON(fit), "weigh outliers down")          \
    X(METHOD, 0, "method", "NAME", TEXT, 1, WORD, NULL, method, ON(fit),                         \
      "lm (default), lmaccel, dogleg, ddogleg, subspace2D")                                      \
    X(CTA, 0, "cta", "K", COUNT, 0, INT32_MAX, -1, cta, ON_CHOICES,                              \
      "sample CTA K (default: one nearest to the mean work)")                                    \
    X(CTAS, 0, "ctas", "K", COUNT, 1, 1024, 0, window.ctas, ON(sample),                          \
      "sample K CTAs that its core gets, or all: means (default: 1)")                            \
    X(WARM_UP, 0, "warm-up", "K", COUNT, 0, 1024, 0, window.warm_up, ON(sample),                 \
      "run K before these, if so many, uncounted")                                               \
    X(MAX_INSTS, 0, "max-insts", "N", COUNT, 0, INT64_MAX, 0, window.max_insts, ON(sample),      \
      "end a window after N warp instructions and extrapolate; 0: never")                        \
    X(EXPLAIN, 0, "explain", NULL, FLAG, 0, 0, 0, explain, ON(sample),                           \
      "what each stage of the model says at every n, and what bounds it")                        \
    X(LIMITS, 0, "explain", NULL, FLAG, 0, 0, 0, explain, ON(compare),                           \
      "with --all: what limits each predictor, by application")                                  \
    X(FIT_GPUS, 0, "fit-gpus", "WHICH", TEXT, 1, WORD, "same", fit_gpus, ON(compare),            \
      "with --all: fit to applications on the same (default), other or all GPUs")                \
    X(COUNTERS, 0, "counters", NULL, FLAG, 0, 0, 0, counters, ON_CHOICES | ON(search),           \
      "everything that was counted as well")                                                     \
    X(MAX_CYCLES, 0, "max-cycles", "N", COUNT, 0, INT64_MAX, 1000000000, max_cycles, ON_INPUTS,  \
      "give up a launch after N cycles; 0: never")                                               \
    X(INTERVAL, 0, "interval", "N", COUNT, 1, INT64_MAX, 1000, interval, ON(run),                \
      "statistics every N cycles: --interval-out, --html or --json")                             \
    X(INTERVAL_OUT, 0, "interval-out", "FILE", TEXT, 1, WORD, NULL, interval_out, ON(run),       \
      "write a CSV row an interval and launch to FILE")                                          \
    X(PER_CORE, 0, "per-core", NULL, FLAG, 0, 0, 0, per_core, ON(run),                           \
      "with --json: an array of every core's statistics as well")                                \
    X(HOT, 0, "hot", NULL, FLAG, 0, 0, 0, hot, ON(run),                                          \
      "the instructions on which the cores spend most time, of each kernel")                     \
    X(HOT_LINES, 0, "hot-lines", "K", COUNT, 1, 1000000, 10, hot_lines, ON(run),                 \
      "with --hot: how many of a kernel")                                                        \
    X(LISTING, 0, "source", "FILE", TEXT, 1, WORD, NULL, listing, ON(run),                       \
      "list FILE, a PTX or a source that .loc names, with what each line did")                   \
    X(RACE, 0, "race", NULL, FLAG, 0, 0, 0, race, ON(run),                                       \
      "shared memory that warps read and write without a barrier between")                       \
    X(KERNEL, 0, "kernel", "NAME", TEXT, 1, WORD, NULL, kernel, ON_PROGRAMS | OF_PROGRAM,        \
      "of a program: only kernels whose name contains NAME in detail")                           \
    X(LAUNCH, 0, "launch", "K", COUNT, 0, INT32_MAX, -1, launch, ON_PROGRAMS | OF_PROGRAM,       \
      "of a program: only its launch K in detail (the first is 0)")                              \
    X(MAX_LAUNCHES, 0, "max-launches", "N", COUNT, 0, INT64_MAX, 100, max_launches,              \
      ON_TARGETS | OF_PROGRAM, "of a program: at most N launches of a kernel in detail; 0: all") \
    X(ANEW, 0, "anew", "K", COUNT, 0, INT64_MAX, 0, anew, ON_TARGETS | OF_PROGRAM,               \
      "of a program: every K-th repetition of a launch in detail; 0: none")                      \
    X(MEMORY, 0, "memory", "SIZE", BYTES, 1 << 20, INT64_C(1) << 40, INT64_C(16) << 30, memory,  \
      ON_PROGRAMS | OF_PROGRAM, "of a program: what the device has (default: 16G)")              \
    X(DEVICES, 0, "devices", "N", COUNT, 1, 16, 1, devices, ON_PROGRAMS | OF_PROGRAM,            \
      "of a program: N such GPUs, each of its own memory")                                       \
    X(LENIENT, 0, "lenient", NULL, FLAG, 0, 0, 0, lenient, ON_PROGRAMS | OF_PROGRAM,             \
      "of a program: what a kernel reads outside of all buffers is 0")                           \
    X(BUILD, 0, "build", NULL, FLAG, 0, 0, 0, build, ON_PROGRAMS,                                \
      "instead of TARGET: FILE.cu [ARGUMENT]..., compiled by nvcc or clang++")                   \
    X(JOBS, 'j', "jobs", "N", COUNT, 1, 1024, 0, jobs,                                           \
      ON(search) | ON_CHOICES | ON(profile) | ON(figure),                                        \
      "simulations at a time (default: one a host core)")                                        \
    X(PHASES, 0, "phases", NULL, FLAG, 0, 0, 0, phases, ON(disasm),                              \
      "the phases of the code and the distances to their ends")                                  \
    X(POINTS, 0, "points", NULL, FLAG, 0, 0, 0, points, ON(disasm),                              \
      "program points, their scores, priorities and recalculation bits (elf)")                   \
    X(JSON, 0, "json", NULL, FORMAT, FORMAT_JSON, 0, 0, format, ON_TABLES, "print JSON")         \
    X(CSV, 0, "csv", NULL, FORMAT, FORMAT_CSV, 0, 0, format, ON_TABLES,                          \
      "print CSV, a heading first")                                                              \
    X(OUTPUT, 'o', "output", "FILE", TEXT, 1, WORD, "-", output,                                 \
      ON_TABLES | ON(fit) | ON(export) | ON(trace),                                              \
      "write to FILE, whole or not at all; -: stdout")                                           \
    X(HTML, 0, "html", "FILE", TEXT, 1, WORD, NULL, html, ON_TARGETS,                            \
      "write a page with charts to FILE as well: one file, for any browser, offline")            \
    X(HELP, 'h', "help", NULL, FLAG, 0, 0, 0, help, UINT32_MAX, "show this text")

#endif
