/* sampler/pipeline.h -- a replayed core between issue and write-back: pipeline registers, operand
 * collectors, register banks, units and result buses as in sim/sm (opcoll.c, exec.c), but worked
 * out instruction by instruction, when it issues, rather than cycle by cycle.
 *
 *   issue -> collector unit -> operands read -> register in front of the unit -> unit -> write-back
 *
 * A bank serves one read a cycle, what is written before; a collector unit gets an operand a cycle.
 * How long the LD/ST unit takes for an instruction is not known before, so that its pipe goes on as
 * far as is known, whenever something becomes known. Times are core cycles.
 *
 * Not modelled: which of several collector units is served first by a bank (here: who came first);
 * instructions that overtake each other in front of the LD/ST unit, or that take a unit for more
 * than PIPELINE_SHORT cycles and overtake others; results that are written when a bank has been
 * given to a read. */
#ifndef MDP_SAMPLER_PIPELINE_H
#define MDP_SAMPLER_PIPELINE_H

#include "sim/sm/meta.h"

/* Instructions of a pipe that are remembered, at most: more than fit into it. */
#define PIPELINE_PLACES     128
#define PIPELINE_COLLECTORS 32 /* units of a pipe, at most */
#define PIPELINE_UNITS      24 /* SP, SFU and DP units together */
#define PIPELINE_BANKS      64
#define PIPELINE_SHORT      16 /* cycles for which an instruction has its unit, at most */
/* Core cycles ahead for which it is remembered what they are taken by, at most. */
#define PIPELINE_CYCLES (1 << 16)
#define PIPELINE_SOON   256 /* of these, those that the host's caches keep */

struct pipeline_cycle {                 /* what is taken in a core cycle */
    cycle_t cycle;                      /* which: places are used again */
    uint64_t banks;                     /* by results that are written */
    uint32_t landing : 24, results : 8; /* units that land a result; how many are landed */
    uint32_t busy; /* execution units that are at work on a short instruction */
    /* By pipe: instructions that leave collector units; short ones that stand in front of the
     * units. */
    uint8_t sent[PIPE_COUNT], stand[PIPE_COUNT];
};

struct pipeline_pipe_state {
    unsigned n; /* instructions so far */
    struct pipe_cfg cfg;
    cycle_t unit[PIPELINE_COLLECTORS]; /* when each collector unit is free */
    cycle_t alloc[PIPELINE_PLACES];    /* when the last ones got a collector unit, in turn */
    cycle_t taken[PIPELINE_PLACES]; /* ... an execution unit; 0: short instructions, and memory */
};

struct pipeline_mem { /* a memory instruction, until the LD/ST unit has taken it */
    const struct inst_meta *m;
    int bank0;
    cycle_t issued, read, sent, taken;
};

struct pipeline {
    const struct sm_cfg *cfg;        /* borrowed */
    struct pipeline_cycle *at;       /* owned, [cycles], in turn; not what stands in soon */
    cycle_t cycles;                  /* a power of two */
    cycle_t distant;                 /* no later one stands in at */
    cycle_t now;                     /* an instruction issued last */
    cycle_t last;                    /* ... or a result was written last */
    cycle_t port;                    /* the LD/ST unit may write its next result */
    unsigned allocated, sent, taken; /* memory instructions so far */
    unsigned places;                 /* a power of two: of those for instructions the ones in use */
    /* When each execution unit is free for good, and of instructions that are not short. */
    cycle_t unit_end[PIPELINE_UNITS], unit_long[PIPELINE_UNITS];
    cycle_t bank_next[PIPELINE_BANKS]; /* when each may serve its next read */
    struct pipeline_pipe_state pipe[PIPE_COUNT];
    struct pipeline_mem mem[PIPELINE_PLACES]; /* in turn */
    struct pipeline_cycle beyond; /* for what is taken `cycles` later, or more: it is forgotten */
    struct pipeline_cycle soon[PIPELINE_SOON]; /* in turn */
};

void pipeline_init(struct pipeline *p, const struct sm_cfg *cfg);
void pipeline_fini(struct pipeline *p);
/* When there is room behind issue for an instruction of a class; CYCLE_NEVER, of memory: not known
 * yet. */
cycle_t pipeline_room(const struct pipeline *p, enum pipe_class cls);
/* An instruction that is none of memory's issues at t, and there is room; bank0: register bank of
 * its warp's register 0. Returns when its registers are written. */
cycle_t pipeline_execute(struct pipeline *p, const struct inst_meta *m, int bank0, cycle_t t);
/* The LD/ST unit has a result to write at t; returns when it is written. */
cycle_t pipeline_write(struct pipeline *p, const struct inst_meta *m, int bank0, cycle_t t);
/* A memory instruction issues at t, and there is room. Returns its place, below PIPELINE_PLACES. */
unsigned pipeline_mem_issue(struct pipeline *p, const struct inst_meta *m, int bank0, cycle_t t);
/* The LD/ST unit is through with all that it has taken, from `free` on. True: it takes the next
 * one at *t, its place is *place. False: none has issued. */
bool pipeline_mem_take(struct pipeline *p, cycle_t free, cycle_t *t, unsigned *place);

#endif
