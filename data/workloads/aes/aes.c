/* aes -- AES-128 encryption of independent blocks (AES of Kayiran 2013, Table II; the program of
 * GPGPU-Sim's ISPASS 2009 suite: 257 CTAs of 256 threads, four threads a block of 16 bytes).
 *
 * The reference is the standard's byte by byte cipher; it must first reproduce both of FIPS 197's
 * examples (appendices B and C.1). The key, and the first block of the data, are those of C.1. */
#include "data/workloads/host.h"

#include <string.h>

#define CTA    256
#define ROUNDS 10
#define BLOCK  16

struct cipher {
    uint8_t sbox[256];
    uint8_t key[ROUNDS + 1][BLOCK]; /* expanded */
};

/* Product in GF(2^8) modulo x^8 + x^4 + x^3 + x + 1. */
static uint8_t gf_times(uint8_t a, uint8_t b)
{
    unsigned sum = 0, shifted = a;
    for (; b; b >>= 1) {
        if (b & 1)
            sum ^= shifted;
        shifted = shifted << 1 ^ (shifted & 0x80 ? 0x11b : 0);
    }
    return (uint8_t)sum;
}

/* Inverse in the field (a^254), then the affine map of section 5.1.1. */
static void make_sbox(uint8_t sbox[256])
{
    for (unsigned v = 0; v < 256; v++) {
        uint8_t inverse = 1;
        for (int i = 0; i < 254; i++)
            inverse = gf_times(inverse, (uint8_t)v);
        unsigned twice = inverse | (unsigned)inverse << 8;
        sbox[v] = (uint8_t)(twice ^ twice >> 4 ^ twice >> 5 ^ twice >> 6 ^ twice >> 7 ^ 0x63);
    }
}

static struct cipher make_cipher(const uint8_t key[BLOCK])
{
    struct cipher c = {0};
    make_sbox(c.sbox);
    uint8_t *k = c.key[0], constant = 1;
    memcpy(k, key, BLOCK);
    for (int i = BLOCK; i < BLOCK * (ROUNDS + 1); i += 4) {
        uint8_t t[4] = {k[i - 4], k[i - 3], k[i - 2], k[i - 1]};
        if (i % BLOCK == 0) {
            uint8_t first = t[0];
            t[0] = c.sbox[t[1]] ^ constant, t[1] = c.sbox[t[2]];
            t[2] = c.sbox[t[3]], t[3] = c.sbox[first];
            constant = gf_times(constant, 2);
        }
        for (int b = 0; b < 4; b++)
            k[i + b] = k[i + b - BLOCK] ^ t[b];
    }
    return c;
}

static void encrypt(const struct cipher *c, const uint8_t in[BLOCK], uint8_t out[BLOCK])
{
    uint8_t s[BLOCK];
    for (int i = 0; i < BLOCK; i++)
        s[i] = in[i] ^ c->key[0][i];
    for (int round = 1; round <= ROUNDS; round++) {
        uint8_t moved[BLOCK];
        for (int i = 0; i < BLOCK; i++) /* row i % 4 moves left by its number */
            moved[i] = c->sbox[s[(i + 4 * (i % 4)) % BLOCK]];
        for (int i = 0; i < BLOCK; i++) {
            const uint8_t *col = moved + i / 4 * 4;
            uint8_t mixed = (uint8_t)(gf_times(col[i % 4], 2) ^ gf_times(col[(i + 1) % 4], 3) ^
                                      col[(i + 2) % 4] ^ col[(i + 3) % 4]);
            s[i] = (round < ROUNDS ? mixed : moved[i]) ^ c->key[round][i];
        }
    }
    memcpy(out, s, BLOCK);
}

struct example {
    uint8_t key[BLOCK], plain[BLOCK], encrypted[BLOCK];
};
static const struct example fips_b = {{0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6, 0xab, 0xf7,
                                       0x15, 0x88, 0x09, 0xcf, 0x4f, 0x3c},
                                      {0x32, 0x43, 0xf6, 0xa8, 0x88, 0x5a, 0x30, 0x8d, 0x31, 0x31,
                                       0x98, 0xa2, 0xe0, 0x37, 0x07, 0x34},
                                      {0x39, 0x25, 0x84, 0x1d, 0x02, 0xdc, 0x09, 0xfb, 0xdc, 0x11,
                                       0x85, 0x97, 0x19, 0x6a, 0x0b, 0x32}};
static const struct example fips_c1 = {{0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09,
                                        0x0a, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f},
                                       {0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99,
                                        0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff},
                                       {0x69, 0xc4, 0xe0, 0xd8, 0x6a, 0x7b, 0x04, 0x30, 0xd8, 0xcd,
                                        0xb7, 0x80, 0x70, 0xb4, 0xc5, 0x5a}};

static bool reproduces(const struct example *x)
{
    struct cipher c = make_cipher(x->key);
    uint8_t out[BLOCK];
    encrypt(&c, x->plain, out);
    return memcmp(out, x->encrypted, BLOCK) == 0;
}

/* Table r takes the byte of row r to its share of the mixed column: table 0 holds 2s s s 3s from
 * row 0 downward, every next table the same turned by a row. */
static void make_tables(const struct cipher *c, uint32_t tables[4][256])
{
    for (unsigned v = 0; v < 256; v++) {
        uint32_t s = c->sbox[v];
        uint32_t word =
            gf_times((uint8_t)s, 2) | s << 8 | s << 16 | (uint32_t)gf_times((uint8_t)s, 3) << 24;
        for (int r = 0; r < 4; r++, word = word << 8 | word >> 24)
            tables[r][v] = word;
    }
}

static bool run_on_device(struct host *h, const struct cipher *c, const uint8_t *in, uint8_t *out,
                          size_t bytes, struct err *e)
{
    uint32_t tables[4][256];
    int words = (int)(bytes / 4);
    unsigned threads = host_threads(h, CTA);
    CUfunction kernel;
    CUdeviceptr d_out, d_in, d_tables;
    make_tables(c, tables);
    if (!host_kernel(h, "aes_encrypt", &kernel, e) || !host_array(&d_in, in, bytes, e) ||
        !host_array(&d_out, NULL, bytes, e) || !host_array(&d_tables, tables, sizeof tables, e) ||
        !host_symbol(h, "aes_key", c->key, sizeof c->key, e))
        return false;
    void *args[] = {&d_out, &d_in, &d_tables, &words};
    TRY(cuLaunchKernel(kernel, host_ctas((size_t)words, threads), 1, 1, threads, 1, 1, 8 * threads,
                       NULL, args, NULL));
    TRY(cuMemcpyDtoH(out, d_out, bytes));
    return true;
}

static bool check(struct host *h, const struct cipher *c, const uint8_t *in, const uint8_t *out,
                  size_t bytes, struct err *e)
{
    uint8_t *expected = host_new(h, bytes, 1);
    if (!reproduces(&fips_b) || !reproduces(&fips_c1))
        return err_set(e, "aes: the reference fails an example of FIPS 197");
    for (size_t i = 0; i < bytes; i += BLOCK)
        encrypt(c, in + i, expected + i);
    memcpy(expected, fips_c1.encrypted, BLOCK);
    for (size_t i = 0; i < bytes; i++)
        if (out[i] != expected[i])
            return err_set(e, "aes: byte %zu of block %zu is 0x%02x, expected 0x%02x", i % BLOCK,
                           i / BLOCK, out[i], expected[i]);
    return true;
}

static bool body(struct host *h, struct err *e)
{
    size_t bytes = (size_t)h->in->size->param[0];
    uint8_t *in = host_new(h, bytes, 1), *out = host_new(h, bytes, 1);
    for (size_t i = 0; i < bytes; i++)
        in[i] = (uint8_t)rng_below(&h->rng, 256);
    memcpy(in, fips_c1.plain, BLOCK);
    struct cipher c = make_cipher(fips_c1.key);
    return run_on_device(h, &c, in, out, bytes, e) &&
           (!h->in->verify || check(h, &c, in, out, bytes, e));
}

static bool run(const struct workload *w, const struct workload_input *in, struct err *e)
{
    return host_run(w, in, body, e);
}

extern const char workload_aes_ptx[];
extern const struct workload workload_aes;
const struct workload workload_aes = {
    .name = "aes",
    .suite = "Kayiran",
    .title = "AES-128 encryption by tables in shared memory",
    .paper_class = "memory-intensive",
    .size = {{"small", {122880}, "120 KB"},
             {"medium", {1048576}, "1 MB"},
             {"paper", {263168}, "257 KB, 65792 threads (ISPASS 2009)"}},
    .any_warps = true,
    .ptx = workload_aes_ptx,
    .run = run,
};
