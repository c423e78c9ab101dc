/* sampler/deal.h -- what the dispatcher makes of a launch. Replays know what cores do with some of
 * the CTAs that they would get if all were dealt round; the dispatcher gives the next one to
 * whichever core has room first. Where the CTAs of a core end together, the cores that are done
 * first take n more at once while others stand idle: 144 CTAs, 4 at once on 30 cores, take as long
 * as 8 a core, not 5.
 *
 * Every core is a few numbers here. With m CTAs on it one of mean work stays stay(m) cycles, as the
 * replay of m at once says; when one ends, the others go on at the rate of m - 1 unless the next
 * one is dealt. A CTA's work is its warp instructions and its transactions, mixed so that the stays
 * of the replayed CTAs scatter least and, where these are too much alike to tell, as DRAM's buses
 * are taken, times how they scatter; the first ones on a core, whose caches are cold, take longer
 * by what the replayed ones do. Cores differ in their first CTAs by DEAL_APART and what the
 * replayed ones differ by, later CTAs by DEAL_APART: drawn at random, from a fixed seed, and the
 * mean of several draws is taken. Replayed CTAs are dealt like that as well, and what their replay
 * takes more or less than that corrects the result. */
#ifndef MDP_SAMPLER_DEAL_H
#define MDP_SAMPLER_DEAL_H

#include "sampler/replay.h"

#define DEAL_APART      0.02 /* relative standard deviation */
#define DEAL_APART_MOST 0.10 /* ... of cores' first CTAs, at most */

struct deal_degree {        /* what was replayed with so many at once */
    double bus;             /* part of the time for which DRAM's buses were taken */
    double memory;          /* weight of transactions in a CTA's work; of instructions: the rest */
    int leads, room;        /* replayed cores that had a CTA; room: CTAs of each, at most */
    int *ctas, *lead;       /* owned, [leads]: how many; number of the lead */
    struct replay_cta *cta; /* owned, [leads * room], in the order of their start */
};

struct deal {
    const struct trace *t; /* borrowed */
    int n_max;
    struct deal_degree *degree; /* owned, [n_max + 1] */
};

void deal_init(struct deal *d, const struct trace *t, int n_max);
void deal_fini(struct deal *d);
/* r has just run the launch with n CTAs at once, and DRAM's buses were taken for `bus` of the time.
 */
void deal_replayed(struct deal *d, int n, const struct replay *r, double bus);
/* 1..n_max were replayed, or those of them that are to be dealt: what a CTA's work is. */
void deal_weigh(struct deal *d);
/* Core cycles of the launch, n CTAs at once a core; 0: no CTA was replayed.
 * even: the rate of a degree is the geometric mean of its own and that of its neighbours. */
double deal_launch(const struct deal *d, int n, bool even);

#endif
