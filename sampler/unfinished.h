/* sampler/unfinished.h -- sampled launches of which more pilots are worth it than were run at once.
 * How much of the program's time each takes is known when the program has ended, and so is what is
 * left of the budget: then it goes to those pilots that promise most for what they take, on memory
 * as it was before the launch. */
#ifndef MDP_SAMPLER_UNFINISHED_H
#define MDP_SAMPLER_UNFINISHED_H

#include "sampler/sample_launch.h"

struct unfinished_launch {
    struct launch l;           /* memory and parameters owned; its module is kept */
    struct textures *textures; /* owned; l's */
    struct launch_facts facts;
    struct sample *sample; /* the caller's, or in *owner */
    double gain;           /* of another pilot, as ln IPC; 0: none is worth it */
    void *owner;           /* owned: what the caller knows of it; freed */
};

struct unfinished {              /* all 0: none yet */
    struct unfinished_launch *v; /* owned */
    int count;
    uint64_t bytes; /* of their memory */
};

/* Whether a launch can be kept whose memory takes so much: devmem_kept_bytes(). */
bool unfinished_has_room(const struct unfinished *u, uint64_t bytes, const struct pilot_params *by);
/* before: the launch, with a clone of its memory, which is taken over, as is x->owner; of *x the
 * launch is not read. used: what it used of that; NULL: all is kept. */
void unfinished_keep(struct unfinished *u, const struct launch *before, const struct usage *used,
                     const struct unfinished_launch *x);
/* How many of them another pilot is worth it for, as far as `rest` allows. */
int unfinished_open(const struct unfinished *u, const struct pilot_rest *rest);
/* Of these the one whose pilot promises most for what it takes; NULL: there is none. insts: warp
 * instructions of the launches that one stands for. */
struct unfinished_launch *unfinished_next(const struct unfinished *u, const struct pilot_rest *rest,
                                          double (*insts)(void *user,
                                                          const struct unfinished_launch *x),
                                          void *user);
/* Frees all; none is left. */
void unfinished_fini(struct unfinished *u);

#endif
