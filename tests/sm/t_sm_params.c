/* Every parameter of a core that moves cycles, changed alone: what it costs before and after, with
 * the reason in the row's comment. What a dependent instruction costs is derived in t_timing.c:
 * latency + 6, one more for each further register operand. Sixteen warps of independent
 * instructions run at two a cycle (two schedulers, two ports, two SP units, two buses), so a row of
 * one from each takes 8 cycles. */
#include "tests/sm/loops.h"

struct settings { /* "a=1 b=2" cut up */
    char text[256];
    const char *list[16];
};

static const char *const *cut(struct settings *s, const char *base, const char *more)
{
    int n = 0;
    char *save = NULL;
    snprintf(s->text, sizeof s->text, "%s %s", base, more);
    for (char *p = strtok_r(s->text, " ", &save); p; p = strtok_r(NULL, " ", &save))
        s->list[n++] = p;
    s->list[n] = NULL;
    return s->list;
}

/* ---- Latency and initiation interval, class by class ---- */
static const struct op_row {
    const char *op, *setup, *inst; /* @: one of eight registers */
    int latency, interval;         /* of the default GPU */
    int operands;                  /* registers read */
} ops[] = {
    {"other", INTS, "shl.b32 %r@, %r@, 1;", 1, 1, 1},
    {"int_add", INTS, "add.s32 %r@, %r@, 1;", 4, 1, 1},
    {"int_max", INTS, "max.s32 %r@, %r@, 5;", 13, 2, 1},
    {"int_mul", INTS, "mul.lo.s32 %r@, %r@, 3;", 4, 2, 1},
    {"int_mad", INTS, "mad.lo.s32 %r@, %r@, 3, 5;", 5, 1, 1},
    {"int_div", INTS, "div.s32 %r@, %r@, 3;", 145, 8, 1},
    {"int_rem", INTS, "rem.s32 %r@, %r@, 3;", 1, 1, 1},
    {"fp_add", FLOATS, "add.f32 %f@, %f@, 0f3F800000;", 4, 1, 1},
    {"fp_max", FLOATS, "max.f32 %f@, %f@, 0f3F800000;", 13, 2, 1},
    {"fp_mul", FLOATS, "mul.f32 %f@, %f@, 0f3F800000;", 4, 1, 1},
    {"fp_mad", FLOATS, "mad.rn.f32 %f@, %f@, 0f3F800000, 0f3F800000;", 5, 1, 1},
    {"fp_fma", FLOATS, "fma.rn.f32 %f@, %f@, 0f3F800000, 0f3F800000;", 1, 1, 1},
    {"fp_div", FLOATS, "div.rn.f32 %f@, %f@, 0f40000000;", 39, 4, 1},
    {"dp_add", DOUBLES, "add.f64 %fd@, %fd@, 0d3FF0000000000000;", 8, 8, 1},
    {"dp_max", DOUBLES, "max.f64 %fd@, %fd@, 0d3FF0000000000000;", 19, 16, 1},
    {"dp_mul", DOUBLES, "mul.f64 %fd@, %fd@, 0d3FF0000000000000;", 8, 8, 1},
    {"dp_mad", DOUBLES, "mad.rn.f64 %fd@, %fd@, 0d3FF0000000000000, 0d3FF0000000000000;", 8, 8, 1},
    {"dp_fma", DOUBLES, "fma.rn.f64 %fd@, %fd@, 0d3FF0000000000000, 0d3FF0000000000000;", 1, 1, 1},
    {"dp_div", DOUBLES, "div.rn.f64 %fd@, %fd@, 0d3FF0000000000000;", 330, 130, 1},
    {"sfu", FLOATS, "sin.approx.f32 %f@, %f@;", 8, 8, 1},
};

static double one_register(const char *const *set, const struct op_row *o)
{
    char text[128];
    snprintf(text, sizeof text, "%s", o->inst);
    for (char *c = text; *c; c++)
        *c = *c == '@' ? '1' : *c;
    return cycles_each(set, o->setup, (const char *const[]){text, NULL});
}

static void a_class_takes_its_latency(void)
{
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        struct settings s;
        char longer[64];
        snprintf(longer, sizeof longer, "latency.%s=%d", ops[i].op, ops[i].latency + 10);
        near(one_register(NULL, &ops[i]), ops[i].latency + 5 + ops[i].operands);
        near(one_register(cut(&s, "", longer), &ops[i]), ops[i].latency + 15 + ops[i].operands);
    }
}

/* One SP unit, and intervals long enough for the unit to be what limits. One warp leaves room on
 * the SP side, so what either side could do stays there. */
static void a_class_holds_its_unit_for_its_interval(void)
{
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        struct settings s;
        char longer[128];
        const int interval = ops[i].interval > 8 ? ops[i].interval + 30 : 30;
        const int latency = ops[i].latency > 40 ? ops[i].latency : 40;
        snprintf(longer, sizeof longer, "latency.%s=%d interval.%s=%d", ops[i].op, latency,
                 ops[i].op, interval);
        const double got =
            row_of_eight_on(cut(&s, "sp_units=1", longer), ops[i].setup, ops[i].inst, 1);
        near(got, interval);
    }
}

/* ---- Widths ---- */
#define MOV  "mov.u32 %r@, 7;"
#define MAD  "mad.lo.s32 %r@, 2, 3, 5;"
#define SINE "sin.approx.f32 %f@, %f@;"
#define DADD "add.f64 %fd@, 0d3FF0000000000000, 0d3FF0000000000000;"
/* A DP side as wide as the SP side, pipelined. */
#define DP                                                                                    \
    "dp_units=2 interval.dp_add=1 collector.dp_in=2 collector.dp_out=2 collector.issue_dp=2 " \
    "collector.exec_dp=2"
/* An SFU as wide as the SP side. */
#define WIDE                                                                    \
    "sfu_units=2 collector.sfu_in=2 collector.sfu_out=2 collector.issue_sfu=2 " \
    "collector.exec_sfu=2"

static const struct width_row {
    const char *base, *set, *setup, *inst;
    int warps;
    double before, after;
} widths[] = {
    {"", "schedulers=1", "", MOV, 16, 8, 16}, /* one instruction a cycle */
    {"", "sp_units=1", "", MOV, 16, 8, 16},
    {"", "result_buses=1", "", MOV, 16, 8, 16},
    {"", "collector.sp_in=1", "", MOV, 16, 8, 16},
    {"", "collector.sp_out=1", "", MOV, 16, 8, 16},
    {"", "collector.issue_sp=1", "", MOV, 16, 8, 16},
    {"", "collector.exec_sp=1", "", MOV, 16, 8, 16},
    /* nothing to read: it leaves in the cycle after it came, and the next one comes then */
    {"", "collector.sp_units=1", "", MOV, 16, 8, 16},
    {"", "sfu_units=2", FLOATS, SINE, 4, 32, 16}, /* interval 8 */
    {WIDE, "sfu_units=1", "", MAD, 16, 8, 16},
    {WIDE, "collector.sfu_in=1", "", MAD, 16, 8, 16},
    {WIDE, "collector.sfu_out=1", "", MAD, 16, 8, 16},
    {WIDE, "collector.issue_sfu=1", "", MAD, 16, 8, 16},
    {WIDE, "collector.exec_sfu=1", "", MAD, 16, 8, 16},
    {WIDE, "collector.sfu_units=1", "", MAD, 16, 8, 16},
    /* interval 8: two SP units, one DP unit, three */
    {"", "dp_units=1", "", DADD, 4, 16, 32},
    {"collector.dp_in=3 collector.dp_out=3 collector.issue_dp=3 collector.exec_dp=3", "dp_units=4",
     "", DADD, 4, 16, 8},
    {DP, "dp_units=1 interval.dp_add=1", "", DADD, 16, 8, 16},
    {DP, "collector.dp_in=1", "", DADD, 16, 8, 16},
    {DP, "collector.dp_out=1", "", DADD, 16, 8, 16},
    {DP, "collector.issue_dp=1", "", DADD, 16, 8, 16},
    {DP, "collector.exec_dp=1", "", DADD, 16, 8, 16},
    {DP, "collector.dp_units=1", "", DADD, 16, 8, 16},
    /* registers 24 and 40 share bank 8 of 16, not of 32: 16 reads and a result of it in eight
     * instructions; then fetch limits */
    {"", "reg_banks=32", FLOATS, "fma.rn.f32 %f@, %f40, %f24, 0f3F800000;", 1, 17 / 8.0, 1.5},
    {"", "simd_width=16", "", MOV, 16, 8, 16}, /* two passes of each unit */
};

/* Sixteen warps do not end together, which blurs a difference of few cycles: 5 %. One warp: exact.
 */
static void check(const char *set, double got, double want, int warps)
{
    const double slack = warps > 1 ? 0.05 * want : 0.011;
    if (got < want - slack || got > want + slack)
        fprintf(stderr, "  %s: %.3f, want %.3f\n", set, got, want);
    CU_ASSERT_DOUBLE_EQUAL(got, want, slack);
}

static void a_width_limits_what_passes_a_cycle(void)
{
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        const struct width_row *w = &widths[i];
        struct settings s;
        check(w->base, row_of_eight_on(cut(&s, w->base, ""), w->setup, w->inst, w->warps),
              w->before, w->warps);
        check(w->set, row_of_eight_on(cut(&s, w->base, w->set), w->setup, w->inst, w->warps),
              w->after, w->warps);
    }
}

SUITE("core parameters", T(a_class_takes_its_latency), T(a_class_holds_its_unit_for_its_interval),
      T(a_width_limits_what_passes_a_cycle))
