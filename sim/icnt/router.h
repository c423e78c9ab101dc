/* sim/icnt/router.h -- an input-queued router with virtual channels, as booksim's (Dally and
 * Towles, Principles and Practices of Interconnection Networks, ch. 16): route, allocate a virtual
 * channel of the output, allocate the switch, cross; credits count the free places behind each
 * output.
 *
 *   router_arrive -> VC buffer -> routing (delay) -> VC allocation -> switch allocation -> moves
 *
 * Both allocations are iSLIP with one iteration. Input speed-up s lets VCs v with different v mod s
 * of an input cross in the same cycle. Wormhole: a packet keeps its output VC until its tail. */
#ifndef MDP_SIM_ICNT_ROUTER_H
#define MDP_SIM_ICNT_ROUTER_H

#include "sim/icnt/icnt_cfg.h"
#include "sim/mem/req.h"

struct flit {
    struct mem_req *req;
    cycle_t pushed;
    uint16_t dest; /* node */
    uint8_t vc;    /* in the channel that it is in */
    bool head, tail;
};

struct router_move { /* what crossed in a step */
    struct flit flit;
    uint16_t out, in;
    uint8_t in_vc; /* a place in it has become free */
};

/* The output port of router `id` towards a node. */
typedef int route_fn(const void *topology, int id, int dest);

struct router; /* opaque */

struct router *router_new(const struct icnt_cfg *cfg, int inputs, int outputs, int id);
void router_free(struct router *r);
/* How many flits fit behind a VC of this output port (otherwise vc_flits). */
void router_places(struct router *r, int port, int flits);
void router_arrive(struct router *r, int port, const struct flit *f); /* flit->vc has room */
void router_credit(struct router *r, int port, int vc);
bool router_empty(const struct router *r); /* no flit inside */
/* One cycle; fills moves (at most one per output) and returns their number. */
int router_step(struct router *r, cycle_t now, route_fn *route, const void *topology,
                struct router_move *moves);

#endif
