/* sampler/profile/partition_use.h -- partition camping: whether CTAs ask the same memory partitions
 * for something at once, as one word in which all of them count, or rows of an array that all begin
 * in one partition; some do with one CTA on a core, where those that run at once are neighbours,
 * that do not with many. Told from a few CTAs that run side by side on the GPU, as they are
 * executed without timing. */
#ifndef MDP_SAMPLER_PARTITION_USE_H
#define MDP_SAMPLER_PARTITION_USE_H

#include "sampler/sampling.h"
#include "sampler/window/requests.h"

struct partition_watch; /* opaque */

/* Of a launch of so many CTAs, `wave` of which run at once; looks at a wave from the middle of the
 * grid. */
struct partition_watch *partition_watch_new(const struct gpu_cfg *cfg, uint64_t ctas, uint64_t wave,
                                            const struct watch_params *by);
void partition_watch_free(struct partition_watch *u); /* NULL is fine */
/* partition_watch_step() is wanted of this CTA; of the others it does nothing. */
bool partition_watch_follows(const struct partition_watch *u, uint64_t cta);
void partition_watch_step(struct partition_watch *u, const struct warp *w, const struct step *st);

/* How alike the CTAs' histograms of requests over partitions are, as the intraclass correlation: 1
 * if each does as all others do, however uneven that is; 0 if they have nothing to do with each
 * other, so that many of them ask all partitions alike, however few each asks; below 0 if they keep
 * out of each other's way. The larger of two: phase by phase of watch.phase requests of each CTA;
 * and bank by bank, over all its requests. What counts are stores, atomics, loads past L1D, and
 * those of lines that the CTA has not loaded before; local memory, which CTAs have each in another
 * place, does not. 1 where no two CTAs can be compared. */
double partition_watch_correlation(struct partition_watch *u);
/* Whether that is above by->camping: of 32 CTAs more than chance, of a few it may be chance. NULL:
 * nobody has looked; true. */
bool partition_watch_camping(struct partition_watch *u, const struct similarity_params *by);
/* bank_use_cycles() of what counts; 0: nobody has looked (u may be NULL), nothing does, or one CTA
 * is alone on the GPU. */
double partition_watch_bank_cycles(const struct partition_watch *u);

#endif
