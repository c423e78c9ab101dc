/* sim/sm/sched/sched_counts.h -- what a policy, or another part that is off unless asked for,
 * counts beside base/stats.h: rows with a name, printed by `run` where there are any. */
#ifndef MDP_SIM_SM_SCHED_SCHED_COUNTS_H
#define MDP_SIM_SM_SCHED_SCHED_COUNTS_H

#include "base/types.h"

/* name, unit, meaning */
#define SCHED_COUNTERS(X)                                                                         \
    X(elf_recalculations, "", "elf: priorities recalculated")                                     \
    X(elf_recalculations_saved, "ratio", "elf: share of instructions without one (Park, Fig. 8)") \
    X(inst_prefetches, "", "lines of code that were fetched ahead")                               \
    X(reexecution_queued, "", "transactions that entered the re-execution queue")                 \
    X(reexecution_tries, "", "times that one of them was tried again")

enum sched_counter {
#define X(name, unit, help) COUNT_##name,
    SCHED_COUNTERS(X)
#undef X
        SCHED_COUNTS
};
struct sched_counter_row {
    const char *name, *unit, *help;
};
extern const struct sched_counter_row sched_counter_rows[]; /* ends with name == NULL */

struct sched_count {
    enum sched_counter what;
    bool share; /* n / of; else n */
    uint64_t n, of;
};
struct sched_counts { /* zeroed: empty */
    int n;            /* in the order in which they were first counted */
    struct sched_count row[SCHED_COUNTS];
};

void sched_count(struct sched_counts *c, enum sched_counter what, uint64_t n);
void sched_share(struct sched_counts *c, enum sched_counter what, uint64_t n, uint64_t of);
/* Counters of the same kind are added up. */
void sched_counts_add(struct sched_counts *c, const struct sched_counts *more);
double sched_count_value(const struct sched_count *row); /* a share of nothing is 0 */

#endif
