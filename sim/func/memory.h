/* sim/func/memory.h -- device memory: allocations in an address space of their own, and the generic
 * windows. Every access is checked against the allocations; nothing outside them can be reached, so
 * a kernel can never touch the host process.
 *
 *   shared window  [SHARED_WINDOW, + WINDOW_BYTES)   generic addresses of the CTA's shared memory,
 *                                                    and of that of its cluster (cta_cluster.h)
 *   local window   [LOCAL_WINDOW,  + WINDOW_BYTES)   generic addresses of the thread's local memory
 *   param window   [PARAM_WINDOW,  + WINDOW_BYTES)   generic addresses of kernel parameters
 *   module globals [GLOBALS_BASE, HEAP_BASE)         .global and .const variables
 *   heap           [HEAP_BASE, ...)                  buffers in order of allocation, each aligned
 * to 256 bytes */
#ifndef MDP_SIM_FUNC_MEMORY_H
#define MDP_SIM_FUNC_MEMORY_H

#include "base/err.h"
#include "sim/func/line_use.h"

#define SHARED_WINDOW    0x10000000ull
#define LOCAL_WINDOW     0x20000000ull
#define PARAM_WINDOW     0x30000000ull
#define WINDOW_BYTES     0x01000000ull
#define GLOBALS_BASE     0x40000000ull
#define HEAP_BASE        0x80000000ull
#define ALLOC_ALIGN      256
#define DEVMEM_HEAP_SPAN (1ull << 40)

struct alloc {
    addr_t base;
    uint64_t bytes;     /* exactly as asked for: the padding up to the next 256 is out of bounds */
    uint8_t *host;      /* owned */
    bool read_only;     /* .const variables */
    bool device_heap;   /* came from malloc() inside a kernel */
    bool mapped;        /* host memory comes from mmap: touched lazily */
    bool borrowed;      /* host memory is the caller's (devmem_map) */
    bool shared;        /* host memory is that of the devmem it was shared from (devmem_share) */
    uint64_t moved;     /* added to its addresses for caches and DRAM: devmem_map_anywhere() */
    uint64_t serial;    /* order of allocation: tells a re-used address from the first one */
    uint64_t changed;   /* never the same for two contents, but for borrowed memory */
    uint8_t use;        /* ALLOC_READ, ALLOC_WRITTEN: by launches since devmem_usage_end() */
    uint64_t last_used; /* which devmem_usage_end() it was in use before; 0: none */
    struct line_use *lines; /* owned, together with copies; NULL: nobody follows them */
    bool follows;           /* what is accessed here is marked there: not in a copy */
    const char *name;       /* owned; buffer or variable, for messages */
};

/* Memory that the host reaches at the same address. */
static inline bool alloc_is_hosts(const struct alloc *al)
{
    return al->borrowed && (addr_t)(uintptr_t)al->host == al->base;
}

struct devmem; /* opaque: allocations sorted by address, with the last hit remembered */

/* One address space for several devices: device `device` of `devices` allocates in a part of the
 * heap and of the globals that is its own, and devmem_used() is of that part. */
#define DEVMEM_DEVICES 16
void devmem_device(struct devmem *m, int device, int devices);
/* Whose part the address is in; -1: the host's. */
int devmem_device_of(const struct devmem *m, addr_t a);
void devmem_release_device(struct devmem *m, int device); /* all of its part, but the host's */
/* Both are devices', of different ones. */
bool devmem_apart(const struct devmem *m, addr_t a, addr_t b);
/* From now on only addresses of devices in this set (bit i: device i), and the host's, are found.
 */
void devmem_show(struct devmem *m, unsigned devices);
#define DEVMEM_ALL (~0u)
bool devmem_hides(const struct devmem *m, addr_t a); /* devmem_show() left it out */

struct devmem *devmem_new(void);
void devmem_free(struct devmem *m);
/* Address of a new zeroed allocation; 0 when bytes is 0 or larger than the limit (1 TiB of address
 * space; host memory is lazily touched). */
addr_t devmem_alloc(struct devmem *m, uint64_t bytes, const char *name);
addr_t devmem_alloc_global(struct devmem *m, uint64_t bytes, uint64_t align, bool read_only,
                           const char *name);
/* malloc() and free() inside a kernel: 0 when more than `limit` bytes would be held. */
addr_t devmem_heap_alloc(struct devmem *m, uint64_t bytes, uint64_t limit);
bool devmem_heap_release(struct devmem *m, addr_t base);
bool devmem_release(struct devmem *m, addr_t base); /* false: no such allocation */
/* Memory of the caller's that kernels see at `base` (pinned, managed, mapped): it stays the
 * caller's. False: it overlaps another one or the windows. */
bool devmem_map(struct devmem *m, addr_t base, uint64_t bytes, void *host, const char *name);
/* The same where `base` is an address that another run of the program may not have, as those of
 * heap and stack are: for all that goes by addresses (lines, sets, partitions, rows) it lies in the
 * first room from MOVED_BASE on, on a page of its own. It keeps its place in 16 bytes: no access is
 * wider, and malloc() and stacks are aligned to that, not to more. */
bool devmem_map_anywhere(struct devmem *m, addr_t base, uint64_t bytes, void *host,
                         const char *name);
#define MOVED_BASE 0x280000000000ull
bool devmem_borrows(const struct devmem *m);  /* some memory was, since the beginning */
uint64_t devmem_used(const struct devmem *m); /* bytes allocated, but for the host's own */
/* The allocation that holds all of [a, a+bytes), or NULL. */
const struct alloc *devmem_find(struct devmem *m, addr_t a, uint64_t bytes);
const struct alloc *devmem_nearest(const struct devmem *m,
                                   addr_t a); /* for messages; NULL when there is none */
/* Host copies; false when the range is not inside one allocation. */
bool devmem_write(struct devmem *m, addr_t a, const void *src, uint64_t bytes);
bool devmem_read(struct devmem *m, addr_t a, void *dst, uint64_t bytes);
bool devmem_fill(struct devmem *m, addr_t a, uint8_t value, uint64_t bytes);
/* What launches read and wrote since devmem_usage_end(), by allocation (alloc.use). */
enum { ALLOC_READ = 1, ALLOC_WRITTEN = 2 };
struct usage {
    const struct alloc *const *v; /* until the next call */
    int n;
    bool effects; /* they did more: they printed, or read what is another time different */
};
struct usage devmem_usage(const struct devmem *m);
void devmem_usage_end(struct devmem *m); /* what they wrote has new contents: alloc.changed */
/* The allocations that were in use before some devmem_usage_end(), the latest first: how many of
 * them there are in out. */
int devmem_recent(const struct devmem *m, const struct alloc **out, int most);
/* From the next launch on each allocation that is used follows its lines, of so many bytes, a power
 * of two. */
void devmem_follow_lines(struct devmem *m, int line);
/* For each line of the allocation, from the one that its first byte (as caches see it) is in, which
 * devmem_usage_end() it was in use before; 0: none; of what nobody followed that of the allocation.
 * NULL: m never followed any, or it has too many. Caller frees. */
#define DEVMEM_MOST_LINES (1u << 20)
uint32_t *devmem_lines_used(const struct devmem *m, const struct alloc *al, uint64_t *lines);
/* `before` is called before the first store since then to an allocation; NULL: no longer. */
typedef void devmem_watcher(void *user, const struct alloc *al);
void devmem_watch(struct devmem *m, devmem_watcher *before, void *user);
/* The bytes of the allocation at `base` are those that had this value of alloc.changed; with bytes:
 * they become these. */
void devmem_becomes(struct devmem *m, addr_t base, uint64_t changed, const uint8_t *bytes);
void devmem_note(struct devmem *m, const struct alloc *al, uint8_t use);
static inline void devmem_use(struct devmem *m, const struct alloc *al, uint8_t use)
{
    if ((al->use & use) != use)
        devmem_note(m, al, use);
}
/* ... and nobody says which of its lines. */
void devmem_use_all(struct devmem *m, const struct alloc *al, uint8_t use);
void devmem_note_effect(struct devmem *m);
/* Another number: what was learned of launches before holds no more. */
uint64_t devmem_epoch(const struct devmem *m);
void devmem_new_epoch(struct devmem *m);
/* All of m with bytes of its own: a launch tried out there changes nothing here. */
struct devmem *devmem_clone(const struct devmem *m);
/* Of a clone of the memory of which `used` is: all but those allocations, and small ones, read as 0
 * from now on, and take no room. */
void devmem_keep_only(struct devmem *clone, const struct usage *used);
/* By that; used NULL: of all. */
uint64_t devmem_kept_bytes(const struct devmem *clone, const struct usage *used);
/* The same, but an allocation is copied only when it is first stored to (copy on write). Until the
 * result is freed nothing may be written to m. Several threads may share m. */
struct devmem *devmem_share(const struct devmem *m);

#endif
