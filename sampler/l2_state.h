/* sampler/l2_state.h -- which lines the L2 slices hold at a point of a run without timing: every
 * transaction of every warp looks its line up, in the order of execution, whatever L1s would have
 * kept from them. A replay begins with them. */
#ifndef MDP_SAMPLER_L2_STATE_H
#define MDP_SAMPLER_L2_STATE_H

#include "sampler/requests.h"
#include "sim/mem/addrmap.h"
#include "sim/mem/tags.h"

struct l2_state {
    const struct gpu_cfg *cfg; /* borrowed; NULL: no L2, nothing is kept */
    struct addrmap map;
    struct tags *slice; /* owned, of each partition */
    cycle_t uses;       /* lookups so far, which stand for time */
    uint64_t misses;    /* of these */
};

void l2_state_init(struct l2_state *s, const struct gpu_cfg *cfg);
void l2_state_fini(struct l2_state *s);
/* Whether it holds a line; where, or which way of its slice is to be replaced. */
bool l2_state_find(const struct l2_state *s, addr_t line, struct tags **slice, uint32_t *way);
/* made: what requests_make() made of the step. */
void l2_state_step(struct l2_state *s, const struct requests *made, const struct step *st);
/* to: the tags of a slice of the same GPU. */
void l2_state_give(const struct l2_state *s, int slice, struct tags *to);
/* to: initialised for the same GPU. */
void l2_state_copy(struct l2_state *to, const struct l2_state *from);

#endif
