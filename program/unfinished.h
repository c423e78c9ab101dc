/* program/unfinished.h -- sampled launches of which more pilots are worth it than were run at once.
 * How much of the program's time each takes is known when the program has ended, and so is what is
 * left of the budget: then it goes to those pilots that promise most for what they take, on memory
 * as it was before the launch. */
#ifndef MDP_PROGRAM_UNFINISHED_H
#define MDP_PROGRAM_UNFINISHED_H

#include "program/kernels.h"
#include "program/measure.h"

struct unfinished { /* all 0: none yet */
    struct unfinished_launch {
        struct kernel_state *kernel; /* borrowed */
        struct launch l;             /* memory and parameters owned; its module is kept */
        struct textures *textures;   /* owned; l's */
        struct launch_facts facts;
        struct record_sample sample;
        double gain; /* of another pilot, as ln IPC; 0: none is worth it */
    } * v;           /* owned */
    int count;
    uint64_t bytes; /* of their memory */
};

/* Whether a launch can be kept: before->mem is a clone of its memory, of which it has used so much.
 */
bool unfinished_has_room(const struct unfinished *u, const struct launch *before,
                         const struct usage *used);
/* Takes over that clone. gain: measure_pilot_gain(). */
void unfinished_keep(struct unfinished *u, struct kernel_state *k, const struct launch *before,
                     const struct usage *used, const struct launch_facts *facts,
                     const struct record_sample *s, double gain);
/* What is sampled further is recorded again, with what that took. Then none is left. line: how far
 * that is. */
void unfinished_finish(struct unfinished *u, const struct program_plan *p, struct recorder *to,
                       struct memory_rates *rates, struct pilot_rest *rest, struct progress *line);

#endif
