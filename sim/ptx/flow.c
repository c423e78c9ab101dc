/* sim/ptx/flow.c -- basic blocks, immediate post-dominators, reconvergence points, a function at a
 * time. Post-dominators: Lengauer and Tarjan, "A Fast Algorithm for Finding Dominators in a
 * Flowgraph" (the simple version, m log n), on the reversed graph with one exit. Blocks that never
 * reach the exit (endless loops) are tied to it. */
#include <stdlib.h>
#include <string.h>

#include "sim/ptx/decode.h"

struct flow {
    struct kernel *k;
    int first, n;       /* blocks of this function; n is also the number of the exit */
    uint32_t *block_of; /* [ninst]: block of the instruction */
    int *succ, *nsucc;  /* edges of block b: succ[nsucc[b] .. nsucc[b + 1]), exit is n */
    int *pred, *npred;
    int *order, *number, norder;       /* of the reversed graph, in pre-order from the exit */
    bool *tied;                        /* to the exit */
    int *parent, *next, *stack;        /* of the walk */
    int *semi, *best, *above, *bucket; /* the paper's semi, label, ancestor, bucket */
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

/* Numbers the blocks that reach `root` and have no number yet, in pre-order of the reversed graph.
 */
static void walk(struct flow *f, int root, int parent)
{
    int depth = 0;
    for (int b = root;;) {
        if (f->number[b] < 0) {
            f->number[b] = f->norder;
            f->order[f->norder++] = b;
            f->parent[b] = parent;
            f->next[b] = f->npred[b];
            f->stack[depth++] = b;
        }
        while (depth && f->next[f->stack[depth - 1]] == f->npred[f->stack[depth - 1] + 1])
            depth--;
        if (!depth)
            return;
        parent = f->stack[depth - 1];
        b = f->pred[f->next[parent]++];
    }
}

/* A block that reaches no exit is walked from as if it had an edge to the exit: the last one in the
 * text of each such loop. */
static void number_blocks(struct flow *f)
{
    for (int b = 0; b <= f->n; b++)
        f->number[b] = -1;
    walk(f, f->n, -1);
    for (int b = f->n - 1; b >= 0; b--) {
        if (f->number[b] >= 0)
            continue;
        f->tied[b] = true;
        walk(f, b, f->n);
    }
}

/* The block with the least semidominator on the way up from b; shortens that way. */
static int evaluate(struct flow *f, int b)
{
    int depth = 0;
    if (f->above[b] < 0)
        return b;
    for (int a = b; f->above[f->above[a]] >= 0; a = f->above[a])
        f->stack[depth++] = a;
    while (depth) {
        const int a = f->stack[--depth], up = f->above[a];
        if (f->semi[f->best[up]] < f->semi[f->best[a]])
            f->best[a] = f->best[up];
        f->above[a] = f->above[up];
    }
    return f->best[b];
}

static void semidominator(struct flow *f, int b)
{
    for (int s = f->nsucc[b]; s < f->nsucc[b + 1]; s++) {
        const int u = evaluate(f, f->succ[s]);
        if (f->semi[u] < f->semi[b])
            f->semi[b] = f->semi[u];
    }
    if (f->tied[b])
        f->semi[b] = 0;
}

static void post_dominators(struct flow *f)
{
    for (int b = 0; b <= f->n; b++) {
        f->semi[b] = f->number[b];
        f->best[b] = b;
        f->above[b] = f->next[b] = -1; /* next: of those with the same semidominator; its head: */
        f->bucket[b] = -1;
    }
    f->ipdom[f->n] = f->n;
    for (int i = f->norder - 1; i > 0; i--) {
        const int b = f->order[i], p = f->parent[b];
        semidominator(f, b);
        const int at = f->order[f->semi[b]];
        f->next[b] = f->bucket[at];
        f->bucket[at] = b;
        f->above[b] = p;
        for (int v = f->bucket[p]; v >= 0; v = f->next[v]) {
            const int u = evaluate(f, v);
            f->ipdom[v] = f->semi[u] < f->semi[v] ? u : p;
        }
        f->bucket[p] = -1;
    }
    for (int i = 1; i < f->norder; i++) {
        const int b = f->order[i];
        if (f->ipdom[b] != f->order[f->semi[b]])
            f->ipdom[b] = f->ipdom[f->ipdom[b]];
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
    int *array[9];
    make_edges(f);
    for (int i = 0; i < 9; i++)
        array[i] = xmalloc(((size_t)f->n + 1) * sizeof(int));
    f->order = array[0];
    f->number = array[1];
    f->parent = array[2];
    f->next = array[3];
    f->stack = array[4];
    f->semi = array[5];
    f->best = array[6];
    f->above = array[7];
    f->bucket = array[8];
    f->ipdom = xmalloc(((size_t)f->n + 1) * sizeof *f->ipdom);
    f->tied = xcalloc((size_t)f->n + 1, sizeof *f->tied);
    f->norder = 0;
    number_blocks(f);
    post_dominators(f);
    store(f);
    for (int i = 0; i < 9; i++)
        free(array[i]);
    free(f->tied);
    free(f->succ);
    free(f->nsucc);
    free(f->pred);
    free(f->npred);
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
