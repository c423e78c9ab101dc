#include "sim/func/builtins.h"

#include <stdio.h>
#include <string.h>

#include "sim/func/access.h"
#include "sim/func/device_launch.h"
#include "sim/func/exec.h"

#define SYSCALL_TOO_DEEP 5 /* what libcudadevrt makes cudaErrorLaunchMaxDepthExceeded of */
#define DEFAULT_HEAP     (8ull << 20) /* CUDA's default cudaLimitMallocHeapSize */

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

/* (kernel, grid, block, bytes of shared memory) */
static addr_t parameter_buffer(struct warp *w, const struct inst *in, int lane)
{
    const struct call_site *cs = in->call;
    struct device_launch asked = {.dyn_shared = (uint32_t)argument(w, cs, lane, 3)};
    if (cs->nargs >= 3 && cs->arg_bytes[1] == sizeof asked.grid &&
        cs->arg_bytes[2] == sizeof asked.block) {
        memcpy(asked.grid, frame_of(w, lane) + cs->arg_off[1], sizeof asked.grid);
        memcpy(asked.block, frame_of(w, lane) + cs->arg_off[2], sizeof asked.block);
    }
    return device_parameter_buffer(w, in, lane, &asked, argument(w, cs, lane, 0));
}

/* A result goes where the first argument points; the call returns 0. */
static bool give_through(struct warp *w, const struct inst *in, int lane, const void *v, size_t n)
{
    const addr_t a = argument(w, in->call, lane, 0);
    uint64_t left;
    uint8_t *to = access_generic(w, lane, a, &left);
    if (!to || left < n) {
        warp_fault(w, in, FAULT_TRAP, lane, a, (int)n, "no memory for the result");
        return false;
    }
    memcpy(to, v, n);
    give_back(w, in->call, lane, 0);
    return true;
}

/* Of the device's runtime. */
static bool call_runtime(struct warp *w, const struct inst *in, int lane)
{
    const struct call_site *cs = in->call;
    const uint64_t a = argument(w, cs, lane, 0);
    const int32_t device = 0;
    uint64_t handle;
    uint32_t error;
    switch (cs->builtin) {
    case BUILTIN_PARAMETER_BUFFER:
        give_back(w, cs, lane, parameter_buffer(w, in, lane));
        return w->cta->fault.kind == FAULT_NONE;
    case BUILTIN_LAUNCH:
        error = device_launch_now(w, a, argument(w, cs, lane, 1));
        give_back(w, cs, lane, error == DEVICE_LAUNCH_TOO_DEEP ? SYSCALL_TOO_DEEP : error);
        return true;
    case BUILTIN_LAUNCH_TOLD:
        error = device_launch_now(w, a, argument(w, cs, lane, 1));
        if (error)
            device_set_error(w, lane, error);
        give_back(w, cs, lane, error);
        return true;
    case BUILTIN_LAST_ERROR:
        give_back(w, cs, lane, device_last_error(w, lane));
        return true;
    case BUILTIN_SET_ERROR:
        device_set_error(w, lane, (uint32_t)a);
        give_back(w, cs, lane, a);
        return true;
    case BUILTIN_NEW_HANDLE:
        handle = device_new_handle(w);
        return give_through(w, in, lane, &handle, sizeof handle);
    case BUILTIN_DEVICE:
        return give_through(w, in, lane, &device, sizeof device);
    default: /* BUILTIN_NO_WORK */
        give_back(w, cs, lane, 0);
        return true;
    }
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
    case BUILTIN_ASSERTFAIL:
        assert_fail(w, in, lane);
        return false;
    default:
        return call_runtime(w, in, lane);
    }
}

void builtin_call(struct warp *w, const struct inst *in, lanes_t active)
{
    for (lanes_t m = active; m; m &= m - 1)
        if (!call_lane(w, in, __builtin_ctz(m)))
            return;
}
