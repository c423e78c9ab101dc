#include "data/workloads/tracking.h"

#include <math.h>

static int clamp(int x, int lo, int hi)
{
    return x < lo ? lo : x > hi ? hi : x;
}

static void draw_frame(struct host *h, const struct tracking *t, int frame)
{
    const int cx = t->start_x + frame * TRACKING_MOVE_X, cy = t->start_y + frame * TRACKING_MOVE_Y;
    uint8_t *pixel = t->video + (size_t)frame * (size_t)t->width * (size_t)t->height;
    for (int y = 0; y < t->height; y++)
        for (int x = 0; x < t->width; x++) {
            const int dx = x - cx, dy = y - cy;
            const bool inside = dx * dx + dy * dy < t->radius * t->radius;
            const double noise = 5.0 * rng_normal(&h->rng);
            pixel[y * t->width + x] = (uint8_t)clamp(
                (int)lrint((inside ? TRACKING_OBJECT : TRACKING_GROUND) + noise), 0, 255);
        }
}

struct tracking tracking_make(struct host *h, const long size[4])
{
    struct tracking t = {.width = (int)size[0],
                         .height = (int)size[1],
                         .frames = (int)size[2],
                         .radius = (int)size[3]};
    const size_t pixels = (size_t)t.width * (size_t)t.height;
    const int across = 2 * t.radius + 1;
    t.video = host_new(h, (size_t)t.frames * pixels, 1);
    t.disk = host_new(h, 2 * (size_t)across * (size_t)across, sizeof *t.disk);
    for (int y = -t.radius; y <= t.radius; y++)
        for (int x = -t.radius; x <= t.radius; x++)
            if (x * x + y * y < t.radius * t.radius) {
                t.disk[2 * t.points] = x;
                t.disk[2 * t.points++ + 1] = y;
            }
    t.start_x = t.width / 2;
    t.start_y = t.height / 2;
    for (int k = 0; k < t.frames; k++)
        draw_frame(h, &t, k);
    return t;
}

/* (p - g)^2 - (p - o)^2 = 2 (o - g) p - (o^2 - g^2): only the sum of the pixels is needed. */
int tracking_fit(const struct tracking *t, int frame, int x, int y)
{
    const uint8_t *pixel = t->video + (size_t)frame * (size_t)t->width * (size_t)t->height;
    const int o = TRACKING_OBJECT, g = TRACKING_GROUND, reach = t->radius - 1;
    int sum = 0;
    for (int row = y - reach; row <= y + reach; row++)
        for (int col = x - reach; col <= x + reach; col++)
            if ((col - x) * (col - x) + (row - y) * (row - y) < t->radius * t->radius)
                sum += pixel[clamp(row, 0, t->height - 1) * t->width + clamp(col, 0, t->width - 1)];
    return 2 * (o - g) * sum - (o * o - g * g) * t->points;
}

int tracking_first_at_least(const double *ascending, int n, double u)
{
    int below = 0, end = n - 1; /* the answer is in below .. end */
    while (below < end) {
        const int middle = (below + end) / 2;
        if (ascending[middle] >= u)
            end = middle;
        else
            below = middle + 1;
    }
    return end;
}
