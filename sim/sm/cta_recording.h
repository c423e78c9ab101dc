/* sim/sm/cta_recording.h -- a few CTAs of a launch, recorded in memory while all of them are
 * executed together, without timing. Who waited for others there waits for nobody when it is run
 * from the record: of each loop that only waits (sim/func/poll.h) there is the first round, as if
 * that found what it waits for. So one CTA can be simulated alone. Of a cluster a CTA reaches for
 * the others' shared memory as if it were its own.
 */
#ifndef MDP_SIM_SM_CTA_RECORDING_H
#define MDP_SIM_SM_CTA_RECORDING_H

#include "base/err.h"
#include "base/types.h"

struct func_counts;
struct launch;

struct cta_recording_opts {
    int resident;            /* CTAs at once: as many as the launch needs to come to its end */
    uint64_t max_warp_insts; /* 0: no limit */
    bool (*follows)(void *user, uint64_t cta); /* which ones */
    void *user;
};

struct cta_recording;

/* Executes l, on its memory; *counts has all of it, also of what failed. NULL and e: it does not
 * come to its end, or a CTA does what cannot be recorded. */
struct cta_recording *cta_recording_take(struct launch *l, const struct cta_recording_opts *o,
                                         struct func_counts *counts, struct err *e);
void cta_recording_free(struct cta_recording *r); /* NULL is fine */

/* The launch, to be run from the record; what was not recorded is a fault. Borrows from r and l. */
struct launch cta_recording_launch(const struct cta_recording *r, const struct launch *l);
/* Warp and thread instructions of the whole launch, without all rounds of waits but the first: by
 * what the recorded CTAs have of these. counts: of cta_recording_take(). */
void cta_recording_work(const struct cta_recording *r, const struct func_counts *counts,
                        double *warp, double *thread);

#endif
