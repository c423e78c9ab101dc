/* base/cfg_file.h -- libconfig text: GPU configurations, coefficients, launch files. The only room
 * that sees libconfig. Every complaint says "FILE:LINE: ...".
 *
 *   struct cfg_file *f = cfg_open(path, e);
 *   const struct cfg_node *bufs;
 *   int64_t bytes = 0;
 *   bool ok = f && cfg_need(cfg_root(f), "buffers", &bufs, e)
 *          && cfg_get_int(cfg_at(bufs, 0), "bytes", 1, INT32_MAX, &bytes, e)  // absent: unchanged
 *          && cfg_all_read(cfg_root(f), e);                      // a key that nobody asked for
 *   cfg_close(f);
 *
 * Stricter than libconfig: @include is refused unless the caller reads such files, integers are
 * 64-bit and never wrap, real numbers are finite, nesting is bounded. One file is read by one
 * thread. */
#ifndef MDP_BASE_CFG_FILE_H
#define MDP_BASE_CFG_FILE_H

#include "base/err.h"
#include "base/types.h"

struct cfg_file;
struct cfg_node; /* a setting; lives as long as its file */

enum cfg_kind { CFG_INT, CFG_REAL, CFG_BOOL, CFG_STR, CFG_GROUP, CFG_ARRAY, CFG_LIST };

struct cfg_file *cfg_open(const char *path, struct err *e);
/* name stands for the file in messages */
struct cfg_file *cfg_open_text(const char *name, const char *text, struct err *e);
/* A file that may begin with lines `@include "PATH"`. What they name is for the caller to read
 * first. */
struct cfg_file *cfg_open_including(const char *path, struct err *e);
/* The i-th of these files, a relative one beside f; NULL past the last. Caller frees. */
char *cfg_included(const struct cfg_file *f, int i, int *line);
void cfg_close(struct cfg_file *f);
const struct cfg_node *cfg_root(const struct cfg_file *f);

enum cfg_kind cfg_kind(const struct cfg_node *n);
const char *cfg_kind_name(enum cfg_kind k); /* "an integer", "a group { }" */
int cfg_line(const struct cfg_node *n);
const char *cfg_path(const struct cfg_node *n); /* the file's name */
const char *cfg_name(const struct cfg_node *n); /* NULL: root, or element of an array or list */
int cfg_len(const struct cfg_node *n);          /* elements of a group, array or list; else 0 */
const struct cfg_node *cfg_at(const struct cfg_node *n, int i); /* its i-th; marks it as read */
/* Member of a group; NULL when absent (or n is no group). Marks it as read. */
const struct cfg_node *cfg_get(const struct cfg_node *n, const char *key);
bool cfg_need(const struct cfg_node *n, const char *key, const struct cfg_node **out,
              struct err *e);

/* "FILE:LINE: " and the message; returns false. */
bool cfg_err(const struct cfg_node *n, struct err *e, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
bool cfg_expect(const struct cfg_node *n, enum cfg_kind k, struct err *e);

/* The value of n; an error when it is of another kind or outside lo..hi. A real may be written as
 * an integer. Strings live as long as the file. */
bool cfg_int(const struct cfg_node *n, int64_t lo, int64_t hi, int64_t *out, struct err *e);
bool cfg_u64(const struct cfg_node *n, uint64_t *out, struct err *e); /* hex up to 2^64 - 1 */
bool cfg_real(const struct cfg_node *n, double lo, double hi, double *out, struct err *e);
bool cfg_bool(const struct cfg_node *n, bool *out, struct err *e);
bool cfg_str(const struct cfg_node *n, const char **out, struct err *e);

/* The same for the member `key` of group n; when it is absent, *out stays as it was. */
bool cfg_get_int(const struct cfg_node *n, const char *key, int64_t lo, int64_t hi, int64_t *out,
                 struct err *e);
bool cfg_get_real(const struct cfg_node *n, const char *key, double lo, double hi, double *out,
                  struct err *e);
bool cfg_get_bool(const struct cfg_node *n, const char *key, bool *out, struct err *e);
bool cfg_get_str(const struct cfg_node *n, const char *key, const char **out, struct err *e);

/* Error at the first key in or below n that was never asked for; it offers the nearest of those
 * that were. */
bool cfg_all_read(const struct cfg_node *n, struct err *e);

#endif
