/* base/progress.h -- one line on stderr: how far the work is, and an estimate of what is left.
 * Where stderr is a terminal, not of TERM=dumb, and the work has taken more than a second; cleared
 * at the end. Elsewhere (a log) it is a line of its own a minute after the first report, after two,
 * four and so on. Any thread may report. */
#ifndef MDP_BASE_PROGRESS_H
#define MDP_BASE_PROGRESS_H

#include "base/types.h"

struct progress;

struct progress *progress_new(const char *title);
/* The same behind what others have left on the terminal's line, which stays: of a launch of a
 * program, which has waited for so many seconds already. title is called before the first line, if
 * there is one; user lives as long as the progress. */
typedef char *progress_title(const void *user); /* the caller's to free */
struct progress *progress_beside(progress_title *title, const void *user, double waited);
void progress_free(struct progress *p); /* clears the line; NULL is fine */
/* fraction in 0..1; the line is redrawn at most every 0.2 s. detail (NULL is fine) is copied. */
void progress_at(struct progress *p, double fraction, const char *detail);

/* For tests: the first line in a log comes after so many seconds from now. */
void progress_log_after(double seconds);
/* The line itself, for tests: "search  42 %, 12 s left  n = 3". Returns buf. */
const char *progress_line(const char *title, double fraction, double elapsed, const char *detail,
                          char *buf, size_t size);

#endif
