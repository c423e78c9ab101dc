/* cli/program.h -- the commands on a user's own program: `mdpredict COMMAND -- PROGRAM
 * ARGUMENT...`. */
#ifndef MDP_CLI_PROGRAM_H
#define MDP_CLI_PROGRAM_H

#include "cli/block_sizes.h"
#include "cli/explain.h"
#include "cli/hot_spots.h"
#include "cli/page.h"
#include "cli/perturbed_report.h"
#include "cli/race_report.h"
#include "cli/sample_report.h"
#include "program/outcome.h"

enum program_mode { PROGRAM_RUN, PROGRAM_SAMPLE, PROGRAM_SEARCH, PROGRAM_COMPARE };

/* o->arg is the program and its arguments. False and e: it could not be run, was killed, launched
 * nothing, or ended with an exit code other than 0 or asked for what is not supported (the result
 * is written all the same then). */
bool program_command(struct options *o, enum program_mode mode, struct err *e);

/* What both this and compare_schedulers.c need: options that make no sense with a program are
 * errors; the plan without a model; the program with its arguments as one text, for the caller to
 * free. */
bool program_options(struct options *o, struct err *e);
bool program_plan(struct program_plan *p, const struct options *o, enum program_mode mode,
                  const struct gpu_cfg *cfg, struct err *e);
char *program_joined(char **word);

/* program_schedulers.c: runs the program under a combination of schedulers. *out: cycles and thread
 * instructions of all launches of the kernels that were simulated, n and n_max. notes: what the
 * warp scheduler has to say of kernels is said. */
struct combination;
struct stored_run;
bool program_schedule(struct options *o, const struct combination *c, bool notes,
                      struct stored_run *out, struct err *e);

/* Records the program's launches into o->output. */
bool program_trace(struct options *o, const struct gpu_cfg *cfg, struct err *e);
/* False and e: a signal has ended it; it launched nothing, and why. */
struct program_end;
bool program_check_end(const struct program_end *end, const char *name, struct err *e);
bool program_check_found(const struct outcome *found, const struct program_end *end,
                         const char *name, struct err *e);

#define PROGRAM_NAME_ROOM 30 /* of a table: templates have long names; --json has them in full */

struct verdict {                    /* on one kernel */
    const struct program_kernel *k; /* borrowed */
    char *name;                     /* owned: demangled */
    int number;                     /* of those that are alike in PROGRAM_NAME_ROOM; 0: none is */
    bool measured, predicted;       /* simulated at every degree; sampled */
    struct prediction p;            /* of all its launches */
    struct prediction *part;        /* owned; one a sample */
    int deflt, chosen, optimum;     /* n; 0: not known */
    double cycles;                  /* core cycles of all its launches, at the default n if known */
    double share;                   /* of the program's time on the device */
    double gain, kept;              /* of chosen over deflt; of the optimum */
    char set[SET_DEGREE_ROOM];      /* how to get `chosen` */
};

struct program_result {
    enum program_mode mode;
    struct options *o;             /* borrowed */
    const struct gpu_cfg *cfg;     /* borrowed */
    const struct model_ops *model; /* borrowed; NULL: none */
    struct model_coeffs coeff;
    struct pilot_coeff pilots;
    struct outcome *found; /* borrowed */
    struct verdict *v;     /* owned; one a kernel */
    int n_max;             /* of the kernels' the largest */
    char *command;         /* owned: the program with its arguments */
    struct sample_cost cost;
    struct price price;
    struct hot_spots hot; /* of --hot and --source */
    int exit_code;
    int races;      /* of --race */
    char *refused;  /* owned: what is not supported and was asked for; NULL: nothing */
    char *unlisted; /* owned: why --source has no listing; NULL: it has, or nobody asked */
    char *stopped;  /* owned: which signal has ended the program; NULL: none */
    int block_size; /* of --block-sizes: that of this run; 0: none */
};

struct delivery { /* where results go */
    struct output out;
    struct page page;
    struct block_choices blocks;
};

/* Allocates r->v, with what models predict; fini frees it. */
void program_predict(struct program_result *r);
void program_result_fini(struct program_result *r);
/* program_verdict.c: fills the rest of r->v. */
void program_judge(struct program_result *r);
struct cta_resources program_resources(const struct record_kernel *k);
double program_ipc(const struct program_kernel *k, int n); /* measured, of all runs; 0: not */
struct perturbed_runs program_runs(const struct program_result *r, const struct verdict *v);
int program_run_n(const struct program_kernel *k); /* the one degree of a plain run; 0: none */
/* Of all launches: as simulated or predicted at the default degree, where that is known. */
double program_device_seconds(const struct program_result *r);
bool program_samples(const struct program_result *r); /* the command is one that does */
/* `sample` has simulated it at every degree, since it cannot be sampled. */
bool program_searched(const struct program_result *r, const struct verdict *v);
/* Of one kernel, all its clusters together; false: it was not asked for, or there is no sample. The
 * caller frees out->uses. */
bool program_explanation(const struct program_result *r, const struct verdict *v,
                         struct explanation *out);
/* program_price.c: fills r->cost and r->price. */
void program_price(struct program_result *r);
/* program_notes.c: what the report lacks. Texts are the caller's to free, NULL where there is
 * nothing: that was asked for and is not there; of the launches of a kernel that were abandoned
 * or cut; of those that were rejected for f->rejection[at] and, if none before it is of this
 * kernel, others. */
char *program_missing(const struct program_result *r);
bool program_is_of_libraries(const struct outcome *f); /* it launched nothing else */
char *program_abandoned_text(const struct program_kernel *k);
char *program_rejected_text(const struct outcome *f, int at);
/* All of it, a line each, which begins with `before`. */
void program_notes(FILE *out, const char *before, const struct program_result *r);
void program_notes_output(struct output *out, const struct program_result *r);
/* program_blocks.c: the program is told the block size that it is to use; what it made of it, False
 * and e: no kernel had such a block. */
void program_blocks_tell(int block_size);
bool program_blocks_add(const struct program_result *r, struct delivery *d, struct err *e);
/* program_hot.c: of the launches that were simulated, with --hot and --source. */
struct hot_spots program_hot(const struct program_result *r);
/* program_report.c, program_output.c */
bool program_has_row(const struct program_kernel *k); /* it ran, or began to */
void program_print(FILE *out, const struct program_result *r);
void program_output(struct output *out, const struct program_result *r);

#endif
