#include "cli/race_report.h"

#include "base/demangle.h"
#include "base/err.h"

#include <stdlib.h>

static void output_side(struct output *out, const struct race_side *s)
{
    output_object(out, NULL);
    output_uint(out, "line", (uint64_t)s->ptx, NULL);
    output_str(out, "source", s->source ? s->source : "", NULL);
    output_str(out, "instruction", s->text, NULL);
    output_str(out, "access", race_kind_name(s->kind), NULL);
    output_uint(out, "thread", (uint64_t)s->thread, NULL);
    output_up(out);
}

void races_output(struct output *out, const struct race *race, int n)
{
    static const char *const axis[] = {"cta_x", "cta_y", "cta_z"};
    if (out->format != FORMAT_JSON)
        return;
    output_array(out, "races");
    for (int i = 0; i < n; i++) {
        char *name = demangle(race[i].kernel);
        output_object(out, NULL);
        output_str(out, "kernel", name, NULL);
        output_str(out, "module", race[i].module, NULL);
        output_uint(out, "count", race[i].count, NULL);
        output_uint(out, "address", race[i].addr, NULL);
        for (int d = 0; d < 3; d++)
            output_uint(out, axis[d], (uint64_t)race[i].cta[d], NULL);
        output_array(out, "sides");
        for (int k = 0; k < 2; k++)
            output_side(out, &race[i].side[k]);
        output_up(out);
        output_up(out);
        free(name);
    }
    output_up(out);
}

static void print_side(FILE *to, const struct race_side *s)
{
    fprintf(to, "  line %d", s->ptx);
    if (s->source)
        fprintf(to, " (%s)", s->source);
    fprintf(to, " %s: %s\n", race_kind_name(s->kind), s->text);
}

static void print_race(FILE *to, const struct race *r)
{
    char *name = demangle(r->kernel);
    fprintf(to, "\n%s, %s:\n", name, r->module);
    for (int k = 0; k < 2; k++)
        print_side(to, &r->side[k]);
    fprintf(to,
            "  found by %llu access%s of threads; the first is to byte 0x%llx of shared memory in "
            "CTA (%d,%d,%d), by threads %d and %d\n",
            (unsigned long long)r->count, r->count == 1 ? "" : "es", (unsigned long long)r->addr,
            r->cta[0], r->cta[1], r->cta[2], r->side[0].thread, r->side[1].thread);
    free(name);
}

void races_print(FILE *to, const struct race *race, int n)
{
    if (!n) {
        fputs("\nNo races in shared memory were found.\n", to);
        return;
    }
    fputs("\nRaces in shared memory: pairs of lines that access the same bytes, with no barrier "
          "between.\n",
          to);
    for (int i = 0; i < n; i++)
        print_race(to, &race[i]);
}

bool races_none(const char *target, int n, struct err *e)
{
    return !n || err_set(e, "%s: %d race%s in shared memory", target, n, n == 1 ? "" : "s");
}
