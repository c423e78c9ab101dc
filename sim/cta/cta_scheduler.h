/* sim/cta/cta_scheduler.h -- a CTA scheduler's policy: how many CTAs each core may hold, and how
 * many of those run. The framework (dispatch.c) hands CTAs out, pauses and resumes them, and keeps
 * a policy's state.
 *
 * A policy is one file with a `const struct cta_scheduler_ops`, and its entry in cta_scheduler.c.
 * Of the hooks only `limit` must be there. */
#ifndef MDP_SIM_CTA_CTA_SCHEDULER_H
#define MDP_SIM_CTA_CTA_SCHEDULER_H

#include "sim/cta/cta_cfg.h"
#include "sim/sm/sm.h"

/* What a policy may look at; borrowed. Where it says "the core", counters are of this core alone.
 */
struct cta_view {
    const struct cta_cfg *cfg; /* parameters, the policies' too */
    int core, cores;
    struct sm *sm;                         /* the core */
    void *shared;                          /* shared_bytes of state for all cores together */
    const struct cta_predictor *predictor; /* NULL: there is none */
    /* of the launch */
    int fits;      /* CTAs that fit on a core, or that the user asked for */
    int n;         /* the same, or a core's share of the grid if that is less: the highest limit */
    uint64_t ctas; /* of the launch */
    cycle_t start; /* when it began */
    /* of the moment */
    cycle_t now;
    uint64_t c_mem, c_idle,
        stalled;      /* the core's cycles since the launch began, as run_stats has them */
    bool all_started; /* no CTA is left to hand out */
};

/* Who can tell the best number of CTAs from what one core did: a model above the simulator. */
struct cta_predictor {
    void *user;
    /* one: what the core counted while it ran one CTA, all its life. The number for all cores, at
     * least 1; what is above `n` means n. */
    int (*choose)(void *user, const struct cta_view *v, const struct run_stats *one);
};

/* CTAs above a core's limit, the youngest first, may be paused: their warps issue only while no
 * warp of another CTA of the core is ready. */
struct cta_pausing {
    bool on;
    cycle_t patience; /* cycles without issue after which a paused warp counts as running, for one
                         instruction; 0: never */
};

struct cta_scheduler_ops {
    const char *name, *help, *paper;
    size_t bytes, shared_bytes; /* state of a core, of all together; zeroed at each launch */
    struct cta_pausing (*pausing)(const struct cta_cfg *cfg); /* NULL: none is paused */
    /* A launch begins. Returns the cycle at which tick() is called first; CYCLE_NEVER: not at all.
     */
    cycle_t (*launch)(void *st, const struct cta_view *v);
    /* CTAs that the core may hold, 1 .. v->n; asked after each call of another hook. */
    int (*limit)(const void *st, const struct cta_view *v);
    /* It is the cycle that was asked for. Returns the next one, later than v->now. */
    cycle_t (*tick)(void *st, const struct cta_view *v);
    /* A CTA of the core ended. Returns what tick() would. */
    cycle_t (*cta_ended)(void *st, const struct cta_view *v, const struct sm_cta_end *end);
};

extern const struct cta_scheduler_ops cta_scheduler_static, cta_scheduler_dyncta, cta_scheduler_lcs,
    cta_scheduler_online;
const struct cta_scheduler_ops *cta_scheduler_find(const char *name); /* exact; NULL: unknown */
const struct cta_scheduler_ops *cta_scheduler_at(int i);              /* NULL past the end */
/* False: no such policy; the message has the near names. */
bool cta_scheduler_check(const char *parameter, const char *name, struct err *e);

#endif
