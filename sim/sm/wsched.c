#include "sim/sm/wsched.h"

#include <string.h>

static const struct wsched_ops *const all[] = {&wsched_gto, &wsched_lrr};
#define NAMES "gto, lrr"

const struct wsched_ops *wsched_at(int i)
{
    return i >= 0 && i < (int)(sizeof all / sizeof *all) ? all[i] : NULL;
}

const struct wsched_ops *wsched_find(const char *name)
{
    for (int i = 0; wsched_at(i); i++)
        if (strcmp(all[i]->name, name) == 0)
            return all[i];
    return NULL;
}

const char *wsched_names(void)
{
    return NAMES;
}
