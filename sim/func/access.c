#include "sim/func/access.h"

#include "sim/func/exec.h"
#include "sim/func/fault.h"

void access_addresses(struct warp *w, const struct opnd *o, int64_t disp, addr_t *out)
{
    uint64_t d = (uint64_t)disp;
    if (o->off == OPND_NONE) {
        for (int i = 0; i < WARP_SIZE; i++)
            out[i] = d;
    } else if (o->width == 8) {
        const uint64_t *row = row64(w, o);
        for (int i = 0; i < WARP_SIZE; i++)
            out[i] = row[i] + d;
    } else {
        const uint32_t *row = row32(w, o);
        for (int i = 0; i < WARP_SIZE; i++)
            out[i] = row[i] + d;
    }
}

/* A memory that is one run of bytes for each lane. */
struct area {
    uint8_t *host;
    uint64_t stride, bytes;
    addr_t lo; /* address of the first byte */
    bool read_only;
};

static struct area area_of(const struct warp *w, enum space s)
{
    const struct cta *c = w->cta;
    const struct kernel *k = c->kernel;
    switch (s) {
    case SP_SHARED:
        return (struct area){.host = c->shared, .bytes = c->shared_bytes};
    case SP_LOCAL:
        return (struct area){.host = w->local, .stride = k->local_bytes, .bytes = k->local_bytes};
    case SP_PARAM:
        return (struct area){.host = c->launch->params, .bytes = k->param_bytes, .read_only = true};
    default: /* SP_FRAME */
        return (struct area){.host = w->frame, .stride = k->frame_bytes, .bytes = k->frame_bytes};
    }
}

static bool area_at(struct warp *w, enum space s, addr_t addr, unsigned bytes, struct area *out)
{
    if (s != SP_GLOBAL && s != SP_CONST) {
        *out = area_of(w, s);
        return true;
    }
    const struct alloc *al = devmem_find(w->cta->launch->mem, addr, bytes);
    if (!al)
        return false;
    *out = (struct area){
        .host = al->host, .bytes = al->bytes, .lo = al->base, .read_only = al->read_only};
    return true;
}

/* Whether every active lane's bytes lie in [lo, lo + size) and on a multiple of their number
 * (a power of two). Sizes are below 2^62, so bit 63 of `off | (limit - off)` says "outside". */
static bool lanes_fit(const addr_t *addr, lanes_t active, const struct area *ar, unsigned bytes)
{
    if (ar->bytes < bytes)
        return false;
    uint64_t limit = ar->bytes - bytes, outside = 0, low = 0;
    if (active == LANES_ALL) {
        for (int i = 0; i < WARP_SIZE; i++) {
            uint64_t off = addr[i] - ar->lo;
            outside |= off | (limit - off);
            low |= addr[i];
        }
    } else {
        for (lanes_t m = active; m; m &= m - 1) {
            addr_t a = addr[__builtin_ctz(m)];
            uint64_t off = a - ar->lo;
            outside |= off | (limit - off);
            low |= a;
        }
    }
    return !(outside >> 63) && !(low & (bytes - 1));
}

static enum space window_of(addr_t a, addr_t *base)
{
    static const struct {
        addr_t base;
        enum space space;
    } windows[] = {{SHARED_WINDOW, SP_SHARED}, {LOCAL_WINDOW, SP_LOCAL}, {PARAM_WINDOW, SP_PARAM}};
    for (size_t i = 0; i < sizeof windows / sizeof *windows; i++) {
        *base = windows[i].base;
        if (a - *base < WINDOW_BYTES)
            return windows[i].space;
    }
    *base = 0;
    return SP_GLOBAL;
}

static void point(struct access *a, const struct area *ar)
{
    a->base = (uintptr_t)ar->host - (uintptr_t)ar->lo;
    a->stride = (uintptr_t)ar->stride;
    a->mixed = false;
}

/* Lane by lane: lanes in different allocations or spaces, and every fault. */
static bool resolve_each(struct warp *w, const struct inst *in, lanes_t active, bool generic,
                         struct access *a)
{
    a->mixed = true;
    a->uniform = false;
    for (lanes_t m = active; m; m &= m - 1) {
        int i = __builtin_ctz(m);
        addr_t window = 0;
        enum space s = generic ? window_of(a->addr[i], &window) : a->space;
        addr_t at = a->addr[i] - window;
        struct area ar;
        enum fault_kind bad = FAULT_NONE;
        if (!area_at(w, s, at, a->bytes, &ar) || ar.bytes < a->bytes ||
            at - ar.lo > ar.bytes - a->bytes)
            bad = FAULT_OUT_OF_BOUNDS;
        else if (at & (a->bytes - 1))
            bad = FAULT_MISALIGNED;
        else if (a->write && ar.read_only)
            bad = FAULT_READ_ONLY;
        if (bad) {
            fault_access(w, in, &(struct bad_access){bad, i, s, at, a->bytes, a->write});
            return false;
        }
        a->addr[i] = at;
        a->ptr[i] = ar.host + (size_t)i * ar.stride + (at - ar.lo);
    }
    return true;
}

/* Generic addresses that all lie in the window of the lowest lane become offsets. */
static bool leave_window(struct access *a, lanes_t active)
{
    addr_t base;
    a->space = window_of(a->addr[__builtin_ctz(active)], &base);
    if (!base)
        return true;
    for (lanes_t m = active; m; m &= m - 1)
        if (a->addr[__builtin_ctz(m)] - base >= WINDOW_BYTES)
            return false;
    for (int i = 0; i < WARP_SIZE; i++)
        a->addr[i] -= base;
    return true;
}

bool access_resolve(struct warp *w, const struct inst *in, lanes_t active, struct access *a)
{
    bool generic = a->space == SP_GENERIC;
    struct area ar;
    if (generic && !leave_window(a, active))
        return resolve_each(w, in, active, true, a);
    lanes_t check = a->uniform ? active & -active : active;
    if (!area_at(w, a->space, a->addr[__builtin_ctz(active)], a->bytes, &ar) ||
        !lanes_fit(a->addr, check, &ar, a->bytes) || (a->write && ar.read_only))
        return resolve_each(w, in, active, generic && a->space == SP_GLOBAL, a);
    point(a, &ar);
    return true;
}

bool access_memory(struct warp *w, const struct inst *in, lanes_t active, struct access *a)
{
    struct step *out = w->out;
    const struct opnd *o = &in->src[0];
    a->addr = out->addr;
    a->space = in->space;
    a->uniform = o->bank == BANK_CONST || o->off == OPND_NONE;
    access_addresses(w, o, in->imm, out->addr);
    if (!access_resolve(w, in, active, a))
        return false;
    out->space = a->space;
    out->bytes = (uint8_t)a->bytes;
    return true;
}

uint8_t *access_generic(struct warp *w, int lane, addr_t addr, uint64_t *left)
{
    addr_t window;
    enum space s = window_of(addr, &window);
    struct area ar;
    if (!area_at(w, s, addr - window, 1, &ar) || addr - window - ar.lo >= ar.bytes)
        return NULL;
    uint64_t off = addr - window - ar.lo;
    *left = ar.bytes - off;
    return ar.host + (size_t)lane * ar.stride + off;
}
