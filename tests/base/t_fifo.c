/* base/fifo: bounded, in order, visible from the ready cycle on. */
#include "base/fifo.h"
#include "tests/suite.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static int a, b, c;

static void item_is_visible_from_its_ready_cycle(void)
{
    struct fifo f;
    fifo_init(&f, 3);
    CU_ASSERT_EQUAL(fifo_ready(&f), CYCLE_NEVER);
    fifo_push(&f, &a, 10);
    CU_ASSERT_PTR_NULL(fifo_peek(&f, 9));
    CU_ASSERT_PTR_NULL(fifo_pop(&f, 9));
    CU_ASSERT_EQUAL(fifo_ready(&f), 10);
    CU_ASSERT_PTR_EQUAL(fifo_peek(&f, 10), &a);
    CU_ASSERT_PTR_EQUAL(fifo_pop(&f, 11), &a);
    CU_ASSERT_TRUE(fifo_empty(&f));
    fifo_fini(&f);
}

static void ready_item_waits_behind_one_that_is_not(void)
{
    struct fifo f;
    fifo_init(&f, 2);
    fifo_push(&f, &a, 20);
    fifo_push(&f, &b, 5);
    CU_ASSERT_PTR_NULL(fifo_pop(&f, 19));
    CU_ASSERT_PTR_EQUAL(fifo_at(&f, 1), &b);
    CU_ASSERT_PTR_EQUAL(fifo_pop(&f, 20), &a);
    CU_ASSERT_PTR_EQUAL(fifo_pop(&f, 20), &b);
    fifo_fini(&f);
}

static void capacity_need_not_be_a_power_of_two(void)
{
    struct fifo f;
    fifo_init(&f, 3);
    int *items[] = {&a, &b, &c};
    for (int round = 0; round < 10; round++) { /* the ring wraps several times */
        for (int i = 0; i < 3; i++) {
            CU_ASSERT_FALSE(fifo_full(&f));
            CU_ASSERT_EQUAL(fifo_room(&f), 3u - (unsigned)i);
            fifo_push(&f, items[i], 0);
        }
        CU_ASSERT_TRUE(fifo_full(&f));
        CU_ASSERT_EQUAL(fifo_len(&f), 3);
        for (int i = 0; i < 3; i++)
            CU_ASSERT_PTR_EQUAL(fifo_pop(&f, 0), items[i]);
    }
    fifo_fini(&f);
}

static void push_into_a_full_one_aborts(void)
{
    pid_t child = fork();
    if (child == 0) {
        if (!freopen("/dev/null", "w", stderr))
            _exit(1);
        struct fifo f;
        fifo_init(&f, 1);
        fifo_push(&f, &a, 0);
        fifo_push(&f, &b, 0);
        _exit(0);
    }
    int status = 0;
    CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
    CU_ASSERT(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}

SUITE("fifo", T(item_is_visible_from_its_ready_cycle), T(ready_item_waits_behind_one_that_is_not),
      T(capacity_need_not_be_a_power_of_two), T(push_into_a_full_one_aborts))
