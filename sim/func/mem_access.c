/* Loads, stores, prefetches, asynchronous copies. Stores take effect in lane order: where lanes
 * write the same bytes, the highest lane's value stays. A store of a warp to one address is one
 * store: a host that reads the value and writes another one there finds its own again. */
#include <string.h>

#include "sim/func/access.h"
#include "sim/func/exec.h"
#include "sim/func/lanes.h"

#define EACH_LANE(active, i, body)                          \
    do {                                                    \
        if ((active) == LANES_ALL) {                        \
            for (int i = 0; i < WARP_SIZE; i++)             \
                body                                        \
        } else {                                            \
            for (lanes_t m_ = (active); m_; m_ &= m_ - 1) { \
                int i = __builtin_ctz(m_);                  \
                body                                        \
            }                                               \
        }                                                   \
    } while (0)

/* -- loads: one function per element type and register width
 *
 * Row values narrower than 32 bits are kept zero-extended, so a sign-extended load into a 16-bit
 * register is cut to the register's bits. */

typedef void (*move_fn)(struct warp *w, const struct opnd *o, lanes_t active,
                        const struct access *a, unsigned at);

#define LOADER(name, elem, wide, row_t, row_of)                                                    \
    static void name(struct warp *w, const struct opnd *o, lanes_t active, const struct access *a, \
                     unsigned at)                                                                  \
    {                                                                                              \
        row_t *row = row_of(w, o);                                                                 \
        row_t keep =                                                                               \
            o->bits >= 8 * sizeof(row_t) ? (row_t) ~(row_t)0 : (row_t)(((row_t)1 << o->bits) - 1); \
        elem v;                                                                                    \
        if (a->run && a->bytes == sizeof v) {                                                      \
            const uint8_t *p = (const uint8_t *)(a->base + (uintptr_t)a->addr[0]);                 \
            LANE_LOOP                                                                              \
            {                                                                                      \
                memcpy(&v, p + (size_t)i * sizeof v, sizeof v);                                    \
                row[i] = (row_t)(wide)v & keep;                                                    \
            }                                                                                      \
        } else if (a->uniform) {                                                                   \
            memcpy(&v, access_at(a, __builtin_ctz(active)) + at, sizeof v);                        \
            row_t x = (row_t)(wide)v & keep;                                                       \
            EACH_LANE(active, i, { row[i] = x; });                                                 \
        } else if (a->mixed) {                                                                     \
            EACH_LANE(active, i, {                                                                 \
                memcpy(&v, a->ptr[i] + at, sizeof v);                                              \
                row[i] = (row_t)(wide)v & keep;                                                    \
            });                                                                                    \
        } else {                                                                                   \
            uintptr_t base = a->base + at, stride = a->stride;                                     \
            const addr_t *addr = a->addr;                                                          \
            EACH_LANE(active, i, {                                                                 \
                memcpy(&v, (const void *)(base + (uintptr_t)i * stride + addr[i]), sizeof v);      \
                row[i] = (row_t)(wide)v & keep;                                                    \
            });                                                                                    \
        }                                                                                          \
    }                                                                                              \
    static void ld_##name(EXEC_ARGS)                                                               \
    {                                                                                              \
        struct access a;                                                                           \
        a.bytes = sizeof(elem);                                                                    \
        a.write = false;                                                                           \
        if (!access_memory(w, in, active, &a))                                                     \
            return;                                                                                \
        w->out->is_load = true;                                                                    \
        name(w, &in->dst[0], active, &a, 0);                                                       \
    }

LOADER(load_u8_32, uint8_t, uint32_t, uint32_t, row32)
LOADER(load_s8_32, int8_t, int32_t, uint32_t, row32)
LOADER(load_u16_32, uint16_t, uint32_t, uint32_t, row32)
LOADER(load_s16_32, int16_t, int32_t, uint32_t, row32)
LOADER(load_u32_32, uint32_t, uint32_t, uint32_t, row32)
LOADER(load_u8_64, uint8_t, uint64_t, uint64_t, row64)
LOADER(load_s8_64, int8_t, int64_t, uint64_t, row64)
LOADER(load_u16_64, uint16_t, uint64_t, uint64_t, row64)
LOADER(load_s16_64, int16_t, int64_t, uint64_t, row64)
LOADER(load_u32_64, uint32_t, uint64_t, uint64_t, row64)
LOADER(load_s32_64, int32_t, int64_t, uint64_t, row64)
LOADER(load_u64_64, uint64_t, uint64_t, uint64_t, row64)

#define STORER(name, elem, row_t, row_of)                                                          \
    static void name(struct warp *w, const struct opnd *o, lanes_t active, const struct access *a, \
                     unsigned at)                                                                  \
    {                                                                                              \
        const row_t *row = row_of(w, o);                                                           \
        if (a->run && a->bytes == sizeof(elem)) {                                                  \
            uint8_t *p = (uint8_t *)(a->base + (uintptr_t)a->addr[0]);                             \
            LANE_LOOP                                                                              \
            {                                                                                      \
                elem v = (elem)row[i];                                                             \
                memcpy(p + (size_t)i * sizeof v, &v, sizeof v);                                    \
            }                                                                                      \
        } else if (a->uniform) {                                                                   \
            const int last = lanes_highest(active);                                                \
            elem v = (elem)row[last];                                                              \
            memcpy(access_at(a, last) + at, &v, sizeof v);                                         \
        } else if (a->mixed) {                                                                     \
            EACH_LANE(active, i, {                                                                 \
                elem v = (elem)row[i];                                                             \
                memcpy(a->ptr[i] + at, &v, sizeof v);                                              \
            });                                                                                    \
        } else {                                                                                   \
            uintptr_t base = a->base + at, stride = a->stride;                                     \
            const addr_t *addr = a->addr;                                                          \
            EACH_LANE(active, i, {                                                                 \
                elem v = (elem)row[i];                                                             \
                memcpy((void *)(base + (uintptr_t)i * stride + addr[i]), &v, sizeof v);            \
            });                                                                                    \
        }                                                                                          \
    }                                                                                              \
    static void st_##name(EXEC_ARGS)                                                               \
    {                                                                                              \
        struct access a;                                                                           \
        a.bytes = sizeof(elem);                                                                    \
        a.write = true;                                                                            \
        if (!access_memory(w, in, active, &a))                                                     \
            return;                                                                                \
        w->out->is_store = true;                                                                   \
        name(w, &in->src[1], active, &a, 0);                                                       \
    }

STORER(store_8_32, uint8_t, uint32_t, row32)
STORER(store_16_32, uint16_t, uint32_t, row32)
STORER(store_32_32, uint32_t, uint32_t, row32)
STORER(store_8_64, uint8_t, uint64_t, row64)
STORER(store_16_64, uint16_t, uint64_t, row64)
STORER(store_32_64, uint32_t, uint64_t, row64)
STORER(store_64_64, uint64_t, uint64_t, row64)

/* [type has a sign][log2 of its bytes]; empty: wider than the register. one: an instruction that
 * moves a single element. */
struct mover {
    move_fn move;
    exec_fn one;
};
#define LOAD(name)      \
    {                   \
        name, ld_##name \
    }
#define STORE(name)     \
    {                   \
        name, st_##name \
    }
static const struct mover load_32[2][4] = {
    {LOAD(load_u8_32), LOAD(load_u16_32), LOAD(load_u32_32)},
    {LOAD(load_s8_32), LOAD(load_s16_32), LOAD(load_u32_32)}};
static const struct mover load_64[2][4] = {
    {LOAD(load_u8_64), LOAD(load_u16_64), LOAD(load_u32_64), LOAD(load_u64_64)},
    {LOAD(load_s8_64), LOAD(load_s16_64), LOAD(load_s32_64), LOAD(load_u64_64)}};
static const struct mover store_32[4] = {STORE(store_8_32), STORE(store_16_32), STORE(store_32_32)};
static const struct mover store_64[4] = {STORE(store_8_64), STORE(store_16_64), STORE(store_32_64),
                                         STORE(store_64_64)};

static unsigned log2_bytes(const struct inst *in)
{
    return (unsigned)__builtin_ctz((unsigned)type_bytes(in->type));
}

static struct mover loader(const struct inst *in, const struct opnd *o, unsigned log2)
{
    bool sign = type_is_signed(in->type);
    return o->width == 8 ? load_64[sign][log2] : load_32[sign][log2];
}

static struct mover storer(const struct opnd *o, unsigned log2)
{
    return o->width == 8 ? store_64[log2] : store_32[log2];
}

static void exec_ld(struct warp *w, const struct inst *in, lanes_t active)
{
    unsigned log2 = log2_bytes(in);
    struct access a;
    a.bytes = (unsigned)in->vec << log2;
    a.write = false;
    if (!access_memory(w, in, active, &a))
        return;
    w->out->is_load = true;
    for (unsigned e = 0; e < in->vec; e++)
        if (in->dst[e].off != OPND_NONE)
            loader(in, &in->dst[e], log2).move(w, &in->dst[e], active, &a, e << log2);
}

/* What it reads, others may write meanwhile. */
static void exec_ld_volatile(struct warp *w, const struct inst *in, lanes_t active)
{
    w->spin.polled = true;
    exec_ld(w, in, active);
}

static void exec_st(struct warp *w, const struct inst *in, lanes_t active)
{
    unsigned log2 = log2_bytes(in);
    struct access a;
    a.bytes = (unsigned)in->vec << log2;
    a.write = true;
    if (!access_memory(w, in, active, &a))
        return;
    w->out->is_store = true;
    for (unsigned e = 0; e < in->vec; e++) {
        const struct opnd *o = &in->src[1 + e];
        if (o->off != OPND_NONE)
            storer(o, log2).move(w, o, active, &a, e << log2);
    }
}

/* -- cp.async: takes effect at once, so that commit and wait have nothing left to do */

static bool copy_source(struct warp *w, const struct inst *in, lanes_t active, struct access *a)
{
    int64_t disp = 0;
    if (in->ns > 2 && in->src[2].off != OPND_NONE)
        disp = (int64_t)row64(w, &in->src[2])[0];
    a->addr = w->out->addr;
    a->space = SP_GLOBAL;
    return access_lanes(w, in, active, &in->src[1], disp, a);
}

/* Bytes that lane i copies; the rest of cp-size is filled with zeros (PTX ISA, cp.async). */
static unsigned copy_bytes(struct warp *w, const struct inst *in, int lane, unsigned size)
{
    if (in->ns < 4 || in->src[3].off == OPND_NONE)
        return size;
    const struct opnd *o = &in->src[3];
    if (o->width == 0)
        return pred_get(w, o) >> lane & 1 ? 0 : size;
    uint32_t n = row32(w, o)[lane];
    return n < size ? n : size;
}

static void exec_cp_async(struct warp *w, const struct inst *in, lanes_t active)
{
    addr_t to_addr[WARP_SIZE];
    unsigned size = (unsigned)type_bytes(in->type) * in->vec;
    struct access from = {.bytes = size};
    struct access to = {.bytes = size, .addr = to_addr, .space = SP_SHARED, .write = true};
    lanes_t reading = 0;
    for (lanes_t m = active; m; m &= m - 1) {
        int i = __builtin_ctz(m);
        if (copy_bytes(w, in, i, size))
            reading |= 1u << i;
    }
    if (!access_lanes(w, in, active, &in->src[0], in->imm, &to))
        return;
    if (reading && !copy_source(w, in, reading, &from))
        return;
    for (lanes_t m = active; m; m &= m - 1) {
        int i = __builtin_ctz(m);
        unsigned n = copy_bytes(w, in, i, size);
        if (n)
            memcpy(access_at(&to, i), access_at(&from, i), n);
        memset(access_at(&to, i) + n, 0, size - n);
    }
    w->out->space = SP_GLOBAL;
    w->out->bytes = reading ? (uint8_t)size : 0;
    w->out->is_load = reading != 0;
}

static bool element_ok(const struct inst *in)
{
    int n = type_bytes(in->type);
    const bool size_ok = n == 1 || n == 2 || n == 4 || n == 8;
    return size_ok && in->vec && in->vec <= 8 && !(in->vec & (in->vec - 1));
}

static bool moves(const struct inst *in, const struct opnd *o, int count, bool load)
{
    if (!element_ok(in))
        return false;
    for (int i = 0; i < count; i++)
        if (o[i].off != OPND_NONE &&
            !(load ? loader(in, &o[i], log2_bytes(in)) : storer(&o[i], log2_bytes(in))).move)
            return false;
    return true;
}

static exec_fn exec_move(const struct inst *in, const struct opnd *o, bool load)
{
    if (!moves(in, o, in->vec, load))
        return NULL;
    if (load && in->flags & INST_VOLATILE)
        return exec_ld_volatile;
    if (in->vec != 1 || o->off == OPND_NONE)
        return load ? exec_ld : exec_st;
    return (load ? loader(in, o, log2_bytes(in)) : storer(o, log2_bytes(in))).one;
}

exec_fn exec_lookup_mem(const struct inst *in)
{
    switch (in->op) {
    case OP_LD:
    case OP_LDU:
        return exec_move(in, in->dst, true);
    case OP_ST:
        return exec_move(in, in->src + 1, false);
    case OP_CP_ASYNC:
        return exec_cp_async;
    case OP_PREFETCH: /* hints: no effect on results, none on an address that is not valid */
    case OP_PREFETCHU:
    case OP_DISCARD:
    case OP_APPLYPRIORITY:
    case OP_CP_ASYNC_COMMIT:
    case OP_CP_ASYNC_WAIT:
        return exec_nothing;
    default:
        return NULL;
    }
}
