/* sim/sm/inst_source.h -- where the warps of a core get their instructions from. The core asks what
 * a warp executes next and what that did; when it happens is the core's affair alone.
 *
 *   execute   the instruction takes effect when it issues: sim/func computes its values
 *   watched   the same, and each one is looked at (sim/func/race.h)
 *   trace     the instructions, lanes and addresses that a run before recorded (trace_file.h)
 *
 * What depends on time is the source's work too: warps wait at barriers for those that come later.
 * A source keeps nothing beside its CTAs, so that any number of simulations share one. */
#ifndef MDP_SIM_SM_INST_SOURCE_H
#define MDP_SIM_SM_INST_SOURCE_H

#include "sim/func/warp.h"

struct inst_warp { /* how far a warp is; the source changes it in warp() and step() alone */
    uint32_t pc;   /* of its next instruction, while a lane is live */
    lanes_t live;  /* lanes that have not exited */
};

struct inst_place { /* of a CTA that starts */
    uint64_t linear;
    int core, cores;
};

struct inst_source {
    /* Room for a CTA of the launch, which any number of its CTAs use one after the other. */
    void *(*cta_new)(struct launch *l);
    void (*cta_free)(void *cta); /* NULL is fine */
    /* False: it cannot start, fault() says why. */
    bool (*cta_start)(void *cta, const struct inst_place *p);
    /* Warp i of a CTA that has started, as step() and locate() want it; *at: where it begins. */
    void *(*warp)(void *cta, int i, struct inst_warp *at);
    /* The warp's next instruction, which was at *at; it must not wait. False: fault(). */
    bool (*step)(void *warp, struct step *out, struct inst_warp *at);
    /* What the clocks read from now on; called before an instruction that reads one. */
    void (*set_time)(void *cta, cycle_t now, psec_t now_ps);
    uint32_t (*waiting)(const void *cta); /* bit i: warp i waits at a barrier */
    /* Every warp that has not ended waits, and one at least does: for ever. Fills the fault. */
    bool (*deadlocked)(void *cta);
    /* NULL, or whether no warp of it can go on unless others write to memory; and the fault of one
     * that is stuck for ever (sim/func/stuck.h). */
    bool (*stuck)(void *cta);
    void (*never_ends)(void *cta, uint64_t waiting);
    const struct fault *(*fault)(const void *cta); /* the first one of the CTA */
    const struct warp *(*state)(const void *warp); /* its number and its CTA, for who looks on */
    void (*locate)(const void *warp, struct fault *f); /* next instruction, CTA, first thread */
};

extern const struct inst_source inst_source_execute, inst_source_watched, inst_source_trace;

static inline const struct inst_source *inst_source_of(const struct launch *l)
{
    return l->recorded ? &inst_source_trace
           : l->races  ? &inst_source_watched
                       : &inst_source_execute;
}

#endif
