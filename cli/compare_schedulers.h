/* cli/compare_schedulers.h -- `compare --warp-schedulers LIST --cta-schedulers LIST`: targets, or a
 * CUDA program, under every combination of schedulers. */
#ifndef MDP_CLI_COMPARE_SCHEDULERS_H
#define MDP_CLI_COMPARE_SCHEDULERS_H

#include "cli/options.h"

#define OPTS_SCHEDULERS (OPT(WARP_SCHEDULERS) | OPT(CTA_SCHEDULERS)) /* one of them asks for it */

/* o->arg: targets, or, with o->program, the program and its arguments. */
bool compare_schedulers(struct options *o, struct err *e);

#endif
