#include "sim/cta/cta_cfg.h"

#include "sim/cta/cta_scheduler.h"

#define CTA_ROW(f, t, lo, hi, d, u, h) PARAM_ROW(struct cta_cfg, f, t, lo, hi, d, u, h)
static const struct param cta_rows[] = {CTA_PARAMS(CTA_ROW)};

#define COUNT(a) ((int)(sizeof(a) / sizeof *(a)))
const struct param_group cta_cfg_groups[] = {
    {"", cta_rows, COUNT(cta_rows), 0},
    {NULL, NULL, 0, 0},
};

bool cta_cfg_check(const struct cta_cfg *c, struct err *e)
{
    return cta_scheduler_check("cta_scheduler", c->cta_scheduler, e);
}
