#include "cli/option_types.h"

#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/suggest.h"
#include "sim/frontend/workload.h"
#include "sim/gpu/gpu_cfg.h"

#define NUMBER(d) .number = (d)
#define TEXT(d)   .text = (d)

/* Of a default, by type. */
#define DEFAULT_FLAG    NUMBER
#define DEFAULT_FORMAT  NUMBER
#define DEFAULT_COUNT   NUMBER
#define DEFAULT_BYTES   NUMBER
#define DEFAULT_SECONDS NUMBER
#define DEFAULT_NUMBERS TEXT
#define DEFAULT_SIZES   TEXT
#define DEFAULT_TEXT    TEXT
#define DEFAULT_WORDS   TEXT
#define DEFAULT_ORDER   TEXT
#define DEFAULT_EFFORT  NUMBER

const struct option_row option_rows[OPT_COUNT] = {
#define X(id, letter_, name_, arg_, type_, lo_, hi_, def_, field_, commands_, help_) \
    {.letter = (letter_),                                                            \
     .name = (name_),                                                                \
     .arg = (arg_),                                                                  \
     .help = (help_),                                                                \
     .type = OPTION_##type_,                                                         \
     .lo = (lo_),                                                                    \
     .hi = (hi_),                                                                    \
     DEFAULT_##type_(def_),                                                          \
     .off = offsetof(struct options, field_),                                        \
     .size = sizeof(((struct options *)NULL)->field_),                               \
     .commands = (commands_)},
    OPTIONS(X)
#undef X
};
_Static_assert(OPT_COUNT <= 128, "options.given has a bit for each option");
_Static_assert(COMMAND_COUNT <= 31, "option_row.commands has a bit for each, and OF_PROGRAM");

/* What messages call it: as people type it. */
static const char *label(const struct option_row *r, char out[40])
{
    if (r->letter)
        snprintf(out, 40, "-%c", r->letter);
    else
        snprintf(out, 40, "--%s", r->name);
    return out;
}

/* A field of 4 or 8 bytes, signed or not: every number that is stored fits. */
static void store(const struct option_row *r, void *field, int64_t v)
{
    const int32_t narrow = (int32_t)v;
    BUG_ON(r->size != sizeof v && r->size != sizeof narrow, "--%s: %zu bytes", r->name, r->size);
    memcpy(field, r->size == sizeof v ? (const void *)&v : (const void *)&narrow, r->size);
}

static bool in_range(const struct option_row *r, int64_t v, const char *arg, struct err *e)
{
    char name[40];
    return (v >= r->lo && v <= r->hi) ||
           err_set(e, "%s %s is out of range; allowed: %lld..%lld", label(r, name), arg,
                   (long long)r->lo, (long long)r->hi);
}

static bool take_flag(const struct option_row *r, void *field, const char *arg, struct err *e)
{
    (void)r, (void)arg, (void)e;
    *(bool *)field = true;
    return true;
}

static bool take_format(const struct option_row *r, void *field, const char *arg, struct err *e)
{
    enum format *f = field;
    (void)arg;
    if (*f != FORMAT_TEXT && *f != (enum format)r->lo)
        return err_set(e, "--json and --csv exclude each other");
    *f = (enum format)r->lo;
    return true;
}

static bool take_count(const struct option_row *r, void *field, const char *arg, struct err *e)
{
    char name[40];
    int64_t v;
    if (!num_int(arg, &v))
        return err_set(e, "%s wants a whole number, not \"%s\"", label(r, name), arg);
    if (!in_range(r, v, arg, e))
        return false;
    store(r, field, v);
    return true;
}

static bool take_bytes(const struct option_row *r, void *field, const char *arg, struct err *e)
{
    char name[40];
    int64_t v;
    if (!num_bytes(arg, &v))
        return err_set(e, "%s wants a size such as 8G, not \"%s\"", label(r, name), arg);
    if (!in_range(r, v, arg, e))
        return false;
    store(r, field, v);
    return true;
}

static bool take_seconds(const struct option_row *r, void *field, const char *arg, struct err *e)
{
    char name[40];
    double v;
    if (!num_real(arg, &v))
        return err_set(e, "%s wants seconds, not \"%s\"", label(r, name), arg);
    if (v < (double)r->lo || v > (double)r->hi)
        return in_range(r, v < (double)r->lo ? r->lo - 1 : r->hi + 1, arg, e);
    *(double *)field = v;
    return true;
}

typedef bool number_fn(const struct option_row *r, const char *item, int64_t *out);

static bool plain_number(const struct option_row *r, const char *item, int64_t *out)
{
    return num_int(item, out) && *out >= r->lo && *out <= r->hi;
}

/* In bytes; the range is of KB. */
static bool size_number(const struct option_row *r, const char *item, int64_t *out)
{
    if (num_int(item, out)) {
        *out = *out > r->hi ? INT64_MAX : *out * 1024;
    } else if (!num_bytes(item, out)) {
        return false;
    }
    return *out >= r->lo * 1024 && *out <= r->hi * 1024;
}

static bool take_list(const struct option_row *r, struct numbers *out, const char *arg,
                      number_fn *read, const char *wanted, struct err *e)
{
    char *copy = xstrdup(arg), *rest = copy, *item;
    bool ok = true;
    for (out->n = 0; ok && (item = strsep(&rest, ",")); out->n++) {
        ok = out->n < NUMBERS_MAX ||
             err_set(e, "--%s takes at most %d numbers", r->name, NUMBERS_MAX);
        ok = ok && (read(r, item, &out->v[out->n]) ||
                    err_set(e, "--%s wants %s from %lld to %lld, not \"%s\"", r->name, wanted,
                            (long long)r->lo, (long long)r->hi, item));
    }
    free(copy);
    return ok;
}

static bool take_numbers(const struct option_row *r, void *field, const char *arg, struct err *e)
{
    return take_list(r, field, arg, plain_number, "whole numbers", e);
}

static bool take_sizes(const struct option_row *r, void *field, const char *arg, struct err *e)
{
    return take_list(r, field, arg, size_number, "sizes in KB", e);
}

static bool fits(const struct option_row *r, const char *arg, struct err *e)
{
    char name[40];
    const int64_t n = (int64_t)strlen(arg);
    if (n < r->lo)
        return err_set(e, "%s wants %s, not \"%s\"", label(r, name), r->arg, arg);
    return n <= r->hi ||
           err_set(e, "%s: more than %lld characters", label(r, name), (long long)r->hi);
}

static bool take_text(const struct option_row *r, void *field, const char *arg, struct err *e)
{
    *(const char **)field = arg;
    return fits(r, arg, e);
}

static bool take_words(const struct option_row *r, void *field, const char *arg, struct err *e)
{
    struct words *w = field;
    w->word = xrealloc(w->word, (size_t)(w->n + 1) * sizeof *w->word);
    w->word[w->n++] = arg;
    return fits(r, arg, e);
}

static bool take_order(const struct option_row *r, void *field, const char *arg, struct err *e)
{
    enum workload_order order;
    *(const char **)field = arg;
    return workload_order_find(arg, &order) ||
           err_set(e, "--%s wants natural, shuffled or renumbered, not \"%s\"", r->name, arg);
}

static bool take_effort(const struct option_row *r, void *field, const char *arg, struct err *e)
{
    struct suggest s;
    char near[128];
    if (effort_find(arg, field))
        return true;
    suggest_init(&s, arg);
    for (int i = 0; i < EFFORT_COUNT; i++)
        suggest_offer(&s, effort_name((enum effort)i));
    return err_set(e, "--%s wants window, quick or thorough, not \"%s\"%s", r->name, arg,
                   suggest_text(&s, near, sizeof near));
}

static bool (*const take[])(const struct option_row *r, void *field, const char *arg,
                            struct err *e) = {
    [OPTION_FLAG] = take_flag,   [OPTION_FORMAT] = take_format,   [OPTION_COUNT] = take_count,
    [OPTION_BYTES] = take_bytes, [OPTION_SECONDS] = take_seconds, [OPTION_NUMBERS] = take_numbers,
    [OPTION_SIZES] = take_sizes, [OPTION_TEXT] = take_text,       [OPTION_WORDS] = take_words,
    [OPTION_ORDER] = take_order, [OPTION_EFFORT] = take_effort};

bool option_take(const struct option_row *r, struct options *o, const char *arg, struct err *e)
{
    o->given |= (option_set)1 << (r - option_rows);
    return take[r->type](r, (char *)o + r->off, arg, e);
}

void option_default(const struct option_row *r, struct options *o)
{
    void *field = (char *)o + r->off;
    switch (r->type) {
    case OPTION_COUNT:
    case OPTION_BYTES:
    case OPTION_EFFORT:
        store(r, field, r->number);
        break;
    case OPTION_SECONDS:
        *(double *)field = (double)r->number;
        break;
    case OPTION_TEXT:
        if (r->text) /* another command's option may have the same field */
            *(const char **)field = r->text;
        break;
    default: /* false, nothing, text */
        break;
    }
}

const char *option_default_text(const struct option_row *r, char out[OPTION_DEFAULT_TEXT])
{
    *out = 0;
    if (r->type == OPTION_EFFORT)
        snprintf(out, OPTION_DEFAULT_TEXT, " (default: %s)", effort_name((enum effort)r->number));
    else if (r->type == OPTION_TEXT && r->text)
        snprintf(out, OPTION_DEFAULT_TEXT, " (default: %s)", r->text);
    else if ((r->type == OPTION_COUNT || r->type == OPTION_SECONDS) && r->number >= r->lo &&
             r->number <= r->hi)
        snprintf(out, OPTION_DEFAULT_TEXT, " (default: %lld)", (long long)r->number);
    return out;
}
