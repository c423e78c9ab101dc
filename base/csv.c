#include "base/csv.h"

#include "base/num.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

void csv_start(struct csv *c, FILE *out)
{
    *c = (struct csv){.out = out};
}

static FILE *next_field(struct csv *c)
{
    if (c->column++ > 0)
        fputc(',', c->out);
    return c->out;
}

/* Readers strip blanks around a field that has no quotes. */
static bool has_blank_ends(const char *v)
{
    return *v && (strchr(" \t", *v) || strchr(" \t", v[strlen(v) - 1]));
}

void csv_str(struct csv *c, const char *v)
{
    FILE *out = next_field(c);
    if (!v)
        return;
    if (!strpbrk(v, ",\"\r\n") && !has_blank_ends(v)) {
        fputs(v, out);
        return;
    }
    fputc('"', out);
    for (; *v; v++) {
        if (*v == '"')
            fputc('"', out);
        fputc(*v, out);
    }
    fputc('"', out);
}

void csv_int(struct csv *c, int64_t v)
{
    fprintf(next_field(c), "%" PRId64, v);
}

void csv_uint(struct csv *c, uint64_t v)
{
    fprintf(next_field(c), "%" PRIu64, v);
}

void csv_real(struct csv *c, double v)
{
    char text[NUM_TEXT];
    FILE *out = next_field(c);
    if (isfinite(v))
        fputs(num_text(v, text), out);
}

void csv_end_row(struct csv *c)
{
    fputc('\n', c->out);
    c->column = 0;
}
