/* sampler/network.h -- how long packets take through the interconnect, and how long they hold a
 * memory partition's port of it when many want to pass. A port moves a flit a cycle; heads of
 * queues that wait for a taken output, and buffers shorter than a packet, make that less
 * (kayiran2013's crossbar needs 8.4 cycles for 5 flits). No formula is needed: the network itself
 * (sim/icnt) is run, all of its inputs full, each packet for an output drawn at random, and what
 * comes out is counted; or with one packet at a time. */
#ifndef MDP_SAMPLER_NETWORK_H
#define MDP_SAMPLER_NETWORK_H

#include "sim/gpu/gpu_cfg.h"

#define NETWORK_FLITS 64 /* longer packets take as much a flit as these */

enum network_way { NETWORK_REQUESTS, NETWORK_REPLIES, NETWORK_WAYS };

struct network {
    const struct gpu_cfg *cfg; /* borrowed */
    /* core cycles; 0: not measured yet */
    double gap[NETWORK_WAYS][NETWORK_FLITS + 1], delay[NETWORK_WAYS][NETWORK_FLITS + 1];
};

static inline void network_init(struct network *n, const struct gpu_cfg *cfg)
{
    *n = (struct network){.cfg = cfg};
}

/* Core cycles between two packets with `bytes` of data at one partition's port. Measured when first
 * asked for; at least a flit a cycle. */
double network_gap(struct network *n, enum network_way way, int bytes);
/* Core cycles of a packet through the empty network, mean over pairs of an input and an output. */
double network_delay(struct network *n, enum network_way way, int bytes);

#endif
