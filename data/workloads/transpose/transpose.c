/* transpose -- a matrix transposed through 32 x 32 tiles in shared memory, CTAs of 32 x 8 threads:
 * each word is read once and written once. */
#include "data/workloads/host.h"

#define TILE 32
#define HIGH 8

static bool check(struct host *h, const int *from, const int *found, struct err *e)
{
    const size_t rows = (size_t)h->in->size->param[0], columns = (size_t)h->in->size->param[1];
    int *expected = host_new(h, rows * columns, sizeof *expected);
    for (size_t i = 0; i < rows * columns; i++)
        expected[i % columns * rows + i / columns] = from[i];
    return host_same_ints(h, "to", found, expected, rows * columns, e);
}

static bool body(struct host *h, struct err *e)
{
    int rows = (int)h->in->size->param[0], columns = (int)h->in->size->param[1];
    const size_t all = (size_t)rows * (size_t)columns;
    const int *matrix = host_random_ints(h, all, 1, 1 << 30);
    int *found = host_new(h, all, sizeof *found);
    CUfunction kernel;
    CUdeviceptr from, to;
    struct host_grid tiles = {host_ctas((size_t)columns, TILE), host_ctas((size_t)rows, TILE), 1};
    if (!host_kernel(h, "transpose_tiles", &kernel, e) ||
        !host_array(&from, matrix, all * sizeof *matrix, e) ||
        !host_array(&to, NULL, all * sizeof *matrix, e))
        return false;
    void *args[] = {&to, &from, &rows, &columns};
    if (!host_launch_grid(kernel, tiles, (struct host_grid){TILE, HIGH, 1}, args, e))
        return false;
    TRY(cuMemcpyDtoH(found, to, all * sizeof *found));
    return !h->in->verify || check(h, matrix, found, e);
}

static bool run(const struct workload *w, const struct workload_input *in, struct err *e)
{
    return host_run(w, in, body, e);
}

extern const char workload_transpose_ptx[];
extern const struct workload workload_transpose;
const struct workload workload_transpose = {
    .name = "transpose",
    .suite = "modern",
    .title = "matrix transpose through 32 x 32 tiles in shared memory",
    .paper_class = "memory-intensive",
    .size = {{"small", {230, 300}, "230 x 300"},
             {"medium", {1024, 1500}, "1024 x 1500"},
             {"paper", {4096, 4096}, "4096 x 4096"}},
    .ptx = workload_transpose_ptx,
    .run = run,
};
