/* spmv -- sparse matrix times vector (Parboil's spmv: Kayiran 2013, Table II; Park 2015, Table 2),
 * jagged diagonal storage in groups of 32 rows, CTAs of 192 threads as Parboil sizes them for cores
 * of 1536 threads and 8 CTAs.
 *
 * The matrix is a discretised plane: unknowns on a lattice, each coupled with those up to two steps
 * away in x and y, a few couplings left out. Size paper has the order of Parboil's large matrix,
 * Dubcova3 (146689 rows, 383 x 383), and within 0.1 % as many elements. */
#include "data/workloads/graph.h"

#include <math.h>
#include <stdlib.h>

#define CTA     192
#define REACH   2     /* steps to the farthest coupled unknown, each way */
#define MISSING 0.002 /* share of couplings left out */
#define GROUP   32    /* rows padded to the same length */

struct matrix { /* compressed rows, columns ascending */
    int rows, *first, *column;
    float *value;
};

struct jagged {
    int rows, groups, elements; /* padding included */
    int *row;                   /* which row is r-th by length */
    int *length, *first;        /* of each group; of each diagonal */
    int *column;
    float *value;
};

/* Half of the square of unknowns around one; the other half sees it from there. */
static struct graph make_lattice(struct host *h, int nx, int ny)
{
    struct graph g = {.nodes = nx * ny};
    g.edge = host_new(h, (size_t)g.nodes * 2 * REACH * (REACH + 1), sizeof *g.edge);
    for (int v = 0; v < g.nodes; v++)
        for (int dy = 0; dy <= REACH; dy++)
            for (int dx = dy ? -REACH : 1; dx <= REACH; dx++) {
                int x = v % nx + dx, y = v / nx + dy;
                if (x < 0 || x >= nx || y >= ny || rng_unit(&h->rng) < MISSING)
                    continue;
                g.edge[g.edges][0] = v;
                g.edge[g.edges++][1] = y * nx + x;
            }
    return g;
}

static struct matrix make_matrix(struct host *h, int nx, int ny)
{
    struct graph g = make_lattice(h, nx, ny);
    struct matrix m = {.rows = g.nodes};
    graph_number(h, &g);
    size_t elements = 2 * (size_t)g.edges + (size_t)g.nodes, at = 0;
    m.first = host_new(h, (size_t)m.rows + 1, sizeof *m.first);
    m.column = host_new(h, elements, sizeof *m.column);
    m.value = host_random_floats(h, elements, -1.0, 1.0);
    for (int v = 0; v < m.rows; v++) {
        bool placed = false; /* the element on the diagonal */
        for (int k = g.first[v]; k <= g.first[v + 1]; k++) {
            if (!placed && (k == g.first[v + 1] || g.adj[k] > v)) {
                m.column[at++] = v;
                placed = true;
            }
            if (k < g.first[v + 1])
                m.column[at++] = g.adj[k];
        }
        m.first[v + 1] = (int)at;
    }
    return m;
}

struct sized_row {
    int length, row;
};

static int longest_first(const void *a, const void *b)
{
    const struct sized_row *x = a, *y = b;
    return x->length != y->length ? y->length - x->length : x->row - y->row;
}

/* Group g is as long as its first row; diagonal k has the groups that are longer than k. */
static void lay_out(struct host *h, const struct matrix *m, struct jagged *j)
{
    struct sized_row *by_size = host_new(h, (size_t)m->rows, sizeof *by_size);
    for (int v = 0; v < m->rows; v++)
        by_size[v] = (struct sized_row){m->first[v + 1] - m->first[v], v};
    qsort(by_size, (size_t)m->rows, sizeof *by_size, longest_first);
    j->rows = m->rows;
    j->groups = (m->rows + GROUP - 1) / GROUP;
    j->row = host_new(h, (size_t)m->rows, sizeof *j->row);
    j->length = host_new(h, (size_t)j->groups, sizeof *j->length);
    j->first = host_new(h, (size_t)by_size[0].length + 1, sizeof *j->first);
    for (int r = 0; r < m->rows; r++)
        j->row[r] = by_size[r].row;
    for (int g = 0; g < j->groups; g++)
        j->length[g] = by_size[g * GROUP].length;
    for (int k = 0, g = j->groups; k < by_size[0].length; k++) {
        for (; j->length[g - 1] <= k; g--)
            ;
        j->first[k] = j->elements;
        j->elements += g * GROUP;
    }
}

static struct jagged make_jagged(struct host *h, const struct matrix *m)
{
    struct jagged j = {0};
    lay_out(h, m, &j);
    j.column = host_new(h, (size_t)j.elements, sizeof *j.column);
    j.value = host_new(h, (size_t)j.elements, sizeof *j.value);
    for (int r = 0; r < j.rows; r++)
        for (int k = m->first[j.row[r]], d = 0; k < m->first[j.row[r] + 1]; k++, d++) {
            j.column[j.first[d] + r] = m->column[k];
            j.value[j.first[d] + r] = m->value[k];
        }
    return j;
}

static bool run_on_device(struct host *h, const struct jagged *j, const float *x, float *y,
                          struct err *e)
{
    size_t rows = (size_t)j->rows, elements = (size_t)j->elements;
    unsigned threads = host_threads(h, CTA);
    int n = j->rows;
    CUfunction kernel;
    CUdeviceptr d_y, d_value, d_column, d_row, d_x;
    if (!host_kernel(h, "spmv_jds", &kernel, e) || !host_array(&d_x, x, rows * sizeof *x, e) ||
        !host_array(&d_value, j->value, elements * sizeof *j->value, e) ||
        !host_array(&d_column, j->column, elements * sizeof *j->column, e) ||
        !host_array(&d_row, j->row, rows * sizeof *j->row, e) ||
        !host_array(&d_y, NULL, rows * sizeof *y, e) ||
        !host_symbol(h, "spmv_first", j->first, (size_t)j->length[0] * sizeof *j->first, e) ||
        !host_symbol(h, "spmv_length", j->length, (size_t)j->groups * sizeof *j->length, e))
        return false;
    void *args[] = {&d_y, &d_value, &d_column, &d_row, &d_x, &n};
    if (!host_launch(kernel, host_ctas(rows, threads), threads, args, e))
        return false;
    TRY(cuMemcpyDtoH(y, d_y, rows * sizeof *y));
    return true;
}

/* A sum of as many rounded products as the longest row has (padding adds zeros, exactly): each term
 * meets at most that many roundings and its own, each half a unit in the last place of the
 * magnitudes' sum. */
static bool check(struct host *h, const struct matrix *m, int longest, const float *x,
                  const float *y, struct err *e)
{
    size_t rows = (size_t)m->rows;
    double *expected = host_new(h, rows, sizeof *expected), *size = host_new(h, rows, sizeof *size);
    for (size_t v = 0; v < rows; v++)
        for (int k = m->first[v]; k < m->first[v + 1]; k++) {
            double term = (double)m->value[k] * (double)x[m->column[k]];
            expected[v] += term;
            size[v] += fabs(term);
        }
    return host_near(
        h, &(struct host_floats){"y", y, expected, size, rows, (longest + 1) * 0x1p-24}, e);
}

static bool body(struct host *h, struct err *e)
{
    const long *side = h->in->size->param;
    struct matrix m = make_matrix(h, (int)side[0], (int)side[1]);
    struct jagged j = make_jagged(h, &m);
    float *x = host_random_floats(h, (size_t)m.rows, -1.0, 1.0);
    float *y = host_new(h, (size_t)m.rows, sizeof *y);
    return run_on_device(h, &j, x, y, e) && (!h->in->verify || check(h, &m, j.length[0], x, y, e));
}

static bool run(const struct workload *w, const struct workload_input *in, struct err *e)
{
    return host_run(w, in, body, e);
}

extern const char workload_spmv_ptx[];
extern const struct workload workload_spmv;
const struct workload workload_spmv = {
    .name = "spmv",
    .suite = "Kayiran, Park",
    .title = "sparse matrix times vector, jagged diagonals",
    .paper_class = "memory-intensive",
    .size = {{"small", {144, 140}, "20160 rows, 4 MB"},
             {"medium", {288, 288}, "82944 rows, 17 MB"},
             {"paper", {383, 383}, "146689 rows, 29 MB (Parboil, large)"}},
    .orders = true,
    .any_warps = true,
    .ptx = workload_spmv_ptx,
    .run = run,
};
