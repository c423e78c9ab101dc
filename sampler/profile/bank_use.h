/* sampler/profile/bank_use.h -- how long channels and banks of DRAM take for what a few CTAs ask
 * for side by side: their requests may be of many rows, or of few channels or banks.
 *
 * CTAs are executed one after another, without timing. Their requests are kept, and then taken in
 * turns, a request of each CTA, as if they kept step. A channel has a queue as long as the GPU's: a
 * request of a row that one before it in the queue has opened finds it open; any other waits until
 * its bank may open a row again, and for the channel's last activate. Requests of different banks
 * pass each other. */
#ifndef MDP_SAMPLER_BANK_USE_H
#define MDP_SAMPLER_BANK_USE_H

#include "sim/gpu/gpu_cfg.h"
#include "sim/mem/req.h"

struct bank_request {
    uint32_t row;
    uint16_t channel, bank;
};

struct bank_use {
    const struct gpu_cfg *cfg;    /* borrowed */
    int ctas, most;               /* most: requests of a CTA that are looked at */
    int *made;                    /* owned, [ctas] */
    struct bank_request *request; /* owned, [ctas][most] */
};

/* most: requests of a CTA; nothing after them is looked at. */
void bank_use_init(struct bank_use *u, const struct gpu_cfg *cfg, int ctas, int most);
void bank_use_fini(struct bank_use *u);
/* A CTA's next request, whose address addrmap_set() has looked up. */
void bank_use_add(struct bank_use *u, int cta, const struct mem_req *r);
/* Core cycles that one request takes on the whole GPU, each of them a line of L1D: of the channel
 * that takes longest, over the requests of all. 0: nothing was asked for. */
double bank_use_cycles(const struct bank_use *u);

#endif
