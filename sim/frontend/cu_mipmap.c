/* Driver API: mipmapped arrays (contract: cuda_array.h). Each level is an array, too, which belongs
 * to the whole. */
#include <stdlib.h>

#include "sim/frontend/pending.h"
#include "sim/func/mipmap.h"

static CUmipmappedArray *find(CUcontext ctx, CUmipmappedArray m)
{
    CUmipmappedArray *at = &ctx->mipmaps;
    while (*at && *at != m)
        at = &(*at)->next;
    return at;
}

bool session_has_mipmap(CUcontext ctx, CUmipmappedArray m)
{
    return *find(ctx, m) != NULL;
}

static void add_levels(CUcontext ctx, CUmipmappedArray m, const CUDA_ARRAY3D_DESCRIPTOR *desc)
{
    for (int i = 0; i < m->im.levels; i++) {
        CUarray a = xcalloc(1, sizeof *a);
        mipmap_level(&m->im, i, &a->im);
        a->desc = *desc;
        a->desc.Width = a->im.size[0];
        a->desc.Height = desc->Height ? a->im.size[1] : 0;
        a->desc.Depth = a->im.dims == 3 ? a->im.size[2] : desc->Depth;
        a->whole = m;
        a->next = ctx->arrays;
        ctx->arrays = m->level[i] = a;
    }
}

CUresult cuMipmappedArrayCreate(CUmipmappedArray *array, const CUDA_ARRAY3D_DESCRIPTOR *desc,
                                unsigned int levels)
{
    SESSION_CALL();
    CUcontext ctx;
    CUresult r = session_context(&ctx);
    if (r != CUDA_SUCCESS)
        return r;
    if (!array || !desc)
        return CUDA_ERROR_INVALID_VALUE;
    struct image im = {0};
    r = session_array_shape(desc, &im);
    if (r != CUDA_SUCCESS)
        return r;
    const unsigned most = (unsigned)mipmap_most_levels(&im);
    im.levels = (uint8_t)(levels > most ? most : levels ? levels : 1);
    if (!mipmap_lay_out(&im) || !session_array_memory(ctx, &im, "mipmapped array"))
        return CUDA_ERROR_OUT_OF_MEMORY;
    CUmipmappedArray m = xcalloc(1, sizeof *m);
    m->im = im;
    m->next = ctx->mipmaps;
    ctx->mipmaps = *array = m;
    add_levels(ctx, m, desc);
    return CUDA_SUCCESS;
}

CUresult cuMipmappedArrayGetLevel(CUarray *array, CUmipmappedArray m, unsigned int level)
{
    SESSION_CALL();
    CUcontext ctx;
    CUresult r = session_context(&ctx);
    if (r != CUDA_SUCCESS)
        return r;
    if (!session_has_mipmap(ctx, m))
        return CUDA_ERROR_INVALID_HANDLE;
    if (!array || level >= m->im.levels)
        return CUDA_ERROR_INVALID_VALUE;
    *array = m->level[level];
    return CUDA_SUCCESS;
}

CUresult cuMipmappedArrayDestroy(CUmipmappedArray m)
{
    SESSION_CALL();
    pending_settle_all();
    CUcontext ctx;
    CUresult r = session_context(&ctx);
    if (r != CUDA_SUCCESS)
        return r;
    CUmipmappedArray *at = find(ctx, m);
    if (!*at)
        return CUDA_ERROR_INVALID_HANDLE;
    *at = m->next;
    for (CUarray *a = &ctx->arrays; *a;) {
        CUarray gone = *a;
        if (gone->whole == m) {
            *a = gone->next;
            free(gone);
        } else
            a = &gone->next;
    }
    devmem_release(context_mem(ctx->context), m->im.base);
    free(m);
    return CUDA_SUCCESS;
}
