/* Instructions that look across the lanes of a warp. Lanes that are not active when the warp gets
 * here take no part, whatever the member mask says: there is no waiting for them, because a SIMT
 * stack runs one path at a time. */
#include "sim/func/exec.h"
#include "sim/func/park.h"

static lanes_t members(struct warp *w, const struct inst *in, lanes_t active, int src, int lane)
{
    if (src >= in->ns)
        return active;
    return row32(w, &in->src[src])[lane] & active;
}

/* The lanes that execute the instruction; 0: it waits for some that it names (park.h). */
static lanes_t together(struct warp *w, const struct inst *in, lanes_t active)
{
    if (!w->apart || !(in->flags & INST_SYNC))
        return active;
    return park_meet(w, in, active, row32(w, &in->src[in->ns - 1])[__builtin_ctz(active)]);
}

static void set_pred(struct warp *w, const struct opnd *o, lanes_t active, lanes_t value)
{
    if (o->off == OPND_NONE)
        return;
    lanes_t *p = pred_ref(w, o);
    *p = (*p & ~active) | (value & active);
}

/* PTX ISA, shfl: the segment of a lane is [lane & segmask, ... | clamp & ~segmask]. */
static int shfl_source(enum shfl_mode mode, int lane, uint32_t b, uint32_t c, bool *valid)
{
    int seg = (int)(c >> 8 & 31), clamp = (int)(c & 31), n = (int)(b & 31);
    int most = (lane & seg) | (clamp & ~seg), least = lane & seg, j;
    switch (mode) {
    case SHFL_UP:
        j = lane - n;
        *valid = j >= most;
        break;
    case SHFL_DOWN:
        j = lane + n;
        *valid = j <= most;
        break;
    case SHFL_BFLY:
        j = lane ^ n;
        *valid = j <= most;
        break;
    default:
        j = least | (n & ~seg);
        *valid = j <= most;
        break;
    }
    return *valid ? j : lane;
}

/* PTX leaves open what a source lane gives that is not active. Outside the member mask it is 0, as
 * GPUs are seen to do it: reductions over the first lanes of a warp count on that. A member gives
 * what its register holds, since it may come to the same instruction on another path. */
static void exec_shfl(struct warp *w, const struct inst *in, lanes_t active)
{
    active = together(w, in, active);
    if (!active)
        return;
    const uint32_t *b = row32(w, &in->src[1]), *c = row32(w, &in->src[2]);
    uint32_t a[WARP_SIZE];
    __builtin_memcpy(a, row32(w, &in->src[0]), sizeof a);
    uint32_t *d = in->dst[0].off == OPND_NONE ? NULL : row32(w, &in->dst[0]);
    const uint32_t *members_of = in->ns > 3 ? row32(w, &in->src[3]) : NULL;
    lanes_t valid = 0;
    for (lanes_t m = active; m; m &= m - 1) {
        int i = __builtin_ctz(m);
        lanes_t give = members_of ? members_of[i] | active : LANES_ALL;
        bool ok;
        int j = shfl_source(in->mode, i, b[i], c[i], &ok);
        valid |= (lanes_t)ok << i;
        if (d)
            d[i] = give >> j & 1 ? a[j] : 0;
    }
    if (in->nd > 1)
        set_pred(w, &in->dst[1], active, valid);
}

static void exec_vote(struct warp *w, const struct inst *in, lanes_t active)
{
    active = together(w, in, active);
    if (!active)
        return;
    lanes_t p = pred_get(w, &in->src[0]), result = 0;
    bool ballot = in->mode == VOTE_BALLOT;
    for (lanes_t m = active; m; m &= m - 1) {
        int i = __builtin_ctz(m);
        lanes_t who = members(w, in, active, 1, i), yes = p & who;
        bool hold = in->mode == VOTE_ALL   ? yes == who
                    : in->mode == VOTE_ANY ? yes != 0
                                           : yes == who || yes == 0;
        if (ballot && in->dst[0].off != OPND_NONE)
            row32(w, &in->dst[0])[i] = yes;
        result |= (lanes_t)hold << i;
    }
    if (!ballot)
        set_pred(w, &in->dst[0], active, result);
}

static uint64_t lane_bits(struct warp *w, const struct opnd *o, int lane)
{
    return o->width == 8 ? row64(w, o)[lane] : row32(w, o)[lane];
}

static void exec_match(struct warp *w, const struct inst *in, lanes_t active)
{
    active = together(w, in, active);
    if (!active)
        return;
    lanes_t same[WARP_SIZE], hold = 0;
    bool all = (in->flags & INST_ALL) != 0;
    for (lanes_t m = active; m; m &= m - 1) {
        int i = __builtin_ctz(m);
        lanes_t who = members(w, in, active, 1, i);
        same[i] = 0;
        for (lanes_t o = who; o; o &= o - 1) {
            int j = __builtin_ctz(o);
            if (lane_bits(w, &in->src[0], i) == lane_bits(w, &in->src[0], j))
                same[i] |= 1u << j;
        }
        if (all && same[i] != who)
            same[i] = 0;
        hold |= (lanes_t)(same[i] != 0) << i;
    }
    if (in->dst[0].off != OPND_NONE)
        for (lanes_t m = active; m; m &= m - 1)
            row32(w, &in->dst[0])[__builtin_ctz(m)] = same[__builtin_ctz(m)];
    if (in->nd > 1)
        set_pred(w, &in->dst[1], active, hold);
}

static uint32_t reduce(const struct inst *in, uint32_t x, uint32_t y)
{
    bool sign = type_is_signed(in->type);
    switch (in->aop) {
    case ATOM_ADD:
        return x + y;
    case ATOM_MIN:
        return sign ? ((int32_t)x < (int32_t)y ? x : y) : (x < y ? x : y);
    case ATOM_MAX:
        return sign ? ((int32_t)x > (int32_t)y ? x : y) : (x > y ? x : y);
    case ATOM_AND:
        return x & y;
    case ATOM_OR:
        return x | y;
    default:
        return x ^ y;
    }
}

static void exec_redux(struct warp *w, const struct inst *in, lanes_t active)
{
    active = together(w, in, active);
    if (!active)
        return;
    uint32_t a[WARP_SIZE];
    __builtin_memcpy(a, row32(w, &in->src[0]), sizeof a);
    if (in->dst[0].off == OPND_NONE)
        return;
    for (lanes_t m = active; m; m &= m - 1) {
        int i = __builtin_ctz(m);
        lanes_t who = members(w, in, active, in->ns - 1, i) | (1u << i);
        uint32_t x = a[__builtin_ctz(who)];
        for (lanes_t o = who & (who - 1); o; o &= o - 1)
            x = reduce(in, x, a[__builtin_ctz(o)]);
        row32(w, &in->dst[0])[i] = x;
    }
}

static void exec_activemask(struct warp *w, const struct inst *in, lanes_t active)
{
    if (in->dst[0].off == OPND_NONE)
        return;
    for (lanes_t m = active; m; m &= m - 1)
        row32(w, &in->dst[0])[__builtin_ctz(m)] = active;
}

static void exec_elect(struct warp *w, const struct inst *in, lanes_t active)
{
    active = together(w, in, active);
    if (!active)
        return;
    lanes_t leaders = 0;
    for (lanes_t m = active; m; m &= m - 1) {
        int i = __builtin_ctz(m);
        lanes_t who = members(w, in, active, in->ns - 1, i) | (1u << i);
        int lead = __builtin_ctz(who);
        if (in->dst[0].off != OPND_NONE)
            row32(w, &in->dst[0])[i] = (uint32_t)lead;
        leaders |= (lanes_t)(lead == i) << i;
    }
    if (in->nd > 1)
        set_pred(w, &in->dst[1], active, leaders);
}

static bool redux_ok(const struct inst *in)
{
    bool word = in->type == VT_U32 || in->type == VT_S32 || in->type == VT_B32;
    return word && in->aop >= ATOM_ADD && in->aop <= ATOM_XOR;
}

exec_fn exec_lookup_warp(const struct inst *in)
{
    switch (in->op) {
    case OP_SHFL:
        return exec_shfl;
    case OP_VOTE:
        return exec_vote;
    case OP_MATCH:
        return exec_match;
    case OP_REDUX:
        return redux_ok(in) ? exec_redux : NULL;
    case OP_ACTIVEMASK:
        return exec_activemask;
    case OP_ELECT:
        return exec_elect;
    default:
        return NULL;
    }
}
