#include "sim/sm/coalesce.h"

#include "base/err.h"

#define PART 32 /* bytes: the smallest transaction */

int coalesce_segment(int bytes)
{
    return bytes == 1 ? 32 : bytes == 2 ? 64 : 128;
}

void coalesce_begin(struct coalescer *c, int segment)
{
    c->n = 0;
    c->segment = segment;
}

static int find(const struct coalescer *c, addr_t base)
{
    for (int i = c->n - 1; i >= 0; i--) /* neighbours come one after the other */
        if (c->base[i] == base)
            return i;
    return -1;
}

void coalesce_touch(struct coalescer *c, addr_t addr, int bytes)
{
    const addr_t mask = (addr_t)c->segment - 1, last = addr + (addr_t)bytes - 1;
    for (addr_t base = addr & ~mask; base <= last; base += (addr_t)c->segment) {
        int i = find(c, base);
        if (i < 0) {
            BUG_ON(c->n == COALESCE_MAX, "more than %d segments", COALESCE_MAX);
            i = c->n++;
            c->base[i] = base;
            c->part[i] = 0;
        }
        const int from = addr > base ? (int)((addr - base) / PART) : 0;
        const int to =
            last - base < (addr_t)c->segment ? (int)((last - base) / PART) : c->segment / PART - 1;
        for (int p = from; p <= to; p++)
            c->part[i] |= (uint8_t)(1u << p);
    }
}

/* Neighbouring lanes mostly stay in the segment of the lane before. */
void coalesce_lanes(struct coalescer *c, const addr_t *addr, lanes_t active, int bytes)
{
    const addr_t mask = (addr_t)c->segment - 1, more = (addr_t)bytes - 1;
    for (; active; active &= active - 1) {
        const addr_t a = addr[__builtin_ctz(active)], at = a & mask;
        if (c->n && c->base[c->n - 1] == a - at && at + more <= mask)
            c->part[c->n - 1] |= (uint8_t)((2u << (at + more) / PART) - (1u << at / PART));
        else
            coalesce_touch(c, a, bytes);
    }
}

/* Halves the segment as long as one half of it is untouched. */
static struct txn shrink(addr_t base, uint32_t bytes, uint32_t part)
{
    while (bytes > PART) {
        const uint32_t half = bytes / 2, low = (1u << half / PART) - 1;
        if (part & low && part & ~low)
            break;
        if (!(part & low)) {
            base += half;
            part >>= half / PART;
        }
        bytes = half;
    }
    return (struct txn){base, bytes};
}

/* Order of sending: highest address first; few elements and mostly sorted already. */
static void sort_down(struct txn *t, int n)
{
    for (int i = 1; i < n; i++) {
        const struct txn x = t[i];
        int j = i;
        for (; j > 0 && t[j - 1].addr < x.addr; j--)
            t[j] = t[j - 1];
        t[j] = x;
    }
}

int coalesce_end(struct coalescer *c, struct txn *out)
{
    for (int i = 0; i < c->n; i++) /* lanes mostly ascend: reversed is nearly sorted */
        out[c->n - 1 - i] = shrink(c->base[i], (uint32_t)c->segment, c->part[i]);
    sort_down(out, c->n);
    return c->n;
}

struct atomic_group { /* lanes of one segment that do not touch each other's bytes */
    addr_t base;
    uint8_t part;
    lanes_t lanes;
};

static bool conflicts(const struct atomic_group *g, const addr_t *addr, int lane, int bytes)
{
    for (lanes_t l = g->lanes; l; l &= l - 1) {
        const int other = __builtin_ctz(l);
        if (addr[lane] < addr[other] + (addr_t)bytes && addr[other] < addr[lane] + (addr_t)bytes)
            return true;
    }
    return false;
}

static int group_half(const addr_t *addr, lanes_t lanes, int bytes, int segment,
                      struct atomic_group *g)
{
    const addr_t mask = (addr_t)segment - 1;
    int n = 0;
    for (; lanes; lanes &= lanes - 1) {
        const int lane = __builtin_ctz(lanes);
        const addr_t base = addr[lane] & ~mask;
        int i = 0;
        while (i < n && (g[i].base != base || conflicts(&g[i], addr, lane, bytes)))
            i++;
        if (i == n)
            g[n++] = (struct atomic_group){.base = base};
        g[i].part |= (uint8_t)(1u << (addr[lane] - base) / PART);
        g[i].lanes |= 1u << lane;
    }
    return n;
}

/* Stable by address, so that conflicting groups of a segment keep their order. */
static void sort_groups(struct atomic_group *g, int n)
{
    for (int i = 1; i < n; i++) {
        const struct atomic_group x = g[i];
        int j = i;
        for (; j > 0 && g[j - 1].base > x.base; j--)
            g[j] = g[j - 1];
        g[j] = x;
    }
}

int coalesce_atomic(const addr_t *addr, lanes_t active, int bytes, int segment, struct txn *out)
{
    struct atomic_group g[WARP_SIZE];
    int n = 0;
    for (int half = 1; half >= 0; half--) { /* built in order, sent from the back */
        const int k = group_half(addr, active & (half ? 0xffff0000u : 0xffffu), bytes, segment, g);
        sort_groups(g, k);
        for (int i = k - 1; i >= 0; i--)
            out[n++] = shrink(g[i].base, (uint32_t)segment, g[i].part);
    }
    return n;
}

void line_list_add(struct line_list *l, const addr_t *addr, lanes_t active, int bytes)
{
    const addr_t mask = (addr_t)l->line - 1;
    for (; active; active &= active - 1) {
        const addr_t a = addr[__builtin_ctz(active)];
        for (addr_t base = a & ~mask; base < a + (addr_t)bytes; base += (addr_t)l->line) {
            int i = l->n - 1;
            while (i >= 0 && l->t[i].addr != base)
                i--;
            if (i < 0)
                l->t[l->n++] = (struct txn){base, (uint32_t)l->line};
        }
    }
}

int line_list_end(struct line_list *l)
{
    sort_down(l->t, l->n);
    return l->n;
}

int coalesce_lines(const addr_t *addr, lanes_t active, int bytes, struct txn *out, int line)
{
    struct line_list l = {.t = out, .line = line};
    line_list_add(&l, addr, active, bytes);
    return line_list_end(&l);
}
