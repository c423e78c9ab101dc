/* Launch files: reads or generates the bytes of a source. */
#include "base/file.h"
#include "base/rng.h"
#include "base/zstd_file.h"
#include "sim/frontend/launch_impl.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool wrong_size(const struct source *s, const char *path, uint64_t found, uint64_t bytes,
                       struct err *e)
{
    return cfg_err(s->at, e, "%s has %llu bytes, the buffer %llu", path, (unsigned long long)found,
                   (unsigned long long)bytes);
}

/* What a compressed file holds is known once it is read. */
static bool load_regular(struct source *s, const char *path, uint64_t size, uint64_t bytes,
                         bool exact, struct err *e)
{
    const bool packed = zstd_file_named(path);
    struct err why;
    if (!packed && size > bytes)
        return wrong_size(s, path, size, bytes, e);
    char *(*const read)(const char *, size_t, size_t *, struct err *) =
        packed ? zstd_file_read : file_read;
    s->data = (uint8_t *)read(path, (size_t)bytes, &s->len, &why);
    if (!s->data)
        return cfg_err(s->at, e, "%s", why.msg);
    return !exact || s->len == bytes || wrong_size(s, path, s->len, bytes, e);
}

/* Only regular files: a pipe could hang, a device has no end. */
static bool load_file(struct source *s, const char *launch_path, uint64_t bytes, bool exact,
                      struct err *e)
{
    char *path = file_beside(launch_path, s->file);
    struct stat st;
    bool ok = false;
    if (stat(path, &st) != 0)
        cfg_err(s->at, e, "%s: %s", path, strerror(errno));
    else if (!S_ISREG(st.st_mode))
        cfg_err(s->at, e, "%s: not a regular file", path);
    else
        ok = load_regular(s, path, (uint64_t)st.st_size, bytes, exact, e);
    free(path);
    return ok;
}

static union elem_value random_value(const struct source *s, struct rng *r)
{
    union elem_value v = s->a;
    if (elem_kind(s->type) != ELEM_FLOAT) {
        uint64_t span = s->b.u - s->a.u; /* two's complement: right for signed types too */
        if (span)
            v.u += rng_below(r, span);
        return v;
    }
    double u = rng_unit(r);
    v.f = s->a.f * (1 - u) + s->b.f * u;
    uint8_t narrow[8]; /* rounding to the type must not reach hi */
    elem_store(s->type, v, narrow);
    if (elem_load(s->type, narrow).f >= s->b.f)
        v = s->a;
    return v;
}

static union elem_value iota_value(const struct source *s, uint64_t i)
{
    union elem_value v;
    if (elem_kind(s->type) == ELEM_FLOAT)
        v.f = s->a.f + (double)i * s->b.f;
    else
        v.u = s->a.u + i * s->b.u;
    return v;
}

static void generate(struct source *s, uint64_t bytes)
{
    size_t width = elem_bytes(s->type);
    uint64_t n = bytes / width;
    struct rng r = rng_seed(s->seed);
    s->len = bytes;
    s->data = xmalloc(bytes);
    for (uint64_t i = 0; i < n; i++) {
        union elem_value v;
        switch (s->kind) {
        case SRC_FILL:
            v = s->a;
            break;
        case SRC_RANDOM:
            v = random_value(s, &r);
            break;
        case SRC_IOTA:
            v = iota_value(s, i);
            break;
        default:
            v = elem_from_int(s->type, i);
            break;
        }
        elem_store(s->type, v, s->data + i * width);
    }
    if (s->kind == SRC_PERMUTATION)
        rng_shuffle(&r, s->data, n, width);
}

bool source_load(struct source *s, const char *launch_path, uint64_t bytes, bool exact,
                 struct err *e)
{
    if (s->kind == SRC_FILE)
        return load_file(s, launch_path, bytes, exact, e);
    if (s->kind != SRC_ZERO && s->kind != SRC_VALUES)
        generate(s, bytes);
    return true;
}
