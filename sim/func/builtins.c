#include "sim/func/builtins.h"

#include <stdio.h>
#include <string.h>

#include "sim/func/access.h"
#include "sim/func/exec.h"

#define DEFAULT_HEAP (8ull << 20) /* CUDA's default cudaLimitMallocHeapSize */

static uint8_t *frame_of(struct warp *w, int lane)
{
    return w->frame + (size_t)lane * frame_stride(w->cta->kernel);
}

static uint64_t argument(struct warp *w, const struct call_site *cs, int lane, int i)
{
    uint64_t v = 0;
    if (i < cs->nargs)
        memcpy(&v, frame_of(w, lane) + cs->arg_off[i], cs->arg_bytes[i] < 8 ? cs->arg_bytes[i] : 8);
    return v;
}

static void give_back(struct warp *w, const struct call_site *cs, int lane, uint64_t v)
{
    if (cs->nrets)
        memcpy(frame_of(w, lane) + cs->ret_off[0], &v, cs->ret_bytes[0] < 8 ? cs->ret_bytes[0] : 8);
}

/* A string in device memory, cut to fit. */
static const char *text_at(struct warp *w, int lane, addr_t a, char *to, size_t room)
{
    uint64_t left;
    const uint8_t *p = access_generic(w, lane, a, &left);
    if (!p)
        return "?";
    size_t n = strnlen((const char *)p, left < room - 1 ? (size_t)left : room - 1);
    memcpy(to, p, n);
    to[n] = '\0';
    return to;
}

/* __assertfail(message, file, line, function, size of a character) */
static void assert_fail(struct warp *w, const struct inst *in, int lane)
{
    const struct call_site *cs = in->call;
    char message[90], file[60], function[60], text[256];
    snprintf(text, sizeof text, "assertion '%s' failed at %s:%d in %s",
             text_at(w, lane, argument(w, cs, lane, 0), message, sizeof message),
             text_at(w, lane, argument(w, cs, lane, 1), file, sizeof file),
             (int)argument(w, cs, lane, 2),
             text_at(w, lane, argument(w, cs, lane, 3), function, sizeof function));
    warp_fault(w, in, FAULT_ASSERT, lane, 0, 0, text);
}

static bool heap_free(struct warp *w, const struct inst *in, int lane, addr_t a)
{
    if (a == 0 || devmem_heap_release(w->cta->launch->mem, a))
        return true;
    char text[100];
    snprintf(text, sizeof text, "free(0x%llx): malloc() has not returned this address",
             (unsigned long long)a);
    warp_fault(w, in, FAULT_TRAP, lane, a, 0, text);
    return false;
}

static bool call_lane(struct warp *w, const struct inst *in, int lane)
{
    const struct call_site *cs = in->call;
    const struct launch *l = w->cta->launch;
    uint64_t a = argument(w, cs, lane, 0);
    int32_t printed;
    switch (cs->builtin) {
    case BUILTIN_VPRINTF:
        devmem_note_effect(l->mem);
        if (!device_printf(w, in, lane, a, argument(w, cs, lane, 1), &printed))
            return false;
        give_back(w, cs, lane, (uint32_t)printed);
        return true;
    case BUILTIN_MALLOC:
        give_back(w, cs, lane,
                  devmem_heap_alloc(l->mem, a, l->malloc_limit ? l->malloc_limit : DEFAULT_HEAP));
        return true;
    case BUILTIN_FREE:
        return heap_free(w, in, lane, a);
    default:
        assert_fail(w, in, lane);
        return false;
    }
}

void builtin_call(struct warp *w, const struct inst *in, lanes_t active)
{
    for (lanes_t m = active; m; m &= m - 1)
        if (!call_lane(w, in, __builtin_ctz(m)))
            return;
}
