#include "sim/sm/sched/warp_scheduler.h"

#include <string.h>

static const struct warp_scheduler_ops *const all[] = {&warp_scheduler_gto, &warp_scheduler_lrr,
                                                    &warp_scheduler_elf};

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
