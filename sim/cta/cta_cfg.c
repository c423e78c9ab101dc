#include "sim/cta/cta_cfg.h"

#include "base/suggest.h"
#include "model/model.h"
#include "sim/cta/cta_scheduler.h"

#include <string.h>

#define CTA_ROW(f, t, lo, hi, d, u, h) PARAM_ROW(struct cta_cfg, f, t, lo, hi, d, u, h)
static const struct param cta_rows[] = {CTA_PARAMS(CTA_ROW)};
#define DYNCTA_ROW(f, t, lo, hi, d, u, h) PARAM_ROW(struct dyncta_cfg, f, t, lo, hi, d, u, h)
static const struct param dyncta_rows[] = {DYNCTA_PARAMS(DYNCTA_ROW)};
#define ONLINE_ROW(f, t, lo, hi, d, u, h) PARAM_ROW(struct online_cfg, f, t, lo, hi, d, u, h)
static const struct param online_rows[] = {ONLINE_PARAMS(ONLINE_ROW)};

#define COUNT(a) ((int)(sizeof(a) / sizeof *(a)))
const struct param_group cta_cfg_groups[] = {
    {"", cta_rows, COUNT(cta_rows), 0},
    {"online", online_rows, COUNT(online_rows), offsetof(struct cta_cfg, online)},
    {"dyncta", dyncta_rows, COUNT(dyncta_rows), offsetof(struct cta_cfg, dyncta)},
    {NULL, NULL, 0, 0},
};

const char *const dyncta_start_words[] = {"half", "one", "max", NULL};

static bool dyncta_check(const struct dyncta_cfg *c, struct err *e)
{
    int i = 0;
    while (dyncta_start_words[i] && strcmp(c->start, dyncta_start_words[i]) != 0)
        i++;
    if (!dyncta_start_words[i])
        return err_set(e, "dyncta.start = \"%s\": half, one or max", c->start);
    if (c->t_mem_l > c->t_mem_h)
        return err_set(e, "dyncta.t_mem_l = %d: above dyncta.t_mem_h = %d", c->t_mem_l, c->t_mem_h);
    return true;
}

static bool online_check(const struct online_cfg *c, struct err *e)
{
    char near[128];
    struct suggest s;
    const struct model_ops *m = model_find(c->model);
    if (m)
        return !m->needs_pilots ||
               err_set(e,
                       "online.model = \"%s\": it needs pilot simulations, and one window is all "
                       "that there is",
                       m->name);
    suggest_init(&s, c->model);
    for (int i = 0; model_at(i); i++)
        if (!model_at(i)->needs_pilots)
            suggest_offer(&s, model_at(i)->name);
    return err_set(e, "online.model = \"%s\": no such model (`mdpredict list models`)%s", c->model,
                   suggest_text(&s, near, sizeof near));
}

bool cta_cfg_check(const struct cta_cfg *c, struct err *e)
{
    return cta_scheduler_check("cta_scheduler", c->cta_scheduler, e) &&
           dyncta_check(&c->dyncta, e) && online_check(&c->online, e);
}
