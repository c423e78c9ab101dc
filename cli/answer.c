#include "cli/answer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/demangle.h"
#include "base/wrap.h"
#include "cli/keys.h"
#include "cli/sample_report.h"

#define INDENT 10
#define FEW    4 /* kernels */

struct gain answer_gain(const struct prediction *p)
{
    const int n = p->chosen_n, m = p->n_max;
    const double factor = p->ipc[m] > 0 ? p->ipc[n] / p->ipc[m] : 1;
    const double by = exp(MODEL_DEVIATIONS_80 * p->gain_deviation);
    const bool known = n == m || p->gain_deviation > 0;
    return (struct gain){.mean = factor - 1,
                         .known = known,
                         .low = known ? factor / by - 1 : NAN,
                         .high = known ? factor * by - 1 : NAN};
}

static char *gain_text(const struct gain *g, int n, int deflt)
{
    if (n == deflt)
        return xasprintf("none: no other degree promises enough more than n = %d", deflt);
    if (!g->known)
        return xasprintf("%+.1f %% over n = %d; by how much that may be off is not known",
                         100 * g->mean, deflt);
    return xasprintf("%+.1f %% over n = %d; %+.1f to %+.1f %% with a probability of 80 %%",
                     100 * g->mean, deflt, 100 * g->low, 100 * g->high);
}

/* A kernel's own n where all are to have n. */
static int own_n(const struct explanation *x, int i, int n)
{
    const int most = x->kernels.prediction[i].n_max;
    return n < most ? n : most;
}

/* Groups of a kernel's launches with like CTAs are told once. */
static bool was_told(const struct explanation *x, int i)
{
    const struct sample *s = x->kernels.sample;
    for (int k = 0; k < i; k++)
        if (set_degree_is_same(s[k].kernel, &x->uses[k], s[i].kernel, &x->uses[i]))
            return true;
    return false;
}

void answer_blocks(FILE *out, const struct sm_cfg *c, const struct cta_resources *k, int n,
                   const char *kernel, const char *more)
{
    char *blocks = set_degree_blocks(c, k, n);
    char *text = blocks ? xasprintf("Blocks of %s: %s%s.", kernel, blocks, more) : NULL;
    if (text)
        wrap_print(out, text, 0, 4, WRAP_SCREEN);
    free(text);
    free(blocks);
}

static void print_how(FILE *out, const struct explanation *x, int i)
{
    char how[SET_DEGREE_ROOM];
    const int n = own_n(x, i, x->all->chosen_n);
    char *name = demangle_said(x->kernels.sample[i].kernel);
    char *text = xasprintf("How to get n = %d of %s: %s.", n, name,
                           set_degree_text(x->sm, &x->uses[i], n, how));
    wrap_print(out, text, 0, 4, WRAP_SCREEN);
    free(text);
    if (strcmp(x->kernels.prediction[i].bound[n], bound_name(BOUND_GRID)) != 0)
        answer_blocks(out, x->sm, &x->uses[i], n, name, "");
    free(name);
}

static void print_hows(FILE *out, const struct answer *a)
{
    const struct explanation *x = a->of;
    int told = 0, more = 0;
    for (int i = 0; i < x->kernels.kernels; i++) {
        if (was_told(x, i))
            continue;
        if (told < FEW || a->every_kernel) {
            print_how(out, x, i);
            told++;
        } else {
            more++;
        }
    }
    if (more)
        fprintf(out, "... and of %d more kernels: --explain\n", more);
}

/* Degrees that are left undecided, [1 ..]; returns how many. */
static int undecided(const struct prediction *p, double out[MODEL_N_MAX + 1])
{
    int count = 0;
    for (int n = 1; n <= p->n_max; n++)
        if (p->undecided[n])
            out[++count] = n;
    return count;
}

char *answer_undecided(const struct prediction *p)
{
    double n[MODEL_N_MAX + 1];
    const int count = undecided(p, n);
    char *list = NULL;
    for (int i = 1; i <= count; i++) {
        char *longer = xasprintf("%s%s%.0f", list ? list : "n = ", list ? ", " : "", n[i]);
        free(list);
        list = longer;
    }
    return list;
}

static void print_undecided(FILE *out, const struct prediction *p)
{
    char *list = answer_undecided(p);
    if (list)
        wrap_field(out, "open", INDENT, "%s may be better still", list);
    free(list);
}

void answer_print(FILE *out, const struct answer *a)
{
    const struct explanation *x = a->of;
    const struct prediction *p = x->all;
    const struct gain g = answer_gain(p);
    char *gain = gain_text(&g, p->chosen_n, p->n_max);
    fprintf(out, "Chosen: n = %d CTAs at once on each core", p->chosen_n);
    fprintf(out, p->chosen_n == p->n_max ? ", as many as fit.\n\n" : "; as many as fit: %d.\n\n",
            p->n_max);
    wrap_field(out, "of", INDENT, "%s on %s; effort %s, model %s", x->title, a->gpu,
               effort_name(a->effort), x->model->name);
    wrap_field(out, "gain", INDENT, "%s", gain);
    const bool known = strcmp(p->bound[p->chosen_n], bound_name(BOUND_UNKNOWN)) != 0 ||
                       strcmp(p->bound[p->n_max], bound_name(BOUND_UNKNOWN)) != 0;
    if (known)
        wrap_field(out, "bound", INDENT, "n = %d: %s", p->chosen_n, p->bound[p->chosen_n]);
    if (known && p->chosen_n != p->n_max)
        wrap_field(out, "", INDENT, "n = %d: %s", p->n_max, p->bound[p->n_max]);
    print_undecided(out, p);
    price_print(out, a->price, INDENT);
    fputc('\n', out);
    print_hows(out, a);
    free(gain);
}

const char *answer_effort_text(const void *field)
{
    return effort_name(*(const enum effort *)field);
}

const struct output_row query_rows[] = {
    {"answer", "target", "", "what was sampled", OUTPUT_FIELD(struct query, target)},
    {"answer", "gpu", "", "on which GPU", OUTPUT_FIELD(struct query, gpu)},
    {"answer", "model", "", "by which model", OUTPUT_FIELD(struct query, model)},
    {"answer", "effort", "", "at which effort",
     OUTPUT_AS(struct query, effort, answer_effort_text)},
    {.name = NULL}};

static void write_undecided(struct output *out, const char *name, const void *prediction)
{
    double n[MODEL_N_MAX + 1];
    output_reals(out, name, n, undecided(prediction, n));
}

const struct output_row choice_rows[] = {
    {"answer", "chosen_n", "CTAs", "the degree; so of each kernel, as are the predictions",
     OUTPUT_FIELD(struct prediction, chosen_n)},
    {"command", "least_n", "CTAs",
     "of kernels that do not run with fewer at once, whose CTAs wait for others: what is said of "
     "fewer is that of so many",
     OUTPUT_FIELD(struct prediction, least), .from = 2},
    {.name = NULL}};
const struct output_row gain_rows[] = {
    {"answer", "predicted_gain", "ratio", "of it over n_max, the default; 0.1: ten per cent",
     OUTPUT_FIELD(struct gain, mean)},
    {"answer", "predicted_gain_low", "ratio",
     "it lies above this and below the next with a probability of 80 %; null: not known",
     OUTPUT_FIELD(struct gain, low)},
    {"answer", "predicted_gain_high", "ratio", "", OUTPUT_FIELD(struct gain, high)},
    {.name = NULL}};
const struct output_row undecided_rows[] =
    OUTPUT_ONE("answer", "undecided", "CTAs",
               "array of those n that may be better than chosen_n still", .write = write_undecided);

void answer_output(struct output *out, const struct prediction *p)
{
    const struct gain g = answer_gain(p);
    output_rows(out, choice_rows, p);
    output_rows(out, gain_rows, &g);
    answer_output_undecided(out, p);
}

void answer_output_undecided(struct output *out, const struct prediction *p)
{
    output_rows(out, undecided_rows, p);
}
