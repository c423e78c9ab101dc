#include "sim/func/access.h"

#include <string.h>

#include "sim/func/cta_cluster.h"
#include "sim/func/exec.h"
#include "sim/func/fault.h"
#include "sim/func/span.h"
#include "sim/func/stray.h"

/* Operand plus displacement. The sum has the operand's width: compilers let 32-bit addresses pass
 * zero on their way to an element. */
static addr_t one_address(struct warp *w, const struct opnd *o, uint64_t disp, int lane)
{
    if (o->off == OPND_NONE)
        return disp;
    return o->width == 8 ? row64(w, o)[lane] + disp
                         : (uint32_t)(row32(w, o)[lane] + (uint32_t)disp);
}

static void addresses(struct warp *w, const struct opnd *o, uint64_t disp, addr_t *out)
{
    for (int i = 0; i < WARP_SIZE; i++)
        out[i] = one_address(w, o, disp, i);
}

/* A memory that is one run of bytes for each lane. */
struct area {
    uint8_t *host;
    uint64_t stride, bytes;
    addr_t lo; /* address of the first byte */
    bool read_only;
    const struct alloc *alloc; /* NULL: none of the device's */
};

/* Field by field: a structure that is copied as a whole right after is waited for. */
static void set_area(struct area *out, uint8_t *host, uint64_t stride, uint64_t bytes)
{
    out->host = host;
    out->stride = stride;
    out->bytes = bytes;
    out->lo = 0;
    out->read_only = false;
    out->alloc = NULL;
}

/* The CTA's own, or that of another one of its cluster. */
static inline bool shared_area(struct cta *c, addr_t addr, struct area *out)
{
    addr_t lo = 0;
    if (__builtin_expect(addr >= CTA_SHARED_STRIDE, 0)) {
        c = cta_of_rank(c, cta_shared_rank(c, addr));
        lo = addr / CTA_SHARED_STRIDE * CTA_SHARED_STRIDE;
        if (!c)
            return false;
    }
    set_area(out, c->shared, 0, c->shared_room);
    out->lo = lo;
    return true;
}

static bool area_at(struct warp *w, enum space s, addr_t addr, unsigned bytes, struct area *out)
{
    const struct cta *c = w->cta;
    const struct kernel *k = c->kernel;
    const struct alloc *al;
    switch (s) {
    case SP_GLOBAL:
    case SP_CONST:
        al = devmem_find(c->launch->mem, addr, bytes);
        if (!al)
            return false;
        set_area(out, al->host, 0, al->bytes);
        out->lo = al->base;
        out->read_only = al->read_only;
        out->alloc = al;
        return true;
    case SP_SHARED:
        return shared_area(w->cta, addr, out);
    case SP_LOCAL:
        set_area(out, w->local, k->local_bytes, k->local_bytes);
        return true;
    case SP_PARAM:
        set_area(out, c->launch->params, 0, k->param_bytes);
        out->read_only = true;
        return true;
    default: /* SP_FRAME */
        set_area(out, w->frame, frame_stride(k), k->frame_bytes);
        return true;
    }
}

/* Comes to alloc.moved. A first store may give the allocation other bytes: ar's follow. */
static uint64_t note_use(const struct warp *w, const struct inst *in, const struct access *a,
                         struct area *ar)
{
    if (!ar->alloc)
        return 0;
    const bool both = a->write && (in->op == OP_ATOM || in->op == OP_RED);
    devmem_use(w->cta->launch->mem, ar->alloc,
               both       ? ALLOC_READ | ALLOC_WRITTEN
               : a->write ? ALLOC_WRITTEN
                          : ALLOC_READ);
    ar->host = ar->alloc->host;
    return ar->alloc->moved;
}

/* Which lines it is in. */
static void note_lines(struct line_use *u, const struct access *a, lanes_t active)
{
    if (a->uniform || a->run) {
        const int lanes = a->run ? WARP_SIZE : 1;
        const addr_t from = a->addr[__builtin_ctz(active)], to = from + lanes * a->bytes - 1,
                     line = (addr_t)1 << u->line_log2;
        for (addr_t at = from; at >> u->line_log2 <= to >> u->line_log2; at += line)
            line_use_mark(u, at);
        return;
    }
    for (lanes_t m = active; m; m &= m - 1) /* aligned, and so in one line */
        line_use_mark(u, a->addr[__builtin_ctz(m)]);
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
    a->uniform = a->run = false;
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
            const struct bad_access b = {bad, i, s, at, a->bytes, a->write};
            a->ptr[i] = stray_read(w, in, &b);
            if (a->ptr[i])
                continue;
            fault_access(w, in, &b);
            return false;
        }
        a->addr[i] = at + note_use(w, in, a, &ar);
        if (ar.alloc && ar.alloc->follows)
            line_use_mark(ar.alloc->lines, a->addr[i]);
        a->ptr[i] = ar.host + (size_t)i * ar.stride + (at - ar.lo);
    }
    return true;
}

/* Computes the addresses of all lanes; one memory, ar, is to hold the active ones. */
static unsigned span_of(struct warp *w, const struct opnd *o, struct span_query *q,
                        const struct area *ar, const struct access *a)
{
    if (ar->bytes < a->bytes)
        return 0;
    q->lo = ar->lo;
    q->room = ar->bytes - a->bytes;
    q->bytes = a->bytes;
    q->wide = w->cta->kernel->wide;
    if (o->off != OPND_NONE)
        return o->width == 8 ? span_rows64(row64(w, o), q, a->addr)
                             : span_rows32(row32(w, o), q, a->addr);
    const uint64_t none[WARP_SIZE] = {0};
    return span_rows64(none, q, a->addr);
}

/* Rare: out of the way of what is not. */
__attribute__((noinline)) static void move(struct access *a, uint64_t moved)
{
    for (int i = 0; i < WARP_SIZE; i++)
        a->addr[i] += moved;
}

/* All lanes lie in one memory. */
__attribute__((always_inline)) static inline void found(struct warp *w, const struct inst *in,
                                                        struct area *ar, unsigned span,
                                                        lanes_t active, struct access *a)
{
    const uint64_t moved = note_use(w, in, a, ar);
    a->base = (uintptr_t)ar->host - (uintptr_t)(ar->lo + moved);
    if (moved)
        move(a, moved);
    a->stride = (uintptr_t)ar->stride;
    a->run = (span & SPAN_RUN) && ar->stride == 0;
    a->uniform = (span & SPAN_SAME) && ar->stride == 0;
    a->mixed = false;
    if (ar->alloc && ar->alloc->follows)
        note_lines(ar->alloc->lines, a, active);
}

/* The common case is one space and one allocation: the lowest lane's. A lane that it does not hold
 * sends the warp to resolve_each(); so do generic lanes outside the lowest one's window, because
 * their offsets exceed every size. */
bool access_lanes(struct warp *w, const struct inst *in, lanes_t active, const struct opnd *o,
                  int64_t disp, struct access *a)
{
    bool generic = a->space == SP_GENERIC;
    int lead = __builtin_ctz(active);
    struct span_query q = {.active = active, .disp = (uint64_t)disp};
    addr_t first = one_address(w, o, (uint64_t)disp, lead);
    struct area ar;
    if (generic)
        a->space = window_of(first, &q.window);
    unsigned s = 0;
    if (area_at(w, a->space, first - q.window, a->bytes, &ar))
        s = span_of(w, o, &q, &ar, a);
    if (!(s & SPAN_FITS) || (a->write && ar.read_only)) {
        addresses(w, o, (uint64_t)disp, a->addr);
        return resolve_each(w, in, active, generic, a);
    }
    found(w, in, &ar, s, active, a);
    return true;
}

bool access_each(struct warp *w, const struct inst *in, lanes_t active, struct access *a)
{
    const bool generic = a->space == SP_GENERIC;
    uint64_t from[WARP_SIZE];
    memcpy(from, a->addr, sizeof from);
    struct span_query q = {.active = active, .bytes = a->bytes, .wide = w->cta->kernel->wide};
    struct area ar;
    unsigned s = 0;
    const addr_t first = from[__builtin_ctz(active)];
    if (generic)
        a->space = window_of(first, &q.window);
    if (area_at(w, a->space, first - q.window, a->bytes, &ar) && ar.bytes >= a->bytes) {
        q.lo = ar.lo;
        q.room = ar.bytes - a->bytes;
        s = span_rows64(from, &q, a->addr);
    }
    if (!(s & SPAN_FITS) || (a->write && ar.read_only)) {
        memcpy(a->addr, from, sizeof from);
        return resolve_each(w, in, active, generic, a);
    }
    found(w, in, &ar, s, active, a);
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
