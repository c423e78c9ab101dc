/* data/workloads/mars.h -- the stages that the MapReduce workloads share, as host code: launches of
 * the kernels of mars.cuh, each under the workload's own name (pvc_scan, iix_scan ...).
 *
 *   struct mars m = mars_of(h, threads);
 *   mars_begin(&m, n);                               n pairs will be emitted
 *   map_count into m.key_at, mars_scan, mars_pairs, map
 *   mars_sort; mars_group; reduce
 *
 * Kernels that do nothing leave no pairs or groups, never a loop without end. */
#ifndef MDP_DATA_WORKLOADS_MARS_H
#define MDP_DATA_WORKLOADS_MARS_H

#include "data/workloads/host.h"

struct mars_pair {
    unsigned hash, index; /* of its key; ~0: only fills up */
};

struct mars {
    struct host *host;
    unsigned threads;        /* a CTA of the kernels that don't use shared memory */
    CUdeviceptr key_at;      /* n + 1 words: where a pair's key begins in keys */
    CUdeviceptr keys, pairs; /* pairs: struct mars_pair each */
    CUdeviceptr first; /* groups + 1 words: the first pair of each group, in the order of `pairs` */
    int n, groups;
    unsigned padded; /* n up to a power of two: pairs that there is room for */
};

struct mars mars_of(struct host *h, unsigned threads);
void mars_begin(struct mars *m, int n);
/* NAME of the workload's kernels, a thread each of n elements (none: no launch). */
bool mars_launch(const struct mars *m, const char *name, size_t n, void **args, struct err *e);
/* Each of data's n + 1 words becomes the sum of those before it; *sum: of the first n. */
bool mars_scan(const struct mars *m, CUdeviceptr data, int n, int *sum, struct err *e);
/* Room for pairs, and for so many words of keys. */
bool mars_pairs(struct mars *m, int key_words, struct err *e);
/* The pairs in the order of hashes and keys; those without a key last. */
bool mars_sort(const struct mars *m, struct err *e);
/* Finds the groups of equal keys among sorted pairs. */
bool mars_group(struct mars *m, struct err *e);

#endif
