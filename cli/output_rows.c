#include "cli/output_rows.h"

#include <math.h>
#include <stdlib.h>

#include "base/demangle.h"

static bool is_text(const struct output_row *r)
{
    return r->text || r->type == OUTPUT_TEXT || r->type == OUTPUT_CHARS;
}

static const char *text_of(const struct output_row *r, const void *field)
{
    if (r->text)
        return r->text(field);
    return r->type == OUTPUT_CHARS ? field : *(const char *const *)field;
}

static uint64_t whole_of(const struct output_row *r, const void *field)
{
    switch (r->type) {
    case OUTPUT_INT:
    case OUTPUT_INT_OR_NULL:
        return (uint64_t) * (const int *)field;
    case OUTPUT_INT64:
        return (uint64_t) * (const int64_t *)field;
    case OUTPUT_UINT32:
        return *(const uint32_t *)field;
    default:
        BUG_ON(r->type != OUTPUT_UINT64, "%s is no whole number", r->name);
    }
    return *(const uint64_t *)field;
}

static void write_symbol(struct output *out, const char *name, const char *symbol)
{
    char *text = demangle(symbol);
    output_str(out, name, text, NULL);
    free(text);
}

static void write_field(struct output *out, const char *name, const struct output_row *r,
                        const void *field)
{
    if (r->type == OUTPUT_INT_OR_NULL && *(const int *)field == INT32_MAX)
        output_real(out, name, NAN, r->help);
    else if (is_text(r))
        output_str(out, name, text_of(r, field), r->help);
    else if (r->type == OUTPUT_MANGLED)
        write_symbol(out, name, *(const char *const *)field);
    else if (r->type == OUTPUT_BOOL)
        output_bool(out, name, *(const bool *)field);
    else if (r->type == OUTPUT_REAL)
        output_real(out, name, *(const double *)field, r->help);
    else
        output_uint(out, name, whole_of(r, field), r->help);
}

static bool is_left_out(const struct output_row *r, const void *field)
{
    if (!r->from)
        return false;
    return is_text(r) ? !text_of(r, field) : (int64_t)whole_of(r, field) < r->from;
}

void output_row(struct output *out, const struct output_row *r, const void *object)
{
    const char *at = object;
    if (r->write) {
        r->write(out, r->name, object);
        return;
    }
    if (r->via)
        at = *(const char *const *)(const void *)(at + r->via - 1);
    if (at && !is_left_out(r, at + r->off))
        write_field(out, r->name, r, at + r->off);
}

void output_rows(struct output *out, const struct output_row *rows, const void *object)
{
    for (const struct output_row *r = rows; r->name; r++)
        output_row(out, r, object);
}

void output_rows_by_n(struct output *out, const struct output_row *rows, const void *object, int n)
{
    for (const struct output_row *r = rows; r->name; r++)
        output_reals(out, r->name, (const double *)(const void *)((const char *)object + r->off),
                     n);
}

void output_column(struct output *out, const struct output_row *r, const void *objects,
                   size_t bytes, size_t count)
{
    output_array(out, r->name);
    for (size_t i = 0; i < count; i++)
        write_field(out, NULL, r, (const char *)objects + i * bytes + r->off);
    output_up(out);
}

void output_objects(struct output *out, const char *name, const struct output_row *rows,
                    const void *objects, size_t bytes, size_t count)
{
    output_array(out, name);
    for (size_t i = 0; i < count; i++) {
        output_object(out, NULL);
        output_rows(out, rows, (const char *)objects + i * bytes);
        output_up(out);
    }
    output_up(out);
}

const char *output_text_or_none(const void *field)
{
    const char *text = *(const char *const *)field;
    return text ? text : "";
}
