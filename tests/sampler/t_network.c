/* The network's ports under load. A flit takes a cycle; both ends of the run count the same network
 * as the simulator's (sim/icnt). */
#include "sampler/network.h"
#include "tests/gpu/whole.h"

static double gap(const char *gpu, const char *const *settings, enum network_way way, int bytes)
{
    const struct gpu_cfg cfg = whole_gpu(gpu, settings);
    struct network n;
    network_init(&n, &cfg);
    return network_gap(&n, way, bytes);
}

static double delay(const char *gpu, const char *const *settings, enum network_way way, int bytes)
{
    const struct gpu_cfg cfg = whole_gpu(gpu, settings);
    struct network n;
    network_init(&n, &cfg);
    return network_delay(&n, way, bytes);
}

/* One core, one partition: nobody is in the way. 32 bytes and a header of 8 are 2 flits of 32. */
static void a_port_of_its_own_moves_a_flit_a_cycle(void)
{
    static const char *const one[] = {"cores=1", "partition.count=1", NULL};
    static const char *const slow[] = {"cores=1", "partition.count=1", "clock.icnt=350", NULL};
    static const int bytes[] = {0, 24, 25, 128}, flits[] = {1, 1, 2, 5};
    for (int i = 0; i < 4; i++)
        for (int w = 0; w < NETWORK_WAYS; w++) {
            CU_ASSERT_DOUBLE_EQUAL(gap("yen2014", one, w, bytes[i]), flits[i], 0.01);
            CU_ASSERT_DOUBLE_EQUAL(gap("yen2014", slow, w, bytes[i]), 4 * flits[i], 0.04);
        }
}

/* What one node can send or take limits what passes eight partitions, but not the port of each. */
static void few_nodes_do_not_slow_a_partitions_port(void)
{
    static const char *const few[] = {"cores=1", "partition.count=8", NULL};
    for (int w = 0; w < NETWORK_WAYS; w++)
        CU_ASSERT_DOUBLE_EQUAL(gap("yen2014", few, w, 128), 5, 0.1);
}

/* Heads of queues that wait for a taken output: a packet takes more than its flits, a longer one
 * more than a shorter one. With as many inputs as outputs and no speed-up 58.6 % would pass (Karol,
 * Hluchyj and Morgan, 1987); here there are more outputs, and more than that does. */
static void crowds_pass_more_slowly(void)
{
    for (int w = 0; w < NETWORK_WAYS; w++) {
        double before = 0;
        for (int f = 1; f <= 5; f++) {
            const double g = gap("yen2014", NULL, w, 32 * f - 8);
            CU_ASSERT_TRUE(g > f && g < f / 0.586);
            CU_ASSERT_TRUE(g > before);
            before = g;
        }
    }
}

/* kayiran2013: 5 flits of 16 in buffers of 4, at half the core's clock: the last one waits for the
 * first's place; 4 flits do not. */
static void packets_longer_than_a_buffer_wait_for_it(void)
{
    const double four = gap("kayiran2013", NULL, NETWORK_REPLIES, 56),
                 five = gap("kayiran2013", NULL, NETWORK_REPLIES, 64);
    CU_ASSERT_TRUE(four < 2 * 4 * 1.3);
    CU_ASSERT_TRUE(five > 2 * 5 * 1.5 && five < 2 * 5 * 2);
}

static void the_same_every_time(void)
{
    const struct gpu_cfg cfg = whole_gpu("kayiran2013", NULL);
    struct network a, b;
    network_init(&a, &cfg);
    network_init(&b, &cfg);
    network_gap(&b, NETWORK_REQUESTS, 128);
    CU_ASSERT_EQUAL(network_gap(&a, NETWORK_REPLIES, 64), network_gap(&b, NETWORK_REPLIES, 64));
    CU_ASSERT_EQUAL(network_gap(&a, NETWORK_REPLIES, 64), network_gap(&a, NETWORK_REPLIES, 64));
}

/* Longer than any packet that is sent: as much a flit as the longest that is measured; one that its
 * buffers do not take counts as so many cycles. */
static void no_length_is_too_long(void)
{
    static const char *const wide[] = {"icnt.inject_flits=1024", NULL};
    const double most = gap("yen2014", wide, NETWORK_REPLIES, 32 * NETWORK_FLITS - 8);
    CU_ASSERT_TRUE(most >= NETWORK_FLITS);
    CU_ASSERT_DOUBLE_EQUAL(gap("yen2014", wide, NETWORK_REPLIES, 64 * NETWORK_FLITS - 8), 2 * most,
                           1e-9);
    CU_ASSERT_EQUAL(delay("yen2014", wide, NETWORK_REPLIES, 64 * NETWORK_FLITS - 8),
                    2 * NETWORK_FLITS);
    CU_ASSERT_EQUAL(delay("yen2014", NULL, NETWORK_REPLIES, 32 * 20 - 8), 20);
}

/* yen2014's crossbar takes a cycle a flit; at a quarter of the core's clock four. kayiran2013's, at
 * half of it, takes 7 of its cycles for the first flit (2 for the route, 2 in the channel), and one
 * a flit, but waits for room for the fifth one, of buffers of 4. */
static void a_packet_alone_takes_its_time(void)
{
    static const char *const slow[] = {"clock.icnt=350", NULL};
    for (int w = 0; w < NETWORK_WAYS; w++) {
        CU_ASSERT_EQUAL(delay("yen2014", NULL, w, 0), 1);
        CU_ASSERT_EQUAL(delay("yen2014", NULL, w, 128), 5);
        CU_ASSERT_EQUAL(delay("yen2014", slow, w, 128), 20);
        CU_ASSERT_EQUAL(delay("kayiran2013", NULL, w, 0), 2 * 7);
        CU_ASSERT_EQUAL(delay("kayiran2013", NULL, w, 56), 2 * (7 + 3));
        CU_ASSERT_EQUAL(delay("kayiran2013", NULL, w, 64), 2 * (7 + 5));
    }
}

/* Without a header and data it is still a flit. */
static void a_packet_is_a_flit_at_least(void)
{
    static const char *const bare[] = {"icnt.header_bytes=0", NULL};
    CU_ASSERT_EQUAL(delay("yen2014", bare, NETWORK_REQUESTS, 0), 1);
    CU_ASSERT_TRUE(gap("yen2014", bare, NETWORK_REQUESTS, 0) >= 1);
    CU_ASSERT_EQUAL(delay("yen2014", bare, NETWORK_REQUESTS, 128), 4);
}

/* In a mesh the way is long, and longer in a larger one. */
static void far_ends_take_longer(void)
{
    const double near = delay("kayiran2013-mesh56", NULL, NETWORK_REQUESTS, 0),
                 far = delay("kayiran2013-mesh110", NULL, NETWORK_REQUESTS, 0);
    CU_ASSERT_TRUE(near > 2 * delay("kayiran2013", NULL, NETWORK_REQUESTS, 0));
    CU_ASSERT_TRUE(far > 1.2 * near);
}

SUITE("network ports", T(a_packet_alone_takes_its_time), T(far_ends_take_longer),
      T(a_packet_is_a_flit_at_least), T(a_port_of_its_own_moves_a_flit_a_cycle),
      T(few_nodes_do_not_slow_a_partitions_port), T(crowds_pass_more_slowly),
      T(packets_longer_than_a_buffer_wait_for_it), T(the_same_every_time), T(no_length_is_too_long))
