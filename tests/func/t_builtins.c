/* printf, assert, malloc and free of device code. */
#include "tests/func/ptxrun.h"

#define EXTERNS                                                                             \
    ".extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);\n"               \
    ".extern .func __assertfail (.param .b64 m, .param .b64 f, .param .b32 l, .param .b64 " \
    "n, .param .b64 s);\n"                                                                  \
    ".extern .func (.param .b64 r) malloc (.param .b64 n);\n"                               \
    ".extern .func free (.param .b64 p);\n"
/* %rd5 = format, %rd6 = arguments, %r9 = result */
#define VPRINTF                                                                   \
    "{ .param .b64 p0; .param .b64 p1; .param .b32 q; st.param.b64 [p0], %rd5;\n" \
    "st.param.b64 [p1], %rd6; call.uni (q), vprintf, (p0, p1); ld.param.b32 %r9, [q]; }\n"

/* A .global byte array with a terminating NUL. */
static void byte_array(const char *name, const char *s, char *to, size_t room)
{
    int n = snprintf(to, room, ".global .align 1 .b8 %s[%zu] = {", name, strlen(s) + 1);
    for (const char *p = s; *p; p++)
        n += snprintf(to + n, room - (size_t)n, "%d, ", (unsigned char)*p);
    snprintf(to + n, room - (size_t)n, "0};\n");
}

struct output {
    char text[4096];
    FILE *file;
};

static void output_open(struct output *o)
{
    memset(o->text, 0, sizeof o->text);
    o->file = fmemopen(o->text, sizeof o->text - 1, "w");
}

/* Prints with the format and these 8-byte argument words. */
static void expect_print(const char *format, const uint64_t *args, int nargs, const char *expect,
                         int result)
{
    struct ptxrun r;
    struct output o;
    char text[6000], f[2000];
    byte_array("fmt", format, f, sizeof f);
    snprintf(text, sizeof text, "%s%s%s%s%s", HEADER EXTERNS, f,
             ".global .align 1 .b8 str[6] = {104, 101, 108, 108, 111, 0};\n", KERNEL_HEAD,
             "mov.u64 %rd5, fmt; cvta.global.u64 %rd5, %rd5; mov.u64 %rd6, %rd2;\n" VPRINTF
             "st.global.u32 [%rd3], %r9;" KERNEL_TAIL);
    if (ptxrun_open(&r, text, 1, 8192)) {
        output_open(&o);
        for (int i = 0; i < nargs; i++) {
            uint64_t v = args[i];
            if (v == 's')
                v = module_var_find(r.module, "str")->addr;
            devmem_write(r.mem, r.in + 8 * (addr_t)i, &v, 8);
        }
        r.l.printf_file = o.file;
        CU_ASSERT_TRUE(ptxrun_go(&r));
        fclose(o.file);
        if (strcmp(o.text, expect) != 0)
            printf("\n'%s': found '%s', expected '%s'\n", format, o.text, expect);
        CU_ASSERT_STRING_EQUAL(o.text, expect);
        CU_ASSERT_EQUAL((int)ptxrun_u32(&r, 0), result);
    }
    ptxrun_close(&r);
}

static uint64_t bits(double d)
{
    uint64_t u;
    memcpy(&u, &d, 8);
    return u;
}

static void every_conversion_prints_as_in_c(void)
{
    const uint64_t pair = 7 | (uint64_t)(uint32_t)-3 << 32; /* two ints in one word */
    expect_print("plain 100%%\n", NULL, 0, "plain 100%\n", 0);
    expect_print("%d %i|", (uint64_t[]){pair}, 1, "7 -3|", 2);
    expect_print("%u %o", (uint64_t[]){pair}, 1, "7 37777777775", 2);
    expect_print("%x %X %#x", (uint64_t[]){pair, 255}, 2, "7 FFFFFFFD 0xff", 3);
    expect_print("%5d|%-5d|%05d|%+d", (uint64_t[]){pair, pair}, 2, "    7|-3   |00007|-3", 4);
    expect_print("%hhd %hd %hu", (uint64_t[]){0x1ff | 0x1ffffull << 32, 0x1ffff}, 2, "-1 -1 65535",
                 3);
    expect_print("%ld %lld %llu %lx",
                 (uint64_t[]){(uint64_t)-5, 1ull << 40, UINT64_MAX, 1ull << 36}, 4,
                 "-5 1099511627776 18446744073709551615 1000000000", 4);
    expect_print("%zu %d %zd", (uint64_t[]){9, 8, 7}, 3, "9 8 7", 3); /* 8-byte alignment */
    expect_print("%f %.2f %e %g %G",
                 (uint64_t[]){bits(1.5), bits(2.345), bits(1e10), bits(1e-10), bits(1e100)}, 5,
                 "1.500000 2.35 1.000000e+10 1e-10 1E+100", 5);
    expect_print("%8.3f|%-8.1E|%a|%F",
                 (uint64_t[]){bits(3.14159), bits(12345.), bits(1.), bits(-0.)}, 4,
                 "   3.142|1.2E+04 |0x1p+0|-0.000000", 4);
    expect_print("%c%c %5c|", (uint64_t[]){'a' | (uint64_t)'b' << 32, 'z'}, 2, "ab     z|", 3);
    expect_print("%s, %.3s, %8s|%-7s|", (uint64_t[]){'s', 's', 's', 's'}, 4,
                 "hello, hel,    hello|hello  |", 4);
    expect_print("%p %s", (uint64_t[]){0x80000010, 0}, 2, "0x80000010 (null)", 2);
    expect_print("%*d|%.*f|%-*d|", (uint64_t[]){4 | 7ull << 32, 1, bits(0.25), 3 | 5ull << 32}, 4,
                 "   7|0.2|5  |", 3);
    expect_print("%*d|", (uint64_t[]){(uint32_t)-4 | 7ull << 32}, 1, "7   |", 1);
    expect_print("%y%", NULL, 0, "%y", 0);
}

static void lanes_print_in_order(void)
{
    struct ptxrun r;
    struct output o;
    char text[4000], f[200];
    byte_array("fmt", "%d,", f, sizeof f);
    snprintf(text, sizeof text, "%s%s%s%s", HEADER EXTERNS, f, KERNEL_HEAD,
             ".local .align 8 .b8 args[8]; st.local.u32 [args], %r1; setp.lt.u32 %p1, %r1, 36;\n"
             "mov.u64 %rd5, fmt; cvta.global.u64 %rd5, %rd5; mov.u64 %rd6, args;\n"
             "cvta.local.u64 %rd6, %rd6; @%p1 bra E;\n" VPRINTF "E:" KERNEL_TAIL);
    if (ptxrun_open(&r, text, 40, 8192)) {
        output_open(&o);
        r.l.printf_file = o.file;
        CU_ASSERT_TRUE(ptxrun_go(&r));
        fclose(o.file);
        CU_ASSERT_STRING_EQUAL(o.text, "36,37,38,39,");
    }
    ptxrun_close(&r);
}

static void hostile_formats_end_in_an_error(void)
{
    ptxrun_fails(HEADER EXTERNS KERNEL("mov.u64 %rd5, 64; mov.u64 %rd6, %rd2;\n" VPRINTF), 1,
                 "kernel k, test.ptx:16: call.uni: CTA (0,0,0) thread (0,0,0): printf: the format "
                 "at 0x40 is not in any memory");
    ptxrun_fails(HEADER EXTERNS ".global .b8 f[3] = {37, 115, 0};\n" KERNEL(
                     "mov.u64 %rd5, f; mov.u64 %rd6, 0;\n" VPRINTF),
                 1,
                 "kernel k, test.ptx:17: call.uni: CTA (0,0,0) thread (0,0,0): printf: an argument "
                 "at 0x0 is not in any memory");
    ptxrun_fails(HEADER EXTERNS ".global .b8 f[3] = {37, 115, 0};\n" KERNEL(
                     "mov.u64 %rd5, f; add.u64 %rd6, %rd2, 8;\n" VPRINTF),
                 1,
                 "kernel k, test.ptx:17: call.uni: CTA (0,0,0) thread (0,0,0): printf: a string at "
                 "0x300000002 is not in any memory");
}

static void a_failed_assertion_says_all(void)
{
    ptxrun_fails(
        HEADER EXTERNS
        ".global .align 1 .b8 m[4] = {97, 62, 48, 0};\n"
        ".global .align 1 .b8 f[5] = {120, 46, 99, 117, 0};\n"
        ".global .align 1 .b8 n[5] = {107, 40, 105, 41, 0};\n" KERNEL(
            "setp.ne.u32 %p1, %r1, 3; @%p1 bra E;\n"
            "mov.u64 %rd5, m; mov.u64 %rd6, f; mov.u64 %rd7, n;\n"
            "{ .param .b64 a; .param .b64 b; .param .b32 c; .param .b64 d; .param .b64 e;\n"
            "st.param.b64 [a], %rd5; st.param.b64 [b], %rd6; st.param.b32 [c], 12;\n"
            "st.param.b64 [d], %rd7; st.param.b64 [e], 1;\n"
            "call.uni __assertfail, (a, b, c, d, e); }\n"
            "E:"),
        8,
        "kernel k, test.ptx:22: call.uni: CTA (0,0,0) thread (3,0,0): assertion 'a>0' failed at "
        "x.cu:12 in k(i)");
}

/* Each thread takes 64 bytes, writes and reads them through the pointer, and gives them back. */
static void threads_allocate_memory_of_their_own(void)
{
    struct ptxrun r;
    ptxrun_open(
        &r,
        HEADER EXTERNS KERNEL("{ .param .b64 n; .param .b64 q; st.param.b64 [n], 64;\n"
                              "call.uni (q), malloc, (n); ld.param.b64 %rd5, [q]; }\n"
                              "setp.eq.u64 %p1, %rd5, 0; @%p1 bra E;\n"
                              "st.u32 [%rd5+60], %r1; bar.warp.sync -1; ld.u32 %r2, [%rd5+60];\n"
                              "add.u32 %r2, %r2, 1; st.global.u32 [%rd3], %r2;\n"
                              "{ .param .b64 p; st.param.b64 [p], %rd5; call.uni free, (p); }\n"
                              "E: add.u32 %r3, %r3, 1;"),
        32, 8192);
    r.l.malloc_limit = 20 * 64;
    CU_ASSERT_TRUE(ptxrun_go(&r));
    for (uint32_t i = 0; i < 32; i++)
        CU_ASSERT_EQUAL(ptxrun_u32(&r, i), i < 20 ? i + 1 : 0);
    CU_ASSERT_TRUE(ptxrun_go(&r)); /* everything was given back */
    CU_ASSERT_EQUAL(ptxrun_u32(&r, 19), 20);
    ptxrun_close(&r);
    ptxrun_fails(
        HEADER EXTERNS KERNEL("{ .param .b64 p; st.param.b64 [p], %rd2; call.uni free, (p); }"), 2,
        "kernel k, test.ptx:14: call.uni: CTA (0,0,0) thread (0,0,0): free(0x80002000): "
        "malloc() has not returned this address");
}

SUITE("built-ins", T(every_conversion_prints_as_in_c), T(lanes_print_in_order),
      T(hostile_formats_end_in_an_error), T(a_failed_assertion_says_all),
      T(threads_allocate_memory_of_their_own))
