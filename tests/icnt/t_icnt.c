/* The contract of icnt_ops, for every network: each packet comes out once, at its output, in order
 * per input and output; a full output holds back and loses nothing. */
#include "sim/icnt/icnt.h"

#include "base/rng.h"
#include "tests/suite.h"

#include <string.h>

static struct icnt_cfg defaults(void)
{
    struct icnt_cfg c;
    params_default(icnt_cfg_groups, &c);
    return c;
}

#define PACKETS 4000

static struct mem_req packet[PACKETS];

/* Random traffic; outputs for which `stuck` is true take nothing until all is pushed. */
static void random_traffic(const struct icnt_ops *o, int inputs, int outputs, uint64_t stuck)
{
    struct icnt_cfg cfg = defaults();
    void *n = o->create(&cfg, inputs, outputs);
    struct rng g = rng_seed((uint64_t)(inputs * 1000 + outputs));
    static int last[256][256]; /* per input and output: number of the last packet that came out */
    memset(last, 0xff, sizeof last);
    memset(packet, 0, sizeof packet);
    int in = 0, out = 0;
    for (int cycle = 0; out < PACKETS && cycle < 200000; cycle++) {
        for (int k = 0; k < inputs && in < PACKETS; k++) {
            struct mem_req *p = &packet[in];
            const int i = (int)rng_below(&g, (uint64_t)inputs);
            p->core = (uint16_t)i;
            p->partition = (uint16_t)rng_below(&g, (uint64_t)outputs);
            p->flits = (uint16_t)rng_between(&g, 1, 5);
            if (rng_below(&g, 2) && o->can_push(n, i, p->flits)) {
                p->token = in++;
                o->push(n, i, p->partition, p);
            }
        }
        o->tick(n);
        CU_ASSERT_TRUE_FATAL(in == out || !o->idle(n));
        for (int t = 0; t < outputs; t++) {
            if (t < 64 && (stuck >> t & 1) && in < PACKETS && cycle < 20000)
                continue;
            struct mem_req *p = o->peek(n, t);
            CU_ASSERT_PTR_EQUAL_FATAL(o->pop(n, t), p);
            if (!p)
                continue;
            CU_ASSERT_EQUAL_FATAL(p->partition, t);
            CU_ASSERT_TRUE_FATAL(p->token > last[p->core][t]);
            last[p->core][t] = p->token;
            out++;
        }
    }
    CU_ASSERT_EQUAL(out, PACKETS);
    for (int i = 0; i < 3; i++) /* credits settle */
        o->tick(n);
    CU_ASSERT_TRUE(o->idle(n));
    CU_ASSERT_FALSE(o->tick(n));
    struct icnt_stats s;
    o->stats(n, &s);
    CU_ASSERT_EQUAL(s.packets, PACKETS);
    uint64_t flits = 0;
    for (int i = 0; i < PACKETS; i++)
        flits += packet[i].flits;
    CU_ASSERT_EQUAL(s.flits, flits);
    CU_ASSERT_TRUE(s.latency_sum >= flits); /* f flits take at least f cycles */
    o->destroy(n);
}

static void every_packet_comes_out_once_and_in_order(void)
{
    for (int i = 0; icnt_at(i); i++) {
        random_traffic(icnt_at(i), 15, 6, 0);
        random_traffic(icnt_at(i), 6, 15, 0);
        random_traffic(icnt_at(i), 1, 1, 0);
        random_traffic(icnt_at(i), 110, 11, 0);
        random_traffic(icnt_at(i), 8, 200, 0);
    }
}

static void a_stuck_output_loses_nothing(void)
{
    for (int i = 0; icnt_at(i); i++) {
        random_traffic(icnt_at(i), 15, 6, 1);
        random_traffic(icnt_at(i), 15, 6, 0x3f);
        random_traffic(icnt_at(i), 56, 8, 5);
    }
}

static void a_full_input_refuses(void)
{
    struct icnt_cfg cfg = defaults();
    for (int i = 0; icnt_at(i); i++) {
        const struct icnt_ops *o = icnt_at(i);
        void *n = o->create(&cfg, 2, 2);
        struct mem_req a = {.flits = 5}, b = {.flits = 4};
        CU_ASSERT_TRUE(o->can_push(n, 0, 9)); /* injection buffer of 9 flits */
        CU_ASSERT_FALSE(o->can_push(n, 0, 10));
        o->push(n, 0, 0, &a);
        CU_ASSERT_TRUE(o->can_push(n, 0, 4));
        CU_ASSERT_FALSE(o->can_push(n, 0, 5));
        o->push(n, 0, 1, &b);
        CU_ASSERT_FALSE(o->can_push(n, 0, 1));
        CU_ASSERT_TRUE(o->can_push(n, 1, 9));
        o->destroy(n);
    }
}

static void names_and_checks(void)
{
    int n = 0;
    for (const struct icnt_ops *o; (o = icnt_at(n)); n++) {
        CU_ASSERT_PTR_EQUAL(icnt_find(o->name), o);
        CU_ASSERT_PTR_NOT_NULL(strstr(ICNT_NAMES, o->name));
    }
    CU_ASSERT_PTR_NULL(icnt_find("ring"));
    struct err e;
    struct icnt_cfg c = defaults();
    CU_ASSERT_TRUE(icnt_cfg_check(&c, &e));
    strcpy(c.topology, "ring");
    CU_ASSERT_FALSE(icnt_cfg_check(&c, &e));
    CU_ASSERT_PTR_NOT_NULL(strstr(e.msg, "icnt.topology"));
    c = defaults();
    c.inject_flits = 4;
    CU_ASSERT_FALSE(icnt_cfg_check(&c, &e));
    c = defaults();
    c.boundary_flits = 4;
    CU_ASSERT_FALSE(icnt_cfg_check(&c, &e));
}

static void packets_are_as_long_as_what_they_carry(void)
{
    const struct icnt_cfg c = defaults(); /* 32 byte flits, 8 byte headers */
    static const struct {
        enum req_kind kind;
        uint32_t bytes;
        int there, back;
    } cases[] = {
        {REQ_GLOBAL_READ, 128, 1, 5},  {REQ_CONST_READ, 64, 1, 3},    {REQ_GLOBAL_WRITE, 32, 2, 1},
        {REQ_GLOBAL_WRITE, 64, 3, 1},  {REQ_GLOBAL_WRITE, 128, 5, 1}, {REQ_ATOMIC, 32, 2, 2},
        {REQ_L1_WRITEBACK, 128, 5, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct mem_req r = {.kind = (uint8_t)cases[i].kind, .bytes = cases[i].bytes};
        r.write = r.kind == REQ_GLOBAL_WRITE || r.kind == REQ_L1_WRITEBACK;
        CU_ASSERT_EQUAL(icnt_packet_flits(&c, &r), cases[i].there);
        r.is_reply = true;
        CU_ASSERT_EQUAL(icnt_packet_flits(&c, &r), cases[i].back);
    }
}

/* 8 + 128 bytes. */
static void flits_and_headers_make_a_packet(void)
{
    static const struct {
        const char *set;
        int flits;
    } cases[] = {{"icnt.flit_bytes=32", 5},
                 {"icnt.flit_bytes=16", 9},
                 {"icnt.header_bytes=0", 4},
                 {"icnt.header_bytes=40", 6}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct icnt_cfg c = defaults();
        struct err e;
        const struct mem_req r = {.kind = REQ_GLOBAL_WRITE, .bytes = 128, .write = true};
        CU_ASSERT_TRUE(params_set(icnt_cfg_groups, &c, cases[i].set, &e));
        CU_ASSERT_EQUAL(icnt_packet_flits(&c, &r), cases[i].flits);
    }
}

SUITE("icnt", T(every_packet_comes_out_once_and_in_order), T(a_stuck_output_loses_nothing),
      T(a_full_input_refuses), T(names_and_checks), T(packets_are_as_long_as_what_they_carry),
      T(flits_and_headers_make_a_packet))
