/* dram_fcfs.c -- first come, first served: the oldest request goes to its bank, or holds up all
 * others until the bank is free. */
#include "sim/mem/dram_sched.h"

static struct mem_req *pick(struct dram_sched *s, uint64_t free, int first,
                            const uint32_t *open_row)
{
    (void)first;
    (void)open_row;
    int oldest = -1;
    for (uint64_t w = s->waiting; w; w &= w - 1) {
        const int b = __builtin_ctzll(w);
        if (oldest < 0 || s->head[b]->ready < s->head[oldest]->ready)
            oldest = b;
    }
    if (oldest < 0 || !(free >> oldest & 1))
        return NULL;
    return dram_sched_unlink(s, oldest, NULL);
}

const struct dram_sched_ops dram_sched_fcfs = {
    .name = "fcfs",
    .help = "oldest first",
    .pick = pick,
};
