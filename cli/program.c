#include "cli/program.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/demangle.h"
#include "cli/forecast.h"
#include "model/estimate.h"
#include "program/host.h"
#include "program/online.h"

/* Into the plan's room for a model's coefficients. */
static void give_coefficients(double *room, const struct model_coeffs *c)
{
    BUG_ON(c->model->coeff_size > PROGRAM_COEFFS * sizeof *room, "too many coefficients");
    memcpy(room, c->value, c->model->coeff_size);
}

bool program_plan(struct program_plan *p, const struct options *o, enum program_mode mode,
                  const struct gpu_cfg *cfg, struct err *e)
{
    struct coefficients online;
    *p = (struct program_plan){
        .magic = PROGRAM_MAGIC,
        .bytes = sizeof *p,
        .cfg = *cfg,
        .search = mode == PROGRAM_SEARCH || mode == PROGRAM_COMPARE,
        .sample = mode == PROGRAM_SAMPLE || mode == PROGRAM_COMPARE,
        .functional = o->functional,
        .hot = o->hot || o->listing,
        .race = o->race,
        .lenient = o->lenient,
        .devices = o->devices,
        .memory = o->memory,
        .n = o->n,
        .jobs = o->jobs,
        .perturbed = o->perturbed,
        .cta = o->cta,
        .sampling = {.effort = o->effort, .budget = o->budget, .window = o->window},
        .max_cycles = o->max_cycles,
        .only_launch = o->launch,
        .max_launches = (uint64_t)o->max_launches,
        .anew = (uint64_t)o->anew};
    snprintf(p->kernel, sizeof p->kernel, "%s", o->kernel ? o->kernel : "");
    if (!sampling_load(&p->rules, e) || !online_coefficients(&online, cfg, e))
        return false;
    if (online.model) {
        const struct model_coeffs with = coefficients_model(&online);
        give_coefficients(p->online, &with);
        coefficients_release(&online);
    }
    return true;
}

/* What decides which pilot simulations are worth it. */
static void give_model(struct program_plan *p, const struct program_result *r)
{
    p->sampling.pilots = r->pilots;
    if (!r->model)
        return;
    snprintf(p->model, sizeof p->model, "%s", r->model->name);
    give_coefficients(p->coeff, &r->coeff);
}

char *program_joined(char **word)
{
    char *all = xstrdup(word[0]);
    for (int i = 1; word[i]; i++) {
        char *longer = xasprintf("%s %s", all, word[i]);
        free(all);
        all = longer;
    }
    return all;
}

bool program_check_end(const struct program_end *end, const char *name, struct err *e)
{
    if (end->signal)
        return err_set(e, "%s was ended by signal %d (%s); no result is written", name, end->signal,
                       strsignal(end->signal));
    return true;
}

bool program_check_found(const struct outcome *found, const struct program_end *end,
                         const char *name, struct err *e)
{
    if (found->launches > 0)
        return true;
    if (end->signal)
        return err_set(e, "%s was ended by signal %d (%s) before a launch had ended", name,
                       end->signal, strsignal(end->signal));
    if (found->faults > 0)
        return err_set(e, "%s: no launch succeeded: %s", name, found->fault);
    if (end->code != 0)
        return err_set(e, "%s ended with exit code %d before it launched any kernel", name,
                       end->code);
    if (found->rejections > 0) {
        char *why = program_rejected_text(found, 0);
        err_set(e, "%s: no launch succeeded: %s", name, why);
        free(why);
        return false;
    }
    if (found->devices > 0)
        return err_set(e, "%s launched no kernel: there is nothing to report", name);
    return err_set(e, "%s launches no kernel through the CUDA runtime or driver", name);
}

/* By its samples, and by what a thorough answer simulated of them. What was not is as uncertain as
 * before. */
static void predict_kernel(const struct program_result *r, struct verdict *v)
{
    struct posterior *known =
        estimate(&r->coeff, &r->pilots, v->k->sample, v->k->samples, v->part, &v->p);
    for (int n = 1; n <= v->p.n_max; n++) {
        double share;
        const double ipc = outcome_run_ipc(v->k, v->part, n, &share);
        struct pilot_coeff c = r->pilots;
        c.run_error = hypot(share * c.run_error, (1 - share) * v->p.deviation[n]);
        if (share > 0)
            estimate_run(known, &c, n, ipc, &v->p);
    }
    posterior_free(known);
}

void program_predict(struct program_result *r)
{
    r->v = xcalloc((size_t)r->found->kernels + 1, sizeof *r->v);
    for (int i = 0; i < r->found->kernels; i++) {
        struct verdict *v = &r->v[i];
        v->k = &r->found->kernel[i];
        v->name = demangle(v->k->k.name);
        v->predicted = r->model && v->k->samples > 0;
        v->part = xcalloc((size_t)v->k->samples + 1, sizeof *v->part);
        if (v->predicted)
            predict_kernel(r, v);
        if (v->k->k.n_max > r->n_max)
            r->n_max = v->k->k.n_max;
    }
}

void program_result_fini(struct program_result *r)
{
    for (int i = 0; r->v && i < r->found->kernels; i++) {
        free(r->v[i].name);
        free(r->v[i].part);
    }
    free(r->v);
    r->v = NULL;
    hot_spots_release(&r->hot);
}

/* Of a whole search, or of that at one block size. */
static bool deliver(struct program_result *r, struct delivery *d, const struct program_end *end,
                    struct err *e)
{
    if (!(program_is_of_libraries(r->found) && end->code == 0) &&
        !program_check_found(r->found, end, r->o->arg[0], e))
        return false;
    program_judge(r);
    program_price(r);
    if (r->block_size && !program_blocks_add(r, d, e))
        return false;
    if (r->o->hot || r->o->listing)
        r->hot = program_hot(r);
    if (page_output(&d->page))
        program_output(page_output(&d->page), r);
    if (d->out.format == FORMAT_TEXT) {
        if (r->block_size)
            fprintf(d->out.text, "Blocks of %d threads:\n", r->block_size);
        program_print(d->out.text, r);
        if (r->block_size)
            fputc('\n', d->out.text);
        struct err why;
        if (r->o->listing && !hot_spots_listing(d->out.text, &r->hot, r->o->listing, &why))
            r->unlisted = xstrdup(why.msg);
        return true;
    }
    program_output(&d->out, r);
    program_notes(stderr, "mdpredict: ", r);
    return true;
}

/* *missing: what was asked for and is not there, for the caller to free; NULL: nothing. */
static bool run(struct program_result *r, struct delivery *d, char **missing, struct err *e)
{
    struct options *o = r->o;
    struct program_plan plan;
    struct program_end end = {0};
    if (!program_plan(&plan, o, r->mode, r->cfg, e))
        return false;
    give_model(&plan, r);
    bool quiet = o->format != FORMAT_TEXT && strcmp(o->output, "-") == 0;
    bool ok = program_run(o->arg, &plan, quiet, &end, e) &&
              outcome_read(end.records, end.bytes, r->found, e);
    r->exit_code = end.signal ? 128 + end.signal : end.code; /* as shells have it */
    r->refused = r->found->refused > 0 ? xstrdup(r->found->fault) : NULL;
    if (end.signal)
        r->stopped = xasprintf("%s was ended by signal %d (%s)", o->arg[0], end.signal,
                               strsignal(end.signal));
    if (ok) {
        program_predict(r);
        ok = deliver(r, d, &end, e);
    }
    program_result_fini(r);
    r->races = r->found->races;
    if (ok)
        *missing = program_missing(r);
    outcome_release(r->found);
    program_end_release(&end);
    return ok;
}

bool program_options(struct options *o, struct err *e)
{
    o->bad_usage = true;
    if (o->interval_out || o->given & OPT(INTERVAL) || o->per_core)
        return err_set(
            e, "--interval, --interval-out and --per-core are for targets, not for programs");
    if (o->launch >= 0 && o->functional)
        return err_set(e, "--functional simulates no launch in detail: no --launch");
    if (o->suite || o->size)
        return err_set(e, "--suite and --size are for targets, not for programs");
    o->bad_usage = false;
    return true;
}

/* The result is written: does it hold all that was asked for? */
static bool is_whole(const struct program_result *r, const char *missing, struct err *e)
{
    const char *name = r->o->arg[0];
    if (r->stopped)
        return err_set(e, "%s", r->stopped);
    if (r->exit_code != 0)
        return err_set(e, "%s ended with exit code %d", name, r->exit_code);
    if (r->refused)
        return err_set(e, "%s did not get all that it asked for: %s", name, r->refused);
    if (r->unlisted)
        return err_set(e, "%s", r->unlisted);
    if (!races_none(name, r->races, e))
        return false;
    return !missing || err_set(e, "%s: %s", name, missing);
}

/* As the user wrote it: --build has put a temporary program in the place of the source. */
static char *command_line(const struct options *o)
{
    char *program = o->arg[0];
    if (o->source)
        o->arg[0] = (char *)(uintptr_t)o->source;
    char *joined = program_joined(o->arg);
    o->arg[0] = program;
    return joined;
}

/* Runs the program once, and says what it lacks after what it has. *lacks: what is missing from the
 * result. */
static bool run_once(const struct program_result *as, struct delivery *d, struct err *lacks,
                     struct err *e)
{
    struct outcome found = {0};
    struct program_result r = *as;
    char *missing = NULL;
    r.found = &found;
    const bool ok = run(&r, d, &missing, e);
    if (ok && !lacks->msg[0])
        is_whole(&r, missing, lacks);
    free(missing);
    free(r.stopped);
    free(r.refused);
    free(r.unlisted);
    return ok;
}

/* Once, or once for each block size. */
static bool run_all(struct program_result *as, struct delivery *d, struct err *lacks, struct err *e)
{
    const struct numbers *sizes = &as->o->block_sizes;
    if (!sizes->n)
        return run_once(as, d, lacks, e);
    bool ok = true;
    if (d->out.format != FORMAT_TEXT)
        output_array(&d->out, NULL);
    for (int i = 0; ok && i < sizes->n; i++) {
        as->block_size = (int)sizes->v[i];
        program_blocks_tell(as->block_size);
        ok = run_once(as, d, lacks, e);
    }
    if (d->out.format != FORMAT_TEXT)
        output_up(&d->out);
    else if (ok)
        block_choices_print(d->out.text, &d->blocks);
    block_choices_free(&d->blocks);
    return ok;
}

bool program_command(struct options *o, enum program_mode mode, struct err *e)
{
    struct gpu_cfg cfg;
    struct delivery d = {0};
    struct coefficients coeff = {0};
    bool wants_model = mode == PROGRAM_SAMPLE || mode == PROGRAM_COMPARE;
    struct pilot_coeff pilots = {0};
    if (!program_options(o, e) || !options_gpu(o, &cfg, e) ||
        (wants_model && !(forecast_pilots(&pilots, e) && forecast_model(o, &coeff, e))))
        return false;
    if (wants_model)
        forecast_say_cost(o, &pilots);
    struct program_result r = {.mode = mode,
                               .o = o,
                               .cfg = &cfg,
                               .model = coeff.model,
                               .coeff = coefficients_model(&coeff),
                               .pilots = pilots,
                               .command = command_line(o)};
    struct err lacks = {0};
    bool ok = output_open(&d.out, o, e) && page_open(&d.page, o, e) && run_all(&r, &d, &lacks, e);
    ok = page_close(&d.page, ok, e);
    ok = output_close(&d.out, ok, e) && (!lacks.msg[0] || err_set(e, "%s", lacks.msg));
    free(r.command);
    coefficients_release(&coeff);
    return ok;
}
