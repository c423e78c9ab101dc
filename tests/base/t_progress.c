/* base/progress on a terminal: nothing in the first second, then a line, cleared at the end. */
#include "base/err.h"
#include "base/progress.h"
#include "tests/suite.h"

#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Puts a new pseudo-terminal in stderr's place; returns its other end, -1 where there are none. */
static int terminal_as_stderr(int *saved)
{
    int master = posix_openpt(O_RDWR | O_NOCTTY);
    if (master < 0)
        return -1;
    CU_ASSERT_FATAL(grantpt(master) == 0 && unlockpt(master) == 0);
    int slave = open(ptsname(master), O_RDWR | O_NOCTTY);
    *saved = dup(STDERR_FILENO);
    CU_ASSERT_FATAL(slave >= 0 && *saved >= 0 && dup2(slave, STDERR_FILENO) >= 0);
    close(slave);
    return master;
}

static size_t drawn(int master, char *buf, size_t size)
{
    size_t n = 0;
    struct pollfd p = {.fd = master, .events = POLLIN};
    while (n + 1 < size && poll(&p, 1, 50) > 0 && (p.revents & POLLIN)) {
        ssize_t got = read(master, buf + n, size - n - 1);
        if (got <= 0)
            break;
        n += (size_t)got;
    }
    buf[n] = '\0';
    return n;
}

static void line_appears_after_a_second_and_goes_away(void)
{
    int saved;
    int master = terminal_as_stderr(&saved);
    if (master < 0) {
        NOT_RUN("this system has no pseudo-terminals");
        return;
    }
    char first[512], later[512], end[512];
    setenv("TERM", "xterm", 1);
    struct progress *p = progress_new("search");
    progress_at(p, 0.1, "too early");
    drawn(master, first, sizeof first);
    usleep(1100000);
    progress_at(p, 0.5, "n = 3");
    progress_at(p, 0.6, "too soon after the last one");
    drawn(master, later, sizeof later);
    progress_free(p);
    drawn(master, end, sizeof end);
    dup2(saved, STDERR_FILENO);
    close(saved);
    close(master);
    CU_ASSERT_STRING_EQUAL(first, "");
    CU_ASSERT_STRING_EQUAL(later, "\r\033[Ksearch  50 %, 1 s left  n = 3");
    CU_ASSERT_STRING_EQUAL(end, "\r\033[K");
}

static void nothing_on_a_terminal_that_cannot_clear_a_line(void)
{
    int saved;
    int master = terminal_as_stderr(&saved);
    if (master < 0) {
        NOT_RUN("this system has no pseudo-terminals");
        return;
    }
    const char *term = getenv("TERM");
    char *before = term ? xstrdup(term) : NULL, shown[512];
    setenv("TERM", "dumb", 1);
    struct progress *p = progress_new("search");
    usleep(1100000);
    progress_at(p, 0.5, "n = 3");
    progress_free(p);
    drawn(master, shown, sizeof shown);
    dup2(saved, STDERR_FILENO);
    close(saved);
    close(master);
    if (before)
        setenv("TERM", before, 1);
    else
        unsetenv("TERM");
    free(before);
    CU_ASSERT_STRING_EQUAL(shown, "");
}

static int titles; /* made */

static char *title(const void *user)
{
    titles++;
    return xstrdup(user);
}

static void a_line_of_others_stays(void)
{
    int saved;
    int master = terminal_as_stderr(&saved);
    if (master < 0) {
        NOT_RUN("this system has no pseudo-terminals");
        return;
    }
    char shown[512], end[512];
    setenv("TERM", "xterm", 1);
    titles = 0;
    struct progress *p = progress_beside(title, "launch 3: k", 5);
    CU_ASSERT_EQUAL(titles, 0); /* who shows no line needs none */
    progress_at(p, 0.5, NULL);  /* at once: it has been waited for */
    CU_ASSERT_EQUAL(titles, 1);
    drawn(master, shown, sizeof shown);
    progress_free(p);
    drawn(master, end, sizeof end);
    dup2(saved, STDERR_FILENO);
    close(saved);
    close(master);
    CU_ASSERT_STRING_EQUAL(shown, "\0337\033[?7llaunch 3: k  50 %, 0 s left\033[K\033[?7h\0338");
    CU_ASSERT_STRING_EQUAL(end, "\033[K");
}

/* Each silence is twice as long as the one before. */
static void in_a_log_a_line_now_and_then(void)
{
    int pipes[2], saved = dup(STDERR_FILENO);
    char text[512];
    CU_ASSERT_FATAL(saved >= 0 && pipe(pipes) == 0 && dup2(pipes[1], STDERR_FILENO) >= 0);
    close(pipes[1]);
    struct progress *p = progress_new("search");
    progress_at(p, 1, "within the first minute");
    progress_log_after(0.5);
    usleep(600000);
    progress_at(p, 1, "n = 3");
    progress_at(p, 1, "too soon");
    usleep(500000);
    progress_free(p);
    p = progress_beside(title, "launch 3: k", 5); /* what is due is said of other work as well */
    progress_at(p, 1, NULL);
    progress_free(p);
    dup2(saved, STDERR_FILENO);
    close(saved);
    drawn(pipes[0], text, sizeof text);
    close(pipes[0]);
    progress_log_after(3600);
    CU_ASSERT_STRING_EQUAL(text, "mdpredict: search  100 %, 0 s left  n = 3\n"
                                 "mdpredict: launch 3: k  100 %, 0 s left\n");
}

SUITE("progress", T(in_a_log_a_line_now_and_then), T(a_line_of_others_stays),
      T(nothing_on_a_terminal_that_cannot_clear_a_line),
      T(line_appears_after_a_second_and_goes_away))
