/* cli/output_rows.h -- keys as tables. A row says what a key is called, what it means, and where
 * its value stands in a struct: results are written by it, and `list keys` prints it. A table ends
 * with name == NULL. */
#ifndef MDP_CLI_OUTPUT_ROWS_H
#define MDP_CLI_OUTPUT_ROWS_H

#include <stddef.h>

#include "cli/output.h"

enum output_type {
    OUTPUT_COMPUTED, /* no field: `write` writes it, or whoever takes its name from the row */
    OUTPUT_INT,
    OUTPUT_INT_OR_NULL, /* INT32_MAX: null */
    OUTPUT_INT64,
    OUTPUT_UINT32,
    OUTPUT_UINT64,
    OUTPUT_BOOL,
    OUTPUT_REAL,
    OUTPUT_TEXT,    /* const char * */
    OUTPUT_CHARS,   /* char[] */
    OUTPUT_MANGLED, /* char *: a name of C++, which is written as the source has it */
    OUTPUT_BY_N     /* double[]: how many, its writer knows */
};

struct output_row {
    const char *of; /* its group in `list keys`; NULL: another row says there what the key is */
    const char *name, *unit, *help; /* help: in the text format, too */
    enum output_type type;
    size_t off;
    size_t via; /* 1 + offset of a pointer to the struct that has it, left out where that is NULL;
                   0: none */
    int from;   /* of whole numbers: left out below; of texts, 1: left out if NULL */
    const char *(*text)(const void *field); /* what is written for the field; NULL: itself */
    void (*write)(struct output *out, const char *name, const void *object); /* NULL: the field */
};

#define OUTPUT_TYPE(lvalue) \
    _Generic(&(lvalue),                                                                      \
        int *: OUTPUT_INT,                                                                   \
        const int *: OUTPUT_INT,                                                             \
        int64_t *: OUTPUT_INT64,                                                             \
        const int64_t *: OUTPUT_INT64,                                                       \
        uint32_t *: OUTPUT_UINT32,                                                           \
        const uint32_t *: OUTPUT_UINT32,                                                     \
        uint64_t *: OUTPUT_UINT64,                                                           \
        const uint64_t *: OUTPUT_UINT64,                                                     \
        bool *: OUTPUT_BOOL,                                                                 \
        const bool *: OUTPUT_BOOL,                                                           \
        double *: OUTPUT_REAL,                                                               \
        const double *: OUTPUT_REAL,                                                         \
        char **: OUTPUT_TEXT,                                                                \
        char *const *: OUTPUT_TEXT,                                                          \
        const char **: OUTPUT_TEXT,                                                          \
        const char *const *: OUTPUT_TEXT,                                                    \
        char(*)[]: OUTPUT_CHARS,                                                             \
        const char(*)[]: OUTPUT_CHARS)
/* The rest of a row: a field of struct s, of what its `pointer` points to, and what fn makes of a
 * field. */
#define OUTPUT_FIELD(s, field) .off = offsetof(s, field), .type = OUTPUT_TYPE(((s *)0)->field)
#define OUTPUT_VIA(s, pointer, field)                                                    \
    .via = 1 + offsetof(s, pointer), .off = offsetof(typeof(*((s *)0)->pointer), field), \
    .type = OUTPUT_TYPE(((s *)0)->pointer->field)
#define OUTPUT_ARRAY(s, field)  .off = offsetof(s, field), .type = OUTPUT_BY_N
#define OUTPUT_SYMBOL(s, field) .off = offsetof(s, field), .type = OUTPUT_MANGLED
#define OUTPUT_AS(s, field, fn) .off = offsetof(s, field), .text = (fn)
/* A table of one row. */
#define OUTPUT_ONE(...)  \
    {                    \
        {__VA_ARGS__},   \
        {                \
            .name = NULL \
        }                \
    }

/* Into the present object. */
void output_row(struct output *out, const struct output_row *r, const void *object);
void output_rows(struct output *out, const struct output_row *rows, const void *object);
/* Of a table of arrays by n: elements 1..n of each. */
void output_rows_by_n(struct output *out, const struct output_row *rows, const void *object, int n);
/* An array: the row's field in each of `count` objects, `bytes` apart. */
void output_column(struct output *out, const struct output_row *r, const void *objects,
                   size_t bytes, size_t count);
/* An array of `count` objects, `bytes` apart, each by its rows. */
void output_objects(struct output *out, const char *name, const struct output_row *rows,
                    const void *objects, size_t bytes, size_t count);

extern const struct output_row schema_rows[]; /* of every object that is not inside another */

/* For rows: a text that is there or "". */
const char *output_text_or_none(const void *field);

#endif
