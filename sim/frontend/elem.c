#include "sim/frontend/elem.h"

#include <float.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    size_t bytes;
    enum elem_kind kind;
} info[] = {
#define X(name, ctype, kind) [ELEM_##name] = {#name, sizeof(ctype), ELEM_##kind},
    ELEMS(X)
#undef X
};

bool elem_find(const char *name, enum elem *out)
{
    for (int t = 0; t < ELEM_COUNT; t++)
        if (!strcmp(info[t].name, name)) {
            *out = (enum elem)t;
            return true;
        }
    return false;
}

const char *elem_name(enum elem t)
{
    return info[t].name;
}

size_t elem_bytes(enum elem t)
{
    return info[t].bytes;
}

enum elem_kind elem_kind(enum elem t)
{
    return info[t].kind;
}

static int64_t lowest(enum elem t)
{
    return info[t].kind == ELEM_UNSIGNED ? 0 : (int64_t)(UINT64_MAX << (info[t].bytes * 8 - 1));
}

static uint64_t highest(enum elem t)
{
    return UINT64_MAX >> (64 - info[t].bytes * 8 + (info[t].kind == ELEM_SIGNED));
}

bool elem_read(const struct cfg_node *n, enum elem t, union elem_value *v, struct err *e)
{
    if (t == ELEM_u64)
        return cfg_u64(n, &v->u, e);
    if (info[t].kind != ELEM_FLOAT)
        return cfg_int(n, lowest(t), (int64_t)highest(t), &v->s, e);
    double hi = t == ELEM_f64 ? DBL_MAX : (double)FLT_MAX;
    return cfg_real(n, -hi, hi, &v->f, e);
}

void elem_store(enum elem t, union elem_value v, void *dst)
{
    switch (t) {
#define SIGNED_MEMBER   s
#define UNSIGNED_MEMBER u
#define FLOAT_MEMBER    f
#define X(name, ctype, kind)                   \
    case ELEM_##name: {                        \
        ctype narrow = (ctype)v.kind##_MEMBER; \
        memcpy(dst, &narrow, sizeof narrow);   \
        break;                                 \
    }
        ELEMS(X)
#undef X
    case ELEM_COUNT:
        break;
    }
}

union elem_value elem_load(enum elem t, const void *src)
{
    union elem_value v = {.u = 0};
    switch (t) {
#define X(name, ctype, kind)                 \
    case ELEM_##name: {                      \
        ctype narrow;                        \
        memcpy(&narrow, src, sizeof narrow); \
        v.kind##_MEMBER = narrow;            \
        break;                               \
    }
        ELEMS(X)
#undef X
    case ELEM_COUNT:
        break;
    }
    return v;
}

bool elem_holds(enum elem t, __int128 v)
{
    return info[t].kind == ELEM_FLOAT || (v >= lowest(t) && v <= (__int128)highest(t));
}

union elem_value elem_from_int(enum elem t, __int128 v)
{
    switch (info[t].kind) {
    case ELEM_SIGNED:
        return (union elem_value){.s = (int64_t)v};
    case ELEM_UNSIGNED:
        return (union elem_value){.u = (uint64_t)v};
    default:
        return (union elem_value){.f = (double)v};
    }
}

const char *elem_text(enum elem t, union elem_value v, char buf[ELEM_TEXT])
{
    if (info[t].kind == ELEM_SIGNED)
        snprintf(buf, ELEM_TEXT, "%" PRId64, v.s);
    else if (info[t].kind == ELEM_UNSIGNED)
        snprintf(buf, ELEM_TEXT, "%" PRIu64, v.u);
    else
        snprintf(buf, ELEM_TEXT, "%.*g", t == ELEM_f64 ? 17 : 9, v.f);
    return buf;
}
