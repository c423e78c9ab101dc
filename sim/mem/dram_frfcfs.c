/* dram_frfcfs.c -- first ready, first come first served (Rixner et al., ISCA 2000), as GPGPU-Sim's
 * "fast ideal" scheduler does it: the first free bank, round robin, that has requests gets the
 * oldest one of its open row, else of its oldest request's row; it then keeps to that row as long
 * as requests of the row wait, later arrivals included. Where these never end, as of CTAs that wait
 * for a word in a loop, other rows would wait for ever: so many requests may pass the oldest. */
#include "sim/mem/dram_sched.h"

/* The request in front of the bank's oldest one for the row that may be taken; false: none waits.
 */
static bool find_row(const struct dram_sched *s, int bank, uint32_t row, struct mem_req **prev)
{
    *prev = NULL;
    for (struct mem_req *r = s->head[bank]; r; *prev = r, r = r->next)
        if (r->row == row && dram_sched_may(s, r))
            return true;
    return false;
}

/* The row of the bank's oldest request that may be taken. */
static uint32_t oldest_row(const struct dram_sched *s, int bank)
{
    const struct mem_req *r = s->head[bank];
    while (!dram_sched_may(s, r))
        r = r->next;
    return r->row;
}

static struct mem_req *pick(struct dram_sched *s, uint64_t free, int first,
                            const uint32_t *open_row)
{
    const uint64_t able = s->waiting & free;
    if (!able)
        return NULL;
    const uint64_t from_first = able & ~0ull << first;
    const int b = __builtin_ctzll(from_first ? from_first : able);
    const uint64_t bit = 1ull << b;
    struct mem_req *prev;
    if (s->most_passes && s->passed[b] >= s->most_passes) {
        s->row[b] = oldest_row(s, b);
        s->sticky |= bit;
    } else if (!(s->sticky & bit)) {
        s->row[b] = find_row(s, b, open_row[b], &prev) ? open_row[b] : oldest_row(s, b);
        s->sticky |= bit;
    }
    if (!find_row(s, b, s->row[b], &prev)) {
        s->row[b] = oldest_row(s, b); /* what waits for the row has had its share */
        find_row(s, b, s->row[b], &prev);
    }
    struct mem_req *r = dram_sched_unlink(s, b, prev);
    s->passed[b] = prev ? s->passed[b] + 1 : 0;
    struct mem_req *more = prev ? prev->next : s->head[b];
    while (more && more->row != r->row)
        more = more->next;
    if (!more)
        s->sticky &= ~bit;
    return r;
}

const struct dram_sched_ops dram_sched_frfcfs = {
    .name = "frfcfs",
    .help = "open row first, then oldest first",
    .pick = pick,
};
