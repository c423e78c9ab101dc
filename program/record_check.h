/* program/record_check.h -- the records as a stranger's: whoever runs the program may write
 * anything into their file. What has passed needs no further look: indices are in range, texts end,
 * numbers are finite, sums of them too. */
#ifndef MDP_PROGRAM_RECORD_CHECK_H
#define MDP_PROGRAM_RECORD_CHECK_H

#include "program/plan.h"

union record { /* any */
    struct record_kernel kernel;
    struct record_launch launch;
    struct record_run run;
    struct record_sample sample;
    struct record_tried tried;
    struct record_fault fault;
    struct record_device device;
    struct record_trace trace;
    struct record_rejection rejection;
    struct record_rejected rejected;
    struct record_begin begin;
    struct record_host_call host_call;
    struct record_code code;
    struct record_inst inst;
    struct record_hot hot;
    struct record_race race;
};

/* Bytes of a record of this kind; 0: there is no such kind. */
size_t record_bytes(uint32_t kind);

/* What is known before it of the kernel that a record names: NULL if nothing. */
struct record_context {
    const struct record_kernel *kernel;
    int insts;      /* instructions of its code; 0: that is not known yet */
    int clusters;   /* that it has so far: a record names one of them or the next */
    int rejections; /* of the process so far */
    int races;      /* likewise */
};

/* Such a record begins with the number of a kernel. */
bool record_of_kernel(uint32_t kind);

/* bytes: what was read, before it is looked at as r; false and e: why it cannot be true. */
bool record_check(uint32_t kind, const void *bytes, const struct record_context *c, struct err *e);

#endif
