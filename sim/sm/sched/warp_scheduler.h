/* sim/sm/sched/warp_scheduler.h -- a warp scheduler's policy: which of the warps that could issue
 * in this cycle does. The framework (issue.c, fetch.c) finds out which could, and keeps a policy's
 * state; the policy ranks them, and may hold some back. Warps are slots of the core, and a set of
 * them is a mask.
 *
 * A policy is one file with a `const struct warp_scheduler_ops`, and its entry in
 * warp_scheduler.c. Of the hooks only `pick` must be there. */
#ifndef MDP_SIM_SM_SCHED_WARP_SCHEDULER_H
#define MDP_SIM_SM_SCHED_WARP_SCHEDULER_H

#include "base/err.h"
#include "sim/mem/l1_cache.h"
#include "sim/sm/sched/sched_counts.h"
#include "sim/sm/warps.h"

/* What a policy may look at; borrowed. */
struct sched_view {
    /* always the same */
    const struct sm_cfg *cfg;     /* parameters, the policies' too */
    int scheduler;                /* number of this one, 0 .. cfg->schedulers - 1 */
    uint64_t owned;               /* slots of this scheduler */
    const uint64_t *age;          /* per slot: order of arrival on the core, smaller is older */
    const struct warp_slot *warp; /* per slot */
    const struct warp_sets *set;  /* what each waits for */
    const struct l1_cache *l1d;   /* NULL: switched off */
    void *core;                   /* core_bytes of state that the core's schedulers share */
    /* of the launch */
    const struct kernel *kernel;
    const struct inst_meta *meta; /* by pc: latency, pipe and registers of each instruction */
    const void *analysis;         /* what analyse() made */
    int warps_per_cta;
    /* of the moment */
    cycle_t now;
};

/* What the warp executes next, whether its buffer holds it or not; it has not ended. */
static inline const struct inst_meta *sched_next(const struct sched_view *v, int slot)
{
    return &v->meta[v->warp[slot].at.pc];
}
/* The oldest warp of a set that is not empty. */
static inline int sched_oldest(const struct sched_view *v, uint64_t among)
{
    int best = __builtin_ctzll(among);
    for (uint64_t rest = among & (among - 1); rest; rest &= rest - 1) {
        const int slot = __builtin_ctzll(rest);
        if (v->age[slot] < v->age[best])
            best = slot;
    }
    return best;
}

/* What analyse() sees: a kernel, and what timing makes of it. */
struct sched_code {
    const struct kernel *kernel;
    const struct inst_meta *meta;
    const struct sm_cfg *cfg;
};

struct warp_scheduler_ops {
    const char *name, *help, *paper;
    bool greedy; /* mostly the warp that issued last goes on, then the oldest that can */
    size_t bytes, core_bytes; /* state of a scheduler, of a core; zeroed when a GPU is made */
    /* False: a parameter of the policy is wrong in itself; asked whichever policy is chosen. */
    bool (*check)(const struct sm_cfg *cfg, struct err *e);
    /* Once for each launch, the same for all cores: tables over the code, NULL if there is nothing
     * to know. Freed by free(). */
    void *(*analyse)(const struct sched_code *code);
    /* What a user should know of this kernel under this policy, behind the kernel's name; NULL:
     * nothing. */
    const char *(*note)(const void *analysis);
    void (*init)(void *st, const struct sched_view *v); /* once, before any launch */
    /* Before each launch: whatever must not outlive the launch before. */
    void (*launch)(void *st, const struct sched_view *v);
    void (*warp_started)(void *st, const struct sched_view *v, int slot);
    void (*warp_left)(void *st, const struct sched_view *v, int slot);
    /* The slots that may issue now; the others are held back whatever they have. *again (false on
     * entry) is set if the answer may be another one in the next cycle although nothing happens to
     * a warp: the scheduler is asked again then, and the core does not sleep. */
    uint64_t (*admit)(void *st, const struct sched_view *v, bool *again);
    /* The slot in `among` (never 0) that comes first. */
    int (*pick)(const void *st, const struct sched_view *v, uint64_t among);
    /* `slot` issued m, and is at v->warp[slot].at now (ended: in v->set->done). */
    void (*issued)(void *st, const struct sched_view *v, int slot, const struct inst_meta *m);
    /* The slot in `among` (never 0; all of this scheduler, all with an empty buffer) that fetches.
     * The schedulers of a core take turns. NULL, or SCHED_ROUND_ROBIN: round robin over all warps
     * of the core. */
    int (*fetch)(void *st, const struct sched_view *v, uint64_t among);
    /* A load transaction of `slot` at L1D; for an eviction the warp that had brought the line, in
     * whose slot another one may be by now. */
    void (*l1d)(void *st, const struct sched_view *v, int slot, enum l1_event what, addr_t line);
    /* Adds what this scheduler counted in this launch; asked before the next launch() and at the
     * end. */
    void (*counts)(const void *st, struct sched_counts *add);
};
#define SCHED_ROUND_ROBIN (-1)

extern const struct warp_scheduler_ops warp_scheduler_gto, warp_scheduler_lrr, warp_scheduler_paws,
    warp_scheduler_two_level, warp_scheduler_two_level_groups, warp_scheduler_ccws,
    warp_scheduler_mascar, warp_scheduler_elf;
/* What two_level.outer and two_level.inner may be; they end with NULL. */
extern const char *const two_level_outer_words[], *const two_level_inner_words[];
const struct warp_scheduler_ops *warp_scheduler_find(const char *name); /* exact; NULL: unknown */
const struct warp_scheduler_ops *warp_scheduler_at(int i); /* for listings; NULL past the end */
/* False: no such policy (the message has the near names), or a parameter of one is wrong. */
bool warp_scheduler_check(const struct sm_cfg *cfg, struct err *e);

#endif
