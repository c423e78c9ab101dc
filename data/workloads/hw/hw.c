/* hw -- points of a heart's inner and outer wall followed through an ultrasound video (Rodinia's
 * heartwall; Park 2015, Table 2): a launch a frame, a CTA a point, many phases between barriers.
 * See hw.cu for the method; Rodinia's kernel also compares places where the template sticks out of
 * the window, which can't win.
 *
 * The video: patches of random brightness around 0, on which the wall beats: everything moves away
 * from the middle and back. Every frame is checked from the device's points and templates before.
 */
#include "data/workloads/host.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CTA      256
#define SIDE_MAX 128 /* MOST in hw.cu */
#define KEEP     0.875f
#define BEAT     20 /* frames */
#define PI       3.14159265358979323846
#define UNIT     0x1p-24

struct point { /* these three as in hw.cu */
    int x, y, dx, dy;
};

struct shape {
    int wide, high, window, pattern, places, reach;
    float keep;
};

struct job {
    CUdeviceptr patterns, scores, scratch;
    struct shape s;
};

struct wall {
    struct shape s;
    int points, frames, cells; /* cells: of the patches, along each side */
    size_t pattern, places;    /* numbers of a template, of a point's scores */
    float *light, *frame;
    struct point *at, *before;
    float *patterns, *patterns_before, *scores;
};

/* Random brightness between four corners of a patch. */
static double patch(const struct wall *v, double x, double y, double size)
{
    int i = (int)floor(x / size), j = (int)floor(y / size);
    double fx = x / size - i, fy = y / size - j, sum = 0.0;
    for (int k = 0; k < 4; k++) {
        size_t cx = (size_t)((i + k % 2 + v->cells) % v->cells);
        size_t cy = (size_t)((j + k / 2 + v->cells) % v->cells);
        double share = (k % 2 ? fx : 1 - fx) * (k / 2 ? fy : 1 - fy);
        sum += share * (double)v->light[cy * (size_t)v->cells + cx];
    }
    return sum;
}

static void draw_frame(struct host *h, struct wall *v, int number)
{
    double stretch = 1.0 + 0.03 * sin(2 * PI * number / BEAT);
    for (int i = 0; i < v->s.wide * v->s.high; i++) {
        double x = v->s.wide / 2.0 + (i % v->s.wide - v->s.wide / 2.0) / stretch;
        double y = v->s.high / 2.0 + (i / v->s.wide - v->s.high / 2.0) / stretch;
        v->frame[i] = (float)(0.3 * patch(v, x, y, 9.0) + 0.2 * patch(v, x, y, 4.0) +
                              0.02 * rng_normal(&h->rng));
    }
}

/* Two in five on the inner wall, the others on the outer one. */
static void place_points(const struct wall *v)
{
    int inner = v->points * 2 / 5;
    for (int p = 0; p < v->points; p++) {
        double angle = p < inner ? 2 * PI * p / inner : 2 * PI * (p - inner) / (v->points - inner);
        double size = p < inner ? 0.2 : 0.3;
        v->at[p].x = v->s.wide / 2 + (int)lround(size * v->s.wide * cos(angle));
        v->at[p].y = v->s.high / 2 + (int)lround(size * v->s.high * sin(angle));
    }
}

static int clamp(int i, int n)
{
    return i < 0 ? 0 : i >= n ? n - 1 : i;
}

/* Pixel r, c of the square of that side around p. */
static double pixel(const struct wall *v, const struct point *p, int side, int r, int c)
{
    int y = clamp(p->y - side / 2 + r, v->s.high), x = clamp(p->x - side / 2 + c, v->s.wide);
    return (double)v->frame[y * v->s.wide + x];
}

struct moments {
    double sum, squares, size; /* size: sum of magnitudes */
};

static void add(struct moments *m, double v)
{
    m->sum += v;
    m->squares += v * v;
    m->size += fabs(v);
}

/* The template and the whole window of a point, as doubles. */
struct view {
    double window[SIDE_MAX][SIDE_MAX];
    double pattern[SIDE_MAX][SIDE_MAX];
    struct moments of_window, of_pattern;
};

static void look(const struct wall *v, int p, struct view *view)
{
    const float *pattern = v->patterns_before + (size_t)p * v->pattern;
    view->of_window = view->of_pattern = (struct moments){0};
    for (int r = 0; r < v->s.window; r++)
        for (int c = 0; c < v->s.window; c++)
            add(&view->of_window, view->window[r][c] = pixel(v, &v->before[p], v->s.window, r, c));
    for (int r = 0; r < v->s.pattern; r++)
        for (int c = 0; c < v->s.pattern; c++)
            add(&view->of_pattern, view->pattern[r][c] = (double)pattern[r * v->s.pattern + c]);
}

/* The correlation coefficient of template and window at a place, by its definition, and in *off how
 * far the device's may be from it. That one's sums over the window are differences of differences
 * of cumulative sums: (6 window + 8) roundings of at most the sum of all magnitudes. */
static double coefficient(const struct shape *s, const struct view *view, int row, int column,
                          double *off)
{
    const struct moments *t = &view->of_pattern, *all = &view->of_window;
    struct moments w = {0};
    double n = s->pattern * s->pattern, product = 0.0, size = 0.0, mean = t->sum / n;
    for (int r = 0; r < s->pattern; r++)
        for (int c = 0; c < s->pattern; c++)
            add(&w, view->window[row + r][column + c]);
    for (int r = 0; r < s->pattern; r++)
        for (int c = 0; c < s->pattern; c++) {
            double a = view->window[row + r][column + c], b = view->pattern[r][c];
            product += (a - w.sum / n) * (b - mean);
            size += fabs(a * b);
        }
    double spread = w.squares - w.sum * w.sum / n, own = t->squares - t->sum * mean;
    double sums = (6 * s->window + 8) * UNIT, columns = (2 * s->pattern + 4) * UNIT;
    double product_off =
        (n + 2) * UNIT * size + fabs(mean) * sums * all->size + fabs(w.sum) / n * columns * t->size;
    double spread_off =
        sums * all->squares + 2 * fabs(w.sum) / n * sums * all->size + 4 * UNIT * w.squares;
    double own_off =
        columns * t->squares + 2 * fabs(mean) * columns * t->size + 4 * UNIT * t->squares;
    double value = product / sqrt(spread * own);
    *off = 1.1 * (product_off / sqrt(spread * own) + (spread_off / spread + own_off / own) / 2 +
                  8 * UNIT);
    return value;
}

/* The device's scores, and that none within reach is better than the one that it chose. */
static bool check_place(struct host *h, const struct wall *v, int p, const struct view *view,
                        struct err *e)
{
    const struct point *old = &v->before[p], *now = &v->at[p];
    int side = v->s.places, row = now->dy + side / 2, column = now->dx + side / 2;
    double *expected = host_new(h, v->places, sizeof(double));
    double *off = host_new(h, v->places, sizeof(double)), most = -2.0;
    if (now->x != old->x + now->dx || now->y != old->y + now->dy || row != clamp(row, side) ||
        column != clamp(column, side))
        return err_set(e, "hw: point[%d] is at %d, %d, expected inside its window", p, now->x,
                       now->y);
    for (int r = 0; r < side; r++)
        for (int c = 0; c < side; c++) {
            int i = r * side + c;
            expected[i] = coefficient(&v->s, view, r, c, &off[i]);
            if (abs(r - clamp(side / 2 + old->dy, side)) <= v->s.reach &&
                abs(c - clamp(side / 2 + old->dx, side)) <= v->s.reach)
                most = fmax(most, expected[i] - off[i]);
        }
    int chosen = row * side + column;
    if (expected[chosen] + off[chosen] < most)
        return err_set(e, "hw: point[%d] scores %g, expected %g", p, expected[chosen], most);
    const float *scores = v->scores + (size_t)p * v->places;
    return host_near(h, &(struct host_floats){"score", scores, expected, off, v->places, 1.0}, e);
}

/* Four roundings of numbers below 1; none in the first frame. */
static bool check_pattern(struct host *h, const struct wall *v, int p, int number, struct err *e)
{
    const float *old = v->patterns_before + (size_t)p * v->pattern;
    double *expected = host_new(h, v->pattern, sizeof *expected);
    for (int i = 0; i < (int)v->pattern; i++) {
        int side = v->s.pattern;
        double there = pixel(v, &v->at[p], side, i / side, i % side), keep = (double)KEEP;
        expected[i] = number == 0 ? there : keep * (double)old[i] + (1 - keep) * there;
    }
    return host_near(h,
                     &(struct host_floats){"template", v->patterns + (size_t)p * v->pattern,
                                           expected, NULL, v->pattern, number ? 4 * UNIT : 0.0},
                     e);
}

static bool check(struct host *h, const struct wall *v, int number, struct err *e)
{
    struct view *view = host_new(h, 1, sizeof *view);
    for (int p = 0; p < v->points; p++) {
        look(v, p, view);
        if ((number > 0 && !check_place(h, v, p, view, e)) || !check_pattern(h, v, p, number, e))
            return false;
    }
    return true;
}

struct on_device {
    CUfunction track;
    CUdeviceptr points, frame;
    struct job job;
};

static bool upload(const struct host *h, const struct wall *v, struct on_device *d, struct err *e)
{
    size_t points = (size_t)v->points, window = (size_t)v->s.window, side = (size_t)v->s.places;
    size_t scratch =
        window * window + 3 * v->places + (window + 1) * window + side * (2 * window + 1);
    d->job.s = v->s;
    return host_kernel(h, "hw_track", &d->track, e) &&
           host_array(&d->points, v->at, points * sizeof *v->at, e) &&
           host_array(&d->job.patterns, NULL, points * v->pattern * sizeof(float), e) &&
           host_array(&d->job.scores, NULL, points * v->places * sizeof(float), e) &&
           host_array(&d->job.scratch, NULL, points * scratch * sizeof(float), e) &&
           host_array(&d->frame, NULL, (size_t)(v->s.wide * v->s.high) * sizeof(float), e);
}

static bool next_frame(struct host *h, struct wall *v, struct on_device *d, int number,
                       struct err *e)
{
    size_t points = (size_t)v->points, patterns = points * v->pattern * sizeof(float);
    void *args[] = {&d->points, &d->frame, &d->job, &number};
    draw_frame(h, v, number);
    memcpy(v->before, v->at, points * sizeof *v->at);
    memcpy(v->patterns_before, v->patterns, patterns);
    TRY(cuMemcpyHtoD(d->frame, v->frame, (size_t)(v->s.wide * v->s.high) * sizeof *v->frame));
    if (!host_launch(d->track, (unsigned)points, host_threads(h, CTA), args, e))
        return false;
    TRY(cuMemcpyDtoH(v->at, d->points, points * sizeof *v->at));
    TRY(cuMemcpyDtoH(v->patterns, d->job.patterns, patterns));
    TRY(cuMemcpyDtoH(v->scores, d->job.scores, points * v->places * sizeof(float)));
    return !h->in->verify || check(h, v, number, e);
}

static struct wall wall_of(struct host *h, const long *p)
{
    struct wall v = {.points = (int)p[2], .frames = (int)p[5]};
    int window = 2 * (int)p[4] + 1, pattern = 2 * (int)p[3] + 1;
    v.s = (struct shape){(int)p[1], (int)p[0], window, pattern, window - pattern + 1,
                         (int)p[6], KEEP};
    v.cells = 128;
    v.pattern = (size_t)(pattern * pattern);
    v.places = (size_t)(v.s.places * v.s.places);
    size_t points = (size_t)v.points;
    v.light = host_random_floats(h, (size_t)v.cells * (size_t)v.cells, -1.0, 1.0);
    v.frame = host_new(h, (size_t)(v.s.wide * v.s.high), sizeof *v.frame);
    v.at = host_new(h, points, sizeof *v.at);
    v.before = host_new(h, points, sizeof *v.before);
    v.patterns = host_new(h, points * v.pattern, sizeof *v.patterns);
    v.patterns_before = host_new(h, points * v.pattern, sizeof *v.patterns_before);
    v.scores = host_new(h, points * v.places, sizeof *v.scores);
    place_points(&v);
    return v;
}

static bool body(struct host *h, struct err *e)
{
    struct wall v = wall_of(h, h->in->size->param);
    struct on_device d;
    if (!upload(h, &v, &d, e))
        return false;
    for (int number = 0; number < v.frames; number++)
        if (!next_frame(h, &v, &d, number, e))
            return false;
    return true;
}

static bool run(const struct workload *w, const struct workload_input *in, struct err *e)
{
    return host_run(w, in, body, e);
}

extern const char workload_hw_ptx[];
extern const struct workload workload_hw;
const struct workload workload_hw = {
    .name = "hw",
    .suite = "Park",
    .title = "points of a heart's wall followed through video, all phases in one kernel",
    .paper_class = "memory-intensive",
    .size = {{"small", {64, 72, 5, 4, 8, 3, 3}, "64 x 72 pixels, 5 points, 3 frames"},
             {"medium", {200, 240, 51, 10, 18, 2, 5}, "200 x 240 pixels, 51 points, 2 frames"},
             {"paper", {590, 609, 51, 25, 40, 20, 10}, "590 x 609 pixels, 51 points, 20 frames"}},
    .any_warps = true,
    .ptx = workload_hw_ptx,
    .run = run,
};
