#include "sim/func/memory_int.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define PAGE 4096 /* unit of sparse copies */
#define MAP_FROM \
    (1ull << 20) /* larger allocations come from mmap, so that only touched pages cost */
#define HEAP_SPAN    DEVMEM_HEAP_SPAN
#define GLOBALS_SPAN (HEAP_BASE - GLOBALS_BASE)
#define MOVED_KEEPS  16

/* -- host memory of one allocation */

static uint8_t *host_get(uint64_t bytes, bool *mapped)
{
    *mapped = bytes >= MAP_FROM;
    if (!*mapped)
        return xcalloc(bytes + 1, 1);
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                   -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

static void host_put(uint8_t *p, uint64_t bytes, bool mapped)
{
    if (mapped)
        munmap(p, bytes);
    else
        free(p);
}

/* Copies only pages that differ, so that pages never touched stay untouched. */
static void copy_sparse(uint8_t *dst, const uint8_t *src, uint64_t bytes)
{
    for (uint64_t at = 0; at < bytes; at += PAGE) {
        size_t n = bytes - at < PAGE ? (size_t)(bytes - at) : PAGE;
        if (memcmp(dst + at, src + at, n) != 0)
            memcpy(dst + at, src + at, n);
    }
}

/* -- the sorted table */

static int first_from(const struct devmem *m, addr_t a) /* lowest index with base >= a */
{
    int lo = 0, hi = m->n;
    while (lo < hi) {
        int mid = (lo + hi) / 2;
        if (m->v[mid]->base < a)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

static addr_t align_up(addr_t a, uint64_t align)
{
    return (a + align - 1) / align * align;
}

/* First fit in [lo, lo + span); 0: no room. */
static addr_t find_room(const struct devmem *m, addr_t lo, uint64_t span, uint64_t bytes,
                        uint64_t align)
{
    if (bytes > span)
        return 0;
    int end = first_from(m, lo + span);
    int i = m->holes ? first_from(m, lo) : end;
    addr_t at = align_up(lo, align);
    if (i == end && end > 0 && m->v[end - 1]->base >= lo)
        at = align_up(m->v[end - 1]->base + m->v[end - 1]->bytes, align);
    for (; i < end; i++) {
        if (m->v[i]->base >= at && m->v[i]->base - at >= bytes)
            return at;
        at = align_up(m->v[i]->base + m->v[i]->bytes, align);
    }
    return at - lo <= span - bytes ? at : 0;
}

static void insert(struct devmem *m, struct alloc *al)
{
    if (m->n == m->cap) {
        m->cap = m->cap ? 2 * m->cap : 16;
        m->v = xrealloc(m->v, (size_t)m->cap * sizeof *m->v);
    }
    int i = first_from(m, al->base);
    memmove(m->v + i + 1, m->v + i, (size_t)(m->n - i) * sizeof *m->v);
    m->v[i] = al;
    m->n++;
}

static void forget_use(struct devmem *m, const struct alloc *al)
{
    for (int i = 0; i < m->n_used; i++)
        if (m->used[i] == al)
            m->used[i--] = m->used[--m->n_used];
}

static void forget_moved(struct devmem *m, const struct alloc *al)
{
    int kept = 0;
    for (int i = 0; i < m->n_moved; i++)
        if (m->moved[i] != al)
            m->moved[kept++] = m->moved[i];
    m->n_moved = kept;
}

static void drop(struct devmem *m, int i)
{
    struct alloc *al = m->v[i];
    if (al->use)
        forget_use(m, al);
    if (al->moved)
        forget_moved(m, al);
    if (al->device_heap)
        m->heap_used -= al->bytes;
    memset(m->hint, 0, sizeof m->hint);
    if (!al->borrowed && !al->shared)
        host_put(al->host, al->bytes, al->mapped);
    free((char *)al->name);
    line_use_free(al->lines);
    free(al);
    m->n--;
    memmove(m->v + i, m->v + i + 1, (size_t)(m->n - i) * sizeof *m->v);
    m->holes = true;
}

static struct alloc *add(struct devmem *m, addr_t base, uint64_t bytes, const char *name)
{
    bool mapped;
    uint8_t *host = base ? host_get(bytes, &mapped) : NULL;
    if (!host)
        return NULL;
    struct alloc *al = xcalloc(1, sizeof *al);
    *al = (struct alloc){.base = base,
                         .bytes = bytes,
                         .host = host,
                         .mapped = mapped,
                         .name = xstrdup(name ? name : "?"),
                         .changed = ++m->clock,
                         .serial = ++m->serial};
    insert(m, al);
    return al;
}

struct devmem *devmem_new(void)
{
    struct devmem *m = xcalloc(1, sizeof *m);
    m->devices = 1;
    return m;
}

void devmem_device(struct devmem *m, int device, int devices)
{
    m->device = device;
    m->devices = devices;
}

static uint64_t part_span(const struct devmem *m, uint64_t span)
{
    return span / (uint64_t)m->devices / PAGE * PAGE;
}

static addr_t part_base(const struct devmem *m, addr_t base, uint64_t span)
{
    return base + (uint64_t)m->device * part_span(m, span);
}

int devmem_device_of(const struct devmem *m, addr_t a)
{
    const bool heap = a >= HEAP_BASE;
    if (a < GLOBALS_BASE || (heap && a - HEAP_BASE >= HEAP_SPAN))
        return -1;
    const uint64_t part = heap ? (a - HEAP_BASE) / part_span(m, HEAP_SPAN)
                               : (a - GLOBALS_BASE) / part_span(m, GLOBALS_SPAN);
    return part < (uint64_t)m->devices ? (int)part : m->devices - 1;
}

bool devmem_apart(const struct devmem *m, addr_t a, addr_t b)
{
    const int of_a = devmem_device_of(m, a), of_b = devmem_device_of(m, b);
    return of_a >= 0 && of_b >= 0 && of_a != of_b;
}

void devmem_show(struct devmem *m, unsigned devices)
{
    if (m->hidden != ~devices)
        memset(m->hint, 0, sizeof m->hint);
    m->hidden = ~devices;
}

void devmem_free(struct devmem *m)
{
    if (!m)
        return;
    while (m->n)
        drop(m, m->n - 1);
    free(m->v);
    free(m->used);
    free(m->moved);
    free(m);
}

static addr_t heap_room(const struct devmem *m, uint64_t bytes)
{
    return find_room(m, part_base(m, HEAP_BASE, HEAP_SPAN), part_span(m, HEAP_SPAN), bytes,
                     ALLOC_ALIGN);
}

addr_t devmem_alloc(struct devmem *m, uint64_t bytes, const char *name)
{
    if (bytes == 0)
        return 0;
    struct alloc *al = add(m, heap_room(m, bytes), bytes, name);
    return al ? al->base : 0;
}

addr_t devmem_alloc_global(struct devmem *m, uint64_t bytes, uint64_t align, bool read_only,
                           const char *name)
{
    if (bytes == 0)
        return 0;
    addr_t at = find_room(m, part_base(m, GLOBALS_BASE, GLOBALS_SPAN), part_span(m, GLOBALS_SPAN),
                          bytes, align ? align : 1);
    struct alloc *al = add(m, at, bytes, name);
    if (!al)
        return 0;
    al->read_only = read_only;
    return al->base;
}

addr_t devmem_heap_alloc(struct devmem *m, uint64_t bytes, uint64_t limit)
{
    devmem_note_effect(m);
    if (bytes == 0 || bytes > limit || m->heap_used > limit - bytes)
        return 0;
    struct alloc *al = add(m, heap_room(m, bytes), bytes, "malloc");
    if (!al)
        return 0;
    al->device_heap = true;
    m->heap_used += bytes;
    return al->base;
}

/* NULL: it overlaps another one or the windows. */
static struct alloc *map(struct devmem *m, addr_t base, uint64_t bytes, void *host,
                         const char *name)
{
    int i = first_from(m, base);
    bool above = i < m->n && m->v[i]->base - base < bytes;
    bool below = i > 0 && base - m->v[i - 1]->base < m->v[i - 1]->bytes;
    bool window = false;
    for (addr_t w = SHARED_WINDOW; w <= PARAM_WINDOW; w += LOCAL_WINDOW - SHARED_WINDOW)
        window = window || (base < w + WINDOW_BYTES && base + bytes > w);
    if (!bytes || base + bytes < base || above || below || window)
        return NULL;
    struct alloc *al = xcalloc(1, sizeof *al);
    *al = (struct alloc){.base = base,
                         .bytes = bytes,
                         .host = host,
                         .borrowed = true,
                         .name = xstrdup(name),
                         .changed = ++m->clock,
                         .serial = ++m->serial};
    insert(m, al);
    m->borrows = true;
    return al;
}

bool devmem_borrows(const struct devmem *m)
{
    return m->borrows;
}

bool devmem_map(struct devmem *m, addr_t base, uint64_t bytes, void *host, const char *name)
{
    return map(m, base, bytes, host, name) != NULL;
}

static addr_t moved_page(const struct alloc *al)
{
    return (al->base + al->moved) / PAGE * PAGE;
}

bool devmem_map_anywhere(struct devmem *m, addr_t base, uint64_t bytes, void *host,
                         const char *name)
{
    struct alloc *al = map(m, base, bytes, host, name);
    if (!al)
        return false;
    const uint64_t in_page = base % MOVED_KEEPS;
    addr_t page = MOVED_BASE;
    int i = 0;
    for (; i < m->n_moved && moved_page(m->moved[i]) - page < in_page + bytes; i++) {
        const struct alloc *o = m->moved[i];
        page = align_up(o->base + o->moved + o->bytes, PAGE);
    }
    al->moved = page + in_page - base;
    m->moved = xrealloc(m->moved, (size_t)(m->n_moved + 1) * sizeof(struct alloc *));
    memmove(m->moved + i + 1, m->moved + i, (size_t)(m->n_moved - i) * sizeof(struct alloc *));
    m->moved[i] = al;
    m->n_moved++;
    return true;
}

static int index_of(const struct devmem *m, addr_t base)
{
    int i = first_from(m, base);
    return i < m->n && m->v[i]->base == base ? i : -1;
}

bool devmem_heap_release(struct devmem *m, addr_t base)
{
    int i = index_of(m, base);
    devmem_note_effect(m);
    if (i < 0 || !m->v[i]->device_heap)
        return false;
    drop(m, i);
    return true;
}

bool devmem_release(struct devmem *m, addr_t base)
{
    int i = index_of(m, base);
    if (i < 0)
        return false;
    drop(m, i);
    return true;
}

void devmem_release_device(struct devmem *m, int device)
{
    for (int i = m->n - 1; i >= 0; i--)
        if (!m->v[i]->borrowed && devmem_device_of(m, m->v[i]->base) == device)
            drop(m, i);
}

uint64_t devmem_used(const struct devmem *m)
{
    uint64_t sum = 0;
    for (int i = 0; i < m->n; i++)
        if (!m->v[i]->borrowed && devmem_device_of(m, m->v[i]->base) == m->device)
            sum += m->v[i]->bytes;
    return sum;
}

/* -- look-up */

static bool holds(const struct alloc *al, addr_t a, uint64_t bytes)
{
    uint64_t off = a - al->base;
    return off <= al->bytes && bytes <= al->bytes - off;
}

bool devmem_hides(const struct devmem *m, addr_t a)
{
    const int device = m->hidden ? devmem_device_of(m, a) : -1;
    return device >= 0 && m->hidden >> device & 1;
}

struct alloc *devmem_lookup(struct devmem *m, addr_t a, uint64_t bytes)
{
    for (int i = 0; i < DEVMEM_HINTS; i++)
        if (m->hint[i] && holds(m->hint[i], a, bytes))
            return m->hint[i];
    int i = first_from(m, a);
    if (i == m->n || m->v[i]->base != a)
        i--;
    if (i < 0 || !holds(m->v[i], a, bytes) || devmem_hides(m, a))
        return NULL;
    m->hint[m->next_hint++ % DEVMEM_HINTS] = m->v[i];
    return m->v[i];
}

const struct alloc *devmem_find(struct devmem *m, addr_t a, uint64_t bytes)
{
    return devmem_lookup(m, a, bytes);
}

const struct alloc *devmem_nearest(const struct devmem *m, addr_t a)
{
    int i = first_from(m, a);
    const struct alloc *above = i < m->n ? m->v[i] : NULL;
    const struct alloc *below = i > 0 ? m->v[i - 1] : NULL;
    if (!above || !below)
        return above ? above : below;
    addr_t end = below->base + below->bytes;
    if (a < end)
        return below;
    return a - end <= above->base - a ? below : above;
}

void devmem_own_bytes(struct alloc *al)
{
    const uint8_t *was = al->host;
    al->shared = false;
    al->host = host_get(al->bytes, &al->mapped);
    BUG_ON(!al->host, "no address space to copy '%s'", al->name);
    copy_sparse(al->host, was, al->bytes);
}

void devmem_empty(struct alloc *al)
{
    host_put(al->host, al->bytes, al->mapped);
    al->host = host_get(al->bytes, &al->mapped);
    BUG_ON(!al->host, "no address space for '%s'", al->name);
}

/* Where the host writes; NULL: not inside one allocation. */
static uint8_t *change(struct devmem *m, addr_t a, uint64_t bytes)
{
    struct alloc *al = devmem_lookup(m, a, bytes);
    if (!al)
        return NULL;
    if (al->shared)
        devmem_own_bytes(al);
    al->changed = ++m->clock;
    return al->host + (a - al->base);
}

/* What is there already changes nothing. */
bool devmem_write(struct devmem *m, addr_t a, const void *src, uint64_t bytes)
{
    const struct alloc *al = devmem_lookup(m, a, bytes);
    if (!al || !bytes)
        return !bytes;
    if (memcmp(al->host + (a - al->base), src, bytes) != 0)
        memmove(change(m, a, bytes), src, bytes);
    return true;
}

bool devmem_read(struct devmem *m, addr_t a, void *dst, uint64_t bytes)
{
    const struct alloc *al = devmem_find(m, a, bytes);
    if (al && bytes)
        memcpy(dst, al->host + (a - al->base), bytes);
    return al || !bytes;
}

bool devmem_fill(struct devmem *m, addr_t a, uint8_t value, uint64_t bytes)
{
    uint8_t *to = change(m, a, bytes);
    if (to && bytes)
        memset(to, value, bytes);
    return to || !bytes;
}
