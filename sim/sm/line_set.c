#include "sim/sm/line_set.h"

#include "base/err.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_SIZE 256

/* Where it is, or would be. */
static uint32_t place_of(const struct line_set *s, addr_t key)
{
    uint32_t i = (uint32_t)(key * 0x9e3779b97f4a7c15ull >> 32) & s->mask;
    while (s->slot[i] && s->slot[i] != key)
        i = (i + 1) & s->mask;
    return i;
}

static void put(struct line_set *s, addr_t key)
{
    const uint32_t i = place_of(s, key);
    s->n += !s->slot[i];
    s->slot[i] = key;
}

static void grow(struct line_set *s)
{
    const struct line_set old = *s;
    const uint32_t size = old.slot ? (old.mask + 1) * 2 : FIRST_SIZE;
    *s = (struct line_set){.slot = xcalloc(size, sizeof *s->slot), .mask = size - 1};
    if (old.slot)
        for (uint32_t i = 0; i <= old.mask; i++)
            if (old.slot[i])
                put(s, old.slot[i]);
    free(old.slot);
}

void line_set_add(struct line_set *s, addr_t line)
{
    if (!s->slot || s->n > s->mask / 2)
        grow(s);
    put(s, line + 1);
}

bool line_set_has(const struct line_set *s, addr_t line)
{
    return s->slot && s->slot[place_of(s, line + 1)];
}

void line_set_clear(struct line_set *s)
{
    if (s->slot && s->n)
        memset(s->slot, 0, (s->mask + 1) * sizeof *s->slot);
    s->n = 0;
}

void line_set_fini(struct line_set *s)
{
    free(s->slot);
    *s = (struct line_set){0};
}
