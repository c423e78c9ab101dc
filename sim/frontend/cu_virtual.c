/* Driver API: virtual memory (contract: cuda_virtual.h).
 *
 *   [VIRTUAL_BASE, + VIRTUAL_SPAN)   what programs see: reserved, never to be touched by the host
 *   the same, VIRTUAL_BACKING on     the bytes: pages move here from their handle when it is mapped
 *
 * Both lie side by side, so that mappings with adjacent addresses have adjacent bytes. */
#include "sim/frontend/cuda_virtual.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "sim/frontend/session.h"

#define VIRTUAL_BASE    0x300000000000ull
#define VIRTUAL_SPAN    0x040000000000ull
#define VIRTUAL_BACKING 0x080000000000ull
#define NAME            "mapped device memory"

struct virtual_range { /* reserved addresses */
    CUdeviceptr at;
    size_t bytes;
    struct virtual_range *next;
};

struct virtual_memory { /* a handle: its address */
    void *pages;        /* where they wait while not mapped; else NULL */
    size_t bytes;
    CUdeviceptr at; /* mapped here; 0: nowhere */
    unsigned held;  /* handles not released yet */
    int access;
    CUmemAllocationProp prop;
    struct virtual_memory *next;
};

struct virtual_run { /* what kernels reach: one allocation */
    CUdeviceptr at;
    struct virtual_run *next;
};

static void *backing(CUdeviceptr p)
{
    return (void *)(uintptr_t)(p + VIRTUAL_BACKING);
}

static bool whole(size_t bytes)
{
    return bytes && bytes % VIRTUAL_GRANULARITY == 0;
}

static bool place(CUdeviceptr p, size_t bytes, int flags)
{
    void *want = (void *)(uintptr_t)p;
    void *got =
        mmap(want, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | flags, -1, 0);
    if (got != want && got != MAP_FAILED)
        munmap(got, bytes);
    return got == want;
}

/* -- addresses */

static bool reserve_at(CUdeviceptr p, size_t bytes)
{
    if (p < VIRTUAL_BASE || p % VIRTUAL_GRANULARITY || bytes > VIRTUAL_SPAN ||
        p - VIRTUAL_BASE > VIRTUAL_SPAN - bytes || !place(p, bytes, MAP_FIXED_NOREPLACE))
        return false;
    if (place(p + VIRTUAL_BACKING, bytes, MAP_FIXED_NOREPLACE))
        return true;
    munmap((void *)(uintptr_t)p, bytes);
    return false;
}

/* The first address behind every reserved range that ends where no other begins. */
static CUdeviceptr find_room(CUcontext ctx, size_t bytes, size_t align)
{
    CUdeviceptr at = VIRTUAL_BASE;
    for (const struct virtual_range *r = ctx->ranges; r; r = r->next)
        at = r->at + r->bytes > at ? r->at + r->bytes : at;
    for (at = (at + align - 1) / align * align; at < VIRTUAL_BASE + VIRTUAL_SPAN; at += align)
        if (reserve_at(at, bytes))
            return at;
    return 0;
}

CUresult cuMemAddressReserve(CUdeviceptr *p, size_t bytes, size_t align, CUdeviceptr at,
                             unsigned long long flags)
{
    SESSION_CALL();
    CUcontext ctx;
    CUresult r = session_context(&ctx);
    if (r != CUDA_SUCCESS)
        return r;
    if (!p || !whole(bytes) || flags || (align & (align - 1)))
        return CUDA_ERROR_INVALID_VALUE;
    size_t step = align > VIRTUAL_GRANULARITY ? align : VIRTUAL_GRANULARITY;
    *p = at && at % step == 0 && reserve_at(at, bytes) ? at : find_room(ctx, bytes, step);
    if (!*p)
        return CUDA_ERROR_OUT_OF_MEMORY;
    struct virtual_range *range = xmalloc(sizeof *range);
    *range = (struct virtual_range){*p, bytes, ctx->ranges};
    ctx->ranges = range;
    return CUDA_SUCCESS;
}

static bool meets(const struct virtual_memory *m, CUdeviceptr p, size_t bytes)
{
    return m->at && m->at < p + bytes && p < m->at + m->bytes;
}

static void free_range(struct virtual_range **at)
{
    struct virtual_range *gone = *at;
    *at = gone->next;
    munmap((void *)(uintptr_t)gone->at, gone->bytes);
    munmap(backing(gone->at), gone->bytes);
    free(gone);
}

CUresult cuMemAddressFree(CUdeviceptr p, size_t bytes)
{
    SESSION_CALL();
    CUcontext ctx;
    CUresult r = session_context(&ctx);
    if (r != CUDA_SUCCESS)
        return r;
    struct virtual_range **at = &ctx->ranges;
    while (*at && ((*at)->at != p || (*at)->bytes != bytes))
        at = &(*at)->next;
    bool free_now = *at != NULL;
    for (const struct virtual_memory *m = ctx->memories; m; m = m->next)
        free_now = free_now && !meets(m, p, bytes);
    if (!free_now)
        return CUDA_ERROR_INVALID_VALUE;
    free_range(at);
    return CUDA_SUCCESS;
}

/* -- memory */

static CUresult check_prop(const CUmemAllocationProp *prop)
{
    if (!prop || prop->type != CU_MEM_ALLOCATION_TYPE_PINNED ||
        prop->location.type != CU_MEM_LOCATION_TYPE_DEVICE)
        return CUDA_ERROR_INVALID_VALUE;
    return prop->location.id == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuMemGetAllocationGranularity(size_t *bytes, const CUmemAllocationProp *prop, int option)
{
    SESSION_CALL();
    CUresult r = session_ready();
    if (r == CUDA_SUCCESS)
        r = bytes && (option == 0 || option == 1) ? check_prop(prop) : CUDA_ERROR_INVALID_VALUE;
    if (r == CUDA_SUCCESS)
        *bytes = VIRTUAL_GRANULARITY;
    return r;
}

CUresult cuMemCreate(CUmemGenericAllocationHandle *handle, size_t bytes,
                     const CUmemAllocationProp *prop, unsigned long long flags)
{
    SESSION_CALL();
    CUcontext ctx;
    CUresult r = session_context(&ctx);
    if (r == CUDA_SUCCESS)
        r = handle && whole(bytes) && !flags ? check_prop(prop) : CUDA_ERROR_INVALID_VALUE;
    if (r != CUDA_SUCCESS)
        return r;
    if (prop->requestedHandleTypes)
        return CUDA_ERROR_NOT_SUPPORTED;
    if (bytes > session_memory_free(ctx))
        return CUDA_ERROR_OUT_OF_MEMORY;
    void *pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (pages == MAP_FAILED)
        return CUDA_ERROR_OUT_OF_MEMORY;
    struct virtual_memory *m = xcalloc(1, sizeof *m);
    *m = (struct virtual_memory){
        .pages = pages, .bytes = bytes, .held = 1, .prop = *prop, .next = ctx->memories};
    ctx->memories = m;
    *handle = (uintptr_t)m;
    return CUDA_SUCCESS;
}

uint64_t session_virtual_bytes(CUcontext ctx)
{
    uint64_t sum = 0;
    for (const struct virtual_memory *m = ctx->memories; m; m = m->next)
        sum += m->bytes;
    return sum;
}

/* The handle's memory, which somebody holds still; else NULL. */
static struct virtual_memory *memory_of(CUcontext ctx, CUmemGenericAllocationHandle handle)
{
    for (struct virtual_memory *m = ctx->memories; m; m = m->next)
        if ((uintptr_t)m == handle && m->held)
            return m;
    return NULL;
}

static struct virtual_memory *mapped_at(CUcontext ctx, CUdeviceptr p)
{
    for (struct virtual_memory *m = ctx->memories; m; m = m->next)
        if (meets(m, p, 1))
            return m;
    return NULL;
}

static void drop_unused(CUcontext ctx)
{
    for (struct virtual_memory **at = &ctx->memories; *at;) {
        struct virtual_memory *m = *at;
        if (m->held || m->at) {
            at = &m->next;
            continue;
        }
        *at = m->next;
        munmap(m->pages, m->bytes);
        free(m);
    }
}

CUresult cuMemRelease(CUmemGenericAllocationHandle handle)
{
    SESSION_CALL();
    CUcontext ctx;
    CUresult r = session_context(&ctx);
    struct virtual_memory *m = r == CUDA_SUCCESS ? memory_of(ctx, handle) : NULL;
    if (!m)
        return r == CUDA_SUCCESS ? CUDA_ERROR_INVALID_VALUE : r;
    m->held--;
    drop_unused(ctx);
    return CUDA_SUCCESS;
}

CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle *handle, void *p)
{
    SESSION_CALL();
    CUcontext ctx;
    CUresult r = session_context(&ctx);
    struct virtual_memory *m = r == CUDA_SUCCESS ? mapped_at(ctx, (uintptr_t)p) : NULL;
    if (!m || !handle)
        return r == CUDA_SUCCESS ? CUDA_ERROR_INVALID_VALUE : r;
    m->held++;
    *handle = (uintptr_t)m;
    return CUDA_SUCCESS;
}

CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp *prop,
                                                CUmemGenericAllocationHandle handle)
{
    SESSION_CALL();
    CUcontext ctx;
    CUresult r = session_context(&ctx);
    const struct virtual_memory *m = r == CUDA_SUCCESS ? memory_of(ctx, handle) : NULL;
    if (!m || !prop)
        return r == CUDA_SUCCESS ? CUDA_ERROR_INVALID_VALUE : r;
    *prop = m->prop;
    return CUDA_SUCCESS;
}

/* -- mappings */

/* The allocations that kernels and copies see, made anew: a run of neighbours is one. */
static void show(CUcontext ctx)
{
    struct devmem *mem = context_mem(ctx->context);
    for (const struct virtual_run *run = ctx->runs; run; run = run->next)
        devmem_release(mem, run->at);
    FREE_LIST(ctx->runs);
    ctx->runs = NULL;
    for (const struct virtual_memory *first = ctx->memories; first; first = first->next) {
        const struct virtual_memory *before = mapped_at(ctx, first->at - 1);
        if (!first->at || !first->access || (before && before->access))
            continue; /* not reached, or not the first of its run */
        CUdeviceptr end = first->at;
        for (const struct virtual_memory *m = first; m && m->access; m = mapped_at(ctx, end))
            end += m->bytes;
        struct virtual_run *run = xmalloc(sizeof *run);
        *run = (struct virtual_run){first->at, ctx->runs};
        ctx->runs = run;
        devmem_map(mem, first->at, end - first->at, backing(first->at), NAME);
    }
}

static bool is_reserved(CUcontext ctx, CUdeviceptr p, size_t bytes)
{
    for (const struct virtual_range *r = ctx->ranges; r; r = r->next)
        if (p >= r->at && bytes <= r->bytes && p - r->at <= r->bytes - bytes)
            return true;
    return false;
}

bool session_is_virtual(CUdeviceptr p)
{
    return p >= VIRTUAL_BASE && p < VIRTUAL_BASE + VIRTUAL_SPAN;
}

static bool move_pages(void *from, void *to, size_t bytes)
{
    return mremap(from, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, to) == to;
}

CUresult cuMemMap(CUdeviceptr p, size_t bytes, size_t offset, CUmemGenericAllocationHandle handle,
                  unsigned long long flags)
{
    SESSION_CALL();
    CUcontext ctx;
    CUresult r = session_context(&ctx);
    if (r != CUDA_SUCCESS)
        return r;
    struct virtual_memory *m = memory_of(ctx, handle);
    if (!m || flags || offset || bytes != m->bytes || p % VIRTUAL_GRANULARITY ||
        !is_reserved(ctx, p, bytes))
        return CUDA_ERROR_INVALID_VALUE;
    if (m->at)
        return CUDA_ERROR_NOT_SUPPORTED; /* a second place for it */
    for (const struct virtual_memory *other = ctx->memories; other; other = other->next)
        if (meets(other, p, bytes))
            return CUDA_ERROR_INVALID_VALUE;
    if (!move_pages(m->pages, backing(p), bytes))
        return CUDA_ERROR_OUT_OF_MEMORY;
    m->pages = NULL;
    m->at = p;
    m->access = CU_MEM_ACCESS_FLAGS_PROT_NONE;
    return CUDA_SUCCESS;
}

/* Whether the range is made of whole mappings. */
static bool is_mapped(CUcontext ctx, CUdeviceptr p, size_t bytes)
{
    if (!whole(bytes) || p + bytes < p)
        return false;
    CUdeviceptr at = p;
    const struct virtual_memory *m = mapped_at(ctx, at);
    while (at < p + bytes && m && m->at == at) {
        at += m->bytes;
        m = mapped_at(ctx, at);
    }
    return at == p + bytes;
}

static bool unmap(struct virtual_memory *m)
{
    void *to = mmap(NULL, m->bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (to == MAP_FAILED || !move_pages(backing(m->at), to, m->bytes))
        return false;
    place(m->at + VIRTUAL_BACKING, m->bytes, MAP_FIXED);
    m->pages = to;
    m->at = 0;
    return true;
}

CUresult cuMemUnmap(CUdeviceptr p, size_t bytes)
{
    SESSION_CALL();
    CUcontext ctx;
    CUresult r = session_context(&ctx);
    if (r != CUDA_SUCCESS)
        return r;
    if (!is_mapped(ctx, p, bytes))
        return CUDA_ERROR_INVALID_VALUE;
    bool ok = true;
    for (struct virtual_memory *m = ctx->memories; m; m = m->next)
        if (meets(m, p, bytes))
            ok = unmap(m) && ok;
    show(ctx);
    drop_unused(ctx);
    return ok ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

static bool is_here(const CUmemLocation *l)
{
    return l->type == CU_MEM_LOCATION_TYPE_DEVICE && l->id == 0;
}

CUresult cuMemSetAccess(CUdeviceptr p, size_t bytes, const CUmemAccessDesc *desc, size_t count)
{
    SESSION_CALL();
    CUcontext ctx;
    CUresult r = session_context(&ctx);
    if (r != CUDA_SUCCESS)
        return r;
    if (!desc || count != 1 || !is_here(&desc->location) || !is_mapped(ctx, p, bytes))
        return CUDA_ERROR_INVALID_VALUE;
    if (desc->flags == CU_MEM_ACCESS_FLAGS_PROT_READ)
        return CUDA_ERROR_NOT_SUPPORTED;
    if (desc->flags != CU_MEM_ACCESS_FLAGS_PROT_NONE &&
        desc->flags != CU_MEM_ACCESS_FLAGS_PROT_READWRITE)
        return CUDA_ERROR_INVALID_VALUE;
    for (struct virtual_memory *m = ctx->memories; m; m = m->next)
        if (meets(m, p, bytes))
            m->access = desc->flags;
    show(ctx);
    return CUDA_SUCCESS;
}

CUresult cuMemGetAccess(unsigned long long *flags, const CUmemLocation *location, CUdeviceptr p)
{
    SESSION_CALL();
    CUcontext ctx;
    CUresult r = session_context(&ctx);
    const struct virtual_memory *m = r == CUDA_SUCCESS ? mapped_at(ctx, p) : NULL;
    if (!m || !flags || !location || !is_here(location))
        return r == CUDA_SUCCESS ? CUDA_ERROR_INVALID_VALUE : r;
    *flags = (unsigned long long)m->access;
    return CUDA_SUCCESS;
}

void session_virtual_free(CUcontext ctx)
{
    for (struct virtual_memory *m = ctx->memories; m; m = m->next) {
        m->held = 0;
        if (m->at) {
            munmap(backing(m->at), m->bytes);
            m->at = 0;
            m->pages = NULL;
        }
        if (m->pages)
            munmap(m->pages, m->bytes);
    }
    FREE_LIST(ctx->memories);
    FREE_LIST(ctx->runs);
    while (ctx->ranges)
        free_range(&ctx->ranges);
}
