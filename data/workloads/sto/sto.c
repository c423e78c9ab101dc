/* sto -- hashing for a storage system (STO of Kayiran 2013, Table II: StoreGPU, Al-Kiswany and
 * others, HPDC 2008; in GPGPU-Sim's ISPASS 2009 suite, 384 CTAs of 128 threads): MD5 digests of
 * all segments of the data, one a thread; then of a window at every fourth byte, as to find where
 * pieces end that stay the same when data are inserted before them.
 *
 * The data are made of segments, one in REPEAT of which there was before, as in backups. The
 * reference digests byte strings, word by word as RFC 1321 tells it, and must first reproduce
 * examples of its section A.5. */
#include "data/workloads/host.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define CTA          128
#define WORDS        16
#define WINDOW_WORDS 5
#define SHARED_MOST  49152 /* bytes that every device lets a CTA have */
#define REPEAT       4

struct store {
    size_t segments, bytes; /* bytes: of a segment */
    size_t windows;
    uint8_t *data;
    uint32_t sine[64];
    uint32_t (*digest)[4], *hash; /* from the device */
};

static void make_sine(uint32_t sine[64])
{
    for (int i = 0; i < 64; i++)
        sine[i] = (uint32_t)(4294967296.0 * fabs(sin(i + 1.0)));
}

/* 64 bytes, section 3.4: the four rounds' functions, words and rotations. */
static void digest_block(const uint32_t sine[64], uint32_t state[4], const uint8_t *block)
{
    static const uint8_t by[4][4] = {
        {7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
    static const uint8_t from[4][2] = {{0, 1}, {1, 5}, {5, 3}, {0, 7}}; /* first word, and step */
    uint32_t v[4] = {state[0], state[1], state[2], state[3]};           /* A, B, C, D */
    for (int round = 0; round < 4; round++)
        for (int i = 0; i < 16; i++) {
            const int a = (64 - i) % 4, k = (from[round][0] + i * from[round][1]) % 16;
            const uint32_t x = v[(a + 1) % 4], y = v[(a + 2) % 4], z = v[(a + 3) % 4];
            const uint32_t f[4] = {z ^ (x & (y ^ z)), y ^ (z & (x ^ y)), x ^ y ^ z, y ^ (x | ~z)};
            uint32_t word = 0;
            for (int b = 3; b >= 0; b--)
                word = word << 8 | block[4 * k + b];
            const uint32_t sum = v[a] + f[round] + word + sine[16 * round + i];
            const int s = by[round][i % 4];
            v[a] = x + (sum << s | sum >> (32 - s));
        }
    for (int i = 0; i < 4; i++)
        state[i] += v[i];
}

static void md5(const uint32_t sine[64], const void *text, size_t bytes, uint32_t state[4])
{
    static const uint32_t begin[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
    const uint8_t *at = text;
    uint8_t end[128] = {0};
    size_t left = bytes;
    memcpy(state, begin, sizeof begin);
    for (; left >= 64; left -= 64, at += 64)
        digest_block(sine, state, at);
    const size_t blocks = left < 56 ? 1 : 2;
    memcpy(end, at, left);
    end[left] = 0x80;
    for (int b = 0; b < 8; b++)
        end[64 * blocks - 8 + (size_t)b] = (uint8_t)((uint64_t)bytes * 8 >> 8 * b);
    for (size_t b = 0; b < blocks; b++)
        digest_block(sine, state, end + 64 * b);
}

static void as_text(const uint32_t digest[4], char text[33])
{
    for (int i = 0; i < 16; i++)
        snprintf(text + 2 * i, 3, "%02x", digest[i / 4] >> 8 * (i % 4) & 255);
}

static bool reproduces_rfc_1321(const uint32_t sine[64])
{
    static const char *const example[][2] = {
        {"", "d41d8cd98f00b204e9800998ecf8427e"},
        {"abc", "900150983cd24fb0d6963f7d28e17f72"},
        {"message digest", "f96b697d7cb7938d525a2f31aaf161d0"},
        {"12345678901234567890123456789012345678901234567890123456789012345678901234567890",
         "57edf4a22be3c955ac49da2e2107b67a"},
    };
    for (int i = 0; i < 4; i++) {
        uint32_t digest[4];
        char text[33];
        md5(sine, example[i][0], strlen(example[i][0]), digest);
        as_text(digest, text);
        if (strcmp(text, example[i][1]) != 0)
            return false;
    }
    return true;
}

static bool check(struct host *h, const struct store *s, struct err *e)
{
    uint32_t(*digest)[4] = host_new(h, s->segments, sizeof *digest), window[4];
    uint32_t *hash = host_new(h, s->windows, sizeof *hash);
    char found[33], expected[33];
    if (!reproduces_rfc_1321(s->sine))
        return err_set(e, "sto: the reference fails an example of RFC 1321");
    for (size_t i = 0; i < s->segments; i++)
        md5(s->sine, s->data + i * s->bytes, s->bytes, digest[i]);
    for (size_t i = 0; i < s->windows; i++) {
        md5(s->sine, s->data + 4 * i, 4 * WINDOW_WORDS, window);
        hash[i] = window[0];
    }
    for (size_t i = 0; i < s->segments; i++) {
        as_text(s->digest[i], found);
        as_text(digest[i], expected);
        if (strcmp(found, expected) != 0)
            return err_set(e, "sto: digest[%zu] is %s, expected %s", i, found, expected);
    }
    for (size_t i = 0; i < s->windows; i++)
        if (s->hash[i] != hash[i])
            return err_set(e, "sto: hash[%zu] is %08x, expected %08x", i, s->hash[i], hash[i]);
    return true;
}

static void make_data(struct host *h, struct store *s)
{
    s->data = host_new(h, s->segments, s->bytes);
    for (size_t i = 0; i < s->segments; i++) {
        uint8_t *to = s->data + i * s->bytes;
        if (i > 0 && rng_below(&h->rng, REPEAT) == 0) {
            memcpy(to, s->data + rng_below(&h->rng, i) * s->bytes, s->bytes);
            continue;
        }
        for (size_t b = 0; b < s->bytes; b++)
            to[b] = (uint8_t)rng_below(&h->rng, 256);
    }
}

static bool launch(struct host *h, const char *name, size_t n, unsigned words_a_thread, void **args,
                   struct err *e)
{
    const unsigned threads = host_threads(h, CTA);
    const unsigned shared = (threads + 1) * words_a_thread * (unsigned)sizeof(uint32_t);
    CUfunction kernel;
    if (shared > SHARED_MOST)
        return err_set(e,
                       "sto: %u warps a CTA need %u bytes of shared memory, at most %d are there",
                       threads / 32, shared, SHARED_MOST);
    if (!host_kernel(h, name, &kernel, e))
        return false;
    TRY(cuLaunchKernel(kernel, host_ctas(n, threads), 1, 1, threads, 1, 1, shared, NULL, args,
                       NULL));
    return true;
}

static bool run_on_device(struct host *h, struct store *s, struct err *e)
{
    const size_t digests = s->segments * sizeof *s->digest, hashes = s->windows * sizeof *s->hash;
    int segments = (int)s->segments, words = (int)(s->bytes / 4), windows = (int)s->windows;
    CUdeviceptr data, digest, hash;
    if (!host_array(&data, s->data, s->segments * s->bytes, e) ||
        !host_array(&digest, NULL, digests, e) || !host_array(&hash, NULL, hashes, e) ||
        !host_symbol(h, "sto_sine", s->sine, sizeof s->sine, e))
        return false;
    void *direct[] = {&digest, &data, &segments, &words}, *sliding[] = {&hash, &data, &windows};
    if (!launch(h, "sto_direct", s->segments, WORDS, direct, e) ||
        !launch(h, "sto_sliding", s->windows, WINDOW_WORDS, sliding, e))
        return false;
    TRY(cuMemcpyDtoH(s->digest, digest, digests));
    TRY(cuMemcpyDtoH(s->hash, hash, hashes));
    return true;
}

static bool body(struct host *h, struct err *e)
{
    const long *p = h->in->size->param;
    struct store s = {(size_t)p[0], (size_t)p[1], (size_t)p[2], NULL, {0}, NULL, NULL};
    make_data(h, &s);
    make_sine(s.sine);
    s.digest = host_new(h, s.segments, sizeof *s.digest);
    s.hash = host_new(h, s.windows, sizeof *s.hash);
    return run_on_device(h, &s, e) && (!h->in->verify || check(h, &s, e));
}

static bool run(const struct workload *w, const struct workload_input *in, struct err *e)
{
    return host_run(w, in, body, e);
}

extern const char workload_sto_ptx[];
extern const struct workload workload_sto;
const struct workload workload_sto = {
    .name = "sto",
    .suite = "Kayiran",
    .title = "MD5 of a store's segments and of sliding windows",
    .paper_class = "compute-intensive",
    .size = {{"small", {1280, 64, 1280}, "1280 segments of 64 bytes, 1280 windows"},
             {"medium", {30720, 128, 61440}, "30720 segments of 128 bytes, 61440 windows"},
             {"paper", {49152, 192, 49152}, "49152 threads (ISPASS 2009), 192 bytes a segment"}},
    .any_warps = true,
    .ptx = workload_sto_ptx,
    .run = run,
};
