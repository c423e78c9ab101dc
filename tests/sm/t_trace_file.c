#include "base/file.h"
#include "sim/frontend/recorded.h"
#include "tests/sm/craft.h"
#include "tests/sm/recording.h"

#include <sys/stat.h>

static const char plain[] = KERNEL("st.global.u32 [%rd3], %r1; bar.sync 0;");

static struct recording of(const char *kernel, struct ptxrun *r)
{
    struct recording rec;
    char text[2048];
    snprintf(text, sizeof text, "%s%s", HEADER, kernel);
    ptxrun_open(r, text, 64, 4096);
    recording_make(&rec, r, 2);
    return rec;
}

static void what_a_file_holds(void)
{
    struct ptxrun r;
    struct recording rec = of(plain, &r);
    const struct trace_file *f = rec.file;
    CU_ASSERT_EQUAL(f->texts, 1);
    CU_ASSERT_EQUAL(f->kernels, 1);
    CU_ASSERT_EQUAL(f->launches, 2);
    CU_ASSERT_STRING_EQUAL(f->kernel[0].name, "k");
    CU_ASSERT_EQUAL(f->text[0].name_len, strlen("test.ptx"));
    CU_ASSERT_EQUAL(f->launch[1].block[0], 64);
    CU_ASSERT_EQUAL(f->launch[1].grid[2], 1);
    CU_ASSERT_EQUAL(f->launch[1].param_bytes, 16);
    CU_ASSERT_EQUAL(f->launch[1].ctas, 1);
    CU_ASSERT_TRUE(trace_file_is(rec.path));
    CU_ASSERT_FALSE(trace_file_is("/dev/null"));
    recording_free(&rec);
    ptxrun_close(&r);
}

/* A warp of plain.  Five instructions without memory (two of them read parameters), a store of 32
 * lanes 4 bytes apart, a barrier, ret. */
static void steps_as_bytes(void)
{
    struct ptxrun r;
    struct recording rec = of(plain, &r);
    const struct trace_part *p = &rec.file->launch[0].cta[0];
    struct err e;
    uint8_t *b = xmalloc(p->bytes);
    CU_ASSERT_TRUE_FATAL(trace_file_read(rec.file, p, b, &e));
    static const uint8_t first[] = {
        TRACE_MEMORY,  8, SP_PARAM, 0,  0, /* 8 bytes, at 0, lanes 0 apart */
        TRACE_MEMORY,  8, SP_PARAM, 16, 0, /* 8 further */
        TRACE_RUN + 2,                     /* mov, mul, add */
        TRACE_MEMORY,  4, SP_GLOBAL};
    CU_ASSERT_EQUAL(b[0] + b[1] + 2, (int)p->bytes); /* two warps of less than 128 bytes */
    CU_ASSERT_EQUAL(memcmp(b + 2, first, sizeof first), 0);
    /* the store's address, 8 (zigzag of 4), barrier 0 for all, ret */
    static const uint8_t last[] = {8, TRACE_ARRIVE, 0, 0, TRACE_LIVE, 0xff, 0xff, 0xff, 0xff, 0x0f};
    CU_ASSERT_EQUAL(memcmp(b + 2 + b[0] - sizeof last, last, sizeof last), 0);
    free(b);
    recording_free(&rec);
    ptxrun_close(&r);
}

static bool on_launch(void *self, struct launch *l, struct err *e)
{
    struct run_stats st = {0};
    const struct gpu_opts o = {.n = 8, .only_core = -1, .max_cycles = 100000};
    return gpu_launch(self, l, &o, &st, e);
}

static bool run_file(const struct trace_file *f, struct err *e)
{
    static const char *const small[] = {"cores=2", NULL};
    const struct gpu_cfg cfg = whole_gpu("yen2014", small);
    struct gpu *g = gpu_new(&cfg, e);
    const struct executor x = {.launch = on_launch, .self = g};
    const bool ok = recorded_run(f, &x, e);
    gpu_free(g);
    return ok;
}

/* Every byte in turn becomes another one, and the file every length: it is refused, or was not
 * needed (the reserved word of the header). */
static void damage_is_found_and_placed(void)
{
    struct ptxrun r;
    struct recording rec = of(plain, &r);
    struct err e = {""};
    size_t len;
    int harmless = 0;
    uint8_t *b = (uint8_t *)file_read(rec.path, 1 << 20, &len, &e);
    CU_ASSERT_PTR_NOT_NULL_FATAL(b);
    for (size_t i = 0; i < 2 * len; i++) {
        const size_t at = i % len, bytes = i < len ? len : at;
        b[at] ^= i < len ? 0x55 : 0;
        struct trace_file *f = trace_file_from("damaged", b, bytes, &e);
        const bool ok = f && run_file(f, &e);
        harmless += ok;
        CU_ASSERT_TRUE(ok || strncmp(e.msg, "damaged: ", 9) == 0);
        CU_ASSERT_TRUE(ok || strstr(e.msg, "offset") || strstr(e.msg, "byte"));
        trace_file_free(f);
        b[at] ^= i < len ? 0x55 : 0;
    }
    CU_ASSERT_EQUAL(harmless, 4);
    free(b);
    recording_free(&rec);
    ptxrun_close(&r);
}

/* -- CTAs by hand: of 32 threads, whose one warp has these bytes */

#define CODE                                                                                  \
    HEADER ".entry k()\n{\n.reg .b32 %r<3>; .reg .b64 %rd<3>; .shared .b8 sh[64];\n"          \
           "ld.global.u32 %r1, [%rd1]; st.shared.u32 [sh], %r1; bar.sync 0; bar.sync 1, 96; " \
           "ret;\n}\n"
#define RET TRACE_LIVE, 0xff, 0xff, 0xff, 0xff, 0x0f

static void crafted(const uint8_t *warp, size_t n, const char *why)
{
    struct trace_bytes cta = {0}, file = {0};
    struct err e = {""};
    trace_put_uint(&cta, n);
    craft_bytes(&cta, warp, n);
    craft_launch(&file, CODE, 32, &cta);
    struct trace_file *f = trace_file_from("crafted", file.at, file.n, &e);
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    const bool ok = run_file(f, &e);
    CU_ASSERT_EQUAL(ok, !*why);
    if (!ok && !strstr(e.msg, why))
        printf("\n  not \"%s\": %s\n", why, e.msg);
    CU_ASSERT_TRUE(ok || strstr(e.msg, why));
    trace_file_free(f);
    free(cta.at);
    free(file.at);
}
#define CRAFTED(why, ...) \
    crafted((const uint8_t[]){__VA_ARGS__}, sizeof(uint8_t[]){__VA_ARGS__}, why)
#define LOAD   TRACE_MEMORY, 4, SP_GLOBAL, 0, 8
#define TO_RET TRACE_PC | TRACE_LIVE, 8, 0xff, 0xff, 0xff, 0xff, 0x0f

static void steps_that_no_instruction_makes_are_refused(void)
{
    CRAFTED("", LOAD, TRACE_MEMORY, 4, SP_SHARED, 0, 0, TRACE_ARRIVE, 0, 0, TRACE_ARRIVE, 1, 32,
            RET);
    CRAFTED("", TO_RET);
    CRAFTED("crafted: offset 40: launch 0, CTA 0, byte 1 unpacked: ends although", );
    CRAFTED("byte 2 unpacked: has a step of an unknown kind", 0);
    CRAFTED("has a step of an unknown kind", 64);
    CRAFTED("outside of the kernel's code", TRACE_PC, 10);
    CRAFTED("outside of the kernel's code", TRACE_PC, 1);
    CRAFTED("ends although lanes are live", LOAD);
    CRAFTED("ends within a step", TRACE_MEMORY, 4, SP_GLOBAL, 0x80);
    CRAFTED("ends within a step", TRACE_MEMORY, 4, 16);
    CRAFTED("an access that its instruction cannot make", TRACE_MEMORY, 3, SP_GLOBAL, 0, 0, RET);
    CRAFTED("an access that its instruction cannot make", TRACE_MEMORY, 64, SP_GLOBAL, 0, 0, RET);
    CRAFTED("an access that its instruction cannot make", TRACE_MEMORY, 4, SP_TEX, 0, 0, RET);
    CRAFTED("an access that its instruction cannot make", TRACE_MEMORY, 4, SP_FRAME, 0, 0, RET);
    CRAFTED("an access that its instruction cannot make", LOAD, TRACE_MEMORY, 4, SP_CONST, 0, 0,
            RET); /* a store */
    CRAFTED("an access that its instruction cannot make", TRACE_PC | TRACE_MEMORY, 4, 4, SP_GLOBAL,
            0, 0, RET); /* a barrier */
    CRAFTED("impossible address", TRACE_MEMORY, 4, SP_GLOBAL, 1, 0, RET);
    CRAFTED("impossible address", LOAD, TRACE_MEMORY, 4, SP_SHARED, 4, 0, RET); /* misaligned */
    CRAFTED("arrives at a barrier by an instruction that is none", TRACE_ARRIVE, 0, 0, RET);
    CRAFTED("a barrier that does not exist", TRACE_PC | TRACE_ARRIVE, 4, 16, 0, RET);
    CRAFTED("lanes that have exited", TRACE_LIVE, 1, TRACE_RUN, RET);
    CRAFTED("lanes exit that are not there", TRACE_LIVE, 1, TRACE_LIVE | TRACE_ACTIVE, 1, 1, RET);
    CRAFTED("goes on although no lane is live", TO_RET, TRACE_RUN);
}

/* The file says what the instruction does not: it waits for 96 threads, and 32 come. */
static void a_barrier_that_is_never_met_is_found(void)
{
    CRAFTED("waits for ever at barrier 1: 32 of 96 threads have arrived", TRACE_PC | TRACE_ARRIVE,
            6, 1, 96, RET);
}

static void tables_that_promise_too_much_are_refused(void)
{
    static const struct {
        uint8_t n, b[24];
        const char *why;
    } row[] = {
        {1, {0x7f}, "byte 1 of its table: too many texts"},
        {3, {1, 9, 0}, "a text is longer than the table"},
        {4, {0, 1, 0, 0}, "a kernel of no text"},
        {13, {0, 0, 1, 0}, "a launch of no kernel"},
        {4, {0, 0, 0, 0}, "something follows the last launch"},
        {8, {1, 0, 0, 1, 0, 1, 'k', 3}, "too many launches"},
        {18, {1, 0, 0, 1, 0, 1, 'k', 1, 0, 0, 1, 1}, "a number of a launch is out of range"},
        {18, {1, 0, 0, 1, 0, 1, 'k', 1, 0, 99, 1, 1, 1, 1, 1}, "more CTAs than the table has"},
        {21,
         {1, 0, 0, 1, 0, 1, 'k', 1, 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 9},
         "outside of the file"},
        {21,
         {1, 0, 0, 1, 0, 1, 'k', 1, 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 1, 9, 9},
         "outside of the file"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct trace_bytes table = {0}, file = {0};
        struct err e = {""};
        craft_bytes(&table, row[i].b, row[i].n);
        craft_file(&file, &table, &table);
        CU_ASSERT_PTR_NULL(trace_file_from("table", file.at, file.n, &e));
        if (!strstr(e.msg, row[i].why))
            printf("\n  not \"%s\": %s\n", row[i].why, e.msg);
        CU_ASSERT_PTR_NOT_NULL(strstr(e.msg, row[i].why));
        free(table.at);
        free(file.at);
    }
}

static void numbers_of_any_size(void)
{
    static const int64_t v[] = {0, 1, -1, 63, -64, 64, 300, INT64_MAX, INT64_MIN};
    struct trace_bytes b = {0};
    for (size_t i = 0; i < sizeof v / sizeof *v; i++)
        trace_put_int(&b, v[i]);
    CU_ASSERT_EQUAL(b.n, 5 + 2 + 2 + 10 + 10); /* 7 bits a byte, the sign one of them */
    struct trace_cursor c = {b.at, b.at + b.n};
    int64_t got;
    for (size_t i = 0; i < sizeof v / sizeof *v; i++)
        CU_ASSERT_TRUE(trace_get_int(&c, &got) && got == v[i]);
    CU_ASSERT_FALSE(trace_get_int(&c, &got));
    static const uint8_t long_one[] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2};
    c = (struct trace_cursor){long_one, long_one + sizeof long_one};
    CU_ASSERT_FALSE(trace_get_int(&c, &got));
    free(b.at);
}

/* Nothing is left of a file that is not whole, and one that was there stays. */
static void a_recording_that_fails_leaves_no_file(void)
{
    struct err e = {""};
    char path[64], *tmp;
    struct stat st;
    recording_path(path);
    struct trace_writer *w = trace_writer_new(path, &e);
    tmp = xasprintf("%s.tmp%ld", path, (long)getpid());
    CU_ASSERT_TRUE(stat(tmp, &st) == 0);
    CU_ASSERT_FALSE(trace_writer_close(w, false, &e));
    CU_ASSERT_FALSE(stat(tmp, &st) == 0);
    CU_ASSERT_TRUE(stat(path, &st) == 0 && st.st_size == 0);
    CU_ASSERT_PTR_NULL(trace_writer_new("/no/such/folder/x", &e));
    CU_ASSERT_PTR_NOT_NULL(strstr(e.msg, "/no/such/folder/x: "));
    unlink(path);
    free(tmp);
}

SUITE("trace_file", T(what_a_file_holds), T(steps_as_bytes), T(damage_is_found_and_placed),
      T(steps_that_no_instruction_makes_are_refused), T(a_barrier_that_is_never_met_is_found),
      T(tables_that_promise_too_much_are_refused), T(numbers_of_any_size),
      T(a_recording_that_fails_leaves_no_file))
