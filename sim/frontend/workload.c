#include "sim/frontend/workload.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

const struct workload *workload_find(const char *name)
{
    for (int i = 0; workloads[i]; i++)
        if (!strcmp(workloads[i]->name, name))
            return workloads[i];
    return NULL;
}

#define BETWEEN ", " /* two suites */

static size_t first_suite(const char *list)
{
    return strcspn(list, BETWEEN);
}

static const char *next_suite(const char *list)
{
    list += first_suite(list);
    return list + strspn(list, BETWEEN);
}

static bool is_suite(const char *list, const char *name, size_t len)
{
    return first_suite(list) == len && strncasecmp(list, name, len) == 0;
}

bool workload_in_suite(const struct workload *w, const char *suite)
{
    for (const char *s = w->suite; *s; s = next_suite(s))
        if (is_suite(s, suite, strlen(suite)))
            return true;
    return false;
}

/* Adds the suites of a workload that are not listed yet. */
static void list_suites(const struct workload *w, char *all, size_t room)
{
    for (const char *s = w->suite; *s; s = next_suite(s)) {
        const size_t len = first_suite(s), used = strlen(all);
        bool listed = false;
        for (const char *have = all; *have; have = next_suite(have))
            listed = listed || is_suite(have, s, len);
        if (!listed)
            snprintf(all + used, room - used, "%s%.*s", used ? BETWEEN : "", (int)len, s);
    }
}

bool workload_suite_check(const char *suite, struct err *e)
{
    char all[256] = "";
    for (int i = 0; workloads[i]; i++) {
        if (workload_in_suite(workloads[i], suite))
            return true;
        list_suites(workloads[i], all, sizeof all);
    }
    return err_set(e, "no workload is in a suite \"%s\"; suites: %s", suite, all);
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
