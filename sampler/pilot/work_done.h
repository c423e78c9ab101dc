/* sampler/pilot/work_done.h -- how a simulation gets on: instructions and CTAs done against core
 * cycles. */
#ifndef MDP_SAMPLER_PILOT_WORK_DONE_H
#define MDP_SAMPLER_PILOT_WORK_DONE_H

#include <stdbool.h>
#include <stdint.h>

#include "sampler/sampling.h"

struct work_done { /* all 0: nothing is done yet */
    struct work_point {
        double cycles, insts;
        uint64_t ctas; /* that have ended */
    } * point;         /* owned */
    uint64_t points, room;
};
void work_done_add(struct work_done *p, const struct work_point *x);
void work_done_free(struct work_done *p);
/* Warp instructions done. At least one point is known here and below. */
double work_done_insts(const struct work_done *p);
/* Warp instructions a core cycle of those done behind the first so many; 0: they took no time. */
double work_done_rate(const struct work_done *p, double from);
/* Of those behind the first so many: the rate of the last ones (by->cut_last) differs from that of
 * those before (by->cut_before) by less than this part. */
bool work_done_steady(const struct work_done *p, double from, const struct pilot_params *by,
                      double within);
/* Core cycles in which the first CTA ended; 0: none has. */
double work_done_first(const struct work_done *p);
/* Core cycles by which a CTA ended later than the one before it, in the median, or the mean if that
 * is less; 0: not even two have ended. */
double work_done_hop(const struct work_done *p);

#endif
