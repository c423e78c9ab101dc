/* sad -- sums of absolute differences (SAD of Kayiran 2013, Table II; Parboil): full-search motion
 * estimation as H.264 wants it, for all seven shapes of blocks. Three kernels, one launch each. 61
 * threads a CTA with 18 displacements each, as the suite has them; the reference frame is a
 * texture.
 *
 * The reference sums shapes by their definition: for each displacement the differences of the whole
 * frame, their summed-area table, then each block from four of its entries.
 *
 * The frames: smooth ground, and on it squares that move between the frames, each in its own way;
 * noise on both. */
#include "data/workloads/texture.h"

#include <stdlib.h>
#include <string.h>

#define CTA  61
#define ROWS 41 /* of sad.cu */

static const struct shape {
    int width, height, first_row;
} shapes[] = {{4, 4, 0},   {8, 4, 16},  {4, 8, 24},  {8, 8, 32},
              {16, 8, 36}, {8, 16, 38}, {16, 16, 40}};

struct frames {
    int width, height; /* multiples of 16 */
    int range;         /* displacements up to so many pixels, in both directions */
    int displacements, padded;
    uint16_t *now, *before; /* 8 bits a pixel */
};

static int clamp(int x, int lo, int hi)
{
    return x < lo ? lo : x > hi ? hi : x;
}

/* Values at the corners of 8 x 8 cells, bilinear in between. */
static uint16_t *smooth_ground(struct host *h, int width, int height)
{
    const int cells = width / 8 + 2;
    uint16_t *pixel = host_new(h, (size_t)width * (size_t)height, sizeof *pixel);
    const int *corner = host_random_ints(h, (size_t)cells * (size_t)(height / 8 + 2), 40, 216);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            const int *c = corner + y / 8 * cells + x / 8, fx = x % 8, fy = y % 8;
            const int top = (8 - fx) * c[0] + fx * c[1];
            const int bottom = (8 - fx) * c[cells] + fx * c[cells + 1];
            pixel[y * width + x] = (uint16_t)(((8 - fy) * top + fy * bottom) / 64);
        }
    return pixel;
}

static void add_noise(struct host *h, uint16_t *pixel, size_t n)
{
    for (size_t i = 0; i < n; i++)
        pixel[i] = (uint16_t)clamp((int)(pixel[i] + rng_below(&h->rng, 9)) - 4, 0, 255);
}

/* Squares of 32 x 32 pixels moved by up to `range`. */
static struct frames make_frames(struct host *h)
{
    const long *p = h->in->size->param;
    struct frames f = {.width = (int)p[0], .height = (int)p[1], .range = (int)p[2]};
    const int side = 2 * f.range + 1;
    const size_t pixels = (size_t)f.width * (size_t)f.height;
    f.displacements = side * side;
    f.padded = (f.displacements + 7) / 8 * 8;
    f.before = smooth_ground(h, f.width, f.height);
    f.now = host_new(h, pixels, sizeof *f.now);
    for (int top = 0; top < f.height; top += 32)
        for (int left = 0; left < f.width; left += 32) {
            const int dx = (int)rng_between(&h->rng, -f.range, f.range);
            const int dy = (int)rng_between(&h->rng, -f.range, f.range);
            for (int y = top; y < top + 32 && y < f.height; y++)
                for (int x = left; x < left + 32 && x < f.width; x++)
                    f.now[y * f.width + x] = f.before[clamp(y + dy, 0, f.height - 1) * f.width +
                                                      clamp(x + dx, 0, f.width - 1)];
        }
    add_noise(h, f.before, pixels);
    add_noise(h, f.now, pixels);
    return f;
}

/* sum[y][x]: of the differences above and left of (x, y), both not included. */
static void differences(const struct frames *f, int dx, int dy, int *sum)
{
    const int row = f->width + 1;
    memset(sum, 0, (size_t)row * sizeof *sum);
    for (int y = 0; y < f->height; y++) {
        int across = 0;
        sum[(y + 1) * row] = 0;
        for (int x = 0; x < f->width; x++) {
            const int from =
                clamp(y + dy, 0, f->height - 1) * f->width + clamp(x + dx, 0, f->width - 1);
            across += abs(f->now[y * f->width + x] - f->before[from]);
            sum[(y + 1) * row + x + 1] = sum[y * row + x + 1] + across;
        }
    }
}

static bool check_macroblock(const struct frames *f, const int *sum, int macroblock, int d,
                             const uint16_t *sads, struct err *e)
{
    const int across = f->width / 16, row = f->width + 1;
    const int *origin = sum + macroblock / across * 16 * row + macroblock % across * 16;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        const struct shape *s = &shapes[i];
        const int per_line = 16 / s->width, blocks = per_line * (16 / s->height);
        for (int b = 0; b < blocks; b++) {
            const int *top = origin + b / per_line * s->height * row + b % per_line * s->width;
            const int *bottom = top + s->height * row;
            const int expected = bottom[s->width] - bottom[0] - top[s->width] + top[0];
            const size_t at = (size_t)(macroblock * ROWS + s->first_row + b) * (size_t)f->padded;
            const int found = sads[at + (size_t)d];
            if (found != expected)
                return err_set(e,
                               "sad: macroblock %d, block %d of %d x %d, displacement %d: %d, "
                               "expected %d",
                               macroblock, b, s->width, s->height, d, found, expected);
        }
    }
    return true;
}

static bool check(struct host *h, const struct frames *f, const uint16_t *sads, struct err *e)
{
    const int side = 2 * f->range + 1, macroblocks = f->width / 16 * (f->height / 16);
    int *sum = host_new(h, (size_t)(f->width + 1) * (size_t)(f->height + 1), sizeof *sum);
    for (int d = 0; d < f->displacements; d++) {
        differences(f, d % side - f->range, d / side - f->range, sum);
        for (int m = 0; m < macroblocks; m++)
            if (!check_macroblock(f, sum, m, d, sads, e))
                return false;
    }
    return true;
}

static bool run_on_device(struct host *h, struct frames *f, uint16_t *sads, size_t bytes,
                          struct err *e)
{
    const size_t pixels = (size_t)f->width * (size_t)f->height;
    const struct texture_texels shape = {CU_AD_FORMAT_UNSIGNED_INT16, 1, (size_t)f->width,
                                         (size_t)f->height};
    const struct host_grid blocks = {(unsigned)f->width / 4, (unsigned)f->height / 4, 1};
    const unsigned macroblocks = blocks.x / 4 * (blocks.y / 4), threads = host_threads(h, CTA);
    int per_thread = (int)host_ctas((size_t)f->displacements, threads);
    CUfunction each, up_to_8, up_to_16;
    CUdeviceptr d_sads, d_now;
    CUtexObject before;
    if (!host_kernel(h, "sad_blocks", &each, e) || !host_kernel(h, "sad_up_to_8", &up_to_8, e) ||
        !host_kernel(h, "sad_up_to_16", &up_to_16, e) || !host_array(&d_sads, NULL, bytes, e) ||
        !host_array(&d_now, f->now, pixels * sizeof *f->now, e) ||
        !texture_of_array(&before, f->before, &shape, e))
        return false;
    void *each_args[] = {&d_sads, &d_now, &before, &f->range, &f->padded, &per_thread};
    void *sum_args[] = {&d_sads, &f->padded};
    if (!host_launch_grid(each, blocks, (struct host_grid){threads, 1, 1}, each_args, e) ||
        !host_launch_grid(up_to_8, (struct host_grid){macroblocks, 1, 1},
                          (struct host_grid){32, 4, 1}, sum_args, e) ||
        !host_launch(up_to_16, macroblocks, 32, sum_args, e))
        return false;
    TRY(cuMemcpyDtoH(sads, d_sads, bytes));
    return true;
}

static bool body(struct host *h, struct err *e)
{
    struct frames f = make_frames(h);
    const size_t n = (size_t)(f.width / 16 * (f.height / 16)) * ROWS * (size_t)f.padded;
    uint16_t *sads = host_new(h, n, sizeof *sads);
    return run_on_device(h, &f, sads, n * sizeof *sads, e) &&
           (!h->in->verify || check(h, &f, sads, e));
}

static bool run(const struct workload *w, const struct workload_input *in, struct err *e)
{
    return host_run(w, in, body, e);
}

extern const char workload_sad_ptx[];
extern const struct workload workload_sad;
const struct workload workload_sad = {
    .name = "sad",
    .suite = "Kayiran",
    .title = "motion estimation: sums of absolute differences of blocks",
    .paper_class = "memory-intensive",
    .size = {{"small", {48, 32, 6}, "48 x 32 pixels, displacements up to 6"},
             {"medium", {112, 96, 16}, "112 x 96 pixels, displacements up to 16"},
             {"paper", {176, 144, 16}, "176 x 144 pixels (QCIF), displacements up to 16"}},
    .any_warps = true,
    .ptx = workload_sad_ptx,
    .run = run,
};
