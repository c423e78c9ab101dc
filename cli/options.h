/* cli/options.h -- what the command line asks for. The options are rows of one table
 * (option_table.h). Parsing is strict: whole numbers in range, known names only, options that the
 * command takes. */
#ifndef MDP_CLI_OPTIONS_H
#define MDP_CLI_OPTIONS_H

#include <stdio.h>

#include "base/err.h"
#include "cli/option_table.h"
#include "model/effort.h"
#include "sampler/window/cta_window.h"
#include "sim/frontend/target.h"

enum option_id {
#define X(id, ...) OPT_##id,
    OPTIONS(X)
#undef X
        OPT_COUNT
};
typedef unsigned __int128 option_set;
#define OPT(id)     ((option_set)1 << OPT_##id) /* in options.given */
#define OPTS_OUTPUT (OPT(JSON) | OPT(CSV) | OPT(OUTPUT))

enum format { FORMAT_TEXT, FORMAT_JSON, FORMAT_CSV };

struct words {         /* of an option that can be given more than once */
    const char **word; /* owned; the words are borrowed from argv */
    int n;
};

#define NUMBERS_MAX 32
struct numbers { /* "8,16,64" */
    int64_t v[NUMBERS_MAX];
    int n;
};

struct command;

struct options { /* all strings are borrowed from argv; NULL: not given */
    const char *gpu, *model, *output;
    const char *warp_scheduler, *cta_scheduler; /* NULL: as the GPU has it */
    const char *warp_schedulers, *cta_schedulers, *baseline, *runs;
    struct words set;
    struct target_input input; /* for every target of the command */
    int n;                     /* 0: the occupancy limit */
    int jobs;                  /* at least 1 */
    enum effort effort;
    double budget;                 /* CPU seconds; 0: no limit */
    int64_t cta;                   /* -1: the sampler chooses */
    struct cta_window_opts window; /* of a sample */
    uint64_t max_cycles;
    uint64_t interval;
    const char *interval_out;
    struct numbers warps, l1d; /* l1d: bytes; none: not given */
    int devices;
    struct numbers block_sizes; /* threads; likewise */
    const char *suite, *size;
    int perturbed; /* runs of each degree beside the plain one */
    const char *db, *plots, *shard, *gallery;
    bool all, samples, prices, no_samples;
    struct words models;
    const char *coefficients, *from, *hold_out, *method, *fit_gpus;
    struct words hold;
    bool cross_validate, robust, explain, counters;
    bool hot;
    int hot_lines;
    const char *listing; /* --source */
    bool functional, race, lenient, build, per_core, phases, points, list, help;
    const char *kernel;         /* NULL: all */
    int64_t launch;             /* -1: all */
    int64_t max_launches, anew; /* 0: no limit, never */
    uint64_t memory;            /* bytes */
    enum format format;

    const char *html; /* NULL: no page */

    /* No option's field: */
    const struct command *command;
    char **word; /* all that follows the command's name, borrowed */
    int nwords;
    option_set given; /* OPT() bits */
    bool program;     /* arg is a program (after `--`, or --build: its source) and its arguments */
    bool bad_usage;   /* a failure that follows is one of the command line's: exit code 2 */
    const char *source; /* --build: what arg[0] was built from; borrowed; NULL: nothing was built */
    double build_seconds; /* CPU time that this took */
    char **arg;           /* what is no option */
    int nargs;
};

struct command {
    enum command_id id;
    const char *name, *args, *help; /* args: "TARGET", "[TOPIC]"; help: one line */
    const char *text;               /* further lines of its --help, or NULL */
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
/* What --set switches off, the scheduler of cfg may not bring with it. */
bool options_check_parts(const struct options *o, const struct gpu_cfg *cfg, struct err *e);

#endif
