#include "sampler/warp_streams.h"

#include <stdlib.h>

#include "sampler/depend.h"
#include "sampler/requests.h"
#include "sim/func/run.h"

struct recorder { /* of the CTA that is being executed */
    struct requests req;
    struct depend depend;
    struct cta_streams *to;
    uint64_t words;
};

void warp_streams_init(struct warp_streams *s, const struct gpu_cfg *cfg, const struct launch *l)
{
    *s = (struct warp_streams){.cfg = cfg, .warps = launch_warps(l)};
}

static void put(struct recorder *r, int warp, enum stream_kind kind, uint64_t value)
{
    struct stream *s = &r->to->warp[warp];
    if (s->n == s->room) {
        s->room = s->room ? 2 * s->room : 64;
        s->word = xrealloc(s->word, s->room * sizeof *s->word);
    }
    s->word[s->n++] = value << STREAM_BITS | kind;
    r->words++;
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

static bool kind_of(const struct requests *req, enum stream_kind *kind)
{
    *kind = req->path == REQUEST_LOAD    ? STREAM_LOAD
            : req->path == REQUEST_STORE ? STREAM_STORE
                                         : STREAM_WRITE;
    return req->n > 0 && (req->path == REQUEST_LOAD || req->path == REQUEST_STORE ||
                          req->path == REQUEST_LOCAL_STORE);
}

/* What goes past L1D is needed too. */
static int loaded(const struct requests *req, const struct step *s)
{
    const bool waits = s->inst->nd > 0 && (s->is_load || s->is_atomic);
    return waits && req->path != REQUEST_NONE ? req->n : 0;
}

static void on_step(void *user, const struct warp *w, const struct step *s)
{
    struct recorder *r = user;
    const uint64_t rounds = r->depend.rounds;
    enum stream_kind kind;
    requests_make(&r->req, w, s);
    depend_step(&r->depend, w->index, s, loaded(&r->req, s));
    if (r->depend.rounds > rounds)
        put(r, w->index, STREAM_NEED, 0);
    if (s->at_barrier)
        put(r, w->index, STREAM_BARRIER, 0);
    else if (kind_of(&r->req, &kind))
        for (int i = 0; i < r->req.n; i++)
            put(r, w->index, i ? kind + (STREAM_NEXT_LOAD - STREAM_LOAD) : kind,
                r->req.t[i].addr / (uint64_t)r->req.cfg->mem.l1d.line);
    else
        run_on(r, w->index);
    if (r->req.path == REQUEST_LOAD)
        r->to->accesses += (uint64_t)r->req.n;
}

static void drop(struct cta_streams *c, int warps)
{
    for (int i = 0; i < warps; i++)
        free(c->warp[i].word);
    free(c->warp);
}

bool warp_streams_add(struct warp_streams *s, struct launch *l, uint64_t cta, uint64_t max_insts)
{
    struct cta_streams c = {.warp = xcalloc((size_t)s->warps, sizeof *c.warp)};
    struct recorder *r = xcalloc(1, sizeof *r);
    r->req.cfg = s->cfg;
    r->to = &c;
    depend_init(&r->depend, l->kernel, s->warps);
    struct func_opts o = {.first_cta = cta,
                          .num_ctas = 1,
                          .max_warp_insts = max_insts,
                          .turn = 1,
                          .on_step = on_step,
                          .user = r};
    struct func_counts counts = {0};
    struct err ignored;
    const bool ok = func_run(l, &o, &counts, &ignored);
    s->warp_insts += counts.warp_insts;
    c.warp_insts = counts.warp_insts;
    depend_fini(&r->depend);
    if (ok) {
        s->cta = xrealloc(s->cta, (size_t)(s->ctas + 1) * sizeof *s->cta);
        s->cta[s->ctas++] = c;
        s->words += r->words;
    } else {
        drop(&c, s->warps);
    }
    free(r);
    return ok;
}

void warp_streams_fini(struct warp_streams *s)
{
    for (int i = 0; i < s->ctas; i++)
        drop(&s->cta[i], s->warps);
    free(s->cta);
    *s = (struct warp_streams){0};
}
