#include "sampler/window/warp_streams.h"

#include <stdlib.h>

#include "sampler/window/depend.h"
#include "sampler/window/requests.h"
#include "sim/sm/inst_run.h"
#include "sim/sm/meta.h"
#include "sim/sm/shared_banks.h"
#include "sim/sm/sm.h"

#define MOST_LINES (1u << 20) /* more are not told apart */

struct recorder { /* of the CTA that is being executed */
    struct requests req;
    struct depend depend;
    struct inst_meta *meta; /* owned */
    const struct kernel *kernel;
    struct warp_streams *all;
    struct cta_streams *to;
    struct stream_work work;
    uint64_t *code; /* owned: the line of code that each warp is in, + 1 */
};

void warp_streams_init(struct warp_streams *s, const struct gpu_cfg *cfg, const struct launch *l)
{
    const struct tex_cache_cfg *t = &cfg->mem.l1t;
    *s = (struct warp_streams){.cfg = cfg, .warps = launch_warps(l)};
    if (t->enabled)
        tags_init(&s->l1t, (uint32_t)t->size, (uint32_t)t->line, (uint32_t)t->ways);
}

static void put(struct recorder *r, int warp, enum stream_kind kind, uint64_t value)
{
    struct stream *s = &r->to->warp[warp];
    if (s->n == s->room) {
        s->room = s->room ? 2 * s->room : 64;
        s->word = xrealloc(s->word, s->room * sizeof *s->word);
    }
    s->word[s->n++] = value << STREAM_BITS | kind;
}

/* One more instruction that asks nothing. */
static void run_on(struct recorder *r, int warp)
{
    struct stream *s = &r->to->warp[warp];
    if (s->n && stream_kind(s->word[s->n - 1]) == STREAM_RUN)
        s->word[s->n - 1] += 1u << STREAM_BITS;
    else
        put(r, warp, STREAM_RUN, 1);
}

static void code(struct recorder *r, int warp, uint64_t index)
{
    const uint64_t line = index * SM_INST_BYTES / (uint64_t)r->all->cfg->mem.l1i.line;
    if (r->code[warp] != line + 1)
        put(r, warp, STREAM_CODE, line);
    r->code[warp] = line + 1;
}

static bool through_l1d(const struct requests *req, enum stream_kind *kind)
{
    *kind = req->path == REQUEST_LOAD    ? STREAM_LOAD
            : req->path == REQUEST_STORE ? STREAM_STORE
                                         : STREAM_WRITE;
    return req->n > 0 && (req->path == REQUEST_LOAD || req->path == REQUEST_STORE ||
                          req->path == REQUEST_LOCAL_STORE);
}

/* What goes past L1D is waited for too. */
static bool loaded(const struct requests *req, const struct step *s)
{
    const bool waits = s->inst->nd > 0 && (s->is_load || s->is_atomic);
    return waits && req->path != REQUEST_NONE && req->n > 0;
}

/* Of the LD/ST unit. */
static uint64_t port_cycles(const struct recorder *r, const struct step *s)
{
    const struct sm_cfg *c = &r->all->cfg->sm;
    if (s->space == SP_SHARED && s->active && s->bytes)
        return (uint64_t)shared_cycles(s->addr, s->active, s->bytes, c->shared_banks,
                                       c->shared_parts);
    return r->req.path == REQUEST_NONE ? 1 : (uint64_t)r->req.n;
}

/* Lines that the texture cache has to read for the last instruction. */
static uint64_t texture_misses(struct recorder *r)
{
    struct warp_streams *all = r->all;
    uint64_t misses = 0;
    if (!all->cfg->mem.l1t.enabled)
        return (uint64_t)r->req.n;
    for (int i = 0; i < r->req.n; i++) {
        const addr_t line = tags_line(&all->l1t, r->req.t[i].addr);
        uint32_t way;
        addr_t victim;
        const bool hit = tags_probe(&all->l1t, line, line, &way) == TAG_HIT;
        all->texture_uses++;
        if (hit)
            tags_touch(&all->l1t, way, (cycle_t)all->texture_uses);
        else
            tags_replace(&all->l1t, way, line | TAG_VALID, (cycle_t)all->texture_uses, &victim);
        misses += !hit;
    }
    return misses;
}

static void count(struct recorder *r, const struct step *s, const struct inst_meta *m)
{
    struct stream_work *w = &r->work;
    const uint64_t n = r->req.path == REQUEST_NONE ? 0 : (uint64_t)r->req.n;
    static const int pipe[CLASS_COUNT] = {[CLASS_SP] = PIPE_SP,
                                          [CLASS_EITHER] = PIPE_SP,
                                          [CLASS_SFU] = PIPE_SFU,
                                          [CLASS_DP] = PIPE_DP};
    if (m->cls == CLASS_MEM)
        w->port_cycles += port_cycles(r, s);
    else
        w->unit_cycles[pipe[m->cls]] += m->interval;
    w->textures += r->req.path == REQUEST_TEXTURE ? texture_misses(r) : 0;
    w->past += r->req.path == REQUEST_PAST ? n : 0;
    w->loads += r->req.path == REQUEST_LOAD ? n : 0;
    w->stores += r->req.path == REQUEST_STORE ? n : 0;
}

static void keep_lines(struct recorder *r)
{
    for (int i = 0; i < r->req.n && r->all->lines.n < MOST_LINES; i++)
        line_set_add(&r->all->lines, r->req.t[i].addr / (uint64_t)r->req.cfg->mem.l1d.line);
}

static void on_step(void *user, const struct warp *w, const struct step *s)
{
    struct recorder *r = user;
    const uint64_t rounds = r->depend.rounds, index = (uint64_t)(s->inst - r->kernel->inst);
    enum stream_kind kind;
    requests_make(&r->req, w, s);
    depend_step(&r->depend, w->index, s, loaded(&r->req, s));
    code(r, w->index, index);
    if (r->depend.rounds > rounds)
        put(r, w->index, STREAM_NEED, 0);
    if (s->at_barrier)
        put(r, w->index, STREAM_BARRIER, 0);
    else if (through_l1d(&r->req, &kind))
        for (int i = 0; i < r->req.n; i++)
            put(r, w->index, i ? kind + (STREAM_NEXT_LOAD - STREAM_LOAD) : kind,
                r->req.t[i].addr / (uint64_t)r->req.cfg->mem.l1d.line);
    else
        run_on(r, w->index);
    if (r->req.path == REQUEST_LOAD)
        keep_lines(r);
    count(r, s, &r->meta[index]);
}

static void drop(struct cta_streams *c, int warps)
{
    for (int i = 0; i < warps; i++)
        free(c->warp[i].word);
    free(c->warp);
}

static void add_work(struct stream_work *to, const struct stream_work *w)
{
    to->warp_insts += w->warp_insts;
    to->loads += w->loads;
    to->stores += w->stores;
    to->past += w->past;
    to->textures += w->textures;
    to->port_cycles += w->port_cycles;
    for (int p = 0; p < 4; p++)
        to->unit_cycles[p] += w->unit_cycles[p];
}

/* A fault, too, ends it: what there is of the CTA counts. */
static void record(struct recorder *r, struct launch *l, uint64_t cta, uint64_t max_insts)
{
    struct func_opts o = {.first_cta = cta,
                          .num_ctas = 1,
                          .max_warp_insts = max_insts,
                          .turn = 1,
                          .on_step = on_step,
                          .user = r};
    struct func_counts counts = {0};
    struct err ignored;
    inst_run(l, &o, &counts, &ignored);
    r->work.warp_insts = counts.warp_insts;
}

void warp_streams_add(struct warp_streams *s, struct launch *l, uint64_t cta, uint64_t max_insts)
{
    struct cta_streams c = {.warp = xcalloc((size_t)s->warps, sizeof *c.warp)};
    struct recorder *r = xcalloc(1, sizeof *r);
    r->req.cfg = s->cfg;
    r->all = s;
    r->to = &c;
    r->kernel = l->kernel;
    r->meta = meta_build(l->kernel, &s->cfg->sm);
    r->code = xcalloc((size_t)s->warps, sizeof *r->code);
    depend_init(&r->depend, l->kernel, s->warps);
    record(r, l, cta, max_insts);
    depend_fini(&r->depend);
    s->cta = xrealloc(s->cta, (size_t)(s->ctas + 1) * sizeof *s->cta);
    s->cta[s->ctas++] = c;
    add_work(&s->work, &r->work);
    if (s->ctas == 1)
        s->first_lines = s->lines.n;
    free(r->meta);
    free(r->code);
    free(r);
}

void warp_streams_fini(struct warp_streams *s)
{
    for (int i = 0; i < s->ctas; i++)
        drop(&s->cta[i], s->warps);
    free(s->cta);
    line_set_fini(&s->lines);
    tags_fini(&s->l1t);
    *s = (struct warp_streams){0};
}
