/* lanes.c -- choice between the two compilations of the vector executors. */
#include "sim/func/lanes.h"
#include <stdlib.h>

bool lanes_wide(void)
{
#ifdef __x86_64__
    const char *simd = getenv("MDPREDICT_SIMD");
    if (simd && strcmp(simd, "base") == 0)
        return false;
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
    return false;
#endif
}

exec_fn exec_pick(const struct exec_impl *impl)
{
    return lanes_wide() ? impl->wide : impl->base;
}

void exec_nothing(EXEC_ARGS)
{
    (void)w, (void)in, (void)active;
}
