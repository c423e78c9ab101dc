#include "sim/func/mbarrier.h"

#include <string.h>

#include "sim/func/access.h"
#include "sim/func/exec.h"
#include "sim/func/fault.h"

#define PENDING_AT 20
#define TX_AT      40
#define TX_MASK    0x1fffffu
#define PHASE      (UINT64_C(1) << 63)

static uint32_t expected(uint64_t b)
{
    return b & MBARRIER_COUNT_MAX;
}

uint32_t mbarrier_pending(uint64_t b)
{
    return b >> PENDING_AT & MBARRIER_COUNT_MAX;
}

static uint64_t joined(uint64_t phase, uint32_t tx, uint32_t pending, uint32_t all)
{
    return phase | (uint64_t)(tx & TX_MASK) << TX_AT |
           (uint64_t)(pending & MBARRIER_COUNT_MAX) << PENDING_AT | (all & MBARRIER_COUNT_MAX);
}

/* The next phase, where this one has come to its end. */
static uint64_t settled(uint64_t b)
{
    if (mbarrier_pending(b) || (b >> TX_AT & TX_MASK))
        return b;
    return joined(~b & PHASE, 0, expected(b), expected(b));
}

uint64_t mbarrier_make(uint32_t count)
{
    return joined(0, 0, count, count);
}

uint64_t mbarrier_arrive(uint64_t b, uint32_t n, uint32_t drop)
{
    return settled(
        joined(b & PHASE, (uint32_t)(b >> TX_AT), mbarrier_pending(b) - n, expected(b) - drop));
}

uint64_t mbarrier_expect(uint64_t b, int32_t bytes)
{
    return joined(b & PHASE, (uint32_t)(b >> TX_AT) + (uint32_t)bytes, mbarrier_pending(b),
                  expected(b));
}

uint64_t mbarrier_complete(uint64_t b, int32_t bytes)
{
    return settled(mbarrier_expect(b, -bytes));
}

/* -- instructions */

/* Source number k of a lane; `absent` where it is not written. */
static uint64_t source(struct warp *w, const struct inst *in, int k, int lane, uint64_t absent)
{
    if (k >= in->ns)
        return absent;
    const struct opnd *o = &in->src[k];
    return o->width == 8 ? row64(w, o)[lane] : row32(w, o)[lane];
}

static uint64_t load(const uint8_t *at)
{
    uint64_t b;
    memcpy(&b, at, sizeof b);
    return b;
}

/* Lanes with objects of several CTAs. */
static bool all_shared(const struct inst *in, lanes_t active, const struct access *a)
{
    for (lanes_t m = in->space == SP_SHARED ? 0 : active; m; m &= m - 1)
        if (a->addr[__builtin_ctz(m)] >= WINDOW_BYTES)
            return false;
    return true;
}

/* All live in shared memory; a generic address elsewhere is a fault. */
static bool objects(struct warp *w, const struct inst *in, lanes_t active, struct access *a)
{
    *a = (struct access){.addr = a->addr, .space = in->space, .bytes = 8, .write = true};
    if (!access_lanes(w, in, active, &in->src[0], in->imm, a))
        return false;
    if (a->space == SP_SHARED && (!a->mixed || all_shared(in, active, a)))
        return true;
    const int lead = __builtin_ctz(active);
    fault_access(
        w, in, &(struct bad_access){FAULT_OUT_OF_BOUNDS, lead, SP_SHARED, a->addr[lead], 8, true});
    return false;
}

static uint64_t changed(struct warp *w, const struct inst *in, int lane, uint64_t b)
{
    const uint32_t n = (uint32_t)source(w, in, 1, lane, 1);
    switch ((enum opcode)in->op) {
    case OP_MBAR_INIT:
        return mbarrier_make(n);
    case OP_MBAR_INVAL:
        return 0;
    case OP_MBAR_ARRIVE:
        return mbarrier_arrive(b, n, 0);
    case OP_MBAR_DROP:
        return mbarrier_arrive(b, n, n);
    case OP_MBAR_EXPECT:
        return mbarrier_expect(b, (int32_t)n);
    case OP_MBAR_COMPLETE:
        return mbarrier_complete(b, (int32_t)n);
    case OP_MBAR_ARRIVE_EXPECT:
        return mbarrier_arrive(mbarrier_expect(b, (int32_t)n), 1, 0);
    case OP_MBAR_DROP_EXPECT:
        return mbarrier_arrive(mbarrier_expect(b, (int32_t)n), 1, 1);
    default: /* cp.async.mbarrier.arrive: the copies are done; without .noinc it counts itself */
        return in->flags & INST_NOINC ? mbarrier_arrive(b, 1, 0) : settled(b);
    }
}

/* One lane after the other, each of them a thread that arrives. */
static void exec_change(struct warp *w, const struct inst *in, lanes_t active)
{
    addr_t addr[WARP_SIZE];
    struct access a = {.addr = addr};
    if (!objects(w, in, active, &a))
        return;
    for (lanes_t m = active; m; m &= m - 1) {
        const int lane = __builtin_ctz(m);
        uint8_t *at = access_at(&a, lane);
        const uint64_t old = load(at), now = changed(w, in, lane, old);
        memcpy(at, &now, sizeof now);
        if (in->nd && in->dst[0].off != OPND_NONE)
            row64(w, &in->dst[0])[lane] = old;
    }
}

/* Whether the phase has ended: that of the state given, or the one of that parity. */
static void exec_test(struct warp *w, const struct inst *in, lanes_t active)
{
    addr_t addr[WARP_SIZE];
    struct access a = {.addr = addr};
    if (!objects(w, in, active, &a))
        return;
    lanes_t over = 0;
    for (lanes_t m = active; m; m &= m - 1) {
        const int lane = __builtin_ctz(m);
        const uint64_t arg = source(w, in, 1, lane, 0);
        const unsigned phase = in->op == OP_MBAR_PARITY ? arg & 1 : mbarrier_phase(arg);
        over |= (lanes_t)(mbarrier_phase(load(access_at(&a, lane))) != phase) << lane;
    }
    lanes_t *p = pred_ref(w, &in->dst[0]);
    *p = (*p & ~active) | over;
    w->out->yields = over != active;
    w->spin.polled = true;
}

static void exec_pending(struct warp *w, const struct inst *in, lanes_t active)
{
    const uint64_t *state = row64(w, &in->src[0]);
    for (lanes_t m = active; m; m &= m - 1)
        row32(w, &in->dst[0])[__builtin_ctz(m)] = mbarrier_pending(state[__builtin_ctz(m)]);
}

/* -- cp.async.bulk: takes effect at once, 16 bytes after the other */

static addr_t at_operand(struct warp *w, const struct inst *in, int k, int lane)
{
    return source(w, in, k, lane, 0) + (k == 0 ? (uint64_t)in->imm : source(w, in, k + 1, lane, 0));
}

static bool copy_piece(struct warp *w, const struct inst *in, int lane, uint32_t off)
{
    addr_t to_addr[WARP_SIZE], *from_addr = w->out->addr;
    struct access to = {.addr = to_addr, .space = in->space, .bytes = 16, .write = true};
    struct access from = {.addr = from_addr,
                          .space = in->mode == BULK_TO_SHARED ? SP_GLOBAL : SP_SHARED,
                          .bytes = 16};
    for (int i = 0; i < WARP_SIZE; i++) { /* only this lane's count */
        to_addr[i] = at_operand(w, in, 0, lane) + off;
        from_addr[i] = at_operand(w, in, 1, lane) + off;
    }
    if (!access_each(w, in, 1u << lane, &to) || !access_each(w, in, 1u << lane, &from))
        return false;
    memcpy(access_at(&to, lane), access_at(&from, lane), 16);
    return true;
}

/* The mbarrier of a copy to shared memory hears of all its bytes. */
static bool tell(struct warp *w, const struct inst *in, int lane, uint32_t bytes)
{
    addr_t addr[WARP_SIZE];
    struct access a = {.addr = addr, .space = SP_SHARED, .bytes = 8, .write = true};
    for (int i = 0; i < WARP_SIZE; i++)
        addr[i] = at_operand(w, in, 4, lane);
    if (!access_each(w, in, 1u << lane, &a))
        return false;
    const uint64_t now = mbarrier_complete(load(access_at(&a, lane)), (int32_t)bytes);
    memcpy(access_at(&a, lane), &now, sizeof now);
    return true;
}

/* Timing sees the first 16 bytes that the last lane reads. */
static void exec_bulk(struct warp *w, const struct inst *in, lanes_t active)
{
    for (lanes_t m = active; m; m &= m - 1) {
        const int lane = __builtin_ctz(m);
        const uint32_t bytes = (uint32_t)source(w, in, 3, lane, 0);
        if (bytes % 16) {
            warp_fault(w, in, FAULT_MISALIGNED, lane, 0, 0,
                       "a bulk copy moves a multiple of 16 bytes");
            return;
        }
        for (uint32_t off = bytes; off; off -= 16)
            if (!copy_piece(w, in, lane, off - 16))
                return;
        if (in->mode != BULK_TO_GLOBAL && !tell(w, in, lane, bytes))
            return;
        w->out->space = in->mode == BULK_TO_SHARED ? SP_GLOBAL : SP_SHARED;
        w->out->bytes = bytes ? 16 : 0;
        w->out->is_load = bytes != 0;
    }
}

exec_fn exec_lookup_mbar(const struct inst *in)
{
    switch ((enum opcode)in->op) {
    case OP_MBAR_INIT:
    case OP_MBAR_INVAL:
    case OP_MBAR_ARRIVE:
    case OP_MBAR_DROP:
    case OP_MBAR_EXPECT:
    case OP_MBAR_COMPLETE:
    case OP_MBAR_ARRIVE_EXPECT:
    case OP_MBAR_DROP_EXPECT:
    case OP_MBAR_ASYNC:
        return exec_change;
    case OP_MBAR_TEST:
    case OP_MBAR_PARITY:
        return in->dst[0].off == OPND_NONE ? NULL : exec_test;
    case OP_CP_BULK:
        return exec_bulk;
    case OP_MBAR_PENDING:
        return in->dst[0].off == OPND_NONE ? NULL : exec_pending;
    default:
        return NULL;
    }
}
