/* sim/ptx/arena.h -- memory that lives as long as a module: pieces are never freed one by one. */
#ifndef MDP_SIM_PTX_ARENA_H
#define MDP_SIM_PTX_ARENA_H

#include <stddef.h>

struct arena {
    struct arena_chunk *chunk; /* owned; newest first */
    size_t used;
};

void *arena_alloc(struct arena *a, size_t bytes); /* zeroed, aligned to 16 */
char *arena_strndup(struct arena *a, const char *s, size_t len);
void arena_free(struct arena *a);

#endif
