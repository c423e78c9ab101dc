#include "base/progress.h"

#include "base/err.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define SHOW_AFTER   1.0
#define REDRAW_EVERY 0.2
#define LOG_AFTER    60.0

struct progress {
    char *title;          /* owned; NULL: not made yet */
    progress_title *make; /* makes it */
    const void *user;
    bool terminal, shown;
    bool beside;  /* the line is not ours */
    double start; /* of the work */
    double show_from, drawn_at;
    pthread_mutex_t lock; /* of title, shown, drawn_at and the terminal's line */
};

static struct { /* the process's log, whichever work reports next */
    pthread_mutex_t lock;
    double start, next; /* seconds; the next line comes so long after start; 0: none has reported */
} log_line = {.lock = PTHREAD_MUTEX_INITIALIZER};

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void progress_log_after(double seconds)
{
    pthread_mutex_lock(&log_line.lock);
    log_line.start = now_s();
    log_line.next = seconds;
    pthread_mutex_unlock(&log_line.lock);
}

static bool log_line_due(double now)
{
    pthread_mutex_lock(&log_line.lock);
    if (!(log_line.next > 0)) {
        log_line.start = now;
        log_line.next = LOG_AFTER;
    }
    const bool due = now > log_line.start + log_line.next;
    log_line.next *= due ? 2 : 1;
    pthread_mutex_unlock(&log_line.lock);
    return due;
}

/* Such a terminal has no way to clear a line. */
static bool is_dumb(void)
{
    const char *term = getenv("TERM");
    return term && strcmp(term, "dumb") == 0;
}

static struct progress *begin(void)
{
    struct progress *p = xcalloc(1, sizeof *p);
    p->terminal = isatty(STDERR_FILENO) && !is_dumb();
    p->start = now_s();
    p->show_from = p->start + SHOW_AFTER;
    pthread_mutex_init(&p->lock, NULL);
    return p;
}

struct progress *progress_new(const char *title)
{
    struct progress *p = begin();
    p->title = xstrdup(title);
    return p;
}

struct progress *progress_beside(progress_title *title, const void *user, double waited)
{
    struct progress *p = begin();
    p->make = title;
    p->user = user;
    p->beside = true;
    p->show_from -= waited;
    return p;
}

void progress_free(struct progress *p)
{
    if (!p)
        return;
    if (p->shown)
        fputs(p->beside ? "\033[K" : "\r\033[K", stderr);
    pthread_mutex_destroy(&p->lock);
    free(p->title);
    free(p);
}

static void left_text(double s, char *buf, size_t size)
{
    if (s < 90)
        snprintf(buf, size, "%.0f s", s);
    else if (s < 5400)
        snprintf(buf, size, "%.0f min", s / 60);
    else
        snprintf(buf, size, "%.1f h", s / 3600);
}

const char *progress_line(const char *title, double fraction, double elapsed, const char *detail,
                          char *buf, size_t size)
{
    char left[32];
    double f = fraction < 0 ? 0 : fraction > 1 ? 1 : fraction;
    const char *gap = detail && *detail ? "  " : "";
    if (!detail)
        detail = "";
    if (f > 0) {
        left_text(elapsed * (1 - f) / f, left, sizeof left);
        snprintf(buf, size, "%s  %.0f %%, %s left%s%s", title, 100 * f, left, gap, detail);
    } else {
        left_text(elapsed, left, sizeof left);
        snprintf(buf, size, "%s  started %s ago%s%s", title, left, gap, detail);
    }
    return buf;
}

static void show(struct progress *p, double fraction, double now, const char *detail)
{
    char line[160]; /* longer ones would wrap in most terminals anyway */
    if (!p->title)
        p->title = p->make(p->user);
    progress_line(p->title, fraction, now - p->start, detail, line, sizeof line);
    if (!p->terminal) {
        fprintf(stderr, "mdpredict: %s\n", line);
        return;
    }
    /* Beside: the cursor comes back, and what finds no room is not wrapped. */
    fprintf(stderr, p->beside ? "\0337\033[?7l%.79s\033[K\033[?7h\0338" : "\r\033[K%.79s", line);
    p->shown = true;
    p->drawn_at = now;
}

void progress_at(struct progress *p, double fraction, const char *detail)
{
    if (!p)
        return;
    const double now = now_s();
    pthread_mutex_lock(&p->lock);
    if (p->terminal ? now > p->show_from && now - p->drawn_at > REDRAW_EVERY : log_line_due(now))
        show(p, fraction, now, detail);
    pthread_mutex_unlock(&p->lock);
}
