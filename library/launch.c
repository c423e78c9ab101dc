/* launch.c -- what is done with a launch, and its result. Simulating in place, searching and
 * sampling are those of a CUDA program's launches (program/measure.h). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/datadir.h"
#include "base/nowhere.h"
#include "fitter/fit/coefficients.h"
#include "library/library.h"
#include "model/estimate.h"
#include "model/pilots.h"

static bool fits(const struct mdpredict_device *d, const struct launch *l, int *n_max,
                 struct err *e)
{
    enum occ_limit why;
    *n_max = gpu_occupancy(&d->plan.cfg, l, &why);
    return *n_max >= 1 || err_set(e, "kernel %s: not even one CTA fits on a core (%s)",
                                  l->kernel->name, occ_limit_name(why));
}

static bool look(struct mdpredict_device *d, struct launch *l, struct err *e)
{
    return fits(d, l, &d->n, e);
}

static bool execute(struct mdpredict_device *d, struct launch *l, struct err *e)
{
    struct func_counts c = {0};
    int n_max;
    if (!fits(d, l, &n_max, e))
        return false;
    return func_run(l, &(struct func_opts){.resident = n_max * d->plan.cfg.top.cores}, &c, e);
}

static bool simulate(struct mdpredict_device *d, struct launch *l, struct err *e)
{
    struct mdpredict_result *r = d->result;
    if (!fits(d, l, &r->n_max, e))
        return false;
    const int least = gpu_least_degree(&d->plan.cfg, l);
    r->n = d->n && d->n < r->n_max ? d->n : r->n_max;
    r->n = r->n < least && least <= r->n_max ? least : r->n;
    r->run = xcalloc((size_t)r->n_max + 1, sizeof *r->run);
    r->run[r->n].n = r->n;
    return measure_launch(&d->gpu, &d->plan, l, &(struct measure_opts){0}, &r->run[r->n], e);
}

static bool search(struct mdpredict_device *d, struct launch *l, struct err *e)
{
    struct mdpredict_result *r = d->result;
    struct degrees degrees = {0};
    if (!fits(d, l, &r->n_max, e))
        return false;
    r->run = xcalloc((size_t)r->n_max + 1, sizeof *r->run);
    const bool ok = measure_degrees(
        &degrees, &d->plan, l, &(struct measured_degrees){.out = r->run, .n_max = r->n_max}, e);
    degrees_free(&degrees);
    r->n = r->run[1].ran;
    for (int n = r->n + 1; ok && n <= r->n_max; n++)
        if (r->run[n].stats.cycles < r->run[r->n].stats.cycles)
            r->n = n;
    return ok;
}

/* Executed on a copy of memory, to see what a sample has to stand for. */
static bool facts_of(struct mdpredict_device *d, const struct launch *l, struct launch_facts *facts,
                     struct err *e)
{
    struct launch copy = *l;
    struct launch_watch watch;
    struct func_opts o = {0};
    struct func_counts c = {0};
    copy.printf_file = nowhere_open();
    copy.mem = devmem_share(l->mem);
    launch_watch_begin(&watch, &d->plan.cfg, l, &d->plan.rules.watch, &o);
    o.resident = gpu_resident_ctas(&d->plan.cfg, l);
    const bool ok = func_run(&copy, &o, &c, e);
    if (ok)
        *facts = launch_facts_of(&c, &watch, &d->plan.rules.similarity);
    launch_watch_end(&watch);
    devmem_free(copy.mem);
    fclose(copy.printf_file);
    return ok;
}

static bool coefficients_of(const struct model_ops *m, struct coefficients *c, struct err *e)
{
    char *path = datadir_find("coefficients", m->name, e);
    const bool ok = path && coefficients_load(c, m, path, e);
    free(path);
    return ok;
}

/* What is known of it: the model, put right by pilots and by runs of the whole. */
static void decide(const struct mdpredict_device *d, const struct coefficients *c,
                   const struct record_sample *s, struct mdpredict_result *r)
{
    struct prediction kernel;
    const struct model_coeffs with = coefficients_model(c);
    const struct pilot_coeff *pilots = &d->plan.sampling.pilots;
    struct posterior *known = estimate(&with, pilots, &s->sample, 1, &kernel, &r->known);
    for (int i = 0; i < s->runs.count; i++)
        estimate_run(known, pilots, s->runs.n[i], s->runs.ipc[i], &r->known);
    posterior_free(known);
    r->predicted = true;
    r->n = r->known.chosen_n;
    r->n_max = r->known.n_max;
}

static bool sample_with(struct mdpredict_device *d, const struct coefficients *c, struct launch *l,
                        struct err *e)
{
    struct launch_facts facts;
    if (!facts_of(d, l, &facts, e))
        return false;
    struct record_sample *s = xcalloc(1, sizeof *s);
    struct model_coeffs model;
    struct sampling_driver driver;
    measure_driver(&d->plan, &model, &driver);
    driver.program_insts = (double)facts.warp_insts; /* it is all there is */
    driver.rates = d->rates;
    sampling_driver_begin(&driver);
    const bool ok =
        measure_sample(&driver, &d->plan, &(struct sampled_launch){.l = l, .facts = &facts}, s, e);
    d->rates = driver.rates;
    sampling_driver_end(&driver);
    if (ok)
        decide(d, c, s, d->result);
    free(s);
    return ok;
}

static bool sample(struct mdpredict_device *d, struct launch *l, struct err *e)
{
    struct coefficients c, pilots;
    const struct model_ops *m = model_find(MODEL_DEFAULT);
    if (!fits(d, l, &d->result->n_max, e) || !coefficients_of(&model_pilots, &pilots, e))
        return false;
    memcpy(&d->plan.sampling.pilots, pilots.value, sizeof d->plan.sampling.pilots);
    coefficients_release(&pilots);
    if (!coefficients_of(m, &c, e))
        return false;
    snprintf(d->plan.model, sizeof d->plan.model, "%s", m->name);
    memcpy(d->plan.coeff, c.value, m->coeff_size);
    const bool ok = sample_with(d, &c, l, e);
    coefficients_release(&c);
    return ok;
}

/* -- the launch as it was given */

static bool shape_of(const struct mdpredict_launch *l, struct launch_shape *s, struct err *e)
{
    const unsigned *g = l->grid, *b = l->block;
    if (!launch_grid_ok(g[0], g[1], g[2]))
        return err_set(e, "a grid of %u x %u x %u CTAs cannot be launched", g[0], g[1], g[2]);
    if (!launch_block_ok(b[0], b[1], b[2]))
        return err_set(e, "a block of %u x %u x %u threads cannot be launched", b[0], b[1], b[2]);
    if (l->shared_bytes > INT32_MAX)
        return err_set(e, "%zu bytes of shared memory are too many", l->shared_bytes);
    *s = (struct launch_shape){.grid = {(int)g[0], (int)g[1], (int)g[2]},
                               .block = {(int)b[0], (int)b[1], (int)b[2]},
                               .dyn_shared = (uint32_t)l->shared_bytes};
    return true;
}

static bool pack(const struct kernel *k, const struct mdpredict_launch *l, uint8_t *out,
                 struct err *e)
{
    if (l->arguments != (size_t)k->nparam)
        return err_set(e, "kernel %s takes %d arguments, not %zu", k->name, k->nparam,
                       l->arguments);
    for (int i = 0; i < k->nparam; i++) {
        if (!l->argument || !l->argument[i])
            return err_set(e, "kernel %s: argument %d is missing", k->name, i);
        memcpy(out + k->param[i].off, l->argument[i], k->param[i].bytes);
    }
    return true;
}

typedef bool act_fn(struct mdpredict_device *d, struct launch *l, struct err *e);

static bool perform(const struct mdpredict_launch *l, act_fn *act, struct mdpredict_result *r,
                    int *n)
{
    struct err *e = library_begin();
    struct launch_shape s;
    if (!l || !l->module || !l->kernel)
        return err_set(e, "no %s is given", !l ? "launch" : l->module ? "kernel" : "module");
    struct mdpredict_device *d = l->module->device;
    struct kernel *k = kernel_get(l->module->module, l->kernel, e);
    if (!k || !shape_of(l, &s, e))
        return false;
    uint8_t *params = xcalloc(1, k->param_bytes ? k->param_bytes : 1);
    d->act = act;
    d->result = r;
    d->n = *n;
    const bool ok = pack(k, l, params, e) && context_launch(d->context, k, &s, params, e);
    *n = d->n;
    free(params);
    return ok;
}

static struct mdpredict_result *result_of(const struct mdpredict_launch *l, act_fn *act, int n)
{
    struct mdpredict_result *r = xcalloc(1, sizeof *r);
    if (perform(l, act, r, &n))
        return r;
    mdpredict_result_free(r);
    return NULL;
}

int mdpredict_occupancy(const struct mdpredict_launch *launch)
{
    int n = 0;
    return perform(launch, look, NULL, &n) ? n : -1;
}

int mdpredict_execute(const struct mdpredict_launch *launch)
{
    int n = 0;
    return perform(launch, execute, NULL, &n) ? 0 : -1;
}

struct mdpredict_result *mdpredict_simulate(const struct mdpredict_launch *launch, int n)
{
    if (n >= 0)
        return result_of(launch, simulate, n);
    err_set(library_begin(), "%d CTAs at once on a core: there is no such degree", n);
    return NULL;
}

struct mdpredict_result *mdpredict_search(const struct mdpredict_launch *launch)
{
    return result_of(launch, search, 0);
}

struct mdpredict_result *mdpredict_sample(const struct mdpredict_launch *launch, const char *effort)
{
    struct err *e = library_begin();
    enum effort how = EFFORT_DEFAULT;
    if (effort && !effort_find(effort, &how)) {
        err_set(e, "no effort is called \"%s\"; there are window, quick, thorough", effort);
        return NULL;
    }
    if (launch && launch->module)
        launch->module->device->plan.sampling.effort = how;
    return result_of(launch, sample, 0);
}

/* -- results */

int mdpredict_result_n(const struct mdpredict_result *result)
{
    return result ? result->n : -1;
}

int mdpredict_result_n_max(const struct mdpredict_result *result)
{
    return result ? result->n_max : -1;
}

static bool predicted(const struct prediction *p, int n, const char *name, double *value)
{
    const struct {
        const char *name;
        const double *by_n;
    } rows[] = {{"ipc", p->ipc},
                {"dram_reads_per_cta", p->dram_reads_per_cta},
                {"miss_rate", p->miss_rate},
                {"mf_latency", p->mf_latency},
                {"cta_cycles", p->cta_cycles}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].name, name) == 0) {
            *value = rows[i].by_n[n];
            return true;
        }
    return false;
}

static bool counted(const struct run_stats *s, const char *name, double *value)
{
    for (const struct stat_row *r = run_counter_rows; r->name; r++)
        if (strcmp(r->name, name) == 0) {
            *value = (double)*(const uint64_t *)(const void *)((const char *)s + r->off);
            return true;
        }
    for (const struct stat_row *r = run_rate_rows; r->name; r++)
        if (strcmp(r->name, name) == 0) {
            *value = stats_rate(s, (enum run_rate)r->off);
            return true;
        }
    return false;
}

int mdpredict_result_value(const struct mdpredict_result *result, int n, const char *name,
                           double *value)
{
    struct err *e = library_begin();
    if (!result || !name || !value)
        return err_set(e, "no %s is given", !result ? "result" : !name ? "name" : "value") ? 0 : -1;
    if (n < 1 || n > result->n_max || (result->run && !result->run[n].n))
        return err_set(e, "n = %d has no values in this result", n) ? 0 : -1;
    if (result->predicted ? predicted(&result->known, n, name, value)
                          : counted(&result->run[n].stats, name, value))
        return 0;
    return err_set(e, "a result has no value called \"%s\"", name) ? 0 : -1;
}

void mdpredict_result_free(struct mdpredict_result *result)
{
    if (!result)
        return;
    free(result->run);
    free(result);
}
