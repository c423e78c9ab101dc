#include "model/bound.h"

static const char *const names[] = {
#define X(name, text) [BOUND_##name] = (text),
    BOUNDS(X)
#undef X
};

const char *bound_name(enum bound b)
{
    return names[b];
}
