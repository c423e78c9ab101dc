/* sim/func/tex_table.h -- what the handles of texture objects, surface objects and samplers stand
 * for.
 *
 * Handles lie above every device address. A smaller number is the address of a texture, surface or
 * sampler reference: a variable of 8 bytes that holds the handle, 0 as long as it is not bound. */
#ifndef MDP_SIM_FUNC_TEX_TABLE_H
#define MDP_SIM_FUNC_TEX_TABLE_H

#include "sim/func/texture.h"

#define TEX_HANDLE_BASE (1ull << 48)

enum tex_kind { TEX_KIND_TEXTURE, TEX_KIND_SURFACE, TEX_KIND_SAMPLER };
struct textures; /* opaque: all of a context */
struct textures *textures_new(void);
/* The same handles for the same; what is done to t later does nothing to it. NULL of NULL. */
struct textures *textures_copy(const struct textures *t);
void textures_free(struct textures *t); /* NULL is fine */
uint64_t textures_add(struct textures *t, enum tex_kind kind, const struct texture *what);
bool textures_set(struct textures *t, uint64_t handle, const struct texture *what);
bool textures_remove(struct textures *t, enum tex_kind kind, uint64_t handle);
/* NULL: no such object. t may be NULL. A handle is never given out twice. */
const struct texture *textures_find(const struct textures *t, enum tex_kind kind, uint64_t handle);
uint64_t textures_changes(const struct textures *t); /* so far */

#endif
