#include "sim/mem/tags.h"

#include "base/err.h"

#include <stdlib.h>

void tags_init(struct tags *t, uint32_t size, uint32_t line, uint32_t ways)
{
    const uint32_t lines = size / line;
    *t = (struct tags){
        .key = xcalloc(lines, sizeof *t->key),
        .used = xcalloc(lines, sizeof *t->used),
        .sets = lines / ways,
        .ways = ways,
        .line_log2 = __builtin_ctz(line),
    };
}

void tags_fini(struct tags *t)
{
    free(t->key);
    free(t->used);
}

enum tag_result tags_probe(const struct tags *t, addr_t set, addr_t line, uint32_t *way)
{
    const uint32_t first = (uint32_t)(set >> t->line_log2 & (t->sets - 1)) * t->ways;
    const uint32_t end = first + t->ways;
    for (uint32_t w = first; w < end; w++)
        if ((t->key[w] & ~3ull) == line && (t->key[w] & 3) != TAG_INVALID) {
            *way = w;
            return (t->key[w] & 3) == TAG_RESERVED ? TAG_HIT_RESERVED : TAG_HIT;
        }
    cycle_t oldest = CYCLE_NEVER;
    uint32_t victim = UINT32_MAX;
    for (uint32_t w = end; w-- > first;) {
        const enum tag_state s = tags_state(t, w);
        if (s == TAG_INVALID) {
            *way = w;
            return TAG_MISS;
        }
        /* ties go to the first way, as in GPGPU-Sim's forward scan */
        if (s != TAG_RESERVED && t->used[w] <= oldest) {
            oldest = t->used[w];
            victim = w;
        }
    }
    *way = victim;
    return victim == UINT32_MAX ? TAG_FAIL : TAG_MISS;
}

bool tags_replace(struct tags *t, uint32_t way, uint64_t key, cycle_t now, addr_t *victim)
{
    const bool dirty = tags_state(t, way) == TAG_MODIFIED;
    if (dirty)
        *victim = t->key[way] & ~3ull;
    t->key[way] = key;
    t->used[way] = now;
    return dirty;
}

void tags_flush(struct tags *t)
{
    for (uint32_t w = 0; w < t->sets * t->ways; w++)
        if (tags_state(t, w) != TAG_RESERVED)
            t->key[w] = TAG_INVALID;
}

static cycle_t used_before(const struct tags *t, uint32_t first, uint32_t way)
{
    cycle_t before = 0;
    for (uint32_t w = first; w < first + t->ways; w++)
        before += t->used[w] < t->used[way];
    return before;
}

void tags_copy(struct tags *to, const struct tags *from)
{
    BUG_ON(to->sets != from->sets || to->ways != from->ways, "caches of two shapes");
    for (uint32_t w = 0; w < from->sets * from->ways; w++) {
        to->key[w] = tags_state(from, w) == TAG_RESERVED ? TAG_INVALID : from->key[w];
        to->used[w] = used_before(from, w / from->ways * from->ways, w);
    }
}
