#include "data/workloads/speckle.h"

float *speckle_image(struct host *h, int wide, int high)
{
    size_t n = (size_t)wide * (size_t)high;
    float *image = host_random_floats(h, n, 0.7, 1.3);
    for (size_t i = 0; i < n; i++) {
        int x = (int)i % wide, y = (int)i / wide, cx = x % 64 - 32, cy = y % 64 - 32;
        double even = cx * cx + cy * cy < 400 ? 1.5 : 1.0 + 0.25 * y / high;
        image[i] *= (float)even;
    }
    return image;
}

static struct bounded sum4(struct bounded a, struct bounded b, struct bounded c, struct bounded d)
{
    return bounded_add(bounded_add(bounded_add(a, b), c), d);
}

static struct bounded square(struct bounded a)
{
    return bounded_mul(a, a);
}

static struct bounded coefficient(struct bounded j, const struct speckle_pixel *r, float q0)
{
    struct bounded one = bounded(1.0f), q0b = bounded(q0);
    struct bounded squares = sum4(square(r->n), square(r->s), square(r->w), square(r->e));
    struct bounded g2 = bounded_div(squares, square(j));
    struct bounded l = bounded_div(sum4(r->n, r->s, r->w, r->e), j);
    struct bounded root = bounded_add(one, bounded_mul(bounded(0.25f), l));
    struct bounded variance =
        bounded_sub(bounded_mul(bounded(0.5f), g2), bounded_mul(bounded(0.0625f), square(l)));
    struct bounded q = bounded_div(variance, square(root));
    struct bounded scale = bounded_mul(q0b, bounded_add(one, q0b));
    struct bounded c = bounded_div(one, bounded_add(one, bounded_div(bounded_sub(q, q0b), scale)));
    c.x = c.x < 0.0 ? 0.0 : c.x > 1.0 ? 1.0 : c.x;
    return c;
}

struct speckle speckle_new(struct host *h, int wide, int high)
{
    size_t n = (size_t)wide * (size_t)high;
    return (struct speckle){wide, high, host_new(h, n, sizeof(struct speckle_pixel)),
                            host_new(h, n, sizeof(struct bounded))};
}

void speckle_iterate(const struct speckle *s, const float *image, float q0)
{
    int wide = s->wide, n = wide * s->high;
    for (int i = 0; i < n; i++) {
        struct speckle_pixel *p = &s->pixel[i];
        int x = i % wide;
        struct bounded j = bounded(image[i]);
        p->n = bounded_sub(bounded(image[i >= wide ? i - wide : i]), j);
        p->s = bounded_sub(bounded(image[i < n - wide ? i + wide : i]), j);
        p->w = bounded_sub(bounded(image[x > 0 ? i - 1 : i]), j);
        p->e = bounded_sub(bounded(image[x < wide - 1 ? i + 1 : i]), j);
        p->c = coefficient(j, p, q0);
    }
    for (int i = 0; i < n; i++) {
        const struct speckle_pixel *p = &s->pixel[i];
        struct bounded south = s->pixel[i < n - wide ? i + wide : i].c;
        struct bounded east = s->pixel[i % wide < wide - 1 ? i + 1 : i].c;
        struct bounded flow = sum4(bounded_mul(p->c, p->n), bounded_mul(south, p->s),
                                   bounded_mul(p->c, p->w), bounded_mul(east, p->e));
        s->next[i] = bounded_add(bounded(image[i]), bounded_mul(bounded(SPECKLE_RATE), flow));
    }
}
