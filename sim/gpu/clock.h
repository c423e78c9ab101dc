/* sim/gpu/clock.h -- the four clock domains on one exact time line.
 * Time is counted in units of 1 / lcm(frequencies), so that every period is a whole number of
 * units: domains whose frequencies divide (1400 and 700 MHz) never drift apart, as they would in
 * rounded picoseconds. */
#ifndef MDP_SIM_GPU_CLOCK_H
#define MDP_SIM_GPU_CLOCK_H

#include "sim/gpu/gpu_cfg.h"

enum clock_domain { CLOCK_CORE, CLOCK_ICNT, CLOCK_L2, CLOCK_DRAM, CLOCK_DOMAINS };

struct clock {
    uint64_t period[CLOCK_DOMAINS]; /* units between edges */
    uint64_t next[CLOCK_DOMAINS];   /* units from the present step to the domain's next edge */
    /* GPGPU-Sim 3.2.1's way instead: seconds in doubles, added up edge by edge. Edges of 700 and
     * 1400 MHz that should coincide then fall apart by a rounding error, this way or that, and the
     * domains take their turns in another order: worth a cycle of memory latency. */
    bool rounded;
    double period_s[CLOCK_DOMAINS], next_s[CLOCK_DOMAINS];
};

/* All domains have an edge in the first step. False when the frequencies have no usable common
 * unit. */
bool clock_init(struct clock *c, const struct clock_cfg *cfg, struct err *e);
/* Before each launch: rounded clocks begin at zero again. */
void clock_launch(struct clock *c);
/* Moves to the next step in which any domain has an edge; bit d of the result: domain d has one. */
unsigned clock_step(struct clock *c);
/* Jumps so that the next step is the one of the core's edge `core_edges` edges ahead (1: no jump
 * over core edges); skipped[d]: edges of domain d that were jumped over. */
void clock_jump(struct clock *c, uint64_t core_edges, uint64_t skipped[CLOCK_DOMAINS]);

#endif
