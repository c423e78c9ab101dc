#include "sampler/window/recorded_window.h"

#include "base/cpu_time.h"
#include "sampler/window/interleave.h"
#include "sim/func/run.h"
#include "sim/sm/cta_recording.h"

struct reach { /* of a window: CTAs of one core, as far before and behind its own */
    uint64_t cta, cores, grid, most;
};

static bool is_read(void *user, uint64_t cta)
{
    const struct reach *r = user;
    const uint64_t all = cta_window_of_core(r->cta, r->cores, r->grid), at = r->cta / r->cores,
                   it = cta / r->cores, apart = it < at ? at - it : it - at;
    return cta % r->cores == r->cta % r->cores && (apart <= r->most || all - apart <= r->most);
}

static struct reach reach_of(const struct cta_window *w, const struct launch *l, int n_max)
{
    const uint64_t own =
        (uint64_t)(w->opts.ctas < 1 ? 1 : w->opts.ctas) + (uint64_t)w->opts.warm_up;
    const uint64_t beside = interleave_ctas(&sampling_or_default(w->by)->window, n_max);
    return (struct reach){.cta = w->cta,
                          .cores = (uint64_t)w->cfg->top.cores,
                          .grid = launch_ctas(l),
                          .most = own > beside ? own : beside};
}

static struct cta_recording *record(struct cta_window *w, const struct launch *l, int resident,
                                    uint64_t most_insts, const struct sample *d,
                                    struct func_counts *c, struct err *e)
{
    struct reach reach = reach_of(w, l, (int)d->n_max);
    const struct cta_recording_opts o = {
        .resident = resident, .max_warp_insts = most_insts, .follows = is_read, .user = &reach};
    const double start = cpu_seconds();
    struct launch copy = *l;
    copy.mem = devmem_share(l->mem);
    struct cta_recording *r = cta_recording_take(&copy, &o, c, e);
    devmem_free(copy.mem);
    w->functional_warp_insts += c->warp_insts;
    w->functional_seconds += cpu_seconds() - start;
    return r;
}

static void leave_out_waiting(const struct cta_recording *r, const struct func_counts *c,
                              struct sample *d)
{
    double warp, thread;
    cta_recording_work(r, c, &warp, &thread);
    d->total_warp_insts *= warp / d->launch_warp_insts;
    d->total_thread_insts *= thread / d->launch_thread_insts;
    d->launch_warp_insts = warp;
    d->launch_thread_insts = thread;
}

bool recorded_window_run(struct cta_window *w, const struct launch *l, int resident,
                         uint64_t most_insts, struct sample *d, struct err *e)
{
    struct func_counts counts = {0};
    struct cta_recording *r = record(w, l, resident, most_insts, d, &counts, e);
    if (!r)
        return false;
    struct launch from = cta_recording_launch(r, l);
    w->cta_insts = 0; /* it draws nothing any more, and how long it waited was in them */
    const bool ok = cta_window_run(w, &from, d, e);
    leave_out_waiting(r, &counts, d);
    cta_recording_free(r);
    return ok;
}
