/* sampler.c -- two passes over the target.
 *
 *   pass 1  executes everything functionally (and verifies the results): instructions of each
 *           launch and of each CTA, and how some CTAs use memory. Launches alike are a group; the
 *           middle one stands for it.
 *   pass 2  executes functionally up to each of these launches, saves memory, runs the CTA whose
 *           instruction count is nearest to the launch's mean on core 0 of a cold detailed GPU,
 *           restores memory, and executes the launch with a trace of its CTAs, or of some rounds of
 *           them, which are then replayed at every degree. L1s' and L2's lines, L2's misses, and
 *           which cores have run which code, are kept on the way. It ends at the last such launch.
 * Of a program that is short enough every launch is traced, and all are replayed at the end.
 *
 * Yen's predictor (5.2) watches the first CTA that one core runs; a CTA near the mean stands for
 * the others better where CTAs differ (graphs). */
#include "sampler/sampler.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cpu_time.h"
#include "base/stats.h"
#include "sampler/all_launches.h"
#include "sampler/census.h"
#include "sampler/code_seen.h"
#include "sampler/launch_look.h"
#include "sampler/project.h"
#include "sampler/replayed.h"
#include "sampler/trial.h"
#include "sampler/window.h"
#include "sim/func/run.h"
#include "sim/gpu/gpu.h"

#define PART_ROUNDS  2          /* CTAs at every place of every core */
#define TRACKED_CTAS (1u << 26) /* beyond, the per-CTA counts would take too much memory: CTA 0 */

struct caches { /* what launches leave in them */
    struct l1_state l1[L1_STATES];
    struct l2_state l2;
};

struct sampler {
    const struct gpu_cfg *cfg;
    const struct sampler_opts *o;
    struct sample_set *out;
    struct census census;
    int at, last; /* launch number of the running pass; the last one that the second pass needs */
    struct all_launches every; /* of a program that is short enough; no launches: of a longer one */
    struct trace *to;          /* of this launch, if all launches are traced */
    struct part {              /* of this launch, one after the other in the grid */
        struct trace trace;
        struct caches found_in; /* as the first of the CTAs in it found them */
        bool found;
    } part[MEMORY_PARTS];
    int parts;            /* 0: it is not traced */
    struct requests made; /* of the last instruction */
    struct caches now;
    struct group_misses {
        uint64_t launches, all, pick; /* launches: executed; all: what they missed in L2 */
    } * misses;                       /* owned, by group */
    struct code_seen code[L1_STATES]; /* of the launches before this one */
    FILE *nowhere; /* what kernels print: the target is executed for its counts */
    bool done;
};

static void caches_init(struct caches *c, const struct gpu_cfg *cfg)
{
    for (int i = 0; i < L1_STATES; i++)
        l1_state_init(&c->l1[i], cfg);
    l2_state_init(&c->l2, cfg);
}

static void caches_fini(struct caches *c)
{
    for (int i = 0; i < L1_STATES; i++)
        l1_state_fini(&c->l1[i]);
    l2_state_fini(&c->l2);
}

static void caches_copy(struct caches *to, const struct caches *from)
{
    for (int i = 0; i < L1_STATES; i++)
        l1_state_copy(&to->l1[i], &from->l1[i]);
    l2_state_copy(&to->l2, &from->l2);
}

static bool tell_fraction(struct sampler *s, double fraction)
{
    return !s->o->progress || s->o->progress(s->o->user, fraction);
}

/* Half of the work is the first pass, where only the running launch's length is known; the other
 * half the second, up to the last launch that it needs. Of a program that is replayed at the end
 * four fifths of that half are the replays. */
static bool tell(struct sampler *s, double of_launch)
{
    const double second = s->every.launches ? 0.1 : 0.5;
    if (!s->out->kernel)
        return tell_fraction(s, 0.5 * of_launch);
    return tell_fraction(s, 0.5 + second * (s->at + of_launch) / (s->last + 1));
}

static bool on_replay_progress(void *user, double fraction)
{
    return tell_fraction(user, 0.6 + 0.4 * fraction);
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

/* Executes the launch; max_cycles bounds what is executed without timing too. */
static bool execute(struct sampler *s, struct launch *l, struct func_opts *o,
                    struct func_counts *counts, struct err *e)
{
    o->max_warp_insts = gpu_cfg_issue_bound(s->cfg, s->o->max_cycles);
    o->resident = gpu_occupancy(s->cfg, l, NULL) * s->cfg->top.cores;
    o->progress = on_func_progress;
    o->progress_user = s;
    double start = cpu_seconds();
    bool ok = func_run(l, o, counts, e);
    s->out->functional_seconds += cpu_seconds() - start;
    s->out->functional_warp_insts += counts->warp_insts;
    return ok;
}

static bool count_launch(void *self, struct launch *l, struct err *e)
{
    struct sampler *s = self;
    if (!begin(s, l, e))
        return false;
    struct launch_look look;
    struct func_opts fo = {0};
    struct func_counts c = {0};
    launch_look_begin(&look, s->cfg, launch_ctas(l), TRACKED_CTAS, &fo);
    bool ok = execute(s, l, &fo, &c, e);
    if (ok)
        census_add(&s->census, l, &c, look.cta_insts, look.memory);
    launch_look_end(&look);
    s->at++;
    return ok;
}

static bool fill_launch(struct sampler *s, struct sample *d, const struct launch_group *g,
                        const struct launch *l, uint64_t cta, struct err *e)
{
    enum occ_limit why;
    int n_max = gpu_occupancy(s->cfg, l, &why);
    if (n_max < 1)
        return err_set(e, "kernel %s: not even one CTA fits on a core (%s)", g->kernel,
                       occ_limit_name(why));
    if (cta >= launch_ctas(l))
        return err_set(e, "kernel %s has %llu CTAs; there is no CTA %llu to sample", g->kernel,
                       (unsigned long long)launch_ctas(l), (unsigned long long)cta);
    snprintf(d->kernel, sizeof d->kernel, "%s", g->kernel);
    d->part = g->part;
    d->launches = (double)g->launches;
    d->warps_per_cta = launch_warps(l);
    d->threads_per_cta = launch_threads(l);
    d->grid_ctas = ratio(g->ctas, g->launches);
    d->total_ctas = (double)g->ctas;
    d->total_warp_insts = (double)g->warp_insts;
    d->total_thread_insts = (double)g->thread_insts;
    d->n_max = n_max;
    return true;
}

static uint64_t window_place(const struct sampler *s)
{
    return s->o->cta >= 0 ? (uint64_t)s->o->cta : s->census.launch[s->at].cta;
}

static bool take_window(struct sampler *s, struct launch *l, const struct launch_group *g,
                        struct sample *d, struct err *e)
{
    const struct launch_seen *seen = &s->census.launch[s->at];
    const uint64_t cta = window_place(s);
    struct window w = {.cfg = s->cfg,
                       .cta = cta,
                       .most_insts = seen->most_insts,
                       .launch_insts = seen->warp_insts,
                       .max_cycles = s->o->max_cycles,
                       .opts = s->o->window};
    bool ok = fill_launch(s, d, g, l, cta, e) && window_run(&w, l, d, e);
    s->out->warp_insts += w.warp_insts;
    s->out->host_seconds += w.seconds;
    s->out->functional_warp_insts += w.functional_warp_insts;
    s->out->functional_seconds += w.functional_seconds;
    return ok;
}

static void caches_step(struct sampler *s, const struct step *st, uint64_t cta)
{
    const int first = s->census.launch[s->at].last_core + 1;
    const uint64_t before = s->now.l2.misses;
    int missed[L1_STATES];
    for (int i = 0; i < L1_STATES; i++)
        missed[i] =
            l1_state_step(&s->now.l1[i], &s->made, st, l1_state_core(i, s->cfg, s->at, first, cta));
    l2_state_step(&s->now.l2, &s->made, st);
    s->made.missed = s->now.l2.cfg ? (int)(s->now.l2.misses - before) : missed[L1_ROUND];
}

static void on_step(void *user, const struct warp *w, const struct step *st)
{
    struct sampler *s = user;
    const uint64_t cta = (uint64_t)w->cta->linear;
    struct part *p = s->parts ? &s->part[s->parts - 1] : NULL;
    while (p && p->trace.base > cta)
        p--;
    if (p && !p->found && cta - p->trace.base >= p->trace.first) {
        caches_copy(&p->found_in, &s->now);
        p->found = true;
    }
    requests_make(&s->made, w, st);
    const bool constants = requests_are_constants(st);
    if (constants)
        requests_constants(&s->made, st);
    if (constants || s->made.path != REQUEST_NONE)
        caches_step(s, st, cta);
    if (p)
        trace_step(&p->trace, &s->made, w, st);
}

/* Part i of this launch, behind what launches, or the part, before it have left in caches. */
static void project_part(struct sampler *s, const struct launch_group *g, int i, struct sample *d)
{
    const struct part *this = &s->part[i];
    const double of_launch = ratio(this->trace.all_work.insts, s->census.launch[s->at].warp_insts);
    struct projection p = {.cfg = s->cfg,
                           .trace = &this->trace,
                           .l1 = this->found ? this->found_in.l1 : NULL,
                           .l2 = this->found ? &this->found_in.l2 : NULL,
                           .launch_insts = ratio(g->warp_insts, g->launches),
                           .code = s->code,
                           .core = s->census.launch[s->at].core,
                           .most_ctas = census_most_ctas(&s->census, s->at),
                           .jobs = s->o->jobs};
    BUG_ON(this->trace.ctas == 0, "launch %d has no CTA on its core", s->at);
    if (s->parts > 1)
        p.launch_insts *= of_launch;
    project(&p, d);
    s->out->replayed_warp_insts += p.insts;
    s->out->replay_seconds += p.seconds;
}

static void project_pick(struct sampler *s, const struct launch_group *g, struct sample *d)
{
    struct sample of[MEMORY_PARTS] = {*d};
    double ctas[MEMORY_PARTS], alone = 0;
    for (int i = 0; i < s->parts; i++) {
        of[i] = *d;
        ctas[i] = (double)s->part[i].trace.all;
        project_part(s, g, i, &of[i]);
        if (i == 0 || s->part[i].trace.base <= window_place(s))
            alone = of[i].replay_alone;
    }
    replayed_join(of, ctas, s->parts, d);
    d->replay_alone = alone;
}

/* The launch has run: what later ones, and its group, need of it. */
static void remember(struct sampler *s, const struct launch *l, bool picked, uint64_t l2_misses)
{
    const struct launch_seen *seen = &s->census.launch[s->at];
    struct group_misses *m = &s->misses[seen->group];
    for (int i = 0; i < L1_STATES; i++)
        code_seen_add(&s->code[i], l->kernel,
                      l1_state_core(i, s->cfg, s->at, seen->last_core + 1, 0), launch_ctas(l));
    m->launches++;
    m->all += l2_misses;
    if (picked)
        m->pick = l2_misses;
}

/* Its parts, but for those that end before their CTAs have taken each other's places: they run
 * beside the one before, and are counted to it. */
static int long_parts(const struct sampler *s, const struct launch *l, uint64_t cut[MEMORY_PARTS])
{
    const struct launch_seen *seen = &s->census.launch[s->at];
    const uint64_t places = (uint64_t)(gpu_occupancy(s->cfg, l, NULL) * s->cfg->top.cores);
    int parts = 1;
    cut[0] = 0;
    for (int i = 1; i < seen->parts; i++)
        if (seen->cut[i] - cut[parts - 1] >= PART_ROUNDS * places &&
            seen->ctas - seen->cut[i] >= PART_ROUNDS * places)
            cut[parts++] = seen->cut[i];
    return parts;
}

/* Traced in its parts. */
static void trace_parts(struct sampler *s, const struct launch *l)
{
    const struct launch_seen *this = &s->census.launch[s->at];
    uint64_t cut[MEMORY_PARTS] = {0};
    s->parts = long_parts(s, l, cut);
    for (int i = 0; i < s->parts; i++) {
        s->part[i].found = false;
        project_trace(
            &s->part[i].trace, s->cfg, l,
            (struct project_extent){.from = cut[i],
                                    .to = i + 1 < s->parts ? cut[i + 1] : this->ctas,
                                    .first = census_first_cta(&s->census, s->at, this->core),
                                    .cta_insts = ratio(this->warp_insts, this->ctas),
                                    .whole = project_whole((double)this->warp_insts)});
    }
}

static void drop_parts(struct sampler *s)
{
    for (int i = 0; i < s->parts; i++)
        trace_fini(&s->part[i].trace);
    s->parts = 0;
}

static void on_step_of_all(void *user, const struct warp *w, const struct step *st)
{
    struct sampler *s = user;
    requests_make(&s->made, w, st);
    trace_step(s->to, &s->made, w, st);
}

/* Of a program that is replayed whole; at its end, while its kernels are still there. */
static bool replay_all(struct sampler *s, struct err *e)
{
    s->every.progress = on_replay_progress;
    s->every.user = s;
    s->every.jobs = s->o->jobs;
    const bool ok = all_launches_replay(&s->every, s->out->kernel, s->out->nkernels, e);
    s->out->replayed_warp_insts += s->every.insts;
    s->out->replay_seconds += s->every.seconds;
    return ok;
}

/* d: of the group that the launch stands for; NULL: of none. */
static bool trace_launch(struct sampler *s, struct launch *l, struct sample *d, struct err *e)
{
    struct func_opts fo = {.on_step = on_step_of_all, .user = s};
    struct func_counts c = {0};
    s->to = all_launches_trace(&s->every, s->at, l, s->census.launch[s->at].group);
    if (!execute(s, l, &fo, &c, e))
        return false;
    struct projection p = {.cfg = s->cfg, .trace = s->to};
    if (d)
        project_alone(&p, d);
    s->out->replayed_warp_insts += p.insts;
    s->out->replay_seconds += p.seconds;
    return s->at < s->last || replay_all(s, e);
}

/* g: the group that it stands for; NULL: none. */
static bool trace_long(struct sampler *s, struct launch *l, const struct launch_group *g,
                       struct sample *d, struct err *e)
{
    struct func_opts fo = {.on_step = on_step, .user = s};
    struct func_counts c = {0};
    const uint64_t missed = s->now.l2.misses;
    if (g)
        trace_parts(s, l);
    const bool ok = execute(s, l, &fo, &c, e);
    if (ok && g)
        project_pick(s, g, d);
    drop_parts(s);
    if (ok)
        remember(s, l, g, s->now.l2.misses - missed);
    return ok;
}

/* At every degree, if that is wanted of such a program. */
static bool try_launch(struct sampler *s, struct launch *l, struct err *e)
{
    const double beyond = s->o->tried_beyond;
    if (s->at != s->out->tried_launch || beyond <= 0 || s->out->program_insts <= beyond)
        return true;
    return trial_of_launch(s->cfg, s->o, l, s->out, e);
}

static bool sample_launch(void *self, struct launch *l, struct err *e)
{
    struct sampler *s = self;
    if (s->at >= s->census.launches)
        return err_set(e, "launched more the second time");
    const struct launch_group *g = census_group_at(&s->census, s->at);
    struct sample *d = g ? &s->out->kernel[g - s->census.group] : NULL;
    if (!begin(s, l, e) || (g && !take_window(s, l, g, d, e)) || !try_launch(s, l, e))
        return false;
    if (s->every.launches ? !trace_launch(s, l, d, e) : !trace_long(s, l, g, d, e))
        return false;
    s->done = s->at == s->last;
    if (s->done)
        return err_set(e, "every window is done");
    s->at++;
    return true;
}

/* Launches of a group that find less in L2 than the one that was replayed, as the first one does,
 * read more: by what executing them tells. */
static void other_launches_read(struct sampler *s)
{
    for (int k = 0; s->now.l2.cfg && k < s->census.groups; k++) {
        struct sample *d = &s->out->kernel[k];
        const struct group_misses *m = &s->misses[k];
        const double more = (double)m->all - (double)(m->launches * m->pick);
        for (int i = 0; i < SAMPLE_DEGREES && d->replay_ctas[i] > 0; i++) {
            d->replay_reads_first[i] = fmax(0, d->replay_reads_first[i] + more / d->total_ctas);
            d->replay_reads_later[i] = fmax(0, d->replay_reads_later[i] + more / d->total_ctas);
        }
    }
}

static void plan_second_pass(struct sampler *s)
{
    const struct census *c = &s->census;
    uint64_t insts = 0, places = 0;
    int most = 0;
    for (int i = 0; i < c->groups; i++) {
        insts += c->group[i].warp_insts;
        s->last = c->group[i].pick > s->last ? c->group[i].pick : s->last;
        most = c->group[i].warp_insts > c->group[most].warp_insts ? i : most;
    }
    s->out->program_insts = (double)insts;
    s->out->tried_kernel = most;
    s->out->tried_launch = c->group[most].pick;
    for (int i = 0; i < c->launches; i++)
        places += all_launches_places(s->cfg, c->launch[i].ctas);
    if (s->o->by_group || !all_launches_fit(insts, places))
        return;
    s->last = c->launches - 1;
    all_launches_init(&s->every, s->cfg, c->launches);
}

static bool both_passes(struct sampler *s, const struct target *t, struct err *e)
{
    struct executor counting = {.launch = count_launch, .self = s};
    struct executor sampling = {.launch = sample_launch, .self = s};
    if (!target_run(t, &counting, true, e))
        return false;
    if (s->census.groups == 0)
        return err_set(e, "%s launches no kernel", target_name(t));
    census_close(&s->census);
    plan_second_pass(s);
    s->out->nkernels = s->census.groups;
    s->out->kernel = xcalloc((size_t)s->census.groups, sizeof *s->out->kernel);
    s->misses = xcalloc((size_t)s->census.groups, sizeof *s->misses);
    s->at = 0;
    const bool ran = target_run(t, &sampling, false, e);
    if (!s->every.launches)
        other_launches_read(s);
    return s->done || (ran && err_set(e, "%s launched less the second time", target_name(t)));
}

bool sampler_run(const struct target *t, const struct gpu_cfg *cfg, const struct sampler_opts *o,
                 struct sample_set *out, struct err *e)
{
    struct sampler s = {.cfg = cfg,
                        .o = o,
                        .out = out,
                        .made.cfg = cfg,
                        .census.cores = cfg->top.cores,
                        .nowhere = fopen("/dev/null", "w")};
    *out = (struct sample_set){0};
    if (!s.nowhere)
        return err_set(e, "cannot open /dev/null");
    caches_init(&s.now, cfg);
    for (int i = 0; i < MEMORY_PARTS; i++)
        caches_init(&s.part[i].found_in, cfg);
    for (int i = 0; i < L1_STATES; i++)
        code_seen_init(&s.code[i], cfg->top.cores);
    bool ok = both_passes(&s, t, e);
    all_launches_fini(&s.every);
    for (int i = 0; i < L1_STATES; i++)
        code_seen_fini(&s.code[i]);
    census_free(&s.census);
    free(s.misses);
    caches_fini(&s.now);
    for (int i = 0; i < MEMORY_PARTS; i++)
        caches_fini(&s.part[i].found_in);
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
