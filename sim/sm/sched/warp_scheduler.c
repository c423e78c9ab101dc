#include "sim/sm/sched/warp_scheduler.h"

#include "sim/sm/sched/scheduler_name.h"

#include <string.h>

static const struct warp_scheduler_ops *const all[] = {
    &warp_scheduler_gto,       &warp_scheduler_lrr,
    &warp_scheduler_two_level, &warp_scheduler_two_level_groups,
    &warp_scheduler_paws,      &warp_scheduler_ccws,
    &warp_scheduler_elf,       &warp_scheduler_mascar,
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

bool warp_scheduler_check(const struct sm_cfg *cfg, struct err *e)
{
    bool ok =
        scheduler_name_check("warp_scheduler", cfg->warp_scheduler, e) && sm_parts_check(cfg, e);
    for (int i = 0; ok && warp_scheduler_at(i); i++)
        ok = !all[i]->check || all[i]->check(cfg, e);
    return ok;
}
