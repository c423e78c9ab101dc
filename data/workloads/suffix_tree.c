#include "data/workloads/suffix_tree.h"

#include <stdlib.h>

/* Sorted by their first characters up to the end, which is the greatest one. */
static int by_text(const void *a, const void *b)
{
    const uint8_t *p = *(const uint8_t *const *)a, *q = *(const uint8_t *const *)b;
    for (; *p == *q; p++, q++)
        if (p == q)
            return 0;
    return *p - *q;
}

static unsigned in_common(const uint8_t *p, const uint8_t *q)
{
    unsigned n = 0;
    while (p[n] == q[n])
        n++;
    return n;
}

static unsigned add_node(struct suffix_tree *t, unsigned depth, unsigned suffix)
{
    t->depth[t->nodes] = depth;
    t->suffix[t->nodes] = suffix;
    return (unsigned)t->nodes++;
}

/* The suffixes come in order; the stack is the way from the root to the last leaf. A new leaf
 * leaves it at the depth that the two suffixes have in common, where a node is made if there is
 * none. */
static void add_suffixes(struct suffix_tree *t, const uint8_t *const *sorted, const uint8_t *text,
                         int n, unsigned *stack)
{
    int top = 0;
    stack[0] = add_node(t, 0, 0);
    for (int i = 0; i < n; i++) {
        const unsigned common = i ? in_common(sorted[i - 1], sorted[i]) : 0;
        const unsigned suffix = (unsigned)(sorted[i] - text);
        unsigned last = 0;
        while (t->depth[stack[top]] > common) {
            last = stack[top--];
            t->parent[last] = stack[top];
        }
        if (t->depth[stack[top]] < common) {
            const unsigned split = add_node(t, common, t->suffix[last]);
            t->parent[last] = split;
            t->parent[split] = stack[top];
            stack[++top] = split;
        }
        const unsigned leaf = add_node(t, (unsigned)n - suffix, suffix);
        t->parent[leaf] = stack[top];
        stack[++top] = leaf;
    }
}

static void add_children(struct suffix_tree *t, const uint8_t *text)
{
    for (int v = t->nodes - 1; v > 0; v--) {
        const unsigned up = t->parent[v], base = text[t->suffix[v] + t->depth[up]];
        t->sibling[v] = t->first_child[up];
        t->first_child[up] = (unsigned)v;
        if (base < 4)
            t->child[up][base] = (unsigned)v;
    }
}

/* leaf_of: by suffix */
static void add_links(struct suffix_tree *t, unsigned *leaf_of)
{
    for (int v = 1; v < t->nodes; v++)
        if (t->first_child[v] == 0) {
            leaf_of[t->suffix[v]] = (unsigned)v;
            for (unsigned up = (unsigned)v; up != 0; up = t->parent[up])
                t->leaves[up]++;
            t->leaves[0]++;
        }
    for (int v = 1; v < t->nodes; v++)
        if (t->first_child[v] != 0) {
            unsigned to = leaf_of[t->suffix[v] + 1];
            while (t->depth[to] >= t->depth[v])
                to = t->parent[to];
            t->link[v] = to;
        }
}

struct suffix_tree suffix_tree_make(struct host *h, const uint8_t *text, int n)
{
    const int suffixes = n + 1; /* the one that is the end alone included */
    const size_t most = 2 * (size_t)suffixes + 1;
    const uint8_t **sorted = host_new(h, (size_t)suffixes, sizeof *sorted);
    struct suffix_tree t = {.depth = host_new(h, most, sizeof *t.depth),
                            .suffix = host_new(h, most, sizeof *t.suffix),
                            .parent = host_new(h, most, sizeof *t.parent),
                            .first_child = host_new(h, most, sizeof *t.first_child),
                            .sibling = host_new(h, most, sizeof *t.sibling),
                            .child = host_new(h, most, sizeof *t.child),
                            .link = host_new(h, most, sizeof *t.link),
                            .leaves = host_new(h, most, sizeof *t.leaves)};
    for (int i = 0; i < suffixes; i++)
        sorted[i] = text + i;
    qsort(sorted, (size_t)suffixes, sizeof *sorted, by_text);
    add_suffixes(&t, sorted, text, suffixes, host_new(h, most, sizeof(unsigned)));
    add_children(&t, text);
    add_links(&t, host_new(h, (size_t)suffixes, sizeof(unsigned)));
    return t;
}
