/* sim/func/run.h -- a whole launch executed without timing, CTA by CTA in order. The warps of a CTA
 * take short turns, so that a race has the outcome that warps in step give it: a turn ends where a
 * warp, having written memory that others see, would read it, or the other way round; what all of
 * them do between two such places is done before one goes on. A CTA that takes long makes room for
 * others, so that CTAs that wait for each other (locks, barriers of the whole grid made of atomics)
 * come to an end where a GPU that holds as many at once would. */
#ifndef MDP_SIM_FUNC_RUN_H
#define MDP_SIM_FUNC_RUN_H

#include "sim/func/warp.h"

/* Instructions of a warp's turn, at most, and those of a CTA's, in which none of its warps comes to
 * a barrier or its end. A long turn of a warp is its way to its next barrier. */
#define FUNC_TURN      1000
#define FUNC_LONG_TURN 10000

struct func_counts {
    uint64_t warp_insts, thread_insts, ctas;
    uint64_t polls; /* of the warp instructions, those of loops that only wait (poll.h) */
    uint64_t waits; /* how often a CTA's first warp left such a loop */
};

/* Warp instructions without those: what two launches are compared by. */
static inline uint64_t func_work(const struct func_counts *c)
{
    return c->warp_insts - c->polls;
}

struct func_opts {
    uint64_t
        max_warp_insts; /* 0: no limit; reaching it is an error (a kernel that loops forever) */
    int resident;       /* CTAs at once; 0: one after another */
    uint64_t first_cta, num_ctas; /* num 0: all; lets the sampler run a few CTAs */
    /* An error as well: CTAs execute more warp instructions in a row without any that others could
     * see (inst.publishes), nor an end of one: they wait. 0: no limit. */
    uint64_t max_unpublished;
    bool alone; /* ... and to wait for CTAs that are left out is a fault at once, where it is proved
                   (stuck.h); else only the limit ends it */
    uint64_t turn; /* instructions of a warp before the next one's turn, whatever they do; 0: short
                      turns, as said above */
    /* Called after every instruction when not NULL (traces, profiles, reuse distances). */
    void (*on_step)(void *user, const struct warp *w, const struct step *s);
    bool (*follows)(void *user, uint64_t cta); /* on_step is wanted of it; NULL: of every CTA. The
                                                  others run much faster */
    /* A CTA is done, and has executed so many warp instructions. */
    void (*on_done)(void *user, uint64_t cta, uint64_t warp_insts);
    void *user; /* of these three; with none of them a launch's races are looked for, if asked */
    bool (*progress)(void *user, uint64_t done, uint64_t all); /* false: stop */
    void *progress_user;
};

bool func_run(struct launch *l, const struct func_opts *o, struct func_counts *counts,
              struct err *e);

#endif
