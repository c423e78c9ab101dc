/* Textures of launch files: settings, and the objects and arrays that are made of them for a run.
 * Grammar: README.md. */
#include "base/suggest.h"
#include "sim/frontend/launch_impl.h"

#include <stdlib.h>
#include <string.h>

#define SIZE_MAX_1D 131072
#define LAYERS_MAX  2048

/* One of a list of words; *out stays when the key is absent. */
static bool word(const struct cfg_node *n, const char *key, const char *const *words, int *out,
                 struct err *e)
{
    const char *w = NULL;
    if (!cfg_get_str(n, key, &w, e) || !w)
        return !cfg_get(n, key);
    struct suggest s;
    suggest_init(&s, w);
    for (int i = 0; words[i]; i++) {
        if (!strcmp(words[i], w)) {
            *out = i;
            return true;
        }
        suggest_offer(&s, words[i]);
    }
    char hint[256];
    return cfg_err(cfg_get(n, key), e, "`%s` is no \"%s\"%s", key, w,
                   suggest_text(&s, hint, sizeof hint));
}

static bool parse_size(const struct cfg_node *n, struct image *im, struct err *e)
{
    const struct cfg_node *d;
    int64_t layers = 0;
    if (!cfg_need(n, "size", &d, e))
        return false;
    if (cfg_kind(d) != CFG_LIST && !cfg_expect(d, CFG_ARRAY, e))
        return false;
    im->dims = (uint8_t)cfg_len(d);
    if (im->dims < 1 || im->dims > 3)
        return cfg_err(d, e, "`size` has %d numbers, must have 1 to 3", cfg_len(d));
    for (int i = 0; i < 3; i++) {
        int64_t v = 1;
        if (i < im->dims && !cfg_int(cfg_at(d, i), 1, SIZE_MAX_1D, &v, e))
            return false;
        im->size[i] = (uint32_t)v;
    }
    if (!cfg_get_int(n, "layers", 1, LAYERS_MAX, &layers, e))
        return false;
    im->layers = (uint32_t)layers;
    if (layers && im->dims == 3)
        return cfg_err(n, e, "an image of three dimensions has no layers");
    return true;
}

static bool parse_format(const struct cfg_node *n, struct image *im, struct err *e)
{
    static const char *const formats[] = {"u8",  "u16", "u32", "s8", "s16",
                                          "s32", "f16", "f32", NULL}; /* as enum texel_format */
    int format = TEXEL_F32;
    int64_t channels = 1;
    if (!word(n, "format", formats, &format, e) || !cfg_get_int(n, "channels", 1, 4, &channels, e))
        return false;
    return image_set_format(im, (enum texel_format)format, (int)channels) ||
           cfg_err(cfg_get(n, "channels"), e, "`channels` is 1, 2 or 4");
}

static bool parse_sampler(const struct cfg_node *n, struct texture *t, struct err *e)
{
    static const char *const filters[] = {"point", "linear", NULL};
    static const char *const modes[] = {"wrap", "clamp", "mirror", "border", NULL};
    int filter = 0, mode = TEX_CLAMP;
    if (!word(n, "filter", filters, &filter, e) || !word(n, "address", modes, &mode, e) ||
        !cfg_get_bool(n, "normalized", &t->s.normalized, e) ||
        !cfg_get_bool(n, "integer", &t->s.integer, e))
        return false;
    t->s.linear = filter;
    memset(t->s.address, mode, sizeof t->s.address);
    return !t->s.linear || texture_is_float(&t->im, &t->s) ||
           cfg_err(cfg_get(n, "filter"), e, "integers are not filtered");
}

/* Ordinary memory is read where it is; an array gets a copy of the buffer. */
static bool parse_memory(const struct launch_file *f, const struct cfg_node *n,
                         struct texture_entry *t, struct err *e)
{
    static const char *const kinds[] = {"linear", "pitch", "array", NULL}; /* enum image_kind */
    struct image *im = &t->what.im;
    const struct buffer *b = &f->buffer[t->buffer];
    const int64_t row = (int64_t)im->size[0] << im->texel_log2;
    int kind = IMAGE_ARRAY;
    int64_t pitch = row;
    if (!word(n, "memory", kinds, &kind, e) || !cfg_get_int(n, "pitch", row, BUFFER_MAX, &pitch, e))
        return false;
    if (kind != IMAGE_ARRAY && (im->layers || im->dims != (kind == IMAGE_LINEAR ? 1 : 2)))
        return cfg_err(n, e, "%s memory has %d dimension%s and no layers", kinds[kind], kind + 1,
                       kind ? "s" : "");
    if (kind == IMAGE_ARRAY && !image_lay_out(im))
        return cfg_err(cfg_get(n, "size"), e, "`size` is more than there may be");
    if (kind != IMAGE_ARRAY)
        image_over_memory(im, b->addr, (uint64_t)pitch);
    t->rows = (uint64_t)im->size[1] * im->size[2] * (im->layers ? im->layers : 1);
    t->row = (uint64_t)row;
    const uint64_t need = kind == IMAGE_ARRAY ? t->rows * t->row : im->bytes;
    return need <= b->bytes ||
           cfg_err(n, e, "texture '%s' is made of %llu bytes, buffer '%s' has %llu", t->name,
                   (unsigned long long)need, b->name, (unsigned long long)b->bytes);
}

bool texture_parse(struct launch_file *f, const struct cfg_node *n, struct err *e)
{
    static const char *const keys[] = {"name",       "buffer",  "size",      "layers", "format",
                                       "channels",   "memory",  "pitch",     "filter", "address",
                                       "normalized", "integer", "reference", NULL};
    struct texture_entry *t = &f->texture[f->ntextures];
    t->at = n;
    if (!cfg_expect(n, CFG_GROUP, e) || !keys_known(n, keys, e) ||
        !setting_need_str(n, "name", &t->name, e) || !buffer_find(f, n, &t->buffer, e) ||
        !parse_size(n, &t->what.im, e) || !parse_format(n, &t->what.im, e) ||
        !parse_sampler(n, &t->what, e) || !parse_memory(f, n, t, e) ||
        !cfg_get_str(n, "reference", &t->reference, e))
        return false;
    for (int i = 0; i < f->ntextures; i++)
        if (!strcmp(f->texture[i].name, t->name))
            return cfg_err(n, e, "texture '%s' is there already, line %d", t->name,
                           cfg_line(f->texture[i].at));
    f->ntextures++;
    return true;
}

bool texture_find(const struct launch_file *f, const struct cfg_node *n, int *out, struct err *e)
{
    const char *name;
    if (!setting_need_str(n, "texture", &name, e))
        return false;
    struct suggest s;
    suggest_init(&s, name);
    for (int i = 0; i < f->ntextures; i++) {
        if (!strcmp(f->texture[i].name, name)) {
            *out = i;
            return true;
        }
        suggest_offer(&s, f->texture[i].name);
    }
    char hint[256];
    return cfg_err(cfg_get(n, "texture"), e, "there is no texture '%s'%s", name,
                   suggest_text(&s, hint, sizeof hint));
}

static bool fill_array(const struct launch_file *f, const struct texture_entry *t,
                       struct devmem *mem, struct image *im, struct err *e)
{
    im->base = devmem_alloc(mem, im->bytes, t->name);
    if (!im->base)
        return cfg_err(t->at, e, "no room for texture '%s' of %llu bytes", t->name,
                       (unsigned long long)im->bytes);
    const addr_t from = f->buffer[t->buffer].addr;
    uint8_t *row = xmalloc(t->row);
    for (uint64_t r = 0; r < t->rows; r++) {
        uint64_t run;
        devmem_read(mem, from + r * t->row, row, t->row);
        for (uint64_t at = 0; at < t->row; at += run) {
            const uint64_t to =
                image_run(im, at, (uint32_t)(r % im->size[1]), (uint32_t)(r / im->size[1]), &run);
            run = run < t->row - at ? run : t->row - at;
            devmem_write(mem, im->base + to, row + at, run);
        }
    }
    free(row);
    return true;
}

bool texture_reference_check(const struct launch_file *f, struct module *m, struct err *e)
{
    for (int i = 0; i < f->ntextures; i++) {
        const char *name = f->texture[i].reference;
        const struct module_var *v = name ? module_var_find(m, name) : NULL;
        if (name && (!v || v->opaque != OPAQUE_TEXTURE))
            return cfg_err(cfg_get(f->texture[i].at, "reference"), e,
                           "%s has no texture reference '%s'", module_name(m), name);
    }
    return true;
}

bool textures_make(const struct launch_file *f, struct context *c, struct module *m,
                   uint64_t *handle, struct err *e)
{
    struct devmem *mem = context_mem(c);
    for (int i = 0; i < f->ntextures; i++) {
        const struct texture_entry *t = &f->texture[i];
        struct texture what = t->what;
        if (what.im.kind == IMAGE_ARRAY && !fill_array(f, t, mem, &what.im, e))
            return false;
        handle[i] = textures_add(context_textures(c), TEX_KIND_TEXTURE, &what);
        const struct module_var *v = t->reference ? module_var_find(m, t->reference) : NULL;
        if (v)
            devmem_write(mem, v->addr, &handle[i], sizeof handle[i]);
    }
    return true;
}
