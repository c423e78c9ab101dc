/* Exact cycles of the crossbar. Cycle k is the k-th tick after the push. */
#include "sim/icnt/icnt.h"

#include "tests/suite.h"

#define X icnt_xbar

static struct icnt_cfg cfg;
static void *n;
static struct mem_req p[256];

static void setup(int inputs, int outputs)
{
    params_default(icnt_cfg_groups, &cfg);
    n = X.create(&cfg, inputs, outputs);
    for (int i = 0; i < 256; i++)
        p[i] = (struct mem_req){.token = i};
}

static void teardown(void)
{
    X.destroy(n);
}

static void push(int k, int input, int output, uint16_t flits)
{
    p[k].flits = flits;
    CU_ASSERT_TRUE_FATAL(X.can_push(n, input, flits));
    X.push(n, input, output, &p[k]);
}

static void ticks(int k)
{
    while (k--)
        X.tick(n);
}

/* Number of the packet that comes out, or -1. */
static int pop(int output)
{
    const struct mem_req *r = X.pop(n, output);
    return r ? r->token : -1;
}

static uint64_t latency(void)
{
    struct icnt_stats s;
    X.stats(n, &s);
    return s.latency_sum;
}

static void one_flit_takes_one_cycle(void)
{
    setup(2, 2);
    push(0, 0, 1, 1);
    CU_ASSERT_EQUAL(pop(1), -1);
    ticks(1);
    CU_ASSERT_EQUAL(pop(1), 0);
    CU_ASSERT_EQUAL(latency(), 1);
    CU_ASSERT_TRUE(X.idle(n));
    teardown();
}

static void five_flits_take_five(void)
{
    setup(2, 2);
    push(0, 0, 1, 5);
    ticks(4);
    CU_ASSERT_EQUAL(pop(1), -1);
    ticks(1);
    CU_ASSERT_EQUAL(pop(1), 0);
    CU_ASSERT_EQUAL(latency(), 5);
    teardown();
}

/* Back to back from one input: no bubble between packets, even to different outputs. */
static void an_input_sends_a_flit_every_cycle(void)
{
    setup(1, 2);
    push(0, 0, 0, 3);
    push(1, 0, 1, 2);
    push(2, 0, 0, 1);
    ticks(3);
    CU_ASSERT_EQUAL(pop(0), 0);
    ticks(2);
    CU_ASSERT_EQUAL(pop(1), 1);
    ticks(1);
    CU_ASSERT_EQUAL(pop(0), 2);
    CU_ASSERT_EQUAL(latency(), 3 + 5 + 6);
    teardown();
}

/* Two packets of 5 for one output: the second waits for the tail of the first (wormhole). */
static void a_packet_holds_its_output_until_its_tail(void)
{
    setup(2, 1);
    push(0, 0, 0, 5);
    push(1, 1, 0, 5);
    ticks(5);
    CU_ASSERT_EQUAL(pop(0), 0);
    CU_ASSERT_EQUAL(pop(0), -1);
    ticks(4);
    CU_ASSERT_EQUAL(pop(0), -1);
    ticks(1);
    CU_ASSERT_EQUAL(pop(0), 1);
    teardown();
}

static void the_first_packet_holds_up_those_behind_it(void)
{
    setup(2, 2);
    push(0, 0, 0, 5);
    push(1, 1, 0, 1); /* waits for output 0 ... */
    push(2, 1, 1, 1); /* ... and this one, for a free output, waits behind it */
    ticks(5);
    CU_ASSERT_EQUAL(pop(1), -1);
    ticks(2);
    CU_ASSERT_EQUAL(pop(1), 2);
    teardown();
}

/* Rotating pointer: after a grant to input i the search starts at i + 1. */
static void grants_rotate(void)
{
    setup(4, 1);
    static const int inputs[] = {2, 0, 3, 1};
    for (int round = 0; round < 2; round++)
        for (int k = 0; k < 4; k++)
            push(round * 4 + inputs[k], inputs[k], 0, 1);
    for (int k = 0; k < 8; k++) { /* 0 1 2 3, then the second packets in the same order */
        ticks(1);
        CU_ASSERT_EQUAL(pop(0), k);
    }
    push(9, 1, 0, 1); /* the pointer is at 0 again: 1 before 3; then it is at 2 */
    push(10, 3, 0, 1);
    ticks(1);
    CU_ASSERT_EQUAL(pop(0), 9);
    push(11, 0, 0, 1);
    ticks(1);
    CU_ASSERT_EQUAL(pop(0), 10);
    ticks(1);
    CU_ASSERT_EQUAL(pop(0), 11);
    teardown();
}

static void grants_rotate_across_words_of_the_mask(void)
{
    setup(150, 1);
    for (int i = 149; i >= 0; i--)
        push(i, i, 0, 1);
    for (int i = 0; i < 150; i++) {
        ticks(1);
        CU_ASSERT_EQUAL(pop(0), i);
    }
    teardown();
}

/* Nobody takes packets of 5 flits: 16 flits in the boundary buffer, 8 in the ejection buffer, 8 in
 * the VC, 9 in the injection buffer; then can_push says no. */
static void buffers_hold_what_they_say(void)
{
    setup(1, 1);
    int pushed = 0;
    for (int k = 0; k < 200; k++) {
        if (X.can_push(n, 0, 1))
            push(pushed++, 0, 0, 1);
        ticks(1);
    }
    CU_ASSERT_EQUAL(pushed, 16 + 8 + 8 + 9);
    CU_ASSERT_FALSE(X.tick(n)); /* stuck */
    CU_ASSERT_EQUAL(pop(0), 0);
    CU_ASSERT_TRUE(X.tick(n));
    for (int k = 1; k < pushed; k++) {
        CU_ASSERT_EQUAL(pop(0), k);
        ticks(1);
    }
    CU_ASSERT_TRUE(X.idle(n));
    teardown();
}

/* Packets of 5 flits that nobody takes: 16 flits in the boundary buffer (three packets and a flit
 * of the fourth), 8 in the ejection buffer (4 + 4). Once the three are taken the fourth lacks 4
 * flits, the fifth 5 more: 4 and 9 cycles later at one flit a cycle, 2 and 5 at two (the ejection
 * buffer gets a flit a cycle meanwhile, so it does not run dry). */
static void flits_leave_the_ejection_buffer_at_its_rate(void)
{
    static const int fourth[] = {0, 4, 2}, fifth[] = {0, 9, 5};
    for (int rate = 1; rate <= 2; rate++) {
        setup(1, 1);
        cfg.eject_rate = rate;
        for (int k = 0, next = 0; k < 100; k++) {
            if (X.can_push(n, 0, 5))
                push(next++, 0, 0, 5);
            ticks(1);
        }
        for (int k = 0; k < 3; k++)
            CU_ASSERT_EQUAL(pop(0), k);
        for (int t = 0, want = 3; t <= fifth[rate]; t++) {
            const bool due = t == fourth[rate] || t == fifth[rate];
            CU_ASSERT_EQUAL(pop(0), due ? want++ : -1);
            ticks(1);
        }
        teardown();
    }
}

/* Every output can take a flit in every cycle when inputs want different ones. */
static void a_permutation_runs_at_full_rate(void)
{
    setup(6, 6);
    int out = 0;
    for (int cycle = 0; cycle < 100; cycle++) {
        for (int i = 0; i < 6; i++)
            if (X.can_push(n, i, 1))
                push(i, i, 5 - i, 1);
        ticks(1);
        for (int o = 0; o < 6; o++)
            out += X.pop(n, o) != NULL;
    }
    CU_ASSERT_EQUAL(out, 600);
    teardown();
}

SUITE("icnt/xbar", T(one_flit_takes_one_cycle), T(five_flits_take_five),
      T(an_input_sends_a_flit_every_cycle), T(a_packet_holds_its_output_until_its_tail),
      T(the_first_packet_holds_up_those_behind_it), T(grants_rotate),
      T(grants_rotate_across_words_of_the_mask), T(buffers_hold_what_they_say),
      T(flits_leave_the_ejection_buffer_at_its_rate), T(a_permutation_runs_at_full_rate))
