/* program/kernels.h -- the kernels that a program launches: an entry at one block and its resources
 * is one. They are numbered in order of their first launches. */
#ifndef MDP_PROGRAM_KERNELS_H
#define MDP_PROGRAM_KERNELS_H

#include "program/clusters.h"
#include "program/hot_lines.h"
#include "program/plan.h"
#include "program/repeat.h"

struct kernel_state {
    struct record_kernel k;
    struct kernel_key key; /* owned; its registers are the entry's own */
    uint64_t detailed;     /* launches simulated or sampled */
    uint64_t for_run;      /* launches that `run` would simulate */
    uint64_t latest_insts; /* warp instructions of the latest launch, or of one that is sought */
    uint64_t sought_insts; /* ... of the latest that no look had seen */
    int too_late;          /* launches that are not measured: seen to be unlike too late */
    bool waits;            /* its CTAs wait for each other: none runs alone */
    struct clusters clusters;
    struct repeat single; /* launches with one degree, whatever their scalars */
    struct hot_lines hot; /* of a plan with `hot`; ended before kernels_fini() */
};

struct kernels {                  /* all 0: none yet */
    struct kernel_state **kernel; /* owned */
    int count;
};

void kernels_fini(struct kernels *ks);

/* Both return what is valid until kernels_fini(), and give l the registers that the kernel
 * is simulated with. l: after launch_init(). */

/* NULL: it was never launched. */
struct kernel_state *kernels_find(struct kernels *ks, struct launch *l);
/* It was never launched. Where its registers alone let not even one CTA on a core, it gets fewer,
 * which is said on stderr. */
struct kernel_state *kernels_add(struct kernels *ks, const struct program_plan *p,
                                 struct launch *l);

/* As a record has it: what is too long to be demangled later is cut as it would be read. */
void kernel_shown_name(const char *name, char out[KERNEL_NAME]);

#endif
