#include "cli/choices.h"

#include <stdio.h>
#include <string.h>

#include "base/datadir.h"
#include "cli/list.h"
#include "fitter/eval/cross_validation.h"
#include "fitter/fit/least_squares.h"
#include "model/model.h"
#include "sim/cta/cta_scheduler.h"
#include "sim/frontend/workload.h"
#include "sim/gpu/gpu_cfg.h"
#include "sim/gpu/gpu_choices.h"

static void gpus(choice_fn *each, void *user)
{
    char **names = datadir_list("gpus", NULL);
    for (char **n = names; n && *n; n++)
        each(user, *n);
    datadir_list_free(names);
}

static void parameters(choice_fn *each, void *user)
{
    char name[PARAM_NAME_LEN + 1];
    for (const struct param_group *g = gpu_cfg_groups(); g->rows; g++)
        for (int i = 0; i < g->nrows; i++)
            each(user, strcat(params_name(g, &g->rows[i], name), "="));
}

static void of_parameter(const char *parameter, choice_fn *each, void *user)
{
    for (int i = 0; gpu_choice(parameter, i); i++)
        each(user, gpu_choice(parameter, i));
}

static void warp_schedulers(choice_fn *each, void *user)
{
    of_parameter("warp_scheduler", each, user);
}

static void cta_schedulers(choice_fn *each, void *user)
{
    of_parameter("cta_scheduler", each, user);
}

static void models(choice_fn *each, void *user)
{
    for (int i = 0; model_at(i); i++)
        each(user, model_at(i)->name);
}

static void efforts(choice_fn *each, void *user)
{
    for (int i = 0; i < EFFORT_COUNT; i++)
        each(user, effort_name((enum effort)i));
}

static void orders(choice_fn *each, void *user)
{
    for (int i = 0; i < WORKLOAD_ORDER_COUNT; i++)
        each(user, workload_order_name((enum workload_order)i));
}

/* Has `text`, names with ", " between them, that one? */
static bool among(const char *text, const char *name, size_t len)
{
    for (const char *at = text; *at; at += strspn(at, ", ")) {
        const size_t n = strcspn(at, ",");
        if (n == len && strncmp(at, name, n) == 0)
            return true;
        at += n;
    }
    return false;
}

static void suites(choice_fn *each, void *user)
{
    char name[64];
    for (int i = 0; workloads[i]; i++)
        for (const char *at = workloads[i]->suite; *at; at += strspn(at, ", ")) {
            const size_t n = strcspn(at, ",");
            bool seen = false;
            for (int j = 0; j < i && !seen; j++)
                seen = among(workloads[j]->suite, at, n);
            snprintf(name, sizeof name, "%.*s", (int)n, at);
            if (!seen)
                each(user, name);
            at += n;
        }
}

static bool has_size(const struct workload *w, const char *name)
{
    const struct workload_size *s = w->size;
    while (s->name && strcmp(s->name, name) != 0)
        s++;
    return s->name;
}

static void sizes(choice_fn *each, void *user)
{
    for (int i = 0; workloads[i]; i++)
        for (const struct workload_size *s = workloads[i]->size; s->name; s++) {
            bool seen = false;
            for (int j = 0; j < i && !seen; j++)
                seen = has_size(workloads[j], s->name);
            if (!seen)
                each(user, s->name);
        }
}

static void methods(choice_fn *each, void *user)
{
#define X(name, symbol, help) each(user, name);
    LS_METHODS(X)
#undef X
}

static void fit_gpus(choice_fn *each, void *user)
{
    for (int i = 0; i < CV_GPUS; i++)
        each(user, cv_gpus_name((enum cv_gpus)i));
}

static void bundled(choice_fn *each, void *user)
{
    for (int i = 0; workloads[i]; i++)
        each(user, workloads[i]->name);
}

static void topics(choice_fn *each, void *user)
{
    for (int i = 0; list_topic_name(i); i++)
        each(user, list_topic_name(i));
}

static void tables(choice_fn *each, void *user)
{
    each(user, "runs");
    each(user, "samples");
    each(user, "prices");
}

static void shells(choice_fn *each, void *user)
{
    each(user, "bash");
    each(user, "zsh");
    each(user, "fish");
}

typedef void source_fn(choice_fn *each, void *user);

static const struct {
    enum option_id option;
    source_fn *names;
} of_option[] = {{OPT_FIT_GPUS, fit_gpus},
                 {OPT_GPU, gpus},
                 {OPT_SET, parameters},
                 {OPT_WARP_SCHEDULER, warp_schedulers},
                 {OPT_WARP_SCHEDULERS, warp_schedulers},
                 {OPT_CTA_SCHEDULER, cta_schedulers},
                 {OPT_CTA_SCHEDULERS, cta_schedulers},
                 {OPT_ORDER, orders},
                 {OPT_SUITE, suites},
                 {OPT_SIZE, sizes},
                 {OPT_FIGURE_SIZE, sizes},
                 {OPT_EFFORT, efforts},
                 {OPT_MODEL, models},
                 {OPT_MODELS, models},
                 {OPT_METHOD, methods},
                 {OPT_HOLD_OUT, bundled}};

static source_fn *const of_command[COMMAND_COUNT] = {
    [COMMAND_run] = bundled,     [COMMAND_search] = bundled,    [COMMAND_sample] = bundled,
    [COMMAND_compare] = bundled, [COMMAND_profile] = bundled,   [COMMAND_disasm] = bundled,
    [COMMAND_trace] = bundled,   [COMMAND_list] = topics,       [COMMAND_export] = tables,
    [COMMAND_import] = tables,   [COMMAND_completion] = shells,
};

void choices_of_option(const struct option_row *r, choice_fn *each, void *user)
{
    for (size_t i = 0; i < sizeof of_option / sizeof *of_option; i++)
        if (r == &option_rows[of_option[i].option])
            of_option[i].names(each, user);
}

void choices_of_command(const struct command *c, choice_fn *each, void *user)
{
    if (of_command[c->id])
        of_command[c->id](each, user);
}

bool choices_option_path(const struct option_row *r)
{
    return r->arg && (strstr(r->arg, "FILE") || strstr(r->arg, "DIR") || strstr(r->arg, "FOLDER"));
}

bool choices_command_path(const struct command *c)
{
    return strstr(c->args, "TARGET") || strstr(c->args, "FILE");
}
