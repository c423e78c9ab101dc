/* lkc -- leukocytes detected and tracked in video (Rodinia's leukocyte: LKC of Kayiran 2013, Table
 * II; LC of Park 2015, Table 2). In the first frame the cells are where the gradient inverse
 * coefficient of variation is greatest (Dong, Ray and Acton, IEEE Trans. Medical Imaging 2005); in
 * each later one a motion gradient vector flow (Ray and Acton, same journal, 2004) is computed
 * around every cell, a CTA a cell, and the host moves the cell to the middle of it.
 *
 * The video: bright cells with soft edges, which move slowly over an uneven ground; noise. Images
 * lie column after column. The smoothed step of the flow (upward() in lkc.cu) makes pull() grow
 * with the difference, by at most 1: an iteration is then no expansion, and roundings only add up.
 */
#include "data/workloads/bounded.h"
#include "data/workloads/texture.h"

#include <stdlib.h>
#include <string.h>

#define POINTS       150 /* of a circle, and circles, at most: as in lkc.cu */
#define CIRCLES      7
#define DISK         625
#define THREADS      320
#define DILATE_CTA   176
#define CELLS        64 /* at most */
#define RADIUS_STEP  2
#define PI           3.14159265358979323846
#define MU_BY_LAMBDA 0.1f /* mu 0.5, lambda 8 mu + 1 */
#define BY_LAMBDA    0.2f
#define EPSILON      0.01f
#define ENOUGH       1e-3f

struct flow { /* as in lkc.cu */
    int columns, rows;
    float vx, vy, epsilon, share, hold;
    int most;
    float enough;
};

struct cell {
    int x, y;
};

struct video {
    int rows, columns, least, circles, points, cells, frames; /* least: radius of a circle */
    int greatest, border, side;                               /* side: of the disk's square */
    size_t pixels;
    double start[CELLS][2], radius[CELLS], move[CELLS][2]; /* of the cells that are drawn */
    float *frame, *gradient_x, *gradient_y;
    float cosine[POINTS], sine[POINTS], share[POINTS];
    int dx[CIRCLES * POINTS], dy[CIRCLES * POINTS], disk[DISK];
    struct cell found[CELLS];
    int count; /* of found */
    struct flow flow;
};

static void make_circles(struct video *v)
{
    for (int i = 0; i < v->points; i++) {
        double angle = 2 * PI * i / v->points;
        v->cosine[i] = (float)cos(angle);
        v->sine[i] = (float)sin(angle);
        v->share[i] = 1.0f / (float)(i + 1);
        for (int c = 0; c < v->circles; c++) {
            int radius = v->least + RADIUS_STEP * c;
            v->dx[c * v->points + i] = (int)lround(radius * cos(angle));
            v->dy[c * v->points + i] = (int)lround(radius * sin(angle));
        }
    }
    for (int i = 0; i < v->side * v->side; i++) {
        int x = i / v->side - v->side / 2, y = i % v->side - v->side / 2;
        v->disk[i] = 4 * (x * x + y * y) <= v->side * v->side;
    }
}

/* Where the cells start: spread evenly, moved a little. */
static void make_cells(struct host *h, struct video *v)
{
    int across = 1;
    while (across * across * v->rows < v->cells * v->columns)
        across++;
    int down = (v->cells + across - 1) / across;
    double wide = v->columns - 2.0 * v->border, high = v->rows - 2.0 * v->border;
    for (int c = 0; c < v->cells; c++) {
        double x = (c % across + rng_real(&h->rng, 0.3, 0.7)) / across;
        double y = (double)(c / across) + rng_real(&h->rng, 0.3, 0.7);
        v->start[c][0] = v->border + wide * x;
        v->start[c][1] = v->border + high * y / down;
        v->radius[c] = rng_real(&h->rng, v->least, 0.6 * v->least + 0.4 * v->greatest);
        v->move[c][0] = rng_real(&h->rng, -1.0, 1.0);
        v->move[c][1] = rng_real(&h->rng, -1.0, 1.0);
    }
}

static void draw_frame(struct host *h, struct video *v, int number)
{
    for (size_t i = 0; i < v->pixels; i++) {
        int x = (int)i / v->rows, y = (int)i % v->rows;
        double light = 0.2 + 0.1 * x / v->columns + 0.05 * rng_normal(&h->rng), cell = 0.0;
        for (int c = 0; c < v->cells; c++) {
            double dx = x - v->start[c][0] - number * v->move[c][0];
            double dy = y - v->start[c][1] - number * v->move[c][1];
            double inside = v->radius[c] - sqrt(dx * dx + dy * dy);
            cell = fmax(cell, fmin(1.0, fmax(0.0, inside / 2 + 0.5)));
        }
        v->frame[i] = (float)(light + 0.5 * cell);
    }
    for (size_t i = 0; i < v->pixels; i++) {
        int x = (int)i / v->rows, y = (int)i % v->rows, r = v->rows;
        const float *p = v->frame + i;
        v->gradient_x[i] = p[x < v->columns - 1 ? r : 0] - p[x > 0 ? -r : 0];
        v->gradient_y[i] = p[y < r - 1 ? 1 : 0] - p[y > 0 ? -1 : 0];
    }
}

/* One circle around `at`: Welford's mean and variance, as the kernel has them. */
static struct bounded circle_fit(const struct video *v, size_t at, int circle)
{
    struct bounded mean = bounded(0.0f), squares = bounded(0.0f);
    for (int i = 0; i < v->points; i++) {
        int k = circle * v->points + i;
        size_t there = at + (size_t)(v->dx[k] * v->rows + v->dy[k]);
        struct bounded along =
            bounded_add(bounded_mul(bounded(v->gradient_x[there]), bounded(v->cosine[i])),
                        bounded_mul(bounded(v->gradient_y[there]), bounded(v->sine[i])));
        struct bounded off = bounded_sub(along, mean);
        mean = bounded_add(mean, bounded_mul(off, bounded(v->share[i])));
        squares = bounded_add(squares, bounded_mul(off, bounded_sub(along, mean)));
    }
    struct bounded variance = bounded_div(squares, bounded((float)(v->points - 1)));
    return bounded_div(bounded_mul(mean, mean), variance);
}

static bool check_gicov(struct host *h, const struct video *v, const float *gicov, struct err *e)
{
    struct bounded *expected = host_new(h, v->pixels, sizeof *expected);
    for (int x = v->border; x < v->columns - v->border; x++)
        for (int y = v->border; y < v->rows - v->border; y++) {
            size_t at = (size_t)(x * v->rows + y);
            for (int c = 0; c < v->circles; c++) {
                struct bounded fit = circle_fit(v, at, c);
                expected[at].x = fmax(expected[at].x, fit.x);
                expected[at].err = fmax(expected[at].err, fit.err);
            }
        }
    return bounded_near(h, "gicov", gicov, expected, v->pixels, e);
}

/* From the device's own values, which each pixel gives to its disk. */
static bool check_dilated(struct host *h, const struct video *v, const float *gicov,
                          const float *dilated, struct err *e)
{
    struct bounded *expected = host_new(h, v->pixels, sizeof *expected);
    int reach = v->side / 2;
    for (size_t i = 0; i < v->pixels; i++)
        for (int dx = -reach; dx <= reach; dx++)
            for (int dy = -reach; dy <= reach; dy++) {
                int x = (int)i / v->rows + dx, y = (int)i % v->rows + dy;
                if (4 * (dx * dx + dy * dy) > v->side * v->side || x < 0 || x >= v->columns ||
                    y < 0 || y >= v->rows)
                    continue;
                struct bounded *to = &expected[x * v->rows + y];
                to->x = fmax(to->x, (double)gicov[i]);
            }
    return bounded_near(h, "dilated", dilated, expected, v->pixels, e);
}

static bool image_texture(CUtexObject *texture, CUdeviceptr image, const struct video *v,
                          struct err *e)
{
    return texture_of_memory(texture, image,
                             &(struct texture_texels){CU_AD_FORMAT_FLOAT, 1, v->pixels, 0}, e);
}

static bool symbols(const struct host *h, const struct video *v, struct err *e)
{
    return host_symbol(h, "lkc_cos", v->cosine, sizeof v->cosine, e) &&
           host_symbol(h, "lkc_sin", v->sine, sizeof v->sine, e) &&
           host_symbol(h, "lkc_share", v->share, sizeof v->share, e) &&
           host_symbol(h, "lkc_dx", v->dx, sizeof v->dx, e) &&
           host_symbol(h, "lkc_dy", v->dy, sizeof v->dy, e) &&
           host_symbol(h, "lkc_disk", v->disk, sizeof v->disk, e);
}

static bool fit_circles(struct host *h, struct video *v, CUdeviceptr gicov, float *found,
                        struct err *e)
{
    size_t bytes = v->pixels * sizeof *found;
    CUfunction kernel;
    CUdeviceptr gradient_x, gradient_y;
    CUtexObject x, y;
    void *args[] = {&gicov, &x, &y, &v->rows, &v->border, &v->circles, &v->points};
    if (!symbols(h, v, e) || !host_kernel(h, "lkc_gicov", &kernel, e) ||
        !host_array(&gradient_x, v->gradient_x, bytes, e) ||
        !host_array(&gradient_y, v->gradient_y, bytes, e) || !image_texture(&x, gradient_x, v, e) ||
        !image_texture(&y, gradient_y, v, e) ||
        !host_launch(kernel, (unsigned)(v->columns - 2 * v->border),
                     (unsigned)(v->rows - 2 * v->border), args, e))
        return false;
    TRY(cuMemcpyDtoH(found, gicov, bytes));
    return !h->in->verify || check_gicov(h, v, found, e);
}

static bool dilate(struct host *h, struct video *v, CUdeviceptr gicov, const float *fit,
                   float *found, struct err *e)
{
    size_t bytes = v->pixels * sizeof *found;
    CUfunction kernel;
    CUdeviceptr dilated;
    CUtexObject image;
    void *args[] = {&dilated, &image, &v->columns, &v->rows, &v->side};
    if (!host_kernel(h, "lkc_dilate", &kernel, e) || !host_array(&dilated, NULL, bytes, e) ||
        !image_texture(&image, gicov, v, e) ||
        !host_launch(kernel, host_ctas(v->pixels, DILATE_CTA), DILATE_CTA, args, e))
        return false;
    TRY(cuMemcpyDtoH(found, dilated, bytes));
    return !h->in->verify || check_dilated(h, v, fit, found, e);
}

/* The pixels of greatest fit that have no greater one in their disk. */
static void choose_cells(struct video *v, const float *fit, const float *dilated)
{
    for (v->count = 0; v->count < v->cells; v->count++) {
        size_t best = v->pixels;
        for (size_t i = 0; i < v->pixels; i++) {
            bool taken = fit[i] <= 0.0f || fit[i] < dilated[i];
            for (int c = 0; c < v->count; c++)
                taken |= (size_t)(v->found[c].x * v->rows + v->found[c].y) == i;
            if (!taken && (best == v->pixels || fit[i] > fit[best]))
                best = i;
        }
        if (best == v->pixels)
            return;
        v->found[v->count] = (struct cell){(int)best / v->rows, (int)best % v->rows};
    }
}

static int clamp(int i, int n)
{
    return i < 0 ? 0 : i >= n ? n - 1 : i;
}

/* Magnitude of the gradient around each cell, 1 at most. */
static void cut_windows(const struct video *v, float *edges)
{
    int rows = v->flow.rows, columns = v->flow.columns;
    for (int c = 0; c < v->count; c++) {
        float *window = edges + c * rows * columns, most = 1e-6f;
        for (int i = 0; i < rows * columns; i++) {
            int x = clamp(v->found[c].x + i / columns - rows / 2, v->columns);
            int y = clamp(v->found[c].y + i % columns - columns / 2, v->rows);
            window[i] = hypotf(v->gradient_x[x * v->rows + y], v->gradient_y[x * v->rows + y]);
            most = fmaxf(most, window[i]);
        }
        for (int i = 0; i < rows * columns; i++)
            window[i] = fminf(1.0f, window[i] / most);
    }
}

static double flowed(const struct flow *f, const double *now, int p, double edge)
{
    int row = p / f->columns, column = p % f->columns;
    double sum = 0.0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
            int there = clamp(row + dy, f->rows) * f->columns + clamp(column + dx, f->columns);
            double d = now[there] - now[p];
            double z = d * ((double)f->vx * dx + (double)f->vy * dy);
            sum += d * (0.5 + z / (2 * ((double)f->epsilon + fabs(z))));
        }
    return now[p] + (double)f->share * sum - (double)f->hold * edge * (now[p] - edge);
}

/* All numbers are in 0 .. 1. Of an iteration each of 8 pulls is off by 2^-22 for the quotient and
 * 2^-24 for each of 4 more roundings, a tenth of which counts, the sums by 2^-24 for each of 12: in
 * all less than 2^-21, and no iteration makes the difference before it greater. */
static bool check_flow(struct host *h, const struct video *v, const float *edges,
                       const float *field, int count, struct err *e)
{
    const struct flow *f = &v->flow;
    int n = f->rows * f->columns;
    double *now = host_new(h, (size_t)n, sizeof *now), *next = host_new(h, (size_t)n, sizeof *next);
    double *change = host_new(h, (size_t)f->most + 1, sizeof *change), off = count * 0x1p-21;
    if (count < 1 || count > f->most)
        return err_set(e, "lkc: %d iterations, expected 1 to %d", count, f->most);
    for (int p = 0; p < n; p++)
        now[p] = (double)edges[p];
    for (int i = 1; i <= count; i++) {
        for (int p = 0; p < n; p++) {
            next[p] = flowed(f, now, p, (double)edges[p]);
            change[i] += fabs(next[p] - now[p]) / n;
        }
        memcpy(now, next, (size_t)n * sizeof *now);
        bool ends = i == count && count < f->most;
        if (ends ? change[i] > (double)f->enough + 2 * off
                 : i < count && change[i] < (double)f->enough - 2 * off)
            return err_set(e, "lkc: %d iterations, expected others: mean change %g after %d", count,
                           change[i], i);
    }
    return host_near(
        h, &(struct host_floats){"field", field, now, NULL, (size_t)n, fmax(off, 0x1p-23)}, e);
}

/* Each cell to the middle of its field. */
static void move_cells(struct video *v, const float *field)
{
    int rows = v->flow.rows, columns = v->flow.columns;
    for (int c = 0; c < v->count; c++) {
        const float *window = field + c * rows * columns;
        double sum = 1e-9, dx = 0.0, dy = 0.0;
        for (int i = 0; i < rows * columns; i++) {
            sum += (double)window[i];
            dx += (double)window[i] * (i / columns - rows / 2);
            dy += (double)window[i] * (i % columns - columns / 2);
        }
        v->found[c].x = clamp(v->found[c].x + (int)lround(dx / sum), v->columns);
        v->found[c].y = clamp(v->found[c].y + (int)lround(dy / sum), v->rows);
    }
}

struct tracker {
    CUfunction kernel;
    CUdeviceptr field, edges, iterations;
    float *host_field, *host_edges;
    int *host_iterations;
    size_t window; /* pixels */
};

static bool tracker_open(struct host *h, const struct video *v, struct tracker *t, struct err *e)
{
    t->window = (size_t)(v->flow.rows * v->flow.columns);
    size_t all = (size_t)v->cells * t->window;
    t->host_field = host_new(h, all, sizeof *t->host_field);
    t->host_edges = host_new(h, all, sizeof *t->host_edges);
    t->host_iterations = host_new(h, (size_t)v->cells, sizeof *t->host_iterations);
    return host_kernel(h, "lkc_imgvf", &t->kernel, e) &&
           host_array(&t->field, NULL, all * sizeof *t->host_field, e) &&
           host_array(&t->edges, NULL, all * sizeof *t->host_edges, e) &&
           host_array(&t->iterations, NULL, (size_t)v->cells * sizeof(int), e);
}

static bool track(struct host *h, struct video *v, const struct tracker *t, struct err *e)
{
    size_t cells = (size_t)v->count, bytes = cells * t->window * sizeof *t->host_field;
    struct tracker d = *t;
    void *args[] = {&d.field, &d.edges, &d.iterations, &v->flow};
    cut_windows(v, t->host_edges);
    TRY(cuMemcpyHtoD(t->edges, t->host_edges, bytes));
    if (!host_launch(t->kernel, (unsigned)cells, THREADS, args, e))
        return false;
    TRY(cuMemcpyDtoH(t->host_field, t->field, bytes));
    TRY(cuMemcpyDtoH(t->host_iterations, t->iterations, cells * sizeof *t->host_iterations));
    for (size_t c = 0; h->in->verify && c < cells; c++)
        if (!check_flow(h, v, t->host_edges + c * t->window, t->host_field + c * t->window,
                        t->host_iterations[c], e))
            return false;
    move_cells(v, t->host_field);
    return true;
}

static bool detect(struct host *h, struct video *v, struct err *e)
{
    float *fit = host_new(h, v->pixels, sizeof *fit);
    float *dilated = host_new(h, v->pixels, sizeof *dilated);
    CUdeviceptr gicov;
    if (!host_array(&gicov, NULL, v->pixels * sizeof *fit, e) ||
        !fit_circles(h, v, gicov, fit, e) || !dilate(h, v, gicov, fit, dilated, e))
        return false;
    choose_cells(v, fit, dilated);
    return true;
}

static struct video video_of(struct host *h, const long *p)
{
    struct video v = {.rows = (int)p[0],
                      .columns = (int)p[1],
                      .least = (int)p[2],
                      .circles = (int)p[3],
                      .points = (int)p[4],
                      .cells = (int)p[5],
                      .frames = (int)p[6]};
    v.greatest = v.least + RADIUS_STEP * (v.circles - 1);
    v.border = v.greatest + 2;
    v.side = 3 * v.least / 2 * 2 + 1;
    v.pixels = (size_t)v.rows * (size_t)v.columns;
    v.flow = (struct flow){4 * v.greatest + 1, 2 * v.greatest + 1, 1.0f,      1.0f,  EPSILON,
                           MU_BY_LAMBDA,       BY_LAMBDA,          (int)p[7], ENOUGH};
    v.frame = host_new(h, v.pixels, sizeof *v.frame);
    v.gradient_x = host_new(h, v.pixels, sizeof *v.gradient_x);
    v.gradient_y = host_new(h, v.pixels, sizeof *v.gradient_y);
    make_circles(&v);
    make_cells(h, &v);
    return v;
}

static bool body(struct host *h, struct err *e)
{
    struct video v = video_of(h, h->in->size->param);
    struct tracker t;
    draw_frame(h, &v, 0);
    if (!detect(h, &v, e) || !tracker_open(h, &v, &t, e))
        return false;
    for (int number = 1; number <= v.frames && v.count > 0; number++) {
        draw_frame(h, &v, number);
        if (!track(h, &v, &t, e))
            return false;
    }
    return true;
}

static bool run(const struct workload *w, const struct workload_input *in, struct err *e)
{
    return host_run(w, in, body, e);
}

extern const char workload_lkc_ptx[];
extern const struct workload workload_lkc;
const struct workload workload_lkc = {
    .name = "lkc",
    .suite = "Kayiran, Park",
    .title = "leukocytes detected and tracked in video",
    .paper_class = "compute-intensive",
    .size = {{"small", {40, 48, 2, 2, 24, 2, 1, 16}, "40 x 48 pixels, 2 cells, 1 frame"},
             {"medium", {96, 140, 4, 4, 40, 8, 1, 40}, "96 x 140 pixels, 8 cells, 1 frame"},
             {"paper", {219, 640, 8, 7, 150, 36, 5, 100}, "219 x 640 pixels, 36 cells, 5 frames"}},
    .ptx = workload_lkc_ptx,
    .run = run,
};
