#include "base/pool.h"
#include "base/pool_progress.h"
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

/* Half of a job of cost 3 and all of one of cost 1, of 5 in all: 2.5 / 5. */
static void progress_is_shared_by_cost(void)
{
    struct pool_progress *p = pool_progress_new("jobs", 3);
    pool_part_set(pool_part(p, 0), 3, "the long one");
    CU_ASSERT_EQUAL(pool_progress_done(p), 0);
    CU_ASSERT_TRUE(pool_part_at(pool_part(p, 0), 0.5));
    pool_part_end(pool_part(p, 2), true);
    CU_ASSERT_EQUAL(pool_progress_done(p), 0.5);
    CU_ASSERT_TRUE(pool_part_at(pool_part(p, 1), 1));
    CU_ASSERT_EQUAL(pool_progress_done(p), 0.7);
    pool_progress_free(p);
}

static void a_failed_job_stops_the_others(void)
{
    struct pool_progress *p = pool_progress_new("jobs", 2);
    CU_ASSERT_TRUE(pool_part_at(pool_part(p, 1), 0.1));
    pool_part_end(pool_part(p, 0), false);
    CU_ASSERT_FALSE(pool_part_at(pool_part(p, 1), 0.2));
    pool_part_end(pool_part(p, 1), true);
    CU_ASSERT_FALSE(pool_part_at(pool_part(p, 1), 1)); /* it stays so */
    pool_progress_free(p);
}

SUITE("pool", T(every_job_runs_once), T(a_failure_starts_nothing_more), T(no_job_is_no_failure),
      T(progress_is_shared_by_cost), T(a_failed_job_stops_the_others))
