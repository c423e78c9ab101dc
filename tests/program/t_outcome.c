/* Records of a program's processes: what they sum up to, and that none is believed which cannot be
 * true. */
#include "program/outcome.h"

#include <math.h>
#include <string.h>

#include "tests/program/records.h"
#include "tests/suite.h"

/* Reads the records so far; returns the message, "" if they are whole. */
static const char *message(const struct records *rs)
{
    static struct err e;
    struct outcome o;
    e.msg[0] = '\0';
    outcome_read(rs->at, rs->bytes, &o, &e);
    outcome_release(&o);
    return e.msg;
}

/* Such a record, after those of a kernel, is refused with such a message. */
static bool refused(enum record_kind kind, const void *body, size_t bytes, const char *text)
{
    static struct records rs;
    rs.bytes = 0;
    records_begin(&rs);
    records_put(&rs, kind, body, bytes);
    const char *why = message(&rs);
    const bool ok = strstr(why, "damaged at byte ") && strstr(why, text);
    if (!ok)
        printf("\nnot \"%s\": %s\n", text, why);
    return ok;
}
#define REFUSED(kind, body, text) CU_ASSERT_TRUE(refused(kind, &(body), sizeof(body), text))

static void launches_are_summed_up_by_kernel_and_cluster(void)
{
    static struct records rs;
    struct outcome o;
    struct err e;
    const struct record_begin b = {0};
    records_begin(&rs);
    records_put(&rs, RECORD_BEGIN, &b, sizeof b);
    struct record_launch l = records_launch();
    for (int i = 0; i < 3; i++) {
        l.launch = i;
        l.cluster = i / 2;
        l.how = i ? HOW_REPEATED : HOW_DETAILED;
        l.looked_at = i < 2;
        l.for_run = i == 1;
        l.seconds = 1 << i;
        records_put(&rs, RECORD_LAUNCH, &l, sizeof l);
    }
    struct record_run r = records_run(2);
    records_put(&rs, RECORD_RUN, &r, sizeof r);
    const struct record_tried tried = {.cost = {.run_seconds = 3}};
    records_put(&rs, RECORD_TRIED, &tried, sizeof tried);
    CU_ASSERT_TRUE_FATAL(outcome_read(rs.at, rs.bytes, &o, &e));
    CU_ASSERT_EQUAL(o.kernels, 1);
    CU_ASSERT_EQUAL(o.launches, 3);
    CU_ASSERT_EQUAL(o.detailed, 1);
    CU_ASSERT_EQUAL(o.kernel[0].seconds, 7);
    CU_ASSERT_EQUAL(3 * o.kernel[0].one_insts, 2 * o.kernel[0].warp_insts);
    CU_ASSERT_EQUAL(o.kernel[0].cost.run_seconds, 3);
    CU_ASSERT_EQUAL(o.kernel[0].plain_seconds, 4);
    CU_ASSERT_EQUAL(3 * o.kernel[0].plain_insts, o.kernel[0].warp_insts);
    CU_ASSERT_FALSE(o.kernel[0].running);
    CU_ASSERT_EQUAL(o.kernel[0].clusters, 2);
    CU_ASSERT_EQUAL(o.kernel[0].cluster[0].launches, 2);
    /* All launches at the IPC of the one that was simulated. */
    CU_ASSERT_DOUBLE_EQUAL(outcome_cycles(&o.kernel[0], 2), 3.0 * (double)r.stats.cycles, 1e-6);
    outcome_release(&o);
}

/* The mean is over the runs, and no run but the plain one is in what a search has counted and cost.
 */
static void perturbed_runs_are_runs_of_their_own(void)
{
    static struct records rs;
    struct outcome o;
    struct err e;
    rs.bytes = 0;
    records_begin(&rs);
    struct record_launch l = records_launch();
    l.how = HOW_DETAILED;
    struct record_run r = records_run(2);
    const double cycles = (double)r.stats.cycles;
    r.host_seconds = 1;
    records_put(&rs, RECORD_RUN, &r, sizeof r);
    for (int i = 1; i <= 2; i++) {
        r.perturbation = i;
        r.stats.cycles += 300;
        r.host_seconds = 4;
        records_put(&rs, RECORD_RUN, &r, sizeof r);
    }
    records_put(&rs, RECORD_LAUNCH, &l, sizeof l);
    CU_ASSERT_TRUE_FATAL(outcome_read(rs.at, rs.bytes, &o, &e));
    const struct program_kernel *k = &o.kernel[0];
    CU_ASSERT_EQUAL(k->perturbed, 2);
    CU_ASSERT_DOUBLE_EQUAL(outcome_run_cycles(k, 0, 2), cycles, 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(outcome_run_cycles(k, 2, 2), cycles + 600, 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(outcome_cycles(k, 2), cycles + 300, 1e-6);
    CU_ASSERT_EQUAL(k->at[2].launches, 1);
    CU_ASSERT_EQUAL((double)k->at[2].stats.cycles, cycles);
    CU_ASSERT_EQUAL(k->at[2].host_seconds, 1);
    CU_ASSERT_EQUAL(k->perturbed_seconds, 8);
    outcome_release(&o);
    r.perturbation = GPU_CFG_PERTURBATIONS + 1;
    REFUSED(RECORD_RUN, r, "its perturbation is 9");
}

static void a_process_that_runs_another_program_has_kernels_of_its_own(void)
{
    static struct records rs;
    struct outcome o;
    struct err e;
    const struct record_launch l = records_launch();
    for (int i = 0; i < 2; i++) {
        records_begin(&rs);
        records_put(&rs, RECORD_LAUNCH, &l, sizeof l);
    }
    CU_ASSERT_TRUE_FATAL(outcome_read(rs.at, rs.bytes, &o, &e));
    CU_ASSERT_EQUAL(o.kernels, 2);
    CU_ASSERT_EQUAL(o.kernel[0].launches, 1);
    CU_ASSERT_EQUAL(o.kernel[1].launches, 1);
    outcome_release(&o);
}

static void the_stream_ends_with_a_record(void)
{
    static struct records rs;
    records_begin(&rs);
    const size_t whole = rs.bytes;
    CU_ASSERT_STRING_EQUAL(message(&rs), "");
    rs.bytes = whole - 1;
    CU_ASSERT_PTR_NOT_NULL(strstr(message(&rs), "damaged at byte "));
    rs.bytes = whole;
    records_put(&rs, (enum record_kind)99, "1234", 4);
    CU_ASSERT_PTR_NOT_NULL(strstr(message(&rs), "of kind 99"));
    rs.bytes = whole;
    records_put(&rs, RECORD_LAUNCH, "1234", 4);
    CU_ASSERT_PTR_NOT_NULL(strstr(message(&rs), "has 4 bytes"));
    memset(rs.at + whole, 0, sizeof(struct record_head) - 1);
    rs.bytes = whole + sizeof(struct record_head) - 1;
    CU_ASSERT_PTR_NOT_NULL(strstr(message(&rs), "too short"));
}

static void kernels_are_checked(void)
{
    static const int limits[] = {-1, 65, 0x7fffffff, (int)0x80000000};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        struct record_kernel k = records_kernel(1);
        k.n_max = limits[i];
        REFUSED(RECORD_KERNEL, k, "occupancy limit");
    }
    struct record_kernel k = records_kernel(0);
    REFUSED(RECORD_KERNEL, k, "twice");
    k = records_kernel(-1);
    REFUSED(RECORD_KERNEL, k, "number");
    k = records_kernel(1);
    memset(k.name, 'x', sizeof k.name);
    REFUSED(RECORD_KERNEL, k, "name");
    k = records_kernel(1);
    k.name[0] = '\033';
    REFUSED(RECORD_KERNEL, k, "name");
    k = records_kernel(1);
    k.block[1] = 0;
    REFUSED(RECORD_KERNEL, k, "block is 64x0x1");
    k = records_kernel(1);
    k.regs = -5;
    REFUSED(RECORD_KERNEL, k, "registers");
    k = records_kernel(1);
    k.limit = (enum occ_limit)77;
    REFUSED(RECORD_KERNEL, k, "limits it");
}

static void launches_are_checked(void)
{
    struct record_launch l = records_launch();
    l.kernel = 7;
    REFUSED(RECORD_LAUNCH, l, "no kernel 7");
    static const int clusters[] = {-2, 1, 1 << 30};
    for (size_t i = 0; i < sizeof clusters / sizeof *clusters; i++) {
        l = records_launch();
        l.cluster = clusters[i];
        REFUSED(RECORD_LAUNCH, l, "group");
    }
    l = records_launch();
    l.how = (enum launch_how)9;
    REFUSED(RECORD_LAUNCH, l, "way 9");
    l = records_launch();
    l.grid[0] = -1;
    REFUSED(RECORD_LAUNCH, l, "grid");
    l = records_launch();
    l.warp_insts = UINT64_MAX;
    REFUSED(RECORD_LAUNCH, l, "out of range");
    static const double times[] = {-1, NAN, INFINITY};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        l = records_launch();
        l.seconds = times[i];
        REFUSED(RECORD_LAUNCH, l, "out of range");
    }
    static const size_t bools[] = {offsetof(struct record_launch, looked_at),
                                   offsetof(struct record_launch, known),
                                   offsetof(struct record_launch, for_run)};
    for (size_t i = 0; i < sizeof bools / sizeof *bools; i++) {
        l = records_launch();
        memset((char *)&l + bools[i], 2, 1);
        REFUSED(RECORD_LAUNCH, l, "neither");
    }
}

static void simulations_are_checked(void)
{
    static const int degrees[] = {-1, 0, RECORDS_N_MAX + 1, 0x7fffffff};
    for (size_t i = 0; i < sizeof degrees / sizeof *degrees; i++) {
        struct record_run r = records_run(degrees[i]);
        REFUSED(RECORD_RUN, r, "n is ");
        struct record_sample s = records_sample();
        s.runs = (struct sample_runs){.count = 1, .n = {degrees[i]}, .ipc = {1}};
        REFUSED(RECORD_SAMPLE, s, "n is ");
    }
    struct record_run r = records_run(1);
    r.cluster = -1;
    REFUSED(RECORD_RUN, r, "group");
    r = records_run(1);
    r.stats.dram_reads = UINT64_MAX / 2;
    REFUSED(RECORD_RUN, r, "out of range");
}

static void samples_are_checked(void)
{
    struct record_sample s = records_sample();
    s.sample.n_max = 1e300;
    REFUSED(RECORD_SAMPLE, s, "n_max is out of range");
    struct record_tried tried = {.cost = {.run_seconds = NAN}};
    REFUSED(RECORD_TRIED, tried, "out of range");
    tried = (struct record_tried){.kernel = 7};
    REFUSED(RECORD_TRIED, tried, "no kernel 7");
    s = records_sample();
    s.sample.n_max = RECORDS_N_MAX - 1;
    REFUSED(RECORD_SAMPLE, s, "occupancy limit");
    s = records_sample();
    s.sample.mf_latency = NAN;
    REFUSED(RECORD_SAMPLE, s, "mf_latency");
    s = records_sample();
    s.sample.pilot_cycles[63] = -1;
    REFUSED(RECORD_SAMPLE, s, "pilot_cycles");
    s = records_sample();
    s.sample.pilot_bound[0] = BOUND_COUNT;
    REFUSED(RECORD_SAMPLE, s, "pilot_bound");
    s = records_sample();
    s.sample.fewest_ctas = RECORDS_N_MAX + 1;
    REFUSED(RECORD_SAMPLE, s, "CTAs at once");
    s = records_sample();
    s.sample.cores = 0;
    REFUSED(RECORD_SAMPLE, s, "cores");
    s = records_sample();
    s.runs.count = RECORD_RUNS + 1;
    REFUSED(RECORD_SAMPLE, s, "whole simulations");
    s = records_sample();
    s.cost.window_seconds = NAN;
    REFUSED(RECORD_SAMPLE, s, "out of range");
}

static void texts_end(void)
{
    struct record_fault f = {.kernel = -1, .launch = -1};
    f.why = (enum failed_why)3;
    REFUSED(RECORD_FAULT, f, "reason 3");
    f = (struct record_fault){.kernel = 5};
    REFUSED(RECORD_FAULT, f, "no kernel 5");
    f = (struct record_fault){.kernel = -1, .launch = -1};
    memset(f.text, 'x', sizeof f.text);
    REFUSED(RECORD_FAULT, f, "text");
    struct record_trace t = {.launches = 1};
    memset(t.why, 'x', sizeof t.why);
    REFUSED(RECORD_TRACE, t, "text");
}

static void launches_that_did_not_end_are_told(void)
{
    static struct records rs;
    struct outcome o;
    struct err e;
    const struct record_begin b = {.launch = 4};
    const struct record_fault f = {.launch = 4, .why = FAILED_ABANDONED, .text = "late"};
    records_begin(&rs);
    records_put(&rs, RECORD_BEGIN, &b, sizeof b);
    CU_ASSERT_TRUE_FATAL(outcome_read(rs.at, rs.bytes, &o, &e));
    CU_ASSERT_TRUE(o.kernel[0].running);
    CU_ASSERT_EQUAL(o.last_launch, 4);
    outcome_release(&o);
    records_put(&rs, RECORD_FAULT, &f, sizeof f);
    CU_ASSERT_TRUE_FATAL(outcome_read(rs.at, rs.bytes, &o, &e));
    CU_ASSERT_FALSE(o.kernel[0].running);
    CU_ASSERT_EQUAL(o.kernel[0].abandoned, 1);
    CU_ASSERT_STRING_EQUAL(o.kernel[0].why, "late");
    outcome_release(&o);
}

static void rejected_launches_are_counted_by_kernel_and_reason(void)
{
    static struct records rs;
    struct outcome o;
    struct err e;
    struct record_rejection x = {.kernel = "k", .reason = "grid 0x1x1"};
    struct record_rejected r = {0};
    records_begin(&rs);
    REFUSED(RECORD_REJECTED, r, "0 of 0");
    records_put(&rs, RECORD_REJECTION, &x, sizeof x);
    records_put(&rs, RECORD_REJECTED, &r, sizeof r);
    records_put(&rs, RECORD_REJECTED, &r, sizeof r);
    CU_ASSERT_TRUE_FATAL(outcome_read(rs.at, rs.bytes, &o, &e));
    CU_ASSERT_EQUAL(o.rejections, 1);
    CU_ASSERT_EQUAL(o.rejection[0].launches, 2);
    CU_ASSERT_STRING_EQUAL(o.rejection[0].reason, "grid 0x1x1");
    outcome_release(&o);
    x.rejection = 3;
    REFUSED(RECORD_REJECTION, x, "number is 3");
}

static void instructions_are_counted(void)
{
    static struct records rs;
    struct outcome o;
    struct err e;
    struct record_code code = {.insts = 2, .module = "m.ptx"};
    struct record_inst in = {.inst = 1, .ptx = 7, .text = "ret;", .source = "a.cu:3"};
    struct record_hot hot = {.inst = 1, .counts = {.issued = 3, .cycles[CAUSE_MEM_DEP] = 5}};
    REFUSED(RECORD_INST, in, "1 of 0");
    REFUSED(RECORD_HOT, hot, "1 of 0");
    records_begin(&rs);
    records_put(&rs, RECORD_CODE, &code, sizeof code);
    records_put(&rs, RECORD_INST, &in, sizeof in);
    records_put(&rs, RECORD_HOT, &hot, sizeof hot);
    records_put(&rs, RECORD_HOT, &hot, sizeof hot);
    CU_ASSERT_TRUE_FATAL(outcome_read(rs.at, rs.bytes, &o, &e));
    const struct program_code *c = &o.kernel[0].code;
    CU_ASSERT_EQUAL_FATAL(c->insts, 2);
    CU_ASSERT_STRING_EQUAL(c->module, "m.ptx");
    CU_ASSERT_STRING_EQUAL(c->inst[1].source, "a.cu:3");
    CU_ASSERT_EQUAL(c->inst[1].ptx, 7);
    CU_ASSERT_EQUAL(c->inst[1].counts.issued, 6);
    CU_ASSERT_EQUAL(c->inst[1].counts.cycles[CAUSE_MEM_DEP], 10);
    CU_ASSERT_PTR_NULL(c->inst[0].text);
    outcome_release(&o);
}

static void instructions_are_checked(void)
{
    static struct records rs;
    struct record_code code = {.insts = RECORD_INSTS + 1};
    REFUSED(RECORD_CODE, code, "instructions, not 1 to");
    code.insts = 0;
    REFUSED(RECORD_CODE, code, "0 instructions");
    code.insts = 2;
    memset(code.module, 'x', sizeof code.module);
    REFUSED(RECORD_CODE, code, "module's name");
    code.module[0] = '\0';
    records_begin(&rs);
    records_put(&rs, RECORD_CODE, &code, sizeof code);
    const size_t whole = rs.bytes;
    struct record_hot hot = {.inst = 2};
    records_put(&rs, RECORD_HOT, &hot, sizeof hot);
    CU_ASSERT_PTR_NOT_NULL(strstr(message(&rs), "2 of 2"));
    rs.bytes = whole;
    hot = (struct record_hot){.counts.l1d_misses = UINT64_MAX};
    records_put(&rs, RECORD_HOT, &hot, sizeof hot);
    CU_ASSERT_PTR_NOT_NULL(strstr(message(&rs), "out of range"));
    rs.bytes = whole;
    struct record_inst in = {.ptx = -1};
    records_put(&rs, RECORD_INST, &in, sizeof in);
    CU_ASSERT_PTR_NOT_NULL(strstr(message(&rs), "its line or a text"));
    rs.bytes = whole;
    records_put(&rs, RECORD_CODE, &code, sizeof code);
    CU_ASSERT_PTR_NOT_NULL(strstr(message(&rs), "there twice"));
}

/* The second record of a race has what was found since, too. */
static void races_are_kept_and_checked(void)
{
    static struct records rs;
    struct outcome o;
    struct err e;
    struct record_race race = {.kernel = "k",
                               .module = "m.ptx",
                               .side = {{.ptx = 7, .kind = RACE_WRITE, .text = "st.shared.u32"},
                                        {.ptx = 9, .kind = RACE_READ, .source = "a.cu:3"}},
                               .count = 3};
    records_begin(&rs);
    records_put(&rs, RECORD_RACE, &race, sizeof race);
    race.count = 5;
    records_put(&rs, RECORD_RACE, &race, sizeof race);
    race.race = 1;
    records_put(&rs, RECORD_RACE, &race, sizeof race);
    CU_ASSERT_TRUE_FATAL(outcome_read(rs.at, rs.bytes, &o, &e));
    CU_ASSERT_EQUAL_FATAL(o.races, 2);
    CU_ASSERT_EQUAL(o.race[0].count, 5);
    CU_ASSERT_STRING_EQUAL(o.race[0].side[0].text, "st.shared.u32");
    CU_ASSERT_PTR_NULL(o.race[0].side[0].source);
    CU_ASSERT_STRING_EQUAL(o.race[1].side[1].source, "a.cu:3");
    outcome_release(&o);
    REFUSED(RECORD_RACE, race, "number is 1, not 0 to 0");
    race.race = 0;
    race.cta[2] = -1;
    REFUSED(RECORD_RACE, race, "CTA is -1");
    race.cta[2] = 0;
    race.count = UINT64_MAX;
    REFUSED(RECORD_RACE, race, "out of range");
    race.count = 1;
    race.side[1].kind = 16;
    REFUSED(RECORD_RACE, race, "a line, a thread or a text");
    memset(race.kernel, 'x', sizeof race.kernel);
    REFUSED(RECORD_RACE, race, "a text of it");
}

SUITE("records of a program", T(launches_are_summed_up_by_kernel_and_cluster),
      T(perturbed_runs_are_runs_of_their_own),
      T(a_process_that_runs_another_program_has_kernels_of_its_own),
      T(the_stream_ends_with_a_record), T(kernels_are_checked), T(launches_are_checked),
      T(simulations_are_checked), T(samples_are_checked), T(texts_end),
      T(launches_that_did_not_end_are_told), T(rejected_launches_are_counted_by_kernel_and_reason),
      T(instructions_are_counted), T(instructions_are_checked), T(races_are_kept_and_checked))
