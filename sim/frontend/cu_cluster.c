/* Driver API: launches in clusters of CTAs: which a function takes, how many run at once. */
#include <string.h>

#include "sim/frontend/cuda.h"
#include "sim/frontend/session.h"
#include "sim/func/cta_cluster.h"
#include "sim/gpu/gpu.h"

/* What the launch asks for, or the program has set for all of them. */
static const int *asked(const struct launch *l, CUfunction f)
{
    return l->cluster[0] ? l->cluster : f->cluster;
}

/* An attribute that is all zeros asks for nothing. */
static bool fill(struct launch *to, CUfunction f, const struct graph_launch *l)
{
    const unsigned *c = l->cluster;
    *to = (struct launch){.kernel = f->kernel, .dyn_shared = l->shared};
    if ((c[0] || c[1] || c[2]) && !(c[0] && c[1] && c[2]))
        return false;
    for (int i = 0; i < 3; i++) {
        if (c[i] > CTA_CLUSTER_MOST)
            return false;
        to->cluster[i] = (int)c[i];
        to->block[i] = (int)l->block[i];
        to->grid[i] = (int)l->grid[i];
    }
    memcpy(to->cluster, asked(to, f), sizeof to->cluster);
    return true;
}

static bool is_required(const int *required, const struct launch *l)
{
    int size[3];
    launch_cluster(l, size);
    for (int i = 0; i < 3 && required[0]; i++)
        if (size[i] != (required[i] ? required[i] : 1))
            return false;
    return true;
}

CUresult session_cluster(CUfunction f, const struct graph_launch *l, int size[3])
{
    struct launch of;
    struct err e;
    if (!fill(&of, f, l))
        return CUDA_ERROR_INVALID_CLUSTER_SIZE;
    memcpy(size, of.cluster, sizeof of.cluster);
    for (int i = 0; i < 3 && f->kernel->blocks_are_clusters; i++)
        of.grid[i] = f->kernel->cluster[i] ? f->kernel->cluster[i] : 1;
    const bool ok = launch_check_cluster(&of, &e) && is_required(f->cluster, &of) &&
                    launch_cluster_ctas(&of) <= session_largest_cluster(f);
    return ok ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CLUSTER_SIZE;
}

int session_largest_cluster(CUfunction f)
{
    return f->large_clusters ? CTA_CLUSTER_MOST : CTA_CLUSTER_PORTABLE;
}

/* CTAs that the whole GPU holds. */
static CUresult resident(CUfunction f, const struct graph_launch *l, int *ctas)
{
    struct gpu_cfg cfg;
    const unsigned *b = l->block;
    session_device(&cfg);
    CUresult r = launch_block_ok(b[0], b[1], b[2])
                     ? cuOccupancyMaxActiveBlocksPerMultiprocessor(
                           ctas, f, (int)(b[0] * b[1] * b[2]), l->shared)
                     : CUDA_ERROR_INVALID_VALUE;
    *ctas *= r == CUDA_SUCCESS ? cfg.top.cores : 0;
    return r;
}

CUresult session_active_clusters(const struct graph_launch *l, int *clusters)
{
    CUcontext ctx;
    CUfunction f = l->f;
    struct launch of;
    int size[3], ctas = 0;
    CUresult r = clusters ? session_context(&ctx) : CUDA_ERROR_INVALID_VALUE;
    if (r == CUDA_SUCCESS)
        r = session_function(ctx, &f);
    if (r == CUDA_SUCCESS)
        r = session_cluster(f, l, size);
    if (r == CUDA_SUCCESS)
        r = resident(f, l, &ctas);
    if (r != CUDA_SUCCESS)
        return r;
    fill(&of, f, l);
    *clusters = ctas / launch_cluster_ctas(&of);
    return CUDA_SUCCESS;
}

/* The largest power of two, as hardware's clusters are, that the GPU holds. */
CUresult session_potential_cluster(const struct graph_launch *l, int *size)
{
    CUcontext ctx;
    CUfunction f = l->f;
    int ctas = 0;
    CUresult r = size ? session_context(&ctx) : CUDA_ERROR_INVALID_VALUE;
    if (r == CUDA_SUCCESS)
        r = session_function(ctx, &f);
    if (r == CUDA_SUCCESS)
        r = resident(f, l, &ctas);
    if (r != CUDA_SUCCESS)
        return r;
    int most = session_largest_cluster(f);
    if (f->kernel->max_cluster && f->kernel->max_cluster < most)
        most = f->kernel->max_cluster;
    while (most > ctas)
        most /= 2;
    *size = most;
    return CUDA_SUCCESS;
}

CUresult session_set_cluster(CUfunction f, CUfunction_attribute attribute, int value)
{
    if (attribute == CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED) {
        f->large_clusters = value != 0;
        return CUDA_SUCCESS;
    }
    if (attribute == CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE) {
        f->cluster_policy = value;
        return value >= 0 && value <= 2 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    }
    if (f->kernel->cluster[0]) /* says the header of CUDA */
        return CUDA_ERROR_NOT_PERMITTED;
    if (value < 0 || value > CTA_CLUSTER_MOST)
        return CUDA_ERROR_INVALID_VALUE;
    f->cluster[attribute - CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH] = value;
    return CUDA_SUCCESS;
}

CUresult session_get_cluster(CUfunction f, CUfunction_attribute attribute, int *value)
{
    const struct kernel *k = f->kernel;
    const int *required = k->cluster[0] ? k->cluster : f->cluster;
    switch (attribute) {
    case CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET:
        *value = k->explicit_cluster || required[0];
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
        *value = f->large_clusters;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
        *value = f->cluster_policy;
        return CUDA_SUCCESS;
    default:
        *value = required[attribute - CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH];
        return CUDA_SUCCESS;
    }
}
