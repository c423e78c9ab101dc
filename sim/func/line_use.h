/* sim/func/line_use.h -- which launches used each line of an allocation last: what a cache that
 * they left can hold. Launches have the numbers of devmem_usage_end(), the first is 1; of a line
 * the last two that used it are kept, so that it is known after a launch what was there before it.
 */
#ifndef MDP_SIM_FUNC_LINE_USE_H
#define MDP_SIM_FUNC_LINE_USE_H

#include "base/types.h"

struct line_use {
    int owners; /* copies of the memory share it */
    int line_log2;
    addr_t first; /* number of its first line: an address / the line's bytes */
    uint32_t now; /* the launch that runs */
    struct lately {
        uint32_t last, before; /* 0: none */
    } all, line[];             /* all: launches of which nobody says which lines they used */
};

/* Lines of 2^line_log2 bytes that hold `bytes` from `base` on. */
struct line_use *line_use_new(addr_t base, uint64_t bytes, int line_log2);
struct line_use *line_use_share(struct line_use *u); /* by several threads; NULL stays so */
void line_use_free(struct line_use *u);              /* by its last owner; NULL is fine */
/* The launch that used line i last of those up to `launch`; 0: none has. Where two later ones have
 * used it, it counts as used by `launch`. */
uint32_t line_use_until(const struct line_use *u, uint64_t i, uint32_t launch);

static inline void line_use_now(struct lately *l, uint32_t now)
{
    if (l->last != now) {
        l->before = l->last;
        l->last = now;
    }
}

static inline void line_use_mark(struct line_use *u, addr_t at)
{
    line_use_now(&u->line[(at >> u->line_log2) - u->first], u->now);
}

#endif
