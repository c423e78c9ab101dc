/* sim/mem/tags.h -- set-associative tag array with LRU replacement.
 * A line is invalid, reserved (allocated, its data on the way; never replaced), valid or modified.
 * Invariant: at most one way of a set holds a line. The victim is an invalid way if there is one,
 * else the unreserved way used longest ago. Ways are named by their index in the whole array. */
#ifndef MDP_SIM_MEM_TAGS_H
#define MDP_SIM_MEM_TAGS_H

#include "base/types.h"

enum tag_state { TAG_INVALID, TAG_RESERVED, TAG_VALID, TAG_MODIFIED };
enum tag_result {
    TAG_HIT,          /* present; way is set */
    TAG_HIT_RESERVED, /* on its way; way is set */
    TAG_MISS,         /* way is the victim to use */
    TAG_FAIL          /* miss, and every way of the set is reserved */
};

struct tags {
    uint64_t *key; /* owned: line address | enum tag_state; lines are at least 32 bytes */
    cycle_t *used; /* owned: last use */
    uint32_t sets, ways;
    int line_log2;
};

void tags_init(struct tags *t, uint32_t size, uint32_t line, uint32_t ways);
void tags_fini(struct tags *t);
/* set: an address whose line number picks the set (L2 slices use the address inside the partition,
 * so that its bits are all used). Changes nothing. */
enum tag_result tags_probe(const struct tags *t, addr_t set, addr_t line, uint32_t *way);

static inline addr_t tags_line(const struct tags *t, addr_t a)
{
    return a >> t->line_log2 << t->line_log2;
}

static inline enum tag_state tags_state(const struct tags *t, uint32_t way)
{
    return (enum tag_state)(t->key[way] & 3);
}

static inline void tags_touch(struct tags *t, uint32_t way, cycle_t now)
{
    t->used[way] = now;
}

static inline void tags_set_state(struct tags *t, uint32_t way, enum tag_state s)
{
    t->key[way] = (t->key[way] & ~3ull) | s;
}

/* Puts a line into a way that tags_probe named; key is its address | its state. True: the line that
 * was there is modified and has to be written back; *victim is its address. */
bool tags_replace(struct tags *t, uint32_t way, uint64_t key, cycle_t now, addr_t *victim);
void tags_flush(struct tags *t); /* invalidates what is not reserved */
/* The same lines, used in the same order before cycle 0; what is reserved there is invalid here. */
void tags_copy(struct tags *to, const struct tags *from);

#endif
