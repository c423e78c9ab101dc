/* shfl, vote, match, redux, elect, activemask against a reference that looks at one lane. */
#include "tests/func/ptxrun.h"

/* With and without .sync. */
#define OLD ".version 6.3\n.target sm_70\n.address_size 64\n"

static uint32_t value(uint32_t lane)
{
    return lane * 2654435761u + 12345;
}
#define VALUE        "mad.lo.u32 %r2, %r1, 2654435761, 12345;\n"
#define VALUE_FORMAT "mad.lo.u32 %%r2, %%r1, 2654435761, 12345;\n"

/* PTX ISA, shfl, written for one lane; returns the source lane. */
static uint32_t shfl_lane(char mode, uint32_t lane, uint32_t b, uint32_t c, bool *p)
{
    uint32_t seg = c >> 8 & 31, clamp = c & 31;
    uint32_t most = (lane & seg) | (clamp & ~seg), least = lane & seg;
    int64_t j;
    switch (mode) {
    case 'u':
        j = (int64_t)lane - b;
        *p = j >= most;
        break;
    case 'd':
        j = (int64_t)lane + b;
        *p = j <= most;
        break;
    case 'b':
        j = lane ^ b;
        *p = j <= most;
        break;
    default:
        j = least | (b & ~seg);
        *p = j <= most;
        break;
    }
    return *p ? (uint32_t)j : lane;
}

static void shfl_in_every_mode_and_segment(void)
{
    static const struct {
        const char *name;
        char mode;
    } modes[] = {{"up", 'u'}, {"down", 'd'}, {"bfly", 'b'}, {"idx", 'i'}};
    static const uint32_t cs[] = {0x1f, 0, 0x181f, 0x1800, 0x1c1f, 0x1c03, 0x1007};
    for (size_t k = 0; k < 4; k++)
        for (size_t n = 0; n < sizeof cs / sizeof *cs; n++)
            for (uint32_t b = 0; b < 32; b += 3) {
                struct ptxrun r;
                char text[2000], body[1000];
                snprintf(body, sizeof body,
                         VALUE_FORMAT
                         "shfl.sync.%s.b32 %%r3|%%p1, %%r2, %u, %u, -1;\n"
                         "shfl.%s.b32 %%r5, %%r2, %u, %u; selp.u32 %%r4, 1, 0, %%p1;\n"
                         "st.global.u32 [%%rd3+256], %%r4; st.global.u32 [%%rd3], %%r3;\n"
                         "st.global.u32 [%%rd3+512], %%r5;",
                         modes[k].name, b, cs[n], modes[k].name, b, cs[n]);
                snprintf(text, sizeof text, "%s%s%s", OLD KERNEL_HEAD, body, KERNEL_TAIL);
                ptxrun_ok(&r, text, 32);
                unsigned wrong = 0;
                for (uint32_t i = 0; i < 32; i++) {
                    bool p;
                    uint32_t j = shfl_lane(modes[k].mode, i, b, cs[n], &p);
                    wrong += ptxrun_u32(&r, i) != value(j) || ptxrun_u32(&r, 64 + i) != p ||
                             ptxrun_u32(&r, 128 + i) != value(j);
                }
                CU_ASSERT_EQUAL(wrong, 0);
                ptxrun_close(&r);
            }
}

static void shfl_operands_from_registers_differ_by_lane(void)
{
    struct ptxrun r;
    ptxrun_ok(&r,
              HEADER KERNEL(VALUE "xor.b32 %r3, %r1, 21; shfl.sync.idx.b32 %r4, %r2, %r3, 31, -1;\n"
                                  "st.global.u32 [%rd3], %r4;"),
              32);
    for (uint32_t i = 0; i < 32; i++)
        CU_ASSERT_EQUAL(ptxrun_u32(&r, i), value(i ^ 21));
    ptxrun_close(&r);
}

/* Lanes 0 to 7 read lane + 4, which for four of them has left; register r2 is lane + 1 in all. */
static void shfl_from_lanes_that_left(void)
{
    struct ptxrun r;
    ptxrun_ok(&r,
              HEADER KERNEL("add.u32 %r2, %r1, 1; setp.ge.u32 %p1, %r1, 8; @%p1 bra E;\n"
                            "shfl.sync.down.b32 %r3, %r2, 4, 31, 0xff;\n"
                            "shfl.sync.down.b32 %r4, %r2, 4, 31, 0;\n"
                            "shfl.sync.down.b32 %r5, %r2, 4, 31, -1;\n"
                            "st.global.u32 [%rd3], %r3; st.global.u32 [%rd3+128], %r4;\n"
                            "st.global.u32 [%rd3+256], %r5;\n"
                            "E:"),
              32);
    for (uint32_t i = 0; i < 8; i++) {
        CU_ASSERT_EQUAL(ptxrun_u32(&r, i), i < 4 ? i + 5 : 0);
        CU_ASSERT_EQUAL(ptxrun_u32(&r, 32 + i), i < 4 ? i + 5 : 0);
        CU_ASSERT_EQUAL(ptxrun_u32(&r, 64 + i), i + 5);
    }
    ptxrun_close(&r);
}

/* Odd lanes only; member masks that leave some of them out. */
static void votes_count_active_members(void)
{
    struct ptxrun r;
    ptxrun_ok(&r,
              OLD KERNEL("and.b32 %r2, %r1, 1; setp.eq.u32 %p1, %r2, 0; @%p1 bra E;\n"
                         "setp.lt.u32 %p2, %r1, 16; mov.u32 %r9, 0xff;\n"
                         "vote.sync.ballot.b32 %r3, %p2, -1; vote.ballot.b32 %r4, !%p2;\n"
                         "vote.sync.ballot.b32 %r5, %p2, %r9; activemask.b32 %r6;\n"
                         "vote.sync.all.pred %p3, %p2, %r9; vote.sync.all.pred %p4, %p2, -1;\n"
                         "vote.sync.any.pred %p5, %p2, -1; vote.sync.uni.pred %p6, %p2, -1;\n"
                         "vote.all.pred %p7, !%p2; vote.sync.uni.pred %p8, %p2, %r9;\n"
                         "selp.u32 %r10, 1, 0, %p3; selp.u32 %r11, 2, 0, %p4; or.b32 %r10, "
                         "%r10, %r11;\n"
                         "selp.u32 %r11, 4, 0, %p5; or.b32 %r10, %r10, %r11; selp.u32 %r11, 8, "
                         "0, %p6;\n"
                         "or.b32 %r10, %r10, %r11; selp.u32 %r11, 16, 0, %p7; or.b32 %r10, "
                         "%r10, %r11;\n"
                         "selp.u32 %r11, 32, 0, %p8; or.b32 %r10, %r10, %r11;\n"
                         "st.global.u32 [%rd3], %r3; st.global.u32 [%rd3+128], %r4;\n"
                         "st.global.u32 [%rd3+256], %r5; st.global.u32 [%rd3+384], %r6;\n"
                         "st.global.u32 [%rd3+512], %r10;\n"
                         "E:"),
              32);
    for (uint32_t i = 1; i < 32; i += 2) {
        CU_ASSERT_EQUAL(ptxrun_u32(&r, i), 0xaaaa);
        CU_ASSERT_EQUAL(ptxrun_u32(&r, 32 + i), 0xaaaa0000);
        CU_ASSERT_EQUAL(ptxrun_u32(&r, 64 + i), 0xaa);
        CU_ASSERT_EQUAL(ptxrun_u32(&r, 96 + i), 0xaaaaaaaa);
        CU_ASSERT_EQUAL(ptxrun_u32(&r, 128 + i), 1 + 4 + 32);
    }
    CU_ASSERT_EQUAL(ptxrun_u32(&r, 0), 0);
    ptxrun_close(&r);
}

static void match_finds_equal_lanes(void)
{
    struct ptxrun r;
    ptxrun_ok(&r,
              HEADER KERNEL("rem.u32 %r2, %r1, 5; cvt.u64.u32 %rd5, %r2; shl.b64 %rd5, %rd5, 40;\n"
                            "match.any.sync.b32 %r3, %r2, -1; match.any.sync.b64 %r4, %rd5, -1;\n"
                            "match.all.sync.b32 %r5|%p1, %r2, -1; mov.u32 %r6, 9;\n"
                            "match.all.sync.b32 %r7|%p2, %r6, -1;\n"
                            "selp.u32 %r8, 1, 0, %p1; selp.u32 %r9, 2, 0, %p2; or.b32 %r8, %r8, "
                            "%r9;\n"
                            "st.global.u32 [%rd3], %r3; st.global.u32 [%rd3+128], %r4;\n"
                            "st.global.u32 [%rd3+256], %r5; st.global.u32 [%rd3+384], %r7;\n"
                            "st.global.u32 [%rd3+512], %r8;"),
              32);
    for (uint32_t i = 0; i < 32; i++) {
        uint32_t same = 0;
        for (uint32_t j = i % 5; j < 32; j += 5)
            same |= 1u << j;
        CU_ASSERT_EQUAL(ptxrun_u32(&r, i), same);
        CU_ASSERT_EQUAL(ptxrun_u32(&r, 32 + i), same);
        CU_ASSERT_EQUAL(ptxrun_u32(&r, 64 + i), 0);
        CU_ASSERT_EQUAL(ptxrun_u32(&r, 96 + i), UINT32_MAX);
        CU_ASSERT_EQUAL(ptxrun_u32(&r, 128 + i), 2);
    }
    ptxrun_close(&r);
}

static void redux_reduces_over_the_members(void)
{
    static const struct {
        const char *op;
        uint32_t expect; /* of lane - 8 over lanes 4..27 */
    } cases[] = {{"add.u32", 24 * 7 + 12}, {"min.s32", (uint32_t)-4}, {"max.s32", 19},
                 {"min.u32", 0},           {"max.u32", UINT32_MAX},   {"and.b32", 0},
                 {"or.b32", UINT32_MAX},   {"add.s32", 24 * 7 + 12}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct ptxrun r;
        char text[1500], body[300];
        snprintf(body, sizeof body,
                 "add.s32 %%r2, %%r1, -8; redux.sync.%s %%r3, %%r2, 0x0ffffff0;\n"
                 "st.global.u32 [%%rd3], %%r3;",
                 cases[k].op);
        KERNEL_TEXT(text, body);
        ptxrun_ok(&r, text, 32);
        CU_ASSERT_EQUAL(ptxrun_u32(&r, 4), cases[k].expect);
        CU_ASSERT_EQUAL(ptxrun_u32(&r, 27), cases[k].expect);
        ptxrun_close(&r);
    }
}

static void the_lowest_member_is_elected(void)
{
    struct ptxrun r;
    ptxrun_ok(&r,
              HEADER KERNEL("setp.lt.u32 %p2, %r1, 6; @%p2 bra E; elect.sync %r2|%p1, -1;\n"
                            "selp.u32 %r3, 100, 0, %p1; add.u32 %r3, %r3, %r2; st.global.u32 "
                            "[%rd3], %r3;\n"
                            "E:"),
              32);
    CU_ASSERT_EQUAL(ptxrun_u32(&r, 6), 106);
    CU_ASSERT_EQUAL(ptxrun_u32(&r, 7), 6);
    ptxrun_close(&r);
}

SUITE("cross-lane", T(shfl_in_every_mode_and_segment),
      T(shfl_operands_from_registers_differ_by_lane), T(shfl_from_lanes_that_left),
      T(votes_count_active_members), T(match_finds_equal_lanes), T(redux_reduces_over_the_members),
      T(the_lowest_member_is_elected))
