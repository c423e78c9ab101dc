/* Clusters that run, their barrier, and the instructions that are theirs. */
#include "sim/func/cta_cluster.h"

#include <stdlib.h>

#include "sim/func/barrier.h"
#include "sim/func/exec.h"
#include "sim/func/lanes.h"
#include "sim/func/split.h"

struct cta_cluster {
    struct cta_clusters *all;
    struct cta *cta[CTA_CLUSTER_MOST]; /* borrowed, by rank; NULL: not begun, or ended */
    int begun, ended;
    bool arrivals;            /* someone has arrived */
    bool changed;             /* since the barrier was looked at */
    struct cta_cluster *next; /* of those that run, or of those that are free */
};

struct cta_clusters {
    int size; /* CTAs of a cluster */
    bool changed;
    struct cta_cluster *running, *free; /* owned; the one that began last comes first */
};

/* -- what a launch asks for */

void launch_cluster(const struct launch *l, int size[3])
{
    const int *asked = l->cluster[0] ? l->cluster : l->kernel->cluster;
    for (int i = 0; i < 3; i++)
        size[i] = !l->recorded && asked[0] && asked[i] ? asked[i] : 1;
}

int launch_cluster_ctas(const struct launch *l)
{
    int size[3];
    launch_cluster(l, size);
    return size[0] * size[1] * size[2];
}

bool launch_has_clusters(const struct launch *l)
{
    if (launch_cluster_ctas(l) > 1)
        return true;
    if (l->recorded)
        return false;
    for (uint32_t i = 0; i < l->kernel->ninst; i++)
        if (l->kernel->inst[i].op == OP_CLUSTER_ARRIVE || l->kernel->inst[i].op == OP_CLUSTER_WAIT)
            return true;
    return false;
}

uint64_t launch_cta_in_order(const struct launch *l, uint64_t i)
{
    int size[3];
    launch_cluster(l, size);
    const uint64_t all = (uint64_t)launch_cluster_ctas(l);
    uint64_t cluster = i / all, rank = i % all, id[3];
    if (all == 1)
        return i;
    for (int d = 0; d < 3; d++) {
        const uint64_t n = (uint64_t)size[d], clusters = (uint64_t)l->grid[d] / n;
        id[d] = cluster % clusters * n + rank % n;
        cluster /= clusters;
        rank /= n;
    }
    return id[0] + (uint64_t)l->grid[0] * (id[1] + (uint64_t)l->grid[1] * id[2]);
}

bool launch_check_cluster(const struct launch *l, struct err *e)
{
    const struct kernel *k = l->kernel;
    int s[3];
    if (l->recorded)
        return true;
    launch_cluster(l, s);
    if (s[0] > CTA_CLUSTER_MOST || s[1] > CTA_CLUSTER_MOST || s[2] > CTA_CLUSTER_MOST ||
        launch_cluster_ctas(l) > CTA_CLUSTER_MOST)
        return err_set(e, "kernel %s: a cluster of %d x %d x %d CTAs, at most %d", k->name, s[0],
                       s[1], s[2], CTA_CLUSTER_MOST);
    if (k->max_cluster && launch_cluster_ctas(l) > k->max_cluster)
        return err_set(e, "kernel %s: a cluster of %d CTAs, but .maxclusterrank allows %d", k->name,
                       launch_cluster_ctas(l), k->max_cluster);
    for (int d = 0; d < 3; d++)
        if (k->cluster[0] && k->cluster[d] != s[d])
            return err_set(e,
                           "kernel %s: clusters of %d x %d x %d CTAs, but .reqnctapercluster asks "
                           "for %d x %d x %d",
                           k->name, s[0], s[1], s[2], k->cluster[0], k->cluster[1], k->cluster[2]);
    for (int d = 0; d < 3; d++) {
        const int ctas = l->grid[d];
        if (ctas % s[d])
            return err_set(e, "kernel %s: grid.%c = %d is no multiple of %d, the size of a cluster",
                           k->name, "xyz"[d], ctas, s[d]);
    }
    if (k->explicit_cluster && !k->cluster[0] && !l->cluster[0])
        return err_set(e, "kernel %s: the launch has to say the size of its clusters", k->name);
    return true;
}

/* -- clusters that run */

struct cta_clusters *cta_clusters_new(const struct launch *l)
{
    if (!launch_has_clusters(l))
        return NULL;
    struct cta_clusters *all = xcalloc(1, sizeof *all);
    all->size = launch_cluster_ctas(l);
    return all;
}

static void free_list(struct cta_cluster *c)
{
    while (c) {
        struct cta_cluster *gone = c;
        c = c->next;
        free(gone);
    }
}

void cta_clusters_free(struct cta_clusters *all)
{
    if (!all)
        return;
    free_list(all->running);
    free_list(all->free);
    free(all);
}

static struct cta_cluster *begin_cluster(struct cta_clusters *all)
{
    struct cta_cluster *x = all->free;
    if (x)
        all->free = x->next;
    else
        x = xmalloc(sizeof *x);
    *x = (struct cta_cluster){.all = all, .next = all->running};
    all->running = x;
    return x;
}

void cta_cluster_begin(struct cta *c)
{
    struct cta_clusters *all = c->launch->clusters;
    int size[3], at[3];
    launch_cluster(c->launch, size);
    for (int d = 0; d < 3; d++)
        at[d] = c->id[d] % size[d];
    c->rank = at[0] + size[0] * (at[1] + size[1] * at[2]);
    c->cluster = NULL;
    for (int i = 0; i < c->nwarps; i++)
        c->warp[i].arrived = c->warp[i].unwaited = 0;
    if (!all)
        return;
    c->cluster = all->running;
    if (!c->cluster || c->cluster->begun == all->size)
        c->cluster = begin_cluster(all);
    BUG_ON(c->rank != c->cluster->begun, "CTA %d of a cluster begins before CTA %d", c->rank,
           c->cluster->begun);
    c->cluster->cta[c->cluster->begun++] = c;
}

static void note_change(struct cta_cluster *x)
{
    x->changed = x->all->changed = true;
}

void cta_cluster_exit(struct cta *c)
{
    if (c->cluster)
        note_change(c->cluster);
}

void cta_cluster_end(struct cta *c)
{
    struct cta_cluster *x = c->cluster;
    if (!x)
        return;
    note_change(x);
    x->cta[c->rank] = NULL;
    c->cluster = NULL;
    if (++x->ended < x->all->size)
        return;
    struct cta_cluster **link = &x->all->running;
    while (*link != x)
        link = &(*link)->next;
    *link = x->next;
    x->next = x->all->free;
    x->all->free = x;
}

struct cta *cta_of_rank(struct cta *c, int rank)
{
    if (rank == c->rank)
        return c;
    return c->cluster && rank < c->cluster->all->size ? c->cluster->cta[rank] : NULL;
}

/* -- the barrier */

static bool complete(const struct cta_cluster *x)
{
    if (!x->arrivals || x->begun < x->all->size)
        return false;
    for (int r = 0; r < x->all->size; r++)
        for (int i = 0; x->cta[r] && i < x->cta[r]->nwarps; i++)
            if (x->cta[r]->warp[i].live & ~x->cta[r]->warp[i].arrived)
                return false;
    return true;
}

static void release_warp(struct warp *w)
{
    w->arrived = 0;
    if (w->barrier == CLUSTER_BARRIER)
        w->barrier = -1;
    for (int i = 0; i < w->depth; i++)
        if (w->stack[i].state == PATH_CLUSTER)
            w->stack[i].state = PATH_RUNS;
}

static void release(struct cta_cluster *x)
{
    x->arrivals = false;
    for (int r = 0; r < x->all->size; r++)
        for (int i = 0; x->cta[r] && i < x->cta[r]->nwarps; i++)
            release_warp(&x->cta[r]->warp[i]);
}

bool cta_clusters_settle(struct cta_clusters *all)
{
    bool any = false;
    if (!all || !all->changed)
        return false;
    all->changed = false;
    for (struct cta_cluster *x = all->running; x; x = x->next) {
        if (x->changed && complete(x)) {
            release(x);
            any = true;
        }
        x->changed = false;
    }
    return any;
}

void cta_cluster_count(const struct cta *c, int *arrived, int *threads)
{
    *arrived = *threads = 0;
    for (int r = 0; r < c->cluster->all->size; r++) {
        const struct cta *x = c->cluster->cta[r];
        for (int i = 0; x && i < x->nwarps; i++) {
            *arrived += __builtin_popcount(x->warp[i].arrived & x->warp[i].live);
            *threads += __builtin_popcount(x->warp[i].live);
        }
    }
}

/* -- instructions */

/* Between an arrival and the next a thread has to wait (PTX ISA, barrier.cluster). */
static bool in_turn(struct warp *w, const struct inst *in, lanes_t wrong, const char *text)
{
    if (wrong)
        warp_fault(w, in, FAULT_BARRIER_DIVERGED, __builtin_ctz(wrong), 0, 0, text);
    return !wrong;
}

static void exec_arrive(struct warp *w, const struct inst *in, lanes_t active)
{
    struct cta_cluster *x = w->cta->cluster;
    if (!in_turn(w, in, active & w->unwaited,
                 "arrives at the barrier of its cluster again, without having waited there"))
        return;
    w->arrived |= active;
    w->unwaited |= active;
    x->arrivals = true;
    note_change(x);
}

static void exec_wait(struct warp *w, const struct inst *in, lanes_t active)
{
    if (!in_turn(w, in, active & ~w->unwaited,
                 "waits at the barrier of its cluster, at which it has not arrived"))
        return;
    w->unwaited &= ~active;
    if (!(active & w->arrived))
        return;
    if (active == w->live)
        w->barrier = CLUSTER_BARRIER;
    else if (w->cta->independent)
        split_wait(w, active, PATH_CLUSTER);
    else
        in_turn(w, in, active,
                "divergent barrier: a part of the warp's threads waits for the cluster");
}

static addr_t lane_value(struct warp *w, const struct opnd *o, int lane)
{
    return o->width == 8 ? row64(w, o)[lane] : row32(w, o)[lane];
}

/* What no CTA has: the last part of the shared window. */
#define NO_RANK (WINDOW_BYTES / CTA_SHARED_STRIDE - 2)

/* Addresses without a space are generic. */
static addr_t window_of(const struct inst *in)
{
    return in->space == SP_SHARED ? 0 : SHARED_WINDOW;
}

static void exec_mapa(struct warp *w, const struct inst *in, lanes_t active)
{
    const addr_t window = window_of(in);
    const struct opnd *d = &in->dst[0];
    for (lanes_t m = active; m; m &= m - 1) {
        const int i = __builtin_ctz(m);
        const addr_t offset = (lane_value(w, &in->src[0], i) - window) % CTA_SHARED_STRIDE;
        const addr_t rank = row32(w, &in->src[1])[i];
        const addr_t part = (rank < NO_RANK ? rank : NO_RANK) + 1;
        const addr_t to = window + part * CTA_SHARED_STRIDE + offset;
        if (d->width == 8)
            row64(w, d)[i] = to;
        else
            row32(w, d)[i] = (uint32_t)to;
    }
}

static void exec_ctarank(struct warp *w, const struct inst *in, lanes_t active)
{
    const addr_t window = window_of(in);
    for (lanes_t m = active; m; m &= m - 1) {
        const int i = __builtin_ctz(m);
        const addr_t offset = lane_value(w, &in->src[0], i) - window;
        row32(w, &in->dst[0])[i] = (uint32_t)cta_shared_rank(w->cta, offset % WINDOW_BYTES);
    }
}

exec_fn exec_lookup_cluster(const struct inst *in)
{
    switch ((enum opcode)in->op) {
    case OP_CLUSTER_ARRIVE:
        return exec_arrive;
    case OP_CLUSTER_WAIT:
        return exec_wait;
    case OP_MAPA:
        return in->dst[0].off == OPND_NONE ? exec_nothing : exec_mapa;
    case OP_CTARANK:
        return in->dst[0].off == OPND_NONE ? exec_nothing : exec_ctarank;
    default:
        return NULL;
    }
}
