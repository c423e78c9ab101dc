#include "base/pool.h"
#include "tests/suite.h"

#include <stdatomic.h>

#define JOBS 100

struct seen {
    atomic_int runs[JOBS];
    int fails; /* the job that does; JOBS: none */
};

static bool job(void *user, int i, struct err *e)
{
    struct seen *s = user;
    atomic_fetch_add(&s->runs[i], 1);
    return i != s->fails || err_set(e, "job %d", i);
}

static void every_job_runs_once(void)
{
    for (int threads = 1; threads <= 5; threads++) {
        struct seen s = {.fails = JOBS};
        struct err e = {"untouched"};
        CU_ASSERT_TRUE(pool_run(threads, JOBS, job, &s, &e));
        CU_ASSERT_STRING_EQUAL(e.msg, "untouched");
        for (int i = 0; i < JOBS; i++)
            CU_ASSERT_EQUAL(s.runs[i], 1);
    }
}

/* One thread: what follows the failure never starts. Several: each may have one job under way. */
static void a_failure_starts_nothing_more(void)
{
    for (int threads = 1; threads <= 5; threads++) {
        struct seen s = {.fails = 3};
        struct err e;
        CU_ASSERT_FALSE(pool_run(threads, JOBS, job, &s, &e));
        CU_ASSERT_STRING_EQUAL(e.msg, "job 3");
        for (int i = 0; i <= 3; i++)
            CU_ASSERT_EQUAL(s.runs[i], 1);
        if (threads == 1)
            CU_ASSERT_EQUAL(s.runs[4], 0);
    }
}

static void no_job_is_no_failure(void)
{
    CU_ASSERT_TRUE(pool_run(3, 0, job, NULL, NULL));
}

SUITE("pool", T(every_job_runs_once), T(a_failure_starts_nothing_more), T(no_job_is_no_failure))
