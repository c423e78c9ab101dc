#include "cli/race_report.h"

#include "base/demangle.h"
#include "base/err.h"
#include "cli/keys.h"

#include <stdlib.h>

static const char *kind_text(const void *field)
{
    return race_kind_name(*(const unsigned *)field);
}

const struct output_row race_side_rows[] = {
    {.name = "line", OUTPUT_FIELD(struct race_side, ptx)},
    {.name = "source", OUTPUT_AS(struct race_side, source, output_text_or_none)},
    {.name = "instruction", OUTPUT_FIELD(struct race_side, text)},
    {"other", "access", "", "reads, writes, or is atomic",
     OUTPUT_AS(struct race_side, kind, kind_text)},
    {"other", "thread", "", "tid.x, were the block flat", OUTPUT_FIELD(struct race_side, thread)},
    {.name = NULL}};

static void write_sides(struct output *out, const char *name, const void *race)
{
    const struct race *r = race;
    output_objects(out, name, race_side_rows, r->side, sizeof *r->side, 2);
}

const struct output_row race_rows[] = {
    {.name = "kernel", OUTPUT_SYMBOL(struct race, kernel)},
    {.name = "module", OUTPUT_FIELD(struct race, module)},
    {"other", "count", "", "accesses of threads that found it", OUTPUT_FIELD(struct race, count)},
    {"other", "address", "", "the first one's, in the CTA's shared memory",
     OUTPUT_FIELD(struct race, addr)},
    {"other", "cta_x", "", "its CTA", OUTPUT_FIELD(struct race, cta[0])},
    {"other", "cta_y", "", "likewise", OUTPUT_FIELD(struct race, cta[1])},
    {"other", "cta_z", "", "likewise", OUTPUT_FIELD(struct race, cta[2])},
    {"other", "sides", "",
     "an object each of both lines, with the thread of the first such access:",
     .write = write_sides},
    {.name = NULL}};
const struct output_row races_rows[] = OUTPUT_ONE(
    "other", "races", "",
    "`run --race`: an object a pair of lines that race in shared memory:", .type = OUTPUT_COMPUTED);

void races_output(struct output *out, const struct race *race, int n)
{
    if (out->format == FORMAT_JSON)
        output_objects(out, races_rows[0].name, race_rows, race, sizeof *race, (size_t)n);
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
