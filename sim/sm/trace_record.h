/* sim/sm/trace_record.h -- records CTAs while a launch is executed without timing: on_step() and
 * on_done() of sim/func/run.h. Each CTA, when it has ended, is handed on as the bytes of its part
 * (trace_write.h). */
#ifndef MDP_SIM_SM_TRACE_RECORD_H
#define MDP_SIM_SM_TRACE_RECORD_H

#include "sim/sm/trace_code.h"

struct trace_recorder {
    int warps;         /* of a CTA */
    bool without_wait; /* of loops that only wait (sim/func/poll.h), the first round alone, which
                          all lanes are in; shared memory of another CTA of the cluster as if it
                          were the CTA's own */
    void (*done)(void *user, uint64_t cta, const struct trace_bytes *part);
    void *user;
    const char *why;                         /* what could not be recorded; NULL: nothing */
    uint64_t ctas;                           /* that have ended */
    uint64_t left_out_warp, left_out_thread; /* instructions, of later rounds */
    uint64_t kept_waits; /* warp instructions of loops that only wait: of first rounds */
    struct recorded_steps *open, *spare; /* owned; the CTA that ran last is the first */
};

void trace_recorder_step(struct trace_recorder *r, const struct warp *from, const struct step *s);
/* A CTA of which steps were told has ended. */
void trace_recorder_done(struct trace_recorder *r, uint64_t cta);
void trace_recorder_fini(struct trace_recorder *r);

#endif
