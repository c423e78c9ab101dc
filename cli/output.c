#include "cli/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "base/num.h"
#include "base/out_path.h"
#include "base/table.h"
#include "cli/output_rows.h"

bool output_can_write(const char *path, struct err *e)
{
    struct out_path p;
    const bool ok = out_path_find(&p, path, e);
    out_path_fini(&p);
    return ok;
}

bool output_open(struct output *out, const struct options *o, struct err *e)
{
    *out = (struct output){.format = o->format, .path = o->output};
    if (!output_can_write(o->output, e))
        return false;
    out->text = open_memstream(&out->buf, &out->len);
    if (!out->text)
        return err_set(e, "open_memstream: %s", strerror(errno));
    table_room(strcmp(o->output, "-") == 0 ? terminal_columns() : 0);
    if (o->format == FORMAT_TEXT)
        out->fields = table_new("lrl");
    return true;
}

static bool deliver(const struct output *out, struct err *e)
{
    if (file_write(out->path, out->buf, out->len, e))
        return true;
    /* Whoever reads us has seen enough: no message, as if SIGPIPE had ended us. */
    if (strcmp(out->path, "-") == 0 && errno == EPIPE)
        err_set(e, "%s", "");
    return false;
}

bool output_close(struct output *out, bool ok, struct err *e)
{
    if (out->text) {
        if (out->format == FORMAT_JSON && ok)
            json_write(out->at[0], out->text);
        fclose(out->text);
        ok = ok && deliver(out, e);
    }
    if (out->row.out && !out->headed)
        fclose(out->row.out);
    json_free(out->at[0]);
    table_free(out->fields);
    free(out->first);
    free(out->buf);
    *out = (struct output){0};
    return ok;
}

/* The containers whose fields make up a CSV row or the text's lines. */
static bool is_row(const struct output *out)
{
    return (out->depth == 1 && !out->is_array[0]) || (out->depth == 2 && out->is_array[0]);
}

static void begin_csv_row(struct output *out)
{
    FILE *to = out->headed ? out->text : open_memstream(&out->first, &out->first_len);
    BUG_ON(!to, "open_memstream failed");
    csv_start(&out->head, out->text);
    csv_start(&out->row, to);
}

static void end_csv_row(struct output *out)
{
    while (out->headed && out->row.column < out->columns)
        csv_str(&out->row, NULL);
    csv_end_row(&out->row);
    if (out->headed)
        return;
    out->columns = out->head.column;
    csv_end_row(&out->head);
    fclose(out->row.out);
    fwrite(out->first, 1, out->first_len, out->text);
    out->headed = true;
}

const struct output_row schema_rows[] =
    OUTPUT_ONE("answer", "schema_version", "",
               "of every object that is not inside another: which keys there are, data/schema.json",
               .type = OUTPUT_COMPUTED);

static void enter(struct output *out, const char *key, bool is_array)
{
    BUG_ON(out->depth == OUTPUT_DEPTH, "results nested deeper than %d", OUTPUT_DEPTH);
    int d = out->depth++;
    out->is_array[d] = is_array;
    if (out->format == FORMAT_CSV && is_row(out) && !is_array)
        begin_csv_row(out);
    if (out->format != FORMAT_JSON)
        return;
    if (d > 0)
        out->at[d] =
            is_array ? json_put_array(out->at[d - 1], key) : json_put_object(out->at[d - 1], key);
    else
        out->at[0] = is_array ? json_new_array() : json_new_object();
    if (!is_array && (d == 0 || (d == 1 && out->is_array[0])))
        json_put_uint(out->at[d], schema_rows[0].name, OUTPUT_SCHEMA_VERSION);
}

void output_object(struct output *out, const char *key)
{
    enter(out, key, false);
}

void output_array(struct output *out, const char *key)
{
    enter(out, key, true);
}

void output_up(struct output *out)
{
    if (out->format == FORMAT_CSV && is_row(out))
        end_csv_row(out);
    if (out->format == FORMAT_TEXT && out->depth == 1 && !out->is_array[0])
        table_print(out->fields, out->text);
    out->depth--;
}

#define HELP_ROOM 58 /* columns: behind name and value in a line of 100 */

/* Bytes of help that go into a line. On a terminal the table wraps them. */
static size_t help_line(const struct output *out, const char *help)
{
    size_t end = strlen(help);
    if (end <= HELP_ROOM || (out->path && !strcmp(out->path, "-") && terminal_columns()))
        return end;
    for (end = HELP_ROOM; end > 0 && help[end] != ' ';)
        end--;
    return end ? end : strcspn(help, " ");
}

static void text_line(struct output *out, const char *name, const char *v, const char *help)
{
    if (out->depth != 1) /* commands print lists themselves */
        return;
    help = help ? help : "";
    do {
        const size_t line = help_line(out, help);
        table_cell(out->fields, "%s", name);
        table_cell(out->fields, "%s", v);
        table_cell(out->fields, "%.*s", (int)line, help);
        help += line + (help[line] == ' ');
        name = v = ""; /* of the lines that follow */
    } while (*help);
}

/* The row's next field: its name where names are still wanted. False: no part of a row. */
static bool csv_field(struct output *out, const char *name)
{
    if (is_row(out) && !out->headed)
        csv_str(&out->head, name);
    return is_row(out);
}

void output_uint(struct output *out, const char *name, uint64_t v, const char *help)
{
    char text[NUM_TEXT];
    if (out->format == FORMAT_JSON) {
        json_put_uint(out->at[out->depth - 1], name, v);
    } else if (out->format == FORMAT_TEXT) {
        snprintf(text, sizeof text, "%llu", (unsigned long long)v);
        text_line(out, name, text, help);
    } else if (csv_field(out, name)) {
        csv_uint(&out->row, v);
    }
}

void output_real(struct output *out, const char *name, double v, const char *help)
{
    char text[NUM_TEXT];
    if (out->format == FORMAT_JSON) {
        json_put_real(out->at[out->depth - 1], name, v);
    } else if (out->format == FORMAT_TEXT) {
        snprintf(text, sizeof text, "%.4g", v);
        text_line(out, name, text, help);
    } else if (csv_field(out, name)) {
        csv_real(&out->row, v);
    }
}

void output_bool(struct output *out, const char *name, bool v)
{
    if (out->format == FORMAT_JSON)
        json_put_bool(out->at[out->depth - 1], name, v);
    else
        output_uint(out, name, v, NULL);
}

void output_str(struct output *out, const char *name, const char *v, const char *help)
{
    if (out->format == FORMAT_JSON)
        json_put_str(out->at[out->depth - 1], name, v);
    else if (out->format == FORMAT_TEXT)
        text_line(out, name, v, help);
    else if (csv_field(out, name))
        csv_str(&out->row, v);
}

void output_reals(struct output *out, const char *name, const double *v, int n)
{
    if (out->format != FORMAT_JSON)
        return;
    struct json_value *a = json_put_array(out->at[out->depth - 1], name);
    for (int i = 1; i <= n; i++)
        json_put_real(a, NULL, v[i]);
}

FILE *output_beside(const char *path)
{
    struct out_path p;
    FILE *beside = out_path_find(&p, path, NULL) && p.fd < 0 ? stdout : stderr;
    out_path_fini(&p);
    return beside;
}
