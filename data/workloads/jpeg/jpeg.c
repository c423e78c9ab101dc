/* jpeg -- decoding of a JPEG image (JPEG of Kayiran 2013, Table II; ITU-T T.81): the host decodes
 * Huffman's code, the device does the rest, in four launches: an inverse cosine transform for each
 * of brightness, blue and red (both of half the width and height), each in a stream of its own,
 * then the colours of all pixels.
 *
 * The image is drawn at random, smooth with edges and a little noise, and coded by the host as a
 * baseline encoder does, with T.81's example tables of quantization (Annex K) and Huffman codes
 * made for this image. References: the decoded coefficients are the coded ones; samples are the
 * cosine transform's definition, all 64 terms at once; pixels are the colours of the samples. */
#include "data/workloads/host.h"
#include "data/workloads/huffman.h"
#include "sim/frontend/cuda_async.h"

#include <math.h>
#include <string.h>

#define SIDE       8
#define AREA       (SIDE * SIDE)
#define PLANES     3 /* brightness, blue, red */
#define CTA        64
#define CTA_BLOCKS 8
#define END        0x00 /* of a block's coefficients */
#define ZEROS_16   0xf0
#define SHAPES     24 /* in the image */

/* T.81, tables K.1 and K.2: steps of brightness, and of colour */
static const uint8_t step_of[2][AREA] = {
    {16, 11, 10, 16, 24,  40,  51,  61,  12, 12, 14, 19, 26,  58,  60,  55,
     14, 13, 16, 24, 40,  57,  69,  56,  14, 17, 22, 29, 51,  87,  80,  62,
     18, 22, 37, 56, 68,  109, 103, 77,  24, 35, 55, 64, 81,  104, 113, 92,
     49, 64, 78, 87, 103, 121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99},
    {17, 18, 24, 47, 99, 99, 99, 99, 18, 21, 26, 66, 99, 99, 99, 99, 24, 26, 56, 99, 99, 99,
     99, 99, 47, 66, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99,
     99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99},
};

struct plane {
    int wide, high, blocks;
    double *sample;       /* [high][wide]: before coding */
    int16_t *coefficient; /* [blocks][AREA], in rows: coded */
    int16_t *decoded;     /* likewise */
    uint8_t *found;       /* [high][wide]: from the device */
    CUstream stream;
};

struct image {
    int wide, high;
    struct plane plane[PLANES];
    uint32_t *pixel;           /* from the device */
    double cosine[SIDE][SIDE]; /* [sample][frequency], scaled */
    int zigzag[AREA];          /* where the k-th coefficient of a block lies */
};

struct shape { /* an ellipse of one colour, or of two that go over into each other */
    double x, y, across, down, colour[PLANES], slope[PLANES];
};

static struct shape draw_shape(struct rng *r, bool whole)
{
    struct shape s = {rng_unit(r), rng_unit(r), rng_real(r, 0.05, 0.3), rng_real(r, 0.05, 0.3),
                      {0},         {0}};
    if (whole)
        s.across = s.down = 2.0;
    for (int c = 0; c < PLANES; c++) {
        s.colour[c] = rng_real(r, 40.0, 215.0);
        s.slope[c] = rng_real(r, -80.0, 80.0);
    }
    return s;
}

/* Red, green, blue at (x, y) of the unit square: those of the last shape there. */
static void colour_at(const struct shape *s, double x, double y, double rgb[PLANES])
{
    for (int i = 0; i < SHAPES; i++) {
        double dx = (x - s[i].x) / s[i].across, dy = (y - s[i].y) / s[i].down;
        if (dx * dx + dy * dy <= 1.0)
            for (int c = 0; c < PLANES; c++)
                rgb[c] = s[i].colour[c] + s[i].slope[c] * (dx + 0.5 * dy) * s[i].across;
    }
}

static void draw(struct host *h, struct image *m)
{
    struct shape shape[SHAPES];
    for (int i = 0; i < SHAPES; i++)
        shape[i] = draw_shape(&h->rng, i == 0);
    for (int y = 0; y < m->high; y++)
        for (int x = 0; x < m->wide; x++) {
            double c[PLANES] = {0}, noise = rng_real(&h->rng, -6.0, 6.0);
            colour_at(shape, (x + 0.5) / m->wide, (y + 0.5) / m->high, c);
            const double light = 0.299 * c[0] + 0.587 * c[1] + 0.114 * c[2];
            const int at = y / 2 * (m->wide / 2) + x / 2; /* colours: means of four pixels */
            m->plane[0].sample[y * m->wide + x] = fmin(fmax(light + noise, 0.0), 255.0);
            m->plane[1].sample[at] += (128.0 + (c[2] - light) / 1.772) / 4.0;
            m->plane[2].sample[at] += (128.0 + (c[0] - light) / 1.402) / 4.0;
        }
}

static void make_image(struct host *h, struct image *m)
{
    for (int p = 0; p < PLANES; p++) {
        const int shrunk = p ? 2 : 1, wide = m->wide / shrunk, high = m->high / shrunk;
        const size_t all = (size_t)wide * (size_t)high;
        m->plane[p] = (struct plane){wide,
                                     high,
                                     (int)(all / AREA),
                                     host_new(h, all, sizeof(double)),
                                     host_new(h, all, sizeof(int16_t)),
                                     host_new(h, all, sizeof(int16_t)),
                                     host_new(h, all, 1),
                                     NULL};
    }
    m->pixel = host_new(h, (size_t)m->wide * (size_t)m->high, sizeof *m->pixel);
    for (int x = 0; x < SIDE; x++)
        for (int u = 0; u < SIDE; u++)
            m->cosine[x][u] = cos((2 * x + 1) * u * acos(-1.0) / 16) * (u ? 0.5 : sqrt(0.125));
    for (int k = 0, x = 0, y = 0; k < AREA; k++) {
        m->zigzag[k] = y * SIDE + x;
        const bool up = (x + y) % 2 == 0;
        const bool turns = up ? x == SIDE - 1 || y == 0 : y == SIDE - 1 || x == 0;
        if (turns && (up ? x < SIDE - 1 : y == SIDE - 1))
            x++;
        else if (turns)
            y++;
        else
            x += up ? 1 : -1, y += up ? -1 : 1;
    }
    draw(h, m);
}

/* Where sample (x, y) of a block lies in its plane. */
static int sample_at(const struct plane *p, int block, int x, int y)
{
    const int across = p->wide / SIDE;
    return (block / across * SIDE + y) * p->wide + block % across * SIDE + x;
}

/* Cosine transform and quantization of all blocks. */
static void transform(const struct image *m, const struct plane *p, const uint8_t *step)
{
    for (int b = 0; b < p->blocks; b++)
        for (int v = 0; v < SIDE; v++)
            for (int u = 0; u < SIDE; u++) {
                double sum = 0.0;
                for (int y = 0; y < SIDE; y++)
                    for (int x = 0; x < SIDE; x++)
                        sum += (p->sample[sample_at(p, b, x, y)] - 128.0) * m->cosine[x][u] *
                               m->cosine[y][v];
                const int k = v * SIDE + u;
                p->coefficient[b * AREA + k] = (int16_t)lround(sum / step[k]);
            }
}

/* Of brightness and of colour: first coefficients (as differences from the block before), others.
 */
struct coder {
    uint32_t count[2][2][HUFFMAN_SYMBOLS];
    struct huffman code[2][2];
    bool counts; /* what there will be to code */
    struct bits bits;
};

/* A symbol, and `size` bits that it announces. */
static void put(struct coder *c, int colour, int other, int symbol, int value)
{
    const int size = symbol & 15;
    if (c->counts) {
        c->count[colour][other][symbol]++;
        return;
    }
    huffman_put(&c->code[colour][other], &c->bits, symbol);
    bits_put(&c->bits, (uint32_t)(value < 0 ? value - 1 : value) & ((1u << size) - 1), size);
}

static int bits_of(int value)
{
    return value ? 32 - __builtin_clz((unsigned)(value < 0 ? -value : value)) : 0;
}

static void encode(const struct image *m, struct coder *c)
{
    for (int p = 0; p < PLANES; p++)
        for (int b = 0, before = 0; b < m->plane[p].blocks; b++) {
            const int16_t *of = m->plane[p].coefficient + b * AREA;
            put(c, p > 0, 0, bits_of(of[0] - before), of[0] - before);
            before = of[0];
            int zeros = 0;
            for (int k = 1; k < AREA; k++) {
                const int value = of[m->zigzag[k]];
                if (value == 0) {
                    zeros++;
                    continue;
                }
                for (; zeros > 15; zeros -= 16)
                    put(c, p > 0, 1, ZEROS_16, 0);
                put(c, p > 0, 1, zeros << 4 | bits_of(value), value);
                zeros = 0;
            }
            if (zeros)
                put(c, p > 0, 1, END, 0);
        }
}

static int get_value(struct bits *b, int size)
{
    if (size == 0)
        return 0;
    const int value = (int)bits_get(b, size);
    return value >> (size - 1) ? value : value - (1 << size) + 1;
}

static bool decode_block(const struct image *m, struct coder *c, int colour, int16_t *to)
{
    for (int k = 1; k < AREA; k++) {
        const int symbol = huffman_get(&c->code[colour][1], &c->bits);
        if (symbol < 0)
            return false;
        if (symbol == END)
            return true;
        k += symbol >> 4;
        if (k >= AREA)
            return false;
        to[m->zigzag[k]] = (int16_t)get_value(&c->bits, symbol & 15);
    }
    return true;
}

static bool decode(const struct image *m, struct coder *c)
{
    for (int p = 0; p < PLANES; p++)
        for (int b = 0, before = 0; b < m->plane[p].blocks; b++) {
            const int size = huffman_get(&c->code[p > 0][0], &c->bits);
            int16_t *to = m->plane[p].decoded + b * AREA;
            if (size < 0)
                return false;
            before += get_value(&c->bits, size);
            to[0] = (int16_t)before;
            if (!decode_block(m, c, p > 0, to))
                return false;
        }
    return true;
}

/* The image becomes a string of bits, and this one its coefficients. */
static bool code_and_decode(struct host *h, struct image *m, struct err *e)
{
    struct coder c = {.counts = true};
    size_t most = 0;
    for (int p = 0; p < PLANES; p++) {
        transform(m, &m->plane[p], step_of[p > 0]);
        most += (size_t)m->plane[p].blocks * AREA * (HUFFMAN_LONGEST + 16) / 8;
    }
    encode(m, &c);
    for (int i = 0; i < 4; i++)
        huffman_make(&c.code[i / 2][i % 2], c.count[i / 2][i % 2]);
    c.counts = false;
    c.bits.byte = host_new(h, most + 1, 1);
    encode(m, &c);
    const size_t coded = c.bits.n;
    c.bits.n = 0;
    if (!decode(m, &c) || c.bits.n != coded)
        return err_set(e, "jpeg: decoding ended at bit %zu, expected %zu", c.bits.n, coded);
    for (int p = 0; p < PLANES; p++)
        if (memcmp(m->plane[p].coefficient, m->plane[p].decoded,
                   (size_t)m->plane[p].blocks * AREA * sizeof(int16_t)) != 0)
            return err_set(e, "jpeg: plane %d is decoded to others than the expected values", p);
    return true;
}

/* found: bytes; expected: before rounding; off: what single precision may be off by. */
static bool near(struct host *h, const char *what, const uint8_t *found, double *expected,
                 double *off, size_t n, struct err *e)
{
    float *as_floats = host_new(h, n, sizeof *as_floats);
    for (size_t i = 0; i < n; i++) {
        as_floats[i] = found[i];
        expected[i] = fmin(fmax(expected[i], 0.0), 255.0);
        off[i] += 0.5;
    }
    return host_near(h, &(struct host_floats){what, as_floats, expected, off, n, 1.0}, e);
}

/* A sample is a sum of 64 products; each takes part in at most 7 roundings of a column, and 7 of a
 * row, and its constants are rounded, too: 2^-20 of the sum of magnitudes is more than all that. */
static bool check_samples(struct host *h, const struct image *m, const struct plane *p,
                          const uint8_t *step, struct err *e)
{
    const size_t all = (size_t)p->blocks * AREA;
    double *expected = host_new(h, all, sizeof *expected), *off = host_new(h, all, sizeof *off);
    for (int i = 0; i < p->blocks * AREA; i++) { /* pixel i % AREA of a block */
        const int x = i % SIDE, y = i % AREA / SIDE, at = sample_at(p, i / AREA, x, y);
        const int16_t *from = p->coefficient + i / AREA * AREA;
        expected[at] = 128.0, off[at] = 128.0 * 0x1p-20;
        for (int k = 0; k < AREA; k++)
            if (from[k]) {
                double size = from[k] * step[k];
                expected[at] += size * m->cosine[x][k % SIDE] * m->cosine[y][k / SIDE];
                off[at] += fabs(size) * 0x1p-20;
            }
    }
    return near(h, "sample", p->found, expected, off, all, e);
}

/* Each colour of a pixel from the samples that the device found: exact but for 2^-20 of 255. */
static bool check_pixels(struct host *h, const struct image *m, struct err *e)
{
    const size_t all = (size_t)m->wide * (size_t)m->high * PLANES;
    double *expected = host_new(h, all, sizeof *expected), *off = host_new(h, all, sizeof *off);
    uint8_t *found = host_new(h, all, 1);
    for (int i = 0; i < m->wide * m->high; i++) {
        const int at = i / m->wide / 2 * (m->wide / 2) + i % m->wide / 2;
        const double light = m->plane[0].found[i], blue = m->plane[1].found[at] - 128.0;
        const double red = m->plane[2].found[at] - 128.0;
        expected[3 * i] = light + 1.402 * red;
        expected[3 * i + 1] = light - (0.299 * 1.402 * red + 0.114 * 1.772 * blue) / 0.587;
        expected[3 * i + 2] = light + 1.772 * blue;
        for (int c = 0; c < PLANES; c++) {
            off[3 * i + c] = 255.0 * 0x1p-20;
            found[3 * i + c] = (uint8_t)(m->pixel[i] >> 8 * c);
        }
    }
    return near(h, "colour", found, expected, off, all, e);
}

/* Queued in the plane's own stream, with the copy back. */
static bool inverse_transform(struct host *h, struct plane *p, int colour, CUdeviceptr *samples,
                              struct err *e)
{
    const size_t all = (size_t)p->blocks * AREA;
    CUfunction kernel;
    CUdeviceptr coefficient;
    if (!host_kernel(h, "jpeg_idct", &kernel, e) || !host_array(samples, NULL, all, e) ||
        !host_array(&coefficient, p->decoded, all * sizeof *p->decoded, e))
        return false;
    void *args[] = {samples, &coefficient, &p->wide, &p->blocks, &colour};
    TRY(cuStreamCreate(&p->stream, 1 /* CU_STREAM_NON_BLOCKING */));
    TRY(cuLaunchKernel(kernel, host_ctas((size_t)p->blocks, CTA_BLOCKS), 1, 1, CTA, 1, 1, 0,
                       p->stream, args, NULL));
    TRY(cuMemcpyDtoHAsync(p->found, *samples, all, p->stream));
    return true;
}

static bool run_on_device(struct host *h, struct image *m, struct err *e)
{
    float step[2 * AREA];
    CUfunction colours;
    CUdeviceptr sample[PLANES], pixel;
    const size_t bytes = (size_t)m->wide * (size_t)m->high * sizeof *m->pixel;
    const struct host_grid cta = {16, 8, 1}, ctas = {host_ctas((size_t)m->wide / 4, cta.x),
                                                     host_ctas((size_t)m->high, cta.y), 1};
    for (int i = 0; i < 2 * AREA; i++)
        step[i] = step_of[i / AREA][i % AREA];
    if (!host_kernel(h, "jpeg_colours", &colours, e) || !host_array(&pixel, NULL, bytes, e) ||
        !host_symbol(h, "jpeg_step", step, sizeof step, e))
        return false;
    for (int p = 0; p < PLANES; p++)
        if (!inverse_transform(h, &m->plane[p], p > 0, &sample[p], e))
            return false;
    for (int p = 0; p < PLANES; p++) {
        TRY(cuStreamSynchronize(m->plane[p].stream));
        TRY(cuStreamDestroy(m->plane[p].stream));
    }
    void *args[] = {&pixel, &sample[0], &sample[1], &sample[2], &m->wide, &m->high};
    if (!host_launch_grid(colours, ctas, cta, args, e))
        return false;
    TRY(cuMemcpyDtoH(m->pixel, pixel, bytes));
    return true;
}

static bool body(struct host *h, struct err *e)
{
    struct image m = {.wide = (int)h->in->size->param[0], .high = (int)h->in->size->param[1]};
    make_image(h, &m);
    if (!code_and_decode(h, &m, e) || !run_on_device(h, &m, e))
        return false;
    for (int p = 0; h->in->verify && p < PLANES; p++)
        if (!check_samples(h, &m, &m.plane[p], step_of[p > 0], e))
            return false;
    return !h->in->verify || check_pixels(h, &m, e);
}

static bool run(const struct workload *w, const struct workload_input *in, struct err *e)
{
    return host_run(w, in, body, e);
}

extern const char workload_jpeg_ptx[];
extern const struct workload workload_jpeg;
const struct workload workload_jpeg = {
    .name = "jpeg",
    .suite = "Kayiran",
    .title = "JPEG decoding: inverse cosine transform and colours",
    .paper_class = "memory-intensive",
    .size = {{"small", {256, 192}, "256 x 192 pixels"},
             {"medium", {1024, 1024}, "1024 x 1024 pixels"},
             {"paper", {512, 512}, "512 x 512 pixels (SDK's image)"}},
    .ptx = workload_jpeg_ptx,
    .run = run,
};
