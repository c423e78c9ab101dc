#include "sim/sm/trace_file.h"

#include "base/out_path.h"
#include "base/pack.h"
#include "sim/sm/trace_code.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Bytes ---- */
static bool wrong(const struct trace_file *f, uint64_t at, const char *what, struct err *e)
{
    return err_set(e, "%s: offset %" PRIu64 ": %s", f->path, at, what);
}

static bool read_at(const struct trace_file *f, uint64_t at, uint8_t *out, size_t n, struct err *e)
{
    if (at > f->bytes || n > f->bytes - at)
        return wrong(f, at, "the file ends too early", e);
    if (f->fd < 0) {
        memcpy(out, f->data + at, n);
        return true;
    }
    for (size_t done = 0; done < n;) {
        const ssize_t got = pread(f->fd, out + done, n - done, (off_t)(at + done));
        if (got < 0 && errno != EINTR)
            return err_set(e, "%s: %s", f->path, strerror(errno));
        if (got == 0)
            return wrong(f, at + done, "the file ends too early", e);
        done += got > 0 ? (size_t)got : 0;
    }
    return true;
}

static bool part_fits(const struct trace_file *f, uint64_t at, uint64_t packed, uint64_t bytes)
{
    return at >= TRACE_HEADER && at <= f->bytes && packed && packed <= f->bytes - at && bytes &&
           bytes <= PACK_MOST(packed);
}

bool trace_file_read(const struct trace_file *f, const struct trace_part *part, uint8_t *out,
                     struct err *e)
{
    uint8_t *packed = xmalloc(part->packed);
    bool ok = read_at(f, part->at, packed, part->packed, e);
    if (ok && !unpack(packed, part->packed, out, part->bytes))
        ok = wrong(f, part->at, "what is packed there is damaged", e);
    free(packed);
    return ok;
}

/* ---- The table ---- */
struct table {
    struct trace_file *f;
    struct trace_cursor c;
};

static bool bad_table(const struct table *t, const char *what, struct err *e)
{
    return err_set(e, "%s: byte %zu of its table: %s", t->f->path, (size_t)(t->c.at - t->f->table),
                   what);
}

/* A count of things that take `least` bytes each. */
static bool get_count(struct table *t, size_t least, const char *what, int *n, struct err *e)
{
    uint64_t v;
    const uint64_t room = (uint64_t)(t->c.end - t->c.at) / least;
    if (!trace_get_uint(&t->c, &v) || v > room || v > INT32_MAX)
        return bad_table(t, what, e);
    *n = (int)v;
    return true;
}

static bool get_text(struct table *t, const char **text, size_t *len, struct err *e)
{
    uint64_t n;
    if (!trace_get_uint(&t->c, &n) || n > (uint64_t)(t->c.end - t->c.at))
        return bad_table(t, "a text is longer than the table", e);
    *text = (const char *)t->c.at;
    *len = (size_t)n;
    t->c.at += n;
    return true;
}

static bool get_int(struct table *t, uint64_t lo, uint64_t hi, int *out, struct err *e)
{
    uint64_t v;
    if (!trace_get_uint(&t->c, &v) || v < lo || v > hi)
        return bad_table(t, "a number of a launch is out of range", e);
    *out = (int)v;
    return true;
}

static bool get_texts(struct table *t, struct err *e)
{
    struct trace_file *f = t->f;
    int n;
    if (!get_count(t, 2, "too many texts", &n, e))
        return false;
    f->text = xcalloc((size_t)n + 1, sizeof *f->text);
    for (; f->texts < n; f->texts++) {
        struct trace_text *x = &f->text[f->texts];
        if (!get_text(t, &x->name, &x->name_len, e) || !get_text(t, &x->ptx, &x->ptx_len, e))
            return false;
    }
    return true;
}

static bool get_kernels(struct table *t, struct err *e)
{
    struct trace_file *f = t->f;
    int n;
    if (!get_count(t, 2, "too many kernels", &n, e))
        return false;
    f->kernel = xcalloc((size_t)n + 1, sizeof *f->kernel);
    for (; f->kernels < n; f->kernels++) {
        struct trace_kernel *k = &f->kernel[f->kernels];
        uint64_t text;
        const char *name;
        size_t len;
        if (!trace_get_below(&t->c, (uint64_t)f->texts, &text))
            return bad_table(t, "a kernel of no text", e);
        if (!get_text(t, &name, &len, e))
            return false;
        k->text = (int)text;
        k->name = strndup(name, len);
    }
    return true;
}

static bool get_shape(struct table *t, struct trace_launch *l, struct err *e)
{
    static const uint64_t grid[3] = {INT32_MAX, 65535, 65535}, block[3] = {1024, 1024, 64};
    int shared, params;
    uint64_t kernel;
    if (!trace_get_below(&t->c, (uint64_t)t->f->kernels, &kernel))
        return bad_table(t, "a launch of no kernel", e);
    l->kernel = (int)kernel;
    for (int d = 0; d < 3; d++)
        if (!get_int(t, 1, grid[d], &l->grid[d], e))
            return false;
    for (int d = 0; d < 3; d++)
        if (!get_int(t, 1, block[d], &l->block[d], e))
            return false;
    if (l->block[0] * l->block[1] * l->block[2] > 1024)
        return bad_table(t, "a CTA of more than 1024 threads", e);
    if (!get_int(t, 0, 1u << 24, &shared, e) || !get_int(t, 0, 1u << 16, &l->regs, e) ||
        !get_int(t, 0, 1u << 20, &params, e))
        return false;
    l->dyn_shared = (uint32_t)shared;
    l->param_bytes = (uint32_t)params;
    l->ctas = (uint64_t)l->grid[0] * (uint64_t)l->grid[1] * (uint64_t)l->grid[2];
    return true;
}

static bool get_launch(struct table *t, struct trace_launch *l, struct err *e)
{
    uint64_t at = TRACE_HEADER, packed, bytes;
    int64_t by;
    if (!get_shape(t, l, e))
        return false;
    if (l->ctas > (uint64_t)(t->c.end - t->c.at) / 3)
        return bad_table(t, "a launch of more CTAs than the table has", e);
    l->cta = xcalloc(l->ctas + 1, sizeof *l->cta);
    for (uint64_t i = 0; i < l->ctas; i++) {
        if (!trace_get_int(&t->c, &by) || !trace_get_uint(&t->c, &packed) ||
            !trace_get_uint(&t->c, &bytes))
            return bad_table(t, "it ends within a CTA's place", e);
        at += (uint64_t)by;
        if (packed > UINT32_MAX || bytes > TRACE_CTA_MOST || !part_fits(t->f, at, packed, bytes))
            return bad_table(t, "a CTA lies outside of the file", e);
        l->cta[i] = (struct trace_part){at, (uint32_t)packed, (uint32_t)bytes};
        at += packed;
    }
    return true;
}

static bool get_launches(struct table *t, struct err *e)
{
    struct trace_file *f = t->f;
    int n;
    if (!get_count(t, 10, "too many launches", &n, e))
        return false;
    f->launch = xcalloc((size_t)n + 1, sizeof *f->launch);
    for (; f->launches < n; f->launches++) {
        struct trace_launch *l = &f->launch[f->launches];
        l->file = f;
        l->number = f->launches;
        if (!get_launch(t, l, e)) {
            free(l->cta);
            return false;
        }
    }
    return t->c.at == t->c.end || bad_table(t, "something follows the last launch", e);
}

/* ---- Opening ---- */
static bool read_header(struct trace_file *f, struct trace_part *table, struct err *e)
{
    uint8_t h[TRACE_HEADER];
    uint32_t version;
    uint64_t at, packed, bytes;
    if (!read_at(f, 0, h, sizeof h, e))
        return false;
    if (memcmp(h, TRACE_MAGIC, 8) != 0)
        return wrong(f, 0, "this is no trace", e);
    memcpy(&version, h + 8, sizeof version);
    memcpy(&at, h + 16, sizeof at);
    memcpy(&packed, h + 24, sizeof packed);
    memcpy(&bytes, h + 32, sizeof bytes);
    if (version != TRACE_VERSION)
        return err_set(e, "%s: offset 8: a trace of version %u; this program reads version %d",
                       f->path, version, TRACE_VERSION);
    if (packed > UINT32_MAX || bytes > TRACE_TABLE_MOST || !part_fits(f, at, packed, bytes))
        return wrong(f, 16, "the table lies outside of the file", e);
    *table = (struct trace_part){at, (uint32_t)packed, (uint32_t)bytes};
    return true;
}

/* Takes f. */
static struct trace_file *load(struct trace_file *f, struct err *e)
{
    struct trace_part table;
    bool ok = read_header(f, &table, e);
    if (ok) {
        f->table = xmalloc((size_t)table.bytes + 1);
        struct table t = {.f = f, .c = {f->table, f->table + table.bytes}};
        ok = trace_file_read(f, &table, f->table, e) && get_texts(&t, e) && get_kernels(&t, e) &&
             get_launches(&t, e);
    }
    if (ok)
        return f;
    trace_file_free(f);
    return NULL;
}

bool trace_file_is(const char *path)
{
    char magic[8];
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    const bool is = fd >= 0 && read(fd, magic, sizeof magic) == (ssize_t)sizeof magic &&
                    !memcmp(magic, TRACE_MAGIC, sizeof magic);
    if (fd >= 0)
        close(fd);
    return is;
}

struct trace_file *trace_file_open(const char *path, struct err *e)
{
    struct stat st;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &st) != 0) {
        err_set(e, "%s: %s", path, strerror(errno));
        if (fd >= 0)
            close(fd);
        return NULL;
    }
    out_path_spare(path);
    struct trace_file *f = xcalloc(1, sizeof *f);
    f->path = xstrdup(path);
    f->fd = fd;
    f->bytes = (uint64_t)st.st_size;
    return load(f, e);
}

struct trace_file *trace_file_from(const char *name, const uint8_t *data, size_t bytes,
                                   struct err *e)
{
    struct trace_file *f = xcalloc(1, sizeof *f);
    f->path = xstrdup(name);
    f->fd = -1;
    f->data = data;
    f->bytes = bytes;
    return load(f, e);
}

void trace_file_free(struct trace_file *f)
{
    if (!f)
        return;
    for (int i = 0; i < f->kernels; i++)
        free(f->kernel[i].name);
    for (int i = 0; i < f->launches; i++)
        free(f->launch[i].cta);
    if (f->fd >= 0)
        close(f->fd);
    free(f->text);
    free(f->kernel);
    free(f->launch);
    free(f->table);
    free(f->path);
    free(f);
}
