/* sampler/replayed.h -- what replays of like launches at one degree say, summed up, as a sample has
 * it. */
#ifndef MDP_SAMPLER_REPLAYED_H
#define MDP_SAMPLER_REPLAYED_H

#include "model/sample.h"
#include "sampler/replay.h"

struct replayed { /* sums over launches; of some: times what their mean is weighted by */
    double launches, cores, ctas, first_ctas;
    double cycles, wave, bus;        /* over launches; bus by cycles */
    double cta_cycles, latency;      /* by CTAs */
    double accesses, misses;         /* of L1D */
    double reads_first, reads_later; /* of DRAM */
};

void replayed_add(struct replayed *s, const struct replay_result *r);
/* Element n - 1 of d's replay_*, but for replay_launch and replay_launch_even. */
void replayed_fill(const struct replayed *s, int n, struct sample *d);
/* cycles[n - 1] with its rate drawn to those of its neighbours: the geometric mean of its own and
 * of theirs. most: the largest degree. */
double replayed_even(const double *cycles, int n, int most);

/* d: a launch that was replayed in parts, one after the other in its grid, of so many CTAs each:
 * the cycles of the launch are their sum, what is of a CTA or a core their mean, for which part of
 * them buses are taken a mean by these cycles; the rest is that of the first. */
void replayed_join(const struct sample *part, const double *ctas, int parts, struct sample *d);

#endif
