#include "sim/frontend/workload.h"

#include <string.h>

const struct workload *workload_find(const char *name)
{
    for (int i = 0; workloads[i]; i++)
        if (!strcmp(workloads[i]->name, name))
            return workloads[i];
    return NULL;
}

static const char *const order_names[] = {
#define X(id, name, help) name,
    WORKLOAD_ORDERS(X)
#undef X
};

const char *workload_order_name(enum workload_order order)
{
    return order_names[order];
}

bool workload_order_find(const char *name, enum workload_order *out)
{
    for (int i = 0; i < WORKLOAD_ORDER_COUNT; i++)
        if (!strcmp(order_names[i], name)) {
            *out = (enum workload_order)i;
            return true;
        }
    return false;
}

const struct workload_size *workload_size_find(const struct workload *w, const char *name,
                                               struct err *e)
{
    char all[256] = "";
    for (const struct workload_size *s = w->size; s->name; s++) {
        if (!strcmp(s->name, name))
            return s;
        if (*all)
            strncat(all, ", ", sizeof all - strlen(all) - 1);
        strncat(all, s->name, sizeof all - strlen(all) - 1);
    }
    err_set(e, "workload '%s' has no size '%s'; its sizes: %s", w->name, name, all);
    return NULL;
}
