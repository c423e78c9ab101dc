#include "sim/func/access.h"

#include "sim/func/exec.h"
#include "sim/func/fault.h"

/* Operand plus displacement, for all 32 lanes, less the window's base. The sum has the operand's
 * width: compilers let 32-bit addresses pass zero on their way to an element. */
static void addresses(struct warp *w, const struct opnd *o, uint64_t disp, addr_t window,
                      addr_t *out)
{
    if (o->off == OPND_NONE) {
        for (int i = 0; i < WARP_SIZE; i++)
            out[i] = disp - window;
    } else if (o->width == 8) {
        const uint64_t *row = row64(w, o);
        for (int i = 0; i < WARP_SIZE; i++)
            out[i] = row[i] + (disp - window);
    } else {
        const uint32_t *row = row32(w, o);
        for (int i = 0; i < WARP_SIZE; i++)
            out[i] = (uint32_t)(row[i] + (uint32_t)disp) - window;
    }
}

static addr_t one_address(struct warp *w, const struct opnd *o, uint64_t disp, int lane)
{
    if (o->off == OPND_NONE)
        return disp;
    return o->width == 8 ? row64(w, o)[lane] + disp
                         : (uint32_t)(row32(w, o)[lane] + (uint32_t)disp);
}

/* A memory that is one run of bytes for each lane. */
struct area {
    uint8_t *host;
    uint64_t stride, bytes;
    addr_t lo; /* address of the first byte */
    bool read_only;
    const struct alloc *alloc; /* NULL: none of the device's */
};

static struct area area_of(const struct warp *w, enum space s)
{
    const struct cta *c = w->cta;
    const struct kernel *k = c->kernel;
    switch (s) {
    case SP_SHARED:
        return (struct area){.host = c->shared, .bytes = c->shared_room};
    case SP_LOCAL:
        return (struct area){.host = w->local, .stride = k->local_bytes, .bytes = k->local_bytes};
    case SP_PARAM:
        return (struct area){.host = c->launch->params, .bytes = k->param_bytes, .read_only = true};
    default: /* SP_FRAME */
        return (struct area){.host = w->frame, .stride = frame_stride(k), .bytes = k->frame_bytes};
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
    *out = (struct area){.host = al->host,
                         .bytes = al->bytes,
                         .lo = al->base,
                         .read_only = al->read_only,
                         .alloc = al};
    return true;
}

static void note_use(const struct warp *w, const struct inst *in, const struct access *a,
                     const struct area *ar)
{
    if (!ar->alloc)
        return;
    const bool both = a->write && (in->op == OP_ATOM || in->op == OP_RED);
    devmem_use(w->cta->launch->mem, ar->alloc,
               both       ? ALLOC_READ | ALLOC_WRITTEN
               : a->write ? ALLOC_WRITTEN
                          : ALLOC_READ);
}

/* Whether every active lane's bytes lie in [lo, lo + size) and on a multiple of their number
 * (a power of two). Sizes are below 2^62, so bit 63 of `off | (limit - off)` says "outside". */
static bool lanes_fit(struct access *a, lanes_t active, const struct area *ar)
{
    const addr_t *addr = a->addr;
    if (ar->bytes < a->bytes)
        return false;
    uint64_t limit = ar->bytes - a->bytes, outside = 0, low = 0, gap = 0;
    if (active == LANES_ALL) {
        addr_t first = addr[0], step = a->bytes;
        for (uint64_t i = 0; i < WARP_SIZE; i++) {
            uint64_t off = addr[i] - ar->lo;
            outside |= off | (limit - off);
            low |= addr[i];
            gap |= addr[i] ^ first;
            first += step;
        }
        a->run = gap == 0 && ar->stride == 0;
    } else {
        for (lanes_t m = active; m; m &= m - 1) {
            addr_t x = addr[__builtin_ctz(m)];
            uint64_t off = x - ar->lo;
            outside |= off | (limit - off);
            low |= x;
        }
    }
    return !(outside >> 63) && !(low & (a->bytes - 1));
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
        note_use(w, in, a, &ar);
        a->addr[i] = at;
        a->ptr[i] = ar.host + (size_t)i * ar.stride + (at - ar.lo);
    }
    return true;
}

/* The common case is one space and one allocation: the lowest lane's. A lane that it does not hold
 * sends the warp to resolve_each(); so do generic lanes outside the lowest one's window, because
 * their offsets exceed every size. */
bool access_lanes(struct warp *w, const struct inst *in, lanes_t active, const struct opnd *o,
                  int64_t disp, struct access *a)
{
    bool generic = a->space == SP_GENERIC;
    int lead = __builtin_ctz(active);
    addr_t window = 0, first = one_address(w, o, (uint64_t)disp, lead);
    struct area ar;
    a->uniform = o->off == OPND_NONE || o->bank == BANK_CONST;
    a->run = a->mixed = false;
    if (generic)
        a->space = window_of(first, &window);
    addresses(w, o, (uint64_t)disp, window, a->addr);
    if (!area_at(w, a->space, first - window, a->bytes, &ar) ||
        !lanes_fit(a, a->uniform ? 1u << lead : active, &ar) || (a->write && ar.read_only)) {
        addresses(w, o, (uint64_t)disp, 0, a->addr);
        return resolve_each(w, in, active, generic, a);
    }
    note_use(w, in, a, &ar);
    a->base = (uintptr_t)ar.host - (uintptr_t)ar.lo;
    a->stride = (uintptr_t)ar.stride;
    a->uniform = a->uniform && ar.stride == 0;
    return true;
}

bool access_memory(struct warp *w, const struct inst *in, lanes_t active, struct access *a)
{
    struct step *out = w->out;
    a->addr = out->addr;
    a->space = in->space;
    if (!access_lanes(w, in, active, &in->src[0], in->imm, a))
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
