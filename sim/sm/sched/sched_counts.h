/* sim/sm/sched/sched_counts.h -- what a policy, or another part that is off unless asked for,
 * counts beside base/stats.h: rows with a name, printed by `run` where there are any. */
#ifndef MDP_SIM_SM_SCHED_SCHED_COUNTS_H
#define MDP_SIM_SM_SCHED_SCHED_COUNTS_H

#include "base/types.h"

#define SCHED_COUNTS 16

struct sched_count {
    const char *name, *help; /* borrowed, of the program's life */
    bool share;              /* n / of; else n */
    uint64_t n, of;
};
struct sched_counts { /* zeroed: empty */
    int n;
    struct sched_count row[SCHED_COUNTS];
};

/* Adds to the row of this name. */
void sched_count(struct sched_counts *c, const char *name, const char *help, uint64_t n);
void sched_share(struct sched_counts *c, const char *name, const char *help, uint64_t n,
                 uint64_t of);
void sched_counts_add(struct sched_counts *c, const struct sched_counts *more);
double sched_count_value(const struct sched_count *row); /* a share of nothing is 0 */

#endif
