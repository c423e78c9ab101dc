/* nvrtc.c -- of NVRTC, which compiles kernels while a program runs, what hands out machine code: in
 * its place there is the PTX that it was made of, since that is what can be simulated. All else is
 * the library's own. */
#include <dlfcn.h>

#include "cudart/rt.h"

#define INTERNAL_ERROR 11 /* nvrtcResult */

#define NVRTC(name, ...)                         \
    RT_EXPORT int rt_##name(__VA_ARGS__);        \
    RT_AT(rt_##name, name, "@libnvrtc.so.11.2"); \
    RT_AT(rt_##name, name, "@libnvrtc.so.12");   \
    RT_AT(rt_##name, name, "@@libnvrtc.so.13");  \
    int rt_##name(__VA_ARGS__)

/* The library's function: of the one that the program was linked with, or of one that is open. */
static void *theirs(const char *name)
{
    static const char *const files[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2"};
    void *f = dlsym(RTLD_NEXT, name);
    for (size_t i = 0; !f && i < sizeof files / sizeof *files; i++) {
        void *lib = dlopen(files[i], RTLD_LAZY | RTLD_NOLOAD);
        f = lib ? dlsym(lib, name) : NULL;
        if (lib)
            dlclose(lib); /* the program's own handle keeps it */
    }
    return f;
}

NVRTC(nvrtcGetCUBINSize, void *program, size_t *bytes)
{
    int (*f)(void *, size_t *) = (int (*)(void *, size_t *))theirs("nvrtcGetPTXSize");
    return f ? f(program, bytes) : INTERNAL_ERROR;
}

NVRTC(nvrtcGetCUBIN, void *program, char *code)
{
    int (*f)(void *, char *) = (int (*)(void *, char *))theirs("nvrtcGetPTX");
    return f ? f(program, code) : INTERNAL_ERROR;
}
