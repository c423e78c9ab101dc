/* reject.c -- launches that never begin, since their shape is beyond a limit of the device or of
 * the kernel. A program that asks for no errors goes on without the kernel: the report says so. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cudart/rt.h"
#include "program/kernels.h"
#include "program/recorder.h"

enum figure { WRONG_GRID, WRONG_BLOCK, WRONG_THREADS, WRONG_SHARED, WRONG_CLUSTER };

static struct {
    struct way { /* in which launches of a kernel were rejected */
        char *kernel;
        int error;
        enum figure figure;
    } * way;
    int count;
} told;

uint64_t rt_most_threads(const struct kernel *k)
{
    uint64_t most = 1;
    for (int i = 0; i < 3; i++)
        most *= k->maxntid[i] ? (uint64_t)k->maxntid[i] : 1;
    return k->maxntid[0] ? most : LAUNCH_MAX_THREADS;
}

static enum figure wrong_figure(const struct kernel *k, const struct launch_request *r, int error)
{
    const unsigned *g = r->grid, *b = r->block;
    if (error == cudaErrorInvalidClusterSize)
        return WRONG_CLUSTER;
    if (!launch_grid_ok(g[0], g[1], g[2]))
        return WRONG_GRID;
    if (!launch_block_ok(b[0], b[1], b[2]))
        return WRONG_BLOCK;
    return (uint64_t)b[0] * b[1] * b[2] > rt_most_threads(k) ? WRONG_THREADS : WRONG_SHARED;
}

static int find(const char *kernel, int error, enum figure figure)
{
    int i = 0;
    while (i < told.count && (told.way[i].error != error || told.way[i].figure != figure ||
                              strcmp(told.way[i].kernel, kernel) != 0))
        i++;
    return i;
}

/* "invalid configuration argument (grid 0x1x1)" */
static void describe(const struct kernel *k, const struct launch_request *r, const struct way *w,
                     struct record_rejection *out)
{
    const unsigned *g = r->grid, *b = r->block, *c = r->cluster;
    char figure[128];
    if (w->figure == WRONG_GRID)
        snprintf(figure, sizeof figure, "grid %ux%ux%u", g[0], g[1], g[2]);
    else if (w->figure == WRONG_BLOCK)
        snprintf(figure, sizeof figure, "block %ux%ux%u", b[0], b[1], b[2]);
    else if (w->figure == WRONG_THREADS)
        snprintf(figure, sizeof figure, "block %ux%ux%u, of %llu threads at most", b[0], b[1], b[2],
                 (unsigned long long)rt_most_threads(k));
    else if (w->figure == WRONG_CLUSTER)
        snprintf(figure, sizeof figure, "clusters of %ux%ux%u, grid %ux%ux%u", c[0], c[1], c[2],
                 g[0], g[1], g[2]);
    else
        snprintf(figure, sizeof figure, "%zu bytes of dynamic shared memory", r->shared);
    snprintf(out->reason, sizeof out->reason, "%s (%s)",
             rt_cudaGetErrorString((cudaError_t)w->error), figure);
    kernel_shown_name(k->name, out->kernel);
}

void rt_rejected(const struct kernel *k, const struct launch_request *r, int error)
{
    const enum figure figure = wrong_figure(k, r, error);
    const struct record_rejected rejected = {find(k->name, error, figure)};
    if (rejected.rejection == told.count) {
        struct record_rejection x = {.rejection = told.count};
        told.way = xrealloc(told.way, (size_t)(told.count + 1) * sizeof *told.way);
        told.way[told.count] = (struct way){xstrdup(k->name), error, figure};
        describe(k, r, &told.way[told.count++], &x);
        recorder_put(rt_recorder(), RECORD_REJECTION, &x, sizeof x);
    }
    recorder_put(rt_recorder(), RECORD_REJECTED, &rejected, sizeof rejected);
}
