/* base/err.h -- the three kinds of failure.
 *   user input : the function returns false (or NULL) and fills a `struct err`; the cli alone
 * prints it and exits our mistake: BUG_ON prints where and aborts; it stays on in release builds no
 * memory  : xmalloc and friends end the program; callers never test */
#ifndef MDP_BASE_ERR_H
#define MDP_BASE_ERR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct err {
    char msg[1024]; /* one message, "FILE:LINE: what is wrong", possibly with further lines (source
                       line, caret) */
};

/* Fills e (NULL is allowed: the message is dropped) and returns false, so that callers write
 * `return err_set(...)`. */
bool err_set(struct err *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Puts "prefix: " in front of what e says already; returns false. */
bool err_prefix(struct err *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

_Noreturn void bug_at(const char *file, int line, const char *cond, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
#define BUG_ON(cond, ...)                                   \
    do {                                                    \
        if (__builtin_expect(!!(cond), 0))                  \
            bug_at(__FILE__, __LINE__, #cond, __VA_ARGS__); \
    } while (0)

void *xmalloc(size_t bytes);
void *xcalloc(size_t n, size_t size); /* zeroed */
void *xrealloc(void *p, size_t bytes);
/* Room for one more than `count` elements in an array that grows only so, one at a time from NULL:
 * it is moved when its room is used up, which doubles then. */
void *xgrow(void *p, size_t count, size_t size);
void *xaligned(size_t align, size_t bytes); /* not zeroed; free() frees it */
char *xstrdup(const char *s);
char *xasprintf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
char *xvasprintf(const char *fmt, va_list ap) __attribute__((format(printf, 1, 0)));

#endif
