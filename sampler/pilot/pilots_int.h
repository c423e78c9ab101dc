/* sampler/pilot/pilots_int.h -- what pilots.c and pilot_search.c share. */
#ifndef MDP_SAMPLER_PILOTS_INT_H
#define MDP_SAMPLER_PILOTS_INT_H

#include "sampler/pilot/pilots.h"

struct at_degrees {
    const struct launch *launch; /* borrowed */
    struct pilot pilot;
    const struct pilots *search; /* they may never end; NULL: they have to */
    int count, degree[SAMPLE_DEGREES];
    struct pilot_result result[SAMPLE_DEGREES];
};

const struct sampling *pilots_rules(const struct pilots *p);
/* The program is, by what is known of it now. */
bool pilots_are_short(const struct pilots *p, const struct sample *d);
/* The pilot of the launch that d tells of. */
struct pilot pilots_pilot(const struct pilots *p, const struct sample *d);
/* At a lower degree, with which CTAs that wait for each other may never end: the largest took so
 * many cycles, and warp instructions. */
void pilots_limit(const struct pilots *p, const struct sample *d, double cycles, double insts,
                  struct pilot *pilot);
bool pilots_run_one(const struct pilot *pilot, const struct launch *l, int n,
                    struct pilot_result *out, struct err *e);
/* By so many threads as p->jobs. */
bool pilots_run_degrees(const struct pilots *p, struct at_degrees *s, struct err *e);
void pilots_keep(struct pilots *p, int n, const struct pilot_result *r, struct sample *d);
/* Who waits executes more the longer it waits: what is simulated at the largest degree counts, not
 * what was executed without timing. */
void pilots_count(const struct pilot_result *r, struct sample *d);

#endif
