#include "bench/held_out.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/datadir.h"
#include "base/pool.h"
#include "bench/bar.h"
#include "bench/reference.h"
#include "bench/simulate.h"
#include "fitter/eval/metrics.h"
#include "fitter/fit/coefficients.h"
#include "model/effort.h"
#include "model/estimate.h"
#include "sampler/sampler.h"
#include "sampler/whole_runs.h"

struct held_out {
    const char *dir;
    struct gpu_cfg base;
    struct reference *row; /* owned: all of them */
    int rows;
    int *setting; /* owned: the first row of each that was run with several n */
    int settings;
    struct coefficients model, pilots; /* of their files */
    struct sampling rules;
    struct result {
        int n;       /* that it chose */
        double kept; /* the best n's cycles / those of n */
    } * result;      /* owned: [settings][EFFORT_COUNT] */
};

static bool several_degrees(const struct held_out *h, int first)
{
    int n = 0;
    for (int i = 0; i < h->rows; i++) {
        if (!reference_same_setting(&h->row[i], &h->row[first]))
            continue;
        if (i < first)
            return false;
        n++;
    }
    return n > 1;
}

static const struct reference *row_of(const struct held_out *h, const struct reference *of, int n)
{
    const struct reference *found = NULL;
    for (int i = 0; i < h->rows; i++)
        if (h->row[i].n == n && reference_same_setting(&h->row[i], of))
            found = &h->row[i];
    return found;
}

/* GPGPU-Sim did not run every n that fits: then the best by what is predicted of those. */
static const struct reference *chosen_row(const struct held_out *h, const struct reference *of,
                                          const struct prediction *p)
{
    const struct reference *chosen = row_of(h, of, p->chosen_n);
    for (int n = p->n_max, best = 0; !row_of(h, of, p->chosen_n) && n >= 1; n--) {
        const struct reference *row = row_of(h, of, n);
        if (!row || (best && p->ipc[n] <= p->ipc[best]))
            continue;
        chosen = row;
        best = n;
    }
    return chosen;
}

static double fewest_cycles(const struct held_out *h, const struct reference *of)
{
    double fewest = INFINITY;
    for (int i = 0; i < h->rows; i++)
        if (reference_same_setting(&h->row[i], of))
            fewest = fmin(fewest, h->row[i].cycles);
    return fewest;
}

static bool take(struct held_out *h, int at, enum effort effort, const struct prediction *p,
                 struct err *e)
{
    const struct reference *of = &h->row[h->setting[at]], *row = chosen_row(h, of, p);
    if (!row)
        return err_set(e, "%s: no n that fits was run", of->kernel);
    h->result[at * EFFORT_COUNT + (int)effort] =
        (struct result){row->n, fewest_cycles(h, of) / row->cycles};
    return true;
}

struct whole { /* a kernel's target, simulated whole */
    const char *target;
    const struct gpu_cfg *cfg;
};

static bool run_whole(void *user, int n, struct whole_run *run, struct err *e)
{
    const struct whole *w = user;
    struct simulation one;
    if (!simulate(w->target, w->cfg, n, &one, e))
        return false;
    *run = (struct whole_run){stats_rate(&one.total, RATE_ipc), one.total.warp_insts, one.seconds};
    return true;
}

static bool answer(struct held_out *h, int at, enum effort effort, const char *path,
                   const struct gpu_cfg *cfg, struct err *e)
{
    const struct model_coeffs model = coefficients_model(&h->model);
    struct pilot_coeff pilots;
    struct sample_set set;
    memcpy(&pilots, h->pilots.value, sizeof pilots);
    const struct sampler_opts o = {.cta = -1,
                                   .sample = {.effort = effort,
                                              .by = &h->rules,
                                              .model = &model,
                                              .pilots = pilots,
                                              .max_cycles = 1000000000}};
    struct target *target = target_open(path, NULL, e);
    bool ok = target && sampler_run(target, cfg, &o, &set, e);
    target_free(target);
    if (!ok)
        return false;
    struct prediction *kernel = xcalloc((size_t)set.nkernels, sizeof *kernel), all;
    struct posterior *known = estimate(&model, &pilots, set.kernel, set.nkernels, kernel, &all);
    struct whole of = {path, cfg};
    const struct whole_runs runs = {.pilots = &pilots,
                                    .insts = set.cost.full_warp_insts,
                                    .known = known,
                                    .all = &all,
                                    .run = run_whole,
                                    .user = &of,
                                    .cost = &set.cost};
    ok = (effort != EFFORT_THOROUGH || whole_runs(&runs, e)) && take(h, at, effort, &all, e);
    posterior_free(known);
    free(kernel);
    sample_set_release(&set);
    return ok;
}

static bool try_setting(void *user, int at, struct err *e)
{
    struct held_out *h = user;
    const struct reference *of = &h->row[h->setting[at]];
    struct gpu_cfg cfg = h->base;
    bool ok = true;
    reference_cfg(of, &cfg);
    char *path = xasprintf("%s/%s/launch.cfg", h->dir, of->kernel);
    for (int i = 0; ok && i < EFFORT_COUNT; i++)
        ok = answer(h, at, (enum effort)i, path, &cfg, e);
    free(path);
    return ok;
}

static double kept(const struct held_out *h, enum effort effort, int *worst)
{
    double *v = xcalloc((size_t)h->settings + 1, sizeof *v);
    *worst = 0;
    for (int i = 0; i < h->settings; i++) {
        v[i] = h->result[i * EFFORT_COUNT + (int)effort].kept;
        *worst = v[i] < v[*worst] ? i : *worst;
    }
    const double mean = geometric_mean(v, h->settings);
    free(v);
    return mean;
}

static int print_bars(const struct held_out *h)
{
    static const double wanted[EFFORT_COUNT] = {0.96, 0.985, 0.995};
    int bad = 0, worst;
    for (int i = 0; i < EFFORT_COUNT; i++) {
        char text[96];
        snprintf(text, sizeof text, "held-out kernels: kept of GPGPU-Sim's best, %s",
                 effort_name((enum effort)i));
        bad += bar(text, kept(h, (enum effort)i, &worst), ">=", wanted[i], "%");
    }
    printf("\nGPGPU-Sim's cycles at the chosen n, %d kernels and settings\n"
           "%-16s %10s %8s  worst\n",
           h->settings, "effort", "kept", "worst");
    for (int i = 0; i < EFFORT_COUNT; i++) {
        const double mean = kept(h, (enum effort)i, &worst);
        const struct reference *of = &h->row[h->setting[worst]];
        const struct result *r = &h->result[worst * EFFORT_COUNT + i];
        printf("%-16s %8.2f %% %6.1f %%  %s, n = %d, %d cores, %d KB, L2 %s, %s\n",
               effort_name((enum effort)i), 100 * mean, 100 * r->kept, of->kernel, r->n, of->cores,
               of->l1d_kb, of->l2, of->scheduler);
    }
    return bad;
}

static bool read_model(const char *name, struct coefficients *out, struct err *e)
{
    char *path = datadir_find("coefficients", name, e);
    const bool ok = path && coefficients_load(out, model_find(name), path, e);
    free(path);
    return ok;
}

bool held_out_bars(const char *dir, const char *data, int threads, int *bad, struct err *e)
{
    struct held_out h = {.dir = dir};
    h.row = reference_load(dir, NULL, &h.rows, e);
    bool ok = h.row && gpu_cfg_load(&h.base, data, "gpgpusim321", e) &&
              read_model(MODEL_DEFAULT, &h.model, e) && read_model("pilots", &h.pilots, e) &&
              sampling_load(&h.rules, e);
    if (ok) {
        h.setting = xcalloc((size_t)h.rows, sizeof *h.setting);
        for (int i = 0; i < h.rows; i++)
            if (several_degrees(&h, i))
                h.setting[h.settings++] = i;
        h.result = xcalloc((size_t)h.settings * EFFORT_COUNT + 1, sizeof *h.result);
        ok = pool_run(threads, h.settings, try_setting, &h, e);
    }
    *bad = ok ? print_bars(&h) : 0;
    coefficients_release(&h.model);
    coefficients_release(&h.pilots);
    free(h.setting);
    free(h.result);
    free(h.row);
    return ok;
}
