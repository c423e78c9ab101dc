#include "sim/cta/cta_scheduler.h"

#include "base/suggest.h"

#include <string.h>

static const struct cta_scheduler_ops *const all[] = {&cta_scheduler_static, &cta_scheduler_dyncta,
                                                      &cta_scheduler_lcs, &cta_scheduler_online};

const struct cta_scheduler_ops *cta_scheduler_at(int i)
{
    return i >= 0 && i < (int)(sizeof all / sizeof *all) ? all[i] : NULL;
}

const struct cta_scheduler_ops *cta_scheduler_find(const char *name)
{
    for (int i = 0; cta_scheduler_at(i); i++)
        if (strcmp(all[i]->name, name) == 0)
            return all[i];
    return NULL;
}

bool cta_scheduler_check(const char *parameter, const char *name, struct err *e)
{
    char near[128];
    struct suggest s;
    if (cta_scheduler_find(name))
        return true;
    suggest_init(&s, name);
    for (int i = 0; cta_scheduler_at(i); i++)
        suggest_offer(&s, all[i]->name);
    return err_set(e, "%s = \"%s\": no such CTA scheduler (`mdpredict list schedulers`)%s",
                   parameter, name, suggest_text(&s, near, sizeof near));
}
