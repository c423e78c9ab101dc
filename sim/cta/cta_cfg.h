/* sim/cta/cta_cfg.h -- parameters of the CTA scheduler and of its policies. */
#ifndef MDP_SIM_CTA_CTA_CFG_H
#define MDP_SIM_CTA_CTA_CFG_H

#include "base/params.h"

#define CTA_PARAMS(X) \
    X(cta_scheduler, STR, 0, 0, "static", "", "CTAs a core: see `mdpredict list schedulers`")

struct cta_cfg {
    CTA_PARAMS(PARAM_FIELD) /* "" */
};

extern const struct param_group cta_cfg_groups[]; /* prefix "": top level; ends with rows == NULL */
bool cta_cfg_check(const struct cta_cfg *c, struct err *e);

#endif
