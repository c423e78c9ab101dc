/* Exact cycles of the networks with virtual channels and delays. */
#include "sim/icnt/icnt.h"

#include "base/rng.h"
#include "tests/suite.h"

#include <string.h>

static struct icnt_cfg cfg;
static const struct icnt_ops *ops;
static void *n;
static struct mem_req p[256];

static void setup(const struct icnt_ops *o, int inputs, int outputs, const char *sets)
{
    params_default(icnt_cfg_groups, &cfg);
    strcpy(cfg.topology, o->name);
    struct err e;
    char buf[256], *save = NULL;
    strcpy(buf, sets);
    for (char *s = strtok_r(buf, " ", &save); s; s = strtok_r(NULL, " ", &save))
        CU_ASSERT_TRUE_FATAL(params_set(icnt_cfg_groups, &cfg, s, &e));
    CU_ASSERT_TRUE_FATAL(icnt_cfg_check(&cfg, &e));
    ops = o;
    n = o->create(&cfg, inputs, outputs);
    for (int i = 0; i < 256; i++)
        p[i] = (struct mem_req){.token = i};
}

static void push(int k, int input, int output, uint16_t flits)
{
    p[k].flits = flits;
    CU_ASSERT_TRUE_FATAL(ops->can_push(n, input, flits));
    ops->push(n, input, output, &p[k]);
}

/* Ticks until packet k comes out; returns their number. */
static int arrives(int k, int output)
{
    for (int t = 1; t < 1000; t++) {
        ops->tick(n);
        const struct mem_req *r = ops->pop(n, output);
        if (!r)
            continue;
        CU_ASSERT_EQUAL(r->token, k);
        return t;
    }
    return -1;
}

static void teardown(void)
{
    for (int i = 0; i < 50 && !ops->idle(n); i++)
        ops->tick(n);
    CU_ASSERT_TRUE(ops->idle(n));
    ops->destroy(n);
}

/* Random traffic through two networks: every packet leaves both in the same cycle. */
static void compare_fly_and_crossbar(int eject_rate)
{
    params_default(icnt_cfg_groups, &cfg);
    cfg.eject_rate = eject_rate;
    enum { INPUTS = 15, OUTPUTS = 6, CYCLES = 20000 };
    void *a = icnt_xbar.create(&cfg, INPUTS, OUTPUTS), *b = icnt_fly.create(&cfg, INPUTS, OUTPUTS);
    static struct mem_req r[CYCLES * INPUTS];
    struct rng g = rng_seed(7);
    int k = 0;
    for (int t = 0; t < CYCLES; t++) {
        const uint64_t load = t / 1000 % 2 ? 90 : 10; /* per cent */
        for (int i = 0; i < INPUTS; i++) {
            const uint16_t flits = (uint16_t)rng_between(&g, 1, 5);
            const int o = (int)rng_below(&g, OUTPUTS);
            const bool room = icnt_xbar.can_push(a, i, flits);
            CU_ASSERT_EQUAL_FATAL(room, icnt_fly.can_push(b, i, flits));
            if (!room || rng_below(&g, 100) >= load)
                continue;
            r[k] = (struct mem_req){.token = k, .flits = flits};
            icnt_xbar.push(a, i, o, &r[k]);
            icnt_fly.push(b, i, o, &r[k++]);
        }
        icnt_xbar.tick(a);
        icnt_fly.tick(b);
        for (int o = 0; o < OUTPUTS; o++)
            if (rng_below(&g, 100) < 70) /* consumers pause, so that buffers fill up */
                CU_ASSERT_PTR_EQUAL_FATAL(icnt_xbar.pop(a, o), icnt_fly.pop(b, o));
    }
    CU_ASSERT_TRUE(k > 10000);
    struct icnt_stats sa, sb;
    icnt_xbar.stats(a, &sa);
    icnt_fly.stats(b, &sb);
    CU_ASSERT_EQUAL(sa.latency_sum, sb.latency_sum);
    icnt_xbar.destroy(a);
    icnt_fly.destroy(b);
}

static void a_plain_fly_is_the_crossbar_cycle_by_cycle(void)
{
    compare_fly_and_crossbar(1);
    compare_fly_and_crossbar(2);
}

/* Packets of one flit that nobody takes: as many as the buffers have places, for one VC: boundary
 * 16, ejection 5, VC 4, injection 9. */
static void every_buffer_of_a_fly_holds_what_it_says(void)
{
    static const struct {
        const char *sets;
        int packets;
    } cases[] = {
        {"icnt.eject_flits=5 icnt.vc_flits=4", 16 + 5 + 4 + 9},
        {"icnt.eject_flits=6 icnt.vc_flits=4", 16 + 6 + 4 + 9},
        {"icnt.eject_flits=2 icnt.vc_flits=4", 16 + 2 + 4 + 9},
        {"icnt.eject_flits=5 icnt.vc_flits=7", 16 + 5 + 7 + 9},
        {"icnt.eject_flits=5 icnt.vc_flits=4 icnt.boundary_flits=20", 20 + 5 + 4 + 9},
        {"icnt.eject_flits=5 icnt.vc_flits=4 icnt.inject_flits=12", 16 + 5 + 4 + 12},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        setup(&icnt_fly, 1, 1, cases[i].sets);
        int pushed = 0;
        for (int k = 0; k < 200; k++) {
            if (ops->can_push(n, 0, 1))
                push(pushed++, 0, 0, 1);
            ops->tick(n);
        }
        CU_ASSERT_EQUAL(pushed, cases[i].packets);
        for (int k = 0; k < pushed; k++) {
            const struct mem_req *r = ops->pop(n, 0);
            CU_ASSERT_TRUE(r && r->token == k);
            ops->tick(n);
        }
        teardown();
    }
}

/* Two channels of L cycles, a router of D, one cycle to cross, and a cycle for each further flit.
 */
static void delays_add_up(void)
{
    static const struct {
        const char *sets;
        uint16_t flits;
        int cycles;
    } cases[] = {
        {"icnt.routing_delay=2", 1, 2 + 1},
        {"icnt.channel_latency=2", 1, 2 + 2 + 1},
        {"icnt.routing_delay=2 icnt.channel_latency=2", 1, 2 + 2 + 2 + 1},
        {"icnt.routing_delay=2 icnt.channel_latency=2", 5, 2 + 2 + 2 + 5},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        setup(&icnt_fly, 3, 3, cases[i].sets);
        push(0, 1, 2, cases[i].flits);
        CU_ASSERT_EQUAL(arrives(0, 2), cases[i].cycles);
        teardown();
    }
}

/* Input 1's first packet waits for output 0; the second is for output 1. With one VC it waits
 * behind the first; with two it passes by. */
static void a_second_channel_passes_a_blocked_packet(void)
{
    setup(&icnt_fly, 2, 2, "icnt.vcs=1");
    push(0, 0, 0, 5);
    push(1, 1, 0, 5);
    push(2, 1, 1, 1);
    CU_ASSERT_EQUAL(arrives(2, 1), 11); /* behind both: 5 + 5 + 1 */
    ops->pop(n, 0);
    ops->pop(n, 0);
    teardown();
    setup(&icnt_fly, 2, 2, "icnt.vcs=2 icnt.input_speedup=2");
    push(0, 0, 0, 5);
    push(1, 1, 0, 5);
    push(2, 1, 1, 1);
    CU_ASSERT_EQUAL(arrives(2, 1), 6); /* injected in the sixth cycle, crosses at once */
    for (int i = 0; i < 20; i++) {
        ops->tick(n);
        ops->pop(n, 0);
    }
    teardown();
}

/* Each output has to take 9 + 4 flits, one a cycle. Input 0's two packets of four sit in two VCs:
 * with speed-up 2 they keep both outputs busy to the end, without it they take turns and one output
 * idles. */
static void speed_up_lets_two_channels_of_an_input_cross(void)
{
    int done[2];
    for (int i = 0; i < 2; i++) {
        setup(&icnt_fly, 3, 2,
              i ? "icnt.vcs=2 icnt.input_speedup=2" : "icnt.vcs=2 icnt.input_speedup=1");
        push(0, 1, 0, 9);
        push(1, 2, 1, 9);
        ops->tick(n);
        push(2, 0, 0, 4);
        push(3, 0, 1, 4);
        done[i] = 1;
        for (int out = 0; out < 4; done[i]++) {
            ops->tick(n);
            out += ops->pop(n, 0) != NULL;
            out += ops->pop(n, 1) != NULL;
        }
        teardown();
    }
    CU_ASSERT_EQUAL(done[1], 13);
    CU_ASSERT_TRUE(done[0] > 13);
}

/* Node of core c and memory m on the 4 x 4 map (memories at 1 3 4 6 9 11 12 14): hops + 1 cycles.
 */
static void a_mesh_takes_a_cycle_a_hop(void)
{
    static const int core[8] = {0, 2, 5, 7, 8, 10, 13, 15}, mem[8] = {1, 3, 4, 6, 9, 11, 12, 14};
    for (int c = 0; c < 7; c++)
        for (int m = 0; m < 8; m++) {
            setup(&icnt_mesh, 8, 8, "");
            /* equal counts: the outputs are taken for the memories' side */
            const int hops = abs(core[c] % 4 - mem[m] % 4) + abs(core[c] / 4 - mem[m] / 4);
            push(0, c, m, 1);
            CU_ASSERT_EQUAL(arrives(0, m), hops + 1);
            teardown();
        }
}

static void a_mesh_pays_its_delays_at_every_hop(void)
{
    setup(&icnt_mesh, 8, 8, "icnt.routing_delay=2 icnt.channel_latency=1");
    push(0, 0, 5, 3); /* node 0 to node 11: 3 + 2 hops, 6 routers, 7 channels */
    CU_ASSERT_EQUAL(arrives(0, 5), 6 * (1 + 2) + 7 * 1 + 2);
    teardown();
}

static void the_meshes_of_kayiran_carry_traffic_both_ways(void)
{
    static const struct {
        int cores, memories;
    } sizes[] = {{56, 8}, {110, 11}, {30, 8}, {28, 8}, {5, 2}};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (int back = 0; back < 2; back++) {
            const int in = back ? sizes[s].memories : sizes[s].cores;
            const int out = back ? sizes[s].cores : sizes[s].memories;
            setup(&icnt_mesh, in, out, "icnt.vcs=4 icnt.vc_flits=4 icnt.routing_delay=2");
            for (int k = 0; k < in; k++)
                push(k, k, k % out, 3);
            int got = 0;
            for (int t = 0; t < 2000 && got < in; t++) {
                ops->tick(n);
                for (int o = 0; o < out; o++) {
                    const struct mem_req *r = ops->pop(n, o);
                    if (!r)
                        continue;
                    CU_ASSERT_EQUAL(r->token % out, o);
                    got++;
                }
            }
            CU_ASSERT_EQUAL(got, in);
            teardown();
        }
}

static void the_crossbar_refuses_what_it_does_not_model(void)
{
    static const char *const sets[] = {"icnt.vcs=2", "icnt.routing_delay=1",
                                       "icnt.channel_latency=1"};
    for (size_t i = 0; i < 3; i++) {
        struct icnt_cfg c;
        struct err e = {""};
        params_default(icnt_cfg_groups, &c);
        CU_ASSERT_TRUE(params_set(icnt_cfg_groups, &c, sets[i], &e));
        CU_ASSERT_FALSE(icnt_cfg_check(&c, &e));
        CU_ASSERT_PTR_NOT_NULL(strstr(e.msg, "fly"));
        strcpy(c.topology, "fly");
        CU_ASSERT_TRUE(icnt_cfg_check(&c, &e));
    }
}

SUITE("icnt/net", T(a_plain_fly_is_the_crossbar_cycle_by_cycle),
      T(every_buffer_of_a_fly_holds_what_it_says), T(delays_add_up),
      T(a_second_channel_passes_a_blocked_packet), T(speed_up_lets_two_channels_of_an_input_cross),
      T(a_mesh_takes_a_cycle_a_hop), T(a_mesh_pays_its_delays_at_every_hop),
      T(the_meshes_of_kayiran_carry_traffic_both_ways),
      T(the_crossbar_refuses_what_it_does_not_model))
