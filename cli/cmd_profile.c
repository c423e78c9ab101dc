#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/revision.h"
#include "cli/commands.h"
#include "cli/profiler.h"
#include "cli/shard.h"
#include "sim/frontend/workload.h"

struct sweep { /* what is profiled: each of these with each other */
    struct options *o;
    struct numbers warps;
    struct profile_point *point; /* owned */
    int points;
};

static bool set_l1d(struct profile_point *p, int64_t bytes, struct err *e)
{
    char *assignment = xasprintf("l1d.size=%" PRId64, bytes);
    bool ok = params_set(gpu_cfg_groups(), &p->cfg, assignment, e) && gpu_cfg_check(&p->cfg, e);
    free(assignment);
    return ok || err_prefix(e, "--l1d %g", (double)bytes / 1024);
}

static struct profile_point *new_point(struct sweep *s)
{
    s->point = xrealloc(s->point, (size_t)(s->points + 1) * sizeof *s->point);
    return memset(&s->point[s->points++], 0, sizeof *s->point);
}

/* All points of a sweep have one seed and numbering. */
static bool is_same(const struct profile_point *a, const struct profile_point *b)
{
    return strcmp(a->hash, b->hash) == 0 && strcmp(a->target, b->target) == 0 &&
           a->in.warps == b->in.warps;
}

/* The last point, if it is there already, is named twice on the command line. */
static void drop_twice(struct sweep *s)
{
    const struct profile_point *last = &s->point[s->points - 1];
    for (int i = 0; i < s->points - 1; i++)
        if (is_same(&s->point[i], last)) {
            free(last->target);
            s->points--;
            return;
        }
}

/* A slow network and L2 tell few core cycles apart. */
static bool can_perturb(const struct options *o, const struct gpu_cfg *cfg, struct err *e)
{
    for (int i = 1; i <= o->perturbed; i++)
        if (abs(gpu_cfg_perturbation(cfg, i)) > PROFILE_PERTURBATION)
            return err_set(e, "--perturbed %d: on this GPU at most %d", o->perturbed, i - 1);
    return true;
}

static bool add_point(struct sweep *s, const struct workload *w, const char *size, int64_t warps,
                      int64_t l1d, struct err *e)
{
    struct profile_point *p = new_point(s);
    const struct options *o = s->o;
    if (!options_gpu(s->o, &p->cfg, e) || (l1d && !set_l1d(p, l1d, e)) ||
        !can_perturb(s->o, &p->cfg, e))
        return false;
    snprintf(p->hash, sizeof p->hash, "%016" PRIx64, params_hash(gpu_cfg_groups(), &p->cfg));
    p->target = xasprintf("%s:%s", w->name, size);
    p->in = (struct profile_input){
        .gpu = o->gpu,
        .l1d_bytes = p->cfg.mem.l1d.enabled ? p->cfg.mem.l1d.size : 0,
        .seed = o->input.seeded ? (int64_t)o->input.seed : WORKLOAD_SEED,
        .numbering = o->input.order ? o->input.order : workload_order_name(WORKLOAD_NATURAL),
        .warps = warps,
        .revision = mdpredict_revision};
    drop_twice(s);
    return true;
}

/* Workloads whose CTAs have a fixed shape, or whose input has nothing to number, are left out of
 * what they don't take: everybody else of the suite does. */
static bool add_workload(struct sweep *s, const struct workload *w, const char *size, struct err *e)
{
    if (s->o->input.order && !w->orders) {
        fprintf(stderr, "%s: left out, it takes no --order\n", w->name);
        return true;
    }
    for (int i = 0; i < s->warps.n; i++) {
        if (s->warps.v[i] && !w->any_warps) {
            fprintf(stderr, "%s: left out with %lld warps a CTA, its CTAs have a fixed shape\n",
                    w->name, (long long)s->warps.v[i]);
            continue;
        }
        const struct numbers *l1d = &s->o->l1d;
        for (int k = 0; k < (l1d->n ? l1d->n : 1); k++)
            if (!add_point(s, w, size, s->warps.v[i], l1d->n ? l1d->v[k] : 0, e))
                return false;
    }
    return true;
}

/* "bfs" or "bfs:medium". */
static bool add_named(struct sweep *s, const char *name, struct err *e)
{
    struct target *t = target_open(name, NULL, e); /* says what is wrong with the name */
    if (!t)
        return false;
    target_free(t);
    size_t len = strcspn(name, ":");
    char *bare = xasprintf("%.*s", (int)len, name);
    const struct workload *w = workload_find(bare);
    free(bare);
    if (!w)
        return err_set(e, "%s: only bundled workloads are profiled", name);
    return add_workload(s, w, name[len] ? name + len + 1 : w->size[0].name, e);
}

static bool add_suite(struct sweep *s, struct err *e)
{
    const char *size = s->o->size ? s->o->size : "small";
    if (s->o->suite && !workload_suite_check(s->o->suite, e))
        return false;
    for (int i = 0; workloads[i]; i++) {
        if (s->o->suite && !workload_in_suite(workloads[i], s->o->suite))
            continue;
        if (!workload_size_find(workloads[i], size, e) || !add_workload(s, workloads[i], size, e))
            return false;
    }
    return true;
}

static bool take_options(struct sweep *s, struct err *e)
{
    struct options *o = s->o;
    o->bad_usage = true;
    if (o->samples && o->prices)
        return err_set(e, "--samples records prices too: leave out --prices");
    if (o->no_samples && (o->samples || o->prices))
        return err_set(e, "--no-samples records no %s: leave out one of the two",
                       o->samples ? "samples" : "prices");
    if (o->perturbed && (o->samples || o->prices))
        return err_set(e, "--%s has no run that could be perturbed",
                       o->samples ? "samples" : "prices");
    if (o->size && o->nargs > 0)
        return err_set(e, "--size is for the whole suite; name a size with the workload: %s:%s",
                       o->arg[0], o->size);
    if (o->suite && o->nargs > 0)
        return err_set(e, "name workloads or a --suite");
    s->warps = o->warps.n ? o->warps : (struct numbers){.n = 1}; /* 0: its own */
    bool ok = o->nargs > 0 || add_suite(s, e);
    for (int i = 0; ok && i < o->nargs; i++)
        ok = add_named(s, o->arg[i], e);
    o->bad_usage = !ok;
    return ok &&
           (s->points || err_set(e, "every workload is left out: there is nothing to profile"));
}

/* What a run of every point costs, and how many there are of it, tells executing its program. */
static bool expected_cost(const struct sweep *s, int k, double *cost, struct err *e)
{
    const struct profile_point *p = &s->point[k];
    for (int i = 0; i < k; i++) /* other L1D sizes: the same program */
        if (strcmp(s->point[i].target, p->target) == 0 && s->point[i].in.warps == p->in.warps) {
            cost[k] = cost[i];
            return true;
        }
    return profiler_cost(s->o, p, &cost[k], e);
}

/* Points that belong to other shards go. */
static bool keep_shard(struct sweep *s, const struct shard *shard, struct err *e)
{
    double *cost = xcalloc((size_t)s->points + 1, sizeof *cost);
    bool *mine = xcalloc((size_t)s->points + 1, sizeof *mine), ok = true;
    for (int i = 0; ok && i < s->points; i++)
        ok = expected_cost(s, i, cost, e);
    if (ok) {
        int kept = 0;
        shard_deal(shard, cost, s->points, mine);
        for (int i = 0; i < s->points; i++)
            if (mine[i])
                s->point[kept++] = s->point[i];
            else
                free(s->point[i].target);
        s->points = kept;
    }
    free(cost);
    free(mine);
    return ok;
}

static bool record(struct sweep *s, struct err *e)
{
    struct profile *db = profile_open(s->o->db, true, e);
    bool ok = db != NULL;
    for (int i = 0; ok && i < s->points; i++) {
        struct profile_point *p = &s->point[i];
        p->in.config = p->hash; /* not before: the array has moved while it grew */
        p->in.target = p->target;
        char *text = params_dump(gpu_cfg_groups(), &p->cfg);
        ok = profile_add_config(db, p->hash, text, e);
        free(text);
    }
    ok = ok && profiler_run(s->o, db, s->point, s->points, e);
    profile_close(db);
    return ok;
}

static bool run(struct options *o, struct err *e)
{
    struct sweep s = {.o = o};
    struct shard shard;
    o->bad_usage = true;
    bool ok = shard_read(o->shard, &shard, e) && take_options(&s, e);
    ok = ok && (shard.n == 0 || keep_shard(&s, &shard, e)) && record(&s, e);
    for (int i = 0; i < s.points; i++)
        free(s.point[i].target);
    free(s.point);
    return ok;
}

const struct command command_profile = {
    .id = COMMAND_profile,
    .name = "profile",
    .args = "[WORKLOAD]...",
    .help = "Record samples and full runs, at every degree, in a database",
    .text =
        "Without WORKLOAD all bundled ones, or those of --suite. Every workload runs with every "
        "L1D size and every\n"
        "number of warps a CTA. What the database holds already is not run again; stop it at any\n"
        "time, and start it again to go on. `mdpredict export` prints what was recorded.\n"
        "With each sample goes its price: CPU seconds of the sample and, right after it, of one\n"
        "simulation. Of samples that were recorded without a price it is measured anew.\n"
        "Perturbed runs have partition.rop_latency 1 cycle longer, 1 shorter, 2 longer, ...\n"
        "(or as many clocks of L2): what runs of one degree differ by is chance.\n"
        "`compare --all` judges by their mean.\n"
        "--shard I/N profiles part I of the workloads, L1D sizes and warps; each part into a file\n"
        "of its own, which `mdpredict merge` puts together. scripts/slurm/ does so on a cluster.",
    .min_args = 0,
    .max_args = INT16_MAX,
    .run = run,
};
