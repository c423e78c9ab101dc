#include "base/json.h"

#include "base/err.h"
#include "base/num.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>

/* json_value is jansson's json_t by another name, so that its header stays here. */

static json_t *inner(const struct json_value *v)
{
    return (json_t *)v;
}

static struct json_value *outer(json_t *j)
{
    BUG_ON(!j, "jansson made no value");
    return (struct json_value *)j;
}

struct json_value *json_new_object(void)
{
    return outer(json_object());
}

struct json_value *json_new_array(void)
{
    return outer(json_array());
}

void json_free(struct json_value *v)
{
    json_decref(inner(v));
}

void json_put(struct json_value *into, const char *key, struct json_value *v)
{
    int bad = key ? json_object_set_new_nocheck(inner(into), key, inner(v))
                  : json_array_append_new(inner(into), inner(v));
    BUG_ON(bad, "no place for %s", key ? key : "an element");
}

void json_put_int(struct json_value *into, const char *key, int64_t v)
{
    json_put(into, key, outer(json_integer(v)));
}

void json_put_uint(struct json_value *into, const char *key, uint64_t v)
{
    if (v <= INT64_MAX)
        json_put_int(into, key, (int64_t)v);
    else
        json_put_real(into, key, (double)v);
}

void json_put_real(struct json_value *into, const char *key, double v)
{
    json_put(into, key, outer(isfinite(v) ? json_real(v) : json_null()));
}

void json_put_bool(struct json_value *into, const char *key, bool v)
{
    json_put(into, key, outer(json_boolean(v)));
}

/* Names come from files: bytes that are no UTF-8 become '?', so that the output is always JSON. */
static json_t *string(const char *v)
{
    json_t *j = json_string(v);
    if (j)
        return j;
    char *copy = xstrdup(v);
    for (char *c = copy; *c; c++)
        if ((unsigned char)*c >= 0x80)
            *c = '?';
    j = json_string(copy);
    free(copy);
    return j;
}

void json_put_str(struct json_value *into, const char *key, const char *v)
{
    json_put(into, key, outer(v ? string(v) : json_null()));
}

struct json_value *json_put_object(struct json_value *into, const char *key)
{
    struct json_value *v = json_new_object();
    json_put(into, key, v);
    return v;
}

struct json_value *json_put_array(struct json_value *into, const char *key)
{
    struct json_value *v = json_new_array();
    json_put(into, key, v);
    return v;
}

/* jansson writes every real with one fixed precision, so the walk over the tree is our own. */

static void write_value(const json_t *j, FILE *out, int indent);

static void write_string(const char *s, FILE *out)
{
    json_t *j = string(s);
    json_dumpf(j, out, JSON_ENCODE_ANY);
    json_decref(j);
}

static void newline(FILE *out, int indent)
{
    fprintf(out, "\n%*s", indent, "");
}

static void write_object(const json_t *j, FILE *out, int indent)
{
    const char *key, *comma = "";
    json_t *v;
    fputc('{', out);
    json_object_foreach((json_t *)j, key, v)
    {
        fputs(comma, out);
        newline(out, indent + 2);
        write_string(key, out);
        fputs(": ", out);
        write_value(v, out, indent + 2);
        comma = ",";
    }
    if (*comma)
        newline(out, indent);
    fputc('}', out);
}

static bool is_flat(const json_t *array)
{
    for (size_t i = 0; i < json_array_size(array); i++) {
        const json_t *v = json_array_get(array, i);
        if (json_is_object(v) || json_is_array(v) || json_is_string(v))
            return false;
    }
    return true;
}

static void write_array(const json_t *j, FILE *out, int indent)
{
    bool flat = is_flat(j);
    fputc('[', out);
    for (size_t i = 0; i < json_array_size(j); i++) {
        if (i)
            fputs(flat ? ", " : ",", out);
        if (!flat)
            newline(out, indent + 2);
        write_value(json_array_get(j, i), out, indent + 2);
    }
    if (!flat)
        newline(out, indent);
    fputc(']', out);
}

static void write_value(const json_t *j, FILE *out, int indent)
{
    char text[NUM_TEXT];
    switch (json_typeof(j)) {
    case JSON_OBJECT:
        write_object(j, out, indent);
        break;
    case JSON_ARRAY:
        write_array(j, out, indent);
        break;
    case JSON_STRING:
        write_string(json_string_value(j), out);
        break;
    case JSON_INTEGER:
        fprintf(out, "%" JSON_INTEGER_FORMAT, json_integer_value(j));
        break;
    case JSON_REAL:
        fputs(num_text(json_real_value(j), text), out);
        break;
    case JSON_TRUE:
        fputs("true", out);
        break;
    case JSON_FALSE:
        fputs("false", out);
        break;
    case JSON_NULL:
        fputs("null", out);
        break;
    }
}

void json_write(const struct json_value *v, FILE *out)
{
    write_value(inner(v), out, 0);
    fputc('\n', out);
}

char *json_text(const struct json_value *v)
{
    char *text = NULL;
    size_t len;
    FILE *out = open_memstream(&text, &len);
    BUG_ON(!out, "no memory stream");
    json_write(v, out);
    fclose(out);
    return text;
}
