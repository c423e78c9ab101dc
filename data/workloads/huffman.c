#include "data/workloads/huffman.h"

#define NODES (2 * HUFFMAN_SYMBOLS)

struct tree {
    uint64_t weight[NODES];
    int parent[NODES], nodes; /* parent 0: none yet; node 0 is not used */
};

/* The lightest node without a parent, the first of those; 0: there is none but `but`. */
static int lightest(const struct tree *t, int but)
{
    int best = 0;
    for (int i = 1; i < t->nodes; i++)
        if (i != but && !t->parent[i] && (!best || t->weight[i] < t->weight[best]))
            best = i;
    return best;
}

static void set_lengths(struct huffman *h, const uint32_t count[HUFFMAN_SYMBOLS])
{
    struct tree t = {.nodes = 1};
    int symbol[HUFFMAN_SYMBOLS] = {0}, symbols = 0;
    for (int s = 0; s < HUFFMAN_SYMBOLS; s++)
        if (count[s]) {
            symbol[symbols++] = s;
            t.weight[t.nodes++] = count[s];
        }
    for (int i = 1; i < symbols; i++) {
        int a = lightest(&t, 0), b = lightest(&t, a);
        t.weight[t.nodes] = t.weight[a] + t.weight[b];
        t.parent[a] = t.parent[b] = t.nodes++;
    }
    for (int i = 0; i < symbols; i++) {
        int length = symbols == 1; /* one symbol has a bit, too */
        for (int node = i + 1; t.parent[node]; node = t.parent[node])
            length++;
        h->length[symbol[i]] = (uint8_t)length;
    }
}

void huffman_make(struct huffman *h, const uint32_t count[HUFFMAN_SYMBOLS])
{
    *h = (struct huffman){0};
    set_lengths(h, count);
    uint32_t code = 0;
    int sorted = 0;
    for (int length = 1; length <= HUFFMAN_LONGEST; length++) {
        h->first[length] = code;
        h->at[length] = sorted;
        for (int s = 0; s < HUFFMAN_SYMBOLS; s++)
            if (h->length[s] == length) {
                h->code[s] = code++;
                h->sorted[sorted++] = (uint8_t)s;
            }
        h->codes[length] = sorted - h->at[length];
        code <<= 1;
    }
}

void bits_put(struct bits *b, uint32_t value, int n)
{
    for (int i = n - 1; i >= 0; i--, b->n++)
        b->byte[b->n / 8] |= (uint8_t)((value >> i & 1) << (7 - b->n % 8));
}

uint32_t bits_get(struct bits *b, int n)
{
    uint32_t value = 0;
    for (int i = 0; i < n; i++, b->n++)
        value = value << 1 | (b->byte[b->n / 8] >> (7 - b->n % 8) & 1);
    return value;
}

void huffman_put(const struct huffman *h, struct bits *to, int symbol)
{
    bits_put(to, h->code[symbol], h->length[symbol]);
}

int huffman_get(const struct huffman *h, struct bits *from)
{
    uint32_t code = 0;
    for (int length = 1; length <= HUFFMAN_LONGEST; length++) {
        code = code << 1 | bits_get(from, 1);
        if (code - h->first[length] < (uint32_t)h->codes[length])
            return h->sorted[h->at[length] + (int)(code - h->first[length])];
    }
    return -1;
}
