/* Launch files: from settings to buffers, launches and checks. Grammar: README.md. */
#include "base/suggest.h"
#include "sim/frontend/launch_impl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool setting_need_str(const struct cfg_node *n, const char *key, const char **out, struct err *e)
{
    const struct cfg_node *m;
    return cfg_need(n, key, &m, e) && cfg_str(m, out, e) &&
           (**out || cfg_err(m, e, "`%s` is empty", key));
}

bool buffer_find(const struct launch_file *f, const struct cfg_node *n, int *out, struct err *e)
{
    const char *name;
    if (!setting_need_str(n, "buffer", &name, e))
        return false;
    struct suggest s;
    suggest_init(&s, name);
    for (int i = 0; i < f->nbuffers; i++) {
        if (!strcmp(f->buffer[i].name, name)) {
            *out = i;
            return true;
        }
        suggest_offer(&s, f->buffer[i].name);
    }
    char hint[256];
    return cfg_err(cfg_get(n, "buffer"), e, "there is no buffer '%s'%s", name,
                   suggest_text(&s, hint, sizeof hint));
}

static bool parse_buffer(struct launch_file *f, const struct cfg_node *n, struct err *e)
{
    static const char *const keys[] = {"name", "bytes", "type", SOURCE_KEYS, NULL};
    struct buffer *b = &f->buffer[f->nbuffers];
    const struct cfg_node *bytes;
    int64_t size;
    b->at = n;
    if (!cfg_expect(n, CFG_GROUP, e) || !keys_known(n, keys, e) ||
        !setting_need_str(n, "name", &b->name, e) || !cfg_need(n, "bytes", &bytes, e) ||
        !cfg_int(bytes, 1, BUFFER_MAX, &size, e))
        return false;
    for (int i = 0; i < f->nbuffers; i++)
        if (!strcmp(f->buffer[i].name, b->name))
            return cfg_err(n, e, "buffer '%s' is there already, line %d", b->name,
                           cfg_line(f->buffer[i].at));
    b->bytes = (uint64_t)size;
    b->addr = HEAP_BASE;
    if (f->nbuffers) {
        const struct buffer *last = b - 1;
        b->addr = (last->addr + last->bytes + ALLOC_ALIGN - 1) / ALLOC_ALIGN * ALLOC_ALIGN;
    }
    enum elem type = ELEM_COUNT;
    f->nbuffers++; /* from here on its source is freed with the file */
    return elem_type_parse(n, &type, e) && source_parse(n, b->bytes, type, &b->src, e);
}

/* [x, y, z] or (x, y, z) */
static bool parse_dim3(const struct cfg_node *n, const char *key, int out[3], struct err *e)
{
    const struct cfg_node *d;
    if (!cfg_need(n, key, &d, e))
        return false;
    if (cfg_kind(d) != CFG_LIST && !cfg_expect(d, CFG_ARRAY, e))
        return false;
    if (cfg_len(d) != 3)
        return cfg_err(d, e, "`%s` has %d numbers, must have 3: x, y, z", key, cfg_len(d));
    for (int i = 0; i < 3; i++) {
        int64_t v;
        if (!cfg_int(cfg_at(d, i), 1, LAUNCH_MAX_GRID_X, &v, e))
            return false;
        out[i] = (int)v;
    }
    return true;
}

/* A block of another size keeps its second and third number. */
static bool resize_block(const struct cfg_node *n, int size, int block[3], struct err *e)
{
    const int row = block[1] * block[2];
    if (size % row)
        return cfg_err(cfg_get(n, "block"), e,
                       "a block of %d threads cannot be %d x %d in its second and third number",
                       size, block[1], block[2]);
    block[0] = size / row;
    return true;
}

/* Either it is written, or it follows: as many blocks as `threads` in all need. */
static bool parse_grid(const struct cfg_node *n, int block_size, struct launch_shape *s,
                       struct err *e)
{
    const struct cfg_node *threads = cfg_get(n, "threads");
    if (!threads)
        return parse_dim3(n, "grid", s->grid, e);
    if (cfg_get(n, "grid"))
        return cfg_err(threads, e, "`threads` and `grid`: the grid follows from the former");
    if (!parse_dim3(n, "threads", s->grid, e) ||
        (block_size && !resize_block(n, block_size, s->block, e)))
        return false;
    for (int i = 0; i < 3; i++)
        s->grid[i] = (s->grid[i] - 1) / s->block[i] + 1;
    return true;
}

/* Dynamic shared memory: so much, and so much for each thread of a block. */
static bool parse_shared(const struct cfg_node *n, struct launch_shape *s, struct err *e)
{
    int64_t shared = 0, each = 0;
    if (!cfg_get_int(n, "shared", 0, SHARED_MAX, &shared, e) ||
        !cfg_get_int(n, "shared_per_thread", 0, SHARED_MAX, &each, e))
        return false;
    shared += each * s->block[0] * s->block[1] * s->block[2];
    s->dyn_shared = (uint32_t)shared;
    return shared <= SHARED_MAX ||
           cfg_err(cfg_get(n, "shared_per_thread"), e,
                   "blocks of %dx%dx%d threads take %lld bytes of shared memory; at most %d",
                   s->block[0], s->block[1], s->block[2], (long long)shared, SHARED_MAX);
}

static bool block_ok(const struct cfg_node *n, const int b[3], struct err *e)
{
    return launch_block_ok(b[0], b[1], b[2]) ||
           cfg_err(cfg_get(n, "block"), e,
                   "`block` = %dx%dx%d, allowed up to %dx%dx%d and %d threads", b[0], b[1], b[2],
                   LAUNCH_MAX_BLOCK_X, LAUNCH_MAX_BLOCK_Y, LAUNCH_MAX_BLOCK_Z, LAUNCH_MAX_THREADS);
}

static bool parse_shape(const struct cfg_node *n, int block_size, struct launch_shape *s,
                        struct err *e)
{
    int64_t regs = 0;
    if (!parse_dim3(n, "block", s->block, e) || !block_ok(n, s->block, e) ||
        !parse_grid(n, block_size, s, e) || !block_ok(n, s->block, e) || !parse_shared(n, s, e) ||
        !cfg_get_int(n, "registers", 0, REGISTERS_MAX, &regs, e))
        return false;
    s->regs = (int)regs;
    const int *g = s->grid;
    const struct cfg_node *grid = cfg_get(n, "grid");
    return launch_grid_ok(g[0], g[1], g[2]) ||
           cfg_err(grid ? grid : cfg_get(n, "threads"), e,
                   "`grid` = %dx%dx%d, allowed up to %dx%dx%d", g[0], g[1], g[2], LAUNCH_MAX_GRID_X,
                   LAUNCH_MAX_GRID_YZ, LAUNCH_MAX_GRID_YZ);
}

static bool parse_pointer(const struct launch_file *f, const struct cfg_node *n, struct arg *a,
                          struct err *e)
{
    static const char *const keys[] = {"buffer", "offset", NULL};
    if (!keys_known(n, keys, e) || !buffer_find(f, n, &a->buffer, e))
        return false;
    const struct buffer *b = &f->buffer[a->buffer];
    int64_t offset = 0;
    if (!cfg_get_int(n, "offset", 0, BUFFER_MAX, &offset, e))
        return false;
    if ((uint64_t)offset > b->bytes) /* its end is an address as in C */
        return cfg_err(cfg_get(n, "offset"), e,
                       "`offset` = %lld is outside buffer '%s' of %llu bytes", (long long)offset,
                       b->name, (unsigned long long)b->bytes);
    a->type = ELEM_u64;
    a->value.u = b->addr + (uint64_t)offset;
    return true;
}

static bool parse_arg(const struct launch_file *f, const struct cfg_node *n, struct arg *a,
                      struct err *e)
{
    a->at = n;
    a->buffer = a->texture = -1;
    if (!cfg_expect(n, CFG_GROUP, e))
        return false;
    if (cfg_get(n, "texture")) {
        static const char *const keys[] = {"texture", NULL};
        a->type = ELEM_u64;
        return keys_known(n, keys, e) && texture_find(f, n, &a->texture, e);
    }
    if (cfg_get(n, "buffer"))
        return parse_pointer(f, n, a, e);
    if (cfg_len(n) != 1)
        return cfg_err(n, e, "an argument is { buffer = ...; } or one value such as { s32 = 3; }");
    const struct cfg_node *v = cfg_at(n, 0);
    return (elem_find(cfg_name(v), &a->type) ||
            cfg_err(v, e, "argument type `%s` is not buffer, texture or one of %s", cfg_name(v),
                    ELEM_NAMES)) &&
           elem_read(v, a->type, &a->value, e);
}

static bool parse_args(const struct launch_file *f, const struct cfg_node *n,
                       struct launch_entry *l, struct err *e)
{
    const struct cfg_node *args = cfg_get(n, "args");
    if (!args)
        return true;
    if (!cfg_expect(args, CFG_LIST, e))
        return false;
    l->nargs = cfg_len(args);
    l->arg = xcalloc((size_t)l->nargs, sizeof *l->arg);
    for (int i = 0; i < l->nargs; i++)
        if (!parse_arg(f, cfg_at(args, i), &l->arg[i], e))
            return false;
    return true;
}

static bool parse_launch(struct launch_file *f, const struct cfg_node *n, struct err *e)
{
    static const char *const keys[] = {
        "kernel",    "grid", "threads", "block", "shared", "shared_per_thread",
        "registers", "args", "repeat",  NULL};
    struct launch_entry *l = &f->launch[f->nlaunches++];
    int64_t repeat = 1;
    l->at = n;
    if (!cfg_expect(n, CFG_GROUP, e) || !keys_known(n, keys, e) ||
        !setting_need_str(n, "kernel", &l->kernel, e) ||
        !parse_shape(n, f->block_size, &l->shape, e) ||
        !cfg_get_int(n, "repeat", 1, LAUNCHES_MAX, &repeat, e) || !parse_args(f, n, l, e))
        return false;
    l->kernel_at = cfg_get(n, "kernel");
    l->repeat = (int)repeat;
    return true;
}

static bool parse_check(struct launch_file *f, const struct cfg_node *n, struct err *e)
{
    static const char *const keys[] = {"buffer", "type", "tolerance", SOURCE_KEYS, NULL};
    struct check *c = &f->check[f->nchecks++];
    const struct cfg_node *type;
    c->at = n;
    if (!cfg_expect(n, CFG_GROUP, e) || !keys_known(n, keys, e) ||
        !buffer_find(f, n, &c->buffer, e) || !cfg_need(n, "type", &type, e) ||
        !elem_type_parse(n, &c->type, e) ||
        !cfg_get_real(n, "tolerance", 0, HUGE_VAL, &c->tolerance, e))
        return false;
    const struct buffer *b = &f->buffer[c->buffer];
    if (b->bytes % elem_bytes(c->type))
        return cfg_err(type, e, "buffer '%s' of %llu bytes is no whole number of %s elements",
                       b->name, (unsigned long long)b->bytes, elem_name(c->type));
    return source_parse(n, b->bytes, c->type, &c->src, e);
}

/* A member that must be a list ( ) when it is there. */
static bool get_list(const struct cfg_node *root, const char *key, const struct cfg_node **out,
                     struct err *e)
{
    *out = cfg_get(root, key);
    return !*out || cfg_expect(*out, CFG_LIST, e);
}

static size_t count(const struct cfg_node *list)
{
    return list ? (size_t)cfg_len(list) : 0;
}

static bool any_follows(const struct cfg_node *launches)
{
    for (int i = 0; i < cfg_len(launches); i++)
        if (cfg_get(cfg_at(launches, i), "threads"))
            return true;
    return false;
}

bool launch_parse(struct launch_file *f, struct err *e)
{
    static const char *const keys[] = {"module", "buffers", "textures", "launches", "checks", NULL};
    const struct cfg_node *root = cfg_root(f->cfg), *buffers, *textures, *launches, *checks;
    const char *module;
    if (!keys_known(root, keys, e) || !setting_need_str(root, "module", &module, e) ||
        !get_list(root, "buffers", &buffers, e) || !get_list(root, "textures", &textures, e) ||
        !cfg_need(root, "launches", &launches, e) || !cfg_expect(launches, CFG_LIST, e) ||
        !get_list(root, "checks", &checks, e))
        return false;
    if (!count(launches))
        return cfg_err(launches, e, "`launches` is empty");
    f->module_at = cfg_get(root, "module");
    f->buffer = xcalloc(count(buffers), sizeof *f->buffer);
    f->texture = xcalloc(count(textures), sizeof *f->texture);
    f->launch = xcalloc(count(launches), sizeof *f->launch);
    f->check = xcalloc(count(checks), sizeof *f->check);
    for (size_t i = 0; i < count(buffers); i++)
        if (!parse_buffer(f, cfg_at(buffers, (int)i), e))
            return false;
    for (size_t i = 0; i < count(textures); i++)
        if (!texture_parse(f, cfg_at(textures, (int)i), e))
            return false;
    for (size_t i = 0; i < count(launches); i++)
        if (!parse_launch(f, cfg_at(launches, (int)i), e))
            return false;
    if (f->block_size && !any_follows(launches))
        return cfg_err(
            launches, e,
            "no launch says `threads` in place of `grid`: none takes another block size");
    for (size_t i = 0; i < count(checks); i++)
        if (!parse_check(f, cfg_at(checks, (int)i), e))
            return false;
    return true;
}
