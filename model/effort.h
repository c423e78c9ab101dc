/* model/effort.h -- how much a user will pay for a degree. */
#ifndef MDP_MODEL_EFFORT_H
#define MDP_MODEL_EFFORT_H

#include <stdbool.h>

enum effort {
    EFFORT_WINDOW,  /* a CTA's window and a model in closed form */
    EFFORT_QUICK,   /* ... and short simulations of degrees that the model cannot tell apart */
    EFFORT_THOROUGH /* ... and of the whole program at a few degrees */
};
#define EFFORT_COUNT   3
#define EFFORT_DEFAULT EFFORT_QUICK

const char *effort_name(enum effort effort); /* "window", "quick", "thorough"; static */
const char *effort_help(enum effort effort); /* one line; static */
/* Exact; false: no effort has that name. */
bool effort_find(const char *name, enum effort *out);

#endif
