/* sampler.c -- two passes over the target.
 *
 *   pass 1  executes everything functionally (and verifies the results): instructions of each
 *           launch and of each CTA, and how some CTAs use memory. Launches alike are a cluster; the
 *           middle one represents it.
 *   pass 2  executes functionally up to each of these launches, and samples it there. It ends at
 *           the last such launch.
 *
 * Sampling itself, and what goes from launch to launch, is driver.h's, as with a CUDA program,
 * which can run only once.
 *
 * Yen's predictor (5.2) watches the first CTA that one core runs; a CTA near the mean stands for
 * the others better where CTAs differ (graphs). */
#include "sampler/sampler.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/cpu_time.h"
#include "base/nowhere.h"
#include "base/stats.h"
#include "sampler/driver.h"
#include "sampler/profile/launch_profile.h"
#include "sampler/profile/launch_watch.h"
#include "sim/gpu/gpu.h"
#include "sim/sm/inst_run.h"

struct sampler {
    const struct gpu_cfg *cfg;
    const struct sampler_opts *o;
    struct sample_set *out;
    struct launch_profile profile;
    int at, last;  /* launch number of the running pass; the last one that the second pass needs */
    FILE *nowhere; /* what kernels print: the target is executed for its counts */
    bool done;
    struct sampling_driver driver;      /* of the second pass */
    struct launch before;               /* the running one, with a clone of memory as it was; */
    struct unfinished_launch may_go_on; /* ... sample NULL: it is not kept */
};

static const struct sampling *rules(const struct sampler *s)
{
    return sampling_or_default(s->o->sample.by);
}

/* A fifth of the work is the first pass, where only the running launch's length is known; the rest
 * the second, up to the last launch that it needs. */
static bool tell(struct sampler *s, double of_launch)
{
    const double done =
        s->out->kernel ? 0.2 + 0.8 * (s->at + of_launch) / (s->last + 1) : 0.2 * of_launch;
    return !s->o->progress || s->o->progress(s->o->user, done);
}

static bool on_func_progress(void *user, uint64_t done, uint64_t all)
{
    return tell(user, ratio(done, all));
}

static bool begin(struct sampler *s, struct launch *l, struct err *e)
{
    l->printf_file = s->nowhere;
    return launch_init(l, e) && (tell(s, 0) || err_set(e, "stopped"));
}

/* Of its memory what the launch used; of one that has not been executed all. */
static void keep_before(struct sampler *s, const struct launch *executed)
{
    if (!s->may_go_on.sample)
        return;
    const struct usage used = executed ? devmem_usage(executed->mem) : (struct usage){0};
    unfinished_keep(&s->driver.unfinished, &s->before, executed ? &used : NULL, &s->may_go_on);
    s->may_go_on.sample = NULL;
}

/* Executes the launch; max_cycles bounds what is executed without timing too. */
static bool execute(struct sampler *s, struct launch *l, struct func_opts *o,
                    struct func_counts *counts, struct err *e)
{
    o->max_warp_insts = gpu_cfg_issue_bound(s->cfg, s->o->sample.max_cycles);
    o->resident = gpu_resident_ctas(s->cfg, l);
    o->progress = on_func_progress;
    o->progress_user = s;
    const double start = cpu_seconds();
    const bool ok = inst_run(l, o, counts, e);
    keep_before(s, l);
    devmem_usage_end(l->mem); /* pilots of the next one ask what was in use before */
    s->out->cost.functional_seconds += cpu_seconds() - start;
    s->out->cost.functional_warp_insts += counts->warp_insts;
    return ok;
}

static bool count_launch(void *self, struct launch *l, struct err *e)
{
    struct sampler *s = self;
    if (!begin(s, l, e))
        return false;
    struct launch_watch look;
    struct func_opts fo = {0};
    struct func_counts c = {0};
    launch_watch_begin(&look, s->cfg, l, &rules(s)->watch, &fo);
    const bool ok = execute(s, l, &fo, &c, e);
    if (ok)
        launch_profile_add(&s->profile, l, &c, &look);
    launch_watch_end(&look);
    s->at++;
    return ok;
}

/* Of the driver, which says each once. */
static void note(void *user, const char *sentence)
{
    struct sample_set *s = user;
    s->note = xrealloc(s->note, (size_t)(s->notes + 1) * sizeof *s->note);
    s->note[s->notes++] = xstrdup(sentence);
}

/* Where others will leave something for its pilots: memory as it is now. */
static void may_go_on(struct sampler *s, const struct launch *l, const struct launch_facts *facts,
                      struct sample *d)
{
    const double gain = s->out->nkernels > 1 ? sampling_driver_gain(&s->driver, d) : 0;
    if (gain <= 0 || !unfinished_has_room(&s->driver.unfinished, devmem_kept_bytes(l->mem, NULL),
                                          &rules(s)->pilot))
        return;
    s->before = *l;
    s->before.mem = devmem_clone(l->mem);
    s->may_go_on = (struct unfinished_launch){.facts = *facts, .sample = d, .gain = gain};
}

static bool sample_representative(struct sampler *s, struct launch *l,
                                  const struct launch_cluster *g, struct err *e)
{
    const struct launch_seen *seen = &s->profile.launch[s->at];
    struct sample *d = &s->out->kernel[seen->cluster];
    struct launch_facts facts = seen->facts;
    s->out->uses[seen->cluster] = gpu_cta_resources(s->cfg, l);
    sampling_driver_ask(&s->driver, l, &facts);
    struct sampled_launch x = {.l = l, .facts = &facts, .of = g};
    if (!sampling_driver_sample(&s->driver, &x, d, &s->out->cost, e))
        return false;
    may_go_on(s, l, &facts, d);
    return true;
}

static double insts_of(void *user, const struct unfinished_launch *x)
{
    (void)user;
    return x->sample->total_warp_insts;
}

static void took(void *user, struct unfinished_launch *x, bool ok, const struct sample_cost *cost)
{
    struct sampler *s = user;
    (void)x;
    (void)ok;
    sample_cost_add(&s->out->cost, cost);
}

static bool sample_one(void *self, struct launch *l, struct err *e)
{
    struct sampler *s = self;
    struct func_counts c = {0};
    if (s->at >= s->profile.launches)
        return err_set(e, "the target launched more the second time");
    if (s->cfg->mem.l2.enabled) /* what the launches before each representative leave there */
        devmem_follow_lines(l->mem, s->cfg->mem.l2.line);
    const struct launch_cluster *g = launch_profile_cluster_at(&s->profile, s->at);
    if (!begin(s, l, e) || (g && !sample_representative(s, l, g, e)))
        return false;
    s->done = s->at == s->last;
    if (s->done) {
        keep_before(s, NULL);
        return err_set(e, "every sample is taken");
    }
    if (!execute(s, l, &(struct func_opts){0}, &c, e))
        return false;
    sampling_driver_ran(&s->driver, l);
    s->at++;
    return true;
}

static void plan_second_pass(struct sampler *s)
{
    const struct launch_profile *c = &s->profile;
    for (int i = 0; i < c->like.count; i++) {
        s->out->program_insts += (double)c->like.at[i].warp_insts;
        s->last = c->like.at[i].representative > s->last ? c->like.at[i].representative : s->last;
    }
}

/* What was simulated whole counts as it was: who waits executes more. */
static double simulated_insts(const struct sample_set *s)
{
    double all = 0;
    for (int i = 0; i < s->nkernels; i++)
        all += s->kernel[i].total_warp_insts;
    return all;
}

static bool second_pass(struct sampler *s, const struct target *t, struct err *e)
{
    struct executor sampling = {.launch = sample_one, .self = s};
    s->driver = (struct sampling_driver){.cfg = s->cfg,
                                         .opts = s->o->sample,
                                         .cta = s->o->cta,
                                         .program_insts = s->out->program_insts,
                                         .say = note,
                                         .user = s->out};
    s->at = 0;
    sampling_driver_begin(&s->driver);
    const bool ran = target_run(t, &sampling, false, e);
    if (s->done)
        sampling_driver_finish(&s->driver, s->out->program_insts,
                               &(struct sampling_end){insts_of, took, NULL, s});
    keep_before(s, NULL); /* of one that failed */
    sampling_driver_end(&s->driver);
    return s->done || (ran && err_set(e, "%s launched less the second time", target_name(t)));
}

static bool both_passes(struct sampler *s, const struct target *t, struct err *e)
{
    struct executor counting = {.launch = count_launch, .self = s};
    if (!target_run(t, &counting, true, e))
        return false;
    if (s->profile.like.count == 0)
        return err_set(e, "%s launches no kernel", target_name(t));
    launch_profile_close(&s->profile);
    plan_second_pass(s);
    s->out->nkernels = s->profile.like.count;
    s->out->kernel = xcalloc((size_t)s->out->nkernels, sizeof *s->out->kernel);
    s->out->uses = xcalloc((size_t)s->out->nkernels, sizeof *s->out->uses);
    const bool ok = second_pass(s, t, e);
    s->out->cost.full_warp_insts = simulated_insts(s->out);
    return ok;
}

bool sampler_run(const struct target *t, const struct gpu_cfg *cfg, const struct sampler_opts *o,
                 struct sample_set *out, struct err *e)
{
    struct sampler s = {.cfg = cfg, .o = o, .out = out, .nowhere = nowhere_open()};
    *out = (struct sample_set){0};
    s.profile.like.by = o->sample.by;
    const bool ok = both_passes(&s, t, e);
    launch_profile_free(&s.profile);
    fclose(s.nowhere);
    if (!ok)
        sample_set_release(out);
    return ok;
}

void sample_set_release(struct sample_set *s)
{
    for (int i = 0; i < s->notes; i++)
        free(s->note[i]);
    free(s->note);
    free(s->kernel);
    free(s->uses);
    *s = (struct sample_set){0};
}
