/* sim/frontend/elem.h -- the element types of launch files: what a scalar argument, a generated
 * buffer or a check is made of. Values travel as the widest of their kind and are stored, in the
 * device's byte order (little-endian), at their own width. */
#ifndef MDP_SIM_FRONTEND_ELEM_H
#define MDP_SIM_FRONTEND_ELEM_H

#include "base/cfg_file.h"

enum elem_kind { ELEM_SIGNED, ELEM_UNSIGNED, ELEM_FLOAT };

/* name, C type, kind */
#define ELEMS(X)               \
    X(u8, uint8_t, UNSIGNED)   \
    X(s8, int8_t, SIGNED)      \
    X(u16, uint16_t, UNSIGNED) \
    X(s16, int16_t, SIGNED)    \
    X(u32, uint32_t, UNSIGNED) \
    X(s32, int32_t, SIGNED)    \
    X(u64, uint64_t, UNSIGNED) \
    X(s64, int64_t, SIGNED)    \
    X(f32, float, FLOAT)       \
    X(f64, double, FLOAT)

enum elem {
#define X(name, ctype, kind) ELEM_##name,
    ELEMS(X)
#undef X
        ELEM_COUNT
};
#define ELEM_NAMES "u8 s8 u16 s16 u32 s32 u64 s64 f32 f64"

union elem_value { /* the member that the type's kind says */
    int64_t s;
    uint64_t u;
    double f;
};

bool elem_find(const char *name, enum elem *out);
const char *elem_name(enum elem t);
size_t elem_bytes(enum elem t);
enum elem_kind elem_kind(enum elem t);

/* A setting's value; an error when it is of another kind or does not fit the type. */
bool elem_read(const struct cfg_node *n, enum elem t, union elem_value *v, struct err *e);
void elem_store(enum elem t, union elem_value v, void *dst);
union elem_value elem_load(enum elem t, const void *src);
/* Does this integer fit? Any does in a float. */
bool elem_holds(enum elem t, __int128 v);
union elem_value elem_from_int(enum elem t, __int128 v);

#define ELEM_TEXT 40
/* Enough digits to read back the same. Returns buf. */
const char *elem_text(enum elem t, union elem_value v, char buf[ELEM_TEXT]);

#endif
