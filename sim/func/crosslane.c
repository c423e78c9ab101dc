/* Instructions that look across the lanes of a warp. With a reconvergence stack, lanes that are not
 * active when the warp gets here take no part, whatever the member mask says. Independent threads
 * wait for those that it names (split.h).
 *
 * Executors of parts: lanes execute `in`, all take part. */
#include "sim/func/exec.h"
#include "sim/func/split.h"

static lanes_t members(struct warp *w, const struct inst *in, lanes_t all, int src, int lane)
{
    if (src >= in->ns)
        return all;
    return row32(w, &in->src[src])[lane] & all;
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
 * GPUs are seen to do it: reductions over the first lanes of a warp count on that. A member that
 * has exited, or that a reconvergence stack holds back on another path, gives what its register
 * holds. */
static void shfl(struct warp *w, const struct meet_part *part, lanes_t all, const uint32_t *a)
{
    const struct inst *in = part->in;
    const uint32_t *b = row32(w, &in->src[1]), *c = row32(w, &in->src[2]);
    uint32_t *d = in->dst[0].off == OPND_NONE ? NULL : row32(w, &in->dst[0]);
    const uint32_t *members_of = in->ns > 3 ? row32(w, &in->src[3]) : NULL;
    lanes_t valid = 0;
    for (lanes_t m = part->lanes; m; m &= m - 1) {
        int i = __builtin_ctz(m);
        lanes_t give = members_of ? members_of[i] | all : LANES_ALL;
        bool ok;
        int j = shfl_source(in->mode, i, b[i], c[i], &ok);
        valid |= (lanes_t)ok << i;
        if (d)
            d[i] = give >> j & 1 ? a[j] : 0;
    }
    if (in->nd > 1)
        set_pred(w, &in->dst[1], part->lanes, valid);
}

static void exec_shfl(struct warp *w, const struct inst *in, lanes_t active)
{
    if (in->flags & INST_SYNC && split_meets(w, in, active))
        return;
    uint32_t a[WARP_SIZE];
    __builtin_memcpy(a, row32(w, &in->src[0]), sizeof a);
    shfl(w, &(struct meet_part){in, active}, active, a);
}

/* p: the lanes whose predicate holds. */
static void vote(struct warp *w, const struct meet_part *part, lanes_t all, lanes_t p)
{
    const struct inst *in = part->in;
    lanes_t result = 0;
    bool ballot = in->mode == VOTE_BALLOT;
    for (lanes_t m = part->lanes; m; m &= m - 1) {
        int i = __builtin_ctz(m);
        lanes_t who = members(w, in, all, 1, i), yes = p & who;
        bool hold = in->mode == VOTE_ALL   ? yes == who
                    : in->mode == VOTE_ANY ? yes != 0
                                           : yes == who || yes == 0;
        if (ballot && in->dst[0].off != OPND_NONE)
            row32(w, &in->dst[0])[i] = yes;
        result |= (lanes_t)hold << i;
    }
    if (!ballot)
        set_pred(w, &in->dst[0], part->lanes, result);
}

static void exec_vote(struct warp *w, const struct inst *in, lanes_t active)
{
    if (!(in->flags & INST_SYNC && split_meets(w, in, active)))
        vote(w, &(struct meet_part){in, active}, active, pred_get(w, &in->src[0]));
}

static uint64_t lane_bits(struct warp *w, const struct opnd *o, int lane)
{
    return o->width == 8 ? row64(w, o)[lane] : row32(w, o)[lane];
}

static void match(struct warp *w, const struct meet_part *part, lanes_t all, const uint64_t *v)
{
    const struct inst *in = part->in;
    lanes_t hold = 0;
    for (lanes_t m = part->lanes; m; m &= m - 1) {
        int i = __builtin_ctz(m);
        lanes_t who = members(w, in, all, 1, i), same = 0;
        for (lanes_t o = who; o; o &= o - 1)
            same |= (lanes_t)(v[i] == v[__builtin_ctz(o)]) << __builtin_ctz(o);
        if (in->flags & INST_ALL && same != who)
            same = 0;
        hold |= (lanes_t)(same != 0) << i;
        if (in->dst[0].off != OPND_NONE)
            row32(w, &in->dst[0])[i] = same;
    }
    if (in->nd > 1)
        set_pred(w, &in->dst[1], part->lanes, hold);
}

static void get_bits(struct warp *w, const struct meet_part *part, uint64_t *v)
{
    for (lanes_t m = part->lanes; m; m &= m - 1)
        v[__builtin_ctz(m)] = lane_bits(w, &part->in->src[0], __builtin_ctz(m));
}

static void exec_match(struct warp *w, const struct inst *in, lanes_t active)
{
    if (in->flags & INST_SYNC && split_meets(w, in, active))
        return;
    const struct meet_part part = {in, active};
    uint64_t v[WARP_SIZE];
    get_bits(w, &part, v);
    match(w, &part, active, v);
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

static void redux(struct warp *w, const struct meet_part *part, lanes_t all, const uint32_t *a)
{
    const struct inst *in = part->in;
    if (in->dst[0].off == OPND_NONE)
        return;
    for (lanes_t m = part->lanes; m; m &= m - 1) {
        int i = __builtin_ctz(m);
        lanes_t who = members(w, in, all, in->ns - 1, i) | (1u << i);
        uint32_t x = a[__builtin_ctz(who)];
        for (lanes_t o = who & (who - 1); o; o &= o - 1)
            x = reduce(in, x, a[__builtin_ctz(o)]);
        row32(w, &in->dst[0])[i] = x;
    }
}

static void exec_redux(struct warp *w, const struct inst *in, lanes_t active)
{
    if (split_meets(w, in, active))
        return;
    uint32_t a[WARP_SIZE];
    __builtin_memcpy(a, row32(w, &in->src[0]), sizeof a);
    redux(w, &(struct meet_part){in, active}, active, a);
}

static void exec_activemask(struct warp *w, const struct inst *in, lanes_t active)
{
    if (in->dst[0].off == OPND_NONE)
        return;
    for (lanes_t m = active; m; m &= m - 1)
        row32(w, &in->dst[0])[__builtin_ctz(m)] = active;
}

static void elect(struct warp *w, const struct meet_part *part, lanes_t all)
{
    const struct inst *in = part->in;
    lanes_t leaders = 0;
    for (lanes_t m = part->lanes; m; m &= m - 1) {
        int i = __builtin_ctz(m);
        lanes_t who = members(w, in, all, in->ns - 1, i) | (1u << i);
        int lead = __builtin_ctz(who);
        if (in->dst[0].off != OPND_NONE)
            row32(w, &in->dst[0])[i] = (uint32_t)lead;
        leaders |= (lanes_t)(lead == i) << i;
    }
    if (in->nd > 1)
        set_pred(w, &in->dst[1], part->lanes, leaders);
}

static void exec_elect(struct warp *w, const struct inst *in, lanes_t active)
{
    if (!split_meets(w, in, active))
        elect(w, &(struct meet_part){in, active}, active);
}

/* Nothing else happens when they meet. */
static void exec_bar_warp(struct warp *w, const struct inst *in, lanes_t active)
{
    (void)split_meets(w, in, active);
}

/* -- lanes that wait in several instructions, alike */

static void get_words(struct warp *w, const struct meet_part *part, int n, uint32_t *a)
{
    __builtin_memcpy(a, row32(w, &part->in->src[0]), WARP_SIZE * sizeof *a); /* of others too */
    for (int i = 0; i < n; i++) {
        const uint32_t *row = row32(w, &part[i].in->src[0]);
        for (lanes_t m = part[i].lanes; m; m &= m - 1)
            a[__builtin_ctz(m)] = row[__builtin_ctz(m)];
    }
}

static lanes_t get_votes(struct warp *w, const struct meet_part *part, int n)
{
    lanes_t p = 0;
    for (int i = 0; i < n; i++)
        p |= pred_get(w, &part[i].in->src[0]) & part[i].lanes;
    return p;
}

void crosslane_exchange(struct warp *w, const struct meet_part *part, int n)
{
    union {
        uint32_t word[WARP_SIZE];
        uint64_t bits[WARP_SIZE];
    } v;
    const enum opcode op = (enum opcode)part->in->op;
    lanes_t all = 0, votes = op == OP_VOTE ? get_votes(w, part, n) : 0;
    for (int i = 0; i < n; i++)
        all |= part[i].lanes;
    if (op == OP_SHFL || op == OP_REDUX)
        get_words(w, part, n, v.word);
    for (int i = 0; i < n && op == OP_MATCH; i++)
        get_bits(w, &part[i], v.bits);
    for (int i = 0; i < n; i++)
        switch (op) {
        case OP_SHFL:
            shfl(w, &part[i], all, v.word);
            break;
        case OP_VOTE:
            vote(w, &part[i], all, votes);
            break;
        case OP_MATCH:
            match(w, &part[i], all, v.bits);
            break;
        case OP_REDUX:
            redux(w, &part[i], all, v.word);
            break;
        case OP_ELECT:
            elect(w, &part[i], all);
            break;
        default: /* bar.warp.sync */
            break;
        }
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
    case OP_BAR_WARP:
        return exec_bar_warp;
    default:
        return NULL;
    }
}
