#include "sim/sm/trace_write.h"

#include "base/out_path.h"
#include "base/pack.h"
#include "sim/func/cta_cluster.h"
#include "sim/func/run.h"
#include "sim/sm/trace_code.h"
#include "sim/sm/trace_file.h"
#include "sim/sm/trace_record.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct known_kernel {
    uint64_t id; /* struct kernel's */
    int text;
    char *name; /* owned */
};

struct trace_writer {
    struct out_path to;
    char *tmp;                          /* owned: what is written */
    FILE *f;                            /* open while something is written */
    bool made;                          /* the file is there */
    uint64_t at;                        /* bytes written */
    struct trace_bytes texts, launches; /* of the table, but for the counts */
    struct known_kernel *kernel;        /* owned */
    uint64_t *text;                     /* owned: where each text lies in texts */
    int kernels, ntexts;
    struct trace_totals totals;
    /* of the launch that runs */
    struct trace_recorder recorder;
    struct trace_part *part; /* owned, by CTA */
    bool failed;             /* writing failed: errno */
    int error;
};

/* ---- The file ---- */
static bool not_written(const struct trace_writer *w, int error, struct err *e)
{
    return err_set(e, "%s: %s", w->to.given, strerror(error));
}

static void failed(struct trace_writer *w)
{
    w->failed = true;
    w->error = errno;
}

static void put(struct trace_writer *w, const void *data, size_t n)
{
    if (!w->failed && fwrite(data, 1, n, w->f) != n)
        failed(w);
    w->at += n;
}

static struct trace_part put_part(struct trace_writer *w, const struct trace_bytes *b)
{
    size_t len;
    uint8_t *packed = pack(b->at, b->n, &len);
    const struct trace_part p = {w->at, (uint32_t)len, (uint32_t)b->n};
    put(w, packed, len);
    free(packed);
    return p;
}

static void put_cta(void *user, uint64_t cta, const struct trace_bytes *part)
{
    struct trace_writer *w = user;
    w->part[cta] = put_part(w, part);
}

static void open_file(struct trace_writer *w, uint64_t at)
{
    w->f = fopen(w->tmp, w->made ? "r+b" : "wb");
    w->made |= w->f != NULL;
    if (!w->f || fseeko(w->f, (off_t)at, SEEK_SET) != 0)
        failed(w);
}

static void close_file(struct trace_writer *w)
{
    if (w->f && fclose(w->f) != 0 && !w->failed)
        failed(w);
    w->f = NULL;
}

struct trace_writer *trace_writer_new(const char *path, struct err *e)
{
    static const uint8_t none[TRACE_HEADER];
    struct trace_writer *w = xcalloc(1, sizeof *w);
    w->recorder.done = put_cta;
    w->recorder.user = w;
    if (!out_path_find(&w->to, path, e)) {
        trace_writer_close(w, false, e);
        return NULL;
    }
    w->tmp = out_path_temporary(&w->to);
    open_file(w, 0);
    put(w, none, sizeof none);
    close_file(w);
    if (!w->failed)
        return w;
    not_written(w, w->error, e);
    trace_writer_close(w, false, e);
    return NULL;
}

/* ---- CTAs ---- */
static void on_step(void *user, const struct warp *from, const struct step *s)
{
    trace_recorder_step(&((struct trace_writer *)user)->recorder, from, s);
}

static void on_done(void *user, uint64_t cta, uint64_t warp_insts)
{
    struct trace_writer *w = user;
    trace_recorder_done(&w->recorder, cta);
    w->totals.warp_insts += warp_insts;
    w->totals.ctas++;
}

/* ---- Launches ---- */
static void put_text(struct trace_bytes *b, const char *s, size_t len)
{
    trace_put_uint(b, len);
    for (size_t i = 0; i < len; i++)
        trace_put_byte(b, (uint8_t)s[i]);
}

/* The module's text, which may be there already. */
static int text_of(struct trace_writer *w, const struct module *m)
{
    size_t len;
    const char *ptx = module_ptx(m, &len);
    const uint64_t at = w->texts.n;
    put_text(&w->texts, module_name(m), strlen(module_name(m)));
    put_text(&w->texts, ptx, len);
    const size_t n = w->texts.n - at;
    for (int i = 0; i < w->ntexts; i++)
        if (w->text[i] + n <= at && !memcmp(w->texts.at + w->text[i], w->texts.at + at, n)) {
            w->texts.n = at;
            return i;
        }
    w->text = xrealloc(w->text, (size_t)(w->ntexts + 1) * sizeof *w->text);
    w->text[w->ntexts] = at;
    return w->ntexts++;
}

static int kernel_of(struct trace_writer *w, const struct kernel *k)
{
    for (int i = 0; i < w->kernels; i++)
        if (w->kernel[i].id == k->id)
            return i;
    w->kernel = xrealloc(w->kernel, (size_t)(w->kernels + 1) * sizeof *w->kernel);
    w->kernel[w->kernels] =
        (struct known_kernel){.id = k->id, .text = text_of(w, k->module), .name = xstrdup(k->name)};
    return w->kernels++;
}

static void put_launch(struct trace_writer *w, const struct launch *l)
{
    struct trace_bytes *b = &w->launches;
    uint64_t end = TRACE_HEADER;
    trace_put_uint(b, (uint64_t)kernel_of(w, l->kernel));
    for (int d = 0; d < 3; d++)
        trace_put_uint(b, (uint64_t)l->grid[d]);
    for (int d = 0; d < 3; d++)
        trace_put_uint(b, (uint64_t)l->block[d]);
    trace_put_uint(b, l->dyn_shared);
    trace_put_uint(b, (uint64_t)l->regs_override);
    trace_put_uint(b, l->kernel->param_bytes);
    for (uint64_t i = 0; i < launch_ctas(l); i++) {
        trace_put_int(b, (int64_t)(w->part[i].at - end));
        trace_put_uint(b, w->part[i].packed);
        trace_put_uint(b, w->part[i].bytes);
        end = w->part[i].at + w->part[i].packed;
    }
    w->totals.launches++;
}

bool trace_writer_launch(struct trace_writer *w, struct launch *l,
                         const struct trace_record_opts *o, struct func_counts *counts,
                         struct err *e)
{
    struct func_opts fo = {.max_warp_insts = o->max_warp_insts,
                           .resident = o->resident,
                           .turn = o->short_turns ? 0 : FUNC_LONG_TURN,
                           .on_step = on_step,
                           .on_done = on_done,
                           .user = w,
                           .progress = o->progress,
                           .progress_user = o->progress_user};
    if (launch_has_clusters(l))
        return err_set(e, "kernel %s runs in clusters of CTAs, which a trace does not record",
                       l->kernel->name);
    w->part = xcalloc(launch_ctas(l) + 1, sizeof *w->part);
    w->recorder.warps = launch_warps(l);
    open_file(w, w->at);
    bool ok = func_run(l, &fo, counts, e);
    close_file(w);
    if (ok && w->recorder.why)
        ok = err_set(e, "kernel %s: %s", l->kernel->name, w->recorder.why);
    if (ok && w->failed)
        ok = not_written(w, w->error, e);
    if (ok)
        put_launch(w, l);
    free(w->part);
    w->part = NULL;
    return ok;
}

/* ---- The end ---- */
static void add_bytes(struct trace_bytes *to, const struct trace_bytes *b)
{
    for (size_t i = 0; i < b->n; i++)
        trace_put_byte(to, b->at[i]);
}

static void put_table(struct trace_writer *w)
{
    struct trace_bytes all = {0};
    trace_put_uint(&all, (uint64_t)w->ntexts);
    add_bytes(&all, &w->texts);
    trace_put_uint(&all, (uint64_t)w->kernels);
    for (int i = 0; i < w->kernels; i++) {
        trace_put_uint(&all, (uint64_t)w->kernel[i].text);
        put_text(&all, w->kernel[i].name, strlen(w->kernel[i].name));
    }
    trace_put_uint(&all, w->totals.launches);
    add_bytes(&all, &w->launches);
    const struct trace_part p = put_part(w, &all);
    const uint32_t version[2] = {TRACE_VERSION, 0};
    const uint64_t table[3] = {p.at, p.packed, p.bytes};
    free(all.at);
    if (!w->failed && fseek(w->f, 0, SEEK_SET) != 0)
        failed(w);
    put(w, TRACE_MAGIC, 8);
    put(w, version, sizeof version);
    put(w, table, sizeof table);
    w->at -= TRACE_HEADER;
}

static void writer_free(struct trace_writer *w)
{
    trace_recorder_fini(&w->recorder);
    for (int i = 0; i < w->kernels; i++)
        free(w->kernel[i].name);
    free(w->kernel);
    free(w->text);
    free(w->texts.at);
    free(w->launches.at);
    free(w->tmp);
    out_path_fini(&w->to);
    free(w);
}

bool trace_writer_close(struct trace_writer *w, bool ok, struct err *e)
{
    if (!w)
        return ok;
    if (ok && (uint64_t)w->texts.n + w->launches.n > TRACE_TABLE_MOST / 2)
        ok = err_set(e, "%s: too many CTAs for the table of a trace", w->to.given);
    if (ok) {
        open_file(w, w->at);
        put_table(w);
        close_file(w);
        if (w->failed)
            ok = not_written(w, w->error, e);
    }
    if (ok)
        ok = out_path_deliver(&w->to, w->tmp, e);
    if (!ok && w->made)
        unlink(w->tmp);
    writer_free(w);
    return ok;
}

void trace_writer_totals(const struct trace_writer *w, struct trace_totals *out)
{
    *out = w->totals;
    out->bytes = w->at;
}
