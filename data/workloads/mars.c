#include "data/workloads/mars.h"

#include <stdio.h>

#define PAIRS 128 /* of mars.cuh */

struct mars mars_of(struct host *h, unsigned threads)
{
    return (struct mars){.host = h, .threads = threads};
}

void mars_begin(struct mars *m, int n)
{
    m->n = n;
    m->groups = 0;
    for (m->padded = PAIRS; m->padded < (unsigned)n; m->padded *= 2)
        ;
}

static bool launch(const struct mars *m, const char *name, const unsigned shape[2], void **args,
                   struct err *e)
{
    char whole[64];
    CUfunction kernel;
    snprintf(whole, sizeof whole, "%s_%s", m->host->workload->name, name);
    return host_kernel(m->host, whole, &kernel, e) &&
           host_launch(kernel, shape[0], shape[1], args, e);
}

bool mars_launch(const struct mars *m, const char *name, size_t n, void **args, struct err *e)
{
    const unsigned shape[] = {host_ctas(n, m->threads), m->threads};
    return n == 0 || launch(m, name, shape, args, e);
}

/* Sums of PAIRS elements a CTA; then the CTAs' sums in the same way. */
static bool scan(const struct mars *m, CUdeviceptr data, int n, struct err *e)
{
    CUdeviceptr sums;
    const unsigned shape[] = {host_ctas((size_t)n, PAIRS), PAIRS / 2};
    void *args[] = {&data, &sums, &n};
    return host_array(&sums, NULL, shape[0] * sizeof(unsigned), e) &&
           launch(m, "scan", shape, args, e) &&
           (shape[0] == 1 ||
            (scan(m, sums, (int)shape[0], e) && mars_launch(m, "scan_add", (size_t)n, args, e)));
}

bool mars_scan(const struct mars *m, CUdeviceptr data, int n, int *sum, struct err *e)
{
    if (!scan(m, data, n + 1, e))
        return false;
    TRY(cuMemcpyDtoH(sum, data + (CUdeviceptr)n * sizeof(unsigned), sizeof *sum));
    return true;
}

bool mars_pairs(struct mars *m, int key_words, struct err *e)
{
    return host_array(&m->keys, NULL, ((size_t)key_words + 1) * sizeof(unsigned), e) &&
           host_array(&m->pairs, NULL, m->padded * 2 * sizeof(unsigned), e);
}

/* Bitonic: runs of twice the length each time; partners far apart over global memory, near ones in
 * shared memory. */
bool mars_sort(const struct mars *m, struct err *e)
{
    unsigned run = PAIRS, apart, padded = m->padded;
    const unsigned shape[] = {padded / PAIRS, PAIRS / 2};
    void *near[] = {(void *)&m->pairs, (void *)&m->keys, (void *)&m->key_at, &run};
    void *far[] = {(void *)&m->pairs, (void *)&m->keys, (void *)&m->key_at, &run, &apart, &padded};
    for (; run <= padded; run *= 2) {
        for (apart = run / 2; run > PAIRS && apart >= PAIRS; apart /= 2)
            if (!mars_launch(m, "sort_far", padded / 2, far, e))
                return false;
        if (!launch(m, "sort_near", shape, near, e))
            return false;
    }
    return true;
}

bool mars_group(struct mars *m, struct err *e)
{
    CUdeviceptr group;
    const size_t words = (size_t)m->n + 1;
    void *heads[] = {&group, &m->pairs, &m->keys, &m->key_at, &m->n};
    void *starts[] = {&m->first, &group, &m->n};
    return host_array(&group, NULL, words * sizeof(unsigned), e) &&
           mars_launch(m, "heads", words, heads, e) && mars_scan(m, group, m->n, &m->groups, e) &&
           host_array(&m->first, NULL, ((size_t)m->groups + 1) * sizeof(unsigned), e) &&
           mars_launch(m, "group", words, starts, e);
}
