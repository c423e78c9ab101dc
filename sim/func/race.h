/* sim/func/race.h -- data races in shared memory: two threads of a CTA access the same bytes, one
 * of them writes, and nothing orders the two.
 *
 * What orders warps: barriers of the CTA (named ones too) and of the cluster, mbarriers, and a
 * fence before a strong access that another warp sees (atomics; volatile, relaxed, acquire and
 * release loads and stores). Atomics do not race with atomics, nor do strong accesses of different
 * warps. Lanes of a warp that run in step do not race; independent ones are ordered by
 * bar.warp.sync and by barriers of the CTA. What one instruction of a warp does at once is no race.
 *
 * Each thread's access is compared with the last write of those bytes and with the last reads of
 * two warps. So what is told is a race, in whatever order the warps ran; one that shows in other
 * orders or with other data alone is not seen. Not looked at: shared memory of other CTAs, bulk
 * copies. */
#ifndef MDP_SIM_FUNC_RACE_H
#define MDP_SIM_FUNC_RACE_H

#include "sim/func/warp.h"

enum race_kind { RACE_READ = 1, RACE_WRITE = 2, RACE_ATOMIC = 4, RACE_STRONG = 8 };

struct race_side { /* an instruction */
    uint32_t inst;
    unsigned kind; /* enum race_kind */
    int ptx;       /* line of the module */
    char *text;    /* owned */
    char *source;  /* owned: "FILE:LINE" by .loc; NULL: there is none */
    int thread;    /* of the example: in the CTA, as tid.x of a flat block */
};

struct race { /* of two instructions, or of one with itself; side[0] comes first in the kernel */
    uint64_t kernel_id;
    char *kernel, *module; /* owned */
    struct race_side side[2];
    uint64_t count; /* accesses of threads that found it */
    addr_t addr;    /* of the example: in the CTA's shared memory */
    int cta[3];
    bool news; /* since races_told() */
};

struct races *races_new(void);
void races_free(struct races *r);
/* Before a launch, of which everything is then looked at. */
void races_begin(struct races *r, struct launch *l);
/* The instruction that the warp has just executed. */
void races_step(struct races *r, const struct warp *w, const struct step *s);

int races_count(const struct races *r);
const struct race *races_all(const struct races *r); /* NULL or borrowed until the next step */
void races_told(struct races *r);                    /* nothing is news any more */

void race_release(struct race *x); /* of a copy: its texts */
/* "reads", "writes" or "is atomic": what the instruction does. */
const char *race_kind_name(unsigned kind);

#endif
