/* sampler.c -- two passes over the target.
 *
 *   pass 1  executes everything functionally (and verifies the results): instructions of each
 *           launch and of each CTA. Each distinct kernel is sampled in the launch with the most
 *           work, at the CTA whose instruction count is nearest to that launch's mean.
 *   pass 2  executes functionally up to each of these launches, saves memory, runs the one CTA on
 *           core 0 of a cold detailed GPU, restores memory, goes on; it ends at the last window.
 *
 * Yen's predictor (5.2) watches the first CTA that one core runs; a CTA near the mean stands for
 * the others better where CTAs differ (graphs). */
#include "sampler/sampler.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cpu_time.h"
#include "base/stats.h"
#include "sampler/window.h"
#include "sim/func/run.h"
#include "sim/gpu/gpu.h"

#define TRACKED_CTAS (1u << 26) /* beyond, the per-CTA counts would take too much memory: CTA 0 */

struct slot {   /* a distinct kernel: same entry, block and resources */
    char *name; /* owned */
    int block[3], regs;
    uint32_t shared;
    uint64_t launches, ctas, warp_insts, thread_insts;
    uint64_t pick_insts; /* of the launch with the most work so far */
    int pick_launch;
    uint64_t pick_cta;
};

struct sampler {
    const struct gpu_cfg *cfg;
    const struct sampler_opts *o;
    struct sample_set *out;
    struct slot *slot; /* owned */
    int nslots;
    int at, last_pick; /* launch number of the running pass; the last one that has a window */
    uint64_t *cta_insts;
    FILE *nowhere; /* what kernels print: the target is executed for its counts */
    bool done;
};

static struct slot *slot_of(struct sampler *s, const struct launch *l)
{
    for (int i = 0; i < s->nslots; i++) {
        struct slot *k = &s->slot[i];
        if (strcmp(k->name, l->kernel->name) == 0 &&
            memcmp(k->block, l->block, sizeof k->block) == 0 && k->regs == launch_regs(l) &&
            k->shared == launch_shared(l))
            return k;
    }
    s->slot = xrealloc(s->slot, (size_t)(s->nslots + 1) * sizeof *s->slot);
    struct slot *k = &s->slot[s->nslots++];
    *k = (struct slot){.name = xstrdup(l->kernel->name),
                       .regs = launch_regs(l),
                       .shared = launch_shared(l),
                       .pick_launch = -1};
    memcpy(k->block, l->block, sizeof k->block);
    return k;
}

/* Half of the work is the first pass, where only the running launch's length is known; the other
 * half the second, up to the last launch that has a window. */
static bool tell(struct sampler *s, double of_launch)
{
    bool second = s->out->kernel != NULL;
    double fraction =
        second ? 0.5 + 0.5 * (s->at + of_launch) / (s->last_pick + 1) : 0.5 * of_launch;
    return !s->o->progress || s->o->progress(s->o->user, fraction);
}

static bool on_func_progress(void *user, uint64_t done, uint64_t all)
{
    return tell(user, ratio(done, all));
}

static bool report(struct sampler *s, struct err *e)
{
    return tell(s, 0) || err_set(e, "stopped");
}

/* max_cycles bounds what is executed without timing too. */
static uint64_t issue_bound(const struct sampler *s)
{
    return gpu_cfg_issue_bound(s->cfg, s->o->max_cycles);
}

static void count_cta(void *user, const struct warp *w, const struct step *st)
{
    struct sampler *s = user;
    if (st->warp_done)
        s->cta_insts[w->cta->linear] += w->steps;
}

static bool count_launch(void *self, struct launch *l, struct err *e)
{
    struct sampler *s = self;
    l->printf_file = s->nowhere;
    if (!launch_init(l, e) || !report(s, e))
        return false;
    struct slot *k = slot_of(s, l);
    uint64_t ctas = launch_ctas(l);
    bool track = s->o->cta < 0 && ctas > 1 && ctas <= TRACKED_CTAS;
    s->cta_insts = track ? xcalloc(ctas, sizeof *s->cta_insts) : NULL;
    struct func_opts fo = {.max_warp_insts = issue_bound(s),
                           .on_step = track ? count_cta : NULL,
                           .user = s,
                           .progress = on_func_progress,
                           .progress_user = s};
    struct func_counts c = {0};
    double start = cpu_seconds();
    bool ok = func_run(l, &fo, &c, e);
    s->out->functional_seconds += cpu_seconds() - start;
    if (ok && (k->pick_launch < 0 || c.warp_insts > k->pick_insts)) {
        k->pick_launch = s->at;
        k->pick_insts = c.warp_insts;
        k->pick_cta = track ? window_nearest(s->cta_insts, ctas, ratio(c.warp_insts, ctas))
                            : (uint64_t)(s->o->cta > 0 ? s->o->cta : 0);
    }
    free(s->cta_insts);
    s->cta_insts = NULL;
    k->launches++;
    k->ctas += ctas;
    k->warp_insts += c.warp_insts;
    k->thread_insts += c.thread_insts;
    s->out->functional_warp_insts += c.warp_insts;
    s->at++;
    return ok;
}

static bool fill_launch(struct sample *d, const struct slot *k, const struct launch *l,
                        const struct gpu_cfg *cfg, struct err *e)
{
    enum occ_limit why;
    int n_max = gpu_occupancy(cfg, l, &why);
    if (n_max < 1)
        return err_set(e, "kernel %s: not even one CTA fits on a core (%s)", k->name,
                       occ_limit_name(why));
    if (k->pick_cta >= launch_ctas(l))
        return err_set(e, "kernel %s has %llu CTAs; there is no CTA %llu to sample", k->name,
                       (unsigned long long)launch_ctas(l), (unsigned long long)k->pick_cta);
    snprintf(d->kernel, sizeof d->kernel, "%s", k->name);
    d->warps_per_cta = launch_warps(l);
    d->threads_per_cta = launch_threads(l);
    d->grid_ctas = ratio(k->ctas, k->launches);
    d->total_ctas = (double)k->ctas;
    d->total_warp_insts = (double)k->warp_insts;
    d->total_thread_insts = (double)k->thread_insts;
    d->n_max = n_max;
    return true;
}

static bool sample_launch(void *self, struct launch *l, struct err *e)
{
    struct sampler *s = self;
    l->printf_file = s->nowhere;
    if (!launch_init(l, e) || !report(s, e))
        return false;
    for (int i = 0; i < s->nslots; i++) {
        if (s->slot[i].pick_launch != s->at)
            continue;
        struct sample *d = &s->out->kernel[i];
        struct window w = {.cfg = s->cfg,
                           .cta = s->slot[i].pick_cta,
                           .max_cycles = s->o->max_cycles,
                           .opts = s->o->window};
        bool ok = fill_launch(d, &s->slot[i], l, s->cfg, e) && window_run(&w, l, d, e);
        s->out->warp_insts += w.warp_insts;
        s->out->host_seconds += w.seconds;
        s->out->functional_warp_insts += w.functional_warp_insts;
        s->out->functional_seconds += w.functional_seconds;
        if (!ok)
            return false;
    }
    s->done = s->at == s->last_pick;
    if (s->done)
        return err_set(e, "every window is done");
    struct func_opts fo = {
        .max_warp_insts = issue_bound(s), .progress = on_func_progress, .progress_user = s};
    struct func_counts c = {0};
    double start = cpu_seconds();
    bool ok = func_run(l, &fo, &c, e);
    s->out->functional_seconds += cpu_seconds() - start;
    s->out->functional_warp_insts += c.warp_insts;
    s->at++;
    return ok;
}

static bool both_passes(struct sampler *s, const struct target *t, struct err *e)
{
    struct executor counting = {.launch = count_launch, .self = s};
    struct executor sampling = {.launch = sample_launch, .self = s};
    if (!target_run(t, &counting, true, e))
        return false;
    if (s->nslots == 0)
        return err_set(e, "%s launches no kernel", target_name(t));
    for (int i = 0; i < s->nslots; i++)
        if (s->slot[i].pick_launch > s->last_pick)
            s->last_pick = s->slot[i].pick_launch;
    s->out->nkernels = s->nslots;
    s->out->kernel = xcalloc((size_t)s->nslots, sizeof *s->out->kernel);
    s->at = 0;
    if (target_run(t, &sampling, false, e) || s->done)
        return s->done || err_set(e, "%s launched less the second time", target_name(t));
    return false;
}

bool sampler_run(const struct target *t, const struct gpu_cfg *cfg, const struct sampler_opts *o,
                 struct sample_set *out, struct err *e)
{
    struct sampler s = {.cfg = cfg, .o = o, .out = out, .nowhere = fopen("/dev/null", "w")};
    *out = (struct sample_set){0};
    if (!s.nowhere)
        return err_set(e, "cannot open /dev/null");
    bool ok = both_passes(&s, t, e);
    for (int i = 0; i < s.nslots; i++)
        free(s.slot[i].name);
    free(s.slot);
    fclose(s.nowhere);
    if (!ok)
        sample_set_release(out);
    return ok;
}

void sample_set_release(struct sample_set *s)
{
    free(s->kernel);
    *s = (struct sample_set){0};
}
