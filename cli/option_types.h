/* cli/option_types.h -- a row of the table of options, and how an argument of each type is read,
 * stored and shown. */
#ifndef MDP_CLI_OPTION_TYPES_H
#define MDP_CLI_OPTION_TYPES_H

#include "cli/options.h"

enum option_type {
    OPTION_FLAG,
    OPTION_FORMAT,
    OPTION_COUNT,
    OPTION_BYTES,
    OPTION_SECONDS,
    OPTION_NUMBERS,
    OPTION_SIZES,
    OPTION_TEXT,
    OPTION_WORDS,
    OPTION_ORDER,
    OPTION_EFFORT
};

struct option_row {
    int letter;
    const char *name, *arg, *help;
    enum option_type type;
    int64_t lo, hi;
    int64_t number;   /* the default, of FLAG, FORMAT, COUNT, BYTES, SECONDS, EFFORT */
    const char *text; /* ... of TEXT, ORDER; NULL: none */
    size_t off, size; /* of its field in struct options */
    uint32_t commands;
};
extern const struct option_row option_rows[OPT_COUNT];

void option_default(const struct option_row *r, struct options *o);
/* arg: as given, NULL of an option without. False and e: it is not what the option wants. */
bool option_take(const struct option_row *r, struct options *o, const char *arg, struct err *e);
/* " (default: 100)", or "" where the field's default is no argument. */
#define OPTION_DEFAULT_TEXT 80
const char *option_default_text(const struct option_row *r, char out[OPTION_DEFAULT_TEXT]);

#endif
