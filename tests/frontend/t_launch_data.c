/* What launch files fill buffers with, and what they accept from data files. */
#include "base/file.h"
#include "sim/frontend/launch_impl.h"
#include "tests/suite.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

static char dir[64];

static void make_dir(void)
{
    snprintf(dir, sizeof dir, "/tmp/mdp-launch-XXXXXX");
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(dir));
}

/* The launch file with one buffer, of the given settings; its source is loaded. */
static struct launch_file *with_buffer(const char *settings, struct err *e)
{
    char *text =
        xasprintf("module = \"k.ptx\";\nbuffers = ( { name = \"a\"; %s } );\n"
                  "launches = ( { kernel = \"k\"; grid = [1, 1, 1]; block = [32, 1, 1]; } );\n",
                  settings);
    char *path = xasprintf("%s/l.cfg", dir);
    struct launch_file *f = launch_file_parse(path, text, e);
    free(text);
    free(path);
    if (f && !source_load(&f->buffer[0].src, f->path, f->buffer[0].bytes, false, e)) {
        launch_file_free(f);
        return NULL;
    }
    return f;
}

static void holds(const char *settings, const void *bytes, size_t n)
{
    struct err e;
    struct launch_file *f = with_buffer(settings, &e);
    CU_ASSERT_PTR_NOT_NULL(f);
    if (!f) {
        printf("\n  %s: %s\n", settings, e.msg);
        return;
    }
    CU_ASSERT_EQUAL(f->buffer[0].src.len, n);
    CU_ASSERT_TRUE(f->buffer[0].src.len == n && !memcmp(f->buffer[0].src.data, bytes, n));
    launch_file_free(f);
}
#define HOLDS(settings, type, ...)                 \
    do {                                           \
        static const type want_[] = {__VA_ARGS__}; \
        holds(settings, want_, sizeof want_);      \
    } while (0)

static void constants_and_sequences(void)
{
    HOLDS("bytes = 12; fill = 7;", int32_t, 7, 7, 7);
    HOLDS("bytes = 8; fill = 1.5;", float, 1.5F, 1.5F);
    HOLDS("bytes = 3; type = \"u8\"; fill = 255;", uint8_t, 255, 255, 255);
    HOLDS("bytes = 8; fill = { type = \"s64\"; value = -2; };", int64_t, -2);
    HOLDS("bytes = 12; iota = true;", int32_t, 0, 1, 2);
    HOLDS("bytes = 8; iota = 9;", int32_t, 9, 10);
    HOLDS("bytes = 12; iota = { start = 10; step = -5; };", int32_t, 10, 5, 0);
    HOLDS("bytes = 24; iota = { type = \"f64\"; start = 0.5; step = 0.25; };", double, 0.5, 0.75,
          1.0);
    HOLDS("bytes = 6; type = \"u16\"; iota = { start = 65533; };", uint16_t, 65533, 65534, 65535);
    HOLDS("bytes = 12; values = [1, -2, 3];", int32_t, 1, -2, 3);
    HOLDS("bytes = 12; values = ( 1, 2.5 );", float, 1.0F, 2.5F);
    HOLDS("bytes = 12; values = [1, 2]; type = \"u8\";", uint8_t, 1, 2);
    HOLDS("bytes = 8; values = [0xffffffffffffffff]; type = \"u64\";", uint64_t, UINT64_MAX);
}

static void a_permutation_holds_every_index_once(void)
{
    struct err e;
    struct launch_file *f = with_buffer("bytes = 4000; permutation = { seed = 5; };", &e);
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    const int32_t *p = (const int32_t *)(const void *)f->buffer[0].src.data;
    bool seen[1000] = {false};
    int in_place = 0;
    for (int i = 0; i < 1000; i++) {
        CU_ASSERT_FATAL(p[i] >= 0 && p[i] < 1000 && !seen[p[i]]);
        seen[p[i]] = true;
        in_place += p[i] == i;
    }
    CU_ASSERT_TRUE(in_place < 20);
    launch_file_free(f);
}

static void random_numbers_stay_in_range(void)
{
    struct err e;
    struct launch_file *f =
        with_buffer("bytes = 4000; random = { type = \"f32\"; lo = -1.0; hi = 3.0; };", &e);
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    const float *x = (const float *)(const void *)f->buffer[0].src.data;
    double sum = 0;
    for (int i = 0; i < 1000; i++) {
        CU_ASSERT_TRUE(x[i] >= -1.0F && x[i] < 3.0F);
        sum += (double)x[i];
    }
    CU_ASSERT_DOUBLE_EQUAL(sum / 1000, 1.0, 0.15);
    launch_file_free(f);
    f = with_buffer("bytes = 1000; random = { type = \"s8\"; lo = -3; hi = 3; };", &e);
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    int count[6] = {0};
    for (int i = 0; i < 1000; i++) {
        int v = (int8_t)f->buffer[0].src.data[i];
        CU_ASSERT_FATAL(v >= -3 && v < 3);
        count[v + 3]++;
    }
    for (int v = 0; v < 6; v++)
        CU_ASSERT_TRUE(count[v] > 100);
    launch_file_free(f);
    HOLDS("bytes = 8; random = { type = \"s32\"; lo = 4; hi = 4; };", int32_t, 4, 4);
}

static void the_same_seed_gives_the_same_bytes(void)
{
    struct err e;
    struct launch_file *f[3];
    static const char *const settings[] = {"bytes = 64; random = { seed = 9; };",
                                           "bytes = 64; random = { seed = 9; };",
                                           "bytes = 64; random = { seed = 10; };"};
    for (int i = 0; i < 3; i++) {
        f[i] = with_buffer(settings[i], &e);
        CU_ASSERT_PTR_NOT_NULL_FATAL(f[i]);
    }
    CU_ASSERT_TRUE(!memcmp(f[0]->buffer[0].src.data, f[1]->buffer[0].src.data, 64));
    CU_ASSERT_FALSE(!memcmp(f[0]->buffer[0].src.data, f[2]->buffer[0].src.data, 64));
    for (int i = 0; i < 3; i++)
        launch_file_free(f[i]);
    HOLDS("bytes = 16; random = { type = \"u64\"; seed = 1; hi = 100; };", uint64_t, 56, 74);
}

static void write_file(const char *name, size_t n)
{
    char *path = xasprintf("%s/%s", dir, name), *zeros = xcalloc(1, n);
    CU_ASSERT_TRUE(file_write(path, zeros, n, NULL));
    free(path);
    free(zeros);
}

static void refused(const char *settings, const char *why)
{
    struct err e = {""};
    struct launch_file *f = with_buffer(settings, &e);
    char *want = xasprintf("%s/l.cfg:2: %s/%s", dir, dir, why);
    CU_ASSERT_PTR_NULL(f);
    CU_ASSERT_STRING_EQUAL(e.msg, want);
    free(want);
    launch_file_free(f);
}

static void files_may_be_shorter_but_not_longer_than_the_buffer(void)
{
    make_dir();
    write_file("x.bin", 8);
    HOLDS("bytes = 8; file = \"x.bin\";", int32_t, 0, 0);
    HOLDS("bytes = 12; file = \"x.bin\";", int32_t, 0, 0);
    refused("bytes = 7; file = \"x.bin\";", "x.bin has 8 bytes, the buffer 7");
    refused("bytes = 8; file = \"y.bin\";", "y.bin: No such file or directory");
    refused("bytes = 8; file = \".\";", ".: not a regular file");
    char *fifo = xasprintf("%s/fifo", dir);
    CU_ASSERT_EQUAL(mkfifo(fifo, 0600), 0);
    refused("bytes = 8; file = \"fifo\";", "fifo: not a regular file");
    unlink(fifo);
    free(fifo);
    char *x = xasprintf("%s/x.bin", dir);
    unlink(x);
    free(x);
    rmdir(dir);
}

/* What zstd makes of `count` sevens, without its last `less` bytes. */
static void write_packed(const char *name, int count, size_t less)
{
    int32_t seven[64];
    char packed[1024];
    struct err e;
    for (int i = 0; i < count; i++)
        seven[i] = 7;
    const size_t n = ZSTD_compress(packed, sizeof packed, seven, (size_t)count * 4, 3);
    CU_ASSERT_FALSE_FATAL(ZSTD_isError(n));
    char *path = xasprintf("%s/%s", dir, name);
    CU_ASSERT_TRUE(file_write(path, packed, n - less, &e));
    free(path);
}

static void remove_file(const char *name)
{
    char *path = xasprintf("%s/%s", dir, name);
    CU_ASSERT_EQUAL(unlink(path), 0);
    free(path);
}

static void compressed_files_hold_what_was_packed(void)
{
    make_dir();
    write_packed("x.zst", 3, 0);
    write_packed("cut.zst", 3, 1);
    write_file("plain.zst", 8);
    HOLDS("bytes = 12; file = \"x.zst\";", int32_t, 7, 7, 7);
    HOLDS("bytes = 16; file = \"x.zst\";", int32_t, 7, 7, 7);
    refused("bytes = 8; file = \"x.zst\";", "x.zst: larger than 8 bytes");
    refused("bytes = 12; file = \"cut.zst\";", "cut.zst: Src size is incorrect");
    refused("bytes = 12; file = \"plain.zst\";", "plain.zst: not a zstd file that states its size");
    remove_file("x.zst");
    remove_file("cut.zst");
    remove_file("plain.zst");
    rmdir(dir);
}

SUITE("launch files: data", T(constants_and_sequences), T(a_permutation_holds_every_index_once),
      T(random_numbers_stay_in_range), T(the_same_seed_gives_the_same_bytes),
      T(files_may_be_shorter_but_not_longer_than_the_buffer),
      T(compressed_files_hold_what_was_packed))
