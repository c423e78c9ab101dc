/* sim/icnt/icnt.h -- a packet network: one object carries requests (core -> partition) or replies
 * (partition -> core). Contract of every entry of icnt_ops (tests run all of them through one
 * suite): a packet pushed by input i for output o comes out at o once, in order per (i, o);
 * can_push() is asked before push(), for all flits or all but those of the header; a full output
 * buffer holds the packet back (back-pressure), never drops it. */
#ifndef MDP_SIM_ICNT_ICNT_H
#define MDP_SIM_ICNT_ICNT_H

#include "base/err.h"
#include "sim/icnt/icnt_cfg.h"
#include "sim/mem/req.h"

#define ICNT_NODES_MAX 512 /* inputs, outputs */
#define ICNT_WORDS     (ICNT_NODES_MAX / 64)

struct icnt; /* opaque */

struct icnt_stats {
    uint64_t packets, flits, latency_sum; /* icnt cycles, push to the last flit's ejection */
};

struct icnt_ops {
    const char *name, *help;
    void *(*create)(const struct icnt_cfg *cfg, int inputs, int outputs);
    void (*destroy)(void *st);
    bool (*can_push)(const void *st, int input, int flits);
    void (*push)(void *st, int input, int output, struct mem_req *r);
    struct mem_req *(*peek)(
        const void *st, int output); /* complete packet at the output's ejection buffer, or NULL */
    struct mem_req *(*pop)(void *st, int output);
    bool (*tick)(void *st);       /* one interconnect cycle; true: something moved */
    bool (*idle)(const void *st); /* nothing inside, not even credits: ticks may be left out */
    void (*stats)(const void *st, struct icnt_stats *out);
    /* ICNT_WORDS words that stay in place: bit o: peek(o) is not NULL. */
    const uint64_t *(*ready)(const void *st);
    /* A number that stays in place: while it is 0, tick has nothing to do and may be left out. */
    const int *(*busy)(const void *st);
};

/* Flits of a packet with so many bytes of data behind its header, one at least. */
static inline int icnt_flits(const struct icnt_cfg *cfg, int bytes)
{
    const int flits = (bytes + cfg->header_bytes + cfg->flit_bytes - 1) / cfg->flit_bytes;
    return flits < 1 ? 1 : flits;
}

/* Flits of this packet in its present direction: requests carry data if they write or are atomic,
 * replies if they do not write. */
uint16_t icnt_packet_flits(const struct icnt_cfg *cfg, const struct mem_req *r);
/* Flits that a request asks room for. GPGPU-Sim 3.2.1 asks for a store's or an atomic's data alone,
 * then sends its header too (header: false). */
int icnt_request_room(const struct icnt_cfg *cfg, const struct mem_req *r, bool header);

extern const struct icnt_ops icnt_xbar, icnt_fly, icnt_mesh;
#define ICNT_NAMES "xbar, fly, mesh"
const struct icnt_ops *icnt_find(const char *name); /* exact; NULL: unknown */
const struct icnt_ops *icnt_at(int i);              /* for listings; NULL past the end */

#endif
