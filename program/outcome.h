/* program/outcome.h -- what the program's processes recorded, summed up by kernel. */
#ifndef MDP_PROGRAM_OUTCOME_H
#define MDP_PROGRAM_OUTCOME_H

#include "program/plan.h"
#include "sim/func/race.h"

struct program_degree { /* a kernel's detailed launches at one n */
    struct run_stats stats;
    double host_seconds;
    int launches;
};

struct cluster_runs {       /* its launches that were simulated, by n */
    double *insts, *cycles; /* owned, [n_max + 1]: thread instructions, time; NULL: none */
    uint64_t *launches;     /* owned, [n_max + 1] */
};
struct program_cluster { /* launches alike */
    uint64_t launches, ctas, warp_insts, thread_insts;
    struct cluster_runs run[GPU_CFG_PERTURBATIONS + 1]; /* plain, and perturbed */
    bool sampled;
    struct record_sample sample;
};

struct program_inst { /* texts owned, NULL until they are recorded */
    int ptx;
    char *text, *source;
    struct inst_counts counts;
};
struct program_code {          /* of a plan with `hot` */
    char *module;              /* owned */
    struct program_inst *inst; /* owned */
    int insts;                 /* 0: nothing was recorded */
};

struct program_kernel {
    int process;
    bool replaced; /* another program has taken the process over since */
    struct record_kernel k;
    uint64_t launches, detailed, repeated, executed;
    uint64_t known;                          /* of the latter two: neither was needed */
    bool running;                            /* one had begun when its process ended */
    uint64_t abandoned;                      /* beside launches: those that did not end in time */
    char *why;                               /* owned; of the first of these; NULL: there is none */
    uint64_t ctas, warp_insts, thread_insts; /* of all launches */
    uint64_t one_insts;                      /* warp instructions of one simulation: of what `run`
                                                simulates, and of one launch of each cluster */
    uint64_t cycles;                         /* of all launches, where events have seen them */
    double seconds;                          /* CPU time of executing without timing */
    double plain_seconds;                    /* ... launches that were not looked at: */
    uint64_t plain_insts;                    /* their warp instructions */
    uint64_t known_insts;                    /* ... of those that were not executed at all */
    int least;     /* with fewer CTAs at once it does not run, and does what it does here */
    int perturbed; /* runs of each degree beside the plain one */
    double perturbed_seconds;        /* CPU time of these */
    struct program_degree *at;       /* owned; [n_max + 1] by n: of the plain runs */
    struct program_cluster *cluster; /* owned */
    int clusters;
    struct program_code code;
    struct sample *sample;    /* owned; one a cluster that has one, in their order */
    struct sample_runs *runs; /* owned; beside each sample */
    int samples;
    struct sample_cost cost; /* of all samples, and of what could not be sampled or simulated */
};

struct program_rejection { /* launches of a kernel that never began, for one reason */
    int process, number;
    bool replaced;
    char *kernel, *reason; /* owned */
    uint64_t launches;
};

struct program_host_call { /* calls of a library's function that the host computed */
    char *name;            /* owned */
    uint64_t calls;
};

struct program_race { /* found so far in the process */
    int process, number;
    bool replaced;
};

struct outcome {
    struct program_kernel *kernel; /* owned; in order of first launch */
    int kernels;
    struct program_rejection *rejection; /* owned */
    int rejections;
    struct program_host_call *host_call; /* owned */
    int host_calls;
    struct race *race;            /* owned; of a plan with `race` */
    struct program_race *race_of; /* owned; beside each */
    int races;
    int selected;    /* kernels that --kernel chooses */
    int last_launch; /* the highest number of one, failed or not; -1: there was none */
    uint64_t launches, detailed, repeated, known;
    int devices; /* processes that made a CUDA call */
    int ends;    /* ... and came to their end, where launches are recorded into a trace */
    int traces;  /* ... of which any was; of the last such process: */
    struct record_trace trace;
    int faults, refused;
    char fault[1024]; /* the first one's text; of those that are refused, if any is */
};

/* False and e: which one is damaged, and how: the program can write there, too. */
bool outcome_read(const char *records, size_t bytes, struct outcome *out, struct err *e);
void outcome_release(struct outcome *o);

/* IPC of all launches at degree n: as simulated whole where a sample was, else as predicted; part:
 * one a sample. *share: of the time, what was simulated; 0: nothing was. */
double outcome_run_ipc(const struct program_kernel *k, const struct prediction *part, int n,
                       double *share);

/* Cycles of all launches at degree n (more than n_max: n_max), each taking for an instruction what
 * those of its cluster took that were simulated; 0: none was. Of run i (0: the plain one, then the
 * perturbed ones); the mean of all runs. */
double outcome_run_cycles(const struct program_kernel *k, int i, int n);
double outcome_cycles(const struct program_kernel *k, int n);
/* The least n at which every kernel runs as it is; 1: at all. */
int outcome_least(const struct outcome *o);

#endif
