/* sim/sm/sched/scheduler_name.h -- what the parameter warp_scheduler may say: the name of a warp
 * scheduler, and what it is combined with:
 *
 *   BASE[+car|+newcar][+prefetch]     gto+newcar, elf+prefetch, lrr+car+prefetch
 *   elf++                             elf+newcar+prefetch (Park et al., ELF, 2015)
 *
 * The parts may stand as parameters too: reexecution, inst_prefetch. */
#ifndef MDP_SIM_SM_SCHED_SCHEDULER_NAME_H
#define MDP_SIM_SM_SCHED_SCHEDULER_NAME_H

#include "base/err.h"
#include "sim/sm/sm_cfg.h"

struct warp_scheduler_ops;

enum reexecution { REEXECUTION_NONE, REEXECUTION_CAR, REEXECUTION_NEWCAR };

#define INST_PREFETCH_BELOW 16 /* Park et al., 4.1: what +prefetch means */

struct scheduler_name {
    const struct warp_scheduler_ops *base;
    enum reexecution reexecution;
    bool prefetch;
};
/* False: no such scheduler, no such part, or one that is there already. */
bool scheduler_name_parse(const char *text, struct scheduler_name *out);
/* The same with a message that has the near names. */
bool scheduler_name_check(const char *parameter, const char *text, struct err *e);
/* What can stand behind a +, for listings. False: past the end. */
bool scheduler_part_at(int i, const char **name, const char **help, const char **paper);

extern const char *const reexecution_words[]; /* by enum reexecution; ends with NULL */

/* Of a configuration that sm_cfg_check() has seen. */
const struct warp_scheduler_ops *sm_warp_scheduler(const struct sm_cfg *c);
enum reexecution sm_reexecution(const struct sm_cfg *c);
int sm_prefetch_below(const struct sm_cfg *c); /* occupied MSHRs; 0: no prefetch */
/* The parts agree with each other and with the parameters. */
bool sm_parts_check(const struct sm_cfg *c, struct err *e);
/* NAME=VALUE was given and is in c. False: it switches off what the scheduler's name adds. 0 and
 * "none" are the defaults, too, so that sm_parts_check() cannot tell. */
bool sm_part_check(const struct sm_cfg *c, const char *assignment, struct err *e);

#endif
