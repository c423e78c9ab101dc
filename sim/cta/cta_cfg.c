#include "sim/cta/cta_cfg.h"

#include "sim/cta/cta_scheduler.h"

#include <string.h>

#define CTA_ROW(f, t, lo, hi, d, u, h) PARAM_ROW(struct cta_cfg, f, t, lo, hi, d, u, h)
static const struct param cta_rows[] = {CTA_PARAMS(CTA_ROW)};
#define DYNCTA_ROW(f, t, lo, hi, d, u, h) PARAM_ROW(struct dyncta_cfg, f, t, lo, hi, d, u, h)
static const struct param dyncta_rows[] = {DYNCTA_PARAMS(DYNCTA_ROW)};

#define COUNT(a) ((int)(sizeof(a) / sizeof *(a)))
const struct param_group cta_cfg_groups[] = {
    {"", cta_rows, COUNT(cta_rows), 0},
    {"dyncta", dyncta_rows, COUNT(dyncta_rows), offsetof(struct cta_cfg, dyncta)},
    {NULL, NULL, 0, 0},
};

static bool dyncta_check(const struct dyncta_cfg *c, struct err *e)
{
    if (strcmp(c->start, "half") && strcmp(c->start, "one") && strcmp(c->start, "max"))
        return err_set(e, "dyncta.start = \"%s\": half, one or max", c->start);
    if (c->t_mem_l > c->t_mem_h)
        return err_set(e, "dyncta.t_mem_l = %d: above dyncta.t_mem_h = %d", c->t_mem_l, c->t_mem_h);
    return true;
}

bool cta_cfg_check(const struct cta_cfg *c, struct err *e)
{
    return cta_scheduler_check("cta_scheduler", c->cta_scheduler, e) && dyncta_check(&c->dyncta, e);
}
