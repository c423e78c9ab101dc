/* Phase aware warp scheduling (Awatramani et al., PACT 2015), one level: the warp nearest to the
 * end of its phase goes first, so that the warps with the shortest next phase do; then the oldest.
 * Warps that ended or wait at a barrier, a fence or for an atomic come last: they are not offered.
 * Nothing is kept: the order follows from the code (phases.h) and from where the warps are. */
#include "sim/sm/sched/phases.h"

static void *analyse(const struct sched_code *code)
{
    return phases_build(code);
}

static int pick(const void *st, const struct sched_view *v, uint64_t among)
{
    (void)st;
    return phases_first(v->analysis, v, among);
}

static const char *note(const void *analysis)
{
    return ((const struct phases *)analysis)->any ? NULL : PHASES_NOTE("warp_scheduler = \"paws\"");
}

const struct warp_scheduler_ops warp_scheduler_paws = {
    .name = "paws",
    .greedy = true,
    .help = "phase aware: the warp nearest to the end of its phase, then by age",
    .paper = "Awatramani et al., PACT 2015",
    .analyse = analyse,
    .note = note,
    .pick = pick,
};
