/* sim/cta/cta_cfg.h -- parameters of the CTA scheduler and of its policies. */
#ifndef MDP_SIM_CTA_CTA_CFG_H
#define MDP_SIM_CTA_CTA_CFG_H

#include "base/params.h"

#define CTA_PARAMS(X) \
    X(cta_scheduler, STR, 0, 0, "static", "", "CTAs a core: see `mdpredict list schedulers`")

/* Kayiran et al. 2013, IV. Thresholds depend on the GPU, never on the application. */
// clang-format off
#define DYNCTA_PARAMS(X)                                                                          \
    X(period, INT, 1, 1 << 24, 2048, "core cycles", "between two decisions")                      \
    X(start, STR, 0, 0, "half", "", "CTAs at first: half of those that fit, one, max")            \
    X(t_idle, INT, 0, 2048, 16, "core cycles", "idle for so long in a period: one CTA more")      \
    X(t_mem_l, INT, 0, 2048, 128, "core cycles", "waiting for data for less: one CTA more")       \
    X(t_mem_h, INT, 0, 2048, 384, "core cycles", "... for so long: one CTA less")                 \
    X(stall_is_waiting, BOOL, 0, 1, true, "", "cycles in which a ready warp is refused count as waiting for data") \
    X(pausing, BOOL, 0, 1, true, "", "CTAs above the limit are paused, not only left to end")     \
    X(patience, INT, 0, 1 << 24, 0, "core cycles", "without issue, after which a paused warp counts as running (0: never)")
// clang-format on
PARAM_STRUCT(dyncta_cfg, DYNCTA_PARAMS);

/* Yen 2014, 5.2. */
#define ONLINE_PARAMS(X)                                                             \
    X(model, STR, 0, 0, "yen2014", "", "the predictor: see `mdpredict list models`") \
    X(cost, INT, 0, 1 << 24, 0, "core cycles", "that a decision takes")
PARAM_STRUCT(online_cfg, ONLINE_PARAMS);

struct cta_cfg {
    CTA_PARAMS(PARAM_FIELD)   /* "" */
    struct dyncta_cfg dyncta; /* "dyncta" */
    struct online_cfg online; /* "online" */
};

extern const struct param_group cta_cfg_groups[]; /* prefix "": top level; ends with rows == NULL */
extern const char *const dyncta_start_words[];    /* what dyncta.start may be; ends with NULL */
bool cta_cfg_check(const struct cta_cfg *c, struct err *e);

#endif
