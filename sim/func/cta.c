#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "sim/func/barrier.h"
#include "sim/func/cta_cluster.h"
#include "sim/func/exec.h"
#include "sim/func/simt.h"

#define LINE 64 /* rows and areas start on cache lines */

static size_t rounded(size_t bytes)
{
    return (bytes + LINE - 1) / LINE * LINE;
}

/* The bytes of a warp's frames where they are not part of local memory. */
static size_t own_frames(const struct kernel *k)
{
    return k->frame_is_local ? 0 : rounded((size_t)k->frame_bytes * WARP_SIZE);
}

static size_t arena_bytes(const struct cta *c)
{
    const struct kernel *k = c->kernel;
    size_t warp =
        rounded(k->reg_bytes) + own_frames(k) + rounded((size_t)k->local_bytes * WARP_SIZE);
    return rounded(c->shared_room) + (size_t)c->nwarps * warp + LINE;
}

/* One block for everything that a CTA's start clears: shared memory, then each warp's registers,
 * frame and local memory. */
static void carve(struct cta *c)
{
    const struct kernel *k = c->kernel;
    uint8_t *at = c->arena;
    c->shared = at;
    at += rounded(c->shared_room);
    for (int i = 0; i < c->nwarps; i++) {
        struct warp *w = &c->warp[i];
        w->cta = c;
        w->index = i;
        w->bank[BANK_CONST] = k->cbank;
        w->bank[BANK_REG] = at;
        at += rounded(k->reg_bytes);
        w->frame = at;
        at += own_frames(k);
        w->local = at;
        if (k->frame_is_local)
            w->frame = at + k->local_bytes - k->frame_bytes;
        at += rounded((size_t)k->local_bytes * WARP_SIZE);
    }
}

static bool asks_for_reserved(const struct kernel *k)
{
    for (int r = SREG_RESERVED_SMEM_BEGIN; r <= SREG_RESERVED_SMEM_END; r++)
        if (k->sreg_off[r] != OPND_NONE)
            return true;
    return false;
}

static uint32_t reserved_start(const struct cta *c)
{
    return (c->shared_bytes + 15) & ~15u;
}

struct cta *cta_new(struct launch *l)
{
    struct cta *c = xcalloc(1, sizeof *c);
    c->launch = l;
    c->kernel = l->kernel;
    c->nthreads = launch_threads(l);
    c->nwarps = launch_warps(l);
    c->independent = launch_independent(l);
    c->shared_bytes = launch_shared(l);
    c->shared_room =
        asks_for_reserved(c->kernel) ? reserved_start(c) + RESERVED_SMEM_BYTES : c->shared_bytes;
    c->warp = xcalloc((size_t)c->nwarps, sizeof *c->warp);
    c->barriers = barrier_set_new(c->nwarps);
    c->arena = xaligned(LINE, arena_bytes(c));
    carve(c);
    return c;
}

void cta_free(struct cta *c)
{
    if (!c)
        return;
    for (int i = 0; i < c->nwarps; i++) {
        simt_fini(&c->warp[i]);
        free(c->warp[i].staged);
        free(c->warp[i].spin.seen);
    }
    barrier_set_free(c->barriers);
    free(c->warp);
    free(c->arena);
    free(c);
}

bool cta_done(const struct cta *c)
{
    return c->warps_done == c->nwarps;
}

/* Special registers of clusters: CTAs that are neighbours in the grid. */
static uint32_t cluster_sreg(const struct cta *c, enum sreg r)
{
    int size[3];
    launch_cluster(c->launch, size);
    if (r <= SREG_CLUSTERID_Z)
        return (uint32_t)(c->id[r - SREG_CLUSTERID_X] / size[r - SREG_CLUSTERID_X]);
    if (r <= SREG_NCLUSTERID_Z)
        return (uint32_t)(c->launch->grid[r - SREG_NCLUSTERID_X] / size[r - SREG_NCLUSTERID_X]);
    if (r <= SREG_CLUSTER_CTAID_Z)
        return (uint32_t)(c->id[r - SREG_CLUSTER_CTAID_X] % size[r - SREG_CLUSTER_CTAID_X]);
    if (r <= SREG_CLUSTER_NCTAID_Z)
        return (uint32_t)size[r - SREG_CLUSTER_NCTAID_X];
    if (r == SREG_CLUSTER_CTARANK)
        return (uint32_t)c->rank;
    return r == SREG_CLUSTER_NCTARANK ? (uint32_t)(size[0] * size[1] * size[2])
                                      : c->kernel->cluster[0] || c->launch->cluster[0];
}

/* Special registers that are the same for every lane of the warp. */
static uint32_t uniform_sreg(const struct warp *w, enum sreg r)
{
    const struct cta *c = w->cta;
    const struct launch *l = c->launch;
    if (r >= SREG_CLUSTERID_X && r <= SREG_IS_EXPLICIT_CLUSTER)
        return cluster_sreg(c, r);
    switch (r) {
    case SREG_NTID_X:
    case SREG_NTID_Y:
    case SREG_NTID_Z:
        return (uint32_t)l->block[r - SREG_NTID_X];
    case SREG_CTAID_X:
    case SREG_CTAID_Y:
    case SREG_CTAID_Z:
        return (uint32_t)c->id[r - SREG_CTAID_X];
    case SREG_NCTAID_X:
    case SREG_NCTAID_Y:
    case SREG_NCTAID_Z:
        return (uint32_t)l->grid[r - SREG_NCTAID_X];
    case SREG_WARPID:
        return (uint32_t)w->index;
    case SREG_NWARPID:
        return (uint32_t)c->nwarps;
    case SREG_SMID:
        return (uint32_t)c->smid;
    case SREG_NSMID:
        return (uint32_t)c->nsmid;
    case SREG_GRIDID:
        devmem_note_effect(l->mem);
        return (uint32_t)l->sequence;
    case SREG_DYNAMIC_SMEM_SIZE:
        return l->dyn_shared;
    case SREG_TOTAL_SMEM_SIZE:
        return c->shared_bytes;
    case SREG_RESERVED_SMEM_BEGIN:
        return reserved_start(c);
    case SREG_RESERVED_SMEM_1:
        return reserved_start(c) + RESERVED_SMEM_BYTES / 2;
    case SREG_RESERVED_SMEM_END:
        return reserved_start(c) + RESERVED_SMEM_BYTES;
    case SREG_STACK_TOP:
        return c->kernel->stack_off;
    case SREG_ENVREG1:
        return (uint32_t)(l->workspace >> 32);
    case SREG_ENVREG2:
        return (uint32_t)l->workspace;
    default: /* SREG_ENVREG */
        return 0;
    }
}

static uint32_t lane_sreg(const struct warp *w, enum sreg r, uint32_t lane)
{
    uint32_t bit = 1u << lane;
    uint32_t t = (uint32_t)w->index * WARP_SIZE + lane;
    const int *b = w->cta->launch->block;
    uint32_t nx = (uint32_t)b[0], ny = (uint32_t)b[1];
    switch (r) {
    case SREG_TID_X:
        return t % nx;
    case SREG_TID_Y:
        return t / nx % ny;
    case SREG_TID_Z:
        return t / nx / ny;
    case SREG_LANEID:
        return lane;
    case SREG_LANEMASK_EQ:
        return bit;
    case SREG_LANEMASK_LE:
        return bit | (bit - 1);
    case SREG_LANEMASK_LT:
        return bit - 1;
    case SREG_LANEMASK_GE:
        return ~(bit - 1);
    default: /* SREG_LANEMASK_GT */
        return ~(bit | (bit - 1));
    }
}

static bool differs_by_lane(enum sreg r)
{
    return r <= SREG_TID_Z || r == SREG_LANEID || (r >= SREG_LANEMASK_EQ && r <= SREG_LANEMASK_GT);
}

static void fill_sregs(struct warp *w)
{
    const struct kernel *k = w->cta->kernel;
    for (int r = 0; r < SREG_ROWS; r++) {
        if (k->sreg_off[r] == OPND_NONE)
            continue;
        uint32_t *row = (uint32_t *)(w->bank[BANK_REG] + k->sreg_off[r]);
        uint32_t same = differs_by_lane(r) ? 0 : uniform_sreg(w, r);
        for (uint32_t i = 0; i < WARP_SIZE; i++)
            row[i] = differs_by_lane(r) ? lane_sreg(w, r, i) : same;
    }
}

void cta_place(struct cta *c, uint64_t linear_id)
{
    const int *g = c->launch->grid;
    const uint64_t gx = (uint64_t)g[0], gy = (uint64_t)g[1];
    c->linear = (int)linear_id;
    c->id[0] = (int)(linear_id % gx);
    c->id[1] = (int)(linear_id / gx % gy);
    c->id[2] = (int)(linear_id / gx / gy);
}

/* Everything that a kernel could read before writing it is zero, so that results do not depend on
 * the CTA that used the memory before. */
void cta_init(struct cta *c, uint64_t linear_id, int smid, int nsmid)
{
    cta_place(c, linear_id);
    cta_cluster_begin(c);
    c->smid = smid;
    c->nsmid = nsmid;
    c->warps_done = 0;
    c->fault.kind = FAULT_NONE;
    memset(c->arena, 0, arena_bytes(c));
    barrier_set_reset(c->barriers);
    for (int i = 0; i < c->nwarps; i++) {
        struct warp *w = &c->warp[i];
        int lanes = c->nthreads - i * WARP_SIZE;
        simt_init(w, lanes >= WARP_SIZE ? LANES_ALL : (1u << lanes) - 1);
        w->barrier = -1;
        w->out = NULL;
        w->steps = 0;
        w->turns = 0;
        w->spin = (struct spin){.seen = w->spin.seen};
        fill_sregs(w);
    }
}
