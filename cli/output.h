/* cli/output.h -- a command's result on its way out. Everything is gathered first and written at
 * the end, whole or not at all: a failed command leaves no half of a result behind.
 *
 * A command describes its result once, by one walk over its tables; the format decides what that
 * becomes:
 *   JSON  objects and arrays as they are nested
 *   CSV   a row for the root object, or for each object of a root array; deeper ones are left out;
 *         the first row has all columns, a later one that ends early leaves the rest empty
 *   text  a line a field (name, value, meaning) of the root object; or what the command prints to
 *         `text` itself */
#ifndef MDP_CLI_OUTPUT_H
#define MDP_CLI_OUTPUT_H

#include <stdio.h>

#include "base/csv.h"
#include "cli/options.h"

#define OUTPUT_DEPTH 8
/* Of the JSON's keys, data/schema.json: another number when one is taken away or changes its
 * meaning. Every object that is not inside another has it as "schema_version". */
#define OUTPUT_SCHEMA_VERSION 1

struct json_value;
struct table;

struct output {
    enum format format;
    const char *path; /* borrowed; "-": stdout */
    FILE *text;       /* what will be written; print to it in text format only */
    char *buf;        /* owned: its bytes */
    size_t len;
    struct json_value *at[OUTPUT_DEPTH]; /* JSON: the containers we are in; at[0] owned */
    bool is_array[OUTPUT_DEPTH];
    int depth;
    struct csv head, row; /* CSV: the names (of the first row only), and the values */
    char *first;          /* the first row's values, until its heading is complete; owned */
    size_t first_len;
    int columns; /* of the first row */
    bool headed;
    struct table *fields; /* text: of the root object; owned */
};

bool output_can_write(const char *path, struct err *e); /* path: "-" always can */
/* False and e when path can't be written to: better before a long run than after it. */
bool output_open(struct output *out, const struct options *o, struct err *e);
/* ok: writes what was gathered. Frees in any case; returns ok and that the writing worked. */
bool output_close(struct output *out, bool ok, struct err *e);

/* key: NULL for the root and for elements of an array. */
void output_object(struct output *out, const char *key);
void output_array(struct output *out, const char *key);
void output_up(struct output *out); /* leaves the innermost of these */
void output_uint(struct output *out, const char *name, uint64_t v, const char *help);
void output_real(struct output *out, const char *name, double v, const char *help);
void output_bool(struct output *out, const char *name, bool v); /* CSV, text: 1 or 0 */
void output_str(struct output *out, const char *name, const char *v, const char *help);
/* v[1..n], JSON only */
void output_reals(struct output *out, const char *name, const double *v, int n);

/* For a line about what was written to `path`: stdout, unless that itself may be what `path` names.
 */
FILE *output_beside(const char *path);

#endif
