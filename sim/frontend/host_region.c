#include "sim/frontend/host_region.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "base/err.h"
#include "sim/func/memory.h"

#define PAGE 4096ull

struct block {
    void *at;
    uint64_t bytes; /* whole pages */
    struct block *next;
};

struct host_region {
    uint64_t used;
    struct block *blocks; /* owned */
};

struct host_region *host_region_new(void)
{
    return xcalloc(1, sizeof(struct host_region));
}

void host_region_free(struct host_region *r)
{
    while (r && r->blocks)
        host_region_release(r, r->blocks->at);
    free(r);
}

void *host_region_alloc(struct host_region *r, uint64_t bytes)
{
    if (!bytes || bytes > HOST_REGION_BYTES)
        return NULL;
    if (bytes > HOST_REGION_BYTES - r->used)
        r->used = 0;
    uint64_t pages = (bytes + PAGE - 1) / PAGE * PAGE;
    void *want = (void *)(uintptr_t)(HOST_REGION_BASE + r->used);
    /* The hint is taken unless something lies there; then any other place will do. */
    void *at = mmap(want, pages, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED)
        return NULL;
    r->used += pages + PAGE; /* a page in between that nobody may touch */
    struct block *b = xmalloc(sizeof *b);
    *b = (struct block){at, pages, r->blocks};
    r->blocks = b;
    return at;
}

bool host_region_release(struct host_region *r, void *p)
{
    for (struct block **at = &r->blocks; *at; at = &(*at)->next) {
        struct block *b = *at;
        if (b->at != p)
            continue;
        *at = b->next;
        munmap(b->at, b->bytes);
        free(b);
        return true;
    }
    return false;
}

void *host_region_share(struct host_region *r, uint64_t bytes, struct devmem *m, const char *name)
{
    void *p = host_region_alloc(r, bytes);
    const addr_t at = (uintptr_t)p;
    const bool ours = at - HOST_REGION_BASE < HOST_REGION_BYTES;
    if (p && (ours ? devmem_map : devmem_map_anywhere)(m, at, bytes, p, name))
        return p;
    if (p)
        host_region_release(r, p);
    return NULL;
}

bool host_may_use(const void *p, uint64_t bytes, bool write)
{
    uint64_t at = (uintptr_t)p, last = at + bytes - 1, from, to;
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[4352], may[3]; /* a path may be as long as that */
    bool all = !maps;
    while (!all && fgets(line, sizeof line, maps))
        if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %2s", &from, &to, may) == 3 && from <= at &&
            at < to) {
            if (may[0] != 'r' || (write && may[1] != 'w'))
                break;
            at = to;
            all = last < to;
        }
    if (maps)
        fclose(maps);
    return all && last >= (uintptr_t)p;
}
