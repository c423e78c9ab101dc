/* pathfinder -- cheapest way through a grid, row by row (Yen 2014, Table 2): 20 rows a launch, CTAs
 * of 256 threads, of which those near the CTA's ends compute what its neighbours need as well. */
#include "data/workloads/host.h"

#include <string.h>

#define CTA    256
#define HEIGHT 20 /* rows a launch */

/* Small CTAs go fewer rows, so that half of their columns are still right at the end. */
static int rows_a_launch(unsigned threads)
{
    return threads / 4 < HEIGHT ? (int)threads / 4 : HEIGHT;
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* In: wall; out: sums of the last row. */
static void reference(struct host *h, const int *wall, int rows, int columns, int *sum)
{
    int *above = host_new(h, (size_t)columns, sizeof *above);
    memcpy(sum, wall, (size_t)columns * sizeof *sum);
    for (int r = 1; r < rows; r++) {
        memcpy(above, sum, (size_t)columns * sizeof *sum);
        for (int c = 0; c < columns; c++) {
            int best = smaller(above[c], above[c > 0 ? c - 1 : c]);
            best = smaller(best, above[c < columns - 1 ? c + 1 : c]);
            sum[c] = best + wall[r * columns + c];
        }
    }
}

static bool run_on_device(struct host *h, const int *wall, int rows, int columns, int *sum,
                          struct err *e)
{
    CUfunction kernel;
    CUdeviceptr from, to, all;
    size_t row_bytes = (size_t)columns * sizeof *sum;
    unsigned threads = host_threads(h, CTA), shared = 2 * threads * (unsigned)sizeof *sum;
    if (!host_kernel(h, "pathfinder_rows", &kernel, e) || !host_array(&from, wall, row_bytes, e) ||
        !host_array(&to, NULL, row_bytes, e) ||
        !host_array(&all, wall, row_bytes * (size_t)rows, e))
        return false;
    for (int row = 1, now; row < rows; row += now) {
        now = smaller(rows_a_launch(threads), rows - row);
        CUdeviceptr next = all + (size_t)row * row_bytes, t = from;
        unsigned ctas = host_ctas((size_t)columns, threads - 2 * (unsigned)now);
        void *args[] = {&to, &from, &next, &columns, &now};
        TRY(cuLaunchKernel(kernel, ctas, 1, 1, threads, 1, 1, shared, NULL, args, NULL));
        from = to;
        to = t;
    }
    TRY(cuMemcpyDtoH(sum, from, row_bytes));
    return true;
}

static bool body(struct host *h, struct err *e)
{
    int columns = (int)h->in->size->param[0], rows = (int)h->in->size->param[1];
    size_t n = (size_t)columns;
    const int *wall = host_random_ints(h, n * (size_t)rows, 0, 10);
    int *sum = host_new(h, n, sizeof *sum), *expected = host_new(h, n, sizeof *expected);
    if (!run_on_device(h, wall, rows, columns, sum, e))
        return false;
    if (!h->in->verify)
        return true;
    reference(h, wall, rows, columns, expected);
    return host_same_ints(h, "sum", sum, expected, n, e);
}

static bool run(const struct workload *w, const struct workload_input *in, struct err *e)
{
    return host_run(w, in, body, e);
}

extern const char workload_pathfinder_ptx[];
extern const struct workload workload_pathfinder;
const struct workload workload_pathfinder = {
    .name = "pathfinder",
    .suite = "Yen",
    .title = "cheapest way through a grid, 20 rows a launch",
    .paper_class = "compute-intensive",
    .size = {{"small", {38880, 21}, "38880 columns, 21 rows"},
             {"medium", {25000, 61}, "25000 columns, 61 rows"},
             {"paper", {25000, 100}, "25000 columns, 100 rows: 9.5 MB as in Table 2"}},
    .any_warps = true,
    .ptx = workload_pathfinder_ptx,
    .run = run,
};
