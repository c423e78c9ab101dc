#include "sampler/window/sharing.h"

#include <stdlib.h>

#include "sampler/window/requests.h"
#include "sim/sm/inst_run.h"

void sharing_add(struct line_set *s, addr_t line)
{
    if (s->n < SHARING_MAX_LINES)
        line_set_add(s, line);
}

bool sharing_neighbour(uint64_t cta, uint64_t cores, uint64_t grid, uint64_t *out)
{
    if (cta + cores >= grid && cta < cores)
        return false;
    *out = cta + cores < grid ? cta + cores : cta - cores;
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
    struct fault *why = l->why;
    uint64_t cta;
    s->core = 0;
    if (!sharing_neighbour(s->cta, (uint64_t)s->cfg->top.cores, launch_ctas(l), &cta))
        return;
    struct requests *req = xcalloc(1, sizeof *req);
    struct line_set lines = {0};
    req->cfg = s->cfg;
    l->why = NULL;
    follow(s, l, cta, &(struct follower){req, &lines});
    s->core = sharing_common(s->own, &lines);
    l->why = why;
    line_set_fini(&lines);
    free(req);
}
