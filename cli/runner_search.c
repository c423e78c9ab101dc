/* runner_search.c -- exhaustive search: every degree is a simulation of its own. */
#include <stdlib.h>

#include "base/pool.h"
#include "base/pool_progress.h"
#include "cli/result_store.h"
#include "cli/runner.h"

struct search {
    const struct run_plan *plan;
    struct result_store *store; /* NULL: none */
    struct run_result *out;
    int n_max;
    int *todo, count; /* the degrees to run; todo is owned */
    struct pool_progress *progress;
};

static bool run_job(void *user, int i, struct err *e)
{
    struct search *s = user;
    struct pool_part *part = pool_part(s->progress, i);
    struct run_plan plan = *s->plan;
    plan.n = s->todo[i];
    plan.progress = pool_part_at;
    plan.user = part;
    struct run_result *r = &s->out[plan.n - 1];
    const bool ran = runner_run(&plan, r, e), too_few = r->never_ends && plan.n < s->n_max;
    const bool ok = too_few || (ran && (!s->store || result_store_add(s->store, plan.n, r, e)));
    pool_part_end(part, ok);
    return ok || err_prefix(e, "n = %d", plan.n);
}

/* Reads what is recorded; the rest of what is wanted is to be run. */
static bool plan_runs(struct search *s, int n_max, struct err *e)
{
    s->todo = xcalloc((size_t)n_max, sizeof *s->todo);
    for (int n = 1; n <= n_max; n++) {
        bool found = false;
        if (s->store && !result_store_get(s->store, n, &s->out[n - 1], &found, e))
            return false;
        if (!found && result_store_wants(s->store, n))
            s->todo[s->count++] = n;
    }
    return true;
}

/* Where one never ends none with fewer counts: all are as the least that does. */
static void raise_too_few(struct run_result *all, int n_max)
{
    int never = n_max - 1;
    while (never > 0 && !all[never - 1].never_ends)
        never--;
    for (int n = 1; n <= never; n++) {
        struct run_result *r = &all[n - 1];
        run_result_release(r);
        run_result_copy(r, &all[never]);
        r->n = n;
        r->least = never + 1;
        r->host_seconds = r->seconds = 0;
    }
}

bool runner_search(const struct run_plan *plan, int n_max, int jobs, struct result_store *store,
                   struct run_result **out, struct err *e)
{
    BUG_ON(n_max < 1, "search over no degree");
    struct search s = {.plan = plan, .store = store, .n_max = n_max};
    s.out = xcalloc((size_t)n_max, sizeof *s.out);
    bool ok = plan_runs(&s, n_max, e);
    s.progress = pool_progress_new("search", s.count);
    ok = ok && pool_run(jobs, s.count, run_job, &s, e);
    pool_progress_free(s.progress);
    free(s.todo);
    if (ok)
        raise_too_few(s.out, n_max);
    *out = s.out;
    if (!ok) {
        runner_release(s.out, n_max);
        *out = NULL;
    }
    return ok;
}

void runner_release(struct run_result *all, int count)
{
    for (int i = 0; all && i < count; i++)
        run_result_release(&all[i]);
    free(all);
}
