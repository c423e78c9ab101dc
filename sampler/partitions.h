/* sampler/partitions.h -- the memory partitions that replayed cores share: the simulator's own
 * (sim/mem/partition.h), between ports of the network that take what they were measured to take.
 * Time, in core cycles, goes from one thing that happens to the next: whoever uses them asks when
 * that is, lets it happen, and is told what came of it. */
#ifndef MDP_SAMPLER_PARTITIONS_H
#define MDP_SAMPLER_PARTITIONS_H

#include "base/stats.h"
#include "sampler/l2_state.h"
#include "sampler/network.h"
#include "sampler/never.h"

struct partitions_user {
    void *user;
    /* A request, sent before, passes the network's port to its partition at t. */
    void (*passed)(void *user, struct mem_req *r, double t);
    /* A reply leaves its partition at t; whoever is told gives r back to the pool. Evictions (kind
     * REQ_L1_WRITEBACK) have none. */
    void (*replied)(void *user, struct mem_req *r, double t);
};

struct partitions; /* opaque */

/* net: borrowed; NULL: its ports move a flit a cycle. */
struct partitions *partitions_new(const struct gpu_cfg *cfg, struct network *net,
                                  const struct partitions_user *told);
void partitions_free(struct partitions *m);
/* From now on L2 holds these lines; later uses count as younger than theirs. Nothing is on its way.
 */
void partitions_set_l2(struct partitions *m, const struct l2_state *s);
/* ... and this one. */
void partitions_hold(struct partitions *m, addr_t addr);
/* A request: addr, bytes, kind and write are the caller's; as req_get() makes it (sim/mem/req.h).
 */
struct mem_req *partitions_request(struct partitions *m);
void partitions_give_back(struct partitions *m, struct mem_req *r);
/* It is at the head of its queue at t, or as soon as it can if that is over. */
void partitions_send(struct partitions *m, struct mem_req *r, double t);
/* When the next thing happens; REPLAY_NEVER: nothing is on its way. */
double partitions_next(const struct partitions *m);
void partitions_run(struct partitions *m, double until);
/* Core cycles that a packet with so many bytes holds a partition's port of the network. */
double partitions_port(const struct partitions *m, enum network_way way, int bytes);
/* Adds what was counted since the last call. */
void partitions_stats(struct partitions *m, struct run_stats *add);

#endif
