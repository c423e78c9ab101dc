/* Device memory: placement, bounds to the byte, copies on write, the heap of device malloc. */
#include "sim/func/memory.h"

#include <string.h>

#include "tests/suite.h"

static void buffers_lie_in_order_on_256_bytes(void)
{
    struct devmem *m = devmem_new();
    CU_ASSERT_EQUAL(devmem_alloc(m, 4100, "row"), 0x80000000);
    CU_ASSERT_EQUAL(devmem_alloc(m, 1, "one"), 0x80001100);
    CU_ASSERT_EQUAL(devmem_alloc(m, 256, "x"), 0x80001200);
    CU_ASSERT_EQUAL(devmem_alloc(m, 4, "y"), 0x80001300);
    CU_ASSERT_EQUAL(devmem_alloc_global(m, 10, 4, true, "c"), 0x40000000);
    CU_ASSERT_EQUAL(devmem_alloc_global(m, 8, 16, false, "g"), 0x40000010);
    devmem_free(m);
}

static void bounds_hold_to_the_byte(void)
{
    struct devmem *m = devmem_new();
    addr_t a = devmem_alloc(m, 4100, "row");
    static const struct {
        int64_t off;
        uint64_t bytes;
        bool ok;
    } cases[] = {
        {0, 4100, true},  {0, 4101, false}, {-1, 1, false},   {-1, 2, false},  {4099, 1, true},
        {4099, 2, false}, {4100, 0, true},  {4100, 1, false}, {4096, 4, true}, {4097, 4, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        CU_ASSERT_EQUAL(devmem_find(m, a + (addr_t)cases[i].off, cases[i].bytes) != NULL,
                        cases[i].ok);
    CU_ASSERT_PTR_NULL(devmem_find(m, 0, 1));
    CU_ASSERT_PTR_NULL(devmem_find(m, UINT64_MAX, 1));
    CU_ASSERT_PTR_NULL(devmem_find(m, a, UINT64_MAX));
    CU_ASSERT_PTR_NULL(devmem_find(m, UINT64_MAX - 3, 8));
    CU_ASSERT_PTR_NULL(devmem_find(m, a + 4, UINT64_MAX - 2));
    devmem_free(m);
}

static void new_memory_is_zero_and_host_copies_are_checked(void)
{
    struct devmem *m = devmem_new();
    addr_t a = devmem_alloc(m, 3 << 20, "big");
    uint8_t v[4] = {1, 2, 3, 4}, r[4];
    CU_ASSERT_TRUE(devmem_read(m, a + (3 << 20) - 4, r, 4));
    CU_ASSERT_EQUAL(memcmp(r, "\0\0\0\0", 4), 0);
    CU_ASSERT_TRUE(devmem_write(m, a + 8, v, 4));
    CU_ASSERT_TRUE(devmem_read(m, a + 8, r, 4));
    CU_ASSERT_EQUAL(memcmp(r, v, 4), 0);
    CU_ASSERT_TRUE(devmem_fill(m, a, 0xab, 9));
    CU_ASSERT_TRUE(devmem_read(m, a + 8, r, 2));
    CU_ASSERT_TRUE(r[0] == 0xab && r[1] == 2);
    CU_ASSERT_FALSE(devmem_write(m, a + (3 << 20) - 3, v, 4));
    CU_ASSERT_FALSE(devmem_read(m, a - 1, r, 4));
    CU_ASSERT_FALSE(devmem_fill(m, a, 0, (3 << 20) + 1));
    devmem_free(m);
}

static void sizes_that_cannot_be_are_refused(void)
{
    struct devmem *m = devmem_new();
    CU_ASSERT_EQUAL(devmem_alloc(m, 0, "zero"), 0);
    CU_ASSERT_EQUAL(devmem_alloc(m, (1ull << 40) + 1, "huge"), 0);
    CU_ASSERT_EQUAL(devmem_alloc(m, UINT64_MAX, "huge"), 0);
    CU_ASSERT_EQUAL(devmem_alloc_global(m, HEAP_BASE, 4, false, "huge"), 0);
    CU_ASSERT_EQUAL(devmem_alloc_global(m, 0, 4, false, "zero"), 0);
    addr_t a = devmem_alloc(m, 64ull << 30, "lazy"); /* address space, not memory */
    CU_ASSERT_EQUAL(a, HEAP_BASE);
    CU_ASSERT_TRUE(devmem_fill(m, a + (63ull << 30), 1, 16));
    devmem_free(m);
}

static void released_room_is_found_again(void)
{
    struct devmem *m = devmem_new();
    addr_t a[4];
    for (int i = 0; i < 4; i++)
        a[i] = devmem_alloc(m, 1000, "a");
    CU_ASSERT_FALSE(devmem_release(m, a[1] + 1));
    CU_ASSERT_TRUE(devmem_release(m, a[1]));
    CU_ASSERT_FALSE(devmem_release(m, a[1]));
    CU_ASSERT_PTR_NULL(devmem_find(m, a[1], 1));
    CU_ASSERT_EQUAL(devmem_alloc(m, 1025, "too long"), a[3] + 1024);
    CU_ASSERT_EQUAL(devmem_alloc(m, 1024, "fits"), a[1]);
    CU_ASSERT_TRUE(devmem_release(m, a[0]));
    CU_ASSERT_EQUAL(devmem_alloc(m, 4, "front"), a[0]);
    devmem_free(m);
}

static void nearest_allocation_for_messages(void)
{
    struct devmem *m = devmem_new();
    CU_ASSERT_PTR_NULL(devmem_nearest(m, 5));
    addr_t a = devmem_alloc(m, 100, "a");
    addr_t b = devmem_alloc(m, 100, "b");
    CU_ASSERT_STRING_EQUAL(devmem_nearest(m, 0)->name, "a");
    CU_ASSERT_STRING_EQUAL(devmem_nearest(m, a + 99)->name, "a");
    CU_ASSERT_STRING_EQUAL(devmem_nearest(m, a + 100)->name, "a");
    CU_ASSERT_STRING_EQUAL(devmem_nearest(m, b - 1)->name, "b");
    CU_ASSERT_STRING_EQUAL(devmem_nearest(m, UINT64_MAX)->name, "b");
    devmem_free(m);
}

static const uint8_t *host_of(struct devmem *m, addr_t a)
{
    const struct alloc *al = devmem_find(m, a, 1);
    return al ? al->host : NULL;
}

static uint32_t word(struct devmem *m, addr_t a)
{
    uint32_t x = 0xdeadbeef;
    CU_ASSERT_TRUE(devmem_read(m, a, &x, 4));
    return x;
}

/* What is read costs no memory: both have the same bytes. A write of what is there is none. */
static void a_share_reads_the_bytes_of_the_original(void)
{
    struct devmem *m = devmem_new();
    const uint32_t x = 7;
    const addr_t a = devmem_alloc(m, 4 << 20, "a"), g = devmem_alloc_global(m, 8, 8, true, "c");
    devmem_write(m, a + 4096, &x, 4);
    struct devmem *s = devmem_share(m);
    CU_ASSERT_EQUAL(word(s, a + 4096), 7);
    CU_ASSERT_TRUE(devmem_write(s, a + 4096, &x, 4));
    devmem_use(s, devmem_find(s, a, 4), ALLOC_READ);
    CU_ASSERT_PTR_EQUAL(host_of(s, a), host_of(m, a));
    CU_ASSERT_PTR_EQUAL(host_of(s, g), host_of(m, g));
    CU_ASSERT_TRUE(devmem_find(s, g, 8)->read_only);
    CU_ASSERT_STRING_EQUAL(devmem_find(s, a, 4)->name, "a");
    CU_ASSERT_EQUAL(devmem_used(s), devmem_used(m));
    devmem_free(s);
    CU_ASSERT_EQUAL(word(m, a + 4096), 7);
    devmem_free(m);
}

enum store { BY_WRITE, BY_FILL, BY_KERNEL, BY_BOTH, BY_NAME, STORES };

static void store_to(struct devmem *m, addr_t a, enum store how, uint64_t bytes)
{
    const struct alloc *al = devmem_find(m, a, bytes);
    uint8_t nine[256];
    memset(nine, 9, sizeof nine);
    switch (how) {
    case BY_WRITE:
        devmem_write(m, a, nine, bytes);
        break;
    case BY_FILL:
        devmem_fill(m, a, 9, bytes);
        break;
    case BY_NAME:
        devmem_becomes(m, a, 1234, nine);
        break;
    default: /* as a kernel's store, and as its atomics do */
        devmem_use(m, al, how == BY_BOTH ? ALLOC_READ | ALLOC_WRITTEN : ALLOC_WRITTEN);
        memset(al->host, 9, bytes);
    }
}

/* Of two buffers the one that is stored to gets bytes of its own, however that comes about; small
 * ones come from malloc(), large ones from mmap(). */
static void the_first_store_copies(void)
{
    static const uint64_t size[] = {256, 3 << 20};
    for (int big = 0; big < 2; big++)
        for (int how = 0; how < STORES; how++) {
            if (how == BY_NAME && big) /* takes all of its bytes */
                continue;
            struct devmem *m = devmem_new();
            const uint32_t x = 7;
            const addr_t a = devmem_alloc(m, size[big], "a"), b = devmem_alloc(m, 64, "b");
            devmem_write(m, a + 252, &x, 4);
            struct devmem *s = devmem_share(m);
            devmem_use(s, devmem_find(s, a, 4), ALLOC_READ); /* as a kernel that read it before */
            store_to(s, a, (enum store)how, how == BY_NAME ? 256 : 200);
            CU_ASSERT_EQUAL(word(s, a + 196), 0x09090909);
            CU_ASSERT_EQUAL(word(s, a + 252), how == BY_NAME ? 0x09090909 : 7);
            CU_ASSERT_EQUAL(word(m, a + 196), 0);
            CU_ASSERT_EQUAL(word(m, a + 252), 7);
            CU_ASSERT_PTR_EQUAL(host_of(s, b), host_of(m, b));
            const uint8_t *own = host_of(s, a);
            store_to(s, a, (enum store)how, how == BY_NAME ? 256 : 252);
            CU_ASSERT_PTR_EQUAL(host_of(s, a), own); /* once */
            devmem_free(s);
            CU_ASSERT_EQUAL(word(m, a + 252), 7);
            devmem_free(m);
        }
}

/* What a share allocates and releases is its own business; addresses are the original's next. */
static void a_share_allocates_and_releases_alone(void)
{
    struct devmem *m = devmem_new();
    const uint32_t x = 7;
    const addr_t gone = devmem_alloc(m, 64, "gone"), kept = devmem_alloc(m, 2 << 20, "kept");
    const addr_t heap = devmem_heap_alloc(m, 100, 1000);
    devmem_write(m, gone, &x, 4);
    struct devmem *s = devmem_share(m);
    CU_ASSERT_EQUAL(devmem_heap_alloc(s, 901, 1000), 0); /* 100 of 1000 are held */
    CU_ASSERT_TRUE(devmem_heap_release(s, heap));
    CU_ASSERT_NOT_EQUAL(devmem_heap_alloc(s, 1000, 1000), 0);
    CU_ASSERT_TRUE(devmem_release(s, gone));
    CU_ASSERT_TRUE(devmem_release(s, kept));
    const addr_t reused = devmem_alloc(s, 64, "reused");
    CU_ASSERT_EQUAL(reused, gone);
    CU_ASSERT_EQUAL(word(s, reused), 0);
    CU_ASSERT_TRUE(devmem_fill(s, reused, 9, 64));
    devmem_free(s);
    CU_ASSERT_STRING_EQUAL(devmem_find(m, gone, 64)->name, "gone");
    CU_ASSERT_EQUAL(word(m, gone), 7);
    CU_ASSERT_EQUAL(word(m, kept), 0);
    CU_ASSERT_EQUAL(devmem_heap_alloc(m, 901, 1000), 0);
    CU_ASSERT_TRUE(devmem_heap_release(m, heap));
    devmem_free(m);
}

/* a: stored to in the middle one, whose value the last one sees; b: in the last one alone. */
static void a_share_of_a_share_sees_the_nearest(void)
{
    struct devmem *m = devmem_new();
    const uint32_t one = 1, two = 2;
    const addr_t a = devmem_alloc(m, 64, "a"), b = devmem_alloc(m, 64, "b");
    struct devmem *s = devmem_share(m);
    devmem_write(s, a, &one, 4);
    struct devmem *t = devmem_share(s);
    devmem_write(t, b, &two, 4);
    CU_ASSERT_EQUAL(word(t, a), 1);
    CU_ASSERT_PTR_EQUAL(host_of(t, a), host_of(s, a));
    devmem_write(t, a, &two, 4);
    CU_ASSERT_TRUE(word(t, a) == 2 && word(t, b) == 2);
    CU_ASSERT_TRUE(word(s, a) == 1 && word(s, b) == 0);
    CU_ASSERT_TRUE(word(m, a) == 0 && word(m, b) == 0);
    devmem_free(t);
    CU_ASSERT_EQUAL(word(s, a), 1);
    devmem_free(s);
    CU_ASSERT_EQUAL(word(m, a), 0);
    devmem_free(m);
}

/* Memory that the host has lent is copied like any other, where it is seen and where it moved to.
 */
static void a_share_leaves_the_hosts_memory_alone(void)
{
    static uint8_t pinned[64], stack[64];
    struct devmem *m = devmem_new();
    const addr_t at = 0x200000000000, anywhere = 0x7ffc12300008;
    devmem_map(m, at, sizeof pinned, pinned, "pinned");
    devmem_map_anywhere(m, anywhere, sizeof stack, stack, "stack");
    struct devmem *s = devmem_share(m);
    pinned[3] = 1; /* not through m: the program's own */
    CU_ASSERT_EQUAL(word(s, at), 0x01000000);
    CU_ASSERT_TRUE(devmem_fill(s, at, 5, 64) && devmem_fill(s, anywhere, 5, 64));
    CU_ASSERT_TRUE(pinned[0] == 0 && pinned[3] == 1 && stack[0] == 0);
    CU_ASSERT_EQUAL(devmem_find(s, anywhere, 1)->moved, devmem_find(m, anywhere, 1)->moved);
    CU_ASSERT_TRUE(devmem_release(s, anywhere));
    devmem_free(s);
    CU_ASSERT_TRUE(devmem_find(m, anywhere, 64) && devmem_find(m, at, 64));
    devmem_free(m);
    pinned[3] = 0;
}

/* alloc.changed names contents: what a share stores has none of the original's names. */
static void other_contents_have_another_name_in_a_share(void)
{
    struct devmem *m = devmem_new();
    addr_t a[8];
    for (int i = 0; i < 8; i++)
        a[i] = devmem_alloc(m, 64, "x");
    struct devmem *s = devmem_share(m);
    CU_ASSERT_EQUAL(devmem_epoch(s), devmem_epoch(m));
    for (int i = 0; i < 8; i++)
        CU_ASSERT_EQUAL(devmem_find(s, a[i], 1)->changed, devmem_find(m, a[i], 1)->changed);
    devmem_fill(s, a[0], 1, 4);
    for (int i = 0; i < 8; i++)
        CU_ASSERT_NOT_EQUAL(devmem_find(s, a[0], 1)->changed, devmem_find(m, a[i], 1)->changed);
    devmem_free(s);
    devmem_free(m);
}

static void device_heap_has_a_limit_of_its_own(void)
{
    struct devmem *m = devmem_new();
    addr_t buffer = devmem_alloc(m, 100, "buffer");
    addr_t a = devmem_heap_alloc(m, 600, 1000);
    CU_ASSERT_TRUE(a > buffer);
    CU_ASSERT_EQUAL(devmem_heap_alloc(m, 401, 1000), 0);
    CU_ASSERT_NOT_EQUAL(devmem_heap_alloc(m, 400, 1000), 0);
    CU_ASSERT_FALSE(devmem_heap_release(m, buffer));
    CU_ASSERT_TRUE(devmem_heap_release(m, a));
    CU_ASSERT_FALSE(devmem_heap_release(m, a));
    CU_ASSERT_EQUAL(devmem_heap_alloc(m, 0, 1000), 0);
    devmem_free(m);
}

/* What a launch did not use need not be kept of it, but for what is small. */
static void a_clone_keeps_what_was_used(void)
{
    enum { LARGE = 16 << 20 };
    struct devmem *m = devmem_new();
    addr_t at[3];
    uint32_t word = 0;
    for (int i = 0; i < 3; i++) {
        at[i] = devmem_alloc(m, i < 2 ? LARGE : 64, "x");
        CU_ASSERT(devmem_write(m, at[i] + 16, "abc", 4));
    }
    struct devmem *c = devmem_clone(m);
    devmem_use(m, devmem_find(m, at[1], 4), ALLOC_READ);
    const struct usage used = devmem_usage(m);
    CU_ASSERT_EQUAL(devmem_kept_bytes(c, &used), LARGE + 64);
    devmem_keep_only(c, &used);
    for (int i = 0; i < 3; i++) {
        CU_ASSERT(devmem_read(c, at[i] + 16, &word, 4));
        CU_ASSERT_EQUAL(word, i == 0 ? 0 : 0x636261);
        CU_ASSERT(devmem_read(m, at[i] + 16, &word, 4));
        CU_ASSERT_EQUAL(word, 0x636261);
    }
    devmem_free(c);
    devmem_free(m);
}

static void host_memory_is_seen_where_it_lies(void)
{
    static uint8_t bytes[64];
    struct devmem *m = devmem_new();
    const addr_t at = 0x200000000000;
    CU_ASSERT(devmem_map(m, at, sizeof bytes, bytes, "pinned"));
    CU_ASSERT_FALSE(devmem_map(m, at + 63, 4, bytes, "overlaps"));
    CU_ASSERT_FALSE(devmem_map(m, at - 3, 4, bytes, "overlaps"));
    CU_ASSERT_FALSE(devmem_map(m, SHARED_WINDOW + 16, 4, bytes, "in a window"));
    CU_ASSERT_FALSE(devmem_map(m, LOCAL_WINDOW - 3, 4, bytes, "reaches into one"));
    CU_ASSERT_FALSE(devmem_map(m, PARAM_WINDOW + WINDOW_BYTES - 1, 4, bytes, "begins in one"));
    CU_ASSERT(devmem_map(m, PARAM_WINDOW + WINDOW_BYTES, 4, bytes, "behind all"));
    CU_ASSERT(devmem_map(m, LOCAL_WINDOW - 4, 4, bytes, "in between"));
    CU_ASSERT(devmem_write(m, at + 8, "abc", 4));
    CU_ASSERT_STRING_EQUAL((char *)bytes + 8, "abc");
    CU_ASSERT_FALSE(devmem_write(m, at + 61, "abc", 4));
    CU_ASSERT_EQUAL(devmem_used(m), 0);
    CU_ASSERT(devmem_release(m, at));
    devmem_free(m);
}

static addr_t seen_at(struct devmem *m, addr_t base)
{
    const struct alloc *al = devmem_find(m, base, 1);
    return al ? al->base + al->moved : 0;
}

/* Heaps and stacks that lie elsewhere, three times: what caches see depends on the order, on sizes
 * and on the place in 16 bytes. */
static void memory_that_lies_anywhere_is_seen_at_one_place(void)
{
    static const addr_t places[][3] = {{0x55d0c2a0, 0x7ffc1230a018, 0x56000000},
                                       {0x5581234567f0, 0x7ffeeeeeeee8, 0x5600aaaa0000},
                                       {0x7f0123456010, 0x7f0000000008, 0x7eeeeeeeeee0}};
    static uint8_t bytes[8193];
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const addr_t *at = places[i];
        struct devmem *m = devmem_new();
        CU_ASSERT(devmem_map_anywhere(m, at[0], 5000, bytes, "a"));
        CU_ASSERT(devmem_map_anywhere(m, at[1], 4089, bytes, "b"));
        CU_ASSERT(devmem_map_anywhere(m, at[2], 1, bytes, "c"));
        CU_ASSERT_FALSE(devmem_map_anywhere(m, at[2], 1, bytes, "again"));
        CU_ASSERT_EQUAL(seen_at(m, at[0]), MOVED_BASE);
        CU_ASSERT_EQUAL(seen_at(m, at[1]), MOVED_BASE + 0x2008);
        CU_ASSERT_EQUAL(seen_at(m, at[2]), MOVED_BASE + 0x4000); /* 8 + 4089: two pages */
        devmem_release(m, at[1]);
        CU_ASSERT(devmem_map_anywhere(m, at[1] - 8, 8193, bytes, "too long for where b was"));
        CU_ASSERT_EQUAL(seen_at(m, at[1]), MOVED_BASE + 0x5000);
        CU_ASSERT(devmem_map_anywhere(m, 0x590000000000, 8192, bytes, "not too long"));
        CU_ASSERT_EQUAL(seen_at(m, 0x590000000000), MOVED_BASE + 0x2000);
        struct devmem *c = devmem_clone(m);
        CU_ASSERT_EQUAL(seen_at(c, at[2]), MOVED_BASE + 0x4000);
        devmem_free(c);
        devmem_free(m);
    }
}

static void count_stores(void *user, const struct alloc *al)
{
    CU_ASSERT_FALSE(al->use & ALLOC_WRITTEN);
    ++*(int *)user;
}

/* Two buffers, read and written as kernels would. */
static void launches_leave_what_they_used(void)
{
    struct devmem *m = devmem_new();
    const addr_t from = devmem_alloc(m, 64, "from"), to = devmem_alloc(m, 64, "to");
    const struct alloc *a = devmem_find(m, from, 64), *b = devmem_find(m, to, 64);
    const uint64_t first = a->changed, second = b->changed;
    int stores = 0;
    devmem_watch(m, count_stores, &stores);
    devmem_use(m, a, ALLOC_READ);
    devmem_use(m, a, ALLOC_READ);
    devmem_use(m, b, ALLOC_READ);
    CU_ASSERT_EQUAL(stores, 0);
    devmem_use(m, b, ALLOC_WRITTEN);
    devmem_use(m, b, ALLOC_WRITTEN);
    CU_ASSERT_EQUAL(stores, 1);
    struct usage u = devmem_usage(m);
    CU_ASSERT_EQUAL(u.n, 2);
    CU_ASSERT_TRUE(u.v[0] == a && u.v[1] == b && !u.effects);
    CU_ASSERT_EQUAL(b->use, ALLOC_READ | ALLOC_WRITTEN);
    devmem_usage_end(m);
    CU_ASSERT_EQUAL(devmem_usage(m).n, 0);
    CU_ASSERT_TRUE(a->changed == first && b->changed != second);
    devmem_watch(m, NULL, NULL);
    devmem_use(m, b, ALLOC_WRITTEN);
    CU_ASSERT_EQUAL(stores, 1);
    devmem_release(m, to); /* what is gone is not counted */
    CU_ASSERT_EQUAL(devmem_usage(m).n, 0);
    devmem_note_effect(m);
    CU_ASSERT_TRUE(devmem_usage(m).effects);
    devmem_free(m);
}

static void other_contents_have_another_name(void)
{
    struct devmem *m = devmem_new();
    const addr_t at = devmem_alloc(m, 64, "x");
    const struct alloc *a = devmem_find(m, at, 64);
    uint8_t bytes[64] = {1};
    const uint64_t zero = a->changed;
    devmem_write(m, at, bytes + 1, 63); /* zeros on zeros */
    CU_ASSERT_EQUAL(a->changed, zero);
    devmem_write(m, at, bytes, 64);
    const uint64_t one = a->changed;
    CU_ASSERT_NOT_EQUAL(one, zero);
    devmem_fill(m, at, 0, 1);
    CU_ASSERT_TRUE(a->changed != one && a->changed != zero);
    devmem_becomes(m, at, zero, NULL);
    CU_ASSERT_TRUE(a->changed == zero && a->host[0] == 0);
    devmem_becomes(m, at, one, bytes);
    CU_ASSERT_TRUE(a->changed == one && a->host[0] == 1);
    const uint64_t epoch = devmem_epoch(m);
    devmem_new_epoch(m);
    CU_ASSERT_NOT_EQUAL(devmem_epoch(m), epoch);
    devmem_free(m);
}

static void a_clone_changes_nothing(void)
{
    static uint8_t bytes[64];
    struct devmem *m = devmem_new();
    addr_t a = devmem_alloc(m, 8, "a"), h = 0x200000000000;
    devmem_map(m, h, sizeof bytes, bytes, "pinned");
    devmem_write(m, a, "first", 6);
    struct devmem *c = devmem_clone(m);
    char text[8];
    CU_ASSERT(devmem_read(c, a, text, 6));
    CU_ASSERT_STRING_EQUAL(text, "first");
    devmem_write(c, a, "other", 6);
    devmem_write(c, h, "x", 1);
    CU_ASSERT_EQUAL(devmem_alloc(c, 4, "new"), a + 256); /* the same address as in m */
    devmem_read(m, a, text, 6);
    CU_ASSERT_STRING_EQUAL(text, "first");
    CU_ASSERT_EQUAL(bytes[0], 0);
    devmem_free(c);
    CU_ASSERT_EQUAL(devmem_alloc(m, 4, "new"), a + 256);
    devmem_free(m);
}

static void what_was_used_last_comes_first(void)
{
    struct devmem *m = devmem_new();
    const struct alloc *al[4], *recent[3];
    for (int i = 0; i < 4; i++) {
        const addr_t a = devmem_alloc(m, 256, "a");
        al[i] = devmem_find(m, a, 256);
    }
    CU_ASSERT_EQUAL(devmem_recent(m, recent, 3), 0);
    devmem_use(m, al[2], ALLOC_READ);
    CU_ASSERT_EQUAL(devmem_recent(m, recent, 3), 0); /* the launch has not ended */
    devmem_usage_end(m);
    devmem_use(m, al[0], ALLOC_WRITTEN);
    devmem_usage_end(m);
    CU_ASSERT_EQUAL(devmem_recent(m, recent, 3), 2);
    CU_ASSERT_TRUE(recent[0] == al[0] && recent[1] == al[2]);
    devmem_use(m, al[2], ALLOC_READ);
    devmem_usage_end(m);
    devmem_use(m, al[3], ALLOC_READ);
    devmem_use(m, al[1], ALLOC_READ);
    devmem_usage_end(m);
    CU_ASSERT_EQUAL(devmem_recent(m, recent, 3), 3);
    CU_ASSERT_TRUE(recent[0]->last_used == recent[1]->last_used && recent[2] == al[2]);
    struct devmem *c = devmem_share(m);
    CU_ASSERT_EQUAL(devmem_recent(c, recent, 3), 3);
    CU_ASSERT_EQUAL(recent[2]->base, al[2]->base);
    devmem_free(c);
    devmem_free(m);
}

SUITE("devmem", T(what_was_used_last_comes_first), T(buffers_lie_in_order_on_256_bytes),
      T(bounds_hold_to_the_byte), T(new_memory_is_zero_and_host_copies_are_checked),
      T(sizes_that_cannot_be_are_refused), T(released_room_is_found_again),
      T(nearest_allocation_for_messages), T(a_share_reads_the_bytes_of_the_original),
      T(the_first_store_copies), T(a_share_allocates_and_releases_alone),
      T(a_share_of_a_share_sees_the_nearest), T(a_share_leaves_the_hosts_memory_alone),
      T(other_contents_have_another_name_in_a_share), T(device_heap_has_a_limit_of_its_own),
      T(a_clone_keeps_what_was_used), T(host_memory_is_seen_where_it_lies),
      T(memory_that_lies_anywhere_is_seen_at_one_place), T(a_clone_changes_nothing),
      T(launches_leave_what_they_used), T(other_contents_have_another_name))
