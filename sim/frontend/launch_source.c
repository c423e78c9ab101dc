/* Launch files: where the bytes of a buffer, or of a check's expectation, come from. */
#include "base/suggest.h"
#include "sim/frontend/launch_impl.h"

#include <stdlib.h>
#include <string.h>

bool keys_known(const struct cfg_node *n, const char *const *keys, struct err *e)
{
    for (int i = 0; i < cfg_len(n); i++) {
        const struct cfg_node *m = cfg_at(n, i);
        struct suggest s;
        suggest_init(&s, cfg_name(m));
        bool known = false;
        for (const char *const *k = keys; *k; k++) {
            known |= !strcmp(*k, cfg_name(m));
            suggest_offer(&s, *k);
        }
        char hint[256];
        if (!known)
            return cfg_err(m, e, "unknown setting `%s`%s", cfg_name(m),
                           suggest_text(&s, hint, sizeof hint));
    }
    return true;
}

bool elem_type_parse(const struct cfg_node *group, enum elem *type, struct err *e)
{
    const struct cfg_node *n = cfg_get(group, "type");
    if (!n)
        return true;
    const char *name;
    if (!cfg_str(n, &name, e))
        return false;
    return elem_find(name, type) ||
           cfg_err(n, e, "`type` = \"%s\" is not one of %s", name, ELEM_NAMES);
}

/* Settles the type: the group's own word, else the outer one, else `otherwise`. */
static bool settle_type(const struct cfg_node *n, enum elem otherwise, struct source *s,
                        struct err *e)
{
    if (cfg_kind(n) == CFG_GROUP && !elem_type_parse(n, &s->type, e))
        return false;
    if (s->type == ELEM_COUNT)
        s->type = otherwise;
    return true;
}

static bool parse_seed(const struct cfg_node *n, struct source *s, struct err *e)
{
    const struct cfg_node *seed = cfg_get(n, "seed");
    return !seed || cfg_u64(seed, &s->seed, e);
}

/* A member of a generator's group, as the source's type; absent: unchanged. */
static bool parse_value(const struct cfg_node *n, const char *key, const struct source *s,
                        union elem_value *v, struct err *e)
{
    const struct cfg_node *m = cfg_get(n, key);
    return !m || elem_read(m, s->type, v, e);
}

static bool parse_true(const struct cfg_node *n, struct err *e)
{
    bool on;
    if (!cfg_bool(n, &on, e))
        return false;
    return on || cfg_err(n, e, "`%s` can only be true", cfg_name(n));
}

static bool parse_zero(const struct cfg_node *n, struct source *s, struct err *e)
{
    (void)s;
    return parse_true(n, e);
}

static bool parse_file(const struct cfg_node *n, struct source *s, struct err *e)
{
    if (!cfg_str(n, &s->file, e))
        return false;
    return *s->file || cfg_err(n, e, "`file` is empty");
}

static bool parse_fill(const struct cfg_node *n, struct source *s, struct err *e)
{
    static const char *const keys[] = {"type", "value", NULL};
    const struct cfg_node *value = n;
    if (cfg_kind(n) == CFG_GROUP && (!keys_known(n, keys, e) || !cfg_need(n, "value", &value, e)))
        return false;
    return settle_type(n, cfg_kind(value) == CFG_REAL ? ELEM_f32 : ELEM_s32, s, e) &&
           elem_read(value, s->type, &s->a, e);
}

static bool less(enum elem t, union elem_value x, union elem_value y)
{
    enum elem_kind k = elem_kind(t);
    return k == ELEM_FLOAT ? x.f < y.f : k == ELEM_SIGNED ? x.s < y.s : x.u < y.u;
}

static bool parse_random(const struct cfg_node *n, struct source *s, struct err *e)
{
    static const char *const keys[] = {"type", "seed", "lo", "hi", NULL};
    if (!cfg_expect(n, CFG_GROUP, e) || !keys_known(n, keys, e) ||
        !settle_type(n, ELEM_f32, s, e) || !parse_seed(n, s, e))
        return false;
    const struct cfg_node *hi;
    if (elem_kind(s->type) != ELEM_FLOAT && !cfg_need(n, "hi", &hi, e))
        return false; /* 0..1 is a use only to floats */
    s->a = elem_from_int(s->type, 0);
    s->b = elem_from_int(s->type, 1);
    if (!parse_value(n, "lo", s, &s->a, e) || !parse_value(n, "hi", s, &s->b, e))
        return false;
    return !less(s->type, s->b, s->a) || cfg_err(n, e, "`lo` is greater than `hi`");
}

static bool parse_iota(const struct cfg_node *n, struct source *s, struct err *e)
{
    static const char *const keys[] = {"type", "start", "step", NULL};
    if (!settle_type(n, ELEM_s32, s, e))
        return false;
    s->a = elem_from_int(s->type, 0);
    s->b = elem_from_int(s->type, 1);
    switch (cfg_kind(n)) {
    case CFG_BOOL:
        return parse_true(n, e);
    case CFG_INT:
        return elem_read(n, s->type, &s->a, e);
    default:
        return cfg_expect(n, CFG_GROUP, e) && keys_known(n, keys, e) &&
               parse_value(n, "start", s, &s->a, e) && parse_value(n, "step", s, &s->b, e);
    }
}

static bool parse_permutation(const struct cfg_node *n, struct source *s, struct err *e)
{
    static const char *const keys[] = {"type", "seed", NULL};
    if (!settle_type(n, ELEM_s32, s, e))
        return false;
    switch (cfg_kind(n)) {
    case CFG_BOOL:
        return parse_true(n, e);
    case CFG_INT:
        return cfg_u64(n, &s->seed, e);
    default:
        return cfg_expect(n, CFG_GROUP, e) && keys_known(n, keys, e) && parse_seed(n, s, e);
    }
}

static bool parse_values(const struct cfg_node *n, struct source *s, struct err *e)
{
    if (cfg_kind(n) != CFG_LIST && !cfg_expect(n, CFG_ARRAY, e))
        return false;
    enum elem otherwise = ELEM_s32;
    for (int i = 0; i < cfg_len(n); i++)
        if (cfg_kind(cfg_at(n, i)) == CFG_REAL)
            otherwise = ELEM_f32;
    if (!settle_type(n, otherwise, s, e))
        return false;
    size_t width = elem_bytes(s->type);
    s->len = (size_t)cfg_len(n) * width;
    s->data = xmalloc(s->len);
    for (int i = 0; i < cfg_len(n); i++) {
        union elem_value v;
        if (!elem_read(cfg_at(n, i), s->type, &v, e))
            return false;
        elem_store(s->type, v, s->data + (size_t)i * width);
    }
    return true;
}

static const struct {
    const char *key;
    bool (*parse)(const struct cfg_node *n, struct source *s, struct err *e);
} sources[SRC_COUNT] = {
    [SRC_ZERO] = {"zero", parse_zero},       [SRC_FILE] = {"file", parse_file},
    [SRC_FILL] = {"fill", parse_fill},       [SRC_RANDOM] = {"random", parse_random},
    [SRC_IOTA] = {"iota", parse_iota},       [SRC_PERMUTATION] = {"permutation", parse_permutation},
    [SRC_VALUES] = {"values", parse_values},
};

/* The elements that a generator makes: they must fill the buffer, and an integer type must hold
 * the last of a sequence. */
static bool fits(const struct source *s, uint64_t bytes, struct err *e)
{
    const char *key = sources[s->kind].key;
    if (s->kind == SRC_ZERO || s->kind == SRC_FILE)
        return true;
    if (s->kind == SRC_VALUES)
        return s->len <= bytes || cfg_err(s->at, e, "`values` takes %zu bytes, the buffer has %llu",
                                          s->len, (unsigned long long)bytes);
    uint64_t width = elem_bytes(s->type), n = bytes / width;
    if (bytes % width)
        return cfg_err(s->at, e, "`%s`: %llu bytes are no whole number of %s elements", key,
                       (unsigned long long)bytes, elem_name(s->type));
    if (bytes > GENERATED_MAX)
        return cfg_err(s->at, e, "`%s`: at most %llu bytes are generated, use a file", key,
                       (unsigned long long)GENERATED_MAX);
    __int128 last = (__int128)n - 1;
    if (s->kind == SRC_IOTA && elem_kind(s->type) == ELEM_SIGNED)
        last = s->a.s + last * s->b.s;
    else if (s->kind == SRC_IOTA && elem_kind(s->type) == ELEM_UNSIGNED)
        last = s->a.u + last * s->b.u;
    else if (s->kind != SRC_PERMUTATION)
        return true;
    return elem_holds(s->type, last) ||
           cfg_err(s->at, e, "`%s`: the last element does not fit %s", key, elem_name(s->type));
}

bool source_parse(const struct cfg_node *n, uint64_t bytes, enum elem type, struct source *s,
                  struct err *e)
{
    const struct cfg_node *found = NULL;
    for (int k = 0; k < SRC_COUNT; k++) {
        const struct cfg_node *m = cfg_get(n, sources[k].key);
        if (m && found)
            return cfg_err(cfg_line(m) > cfg_line(found) ? m : found, e,
                           "both `%s` and `%s`: one of them is to be given", sources[s->kind].key,
                           sources[k].key);
        if (m) {
            found = m;
            s->kind = (enum source_kind)k;
        }
    }
    if (!found)
        return cfg_err(n, e,
                       "one of file, zero, fill, random, iota, permutation, values is missing");
    s->at = found;
    s->type = type;
    s->seed = 1;
    return sources[s->kind].parse(found, s, e) && fits(s, bytes, e);
}
