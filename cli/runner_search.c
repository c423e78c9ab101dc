/* runner_search.c -- exhaustive search: every degree is a simulation of its own. */
#include <stdlib.h>

#include "base/pool.h"
#include "base/pool_progress.h"
#include "cli/runner.h"

struct search {
    const struct run_plan *plan;
    struct run_result *out;
    struct pool_progress *progress;
};

static bool run_job(void *user, int i, struct err *e)
{
    struct search *s = user;
    struct pool_part *part = pool_part(s->progress, i);
    struct run_plan plan = *s->plan;
    plan.n = i + 1;
    plan.progress = pool_part_at;
    plan.user = part;
    bool ok = runner_run(&plan, &s->out[i], e);
    pool_part_end(part, ok);
    return ok || err_prefix(e, "n = %d", i + 1);
}

bool runner_search(const struct run_plan *plan, int n_max, int jobs, struct run_result **out,
                   struct err *e)
{
    BUG_ON(n_max < 1, "search over no degree");
    struct search s = {.plan = plan, .progress = pool_progress_new("search", n_max)};
    s.out = xcalloc((size_t)n_max, sizeof *s.out);
    bool ok = pool_run(jobs, n_max, run_job, &s, e);
    pool_progress_free(s.progress);
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
