/* sampler/window/memory_rates.h -- what a GPU's memory delivers at best, network, queues and rows
 * of DRAM included: measured by a small kernel on the detailed simulator. Each warp loads from
 * lines one behind the other that nobody else uses.
 *
 *   DRAM reads    nothing is in a cache
 *   L2 reads      a second time, from a warm L2 and a cold L1D
 *   latency       of a warp's loads alone, of lines that are in no cache
 *
 * It runs on a slice of the GPU that has whole memory partitions (sampler/pilot/scale_model.h).
 * Rates are of the middle of the requests (rates.from, rates.to): neither the empty queues of the
 * start nor the last warps' end are in them. */
#ifndef MDP_SAMPLER_MEMORY_RATES_H
#define MDP_SAMPLER_MEMORY_RATES_H

#include "model/sample.h"
#include "sampler/sampling.h"
#include "sim/gpu/gpu_cfg.h"

struct memory_rates {
    bool known;      /* they were measured */
    double dram, l2; /* L1D lines a core cycle, the whole GPU's; l2 0: there is none for data */
    double latency;  /* core cycles */
    double network;  /* memory_rates_network(); 0: not measured */
    /* what that cost */
    uint64_t warp_insts;
    double seconds; /* CPU time */
};

/* The same configuration gives the same rates. */
bool memory_rates_measure(const struct gpu_cfg *cfg, const struct sampling *by,
                          struct memory_rates *out, struct err *e);
/* Sets r->network of rates that are known: what the network of the whole GPU delivers of what the
 * cores' shares of a slice's network would. A switch with more ports has more of them waiting for
 * each other (Karol, Hluchyj and Morgan, IEEE Transactions on Communications, 1987). By reads from
 * L2, at most 1; 1, too, without an L2: there DRAM bounds. Of *r the cost is that of this alone
 * then. */
bool memory_rates_network(const struct gpu_cfg *cfg, const struct sampling *by,
                          struct memory_rates *r, struct err *e);
uint64_t memory_rates_network_insts(const struct gpu_cfg *cfg, const struct sampling *by);
void memory_rates_fill(const struct memory_rates *r, struct sample *d);
/* The warp instructions that it takes. */
uint64_t memory_rates_insts(const struct gpu_cfg *cfg, const struct sampling *by);

#endif
