#include "cli/keys.h"

#include <stdlib.h>
#include <string.h>

#include "base/stats.h"
#include "fitter/eval/metrics.h"
#include "model/model.h"
#include "sim/sm/sched/sched_counts.h"

typedef void each_fn(void *user, const struct output_row *key);

static void walk_of(const char *of, each_fn *each, void *user)
{
#define X(table) table,
    static const struct output_row *const tables[] = {KEY_TABLES(X)};
#undef X
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        for (const struct output_row *r = tables[i]; r->name; r++)
            if (r->of && strcmp(r->of, of) == 0)
                each(user, r);
}

/* Of tables that other rooms have. */
static void walk_one(const char *of, const char *name, const char *unit, const char *help,
                     each_fn *each, void *user)
{
    each(user, &(struct output_row){of, name, unit, help, .type = OUTPUT_COMPUTED});
}

static void walk_statistics(each_fn *each, void *user)
{
    for (const struct stat_row *r = run_counter_rows; r->name; r++)
        walk_one("statistic", r->name, "", r->help, each, user);
    for (const struct stat_row *r = run_rate_rows; r->name; r++)
        walk_one("statistic", r->name, "", r->help, each, user);
}

static void walk_sample(each_fn *each, void *user)
{
    for (const struct sample_row *r = sample_rows; r->name; r++)
        walk_one(r->record ? "record" : "sample", r->name, r->unit, r->help, each, user);
    for (const struct sample_array *a = sample_arrays; a->name; a++) {
        char *help = xasprintf("by n: %s", a->help);
        walk_one(a->record ? "record" : "sample", a->name, a->unit, help, each, user);
        free(help);
    }
}

static void walk_models(each_fn *each, void *user)
{
    const struct model_ops *m;
    for (int i = 0; (m = model_at(i)); i++)
        for (const struct model_column *c = m->columns; c && c->name; c++)
            walk_one(m->name, c->name, c->unit, c->help, each, user);
}

void keys_walk(each_fn *each, void *user)
{
    walk_of("answer", each, user);
    walk_of("price", each, user);
    walk_sample(each, user);
    walk_of("explain", each, user);
    walk_of("occupancy", each, user);
    walk_models(each, user);
    walk_of("program", each, user);
    walk_statistics(each, user);
    walk_of("other", each, user);
    walk_of("command", each, user);
    for (const struct sched_counter_row *r = sched_counter_rows; r->name; r++)
        walk_one("command", r->name, r->unit, r->help, each, user);
    for (const struct metric_row *r = metric_rows; r->name; r++)
        walk_one("command", r->name, "", r->help, each, user);
}
