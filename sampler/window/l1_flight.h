/* sampler/window/l1_flight.h -- L1D by its tags alone, with lines on their way: a clock that the
 * caller keeps says when one is there. As in the simulator, a line that is on its way stays, and
 * has an MSHR; the core has its share of what memory delivers. */
#ifndef MDP_SAMPLER_L1_FLIGHT_H
#define MDP_SAMPLER_L1_FLIGHT_H

#include "sim/mem/mem_cfg.h"
#include "sim/mem/tags.h"

struct memory_share { /* of a core */
    double latency;   /* cycles that a miss takes alone */
    double each;      /* cycles from one line to the next, at best */
};

struct l1_flight {
    struct tags tags;
    struct memory_share memory;
    cycle_t uses; /* the tags' clock */
    double *back; /* owned, by way: when its line is there */
    double *mshr; /* owned: when each is free again, a ring */
    int mshrs, oldest;
    double next_line, hit;
};

void l1_flight_init(struct l1_flight *c, const struct cache_cfg *cfg,
                    const struct memory_share *memory);
void l1_flight_fini(struct l1_flight *c);
/* A load's request at *now, which waits until it has a way and an MSHR; returns when its data is
 * there. *missed counts those that memory is asked for. */
double l1_flight_load(struct l1_flight *c, addr_t line, double *now, double *missed);
/* A store's: it goes through, and the line leaves; kept: it stays, as one of local memory does. */
void l1_flight_store(struct l1_flight *c, addr_t line, double now, bool kept);

#endif
