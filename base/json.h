/* base/json.h -- building and writing JSON. The only room that sees jansson.
 * A value that is put into an object or array belongs to it from then on; json_free frees the
 * root. Real numbers are written as the shortest text that reads back to the same double;
 * infinities and NaN, which JSON lacks, as null. */
#ifndef MDP_BASE_JSON_H
#define MDP_BASE_JSON_H

#include "base/types.h"

#include <stdio.h>

struct json_value;

struct json_value *json_new_object(void);
struct json_value *json_new_array(void);
void json_free(struct json_value *v); /* NULL is fine */

/* into: an object, keys stay in the order of the puts, a key put twice keeps its last value;
 * or an array, key NULL. */
void json_put(struct json_value *into, const char *key, struct json_value *v); /* takes v */
void json_put_int(struct json_value *into, const char *key, int64_t v);
void json_put_uint(struct json_value *into, const char *key, uint64_t v);
void json_put_real(struct json_value *into, const char *key, double v);
void json_put_bool(struct json_value *into, const char *key, bool v);
void json_put_str(struct json_value *into, const char *key, const char *v); /* NULL: null */
/* A new object or array, already put. */
struct json_value *json_put_object(struct json_value *into, const char *key);
struct json_value *json_put_array(struct json_value *into, const char *key);

/* Indented by two; an array of plain numbers stays on one line. A newline at the end. */
void json_write(const struct json_value *v, FILE *out);
char *json_text(const struct json_value *v); /* caller frees */

#endif
