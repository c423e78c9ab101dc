#include "sampler/window/requests.h"

#include "sim/sm/local_memory.h"

static enum request_path path_of(const struct requests *r, const struct step *s)
{
    const struct inst *in = s->inst;
    if (!s->active || !s->bytes || !(s->is_load || s->is_store || s->is_atomic))
        return REQUEST_NONE;
    if (s->space == SP_TEX)
        return REQUEST_TEXTURE;
    if (s->space != SP_GLOBAL && s->space != SP_LOCAL)
        return REQUEST_NONE;
    const bool uncached = in->cache == CACHE_CG || (s->is_load && in->flags & INST_VOLATILE);
    if (!r->cfg->mem.l1d.enabled || (s->space == SP_GLOBAL && (s->is_atomic || uncached)))
        return REQUEST_PAST;
    if (s->is_load)
        return REQUEST_LOAD;
    return s->space == SP_LOCAL ? REQUEST_LOCAL_STORE : REQUEST_STORE;
}

/* Lanes of a half warp each, the second one first, or all. */
static void global(struct requests *r, const struct step *s, int bytes, int segment)
{
    const bool halves = r->cfg->sm.shared_parts > 1;
    r->n = 0;
    for (int part = halves; part >= 0; part--) {
        const lanes_t lanes = !halves ? LANES_ALL : part ? 0xffff0000u : 0xffffu;
        coalesce_begin(&r->c, segment);
        coalesce_lanes(&r->c, s->addr, s->active & lanes, bytes);
        r->n += coalesce_end(&r->c, r->t + r->n);
    }
}

static void local(struct requests *r, const struct warp *w, const struct step *s, int bytes,
                  int segment)
{
    const addr_t padded = (addr_t)w->cta->nwarps * WARP_SIZE;
    const addr_t stride = local_stride(padded, r->cfg->top.cores, 1);
    const addr_t base = REQUESTS_LOCAL + LOCAL_WORD * (addr_t)w->index * WARP_SIZE;
    coalesce_begin(&r->c, segment);
    for (lanes_t m = s->active; m; m &= m - 1) {
        const int lane = __builtin_ctz(m);
        const addr_t thread = base + LOCAL_WORD * (addr_t)lane, a = s->addr[lane];
        if (bytes < LOCAL_WORD)
            coalesce_touch(&r->c, thread + a / LOCAL_WORD * stride + a % LOCAL_WORD, bytes);
        else
            for (int b = 0; b < bytes; b += LOCAL_WORD)
                coalesce_touch(&r->c, thread + (a + (addr_t)b) / LOCAL_WORD * stride, LOCAL_WORD);
    }
    r->n = coalesce_end(&r->c, r->t);
}

static void texture(struct requests *r, const struct step *s)
{
    const int taps = r->cfg->sm.texture_first_texel && s->taps > 1 ? 1 : s->taps;
    struct line_list l = {.t = r->t, .line = r->cfg->mem.l1t.line};
    for (int t = 0; t < taps; t++)
        line_list_add(&l, s->tap[t], s->tap_lanes[t], s->bytes);
    r->n = line_list_end(&l);
}

void requests_make(struct requests *r, const struct warp *w, const struct step *s)
{
    r->n = 0;
    r->missed = -1;
    r->path = path_of(r, s);
    if (r->path == REQUEST_NONE)
        return;
    const struct inst *in = s->inst;
    const int bytes =
        r->cfg->sm.vector_first_element && in->vec > 1 ? s->bytes / in->vec : s->bytes;
    const int most = r->path == REQUEST_PAST ? r->cfg->sm.bypass_segment : r->cfg->mem.l1d.line;
    const int segment = coalesce_segment(bytes) < most ? coalesce_segment(bytes) : most;
    if (r->path == REQUEST_TEXTURE)
        texture(r, s);
    else if (s->space == SP_LOCAL)
        local(r, w, s, bytes, segment);
    else if (s->is_atomic)
        r->n = coalesce_atomic(s->addr, s->active, bytes, segment, r->t);
    else
        global(r, s, bytes, segment);
}

bool requests_are_constants(const struct step *s)
{
    return s->active && s->bytes && (s->space == SP_CONST || s->space == SP_PARAM);
}

void requests_constants(struct requests *r, const struct step *s)
{
    r->n = coalesce_lines(s->addr, s->active, s->bytes, r->t, r->cfg->mem.l1c.line);
}
