/* sim/frontend/pending.h -- launches that wait for the host or for other work, and what is queued
 * behind them.
 *
 * A launch runs when it is asked for, and its call returns when it has ended. Unless it is stuck
 * (sim/func/stuck.h): nothing but a write to memory by others can make it go on. Then it stays on a
 * thread of its own, its call returns, and the program goes on. The launch looks at memory again
 * and again; so it ends when the host, a copy or another stream's kernel has written what it waits
 * for. Until then what must come after it is queued: work of its stream, and of others as far as
 * the legacy default stream orders them. Calls that wait for a stream wait for it.
 *
 * When the host's threads all wait, and everything that runs is stuck, nobody is left to write: the
 * launch never ends, which is a fault. Where other threads of the program exist that might, that is
 * said after ten seconds.
 *
 * Only in a process (session_serve_process): a session of one thread has no host that goes on. */
#ifndef MDP_SIM_FRONTEND_PENDING_H
#define MDP_SIM_FRONTEND_PENDING_H

#include "sim/frontend/session.h"

struct pending_launch {
    CUcontext ctx;
    CUstream stream;
    struct kernel *kernel;
    struct launch_shape shape;
    double share;    /* of the GPU, which its CTAs take */
    uint8_t *params; /* owned by the callee: kernel->param_bytes */
    CUresult (*failed)(CUcontext ctx, const struct kernel *k, const struct err *why);
};
/* As context_launch(). CUDA_SUCCESS too while it waits; a later failure goes to `failed`. */
CUresult pending_launch(const struct pending_launch *l);

/* Whether work of that stream has to wait for what is pending. */
bool pending_busy(CUcontext ctx, CUstream stream);
/* It does, and the work is queued (its data copied): true. GRAPH_HOST: a function of the host. */
bool pending_later(CUcontext ctx, CUstream stream, const struct graph_work *w);
/* The host waits for a stream; for all streams of all contexts. */
void pending_settle(CUcontext ctx, CUstream stream);
void pending_settle_all(void);

/* Events: the number of what is queued last in the stream, 0: nothing; whether that is still so;
 * the stream's work from now on comes after it. */
uint64_t pending_last(CUcontext ctx, CUstream stream);
bool pending_has(uint64_t number);
void pending_wait(uint64_t number);
void pending_after(CUcontext ctx, CUstream stream, uint64_t number);

/* Calls made between do their work now: it is what was queued, or part of a call that has waited.
 * It is work of that stream. */
struct pending_work {
    bool works;
    CUstream stream;
};
struct pending_work pending_work_begin(CUstream stream);
void pending_work_end(struct pending_work before);
CUstream pending_work_stream(void);
/* Work that waits for its stream, and for no other, and is then done at once. */
typedef CUresult pending_fn(const void *data, CUstream stream);
CUresult pending_run(CUcontext ctx, CUstream stream, pending_fn *run, const void *data);

#endif
