/* mov.c -- data movement between registers: mov, packing and unpacking, changing special registers,
 * address conversion (cvta, isspacep).
 *
 * cvta adds or subtracts the window of its space and, like the hardware, does not treat null
 * specially; .global and .const addresses are generic as they are. Clocks: %clock and %clock64
 * count core cycles (cta->now), %globaltimer nanoseconds (cta->now_ps). */
#include <stdio.h>

#include "sim/func/cta_cluster.h"
#include "sim/func/lanes.h"

EXEC1(mov_16, uint32_t, uint32_t, x & 0xffff)
EXEC1(mov_32, uint32_t, uint32_t, x)
EXEC1(mov_64, uint64_t, uint64_t, x)
EXEC1(mov_32_from_64, uint32_t, uint64_t, x)
EXEC1(mov_64_from_32, uint64_t, uint32_t, x)

static void mov_pred(EXEC_ARGS)
{
    if (in->dst[0].off == OPND_NONE)
        return;
    lanes_t *d = pred_ref(w, &in->dst[0]);
    *d = (*d & ~active) | (pred_get(w, &in->src[0]) & active);
}

LANE uint64_t read_lane(const void *row, int width, int i)
{
    return width == 8 ? ((const uint64_t *)row)[i] : ((const uint32_t *)row)[i];
}
LANE void write_lane(void *row, int width, int i, uint64_t v)
{
    if (width == 8)
        ((uint64_t *)row)[i] = v;
    else
        ((uint32_t *)row)[i] = (uint32_t)v;
}

/* mov.b64 d, {a, b}: a is the low part. A lane is gathered before it is written, because a part may
 * share its row with d. */
static void pack(EXEC_ARGS)
{
    const int bits = type_bytes(in->type) * 8 / in->ns;
    const uint64_t part = UINT64_MAX >> (64 - bits);
    void *d = row_of(w, &in->dst[0]);
    ACTIVE_LOOP
    {
        uint64_t all = 0;
        for (int k = 0; k < in->ns; k++)
            all |= (read_lane(row_of(w, &in->src[k]), in->src[k].width, (int)i) & part)
                   << (bits * k);
        write_lane(d, in->dst[0].width, (int)i, all);
    }
}

/* The commonest: two words and a long one, whose rows are never the same. */
EXEC2(pack_words, uint64_t, uint32_t, uint32_t, (uint64_t)y << 32 | x)
static void unpack_words(EXEC_ARGS)
{
    uint32_t unused[WARP_SIZE] __attribute__((aligned(64))) = {0};
    const uint64_t *a = row_of(w, &in->src[0]);
    uint32_t *low = in->dst[0].off == OPND_NONE ? unused : row_of(w, &in->dst[0]);
    uint32_t *high = in->dst[1].off == OPND_NONE ? unused : row_of(w, &in->dst[1]);
    LANE_LOOP
    {
        const uint64_t v = a[i];
        const uint32_t mask = active & lane_bit[i] ? UINT32_MAX : 0;
        low[i] ^= (low[i] ^ (uint32_t)v) & mask;
        high[i] ^= (high[i] ^ (uint32_t)(v >> 32)) & mask;
    }
}

static void unpack(EXEC_ARGS)
{
    const int bits = type_bytes(in->type) * 8 / in->nd;
    const uint64_t part = UINT64_MAX >> (64 - bits);
    const void *a = row_of(w, &in->src[0]);
    ACTIVE_LOOP
    {
        const uint64_t all = read_lane(a, in->src[0].width, (int)i);
        for (int k = 0; k < in->nd; k++)
            if (in->dst[k].off != OPND_NONE)
                write_lane(row_of(w, &in->dst[k]), in->dst[k].width, (int)i,
                           all >> (bits * k) & part);
    }
}

/* mov.b128: the parts of one side are those of the other, lowest first. */
static void mov_wide(EXEC_ARGS)
{
    const int from = 128 / in->ns, to = 128 / in->nd;
    ACTIVE_LOOP
    {
        unsigned __int128 all = 0;
        for (int k = 0; k < in->ns; k++)
            all |= (unsigned __int128)read_lane(row_of(w, &in->src[k]), in->src[k].width, (int)i)
                   << (from * k);
        for (int k = 0; k < in->nd; k++)
            if (in->dst[k].off != OPND_NONE)
                write_lane(row_of(w, &in->dst[k]), in->dst[k].width, (int)i,
                           (uint64_t)(all >> (to * k)));
    }
}

static bool is_words(const struct inst *in, const struct opnd *part, int n)
{
    for (int k = 0; k < n; k++)
        if (part[k].off != OPND_NONE && part[k].width != 4)
            return false;
    return n == 2 && type_bytes(in->type) == 8;
}
static exec_fn lookup_mov(const struct inst *in)
{
    static const struct exec_impl by_width[2][2] = {{IMPL(mov_32), IMPL(mov_32_from_64)},
                                                    {IMPL(mov_64_from_32), IMPL(mov_64)}};
    static const struct exec_impl half = IMPL(mov_16), two = IMPL(pack_words);
    if (in->type == VT_PRED)
        return mov_pred;
    const int bytes = type_bytes(in->type);
    if (bytes == 16)
        return mov_wide;
    if (bytes < 2 || bytes > 8)
        return NULL;
    if (in->nd > 1)
        return in->ns != 1 || bytes * 8 % in->nd ? NULL
               : is_words(in, in->dst, in->nd)   ? unpack_words
                                                 : unpack;
    if (in->dst[0].off == OPND_NONE)
        return exec_nothing;
    if (in->ns > 1)
        return bytes * 8 % in->ns ? NULL : is_words(in, in->src, in->ns) ? exec_pick(&two) : pack;
    if (bytes == 2)
        return exec_pick(&half);
    return exec_pick(&by_width[in->dst[0].width == 8][in->src[0].width == 8]);
}

static uint64_t changing_sreg(const struct cta *c, enum sreg r)
{
    switch (r) {
    case SREG_CLOCK:
        return (uint32_t)c->now;
    case SREG_CLOCK_HI:
        return c->now >> 32;
    case SREG_CLOCK64:
        return c->now;
    case SREG_GLOBALTIMER:
        return c->now_ps / 1000;
    case SREG_GLOBALTIMER_LO:
        return (uint32_t)(c->now_ps / 1000);
    case SREG_GLOBALTIMER_HI:
        return c->now_ps / 1000 >> 32;
    default: /* performance monitors: %pm0 ... count nothing */
        return 0;
    }
}

static void mov_sreg(EXEC_ARGS)
{
    const uint64_t v = changing_sreg(w->cta, in->mode);
    const int width = in->dst[0].width;
    void *d = row_of(w, &in->dst[0]);
    ACTIVE_LOOP
    write_lane(d, width, (int)i, v);
}

static addr_t window_of(enum space s)
{
    switch (s) {
    case SP_SHARED:
        return SHARED_WINDOW;
    case SP_LOCAL:
        return LOCAL_WINDOW;
    case SP_PARAM:
        return PARAM_WINDOW;
    default:
        return 0;
    }
}

#define CVTA_ROWS(R) \
    ROWS_1(R, R);    \
    const R shift = (R)(in->flags & INST_TO ? 0 - window_of(in->space) : window_of(in->space))
EXEC_PAIR(cvta_32, uint32_t, CVTA_ROWS(uint32_t), LOAD_1(uint32_t), x + shift)
EXEC_PAIR(cvta_64, uint64_t, CVTA_ROWS(uint64_t), LOAD_1(uint64_t), x + shift)

LANE bool in_window(addr_t a, addr_t window)
{
    return a - window < WINDOW_BYTES;
}
/* .const variables lie among the globals; the two answer alike. */
static bool is_in_space(addr_t a, enum space s)
{
    switch (s) {
    case SP_SHARED:
    case SP_LOCAL:
    case SP_PARAM:
        return in_window(a, window_of(s));
    default:
        return !in_window(a, SHARED_WINDOW) && !in_window(a, LOCAL_WINDOW) &&
               !in_window(a, PARAM_WINDOW);
    }
}

/* Whether shared memory there is the CTA's own. */
static bool is_own(const struct cta *c, addr_t a)
{
    return cta_shared_rank(c, a - SHARED_WINDOW) == c->rank;
}

static void isspacep(EXEC_ARGS)
{
    const void *a = row_of(w, &in->src[0]);
    const bool own = in->space == SP_SHARED && !in->mode;
    lanes_t m = 0;
    ACTIVE_LOOP
    {
        const addr_t at = read_lane(a, in->src[0].width, (int)i);
        const bool is = is_in_space(at, in->space) && (!own || is_own(w->cta, at));
        m |= (lanes_t)is << i;
    }
    lanes_t *d = pred_ref(w, &in->dst[0]);
    *d = (*d & ~active) | m;
}

/* Memory of the thread's stack, which grows upwards here. */
static void alloca_bytes(EXEC_ARGS)
{
    const uint64_t end = w->cta->kernel->stack_off + STACK_BYTES, align = (uint64_t)in->imm;
    const void *size = row_of(w, &in->src[0]);
    uint32_t *top = row_of(w, &in->dst[1]);
    ACTIVE_LOOP
    {
        const uint64_t bytes = read_lane(size, in->src[0].width, (int)i);
        const uint64_t at = (top[i] + align - 1) & ~(align - 1);
        if (at > end || bytes > end - at) {
            char text[120];
            snprintf(text, sizeof text, "stack overflow: alloca of %llu bytes; a thread has %d",
                     (unsigned long long)bytes, STACK_BYTES);
            warp_fault(w, in, FAULT_RECURSION, (int)i, 0, 0, text);
            return;
        }
        if (in->dst[0].off != OPND_NONE)
            write_lane(row_of(w, &in->dst[0]), in->dst[0].width, (int)i, at);
        top[i] = (uint32_t)(at + bytes);
    }
}

exec_fn exec_lookup_mov(const struct inst *in)
{
    static const struct exec_impl cvta[2] = {IMPL(cvta_32), IMPL(cvta_64)};
    const bool sink = in->dst[0].off == OPND_NONE;
    switch ((enum opcode)in->op) {
    case OP_MOV:
        return lookup_mov(in);
    case OP_MOVSREG:
        return sink ? exec_nothing : mov_sreg;
    case OP_CVTA:
        return sink ? exec_nothing : exec_pick(&cvta[in->dst[0].width == 8]);
    case OP_ALLOCA:
        return alloca_bytes;
    case OP_ISSPACEP:
        return sink ? exec_nothing : isspacep;
    default:
        return NULL;
    }
}
