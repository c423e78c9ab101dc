#include "program/args.h"

#include "base/err.h"

uint8_t *args_read(const struct launch *l)
{
    const struct kernel *k = l->kernel;
    uint8_t *copy = xmalloc(k->param_bytes + 1u);
    for (uint32_t i = 0; i < k->param_bytes; i++)
        copy[i] = !k->param_read || k->param_read[i] ? l->params[i] : 0;
    return copy;
}
