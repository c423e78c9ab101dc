/* sim/mem/dram_sched.h -- the order in which a channel hands its waiting requests to its banks. The
 * channel asks once a DRAM cycle and gives each bank one request at a time; a policy only ranks.
 * Requests wait in a list a bank, oldest first, and carry their order of arrival. */
#ifndef MDP_SIM_MEM_DRAM_SCHED_H
#define MDP_SIM_MEM_DRAM_SCHED_H

#include "sim/mem/dram_timing.h"
#include "sim/mem/req.h"

struct dram_sched {
    struct mem_req *head[DRAM_BANKS_MAX], *tail[DRAM_BANKS_MAX];
    uint64_t waiting; /* bit b: bank b has requests */
    int pending;      /* in all lists */
    /* frfcfs: bit b set: bank b keeps to row[b] until none of that row waits */
    uint64_t sticky;
    uint32_t row[DRAM_BANKS_MAX];
    uint32_t passed[DRAM_BANKS_MAX]; /* requests, in a row, that passed the oldest one */
    uint32_t most_passes;            /* 0: no bound */
    /* Whether a request may be taken yet, by its channel's share; NULL: all may. */
    bool (*may)(const void *user, const struct mem_req *r);
    const void *user;
};

struct dram_sched_ops {
    const char *name, *help;
    /* Takes one request for a bank of `free` (bit mask; each has none that waits, or one that may
     * be taken), or returns NULL. Banks are looked at from `first` on, round robin; open_row: the
     * row last opened in each bank. */
    struct mem_req *(*pick)(struct dram_sched *s, uint64_t free, int first,
                            const uint32_t *open_row);
};

extern const struct dram_sched_ops dram_sched_frfcfs, dram_sched_fcfs;
#define DRAM_SCHED_NAMES "frfcfs, fcfs"
const struct dram_sched_ops *dram_sched_find(const char *name); /* exact; NULL: unknown */
const struct dram_sched_ops *dram_sched_at(int i); /* for listings; NULL past the end */

void dram_sched_add(struct dram_sched *s, struct mem_req *r); /* r->ready: its order of arrival */
/* The request may be taken now. */
static inline bool dram_sched_may(const struct dram_sched *s, const struct mem_req *r)
{
    return !s->may || s->may(s->user, r);
}

/* Unlinks the request behind prev (NULL: the head) of the bank's list. */
struct mem_req *dram_sched_unlink(struct dram_sched *s, int bank, struct mem_req *prev);

#endif
