#include "sim/ptx/liveness.h"

#include <stdlib.h>
#include <string.h>

#include "sim/ptx/decode.h"

#define NOT_GLOBAL UINT32_MAX

struct live { /* of one function; bit sets are over registers that live across blocks */
    struct decoder *d;
    struct liveness *out;
    int first, n;               /* blocks */
    uint32_t *index;            /* [nvreg]: bit, or NOT_GLOBAL */
    uint32_t *vreg, nbits, cap; /* and back */
    uint32_t *stamp;            /* [nvreg]: the block that wrote it last, from 1 */
    size_t words;
    uint64_t *in, *liveout, *gen, *kill; /* [n][words] */
    uint8_t *now;                        /* [nvreg]: live at this point of a backward walk */
    uint32_t count, dead;                /* 32-bit registers live; written but never read */
    uint32_t *across;                    /* [ninst]: 32-bit registers that live across a call */
};

static bool is_vreg(const struct opnd *o)
{
    return o->bank == BANK_VREG && o->off != OPND_NONE;
}

static uint32_t weight(const struct decoder *d, uint32_t vreg)
{
    const enum vtype t = (enum vtype)d->vreg[vreg].type;
    return t == VT_PRED ? 0 : type_bytes(t) > 4 ? 2 : 1;
}

typedef void (*vreg_fn)(struct live *l, uint32_t vreg, uint32_t arg);

static void for_uses(struct live *l, const struct inst *in, vreg_fn fn, uint32_t arg)
{
    for (int i = 0; i < in->ns; i++)
        if (is_vreg(&in->src[i]))
            fn(l, in->src[i].off, arg);
    if (is_vreg(&in->guard))
        fn(l, in->guard.off, arg);
}

static void for_defs(struct live *l, const struct inst *in, vreg_fn fn, uint32_t arg)
{
    for (int i = 0; i < in->nd; i++)
        if (is_vreg(&in->dst[i]))
            fn(l, in->dst[i].off, arg);
}

/* ---- across blocks ---- */

static void note_use(struct live *l, uint32_t v, uint32_t block)
{
    if (l->stamp[v] == block + 1 || l->index[v] != NOT_GLOBAL)
        return;
    GROW(l->vreg, l->nbits, l->cap);
    l->index[v] = l->nbits;
    l->vreg[l->nbits++] = v;
}

static void note_def(struct live *l, uint32_t v, uint32_t block)
{
    l->stamp[v] = block + 1;
}

static void gen_use(struct live *l, uint32_t v, uint32_t b)
{
    const uint32_t i = l->index[v];
    uint64_t *kill = l->kill + b * l->words;
    if (i != NOT_GLOBAL && !(kill[i / 64] >> (i % 64) & 1))
        l->gen[b * l->words + i / 64] |= UINT64_C(1) << (i % 64);
}

static void kill_def(struct live *l, uint32_t v, uint32_t b)
{
    const uint32_t i = l->index[v];
    if (i != NOT_GLOBAL)
        l->kill[b * l->words + i / 64] |= UINT64_C(1) << (i % 64);
}

static void each_inst(struct live *l, vreg_fn use, vreg_fn def)
{
    const struct kernel *k = l->d->k;
    for (int b = 0; b < l->n; b++) {
        const struct block *blk = &k->block[l->first + b];
        for (uint32_t i = blk->first; i < blk->first + blk->n; i++) {
            for_uses(l, &k->inst[i], use, (uint32_t)b);
            if (k->inst[i].guard.off == OPND_NONE)
                for_defs(l, &k->inst[i], def, (uint32_t)b);
        }
    }
}

static void join(struct live *l, uint64_t *out, int to)
{
    const uint64_t *in = l->in + (size_t)(to - l->first) * l->words;
    for (size_t w = 0; w < l->words; w++)
        out[w] |= in[w];
}

/* live-out from the successors, live-in from that; true: live-in grew. */
static bool update(struct live *l, int b)
{
    const struct kernel *k = l->d->k;
    const struct block *blk = &k->block[l->first + b];
    const struct inst *last = &k->inst[blk->first + blk->n - 1];
    const size_t row = (size_t)b * l->words;
    for (int s = 0; s < blk->nsucc; s++)
        if (blk->succ[s] >= 0)
            join(l, l->liveout + row, blk->succ[s]);
    for (int s = 0; last->op == OP_BRX && s < last->table->n; s++)
        join(l, l->liveout + row, block_at(k, last->table->target[s]));
    bool grew = false;
    for (size_t w = row; w < row + l->words; w++) {
        const uint64_t v = l->gen[w] | (l->liveout[w] & ~l->kill[w]);
        grew |= v != l->in[w];
        l->in[w] = v;
    }
    return grew;
}

static void solve(struct live *l)
{
    const size_t total = (size_t)l->n * (l->words = (l->nbits + 63) / 64);
    l->in = xcalloc(4 * total + 1, sizeof *l->in);
    l->liveout = l->in + total;
    l->gen = l->liveout + total;
    l->kill = l->gen + total;
    each_inst(l, gen_use, kill_def);
    for (bool grew = true; grew;) {
        grew = false;
        for (int b = l->n - 1; b >= 0; b--)
            grew |= update(l, b);
    }
}

/* ---- inside blocks ---- */

static void extend(struct live *l, uint32_t v, uint32_t pc)
{
    if (pc < l->out->first[v])
        l->out->first[v] = pc;
    if (pc > l->out->last[v] || l->out->first[v] > l->out->last[v])
        l->out->last[v] = pc;
}

static void walk_use(struct live *l, uint32_t v, uint32_t pc)
{
    extend(l, v, pc);
    if (!l->now[v]) {
        l->now[v] = 1;
        l->count += weight(l->d, v);
    }
}

static void walk_kill(struct live *l, uint32_t v, uint32_t pc)
{
    (void)pc;
    if (l->now[v]) {
        l->now[v] = 0;
        l->count -= weight(l->d, v);
    }
}

static void walk_def(struct live *l, uint32_t v, uint32_t pc)
{
    extend(l, v, pc);
    if (!l->now[v]) { /* never read: it still needs a place while it is written */
        l->dead += weight(l->d, v);
    }
}

static void for_set(struct live *l, const uint64_t *set, vreg_fn fn, uint32_t pc)
{
    for (size_t w = 0; w < l->words; w++)
        for (uint64_t bits = set[w]; bits; bits &= bits - 1)
            fn(l, l->vreg[64 * w + (size_t)__builtin_ctzll(bits)], pc);
}

static uint32_t walk_block(struct live *l, int b)
{
    const struct kernel *k = l->d->k;
    const struct block *blk = &k->block[l->first + b];
    const size_t row = (size_t)b * l->words;
    uint32_t most;
    l->count = 0;
    for_set(l, l->liveout + row, walk_use, blk->first + blk->n - 1);
    most = l->count;
    for (uint32_t i = blk->first + blk->n; i-- > blk->first;) {
        const struct inst *in = &k->inst[i];
        l->dead = 0;
        for_defs(l, in, walk_def, i);
        if (l->count + l->dead > most)
            most = l->count + l->dead;
        if (in->guard.off == OPND_NONE)
            for_defs(l, in, walk_kill, i);
        if (in->op == OP_CALL)
            l->across[i] = l->count;
        for_uses(l, in, walk_use, i);
        if (l->count > most)
            most = l->count;
    }
    for_set(l, l->in + row, walk_use, blk->first);
    for_set(l, l->in + row, walk_kill, 0);
    return most;
}

static void live_function(struct live *l)
{
    struct function *f = &l->d->k->func[l->d->k->block[l->first].func];
    l->nbits = 0;
    each_inst(l, note_use, note_def);
    solve(l);
    for (int b = 0; b < l->n; b++) {
        const int n = (int)walk_block(l, b);
        if (n > f->max_live)
            f->max_live = n;
    }
    free(l->in);
}

/* ---- along calls ---- */

/* Deepest need of function f and what it calls directly; indirect: what any other call adds. */
static uint32_t need(struct live *l, int f, uint32_t *memo, uint32_t indirect)
{
    const struct kernel *k = l->d->k;
    if (memo[f])
        return memo[f] - 1;
    uint32_t most = (uint32_t)k->func[f].max_live;
    memo[f] = most + 1; /* what a recursive call of it finds: how deep it goes, no one knows */
    for (uint32_t i = k->func[f].first; i < k->func[f].first + k->func[f].n; i++) {
        const struct inst *in = &k->inst[i];
        if (in->op != OP_CALL)
            continue;
        const uint32_t below = in->call->callee
                                   ? need(l, (int)(in->call->callee - k->func), memo, indirect)
                               : in->call->builtin ? 0
                                                   : indirect;
        if (l->across[i] + below > most)
            most = l->across[i] + below;
    }
    memo[f] = most + 1;
    return most;
}

static uint32_t registers(struct live *l)
{
    const struct kernel *k = l->d->k;
    uint32_t *memo = xcalloc((size_t)k->nfunc, sizeof *memo), indirect = 0;
    for (int f = 1; l->d->calls_indirectly && f < k->nfunc; f++) {
        const uint32_t n = need(l, f, memo, 0);
        indirect = n > indirect ? n : indirect;
    }
    memset(memo, 0, (size_t)k->nfunc * sizeof *memo);
    uint32_t n = need(l, 0, memo, indirect) + REGS_RESERVED;
    free(memo);
    if (k->maxnreg && n > (uint32_t)k->maxnreg)
        n = (uint32_t)k->maxnreg;
    return n > REGS_MAX ? REGS_MAX : n;
}

struct liveness *liveness_build(struct decoder *d)
{
    struct kernel *k = d->k;
    const size_t n = d->nvreg + 1;
    struct liveness *out = xmalloc(sizeof *out);
    out->first = xmalloc(n * sizeof *out->first);
    out->last = xcalloc(n, sizeof *out->last);
    memset(out->first, 0xff, n * sizeof *out->first);
    struct live l = {.d = d,
                     .out = out,
                     .index = xmalloc(n * sizeof *l.index),
                     .stamp = xcalloc(n, sizeof *l.stamp),
                     .now = xcalloc(n, sizeof *l.now),
                     .across = xcalloc(k->ninst, sizeof *l.across)};
    memset(l.index, 0xff, n * sizeof *l.index);
    for (int b = 0; b < k->nblock;) {
        l.first = b;
        while (b < k->nblock && k->block[b].func == k->block[l.first].func)
            b++;
        l.n = b - l.first;
        live_function(&l);
    }
    k->regs = registers(&l);
    free(l.index);
    free(l.vreg);
    free(l.stamp);
    free(l.now);
    free(l.across);
    return out;
}

void liveness_free(struct liveness *l)
{
    free(l->first);
    free(l->last);
    free(l);
}
