#include "sampler/window/sharing.h"

#include <stdlib.h>

#include "sampler/window/requests.h"
#include "sim/sm/inst_run.h"

void sharing_add(struct line_set *s, addr_t line)
{
    if (s->n < SHARING_MAX_LINES)
        line_set_add(s, line);
}

bool sharing_same_core(uint64_t cta, uint64_t cores, uint64_t grid, int k, uint64_t *out)
{
    const uint64_t after = (grid - 1 - cta) / cores, before = cta / cores, i = (uint64_t)k;
    if (i > after + before)
        return false;
    *out = i <= after ? cta + i * cores : cta - (i - after) * cores;
    return true;
}

struct follower {
    struct requests *req;
    struct line_set *lines;
};

static void on_step(void *user, const struct warp *w, const struct step *s)
{
    struct follower *f = user;
    if (!s->is_load)
        return;
    requests_make(f->req, w, s);
    if (f->req->path == REQUEST_LOAD && s->space == SP_GLOBAL)
        for (int i = 0; i < f->req->n; i++)
            sharing_add(f->lines, f->req->t[i].addr / (addr_t)f->req->cfg->mem.l1d.line);
}

/* Reaching the limit is no error here: what was touched until then counts. */
static void follow(struct sharing *s, struct launch *l, uint64_t cta, struct follower *f)
{
    struct func_opts o = {.first_cta = cta,
                          .num_ctas = 1,
                          .max_warp_insts = s->max_warp_insts,
                          .on_step = on_step,
                          .user = f};
    struct func_counts c = {0};
    struct err ignored;
    line_set_clear(f->lines);
    inst_run(l, &o, &c, &ignored);
    s->warp_insts += c.warp_insts;
}

static void join(struct line_set *into, const struct line_set *lines)
{
    for (uint32_t i = 0; lines->slot && i <= lines->mask; i++)
        if (lines->slot[i])
            sharing_add(into, lines->slot[i] - 1);
}

double sharing_common(const struct line_set *a, const struct line_set *b)
{
    struct line_set both = {0};
    join(&both, a);
    join(&both, b);
    const double share = ratio(a->n + b->n - both.n, a->n);
    line_set_fini(&both);
    return share;
}

void sharing_measure(struct sharing *s, struct launch *l)
{
    const uint64_t grid = launch_ctas(l), cores = (uint64_t)s->cfg->top.cores;
    struct requests *req = xcalloc(1, sizeof *req);
    struct line_set lines = {0}, together = {0};
    struct follower f = {req, &lines};
    struct fault *why = l->why;
    uint64_t cta;
    req->cfg = s->cfg;
    l->why = NULL;
    join(&together, s->own);
    s->lines[0] = together.n;
    for (int k = 1; k < SAMPLE_CORE_CTAS && sharing_same_core(s->cta, cores, grid, k, &cta); k++) {
        follow(s, l, cta, &f);
        if (k == 1)
            s->core = sharing_common(s->own, &lines);
        join(&together, &lines);
        s->lines[k] = together.n;
    }
    if (grid > 1) {
        follow(s, l, s->cta + 1 < grid ? s->cta + 1 : s->cta - 1, &f);
        s->next = sharing_common(s->own, &lines);
    }
    l->why = why;
    line_set_fini(&lines);
    line_set_fini(&together);
    free(req);
}
