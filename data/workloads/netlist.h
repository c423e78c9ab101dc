/* data/workloads/netlist.h -- logic circuits: gates with up to NETLIST_FAN_IN_MAX inputs, no loops
 * (what registers hold are inputs of level 0). A gate of level l > 0 has an input of level l - 1
 * and none above, so that levels are exactly the longest distances from level 0.
 *
 * NATURAL numbering is a hierarchical netlist's: module by module, in no order inside, a module
 * having gates of every level; most nets stay in their module, some lead to the next ones, few far
 * away. */
#ifndef MDP_DATA_WORKLOADS_NETLIST_H
#define MDP_DATA_WORKLOADS_NETLIST_H

#include "data/workloads/graph.h"

#define NETLIST_FAN_IN_MAX 4

struct netlist_shape {
    int modules, module_gates, depth; /* levels 0 .. depth - 1, module_gates / depth gates each */
    int fan_in;                       /* the least number of inputs, of at most the maximum */
    bool ranked;       /* numbered level by level, inside a level in the order that was asked for */
    double leave, far; /* shares of nets that leave their module; of these, those to
                                         anywhere instead of the modules next to it */
};

struct netlist {
    int gates, depth, nets;
    int *level;            /* by gate */
    int *in_first, *in;    /* inputs of g: in[in_first[g] .. in_first[g + 1] - 1] are gates */
    int *out_first, *out;  /* the gates that g feeds, */
    int *out_net;          /* and which of in[] that is */
    const struct graph *g; /* the same without directions; NULL if ranked */
};

struct netlist netlist_new(struct host *h, struct netlist_shape s);

#endif
