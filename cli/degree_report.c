#include "cli/degree_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/demangle.h"
#include "cli/keys.h"

const struct output_row degree_rows[] = {
    [DEGREE_OCCUPANCY] =
        {"explain", "occupancy", "",
         "an object: how many CTAs fit on a core, and why; not by n; it and the next "
         "three are of kernels of `run`, `compare` and programs, too",
         .type = OUTPUT_COMPUTED},
    [DEGREE_PASTE] = {"explain", "paste", "",
                      "array of lines of CUDA with which chosen_n CTAs run at once; empty: as it "
                      "is; not by n",
                      .type = OUTPUT_COMPUTED},
    [DEGREE_CARVEOUT] = {"explain", "carveout", "",
                         "a line to go before them where shared memory and L1 are one store; null: "
                         "none; not by n",
                         .type = OUTPUT_COMPUTED},
    [DEGREE_ONE_MORE] = {"explain", "one_more", "",
                         "array of lines for n_max + 1 CTAs, where registers set n_max; else "
                         "empty; not by n",
                         .type = OUTPUT_COMPUTED},
    [DEGREE_ALL] = {"other", "degrees", "",
                    "`compare`, and `search` of a program: an object of arrays by n, of every "
                    "statistic of `run`",
                    .type = OUTPUT_COMPUTED},
    {.name = NULL}};

struct fitting { /* of CTAs on a core */
    const struct sm_cfg *core;
    const struct cta_resources *cta;
    int fit[OCC_LIMITS]; /* by each alone; INT32_MAX: a CTA takes none */
};

const char *degree_limit_text(const void *field)
{
    return occ_limit_name(*(const enum occ_limit *)field);
}

#define CTA(name_, field, unit_, help_)                                          \
    {                                                                            \
        "occupancy", name_, unit_, help_, OUTPUT_VIA(struct fitting, cta, field) \
    }
#define CORE(name_, field, unit_, help_)                                          \
    {                                                                             \
        "occupancy", name_, unit_, help_, OUTPUT_VIA(struct fitting, core, field) \
    }
#define FIT(name_, of, help_)                                                       \
    {                                                                               \
        "occupancy", name_, "CTAs", help_, .type = OUTPUT_INT_OR_NULL,              \
                                           .off = offsetof(struct fitting, fit[of]) \
    }
const struct output_row occupancy_rows[] = {
    CTA("threads_per_cta", threads, "threads", ""),
    CTA("registers_per_thread", regs, "registers", ""),
    CTA("shared_bytes_per_cta", all_shared, "bytes", "static and dynamic"),
    CORE("core_ctas", max_ctas, "CTAs", "that a core has slots for"),
    CORE("core_threads", max_threads, "threads", "of a core"),
    CORE("core_registers", registers, "registers", "of a core"),
    CORE("core_shared_bytes", shared_bytes, "bytes", "of a core"),
    FIT("fit_slots", OCC_SLOTS, "that would fit if nothing but CTA slots were scarce"),
    FIT("fit_threads", OCC_THREADS, "... but threads"),
    FIT("fit_registers", OCC_REGISTERS, "... but registers; null: a CTA takes none"),
    FIT("fit_shared", OCC_SHARED, "... but shared memory; null: a CTA takes none"),
    {"occupancy", "limit", "", "which of these is the least, and sets n_max",
     .via = 1 + offsetof(struct fitting, cta),
     OUTPUT_AS(struct cta_resources, limit, degree_limit_text)},
    {.name = NULL}};

void occupancy_output(struct output *out, const struct sm_cfg *c, const struct cta_resources *k)
{
    struct fitting f = {.core = c, .cta = k};
    if (out->format != FORMAT_JSON || k->threads < 1)
        return;
    occupancy_fits(c, k->threads, k->regs, (int)k->all_shared, f.fit);
    output_object(out, degree_rows[DEGREE_OCCUPANCY].name);
    output_rows(out, occupancy_rows, &f);
    output_up(out);
}

static void output_lines(struct output *out, const char *name, char **line, int lines)
{
    output_array(out, name);
    for (int i = 0; i < lines; i++) {
        output_str(out, NULL, line[i], NULL);
        free(line[i]);
    }
    output_up(out);
}

void paste_output(struct output *out, const struct sm_cfg *c, const struct cta_resources *k, int n,
                  const char *kernel)
{
    char *line[SET_DEGREE_LINES];
    if (out->format != FORMAT_JSON || k->threads < 1)
        return;
    char *name = demangle_short(kernel);
    char *carveout = set_degree_carveout(c, k, n, name);
    output_lines(out, degree_rows[DEGREE_PASTE].name, line, set_degree_lines(c, k, n, name, line));
    output_str(out, degree_rows[DEGREE_CARVEOUT].name, carveout, NULL);
    output_lines(out, degree_rows[DEGREE_ONE_MORE].name, line,
                 set_degree_lines(c, k, k->n_max + 1, name, line));
    free(carveout);
    free(name);
}

void degrees_output(struct output *out, const struct run_stats *const *at, int n_max)
{
    if (out->format != FORMAT_JSON)
        return;
    double *v = xcalloc((size_t)n_max + 1, sizeof *v);
    output_object(out, degree_rows[DEGREE_ALL].name);
    for (const struct stat_row *r = run_counter_rows; r->name; r++) {
        output_array(out, r->name);
        for (int n = 1; n <= n_max; n++) {
            uint64_t count;
            memcpy(&count, (const char *)at[n - 1] + r->off, sizeof count);
            output_uint(out, NULL, count, NULL);
        }
        output_up(out);
    }
    for (const struct stat_row *r = run_rate_rows; r->name; r++) {
        for (int n = 1; n <= n_max; n++)
            v[n] = stats_rate(at[n - 1], (enum run_rate)r->off);
        output_reals(out, r->name, v, n_max);
    }
    output_up(out);
    free(v);
}
