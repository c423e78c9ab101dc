/* program_report.c -- what is known of a program's kernels, as text: the answer first. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/demangle.h"
#include "base/table.h"
#include "base/wrap.h"
#include "cli/answer.h"
#include "cli/block_sizes.h"
#include "cli/chart.h"
#include "cli/program.h"

/* A column of the table of kernels. */
struct column {
    const char *head;
    char align;
    unsigned modes; /* of the commands that show it, a bit each */
    bool counters;  /* with --counters alone */
    void (*cell)(struct table *t, const struct verdict *v);
};
#define IN(mode)   (1u << PROGRAM_##mode)
#define OF_SEVERAL (1u << 8) /* where there are several devices */
#define IN_ALL     (IN(RUN) | IN(SAMPLE) | IN(SEARCH) | IN(COMPARE))
#define IN_TEST    (IN(SAMPLE) | IN(SEARCH) | IN(COMPARE)) /* a degree is chosen */

/* With its number, where there are others of this name. Takes `name`; caller frees. */
static char *numbered(char *name, const struct verdict *v)
{
    if (!v->number)
        return name;
    char *out = xasprintf("%s #%d", name, v->number);
    free(name);
    return out;
}

static char *said(const struct verdict *v)
{
    return numbered(demangle_said(v->k->k.name), v);
}

static void cell_kernel(struct table *t, const struct verdict *v)
{
    const int *b = v->k->k.block;
    char *name = numbered(demangle_fit(v->k->k.name, PROGRAM_NAME_ROOM), v);
    table_cell(t, "%s [%dx%dx%d]", name, b[0], b[1], b[2]);
    free(name);
}

static void cell_device(struct table *t, const struct verdict *v)
{
    table_cell(t, "%d", v->k->k.device);
}

static void cell_launches(struct table *t, const struct verdict *v)
{
    table_cell(t, "%llu", (unsigned long long)v->k->launches);
}

static void cell_detailed(struct table *t, const struct verdict *v)
{
    table_cell(t, "%llu", (unsigned long long)v->k->detailed);
}

static void cell_share(struct table *t, const struct verdict *v)
{
    table_cell(t, "%.1f %%", 100 * v->share);
}

static void cell_limit(struct table *t, const struct verdict *v)
{
    table_cell(t, "%d", v->k->k.n_max);
}

static void cell_set_by(struct table *t, const struct verdict *v)
{
    table_cell(t, "%s", occ_limit_name(v->k->k.limit));
}

static void cell_run_n(struct table *t, const struct verdict *v)
{
    const int n = program_run_n(v->k);
    table_cell(t, n ? "%d" : "-", n);
}

static void cell_cycles(struct table *t, const struct verdict *v)
{
    const int n = program_run_n(v->k);
    table_cell(t, n ? "%.0f" : "-", n ? outcome_cycles(v->k, n) : 0);
}

static void cell_ipc(struct table *t, const struct verdict *v)
{
    const int n = program_run_n(v->k);
    table_cell(t, n ? "%.2f" : "-", n ? program_ipc(v->k, n) : 0);
}

static void cell_chosen(struct table *t, const struct verdict *v)
{
    table_cell(t, v->chosen ? "%d" : "-", v->chosen);
}

static void cell_optimum(struct table *t, const struct verdict *v)
{
    table_cell(t, v->chosen ? "%d" : "-", v->optimum);
}

static void cell_kept(struct table *t, const struct verdict *v)
{
    table_cell(t, v->chosen ? "%.1f %%" : "-", 100 * v->kept);
}

static void cell_gain(struct table *t, const struct verdict *v)
{
    table_cell(t, v->chosen ? "%+.1f %%" : "-", 100 * v->gain);
}

/* 80 % lie in. */
static void cell_interval(struct table *t, const struct verdict *v)
{
    const struct gain g = v->predicted ? answer_gain(&v->p) : (struct gain){.known = false};
    if (v->measured) /* its CTAs wait for each other */
        table_cell(t, "simulated");
    else if (g.known)
        table_cell(t, "%+.1f .. %+.1f", 100 * g.low, 100 * g.high);
    else
        table_cell(t, "not known");
}

static void cell_bound(struct table *t, const struct verdict *v)
{
    table_cell(t, "%s", v->predicted ? v->p.bound[v->p.chosen_n] : "-");
}

static void cell_bound_at_limit(struct table *t, const struct verdict *v)
{
    table_cell(t, "%s", v->predicted ? v->p.bound[v->p.n_max] : "-");
}

static const struct column columns[] = {
    {"kernel", 'l', IN_ALL, false, cell_kernel},
    {"device", 'r', IN_ALL | OF_SEVERAL, false, cell_device},
    {"launches", 'r', IN(RUN), false, cell_launches},
    {"launches", 'r', IN_TEST, true, cell_launches},
    {"in detail", 'r', IN(RUN), false, cell_detailed},
    {"in detail", 'r', IN_TEST, true, cell_detailed},
    {"time", 'r', IN_ALL, false, cell_share},
    {"limit", 'r', IN_ALL, false, cell_limit},
    {"set by", 'l', IN(RUN) | IN(SEARCH), false, cell_set_by},
    {"set by", 'l', IN(SAMPLE) | IN(COMPARE), true, cell_set_by},
    {"n", 'r', IN(RUN), false, cell_run_n},
    {"cycles", 'r', IN(RUN), false, cell_cycles},
    {"IPC", 'r', IN(RUN), false, cell_ipc},
    {"chosen n", 'r', IN(SAMPLE) | IN(COMPARE), false, cell_chosen},
    {"best n", 'r', IN(SEARCH), false, cell_chosen},
    {"optimum n", 'r', IN(COMPARE), false, cell_optimum},
    {"kept", 'r', IN(COMPARE), false, cell_kept},
    {"gain", 'r', IN_TEST, false, cell_gain},
    {"80 % lie in", 'r', IN(SAMPLE), false, cell_interval},
    {"bound by", 'l', IN(SAMPLE), false, cell_bound},
    {"at the limit", 'l', IN(SAMPLE), false, cell_bound_at_limit},
};
#define COLUMNS (sizeof columns / sizeof *columns)

static bool is_shown(const struct column *c, const struct program_result *r)
{
    return c->modes >> r->mode & 1 && (!c->counters || r->o->counters) &&
           (!(c->modes & OF_SEVERAL) || r->o->devices > 1);
}

bool program_has_row(const struct program_kernel *k)
{
    return k->launches || k->abandoned || k->running;
}

static void print_kernels(FILE *out, const struct program_result *r)
{
    char align[COLUMNS + 1] = "";
    for (size_t i = 0, n = 0; i < COLUMNS; i++)
        if (is_shown(&columns[i], r))
            align[n++] = columns[i].align;
    struct table *t = table_new(align);
    for (size_t i = 0; i < COLUMNS; i++)
        if (is_shown(&columns[i], r))
            table_cell(t, "%s", columns[i].head);
    for (int k = 0; k < r->found->kernels; k++)
        for (size_t i = 0; program_has_row(r->v[k].k) && i < COLUMNS; i++)
            if (is_shown(&columns[i], r))
                columns[i].cell(t, &r->v[k]);
    table_print(t, out);
    table_free(t);
}

/* What they are called in full, once each. */
static void print_numbered(FILE *out, const struct program_result *r)
{
    for (int i = 0; i < r->found->kernels; i++) {
        const struct verdict *v = &r->v[i];
        bool before = !v->number || !program_has_row(v->k);
        for (int j = 0; j < i; j++)
            before |= program_has_row(r->v[j].k) && strcmp(r->v[j].k->k.name, v->k->k.name) == 0;
        if (before)
            continue;
        char *shown = numbered(demangle_fit(v->k->k.name, PROGRAM_NAME_ROOM), v);
        char *name = demangle_short(v->k->k.name), *text = xasprintf("%s: %s", shown, name);
        wrap_print(out, text, 0, 4, WRAP_SCREEN);
        free(text);
        free(name);
        free(shown);
    }
}

static void print_how(FILE *out, const struct verdict *v)
{
    char *name = said(v);
    char *text = xasprintf("How to get n = %d of %s: %s.", v->chosen, name, v->set);
    wrap_print(out, text, 0, 4, WRAP_SCREEN);
    free(text);
    free(name);
}

/* Not where there are too few CTAs for any block size. */
static void print_blocks(FILE *out, const struct program_result *r, const struct verdict *v)
{
    if (v->predicted && strcmp(v->p.bound[v->chosen], bound_name(BOUND_GRID)) == 0)
        return;
    const struct cta_resources k = program_resources(&v->k->k);
    char *name = said(v);
    answer_blocks(out, &r->cfg->sm, &k, v->chosen, name,
                  " (of a program that reads " BLOCK_SIZE_ENV ")");
    free(name);
}

static void print_undecided(FILE *out, const struct verdict *v)
{
    char *list = v->predicted && !v->measured ? answer_undecided(&v->p) : NULL;
    char *name = said(v);
    if (list) {
        char *text =
            xasprintf("Open: of %s, %s may be better than n = %d still.", name, list, v->chosen);
        wrap_print(out, text, 0, 4, WRAP_SCREEN);
        free(text);
    }
    free(list);
    free(name);
}

/* Of the kernels that are to have another n than now; --explain: of all. */
static void print_hows(FILE *out, const struct program_result *r)
{
    int same = 0;
    fputc('\n', out);
    for (int i = 0; i < r->found->kernels; i++) {
        const struct verdict *v = &r->v[i];
        if (!v->k->launches || !v->chosen)
            continue;
        if (v->chosen != v->deflt || r->o->explain)
            print_how(out, v);
        else
            same++;
        if (r->mode == PROGRAM_SAMPLE)
            print_blocks(out, r, v);
    }
    if (same)
        fprintf(out, "%d of the kernels: as many as fit, as it is.\n", same);
    for (int i = 0; i < r->found->kernels; i++)
        if (r->v[i].k->launches && r->v[i].chosen)
            print_undecided(out, &r->v[i]);
}

/* Of the whole program at n CTAs, each kernel at most its limit; 0: a kernel was not simulated. */
static double whole_ipc(const struct program_result *r, int n)
{
    double cycles = 0, insts = 0;
    for (int i = 0; i < r->found->kernels; i++) {
        const struct verdict *v = &r->v[i];
        if (!v->measured)
            continue;
        cycles += outcome_cycles(v->k, n);
        insts += (double)v->k->thread_insts;
    }
    return cycles > 0 ? insts / cycles : 0;
}

static void print_chart(FILE *out, const struct program_result *r)
{
    struct chart_bar bar[MODEL_N_MAX] = {0};
    int best = outcome_least(r->found);
    for (int n = 1; n <= r->n_max && n <= MODEL_N_MAX; n++) {
        bar[n - 1] = (struct chart_bar){
            .n = n, .value = whole_ipc(r, n), .predicted = -1, .is_default = n == r->n_max};
        best = n > best && bar[n - 1].value >= bar[best - 1].value ? n
                                                                   : best; /* as the table has it */
    }
    bar[best - 1].optimum = true;
    char *title = xasprintf("\n%s of the whole program against n (CTAs at once on each core)",
                            r->o->perturbed ? "Mean IPC" : "IPC");
    chart_print(out, title, bar, r->n_max, chart_utf8());
    free(title);
}

double program_device_seconds(const struct program_result *r)
{
    double cycles = 0;
    for (int i = 0; i < r->found->kernels; i++)
        cycles += r->v[i].cycles;
    return cycles / (r->cfg->clock.core * 1e6);
}

/* Of some kernels. */
static bool leaves_out_waiting(const struct outcome *f)
{
    for (int i = 0; i < f->kernels; i++)
        for (int k = 0; k < f->kernel[i].samples; k++)
            if (sample_leaves_out_waiting(&f->kernel[i].sample[k]))
                return true;
    return false;
}

static void print_totals(FILE *out, const struct program_result *r)
{
    const struct outcome *f = r->found;
    uint64_t warp_insts = 0, thread_insts = 0;
    for (int i = 0; i < f->kernels; i++) {
        warp_insts += f->kernel[i].warp_insts;
        thread_insts += f->kernel[i].thread_insts;
    }
    wrap_line(out, "%s on %s: %llu launch%s of %d kernel%s, %llu in detail, %llu repeated",
              r->command, r->o->gpu, (unsigned long long)f->launches, f->launches == 1 ? "" : "es",
              f->kernels, f->kernels == 1 ? "" : "s", (unsigned long long)f->detailed,
              (unsigned long long)f->repeated);
    wrap_line(out, "%llu warp instructions, %llu thread instructions, %.3f ms on the device%s%s",
              (unsigned long long)warp_insts, (unsigned long long)thread_insts,
              1e3 * program_device_seconds(r), r->mode == PROGRAM_SAMPLE ? ", predicted" : "",
              leaves_out_waiting(f) ? "; how long CTAs wait for others is not known" : "");
    fputc('\n', out);
}

static void explain_kernels(FILE *out, const struct program_result *r)
{
    if (r->o->explain && r->model)
        explain_meanings(out, r->model);
    for (int i = 0; r->o->explain && i < r->found->kernels; i++) {
        struct explanation x;
        if (program_explanation(r, &r->v[i], &x)) {
            explain_print(out, &x);
            free((void *)x.uses);
        }
    }
}

/* --perturbed: each kernel's runs. */
static void print_runs(FILE *out, const struct program_result *r)
{
    for (int i = 0; i < r->found->kernels; i++) {
        if (!r->v[i].measured || !r->v[i].k->perturbed)
            continue;
        const struct perturbed_runs p = program_runs(r, &r->v[i]);
        fprintf(out, "\n%s:\n", r->v[i].name);
        perturbed_print(out, &p, r->o->counters);
    }
}

void program_print(FILE *out, const struct program_result *r)
{
    const bool libraries = program_is_of_libraries(r->found),
               answer_first = r->mode == PROGRAM_SAMPLE && !libraries;
    fputc('\n', out);
    if (!answer_first)
        print_totals(out, r);
    if (libraries) {
        program_notes(out, "", r);
        return;
    }
    print_kernels(out, r);
    print_numbered(out, r);
    fputs("\n", out);
    program_notes(out, "", r);
    if (r->mode != PROGRAM_RUN)
        print_hows(out, r);
    if (answer_first || program_samples(r))
        fputc('\n', out);
    if (answer_first)
        print_totals(out, r);
    if (program_samples(r))
        price_print(out, &r->price, 10);
    if (r->mode == PROGRAM_SEARCH || r->mode == PROGRAM_COMPARE) {
        print_runs(out, r);
        print_chart(out, r);
    }
    explain_kernels(out, r);
    if (r->o->hot)
        hot_spots_print(out, &r->hot, r->o->hot_lines);
    if (r->o->race)
        races_print(out, r->found->race, r->found->races);
    for (int i = 0; r->o->counters && i < r->found->kernels; i++)
        for (int k = 0; k < r->v[i].k->samples; k++)
            sample_print(out, &r->v[i].k->sample[k]);
}
