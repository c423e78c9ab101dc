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
 * Not modelled: which of several collector units is served first by a bank (here: who came first),
 * and instructions of the LD/ST pipe that overtake each other. */
#ifndef MDP_SAMPLER_PIPELINE_H
#define MDP_SAMPLER_PIPELINE_H

#include "sim/sm/meta.h"

#define PIPELINE_PLACES                                                                           \
    128                      /* instructions of a pipe that are remembered: more than fit into it \
                              */
#define PIPELINE_CYCLES 1024 /* core cycles for which it is remembered what they are taken by */
#define PIPELINE_UNITS  32   /* collector units of a pipe, at most */
#define PIPELINE_BANKS  64

enum pipeline_pipe { PIPELINE_SP, PIPELINE_SFU, PIPELINE_DP, PIPELINE_MEM, PIPELINE_PIPES };

struct pipeline_cycle {                 /* what is taken in a core cycle */
    cycle_t cycle;                      /* which: places are used again */
    uint64_t banks;                     /* by results that are written */
    uint32_t landing : 24, results : 8; /* units that land a result; how many are landed */
    uint32_t busy;                      /* units that are at work on one */
    /* By pipe: instructions that leave collector units; that stand in front of the units. */
    uint8_t sent[PIPELINE_PIPES], stand[PIPELINE_PIPES];
};

struct pipeline_pipe_state {
    int in, ports_in, units, ports_out, out; /* as in struct collector_cfg */
    int first, end;                          /* its execution units */
    unsigned n;                              /* instructions so far */
    cycle_t alloc[PIPELINE_PLACES];          /* when the last ones got a collector unit, in turn */
    cycle_t unit[PIPELINE_UNITS];            /* when each collector unit is free */
};

struct pipeline_mem { /* a memory instruction, until the LD/ST unit has taken it */
    const struct inst_meta *m;
    int bank0;
    cycle_t issued, read, sent, taken;
};

struct pipeline {
    const struct sm_cfg *cfg; /* borrowed */
    struct pipeline_pipe_state pipe[PIPELINE_PIPES];
    struct pipeline_cycle at[PIPELINE_CYCLES]; /* in turn */
    cycle_t bank_next[PIPELINE_BANKS];         /* when each may serve its next read */
    cycle_t port;                              /* ... the LD/ST unit may write its next result */
    struct pipeline_mem mem[PIPELINE_PLACES];  /* in turn */
    unsigned allocated, sent, taken;           /* memory instructions so far */
};

void pipeline_init(struct pipeline *p, const struct sm_cfg *cfg);
/* When there is room behind issue for an instruction of a class, given that it is t; CYCLE_NEVER,
 * of memory: not known yet. */
cycle_t pipeline_room(const struct pipeline *p, enum pipe_class cls, cycle_t t);
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
