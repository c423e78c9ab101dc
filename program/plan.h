/* program/plan.h -- what mdpredict and the process of the user's program tell each other: a plan in
 * one direction, records in the other. Plain structs: both ends are the same build, and the plan
 * says so by its size. */
#ifndef MDP_PROGRAM_PLAN_H
#define MDP_PROGRAM_PLAN_H

#include "base/stats.h"
#include "sampler/sample_launch.h"
#include "sim/sm/inst_counts.h"
#include "sim/sm/occupancy.h"

#define PROGRAM_ENV    "MDPREDICT_PROGRAM" /* "PID:PLAN_FD:RECORDS_FD" */
#define PROGRAM_MAGIC  0x4d445001u
#define PROGRAM_COEFFS 128 /* bytes of a model's coefficients / 8, at most */

struct program_plan {
    uint32_t magic, bytes;
    struct gpu_cfg cfg;
    bool search, sample; /* every degree; one CTA's window: on copies of memory */
    bool functional;     /* nothing is simulated */
    bool hot;            /* what each instruction does is counted */
    bool race;           /* races in shared memory are looked for */
    bool lenient;        /* reads outside of all buffers are told, and give 0 */
    bool no_notes;       /* of the warp scheduler on kernels: they have been told */
    int devices;         /* how many there are */
    uint64_t memory;     /* bytes that each has */
    int n;               /* of a plain run; 0: the occupancy limit */
    int jobs;            /* threads of a search */
    int perturbed;       /* runs of each degree beside the plain one: gpu_cfg_perturbation() */
    int64_t cta;         /* to sample; -1: one near the mean */
    uint64_t max_cycles;
    struct sampling rules;       /* by which launches are sampled */
    struct sample_opts sampling; /* of a sample, but these and its model: */
    char model[64];
    double coeff[PROGRAM_COEFFS];
    double online[PROGRAM_COEFFS]; /* of the model of the CTA scheduler `online` */
    /* Which launches are simulated or sampled; the others are executed. */
    char kernel[256];      /* part of a kernel's name; "": all */
    int64_t only_launch;   /* by number in the program; -1: all */
    uint64_t max_launches; /* of a kernel; 0: no limit */
    uint64_t anew;         /* every so many repetitions; 0: never again */
    char trace[4096];      /* the file that they are recorded into; "": none */
};

enum record_kind {
    RECORD_KERNEL,
    RECORD_LAUNCH,
    RECORD_RUN,
    RECORD_SAMPLE,
    RECORD_TRIED,
    RECORD_FAULT,
    RECORD_DEVICE,
    RECORD_TRACE,
    RECORD_REJECTION,
    RECORD_REJECTED,
    RECORD_BEGIN,
    RECORD_HOST_CALL,
    RECORD_CODE,
    RECORD_INST,
    RECORD_HOT,
    RECORD_RACE
};
struct record_head {
    uint32_t kind, bytes; /* of what follows */
    int process;          /* kernels are numbered in each process of the program */
};

#define KERNEL_NAME 1024
struct record_kernel { /* before the first launch of it: an entry at one block and its resources */
    int kernel;        /* 0, 1, ... */
    char name[KERNEL_NAME];
    int device;
    int block[3];
    int regs;                       /* registers a thread */
    uint32_t static_shared, shared; /* bytes a CTA: of its code, and in all */
    int n_max;                      /* occupancy limit and what sets it; 0: none fits */
    enum occ_limit limit;
    bool selected; /* by --kernel */
};

enum launch_how { HOW_EXECUTED, HOW_REPEATED, HOW_DETAILED };
struct record_launch {  /* after the launch */
    int kernel, launch; /* launch: number in the process */
    enum launch_how how;
    int cluster; /* of like launches of the kernel: 0, 1, ...; -1: nobody has looked */
    int grid[3];
    uint64_t warp_insts, thread_insts, ctas;
    uint64_t waits;  /* func_counts.waits */
    uint64_t polls;  /* of the warp instructions, those that only wait (sim/func/poll.h) */
    uint64_t cycles; /* simulated, or as the README says: what events have seen */
    double seconds;  /* CPU time of executing it without timing */
    bool looked_at;  /* ... it was looked at, which takes a part of that */
    bool known;      /* not executed: memory held its results */
    bool for_run;    /* `run` would simulate it: none before was the same */
};
struct record_run { /* one detailed simulation of a launch; before its record_launch */
    int kernel, launch, cluster, n;
    int ran;          /* with so many at once, where fewer are none: they wait for ever */
    int perturbation; /* which one; 0: the plain run */
    struct run_stats stats;
    double host_seconds;
};
#define RECORD_RUNS 4
struct sample_runs { /* whole simulations of a sampled launch: a thorough answer */
    int count, n[RECORD_RUNS];
    double ipc[RECORD_RUNS]; /* thread instructions a cycle */
};
struct record_sample { /* of a cluster */
    int kernel, launch, cluster;
    double launch_insts;  /* warp instructions of that launch, as executed without timing */
    double thread_insts;  /* ... of its threads */
    struct sample sample; /* without the totals over launches */
    struct sample_runs runs;
    struct sample_cost cost;
};
struct record_tried { /* what came to nothing: a launch that could not be sampled or simulated */
    int kernel;
    struct sample_cost cost;
};
enum failed_why {
    FAILED_BY_PROGRAM,  /* a fault of its own */
    FAILED_UNSUPPORTED, /* it asks for what is not supported */
    FAILED_ABANDONED    /* it had not ended within --max-cycles */
};
struct record_begin { /* before the launch; after it comes its record_launch or record_fault */
    int kernel, launch;
};
struct record_fault { /* of a launch, or of the program: kernel -1 */
    int kernel, launch;
    enum failed_why why;
    char text[1024];
};
struct record_rejection { /* before the first launch of a kernel that is rejected in such a way */
    int rejection;        /* 0, 1, ... in the process */
    char kernel[KERNEL_NAME];
    char reason[256];
};
struct record_rejected { /* a launch that never began: the runtime or driver returned an error */
    int rejection;
};
struct record_host_call { /* of a library that is computed by the host: not simulated */
    char name[64];
};
#define RECORD_INSTS (1 << 20) /* of a kernel, at most */
struct record_code {           /* what record_inst and record_hot are of */
    int kernel, insts;
    char module[256];
};
struct record_inst { /* an instruction: sim/ptx/inst_lines.h, cut where that is long */
    int kernel, inst, ptx;
    char text[256], source[512]; /* source "": unknown */
};
struct record_hot { /* what it did since the last record of it */
    int kernel, inst;
    struct inst_counts counts;
};
struct record_race_side { /* sim/func/race.h */
    int ptx, thread;
    uint32_t kind;
    char text[256], source[512]; /* source "": unknown */
};
struct record_race { /* after each launch that found more of it */
    int race;        /* 0, 1, ... in the process */
    char kernel[KERNEL_NAME], module[256];
    struct record_race_side side[2];
    uint64_t count, addr;
    int cta[3];
};
struct record_trace { /* the process has ended, and recorded so much */
    uint64_t launches, ctas, warp_insts;
    char why[1024]; /* that the file is not whole; "": it is */
};
struct record_device { /* the process has a device: it made its first call */
    int pid;
};

#endif
