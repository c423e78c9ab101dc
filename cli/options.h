/* cli/options.h -- one table of options for all commands; each command says which it takes.
 * Parsing is strict: whole numbers in range, known names only, options that the command takes. */
#ifndef MDP_CLI_OPTIONS_H
#define MDP_CLI_OPTIONS_H

#include <stdio.h>

#include "base/err.h"
#include "sampler/window.h"
#include "sim/frontend/target.h"

/* id, short letter or 0, long name, argument or NULL, help (with the default) */
#define OPTIONS(X)                                                                               \
    X(GPU, 'g', "gpu", "NAME|FILE", "GPU: see `list gpus` (default: yen2014)")                   \
    X(SET, 0, "set", "NAME=VALUE", "change a GPU parameter, repeatable: `list parameters`")      \
    X(N, 'n', "degree", "N", "CTAs at once on a core (default: as many as fit)")                 \
    X(SEED, 0, "seed", "N", "draw a workload's input from seed N (default: 1)")                  \
    X(ORDER, 0, "order", "ORDER",                                                                \
      "number its nodes or atoms: natural (default), shuffled, renumbered")                      \
    X(WARPS, 0, "warps-per-cta", "W", "1 to 32 warps a CTA (default: the workload's own)")       \
    X(WARPS_LIST, 0, "warps-per-cta", "W,W...", "warps a CTA, each of these (default: its own)") \
    X(L1D, 0, "l1d", "KB,KB...", "L1D sizes, each of these (default: the GPU's)")                \
    X(SIZE, 0, "size", "SIZE", "of every workload of the suite (default: small)")                \
    X(SAMPLES, 0, "samples", NULL, "samples alone, no full run")                                 \
    X(PERTURBED, 0, "perturbed", "K",                                                            \
      "K more runs of each degree, each perturbed by some cycles (default: 0)")                  \
    X(DB, 0, "db", "FILE", "the profile database (default: profiles.db)")                        \
    X(ALL, 0, "all", NULL, "of a profile: every application, every L1D size, every model")       \
    X(PROFILE, 0, "db", "FILE", "with --all: a profile database (default: the bundled profile)") \
    X(PLOTS, 0, "plots", "DIR", "with --all: Yen's Figures 13 to 22, by gnuplot")                \
    X(FUNCTIONAL, 0, "functional", NULL, "execute only: instruction counts, no timing")          \
    X(MODEL, 0, "model", "NAME", "see `list models` (default: queueing)")                        \
    X(MODELS, 0, "model", "NAME", "as for `sample`; with --all repeatable (default: all)")       \
    X(COEFFICIENTS, 0, "coefficients", "FILE",                                                   \
      "the model's, as `fit` writes them (default: its own)")                                    \
    X(FROM, 0, "from", "FILE", "measured series: a profile database, or a .csv file")            \
    X(HOLD, 0, "hold", "NAME", "a coefficient that keeps its value, repeatable")                 \
    X(HOLD_OUT, 0, "hold-out", "NAME", "a workload[:SIZE], suite or size the fit does not see")  \
    X(CROSS_VALIDATE, 0, "cross-validate", NULL, "hold every workload out, one after the other") \
    X(ROBUST, 0, "robust", NULL, "weigh outliers down")                                          \
    X(METHOD, 0, "method", "NAME", "lm (default), lmaccel, dogleg, ddogleg, subspace2D")         \
    X(CTA, 0, "cta", "K", "sample CTA K (default: one nearest to the mean work)")                \
    X(CTAS, 0, "ctas", "K", "sample K CTAs that its core gets, or all: means (default: 1)")      \
    X(WARM_UP, 0, "warm-up", "K", "run K before these, if so many, uncounted (default: 0)")      \
    X(MAX_INSTS, 0, "max-insts", "N",                                                            \
      "end a window after N warp instructions and extrapolate (default: 0: never)")              \
    X(EXPLAIN, 0, "explain", NULL,                                                               \
      "what each stage of the model says at every n, what bounds it, how to get n on a GPU")     \
    X(REFINE, 0, "refine", "K",                                                                  \
      "of a TARGET: simulate the best K degrees, decide by that too (default: 0)")               \
    X(REFINE_INSTS, 0, "refine-insts", "N",                                                      \
      "... whole, of at most N warp instructions; else a 64th (default: 2097152)")               \
    X(MAX_CYCLES, 0, "max-cycles", "N",                                                          \
      "give up a launch after N cycles (default: 10^9; 0: never)")                               \
    X(INTERVAL, 0, "interval", "N",                                                              \
      "statistics every N cycles, see --interval-out (default: 1000)")                           \
    X(INTERVAL_OUT, 0, "interval-out", "FILE", "write a CSV row an interval and launch to FILE") \
    X(PER_CORE, 0, "per-core", NULL, "with --json: an array of every core's statistics as well") \
    X(KERNEL, 0, "kernel", "NAME",                                                               \
      "of a program: only kernels whose name contains NAME in detail")                           \
    X(LAUNCH, 0, "launch", "K", "of a program: only its launch K in detail (the first is 0)")    \
    X(MAX_LAUNCHES, 0, "max-launches", "N",                                                      \
      "of a program: at most N launches of a kernel in detail (default: 100; 0: all)")           \
    X(ANEW, 0, "anew", "K",                                                                      \
      "of a program: every K-th repetition of a launch in detail (default: 0: none)")            \
    X(JOBS, 'j', "jobs", "N", "simulations or replays at a time (default: one a host core)")     \
    X(JSON, 0, "json", NULL, "print JSON")                                                       \
    X(CSV, 0, "csv", NULL, "print CSV, a heading first")                                         \
    X(OUTPUT, 'o', "output", "FILE", "write to FILE, whole or not at all (default: -, stdout)")  \
    X(HELP, 'h', "help", NULL, "show this text")

enum option_id {
#define X(id, letter, name, arg, help) OPT_##id,
    OPTIONS(X)
#undef X
        OPT_COUNT
};
#define OPT(id)      (UINT64_C(1) << OPT_##id)
#define OPTS_OUTPUT  (OPT(JSON) | OPT(CSV) | OPT(OUTPUT))
#define OPTS_GPU     (OPT(GPU) | OPT(SET))
#define OPTS_PROGRAM (OPT(KERNEL) | OPT(LAUNCH) | OPT(MAX_LAUNCHES) | OPT(ANEW))
#define OPTS_INPUT   (OPT(SEED) | OPT(ORDER) | OPT(WARPS))

enum format { FORMAT_TEXT, FORMAT_JSON, FORMAT_CSV };

#define DEFAULT_MAX_CYCLES 1000000000 /* a kernel that loops forever ends in time */

struct options {
    const char *gpu, *model, *output; /* all strings are borrowed from argv */
    const char **set;                 /* owned */
    int nset;
    struct target_input input; /* for every target of the command */
    int n;                     /* 0: the occupancy limit */
    int jobs;                  /* at least 1 */
    int64_t cta;               /* -1: the sampler chooses */
    int refine;                /* degrees to simulate */
    uint64_t refine_insts;     /* ... programs of at most so many warp instructions whole */
    struct window_opts window; /* of a sample */
    uint64_t max_cycles;
    uint64_t interval;        /* 0: not given */
    const char *interval_out; /* NULL: not given */
    const char *warps, *l1d;  /* lists, not parsed; NULL: not given */
    const char *size;         /* NULL: not given */
    int perturbed;            /* runs of each degree beside the plain one */
    const char *db;
    const char *plots;   /* NULL: not given */
    const char **models; /* owned: every --model */
    int nmodels;
    uint64_t given;                                      /* OPT() bits */
    const char *coefficients, *from, *hold_out, *method; /* NULL: not given */
    const char **hold;                                   /* owned */
    int nhold;
    bool cross_validate, robust, explain;
    bool functional, per_core, help;
    bool program;               /* after `--`: arg is a program and its arguments */
    const char *kernel;         /* NULL: all */
    int64_t launch;             /* -1: all */
    int64_t max_launches, anew; /* 0: no limit, never */
    bool bad_usage; /* a failure that follows is one of the command line's: exit code 2 */
    enum format format;
    char **arg; /* what is no option */
    int nargs;
};

struct command {
    const char *name, *args, *help; /* args: "TARGET", "[TOPIC]"; help: one line */
    const char *text;               /* further lines of its --help, or NULL */
    uint64_t options;               /* OPT() bits; HELP is always taken */
    int min_args, max_args;
    bool (*run)(struct options *o, struct err *e);
};

/* argv[0] is skipped. False: usage error. options_free in any case. */
bool options_parse(struct options *o, const struct command *c, int argc, char **argv,
                   struct err *e);
void options_free(struct options *o);
void options_help(const struct command *c, FILE *out);
/* The GPU that -g and --set describe, checked. */
bool options_gpu(struct options *o, struct gpu_cfg *cfg, struct err *e);

#endif
