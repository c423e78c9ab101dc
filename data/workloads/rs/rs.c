/* rs -- radix sort of keys with values, 4 bits a pass (radixSort of the SDK; Park 2015, Table 2;
 * Satish, Harris and Garland, IPDPS 2009): sort blocks, count digits, prefix sum, move. Keys are
 * uniform up to a number of bits, as in the SDK's sample; a value is its key's first place. */
#include "data/workloads/host.h"

#include <stdlib.h>

#define CTA    256
#define DIGITS 16
#define SORTED 1024 /* pairs a CTA of rs_blocks, and counts a CTA of rs_scan */
#define MOVED  512  /* pairs a CTA of rs_offsets and rs_reorder */

struct pairs {
    int n, bits;
    int *key, *value;
};

struct on_device {
    CUfunction blocks, offsets, scan, scan_add, reorder;
    CUdeviceptr key, value, sorted_key, sorted_value; /* of a pass: before and after rs_blocks */
    CUdeviceptr count, first, total, grand_total;
};

/* By key, then by place: the order that a stable sort gives. */
static int by_key(const void *a, const void *b)
{
    const unsigned *p = a, *q = b;
    return p[0] != q[0] ? (p[0] > q[0]) - (p[0] < q[0]) : (p[1] > q[1]) - (p[1] < q[1]);
}

static bool check(struct host *h, const struct pairs *found, const int *key, struct err *e)
{
    size_t n = (size_t)found->n;
    unsigned(*pair)[2] = host_new(h, n, sizeof *pair);
    int *expected_key = host_new(h, n, sizeof(int)), *expected_value = host_new(h, n, sizeof(int));
    for (unsigned i = 0; i < n; i++) {
        pair[i][0] = (unsigned)key[i];
        pair[i][1] = i;
    }
    qsort(pair, n, sizeof *pair, by_key);
    for (size_t i = 0; i < n; i++) {
        expected_key[i] = (int)pair[i][0];
        expected_value[i] = (int)pair[i][1];
    }
    return host_same_ints(h, "key", found->key, expected_key, n, e) &&
           host_same_ints(h, "value", found->value, expected_value, n, e);
}

static bool upload(const struct host *h, const struct pairs *p, struct on_device *d, struct err *e)
{
    size_t bytes = (size_t)p->n * sizeof *p->key, counts = bytes / MOVED * DIGITS;
    return host_kernel(h, "rs_blocks", &d->blocks, e) &&
           host_kernel(h, "rs_offsets", &d->offsets, e) && host_kernel(h, "rs_scan", &d->scan, e) &&
           host_kernel(h, "rs_scan_add", &d->scan_add, e) &&
           host_kernel(h, "rs_reorder", &d->reorder, e) && host_array(&d->key, p->key, bytes, e) &&
           host_array(&d->value, p->value, bytes, e) &&
           host_array(&d->sorted_key, NULL, bytes, e) &&
           host_array(&d->sorted_value, NULL, bytes, e) && host_array(&d->count, NULL, counts, e) &&
           host_array(&d->first, NULL, counts, e) &&
           host_array(&d->total, NULL, SORTED * sizeof(int), e) &&
           host_array(&d->grand_total, NULL, sizeof(int), e);
}

/* Prefix sums of n counts, at most SORTED x SORTED: of blocks, of the blocks' sums, both added. */
static bool scan(struct on_device *d, int n, struct err *e)
{
    unsigned blocks = host_ctas((size_t)n, SORTED);
    int totals = SORTED;
    void *args[] = {&d->count, &d->total, &n};
    void *of_totals[] = {&d->total, &d->grand_total, &totals};
    return host_launch(d->scan, blocks, CTA, args, e) &&
           host_launch(d->scan, 1, CTA, of_totals, e) &&
           host_launch(d->scan_add, blocks, CTA, args, e);
}

static bool pass(struct on_device *d, int n, int shift, struct err *e)
{
    unsigned moved = (unsigned)n / MOVED;
    void *block_args[] = {&d->sorted_key, &d->sorted_value, &d->key, &d->value, &shift};
    void *offset_args[] = {&d->count, &d->first, &d->sorted_key, &shift};
    void *reorder_args[] = {&d->key,   &d->value, &d->sorted_key, &d->sorted_value,
                            &d->count, &d->first, &shift};
    return host_launch(d->blocks, (unsigned)n / SORTED, CTA, block_args, e) &&
           host_launch(d->offsets, moved, CTA, offset_args, e) && scan(d, (int)moved * DIGITS, e) &&
           host_launch(d->reorder, moved, CTA, reorder_args, e);
}

static bool run_on_device(struct host *h, struct pairs *p, struct err *e)
{
    size_t bytes = (size_t)p->n * sizeof *p->key;
    struct on_device d;
    if (!upload(h, p, &d, e))
        return false;
    for (int shift = 0; shift < p->bits; shift += 4)
        if (!pass(&d, p->n, shift, e))
            return false;
    TRY(cuMemcpyDtoH(p->key, d.key, bytes));
    TRY(cuMemcpyDtoH(p->value, d.value, bytes));
    return true;
}

static bool body(struct host *h, struct err *e)
{
    const long *size = h->in->size->param;
    struct pairs p = {.n = (int)size[0], .bits = (int)size[1]};
    size_t n = (size_t)p.n;
    int *key = host_new(h, n, sizeof *key);
    p.key = host_new(h, n, sizeof *p.key);
    p.value = host_new(h, n, sizeof *p.value);
    for (size_t i = 0; i < n; i++) {
        p.key[i] = key[i] = (int)(uint32_t)rng_below(&h->rng, 1ull << p.bits);
        p.value[i] = (int)i;
    }
    return run_on_device(h, &p, e) && (!h->in->verify || check(h, &p, key, e));
}

static bool run(const struct workload *w, const struct workload_input *in, struct err *e)
{
    return host_run(w, in, body, e);
}

extern const char workload_rs_ptx[];
extern const struct workload workload_rs;
const struct workload workload_rs = {
    .name = "rs",
    .suite = "Park",
    .title = "radix sort of keys with values, 4 bits a pass",
    .paper_class = "memory-intensive",
    .size = {{"small", {4096, 16}, "4096 pairs, keys of 16 bits"},
             {"medium", {65536, 32}, "65536 pairs, keys of 32 bits"},
             {"paper", {1048576, 32}, "1048576 pairs, keys of 32 bits"}},
    .ptx = workload_rs_ptx,
    .run = run,
};
