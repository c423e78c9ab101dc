/* Cores that share a port: one packet a cycle each way, in turn; replies find their core. */
#include "sim/icnt/concentrator.h"
#include "tests/suite.h"

#include <string.h>

enum { SIZE = 3, NODES = 2, PARTS = 2, CORES = SIZE * NODES };

struct side {
    struct icnt_cfg cfg;
    struct concentrator *c;
};

static struct side *side_new(enum concentrator_side which)
{
    struct side *s = xcalloc(1, sizeof *s);
    params_default(icnt_cfg_groups, &s->cfg);
    const bool send = which == CORES_SEND;
    void *net = icnt_xbar.create(&s->cfg, send ? NODES : PARTS, send ? PARTS : NODES);
    s->c = concentrator_new(&icnt_xbar, net, NODES, SIZE, which);
    return s;
}

static void side_free(struct side *s)
{
    icnt_concentrator.destroy(s->c);
    free(s);
}

static struct mem_req packet(int core, int flits)
{
    return (struct mem_req){.core = (uint16_t)core, .flits = (uint16_t)flits};
}

static void a_port_takes_one_packet_a_cycle(void)
{
    struct side *s = side_new(CORES_SEND);
    const struct icnt_ops *o = &icnt_concentrator;
    struct mem_req a = packet(0, 1), b = packet(3, 1);
    CU_ASSERT_EQUAL(concentrator_first(s->c, 0), 0);
    CU_ASSERT_TRUE(o->can_push(s->c, 0, 1));
    o->push(s->c, 0, 1, &a);
    for (int core = 0; core < SIZE; core++)
        CU_ASSERT_FALSE(o->can_push(s->c, core, 1));
    CU_ASSERT_TRUE(o->can_push(s->c, 3, 1)); /* the other cluster */
    o->push(s->c, 3, 0, &b);
    CU_ASSERT_EQUAL(concentrator_first(s->c, 0), 1);
    CU_ASSERT_EQUAL(concentrator_first(s->c, 1), 4);
    concentrator_cycle(s->c);
    CU_ASSERT_TRUE(o->can_push(s->c, 0, 1));
    CU_ASSERT_FALSE(o->can_push(s->c, 0, 9)); /* 9 flits of room, one taken */
    o->tick(s->c);
    CU_ASSERT_PTR_EQUAL(o->pop(s->c, 1), &a);
    CU_ASSERT_PTR_EQUAL(o->pop(s->c, 0), &b);
    CU_ASSERT_TRUE(o->idle(s->c));
    side_free(s);
}

/* Three cores that always want to send share the port evenly: 0, 1, 2, 0 ... */
static void turns_go_round(void)
{
    struct side *s = side_new(CORES_SEND);
    const struct icnt_ops *o = &icnt_concentrator;
    struct mem_req p[9];
    for (int i = 0; i < 9; i++) {
        concentrator_cycle(s->c);
        int sent = -1;
        for (int k = 0, first = concentrator_first(s->c, 0); k < SIZE; k++) {
            const int core = (first + k) % SIZE;
            if (!o->can_push(s->c, core, 1))
                continue;
            p[i] = packet(core, 1);
            o->push(s->c, core, 0, &p[i]);
            CU_ASSERT_EQUAL(sent, -1);
            sent = core;
        }
        CU_ASSERT_EQUAL(sent, i % SIZE);
        o->tick(s->c);
        CU_ASSERT_PTR_EQUAL(o->pop(s->c, 0), &p[i]);
    }
    side_free(s);
}

static void a_reply_finds_its_core_and_holds_back_the_next(void)
{
    struct side *s = side_new(CORES_RECEIVE);
    const struct icnt_ops *o = &icnt_concentrator;
    struct mem_req a = packet(2, 1), b = packet(0, 1), c = packet(5, 1);
    o->push(s->c, 0, a.core, &a);
    o->push(s->c, 1, c.core, &c);
    o->tick(s->c);
    o->push(s->c, 0, b.core, &b);
    o->tick(s->c);
    concentrator_cycle(s->c);
    const uint64_t *ready = o->ready(s->c);
    CU_ASSERT_EQUAL(*ready, 1u << 2 | 1u << 5);
    CU_ASSERT_PTR_NULL(o->pop(s->c, 0)); /* b is behind a */
    CU_ASSERT_PTR_NULL(o->peek(s->c, 1));
    CU_ASSERT_PTR_EQUAL(o->peek(s->c, 2), &a);
    CU_ASSERT_PTR_EQUAL(o->pop(s->c, 2), &a);
    CU_ASSERT_PTR_NULL(o->pop(s->c, 0)); /* one a cycle */
    CU_ASSERT_PTR_EQUAL(o->pop(s->c, 5), &c);
    CU_ASSERT_EQUAL(*ready, 1u << 0);
    concentrator_cycle(s->c);
    CU_ASSERT_PTR_EQUAL(o->pop(s->c, 0), &b);
    CU_ASSERT_EQUAL(*ready, 0);
    CU_ASSERT_TRUE(o->idle(s->c));
    struct icnt_stats st;
    o->stats(s->c, &st);
    CU_ASSERT_EQUAL(st.packets, 3);
    side_free(s);
}

SUITE("concentrator", T(a_port_takes_one_packet_a_cycle), T(turns_go_round),
      T(a_reply_finds_its_core_and_holds_back_the_next))
