#include "sim/sm/shared_banks.h"

#define MAX_BANKS 64
#define MAX_WORDS (WARP_SIZE * 8) /* 32 bytes a lane */

struct words { /* words seen, chained per bank */
    uint8_t count[MAX_BANKS];
    int16_t first[MAX_BANKS];
    int16_t next[MAX_WORDS];
    addr_t word[MAX_WORDS];
    int n, most;
};

static void see(struct words *s, addr_t word, int bank)
{
    for (int i = s->first[bank]; i >= 0; i = s->next[i])
        if (s->word[i] == word)
            return;
    s->word[s->n] = word;
    s->next[s->n] = s->first[bank];
    s->first[bank] = (int16_t)s->n++;
    if (++s->count[bank] > s->most)
        s->most = s->count[bank];
}

/* Banks are a power of two on every GPU so far: a division costs more than all the rest. */
static int bank_of(addr_t word, int banks)
{
    const addr_t n = (addr_t)banks;
    return (int)(n & (n - 1) ? word % n : word & (n - 1));
}

/* Most accesses lie close together: in as many words as there are banks, each has its own. */
static bool within_one_row(const addr_t *offset, lanes_t active, int bytes, int banks)
{
    addr_t low = UINT64_MAX, high = 0;
    for (; active; active &= active - 1) {
        const addr_t a = offset[__builtin_ctz(active)];
        low = a < low ? a : low;
        high = a > high ? a : high;
    }
    return (high + (addr_t)bytes - 1) / 4 - low / 4 < (addr_t)banks;
}

/* The usual case: no bank is asked for two words. */
static bool conflict_free(const addr_t *offset, lanes_t active, int bytes, int banks)
{
    addr_t word[MAX_BANKS]; /* valid where `seen` has the bank */
    uint64_t seen = 0;
    for (; active; active &= active - 1) {
        const addr_t a = offset[__builtin_ctz(active)];
        for (addr_t w = a / 4; w <= (a + (addr_t)bytes - 1) / 4; w++) {
            const int bank = bank_of(w, banks);
            if (seen >> bank & 1 && word[bank] != w)
                return false;
            seen |= 1ull << bank;
            word[bank] = w;
        }
    }
    return true;
}

static int part_cycles(const addr_t *offset, lanes_t active, int bytes, int banks)
{
    if (!active)
        return 0;
    if (within_one_row(offset, active, bytes, banks) || conflict_free(offset, active, bytes, banks))
        return 1;
    struct words s;
    s.n = s.most = 0;
    for (int b = 0; b < banks; b++) {
        s.count[b] = 0;
        s.first[b] = -1;
    }
    for (; active; active &= active - 1) {
        const addr_t a = offset[__builtin_ctz(active)];
        for (addr_t w = a / 4; w <= (a + (addr_t)bytes - 1) / 4; w++)
            see(&s, w, bank_of(w, banks));
    }
    return s.most;
}

static int part_turns(const addr_t *offset, lanes_t active, int bytes, int banks)
{
    int count[MAX_BANKS] = {0}, most = 0;
    for (; active; active &= active - 1) {
        const addr_t a = offset[__builtin_ctz(active)];
        for (addr_t w = a / 4; w <= (a + (addr_t)bytes - 1) / 4; w++) {
            const int n = ++count[bank_of(w, banks)];
            most = n > most ? n : most;
        }
    }
    return most;
}

struct layout {
    int banks, parts;
};

typedef int part_fn(const addr_t *offset, lanes_t active, int bytes, int banks);

static int by_parts(part_fn *part, const addr_t *offset, lanes_t active, int bytes,
                    struct layout how)
{
    const lanes_t low = how.parts == 2 ? 0xffffu : LANES_ALL;
    int cycles = part(offset, active & low, bytes, how.banks);
    if (how.parts == 2)
        cycles += part(offset, active & ~low, bytes, how.banks);
    return cycles ? cycles : 1;
}

int shared_cycles(const addr_t *offset, lanes_t active, int bytes, int banks, int parts)
{
    return by_parts(part_cycles, offset, active, bytes, (struct layout){banks, parts});
}

int shared_atomic_cycles(const addr_t *offset, lanes_t active, int bytes, int banks, int parts)
{
    return by_parts(part_turns, offset, active, bytes, (struct layout){banks, parts});
}
