/* sim/mem/channel_share.h -- what a channel of the GPU may have of a channel of a scale model
 * (mem_cfg.model), which stands for several of them and has the requests of as many times fewer
 * cores. What comes to all of these alike is served as fast as they would. What comes to one alone,
 * as of an array whose rows all begin in the same partition or of one word in which every CTA
 * counts, has no more than its share: whatever takes a resource of the channel (the data bus, a
 * bank) keeps that one busy as many times as long as there are channels. It may run ahead by
 * mem_cfg.model.lead cycles, since a part of the requests is never spread as evenly as all are. */
#ifndef MDP_SIM_MEM_CHANNEL_SHARE_H
#define MDP_SIM_MEM_CHANNEL_SHARE_H

#include "base/types.h"

struct channel_share { /* one resource; cycles are those of its own clock */
    int channels;      /* of the GPU */
    cycle_t lead;      /* that an account may be ahead */
    cycle_t *until;    /* owned: by account, when it would be done */
    cycle_t last;      /* of these */
};

/* accounts: of channels, or of all of their banks. */
void channel_share_init(struct channel_share *s, int channels, int accounts, cycle_t lead);
void channel_share_fini(struct channel_share *s);
/* The account has had the resource for so many cycles up to now. */
void channel_share_take(struct channel_share *s, int account, cycle_t now, cycle_t cycles);

/* When it may have it again. */
static inline cycle_t channel_share_when(const struct channel_share *s, int account)
{
    const cycle_t until = s->until[account];
    return until > s->lead ? until - s->lead : 0;
}

/* Some account has to wait. */
static inline bool channel_share_binds(const struct channel_share *s, cycle_t now)
{
    return s->last > now + s->lead;
}

#endif
