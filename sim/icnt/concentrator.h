/* sim/icnt/concentrator.h -- cores of a cluster share one node of the networks: cluster c is the
 * cores c * size and following. Stands in front of a network as its icnt_ops, so that a core sees
 * the network that it would have alone.
 *
 *   core 0 -+                                   +-> core 0
 *   core 1 -+-> node c -> network -> node c -> -+-> core 1
 *   core 2 -+                                   +-> core 2
 *
 * A node takes one packet a core cycle from its cores, in round robin as long as they are visited
 * in the order that concentrator_first() starts, and hands one reply a core cycle to the core that
 * it is for. A reply that its core cannot take holds back those behind it. */
#ifndef MDP_SIM_ICNT_CONCENTRATOR_H
#define MDP_SIM_ICNT_CONCENTRATOR_H

#include "sim/icnt/icnt.h"

struct concentrator; /* opaque: the `st` of icnt_concentrator */

enum concentrator_side { CORES_SEND, CORES_RECEIVE };

/* net: owned from now on. `nodes` clusters of `size` cores. */
struct concentrator *concentrator_new(const struct icnt_ops *ops, void *net, int nodes, int size,
                                      enum concentrator_side side);
void concentrator_cycle(struct concentrator *c); /* a new core cycle: every port is free */
/* The core of the cluster that is asked first: the one behind the last that sent. */
int concentrator_first(const struct concentrator *c, int cluster);

extern const struct icnt_ops icnt_concentrator; /* no create: concentrator_new */

#endif
