/* sim/ptx/flow.c -- basic blocks, immediate post-dominators, reconvergence points, a function at a
 * time. Post-dominators: Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm", on the
 * reversed graph with one exit. Blocks that never reach the exit (endless loops) are tied to it. */
#include <stdlib.h>
#include <string.h>

#include "sim/ptx/decode.h"

struct flow {
    struct kernel *k;
    int first, n;       /* blocks of this function; n is also the number of the exit */
    uint32_t *block_of; /* [ninst]: block of the instruction */
    int *succ, *nsucc;  /* edges of block b: succ[nsucc[b] .. nsucc[b + 1]), exit is n */
    int *pred, *npred;
    int *order, *number; /* of the reversed graph, in reverse post-order from the exit */
    int norder;
    int *ipdom;
};

static bool ends_block(const struct inst *in)
{
    return in->op == OP_BRA || in->op == OP_BRX || in->op == OP_RET || in->op == OP_EXIT;
}

static void mark_leaders(const struct kernel *k, bool *leader)
{
    for (int i = 0; i < k->nfunc; i++)
        leader[k->func[i].first] = true;
    for (uint32_t i = 0; i < k->ninst; i++) {
        const struct inst *in = &k->inst[i];
        if (in->op == OP_BRA)
            leader[in->target] = true;
        for (int j = 0; in->op == OP_BRX && j < in->table->n; j++)
            leader[in->table->target[j]] = true;
        if (ends_block(in))
            leader[i + 1] = true;
    }
}

static void make_blocks(struct decoder *d, uint32_t *block_of)
{
    struct kernel *k = d->k;
    bool *leader = xcalloc(k->ninst + 1, sizeof *leader);
    mark_leaders(k, leader);
    for (uint32_t i = 0; i < k->ninst; i++)
        k->nblock += leader[i];
    k->block = arena_alloc(d->arena, (size_t)k->nblock * sizeof *k->block);
    int b = -1;
    for (uint32_t i = 0; i < k->ninst; i++) {
        if (leader[i]) {
            k->block[++b].first = i;
            k->block[b].func = (int)(k->inst[i].func - k->func);
        }
        k->block[b].n++;
        block_of[i] = (uint32_t)b;
    }
    free(leader);
}

/* Blocks that may follow b; f->n is the exit. */
static int successors(const struct flow *f, int b, int *out)
{
    const struct block *blk = &f->k->block[f->first + b];
    const struct inst *last = &f->k->inst[blk->first + blk->n - 1];
    const bool guarded = last->guard.off != OPND_NONE;
    int n = 0;
    if (last->op == OP_BRA) {
        out[n++] = (int)f->block_of[last->target] - f->first;
    } else if (last->op == OP_BRX) {
        for (int i = 0; i < last->table->n; i++)
            out[n++] = (int)f->block_of[last->table->target[i]] - f->first;
    } else if (ends_block(last)) {
        out[n++] = f->n;
    }
    if ((!ends_block(last) || guarded) && b + 1 < f->n)
        out[n++] = b + 1;
    return n;
}

static int widest(const struct flow *f)
{
    int n = 2;
    for (int b = 0; b < f->n; b++) {
        const struct block *blk = &f->k->block[f->first + b];
        const struct inst *last = &f->k->inst[blk->first + blk->n - 1];
        if (last->op == OP_BRX && last->table->n + 1 > n)
            n = last->table->n + 1;
    }
    return n;
}

static void make_edges(struct flow *f)
{
    int *out = xmalloc((size_t)widest(f) * sizeof *out), total = 0;
    f->nsucc = xcalloc((size_t)f->n + 2, sizeof *f->nsucc);
    f->npred = xcalloc((size_t)f->n + 2, sizeof *f->npred);
    for (int b = 0; b < f->n; b++) {
        const int n = successors(f, b, out);
        f->nsucc[b + 1] = total += n;
        for (int i = 0; i < n; i++)
            f->npred[out[i] + 1]++;
    }
    f->nsucc[f->n + 1] = total;
    for (int b = 0; b <= f->n; b++)
        f->npred[b + 1] += f->npred[b];
    f->succ = xmalloc((size_t)(total + 1) * sizeof *f->succ);
    f->pred = xmalloc((size_t)(total + 1) * sizeof *f->pred);
    int *fill = xmalloc(((size_t)f->n + 1) * sizeof *fill);
    memcpy(fill, f->npred, ((size_t)f->n + 1) * sizeof *fill);
    for (int b = 0; b < f->n; b++) {
        const int n = successors(f, b, f->succ + f->nsucc[b]);
        for (int i = 0; i < n; i++)
            f->pred[fill[f->succ[f->nsucc[b] + i]]++] = b;
    }
    free(fill);
    free(out);
}

/* Post-order of the reversed graph from `root`, appended to order[] from the back of the array. */
static void walk(struct flow *f, int root, int *stack, int *next)
{
    int depth = 0;
    stack[depth++] = root;
    f->number[root] = -2; /* on the way */
    next[root] = f->npred[root];
    while (depth) {
        const int b = stack[depth - 1];
        if (next[b] < f->npred[b + 1]) {
            const int p = f->pred[next[b]++];
            if (f->number[p] == -1) {
                f->number[p] = -2;
                next[p] = f->npred[p];
                stack[depth++] = p;
            }
        } else {
            f->order[f->norder++] = b;
            f->number[b] = -3;
            depth--;
        }
    }
}

/* Numbers the blocks in post-order; the exit comes last. A block that reaches no exit is walked
 * from first, as if it had an edge to the exit: the last one in the text of each such loop. */
static void number_blocks(struct flow *f, bool *tied)
{
    int *stack = xmalloc(((size_t)f->n + 1) * sizeof *stack);
    int *next = xmalloc(((size_t)f->n + 1) * sizeof *next);
    for (int b = 0; b <= f->n; b++)
        f->number[b] = -1;
    walk(f, f->n, stack, next); /* finds what reaches the exit */
    const int reach = f->norder;
    for (int b = f->n - 1; b >= 0; b--) {
        if (f->number[b] != -1)
            continue;
        tied[b] = true;
        walk(f, b, stack, next);
    }
    /* Put the exit behind everything: its own walk came first. */
    memmove(f->order + reach - 1, f->order + reach, (size_t)(f->norder - reach) * sizeof *f->order);
    f->order[f->norder - 1] = f->n;
    for (int i = 0; i < f->norder; i++)
        f->number[f->order[i]] = i;
    free(stack);
    free(next);
}

static int intersect(const struct flow *f, int a, int b)
{
    while (a != b) {
        while (f->number[a] < f->number[b])
            a = f->ipdom[a];
        while (f->number[b] < f->number[a])
            b = f->ipdom[b];
    }
    return a;
}

static void post_dominators(struct flow *f, const bool *tied)
{
    for (int b = 0; b < f->n; b++)
        f->ipdom[b] = -1;
    f->ipdom[f->n] = f->n;
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = f->norder - 2; i >= 0; i--) {
            const int b = f->order[i];
            int dom = tied[b] ? f->n : -1;
            for (int s = f->nsucc[b]; s < f->nsucc[b + 1]; s++) {
                const int to = f->succ[s];
                if (f->ipdom[to] >= 0)
                    dom = dom < 0 ? to : intersect(f, dom, to);
            }
            if (dom >= 0 && dom != f->ipdom[b]) {
                f->ipdom[b] = dom;
                changed = true;
            }
        }
    }
}

static void store(struct flow *f)
{
    struct kernel *k = f->k;
    for (int b = 0; b < f->n; b++) {
        struct block *blk = &k->block[f->first + b];
        struct inst *last = &k->inst[blk->first + blk->n - 1];
        const int dom = f->ipdom[b];
        blk->ipdom = dom < 0 || dom == f->n ? -1 : f->first + dom;
        /* The targets of a brx come first in succ[] and stand in its table. */
        const int skip = last->op == OP_BRX ? last->table->n : 0;
        for (int s = f->nsucc[b] + skip; s < f->nsucc[b + 1]; s++)
            blk->succ[blk->nsucc++] = f->succ[s] == f->n ? -1 : f->first + f->succ[s];
        if (last->op == OP_BRA || last->op == OP_BRX)
            last->reconv = blk->ipdom < 0 ? RECONV_EXIT : k->block[blk->ipdom].first;
    }
}

static void flow_function(struct flow *f)
{
    bool *tied = xcalloc((size_t)f->n + 1, sizeof *tied);
    make_edges(f);
    f->order = xmalloc(((size_t)f->n + 1) * sizeof *f->order);
    f->number = xmalloc(((size_t)f->n + 1) * sizeof *f->number);
    f->ipdom = xmalloc(((size_t)f->n + 1) * sizeof *f->ipdom);
    f->norder = 0;
    number_blocks(f, tied);
    post_dominators(f, tied);
    store(f);
    free(tied);
    free(f->succ);
    free(f->nsucc);
    free(f->pred);
    free(f->npred);
    free(f->order);
    free(f->number);
    free(f->ipdom);
}

int block_at(const struct kernel *k, uint32_t pc)
{
    int lo = 0, hi = k->nblock - 1;
    while (lo < hi) {
        const int mid = (lo + hi + 1) / 2;
        if (k->block[mid].first <= pc)
            lo = mid;
        else
            hi = mid - 1;
    }
    return lo;
}

void flow_build(struct decoder *d)
{
    struct kernel *k = d->k;
    uint32_t *block_of = xmalloc((size_t)k->ninst * sizeof *block_of);
    make_blocks(d, block_of);
    for (int b = 0; b < k->nblock;) {
        struct flow f = {.k = k, .first = b, .block_of = block_of};
        while (b < k->nblock && k->block[b].func == k->block[f.first].func)
            b++;
        f.n = b - f.first;
        flow_function(&f);
    }
    free(block_of);
}
