/* bench/degrees.c -- what the predicted degrees are worth: `degrees REFERENCE_DIR DATA_DIR`.
 *   From the bundled profile, every application by coefficients fitted to the others (as `compare
 *   --all` does); and on the reference kernels, which no fit sees, by GPGPU-Sim's own cycles.
 * One line a bar, then GPGPU-Sim's table. Exit code 1 if any bar is short. */
#include "bench/bar.h"
#include "bench/reference.h"
#include "fitter/eval/cross_validation.h"
#include "fitter/store/profile.h"
#include "sampler/sampler.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/datadir.h"
#include "base/pool.h"
#include "fitter/fit/coefficients.h"

/* ---- the bundled profile ---- */

/* The one that keeps most, of those that simulate nothing to decide, or of all. */
static int best_predictor(const struct cross_validation *c, bool may_refine)
{
    const struct case_group everything = cv_main(c);
    int best = -1;
    double most = 0;
    for (int k = 0; k < c->predictors; k++) {
        struct metrics m;
        cv_metrics(c, &everything, k, &m, NULL);
        if (c->predictor[k].model && c->predictor[k].refined <= may_refine && m.kept > most) {
            best = k;
            most = m.kept;
        }
    }
    return best;
}

/* Geometric mean over applications, on every GPU. */
static double medium_cost(const struct cross_validation *c, bool refined)
{
    double sum = 0;
    int cases = 0, who = 0;
    for (int k = 0; k < c->predictors; k++)
        who = c->predictor[k].refined ? k : who;
    for (int i = 0; i < c->cases.count; i++) {
        const struct app_case *a = &c->cases.one[i];
        if (a->samples == 0 || strcmp(a->size, "medium") != 0)
            continue;
        const double more = refined ? cv_choice(c, i, who)->refine_warp_insts : 0;
        sum += log((a->sample_warp_insts + more) / a->full_warp_insts);
        cases++;
    }
    return exp(sum / cases);
}

/* "NAME, of GROUP" */
static int bar_of(const char *name, const struct case_group *g, double measured,
                  const char *relation, double wanted)
{
    char text[224];
    snprintf(text, sizeof text, "%s, %s", name, g->name);
    if (g->once) { /* no bar */
        printf("%-60s %8.4g %%\n", text, 100 * measured);
        return 0;
    }
    return bar(text, measured, relation, wanted, "%");
}

/* One GPU with one L1D. */
static int setting_bars(const struct cross_validation *c, const struct case_group *g, int best)
{
    struct metrics m;
    cv_metrics(c, g, best, &m, NULL);
    int bad = bar_of("degree: kept", g, m.kept, ">=", 0.98);
    if (m.sensitive > 0)
        bad += bar_of("degree: gain captured", g, m.captured, ">=", 0.90);
    return bad;
}

/* All applications of one size, on every GPU. */
static int size_bars(const struct cross_validation *c, const struct case_group *g, int plain,
                     int best)
{
    struct metrics m, w;
    cv_metrics(c, g, plain, &m, NULL);
    cv_metrics(c, g, best, &w, NULL);
    int bad = bar_of("degree: kept, no refinement", g, m.kept, ">=", 0.98);
    bad += bar_of("degree: kept, worst, no refinement", g, m.worst, ">=", 0.90);
    bad += bar_of("degree: kept, one refinement", g, w.kept, ">=", 0.99);
    bad += bar_of("degree: kept, worst, one refinement", g, w.worst, ">=", 0.95);
    bad += bar_of("degree: loss, nothing to be gained", g, w.insensitive_loss, "<=", 0.01);
    bad += bar_of("degree: gain captured, beyond 5 %", g, w.captured, ">=", 0.90);
    bad += bar_of("IPC: mean error, every n", g, w.ipc_error, "<=", 0.08);
    bad += bar_of("DRAM reads: mean error", g, w.reads_error, "<=", 0.06);
    bad += bar_of("IPC: in 80 % intervals", g, w.inside, ">=", 0.75);
    return bad + bar_of("IPC: in 80 % intervals", g, w.inside, "<=", 0.90);
}

static int profile_bars(const struct cross_validation *c)
{
    const int plain = best_predictor(c, false), best = best_predictor(c, true);
    struct case_group *g;
    const int groups = cv_groups(c, &g);
    int bad = 0;
    printf("The best model: %s; with at most one refinement: %s\n", c->predictor[plain].name,
           c->predictor[best].name);
    for (int i = 0; i < groups; i++)
        if (!g[i].gpu && !g[i].once)
            bad += size_bars(c, &g[i], plain, best);
    for (int i = 0; i < groups; i++)
        if (g[i].gpu && g[i].lo == g[i].hi)
            bad += setting_bars(c, &g[i], best);
    bad += bar("cost: sample / simulation, medium size", medium_cost(c, false), "<=", 0.03, "%");
    bad += bar("cost: refined / simulation, medium size", medium_cost(c, true), "<=", 0.03, "%");
    for (int i = 0, said = 0; i < groups; i++)
        if (g[i].once) {
            if (!said++)
                puts("\nThe same by one run of each degree, to which chance adds: no bars");
            size_bars(c, &g[i], plain, best);
        }
    putchar('\n');
    free(g);
    return bad;
}

/* ---- the reference kernels ---- */

struct model { /* with the coefficients of its file */
    struct coefficients coeff;
    double *kept; /* owned: by setting, the best n's cycles / those of the n it chose */
    int *n;       /* owned: that n */
};

struct trial {
    const char *dir;
    const struct gpu_cfg *base;
    const struct reference *row; /* all of them */
    int rows;
    int *setting; /* owned: the first row of each that was run with several n */
    int settings;
    struct model model[16];
    int models;
};

static bool several_degrees(const struct trial *t, int first)
{
    int n = 0;
    for (int i = 0; i < t->rows; i++) {
        if (!reference_same_setting(&t->row[i], &t->row[first]))
            continue;
        if (i < first)
            return false;
        n++;
    }
    return n > 1;
}

/* The model's choice among the n that GPGPU-Sim ran. */
static const struct reference *chosen_row(const struct trial *t, const struct reference *of,
                                          const struct prediction *p)
{
    const struct reference *row[MODEL_N_MAX + 1] = {NULL};
    struct prediction there = {.compute_bound = p->compute_bound, .margin = p->margin};
    for (int n = 1; n <= p->n_max; n++)
        for (int i = 0; i < t->rows; i++)
            if (t->row[i].n == n && reference_same_setting(&t->row[i], of)) {
                row[++there.n_max] = &t->row[i];
                there.ipc[there.n_max] = p->ipc[n];
            }
    if (there.n_max == 0)
        return NULL;
    model_choose(&there);
    return row[there.chosen_n];
}

static double fewest_cycles(const struct trial *t, const struct reference *of)
{
    double fewest = INFINITY;
    for (int i = 0; i < t->rows; i++)
        if (reference_same_setting(&t->row[i], of))
            fewest = fmin(fewest, t->row[i].cycles);
    return fewest;
}

static bool choose(struct trial *t, int at, const struct sample_set *set, struct err *e)
{
    const struct reference *of = &t->row[t->setting[at]];
    struct prediction *kernel = xcalloc((size_t)set->nkernels, sizeof *kernel), all;
    bool ok = true;
    for (int k = 0; k < t->models; k++) {
        const struct coefficients *c = &t->model[k].coeff;
        const struct model_coeffs with = coefficients_model(c);
        model_predict(&with, set->kernel, set->nkernels, kernel, &all);
        const struct reference *row = chosen_row(t, of, &all);
        ok = row || err_set(e, "%s: no n that fits was run", of->kernel);
        t->model[k].n[at] = row ? row->n : 0;
        t->model[k].kept[at] = row ? fewest_cycles(t, of) / row->cycles : NAN;
    }
    free(kernel);
    return ok;
}

static bool try_setting(void *user, int at, struct err *e)
{
    struct trial *t = user;
    const struct reference *of = &t->row[t->setting[at]];
    struct gpu_cfg cfg = *t->base;
    struct sample_set set;
    const struct sampler_opts o = {.cta = -1, .max_cycles = 1000000000};
    reference_cfg(of, &cfg);
    char *path = xasprintf("%s/%s/launch.cfg", t->dir, of->kernel);
    struct target *target = target_open(path, NULL, e);
    bool ok = target && sampler_run(target, &cfg, &o, &set, e);
    if (ok) {
        ok = choose(t, at, &set, e);
        sample_set_release(&set);
    }
    target_free(target);
    free(path);
    return ok;
}

static int trial_bars(const struct trial *t)
{
    int best = 0;
    for (int k = 1; k < t->models; k++)
        if (geometric_mean(t->model[k].kept, t->settings) >
            geometric_mean(t->model[best].kept, t->settings))
            best = k;
    printf("On the reference kernels: %s\n", t->model[best].coeff.model->name);
    return bar("degree: kept of GPGPU-Sim's best", geometric_mean(t->model[best].kept, t->settings),
               ">=", 0.97, "%");
}

static void print_trial(const struct trial *t)
{
    printf("\nGPGPU-Sim's cycles at the chosen n, %d kernels and settings\n"
           "%-16s %10s %8s  worst\n",
           t->settings, "model", "kept", "worst");
    for (int k = 0; k < t->models; k++) {
        const struct model *m = &t->model[k];
        int worst = 0;
        for (int i = 1; i < t->settings; i++)
            worst = m->kept[i] < m->kept[worst] ? i : worst;
        const struct reference *of = &t->row[t->setting[worst]];
        printf("%-16s %8.2f %% %6.1f %%  %s, n = %d, %d cores, %d KB, L2 %s, %s\n",
               m->coeff.model->name, 100 * geometric_mean(m->kept, t->settings),
               100 * m->kept[worst], of->kernel, m->n[worst], of->cores, of->l1d_kb, of->l2,
               of->scheduler);
    }
}

static bool trial_models(struct trial *t, struct err *e)
{
    bool ok = true;
    const struct model_ops *m;
    for (int i = 0; ok && (m = model_at(i)); i++) {
        BUG_ON(i == 16, "more than 16 models");
        struct model *k = &t->model[t->models];
        char *path = datadir_find("coefficients", m->name, e);
        ok = path && coefficients_load(&k->coeff, m, path, e);
        free(path);
        if (!ok)
            break;
        k->kept = xcalloc((size_t)t->settings, sizeof *k->kept);
        k->n = xcalloc((size_t)t->settings, sizeof *k->n);
        t->models++;
    }
    return ok;
}

static bool trial_run(struct trial *t, int threads, struct err *e)
{
    t->setting = xcalloc((size_t)t->rows, sizeof *t->setting);
    for (int i = 0; i < t->rows; i++)
        if (several_degrees(t, i))
            t->setting[t->settings++] = i;
    return trial_models(t, e) && pool_run(threads, t->settings, try_setting, t, e);
}

static void trial_release(struct trial *t)
{
    for (int k = 0; k < t->models; k++) {
        coefficients_release(&t->model[k].coeff);
        free(t->model[k].kept);
        free(t->model[k].n);
    }
    free(t->setting);
}

static bool judge(const char *dir, const char *data, int *bad, struct err *e)
{
    struct gpu_cfg base;
    struct cross_validation c = {0};
    const int threads = (int)sysconf(_SC_NPROCESSORS_ONLN);
    struct trial t = {.dir = dir, .base = &base};
    struct reference *rows = reference_load(dir, NULL, &t.rows, e);
    t.row = rows;
    char *folder = xasprintf("%s/profiles", data);
    struct profile *p = rows ? profile_open_csv(folder, e) : NULL;
    bool ok = p && cv_run(p, &(struct cv_opts){.jobs = threads}, &c, e) &&
              gpu_cfg_load(&base, data, "gpgpusim321", e) && trial_run(&t, threads, e);
    if (ok) {
        *bad = profile_bars(&c) + trial_bars(&t);
        print_trial(&t);
        putchar('\n');
    }
    cv_release(&c);
    trial_release(&t);
    profile_close(p);
    free(folder);
    free(rows);
    return ok;
}

int main(int argc, char **argv)
{
    struct err e;
    int bad = 0;
    if (argc != 3) {
        fprintf(stderr, "usage: %s REFERENCE_DIR DATA_DIR\n", argv[0]);
        return 2;
    }
    if (!judge(argv[1], argv[2], &bad, &e)) {
        fprintf(stderr, "%s: %s\n", argv[0], e.msg);
        return 1;
    }
    return bad ? 1 : 0;
}
