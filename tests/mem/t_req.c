#include "sim/mem/req_queue.h"

#include "tests/suite.h"

static void a_request_comes_blank(void)
{
    struct req_pool *p = req_pool_new();
    struct mem_req *r = req_get(p);
    CU_ASSERT_EQUAL(r->warp, -1);
    CU_ASSERT_EQUAL(r->token, -1);
    CU_ASSERT_EQUAL(r->bytes, 0);
    for (int s = 0; s < STAGE_COUNT; s++)
        CU_ASSERT_EQUAL(r->stamp[s], CYCLE_NEVER);
    r->bytes = 99;
    r->stamp[0] = 1;
    req_put(p, r);
    struct mem_req *again = req_get(p);
    CU_ASSERT_PTR_EQUAL(again, r); /* the free list is a stack */
    CU_ASSERT_EQUAL(again->bytes, 0);
    CU_ASSERT_EQUAL(again->stamp[0], CYCLE_NEVER);
    req_put(p, again);
    req_pool_free(p);
}

static void the_pool_counts_what_is_out(void)
{
    enum { N = 1000 }; /* several chunks */
    static struct mem_req *r[N];
    struct req_pool *p = req_pool_new();
    for (int i = 0; i < N; i++) {
        r[i] = req_get(p);
        r[i]->token = i;
    }
    CU_ASSERT_EQUAL(req_pool_live(p), N);
    for (int i = 0; i < N; i++) {
        CU_ASSERT_EQUAL(r[i]->token, i); /* nobody got the same one twice */
        req_put(p, r[i]);
    }
    CU_ASSERT_EQUAL(req_pool_live(p), 0);
    req_pool_free(p);
}

static void a_bounded_queue_fills_up(void)
{
    struct mem_req r[3];
    struct req_queue q;
    rq_init(&q, 3);
    for (int i = 0; i < 3; i++) {
        CU_ASSERT_FALSE(rq_full(&q));
        rq_push(&q, &r[i]);
    }
    CU_ASSERT_TRUE(rq_full(&q));
    CU_ASSERT_PTR_EQUAL(rq_pop(&q), &r[0]);
    CU_ASSERT_FALSE(rq_full(&q));
    rq_fini(&q);
}

static void an_unbounded_queue_keeps_order_while_it_grows(void)
{
    enum { N = 500 };
    static struct mem_req r[N];
    struct req_queue q;
    rq_init(&q, 0);
    int in = 0, out = 0;
    while (out < N) {
        for (int k = 0; k < 3 && in < N; k++)
            rq_push(&q, &r[in++]);
        CU_ASSERT_PTR_EQUAL(rq_peek(&q), &r[out]);
        CU_ASSERT_PTR_EQUAL(rq_pop(&q), &r[out]);
        out++;
    }
    CU_ASSERT_TRUE(rq_empty(&q));
    CU_ASSERT_PTR_NULL(rq_pop(&q));
    rq_fini(&q);
}

SUITE("mem/req", T(a_request_comes_blank), T(the_pool_counts_what_is_out),
      T(a_bounded_queue_fills_up), T(an_unbounded_queue_keeps_order_while_it_grows))
