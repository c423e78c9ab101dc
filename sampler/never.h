/* sampler/never.h -- a time, in core cycles as a real number, that does not come or is not known.
 */
#ifndef MDP_SAMPLER_NEVER_H
#define MDP_SAMPLER_NEVER_H

#define REPLAY_NEVER 1e300

#endif
