#include "sim/ptx/liveness.h"

#include <stdlib.h>
#include <string.h>

#include "sim/ptx/decode.h"

#define NONE UINT32_MAX

/* Registers that live across blocks are numbered and taken 64 at a time. A block's set is a list of
 * those groups of which it holds some: what is kept, and what is done, grows with what is live, not
 * with all that there is. */
struct node { /* a block, in the lists of a register */
    uint32_t block, next;
};
struct part { /* registers of a group, in the list of a block */
    uint64_t mask;
    uint32_t group, next;
};
struct group {
    uint64_t one, two; /* registers that take one, two of 32 bits */
    uint64_t live;     /* at this point of a backward walk */
    uint64_t seen;
    uint64_t weighed; /* a mask, and what its registers weigh: most blocks have that of the next */
    uint32_t weight;
};
struct flow_sets { /* of a block, for the group being solved */
    uint64_t in, out, kill;
    bool touched;
};

struct live { /* of one function */
    struct decoder *d;
    struct liveness *out;
    int first, n;               /* blocks */
    uint32_t *stamp;            /* [nvreg]: the block that wrote it last, from 1 */
    uint32_t *used;             /* [nvreg]: the block that read it last before a write, from 1 */
    uint32_t *uses, *writes;    /* [nvreg]: blocks that read it first, that write it */
    uint32_t *index;            /* [nvreg]: its number, or NONE */
    uint32_t *vreg, nvreg, cap; /* and back */
    struct node *node;          /* owned */
    uint32_t nnode, cap_node;
    struct part *part; /* owned */
    uint32_t npart, cap_part;
    struct group *group; /* owned */
    uint32_t ngroup;
    uint32_t *in, *liveout;      /* [blocks]: lists of parts */
    uint32_t *pred, *npred;      /* edges into block b: pred[npred[b] .. npred[b + 1]) */
    struct flow_sets *sets;      /* [blocks] */
    uint32_t *touched, ntouched; /* blocks with sets that are not empty */
    uint64_t *queue;             /* blocks to go on from, a bit each */
    uint32_t nqueue, top;        /* how many; no word above top has any */
    uint8_t *now;                /* [nvreg]: live at this point, of those that live in one block */
    uint32_t count, dead;        /* 32-bit registers live; written but never read */
    uint32_t *across;            /* [ninst]: 32-bit registers that live across a call */
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

static void add_block(struct live *l, uint32_t *head, uint32_t block)
{
    GROW(l->node, l->nnode, l->cap_node);
    l->node[l->nnode] = (struct node){block, *head};
    *head = l->nnode++;
}

static void note_use(struct live *l, uint32_t v, uint32_t block)
{
    if (l->stamp[v] == block + 1 || l->used[v] == block + 1)
        return;
    l->used[v] = block + 1;
    if (l->uses[v] == NONE) {
        GROW(l->vreg, l->nvreg, l->cap);
        l->index[v] = l->nvreg;
        l->vreg[l->nvreg++] = v;
    }
    add_block(l, &l->uses[v], block);
}

static void note_def(struct live *l, uint32_t v, uint32_t block)
{
    if (l->stamp[v] != block + 1)
        add_block(l, &l->writes[v], block);
    l->stamp[v] = block + 1;
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

typedef void (*edge_fn)(struct live *l, uint32_t from, uint32_t to);

static void for_edges(struct live *l, edge_fn fn)
{
    const struct kernel *k = l->d->k;
    for (int b = 0; b < l->n; b++) {
        const struct block *blk = &k->block[l->first + b];
        const struct inst *last = &k->inst[blk->first + blk->n - 1];
        for (int s = 0; s < blk->nsucc; s++)
            if (blk->succ[s] >= 0)
                fn(l, (uint32_t)b, (uint32_t)(blk->succ[s] - l->first));
        for (int s = 0; last->op == OP_BRX && s < last->table->n; s++)
            fn(l, (uint32_t)b, (uint32_t)(block_at(k, last->table->target[s]) - l->first));
    }
}

static void count_edge(struct live *l, uint32_t from, uint32_t to)
{
    (void)from;
    l->npred[to + 1]++;
}

/* Fills the blocks' ranges from the back: npred[b + 1] is then where b's own begins. */
static void add_edge(struct live *l, uint32_t from, uint32_t to)
{
    l->pred[--l->npred[to + 1]] = from;
}

static void make_predecessors(struct live *l)
{
    memset(l->npred, 0, ((size_t)l->n + 2) * sizeof *l->npred);
    for_edges(l, count_edge);
    for (int b = 0; b < l->n; b++)
        l->npred[b + 1] += l->npred[b];
    const uint32_t total = l->npred[l->n];
    l->pred = xmalloc(((size_t)total + 1) * sizeof *l->pred);
    for_edges(l, add_edge);
    memmove(l->npred, l->npred + 1, (size_t)l->n * sizeof *l->npred);
    l->npred[l->n] = total;
}

static struct flow_sets *touch(struct live *l, uint32_t block)
{
    struct flow_sets *f = &l->sets[block];
    if (!f->touched)
        l->touched[l->ntouched++] = block;
    f->touched = true;
    return f;
}

static void reach_start(struct live *l, uint32_t block, uint64_t registers)
{
    struct flow_sets *f = touch(l, block);
    if (!(registers & ~f->in))
        return;
    f->in |= registers;
    const uint64_t bit = UINT64_C(1) << (block % 64);
    l->nqueue += !(l->queue[block / 64] & bit);
    l->queue[block / 64] |= bit;
    if (block / 64 > l->top)
        l->top = block / 64;
}

/* The last of the blocks queued: most edges lead forward, so that what comes behind it is done. */
static uint32_t take_last(struct live *l)
{
    while (!l->queue[l->top])
        l->top--;
    const uint32_t bit = 63 - (uint32_t)__builtin_clzll(l->queue[l->top]);
    l->queue[l->top] ^= UINT64_C(1) << bit;
    l->nqueue--;
    return 64 * l->top + bit;
}

/* What is live at a block's start is live at the ends of those before it, and where they do not
 * write it, at their starts. */
static void spread(struct live *l)
{
    while (l->nqueue) {
        const uint32_t b = take_last(l);
        const uint64_t in = l->sets[b].in;
        for (uint32_t i = l->npred[b]; i < l->npred[b + 1]; i++) {
            struct flow_sets *p = touch(l, l->pred[i]);
            p->out |= in;
            reach_start(l, l->pred[i], in & ~p->kill);
        }
    }
}

static void add_part(struct live *l, uint32_t *head, uint32_t group, uint64_t mask)
{
    if (!mask)
        return;
    GROW(l->part, l->npart, l->cap_part);
    l->part[l->npart] = (struct part){mask, group, *head};
    *head = l->npart++;
}

static void solve_group(struct live *l, uint32_t group)
{
    const uint32_t first = 64 * group;
    const uint32_t n = l->nvreg - first < 64 ? l->nvreg - first : 64;
    struct group *g = &l->group[group];
    *g = (struct group){0};
    for (uint32_t k = 0; k < n; k++) {
        const uint32_t v = l->vreg[first + k], w = weight(l->d, v);
        const uint64_t bit = UINT64_C(1) << k;
        g->one |= w == 1 ? bit : 0;
        g->two |= w == 2 ? bit : 0;
        for (uint32_t i = l->writes[v]; i != NONE; i = l->node[i].next)
            touch(l, l->node[i].block)->kill |= bit;
        for (uint32_t i = l->uses[v]; i != NONE; i = l->node[i].next)
            reach_start(l, l->node[i].block, bit);
    }
    spread(l);
    for (; l->ntouched; l->ntouched--) {
        const uint32_t b = l->touched[l->ntouched - 1];
        add_part(l, &l->in[b], group, l->sets[b].in);
        add_part(l, &l->liveout[b], group, l->sets[b].out);
        l->sets[b] = (struct flow_sets){0};
    }
}

static void solve(struct live *l)
{
    memset(l->in, 0xff, (size_t)l->n * sizeof *l->in);
    memset(l->liveout, 0xff, (size_t)l->n * sizeof *l->liveout);
    make_predecessors(l);
    l->ngroup = (l->nvreg + 63) / 64;
    l->group = xmalloc(((size_t)l->ngroup + 1) * sizeof *l->group);
    for (uint32_t i = 0; i < l->ngroup; i++)
        solve_group(l, i);
    free(l->pred);
}

/* ---- from where to where ---- */

static void extend(struct live *l, uint32_t v, uint32_t pc)
{
    if (pc < l->out->first[v])
        l->out->first[v] = pc;
    if (pc > l->out->last[v] || l->out->first[v] > l->out->last[v])
        l->out->last[v] = pc;
}

/* To pc, registers that no block before had. */
static void extend_new(struct live *l, uint32_t list, uint32_t pc)
{
    for (uint32_t i = list; i != NONE; i = l->part[i].next) {
        struct group *g = &l->group[l->part[i].group];
        for (uint64_t bits = l->part[i].mask & ~g->seen; bits; bits &= bits - 1)
            extend(l, l->vreg[64 * l->part[i].group + (uint32_t)__builtin_ctzll(bits)], pc);
        g->seen |= l->part[i].mask;
    }
}

static void extend_across(struct live *l)
{
    const struct block *blk = &l->d->k->block[l->first];
    for (int b = 0; b < l->n; b++)
        extend_new(l, l->in[b], blk[b].first);
    for (uint32_t i = 0; i < l->ngroup; i++)
        l->group[i].seen = 0;
    for (int b = l->n - 1; b >= 0; b--)
        extend_new(l, l->liveout[b], blk[b].first + blk[b].n - 1);
}

/* ---- inside blocks ---- */

static bool is_live(const struct live *l, uint32_t v)
{
    const uint32_t i = l->index[v];
    return i == NONE ? l->now[v] : l->group[i / 64].live >> (i % 64) & 1;
}

static void turn(struct live *l, uint32_t v)
{
    const uint32_t i = l->index[v];
    if (i == NONE)
        l->now[v] ^= 1;
    else
        l->group[i / 64].live ^= UINT64_C(1) << (i % 64);
}

static void walk_use(struct live *l, uint32_t v, uint32_t pc)
{
    extend(l, v, pc);
    if (!is_live(l, v)) {
        turn(l, v);
        l->count += weight(l->d, v);
    }
}

static void walk_kill(struct live *l, uint32_t v, uint32_t pc)
{
    (void)pc;
    if (is_live(l, v)) {
        turn(l, v);
        l->count -= weight(l->d, v);
    }
}

static void walk_def(struct live *l, uint32_t v, uint32_t pc)
{
    extend(l, v, pc);
    if (!is_live(l, v)) /* never read: it still needs a place while it is written */
        l->dead += weight(l->d, v);
}

static uint32_t weight_of(struct group *g, uint64_t mask)
{
    if (g->weighed != mask)
        g->weight = (uint32_t)(__builtin_popcountll(mask & g->one) +
                               2 * __builtin_popcountll(mask & g->two));
    g->weighed = mask;
    return g->weight;
}

static void begin_at_end(struct live *l, int b)
{
    l->count = 0;
    for (uint32_t i = l->liveout[b]; i != NONE; i = l->part[i].next) {
        struct group *g = &l->group[l->part[i].group];
        g->live = l->part[i].mask;
        l->count += weight_of(g, g->live);
    }
}

static uint32_t walk_block(struct live *l, int b)
{
    const struct kernel *k = l->d->k;
    const struct block *blk = &k->block[l->first + b];
    begin_at_end(l, b);
    uint32_t most = l->count;
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
    for (uint32_t i = l->in[b]; i != NONE; i = l->part[i].next)
        l->group[l->part[i].group].live = 0;
    return most;
}

static void live_function(struct live *l)
{
    struct function *f = &l->d->k->func[l->d->k->block[l->first].func];
    l->nvreg = l->nnode = l->npart = 0;
    each_inst(l, note_use, note_def);
    solve(l);
    extend_across(l);
    for (int b = 0; b < l->n; b++) {
        const int n = (int)walk_block(l, b);
        if (n > f->max_live)
            f->max_live = n;
    }
    free(l->group);
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

static uint32_t *numbers(size_t n, int byte)
{
    return memset(xmalloc(n * sizeof(uint32_t)), byte, n * sizeof(uint32_t));
}

static void live_init(struct live *l, struct decoder *d)
{
    const size_t n = d->nvreg + 1, blocks = (size_t)d->k->nblock + 2;
    struct liveness *out = xmalloc(sizeof *out);
    *out = (struct liveness){.first = numbers(n, 0xff), .last = numbers(n, 0)};
    *l = (struct live){.d = d,
                       .out = out,
                       .stamp = numbers(n, 0),
                       .used = numbers(n, 0),
                       .uses = numbers(n, 0xff),
                       .writes = numbers(n, 0xff),
                       .index = numbers(n, 0xff),
                       .in = numbers(blocks, 0),
                       .liveout = numbers(blocks, 0),
                       .npred = numbers(blocks, 0),
                       .queue = xcalloc(blocks, sizeof *l->queue),
                       .touched = numbers(blocks, 0),
                       .sets = xcalloc(blocks, sizeof *l->sets),
                       .now = xcalloc(n, sizeof *l->now),
                       .across = xcalloc(d->k->ninst, sizeof *l->across)};
}

static void live_fini(struct live *l)
{
    void *const owned[] = {l->stamp,   l->used,  l->uses,  l->writes,  l->index, l->in,
                           l->liveout, l->npred, l->queue, l->touched, l->sets,  l->now,
                           l->across,  l->vreg,  l->node,  l->part};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        free(owned[i]);
}

struct liveness *liveness_build(struct decoder *d)
{
    struct kernel *k = d->k;
    struct live l;
    live_init(&l, d);
    for (int b = 0; b < k->nblock;) {
        l.first = b;
        while (b < k->nblock && k->block[b].func == k->block[l.first].func)
            b++;
        l.n = b - l.first;
        live_function(&l);
    }
    k->regs = registers(&l);
    live_fini(&l);
    return l.out;
}

void liveness_free(struct liveness *l)
{
    free(l->first);
    free(l->last);
    free(l);
}
