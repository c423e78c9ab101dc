#include "model/effort.h"

#include <string.h>

#include "base/err.h"

static const struct {
    const char *name, *help;
} rows[EFFORT_COUNT] = {
    [EFFORT_WINDOW] =
        {"window",
         "simulates one CTA, and what measures the memory; a model in closed form does the rest"},
    [EFFORT_QUICK] = {"quick", "simulates degrees that the model cannot tell apart, briefly"},
    [EFFORT_THOROUGH] = {"thorough",
                         "more pilots, then whole simulations of degrees that may be the best"},
};

const char *effort_name(enum effort effort)
{
    BUG_ON((unsigned)effort >= EFFORT_COUNT, "no effort %d", (int)effort);
    return rows[effort].name;
}

const char *effort_help(enum effort effort)
{
    BUG_ON((unsigned)effort >= EFFORT_COUNT, "no effort %d", (int)effort);
    return rows[effort].help;
}

bool effort_find(const char *name, enum effort *out)
{
    for (int i = 0; i < EFFORT_COUNT; i++)
        if (strcmp(rows[i].name, name) == 0) {
            *out = (enum effort)i;
            return true;
        }
    return false;
}
