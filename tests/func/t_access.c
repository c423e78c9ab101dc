/* Loads and stores: every size and space, sign extension, vectors, hostile addresses. */
#include "tests/func/ptxrun.h"

static void narrow_loads_extend_into_wider_registers(void)
{
    static const struct {
        const char *type, *reg;
        uint64_t expect; /* of the bytes 80 f1 f2 83 84 f5 f6 87 */
    } cases[] = {
        {"u8", "h", 0x80},
        {"s8", "h", 0xff80},
        {"u8", "r", 0x80},
        {"s8", "r", 0xffffff80},
        {"b8", "r", 0x80},
        {"u8", "rd", 0x80},
        {"s8", "rd", 0xffffffffffffff80},
        {"u16", "h", 0xf180},
        {"s16", "h", 0xf180},
        {"s16", "r", 0xfffff180},
        {"u16", "r", 0xf180},
        {"u16", "rd", 0xf180},
        {"s16", "rd", 0xfffffffffffff180},
        {"u32", "r", 0x83f2f180},
        {"b32", "f", 0x83f2f180},
        {"f32", "f", 0x83f2f180},
        {"u32", "rd", 0x83f2f180},
        {"s32", "rd", 0xffffffff83f2f180},
        {"u64", "rd", 0x87f6f58483f2f180},
        {"f64", "fd", 0x87f6f58483f2f180},
    };
    uint8_t bytes[8] = {0x80, 0xf1, 0xf2, 0x83, 0x84, 0xf5, 0xf6, 0x87};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ptxrun r;
        char text[2000], body[500];
        const char *reg = cases[i].reg;
        bool wide = reg[strlen(reg) - 1] == 'd';
        /* the lane's own full row is stored: a wrong extension shows in the upper bits */
        snprintf(body, sizeof body, "ld.global.%s %%%s9, [%%rd2]; st.global.%s [%%rd1], %%%s9;",
                 cases[i].type, reg,
                 wide          ? "b64"
                 : *reg == 'h' ? "b16"
                               : "b32",
                 reg);
        KERNEL_TEXT(text, body);
        if (ptxrun_open(&r, text, 32, 8192)) {
            devmem_write(r.mem, r.in, bytes, 8);
            CU_ASSERT_TRUE(ptxrun_go(&r));
            CU_ASSERT_EQUAL(ptxrun_u64(&r, 0), cases[i].expect);
        }
        ptxrun_close(&r);
    }
}

static void narrow_stores_write_their_bytes_only(void)
{
    struct ptxrun r;
    ptxrun_ok(&r,
              HEADER KERNEL("mov.u32 %r2, 0x11223344; mov.u64 %rd5, 0x5566778811223344;\n"
                            "st.global.u32 [%rd1], -1; st.global.u8 [%rd1+1], %r2;\n"
                            "st.global.u32 [%rd1+4], -1; st.global.u16 [%rd1+6], %r2;\n"
                            "st.global.u32 [%rd1+8], %rd5; st.global.u8 [%rd1+12], %rd5;\n"
                            "cvt.u16.u32 %h1, %r2; st.global.u8 [%rd1+13], %h1;\n"
                            "st.global.b16 [%rd1+14], %h1;"),
              1);
    CU_ASSERT_EQUAL(ptxrun_u32(&r, 0), 0xffff44ff);
    CU_ASSERT_EQUAL(ptxrun_u32(&r, 1), 0x3344ffff);
    CU_ASSERT_EQUAL(ptxrun_u32(&r, 2), 0x11223344);
    CU_ASSERT_EQUAL(ptxrun_u32(&r, 3), 0x33444444);
    ptxrun_close(&r);
}

static void vectors_move_consecutive_elements(void)
{
    struct ptxrun r;
    ptxrun_ok(&r,
              HEADER KERNEL("mul.wide.u32 %rd5, %r1, 16; add.s64 %rd6, %rd2, %rd5;\n"
                            "add.s64 %rd7, %rd1, %rd5;\n"
                            "ld.global.v4.u32 {%r2, %r3, _, %r5}, [%rd6];\n"
                            "ld.global.v2.u64 {%rd8, %rd9}, [%rd6];\n"
                            "ld.global.v4.u8 {%h1, %h2, %h3, %h4}, [%rd6+4];\n"
                            "cvt.u32.u16 %r4, %h1; st.global.v4.b32 [%rd7], {%r5, %r4, %r3, %r2};\n"
                            "st.global.v2.u64 [%rd7+4096], {%rd9, %rd8};"),
              64);
    for (uint32_t i = 0; i < 64; i++) {
        CU_ASSERT_EQUAL(ptxrun_u32(&r, 4 * i), 4 * i + 3);
        CU_ASSERT_EQUAL(ptxrun_u32(&r, 4 * i + 1), (4 * i + 1) & 0xff);
        CU_ASSERT_EQUAL(ptxrun_u32(&r, 4 * i + 2), 4 * i + 1);
        CU_ASSERT_EQUAL(ptxrun_u32(&r, 4 * i + 3), 4 * i);
        CU_ASSERT_EQUAL(ptxrun_u32(&r, 1024 + 4 * i), 4 * i + 2);
        CU_ASSERT_EQUAL(ptxrun_u32(&r, 1024 + 4 * i + 3), 4 * i + 1);
    }
    ptxrun_close(&r);
}

static void the_highest_lane_wins_a_conflict(void)
{
    struct ptxrun r;
    ptxrun_ok(&r,
              HEADER KERNEL("st.global.u32 [%rd1], %r1; setp.lt.u32 %p1, %r1, 9;\n"
                            "@%p1 st.global.u32 [%rd1+4], %r1;"),
              32);
    CU_ASSERT_EQUAL(ptxrun_u32(&r, 0), 31);
    CU_ASSERT_EQUAL(ptxrun_u32(&r, 1), 8);
    ptxrun_close(&r);
}

static void each_thread_has_its_own_local_memory(void)
{
    struct ptxrun r;
    ptxrun_ok(&r,
              HEADER KERNEL(".local .align 8 .b8 depot[40];\n"
                            "mov.u64 %rd5, depot; cvta.local.u64 %rd6, %rd5;\n"
                            "st.local.u32 [%rd5+36], %r1; st.u32 [%rd6], %r1;\n"
                            "bar.sync 0; ld.u32 %r2, [%rd6+36]; ld.local.u32 %r3, [depot];\n"
                            "ld.local.u32 %r5, [depot+8];\n"
                            "add.u32 %r4, %r2, %r3; add.u32 %r4, %r4, %r5; st.global.u32 [%rd3], "
                            "%r4;"),
              96);
    for (uint32_t i = 0; i < 96; i++)
        CU_ASSERT_EQUAL(ptxrun_u32(&r, i), 2 * i);
    ptxrun_close(&r);
}

/* Lane i: i mod 3 = 0 global, 1 shared, 2 local, all through one generic instruction. */
static void generic_lanes_may_lie_in_different_spaces(void)
{
    struct ptxrun r;
    ptxrun_ok(&r,
              HEADER ".shared .align 4 .b8 s[512];\n" KERNEL(
                  ".local .align 8 .b8 depot[8];\n"
                  "mov.u64 %rd5, depot; cvta.local.u64 %rd5, %rd5;\n"
                  "mov.u64 %rd6, s; cvta.shared.u64 %rd6, %rd6; add.s64 %rd6, %rd6, %rd4;\n"
                  "rem.u32 %r2, %r1, 3; setp.eq.u32 %p1, %r2, 1; setp.eq.u32 %p2, %r2, 2;\n"
                  "add.s64 %rd7, %rd3, 2048; selp.b64 %rd8, %rd6, %rd7, %p1;\n"
                  "selp.b64 %rd8, %rd5, %rd8, %p2;\n"
                  "add.u32 %r3, %r1, 1000; st.u32 [%rd8], %r3; ld.u32 %r4, [%rd8];\n"
                  "atom.add.u32 %r6, [%rd8], 1; ld.u32 %r6, [%rd8]; shl.b32 %r6, %r6, 16;\n"
                  "or.b32 %r4, %r4, %r6;\n"
                  "st.global.u32 [%rd3], %r4; ld.shared.u32 %r5, [s+4];\n"
                  "st.global.u32 [%rd3+1024], %r5;"),
              64);
    for (uint32_t i = 0; i < 64; i++) {
        CU_ASSERT_EQUAL(ptxrun_u32(&r, i), (i + 1000) | (i + 1001) << 16);
        CU_ASSERT_EQUAL(ptxrun_u32(&r, 512 + i), i % 3 ? 0 : i + 1001);
    }
    CU_ASSERT_EQUAL(ptxrun_u32(&r, 256 + 5), 1002);
    ptxrun_close(&r);
}

static void constants_parameters_and_dynamic_shared_memory(void)
{
    struct ptxrun r;
    ptxrun_open(&r,
                HEADER
                ".const .align 4 .u32 c[4] = {10, 20, 30, 40};\n"
                ".extern .shared .align 16 .b8 dyn[];\n" KERNEL(
                    "and.b32 %r2, %r1, 3; mul.wide.u32 %rd5, %r2, 4; mov.u64 %rd6, c;\n"
                    "add.s64 %rd6, %rd6, %rd5; ld.const.u32 %r3, [%rd6];\n"
                    "ld.const.u32 %r4, [c+8]; add.u32 %r3, %r3, %r4;\n"
                    "mov.u64 %rd7, dyn; add.s64 %rd7, %rd7, %rd4; st.shared.u32 [%rd7], %r3;\n"
                    "ld.shared.u32 %r5, [%rd7]; ld.param.u32 %r6, [in+4];\n"
                    "add.u32 %r5, %r5, %r6; st.global.u32 [%rd3], %r5;"),
                32, 8192);
    r.l.dyn_shared = 128;
    CU_ASSERT_TRUE(ptxrun_go(&r));
    for (uint32_t i = 0; i < 32; i++)
        CU_ASSERT_EQUAL(ptxrun_u32(&r, i), 10 * (i % 4 + 1) + 30);
    ptxrun_close(&r);
}

static void asynchronous_copies_take_effect_at_once(void)
{
    struct ptxrun r;
    ptxrun_ok(&r,
              HEADER ".shared .align 16 .b8 s[1024];\n" KERNEL(
                  "mul.wide.u32 %rd5, %r1, 16; add.s64 %rd6, %rd2, %rd5; mov.u32 %r2, s;\n"
                  "shl.b32 %r3, %r1, 4; add.u32 %r2, %r2, %r3; and.b32 %r4, %r1, 15;\n"
                  "cp.async.cg.shared.global [%r2], [%rd6+16], 16;\n"
                  "cp.async.ca.shared.global [%r2+512], [%rd6], 16, %r4;\n"
                  "cp.async.commit_group; cp.async.wait_group 0; cp.async.wait_all;\n"
                  "ld.shared.u32 %r5, [%r2+4]; ld.shared.u32 %r6, [%r2+516];\n"
                  "st.global.u32 [%rd3], %r5; st.global.u32 [%rd3+256], %r6;"),
              32);
    for (uint32_t i = 0; i < 32; i++) {
        uint32_t n = i % 16, whole = 4 * i + 1;
        uint32_t part = n >= 8 ? whole : n <= 4 ? 0 : whole & ((1u << 8 * (n - 4)) - 1);
        CU_ASSERT_EQUAL(ptxrun_u32(&r, i), 4 * (i + 1) + 1);
        CU_ASSERT_EQUAL(ptxrun_u32(&r, 64 + i), part);
    }
    ptxrun_close(&r);
}

/* -- what must not be */

#define AT(body) HEADER KERNEL(body)
#define WHO      "CTA (0,0,0) thread "

static void the_first_faulting_lane_is_named(void)
{
    ptxrun_fails(AT("mul.wide.u32 %rd5, %r1, 200; add.s64 %rd6, %rd2, %rd5;\n"
                    "ld.global.f32 %f1, [%rd6];"),
                 64,
                 "kernel k, test.ptx:11: ld.global.f32: " WHO
                 "(21,0,0): out of bounds: reads 4 bytes at 0x80003068 in global memory, 104 bytes "
                 "past the end of buffer 'in' [0x80002000,0x80003000)");
}

static void hostile_addresses_end_in_an_error(void)
{
    ptxrun_fails(AT("mov.u64 %rd5, 0; ld.global.u32 %r2, [%rd5];"), 1,
                 "kernel k, test.ptx:10: ld.global.u32: " WHO
                 "(0,0,0): out of bounds: reads 4 bytes at 0x0 in global memory, 2147483648 bytes "
                 "before the start of buffer 'out' [0x80000000,0x80002000)");
    ptxrun_fails(AT("mov.u64 %rd5, -1; st.global.u8 [%rd5], %r1;"), 1,
                 "kernel k, test.ptx:10: st.global.u8: " WHO
                 "(0,0,0): out of bounds: writes 1 bytes at 0xffffffffffffffff in global memory, "
                 "18446744071562055679 bytes past the end of buffer 'in' [0x80002000,0x80003000)");
    static const struct {
        const char *address;
        bool generic;
    } more[] = {
        {"0xfffffffffffffff0", false}, {"0xfffffffffffffffc", true}, {"0x0ffffff8", true},
        {"0x10000000", true}, /* no shared memory at all */
        {"0x10fffff8", true},          {"0x11000000", true},         {"0x20000000", true},
        {"0x20fffffc", true},          {"0x30000010", true},         {"0x31000000", true},
        {"0x3ffffffc", true},          {"0x40000000", true},         {"0x7ffffffc", true},
        {"0x8000000000000000", true},  {"0x8000000080000000", true}, {"0x10000000", false},
        {"0x80003000", false},         {"0x7fffffff80000000", true}, {"0x100000", true},
    };
    for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
        char text[2000], body[300];
        for (int op = 0; op < 3; op++) {
            struct ptxrun r;
            const char *g = more[i].generic ? "" : ".global";
            snprintf(body, sizeof body,
                     op == 0   ? "mov.u64 %%rd5, %s; ld%s.v2.u32 {%%r2, %%r3}, [%%rd5];"
                     : op == 1 ? "mov.u64 %%rd5, %s; st%s.v2.u32 [%%rd5], {%%r2, %%r3};"
                               : "mov.u64 %%rd5, %s; atom%s.add.u64 %%rd6, [%%rd5], 1;",
                     more[i].address, g);
            KERNEL_TEXT(text, body);
            ptxrun_open(&r, text, 32, 8192);
            CU_ASSERT_FALSE(ptxrun_go(&r));
            CU_ASSERT_PTR_NOT_NULL(strstr(r.err.msg, "bytes at 0x"));
            ptxrun_close(&r);
        }
    }
}

static void bounds_of_shared_local_and_parameter_memory(void)
{
    ptxrun_fails(AT(".shared .align 4 .b8 s[48]; add.u32 %r2, %r1, 5;\n"
                    "shl.b32 %r2, %r2, 2; ld.shared.u32 %r3, [%r2];"),
                 32,
                 "kernel k, test.ptx:11: ld.shared.u32: " WHO
                 "(7,0,0): out of bounds: reads 4 bytes at 0x30 in shared memory (48 bytes a CTA)");
    ptxrun_fails(AT(".local .align 4 .b8 d[16]; mov.u64 %rd5, d; st.local.u16 [%rd5+16], %r1;"), 32,
                 "kernel k, test.ptx:10: st.local.u16: " WHO
                 "(0,0,0): out of bounds: writes 2 bytes at 0x10 in local memory (16 bytes a "
                 "thread)");
    ptxrun_fails(AT("ld.param.u64 %rd5, [in+8];"), 32,
                 "kernel k, test.ptx:10: ld.param.u64: " WHO
                 "(0,0,0): out of bounds: reads 8 bytes at 0x10 in parameter memory (16 bytes)");
}

/* Thread i's register is -4i; with 124 added it points at word 31 - i. */
static void addresses_of_32_bits_may_pass_zero(void)
{
    struct ptxrun r;
    ptxrun_ok(&r,
              HEADER ".shared .align 4 .b8 s[128];\n" KERNEL(
                  "mul.lo.s32 %r2, %r1, -4; st.shared.u32 [%r2+124], %r1; ld.shared.u32 %r7, [s];\n"
                  "atom.shared.add.u32 %r3, [%r2+124], 100;\n"
                  "setp.gt.u32 %p1, %r1, 3; @%p1 ld.shared.u32 %r4, [%r2+124];\n"
                  "shl.b32 %r5, %r1, 2; ld.shared.u32 %r6, [%r5];\n"
                  "mul.lo.u32 %r4, %r4, 1000; add.u32 %r6, %r6, %r4; st.global.u32 [%rd3], %r6;"),
              32);
    for (uint32_t i = 0; i < 32; i++)
        CU_ASSERT_EQUAL(ptxrun_u32(&r, i), 131 - i + (i > 3 ? 1000 * (i + 100) : 0));
    ptxrun_close(&r);
}

static void vectors_are_aligned_as_a_whole(void)
{
    ptxrun_fails(AT("ld.global.v2.u32 {%r2, %r3}, [%rd1+4];"), 32,
                 "kernel k, test.ptx:10: ld.global.v2.u32: " WHO
                 "(0,0,0): misaligned: reads 8 bytes at 0x80000004 in global memory, not a "
                 "multiple of 8, in buffer 'out' [0x80000000,0x80002000)");
    ptxrun_fails(AT("setp.ge.u32 %p1, %r1, 7; selp.u32 %r2, 2, 0, %p1; cvt.u64.u32 %rd5, %r2;\n"
                    "add.s64 %rd5, %rd5, %rd1; st.u32 [%rd5], 1;"),
                 32,
                 "kernel k, test.ptx:11: st.u32: " WHO
                 "(7,0,0): misaligned: writes 4 bytes at 0x80000002 in global memory, not a "
                 "multiple of 4, in buffer 'out' [0x80000000,0x80002000)");
}

static void constants_cannot_be_written(void)
{
    ptxrun_fails(
        HEADER ".const .align 4 .u32 c = 5;\n" KERNEL("mov.u64 %rd5, c; st.global.u32 [%rd5], 1;"),
        1,
        "kernel k, test.ptx:11: st.global.u32: " WHO
        "(0,0,0): forbidden: writes 4 bytes at 0x40000000 in global memory, which is "
        "read-only, in variable 'c' [0x40000000,0x40000004)");
}

/* Memory is fresh for every CTA: nothing leaks from the one before. */
static void registers_and_shared_memory_start_at_zero(void)
{
    struct ptxrun r;
    ptxrun_open(&r,
                HEADER ".shared .align 4 .b8 s[128];\n" KERNEL(
                    ".local .align 4 .b8 d[4];\n"
                    "ld.shared.u32 %r2, [s+12]; ld.local.u32 %r3, [d];\n"
                    "or.b32 %r4, %r2, %r3; or.b32 %r4, %r4, %r20;\n"
                    "st.shared.u32 [s+12], 1; st.local.u32 [d], 2; mov.u32 %r20, 4;\n"
                    "mov.u32 %r5, %ctaid.x; mul.wide.u32 %rd5, %r5, 4; add.s64 %rd5, %rd1, "
                    "%rd5;\n"
                    "or.b32 %r4, %r4, 64; st.global.u32 [%rd5], %r4;"),
                1, 8192);
    r.l.grid[0] = 3;
    CU_ASSERT_TRUE(ptxrun_go(&r));
    for (uint32_t i = 0; i < 3; i++)
        CU_ASSERT_EQUAL(ptxrun_u32(&r, i), 64);
    ptxrun_close(&r);
}

struct seen {
    addr_t first[8], last[8]; /* of lanes 0 and 31 */
    int n;
};

static void look(void *user, const struct warp *w, const struct step *s)
{
    struct seen *seen = user;
    (void)w;
    if (s->bytes && s->space == SP_GLOBAL && seen->n < 8) {
        seen->first[seen->n] = s->addr[0];
        seen->last[seen->n++] = s->addr[31];
    }
}

/* A load of neighbours, one of which half the lanes are in another allocation, an atomic, a store:
 * `in` lies on the host, `out` on the device. */
static void memory_that_lies_anywhere_works_and_is_timed_at_one_place(void)
{
    static const addr_t places[] = {0x7ffc12345670, 0x5512345670};
    static const char body[] =
        "add.s64 %rd5, %rd2, %rd4; ld.global.u32 %r2, [%rd5];\n"
        "setp.lt.u32 %p1, %r1, 16; selp.b64 %rd6, %rd5, %rd3, %p1; ld.u32 %r3, [%rd6];\n"
        "atom.add.u32 %r4, [%rd5], 1000; add.u32 %r2, %r2, %r3; st.u32 [%rd3], %r2;";
    char text[2000];
    KERNEL_TEXT(text, body);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        uint32_t host[32];
        struct seen seen = {.n = 0};
        struct ptxrun r;
        for (uint32_t j = 0; j < 32; j++)
            host[j] = j;
        if (ptxrun_open(&r, text, 32, 8192)) {
            CU_ASSERT(devmem_map_anywhere(r.mem, places[i], sizeof host, host, "host"));
            r.params[1] = places[i];
            r.opts.on_step = look;
            r.opts.user = &seen;
            CU_ASSERT_TRUE(ptxrun_go(&r));
            for (uint32_t j = 0; j < 32; j++) {
                CU_ASSERT_EQUAL(host[j], j + 1000);
                CU_ASSERT_EQUAL(ptxrun_u32(&r, j), j < 16 ? 2 * j : j);
            }
            CU_ASSERT_EQUAL(seen.n, 4);
            for (int j = 0; j < 3; j++) {
                CU_ASSERT_EQUAL(seen.first[j], MOVED_BASE);
                CU_ASSERT_EQUAL(seen.last[j], j == 1 ? r.out + 124 : MOVED_BASE + 124);
            }
            CU_ASSERT_EQUAL(seen.first[3], r.out);
        }
        ptxrun_close(&r);
    }
}

SUITE("memory access", T(narrow_loads_extend_into_wider_registers),
      T(narrow_stores_write_their_bytes_only), T(vectors_move_consecutive_elements),
      T(the_highest_lane_wins_a_conflict), T(each_thread_has_its_own_local_memory),
      T(generic_lanes_may_lie_in_different_spaces),
      T(constants_parameters_and_dynamic_shared_memory), T(asynchronous_copies_take_effect_at_once),
      T(the_first_faulting_lane_is_named), T(hostile_addresses_end_in_an_error),
      T(bounds_of_shared_local_and_parameter_memory), T(addresses_of_32_bits_may_pass_zero),
      T(vectors_are_aligned_as_a_whole), T(constants_cannot_be_written),
      T(registers_and_shared_memory_start_at_zero),
      T(memory_that_lies_anywhere_works_and_is_timed_at_one_place))
