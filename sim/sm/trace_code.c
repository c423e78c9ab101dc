#include "sim/sm/trace_code.h"

#include "sim/func/barrier.h"

#define ADDRESS_BITS 48 /* of global memory, constants and textures */
#define MAX_BYTES    32 /* of a lane */
#define MAX_TEXEL    16
#define SHORT_ADDRESS                                                          \
    WINDOW_BYTES /* offsets in shared, local and parameter memory are below it \
                  */

_Static_assert((int)SP_COUNT <= (int)TRACE_SPREAD, "the flag stands beside a space");

/* ---- Bytes ---- */
void trace_put_byte(struct trace_bytes *b, uint8_t v)
{
    if (b->n == b->cap) {
        b->cap = b->cap ? 2 * b->cap : 64;
        b->at = xrealloc(b->at, b->cap);
    }
    b->at[b->n++] = v;
}

void trace_put_uint(struct trace_bytes *b, uint64_t v)
{
    for (; v >= 0x80; v >>= 7)
        trace_put_byte(b, (uint8_t)(v | 0x80));
    trace_put_byte(b, (uint8_t)v);
}

void trace_put_int(struct trace_bytes *b, int64_t v)
{
    trace_put_uint(b, (uint64_t)v << 1 ^ (v < 0 ? UINT64_MAX : 0));
}

bool trace_get_uint(struct trace_cursor *c, uint64_t *v)
{
    *v = 0;
    for (int shift = 0; shift < 64 && c->at < c->end; shift += 7) {
        const uint8_t byte = *c->at++;
        if (shift == 63 && byte > 1)
            return false;
        *v |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80))
            return true;
    }
    return false;
}

bool trace_get_int(struct trace_cursor *c, int64_t *v)
{
    uint64_t u;
    if (!trace_get_uint(c, &u))
        return false;
    *v = (int64_t)(u >> 1 ^ (u & 1 ? UINT64_MAX : 0));
    return true;
}

bool trace_get_below(struct trace_cursor *c, uint64_t limit, uint64_t *v)
{
    return trace_get_uint(c, v) && *v < limit;
}

void trace_warp_begin(struct trace_warp *w, lanes_t live)
{
    *w = (struct trace_warp){.active = live, .live = live};
}

/* ---- What an access may be ---- */
static uint64_t address_limit(enum space s)
{
    return s == SP_SHARED || s == SP_LOCAL || s == SP_PARAM ? SHORT_ADDRESS : 1ull << ADDRESS_BITS;
}

/* The space of what the instruction did. */
static bool space_fits(const struct inst *in, enum space s)
{
    const bool reads = in->flags & INST_LOAD && !(in->flags & (INST_ATOMIC | INST_STORE));
    if (!(in->flags & (INST_LOAD | INST_STORE | INST_ATOMIC)))
        return false;
    switch (s) {
    case SP_GLOBAL:
    case SP_SHARED:
    case SP_LOCAL:
        return in->space != SP_TEX;
    case SP_CONST:
    case SP_PARAM:
        return reads && in->space != SP_TEX;
    case SP_TEX:
        return reads && in->space == SP_TEX;
    default:
        return false;
    }
}

static bool addresses_fit(const addr_t *addr, lanes_t lanes, enum space s, int bytes)
{
    const uint64_t limit = address_limit(s);
    /* A texel lies in one line, and an element of shared memory in as few words as can be. */
    const addr_t apart = s == SP_TEX || s == SP_SHARED ? (addr_t)bytes - 1 : 0;
    for (; lanes; lanes &= lanes - 1) {
        const addr_t a = addr[__builtin_ctz(lanes)];
        if (a >= limit || limit - a < (uint64_t)bytes || a & apart)
            return false;
    }
    return true;
}

static bool size_fits(const struct inst *in, enum space s, uint64_t bytes)
{
    return bytes >= 1 && bytes >= (s == SP_TEX ? 1 : in->vec) &&
           bytes <= (s == SP_TEX ? MAX_TEXEL : MAX_BYTES) && !(bytes & (bytes - 1));
}

/* ---- Writing ---- */
static void flush_run(struct trace_bytes *b, struct trace_warp *w)
{
    if (w->run)
        trace_put_byte(b, (uint8_t)(TRACE_RUN + w->run - 1));
    w->run = 0;
}

/* Lanes that are all as far from the lane before; *apart: how far. */
static bool is_regular(const addr_t *addr, lanes_t lanes, int64_t *apart)
{
    addr_t last = addr[__builtin_ctz(lanes)];
    bool first = true;
    *apart = 0;
    for (lanes &= lanes - 1; lanes; lanes &= lanes - 1) {
        const addr_t a = addr[__builtin_ctz(lanes)];
        if (first)
            *apart = (int64_t)(a - last);
        else if ((int64_t)(a - last) != *apart)
            return false;
        first = false;
        last = a;
    }
    return true;
}

/* lanes: at least one; with: what the flag stands beside. */
static void put_addresses(struct trace_bytes *b, struct trace_warp *w, uint8_t with,
                          const addr_t *addr, lanes_t lanes, enum space s)
{
    int64_t apart;
    const bool regular = is_regular(addr, lanes, &apart);
    const addr_t first = addr[__builtin_ctz(lanes)];
    trace_put_byte(b, regular ? with : with | TRACE_SPREAD);
    trace_put_int(b, (int64_t)(first - w->last[s]));
    w->last[s] = first;
    if (regular) {
        trace_put_int(b, apart);
        return;
    }
    addr_t last = first;
    for (lanes &= lanes - 1; lanes; lanes &= lanes - 1) {
        const addr_t a = addr[__builtin_ctz(lanes)];
        trace_put_int(b, (int64_t)(a - last));
        last = a;
    }
}

static const char *put_texels(struct trace_bytes *b, struct trace_warp *w, const struct step *s)
{
    if (s->taps < 0 || s->taps > TEX_MAX_TAPS)
        return "a texture fetch has too many texels";
    trace_put_byte(b, SP_TEX);
    trace_put_uint(b, (uint64_t)s->taps);
    for (int t = 0; t < s->taps; t++) {
        if (!addresses_fit(s->tap[t], s->tap_lanes[t], SP_TEX, s->bytes))
            return "a texel has an address that a trace has no room for";
        trace_put_uint(b, s->tap_lanes[t]);
        if (s->tap_lanes[t])
            put_addresses(b, w, 0, s->tap[t], s->tap_lanes[t], SP_TEX);
    }
    return NULL;
}

static const char *put_memory(struct trace_bytes *b, struct trace_warp *w, const struct step *s)
{
    if (!size_fits(s->inst, s->space, s->bytes) || !space_fits(s->inst, s->space))
        return "an access is of a kind that a trace has no room for";
    trace_put_uint(b, s->bytes);
    if (s->space == SP_TEX)
        return put_texels(b, w, s);
    if (!addresses_fit(s->addr, s->active, s->space, s->bytes))
        return "lanes of one access use several memories, which a trace has no room for";
    put_addresses(b, w, (uint8_t)s->space, s->addr, s->active, s->space);
    return NULL;
}

const char *trace_put_step(struct trace_bytes *b, struct trace_warp *w, const struct step *s,
                           lanes_t live)
{
    const struct inst *in = s->inst;
    const bool memory = s->active && s->bytes && trace_sees_memory(in);
    const bool arrives = s->active && s->arrives;
    const uint8_t tag =
        (uint8_t)((in->pc != w->pc ? TRACE_PC : 0) | (s->active != w->active ? TRACE_ACTIVE : 0) |
                  (live != w->live ? TRACE_LIVE : 0) | (memory ? TRACE_MEMORY : 0) |
                  (arrives ? TRACE_ARRIVE : 0));
    const uint32_t expected = w->pc;
    w->pc = in->pc + 1;
    if (!tag) {
        if (++w->run == TRACE_RUN)
            flush_run(b, w);
        return NULL;
    }
    flush_run(b, w);
    trace_put_byte(b, tag);
    if (tag & TRACE_PC)
        trace_put_int(b, (int64_t)in->pc - (int64_t)expected);
    if (tag & TRACE_ACTIVE)
        trace_put_uint(b, s->active ^ w->active);
    if (tag & TRACE_LIVE)
        trace_put_uint(b, live ^ w->live);
    w->active = s->active;
    w->live = live;
    const char *bad = memory ? put_memory(b, w, s) : NULL;
    if (arrives) {
        trace_put_byte(b, s->barrier);
        trace_put_uint(b, s->barrier_threads);
    }
    return bad;
}

void trace_put_end(struct trace_bytes *b, struct trace_warp *w)
{
    flush_run(b, w);
}

/* ---- Reading ---- */
static const char cut[] = "ends within a step";
static const char exited[] = "has a step of lanes that have exited";

const char *trace_get_next(struct trace_cursor *c, struct trace_warp *w, const struct kernel *k)
{
    w->tag = 0;
    if (w->run) {
        w->run--;
    } else {
        if (c->at == c->end)
            return "ends although lanes are live";
        const uint8_t tag = *c->at++;
        if (tag & TRACE_RUN)
            w->run = tag & ~TRACE_RUN;
        else if (!tag || tag > (TRACE_ARRIVE * 2 - 1))
            return "has a step of an unknown kind";
        else
            w->tag = tag;
    }
    if (w->tag & TRACE_PC) {
        int64_t by;
        if (!trace_get_int(c, &by))
            return cut;
        w->pc += (uint32_t)by;
    }
    return w->pc < k->ninst ? NULL : "has a step outside of the kernel's code";
}

static const char *get_addresses(struct trace_cursor *c, struct trace_warp *w, bool spread,
                                 lanes_t lanes, enum space s, addr_t *addr)
{
    int64_t by;
    if (!trace_get_int(c, &by))
        return cut;
    addr_t a = w->last[s] += (addr_t)by;
    addr[__builtin_ctz(lanes)] = a;
    if (!spread && !trace_get_int(c, &by))
        return cut;
    for (lanes &= lanes - 1; lanes; lanes &= lanes - 1) {
        if (spread && !trace_get_int(c, &by))
            return cut;
        a += (addr_t)by;
        addr[__builtin_ctz(lanes)] = a;
    }
    return NULL;
}

static const char *get_texels(struct trace_cursor *c, struct trace_warp *w, struct step *s)
{
    uint64_t taps, lanes, spread;
    if (!trace_get_below(c, TEX_MAX_TAPS + 1, &taps))
        return "has a texture fetch of too many texels";
    s->taps = (int)taps;
    for (int t = 0; t < s->taps; t++) {
        if (!trace_get_uint(c, &lanes) || lanes & ~(uint64_t)s->active)
            return "has a texel of lanes that are not active";
        s->tap_lanes[t] = (lanes_t)lanes;
        if (!lanes)
            continue;
        if (!trace_get_uint(c, &spread) || spread & ~(uint64_t)TRACE_SPREAD)
            return "has texels of an unknown kind";
        const char *bad = get_addresses(c, w, spread, s->tap_lanes[t], SP_TEX, s->tap[t]);
        if (bad)
            return bad;
        if (!addresses_fit(s->tap[t], s->tap_lanes[t], SP_TEX, s->bytes))
            return "has a texel at an impossible address";
    }
    return NULL;
}

static const char *get_memory(struct trace_cursor *c, struct trace_warp *w, struct step *s)
{
    uint64_t kind, bytes;
    if (!trace_get_uint(c, &bytes) || !trace_get_below(c, 2 * TRACE_SPREAD, &kind))
        return cut;
    s->space = (enum space)(kind & ~(uint64_t)TRACE_SPREAD);
    if (!trace_sees_memory(s->inst) || !s->active || !space_fits(s->inst, s->space) ||
        !size_fits(s->inst, s->space, bytes))
        return "has an access that its instruction cannot make";
    s->bytes = (uint8_t)bytes;
    if (s->space == SP_TEX)
        return get_texels(c, w, s);
    const char *bad = get_addresses(c, w, kind & TRACE_SPREAD, s->active, s->space, s->addr);
    if (!bad && !addresses_fit(s->addr, s->active, s->space, s->bytes))
        bad = "has an access to an impossible address";
    return bad;
}

static const char *get_barrier(struct trace_cursor *c, struct step *s)
{
    uint64_t id, threads;
    const struct inst *in = s->inst;
    if (!(in->flags & INST_BARRIER && in->op != OP_BAR_WARP) && in->op != OP_EXIT &&
        in->op != OP_RET) /* of the last lanes that the others waited for */
        return "arrives at a barrier by an instruction that is none";
    if (!trace_get_below(c, CTA_BARRIERS, &id) || !trace_get_below(c, UINT32_MAX, &threads))
        return "arrives at a barrier that does not exist";
    s->arrives = true;
    s->barrier = (uint8_t)id;
    s->barrier_threads = (uint32_t)threads;
    return NULL;
}

static const char *get_lanes(struct trace_cursor *c, struct trace_warp *w)
{
    uint64_t lanes;
    if (w->tag & TRACE_ACTIVE) {
        if (!trace_get_below(c, 1ull << WARP_SIZE, &lanes))
            return cut;
        w->active ^= (lanes_t)lanes;
    }
    if (w->active & ~w->live)
        return exited;
    if (w->tag & TRACE_LIVE) {
        if (!trace_get_uint(c, &lanes) || !lanes || lanes & ~(uint64_t)w->live)
            return "has lanes exit that are not there";
        w->live &= ~(lanes_t)lanes;
    }
    return NULL;
}

const char *trace_get_step(struct trace_cursor *c, struct trace_warp *w, const struct kernel *k,
                           struct step *s)
{
    const struct inst *in = &k->inst[w->pc++];
    const char *bad = w->tag ? get_lanes(c, w) : w->active & ~w->live ? exited : NULL;
    s->inst = in;
    s->active = s->simt_mask = w->active;
    s->bytes = 0;
    s->taps = 0;
    s->arrives = s->yields = s->warp_done = s->at_barrier = false;
    if (!bad && w->tag & TRACE_MEMORY)
        bad = get_memory(c, w, s);
    if (!bad && w->tag & TRACE_ARRIVE)
        bad = get_barrier(c, s);
    s->is_load = s->bytes && in->flags & INST_LOAD;
    s->is_store = s->bytes && in->flags & INST_STORE;
    s->is_atomic = s->bytes && in->flags & INST_ATOMIC;
    return bad;
}
