/* sampler/l1_state.h -- which lines each core's L1s (of data, constants, textures) hold at a point
 * of a run without timing: the accesses of a core's CTAs look their lines up in the order of
 * execution. A replay begins with them; local memory, which a CTA leaves behind, is not kept.
 *
 * Which core a CTA is on is known of a launch that finds room for all of its CTAs: they are dealt
 * round. Else it is whichever has room first, and so is the first core of the launch behind it;
 * which that is only a run with timing tells, so it is drawn at random there. Whether there is room
 * depends on n: both are kept. */
#ifndef MDP_SAMPLER_L1_STATE_H
#define MDP_SAMPLER_L1_STATE_H

#include "sampler/requests.h"
#include "sampler/stamp_cache.h"

enum { L1_ROUND, L1_ANYWHERE, L1_STATES };
enum { L1_DATA, L1_CONST, L1_TEXTURE, L1_CACHES };

struct l1_state {
    const struct gpu_cfg *cfg; /* borrowed */
    struct stamp_cache
        *cache[L1_CACHES]; /* owned, of each core; NULL: holds nothing between launches */
    cycle_t uses;          /* lookups so far, which stand for time */
};

void l1_state_init(struct l1_state *s, const struct gpu_cfg *cfg);
void l1_state_fini(struct l1_state *s);
/* Where a CTA of the launch of that number is; first: core of its first one, dealt round. */
int l1_state_core(int state, const struct gpu_cfg *cfg, int launch, int first, uint64_t cta);
/* made: what requests_make(), or requests_constants(), made of the step; core: that the CTA is on.
 * Returns how many of them it did not hold: all, if nothing is kept of the cache. */
int l1_state_step(struct l1_state *s, const struct requests *made, const struct step *st, int core);
/* to: that cache of a core of the same GPU; stays as it is if nothing is kept of it. */
void l1_state_give(const struct l1_state *s, int cache, int core, struct stamp_cache *to);
/* to: initialised for the same GPU. */
void l1_state_copy(struct l1_state *to, const struct l1_state *from);

#endif
