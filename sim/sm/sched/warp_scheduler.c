#include "sim/sm/sched/warp_scheduler.h"

#include "base/suggest.h"

#include <string.h>

static const struct warp_scheduler_ops *const all[] = {
    &warp_scheduler_gto,       &warp_scheduler_lrr,
    &warp_scheduler_two_level, &warp_scheduler_two_level_groups,
    &warp_scheduler_paws,      &warp_scheduler_ccws,
    &warp_scheduler_mascar,
};

const struct warp_scheduler_ops *warp_scheduler_at(int i)
{
    return i >= 0 && i < (int)(sizeof all / sizeof *all) ? all[i] : NULL;
}

const struct warp_scheduler_ops *warp_scheduler_find(const char *name)
{
    for (int i = 0; warp_scheduler_at(i); i++)
        if (strcmp(all[i]->name, name) == 0)
            return all[i];
    return NULL;
}

static bool known(const char *name, struct err *e)
{
    char near[128];
    struct suggest s;
    if (warp_scheduler_find(name))
        return true;
    suggest_init(&s, name);
    for (int i = 0; warp_scheduler_at(i); i++)
        suggest_offer(&s, all[i]->name);
    return err_set(
        e, "warp_scheduler = \"%s\": no such warp scheduler (`mdpredict list schedulers`)%s", name,
        suggest_text(&s, near, sizeof near));
}

bool warp_scheduler_check(const struct sm_cfg *cfg, struct err *e)
{
    bool ok = known(cfg->warp_scheduler, e);
    for (int i = 0; ok && warp_scheduler_at(i); i++)
        ok = !all[i]->check || all[i]->check(cfg, e);
    return ok;
}
