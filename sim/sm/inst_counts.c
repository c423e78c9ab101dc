#include "sim/sm/inst_counts.h"

void inst_counts_add(struct inst_counts *to, const struct inst_counts *c)
{
    to->issued += c->issued;
    to->thread_insts += c->thread_insts;
    for (int i = 0; i < CAUSE_COUNT; i++)
        to->cycles[i] += c->cycles[i];
    to->accesses += c->accesses;
    to->transactions += c->transactions;
    to->l1d_accesses += c->l1d_accesses;
    to->l1d_misses += c->l1d_misses;
    to->conflict_cycles += c->conflict_cycles;
}
