#include "sampler/whole_runs.h"

#include "base/cpu_time.h"

/* As long for an instruction as what was simulated so far. */
static double expected_seconds(const struct whole_runs *w)
{
    const struct sample_cost *c = w->cost;
    const double seconds = c->window_seconds + c->pilot_seconds + c->run_seconds;
    return c->warp_insts ? w->insts * seconds / (double)c->warp_insts : 0;
}

/* What is simulated at every degree, since its CTAs wait, or since it is short, is beside that. */
static double counted_insts(const struct sample_cost *c)
{
    return (double)(c->warp_insts - c->search_warp_insts);
}

static bool may_begin(const struct whole_runs *w, int runs)
{
    return runs < w->pilots->runs &&
           counted_insts(w->cost) + w->insts <= w->pilots->budget_runs * w->insts &&
           !(w->budget > 0 && process_cpu_seconds() + expected_seconds(w) >= w->budget);
}

bool whole_runs(const struct whole_runs *w, struct err *e)
{
    bool ok = true;
    for (int runs = 0, n; ok && may_begin(w, runs); runs++) {
        struct whole_run r = {0};
        n = estimate_next_run(w->known, w->pilots, w->all);
        if (!n)
            break;
        ok = w->run(w->user, n, &r, e);
        w->cost->warp_insts += r.warp_insts;
        w->cost->run_warp_insts += r.warp_insts;
        w->cost->run_seconds += r.seconds;
        if (ok)
            estimate_run(w->known, w->pilots, n, r.ipc, w->all);
    }
    return ok;
}
