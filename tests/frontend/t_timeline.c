/* When work of several streams begins and ends, in device time. */
#include "sim/frontend/session.h"
#include "tests/suite.h"

struct scene {
    struct CUctx_st ctx;
    struct CUstream_st a, b, apart; /* the last is non-blocking */
};

static CUcontext begin(struct scene *s)
{
    *s = (struct scene){.apart.flags = 1};
    s->ctx.streams = &s->a;
    s->a.next = &s->b;
    s->b.next = &s->apart;
    return &s->ctx;
}

static void one_stream_adds_up(void)
{
    struct scene s;
    CUcontext c = begin(&s);
    timeline_launch(c, &s.a, 100, 0.1);
    timeline_copy(c, &s.a, 20, COPY_OVER_LINK);
    timeline_launch(c, &s.a, 50, 1);
    CU_ASSERT_EQUAL(timeline_ready(c, &s.a), 170);
}

/* 4 CTAs of 120 that fit: both at once. */
static void launches_that_fit_run_at_once(void)
{
    struct scene s;
    CUcontext c = begin(&s);
    timeline_launch(c, &s.a, 100, 4 / 120.0);
    timeline_launch(c, &s.b, 120, 4 / 120.0);
    CU_ASSERT_EQUAL(timeline_ready(c, &s.a), 100);
    CU_ASSERT_EQUAL(timeline_ready(c, &s.b), 120);
    CU_ASSERT_EQUAL(timeline_all(c), 120);
}

static void launches_that_fill_the_gpu_take_turns(void)
{
    struct scene s;
    CUcontext c = begin(&s);
    timeline_launch(c, &s.a, 100, 1);
    timeline_launch(c, &s.b, 120, 1);
    timeline_launch(c, &s.apart, 10, 0.5);
    CU_ASSERT_EQUAL(timeline_ready(c, &s.b), 220);
    CU_ASSERT_EQUAL(timeline_ready(c, &s.apart), 230);
}

/* Halves and a third of the GPU: the third launch begins when the first has made room. */
static void a_launch_begins_when_there_is_room(void)
{
    struct scene s;
    CUcontext c = begin(&s);
    timeline_launch(c, &s.a, 100, 0.5);
    timeline_launch(c, &s.b, 300, 0.5);
    timeline_launch(c, &s.apart, 100, 0.33);
    CU_ASSERT_EQUAL(timeline_ready(c, &s.apart), 200);
}

static void the_legacy_stream_orders_those_that_block(void)
{
    struct scene s;
    CUcontext c = begin(&s);
    timeline_launch(c, &s.a, 100, 0.1);
    timeline_launch(c, NULL, 10, 0.1); /* after a's */
    timeline_launch(c, &s.b, 10, 0.1); /* after that */
    timeline_launch(c, &s.apart, 10, 0.1);
    CU_ASSERT_EQUAL(timeline_ready(c, NULL), 120); /* b's is done */
    CU_ASSERT_EQUAL(s.ctx.time.legacy, 110);
    CU_ASSERT_EQUAL(s.b.at, 120);
    CU_ASSERT_EQUAL(timeline_ready(c, &s.apart), 10);
    timeline_launch(c, CU_STREAM_PER_THREAD, 5, 0.1);
    CU_ASSERT_EQUAL(s.ctx.time.per_thread, 115);
}

static void copies_take_turns_on_the_link_beside_launches(void)
{
    struct scene s;
    CUcontext c = begin(&s);
    timeline_launch(c, &s.a, 100, 1);
    timeline_copy(c, &s.b, 30, COPY_OVER_LINK);
    timeline_copy(c, &s.apart, 30, COPY_OVER_LINK);
    CU_ASSERT_EQUAL(s.b.at, 30);
    CU_ASSERT_EQUAL(s.apart.at, 60);
    timeline_copy(c, &s.b, 30, COPY_ON_DEVICE);
    CU_ASSERT_EQUAL(s.b.at, 60);
}

static void nothing_begins_before_it_is_asked_for(void)
{
    struct scene s;
    CUcontext c = begin(&s);
    timeline_launch(c, &s.a, 100, 0.1);
    timeline_host_waits(c, timeline_ready(c, &s.a));
    timeline_launch(c, &s.b, 10, 0.1);
    CU_ASSERT_EQUAL(s.b.at, 110);
    timeline_wait(c, &s.apart, 150); /* for an event */
    timeline_launch(c, &s.apart, 10, 0.1);
    CU_ASSERT_EQUAL(s.apart.at, 160);
}

/* More than are kept: none runs beside one that it does not fit beside. */
static void many_launches_are_told_apart(void)
{
    struct scene s;
    CUcontext c = begin(&s);
    for (int i = 0; i < 2 * TIMELINE_SPANS; i++)
        timeline_launch(c, i % 2 ? &s.a : &s.apart, 10, 1);
    CU_ASSERT_EQUAL(timeline_all(c), 20 * TIMELINE_SPANS);
}

SUITE("device time by stream", T(one_stream_adds_up), T(launches_that_fit_run_at_once),
      T(launches_that_fill_the_gpu_take_turns), T(a_launch_begins_when_there_is_room),
      T(the_legacy_stream_orders_those_that_block),
      T(copies_take_turns_on_the_link_beside_launches), T(nothing_begins_before_it_is_asked_for),
      T(many_launches_are_told_apart))
