/* hw/measure.h -- what stands between a workload's host code and the driver: every launch is held
 * to n CTAs a core, timed with events, and booked on its kernel.
 *
 * CTAs are held down with dynamic shared memory that the kernel does not use: the least with which
 * the driver says that no more than n fit. On GPUs where shared memory and L1D share their storage
 * the division is fixed (the carve-out), or L1D would grow as n falls. */
#ifndef MDP_HW_MEASURE_H
#define MDP_HW_MEASURE_H

#include "base/types.h"
#include "sim/frontend/cuda.h"

struct kernel_time { /* over the launches of one run */
    char name[128];
    int threads;     /* a CTA, of the first launch */
    int n, n_max;    /* CTAs a core that it ran with (the most), and that fit */
    unsigned shared; /* dynamic shared memory that held it to that */
    int launches;
    double ms;
};

struct held { /* the answer for one function and shape: asked of the driver once */
    CUfunction f;
    unsigned threads, asked, shared;
    int n, n_max;
};

struct named { /* functions of the present run */
    CUfunction f;
    char *name; /* owned */
};

struct measurement {
    int n;                      /* CTAs a core; 0: as many as fit */
    int carveout;               /* percent of shared memory, -1: as the driver likes */
    struct kernel_time *kernel; /* owned; in order of first launch */
    int kernels;
    struct held *held; /* owned */
    int helds;
    struct named *named; /* owned */
    int nameds;
};

/* Launches until measure_end are m's. One at a time. */
void measure_begin(struct measurement *m, int n, int carveout);
void measure_end(struct measurement *m);
void measure_free(struct measurement *m);

#endif
