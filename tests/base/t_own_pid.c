/* base/own_pid: what getpid() says, in children too, however they came about. */
#include "base/own_pid.h"
#include "tests/suite.h"

#include <signal.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static bool is_right(void)
{
    return own_pid() == getpid() && own_pid() == getpid();
}

/* Its exit status; -1: it did not end by itself. */
static int status_of(pid_t child)
{
    int status = -1;
    const bool ended = waitpid(child, &status, 0) == child && WIFEXITED(status);
    return ended ? WEXITSTATUS(status) : -1;
}

static void is_the_process(void)
{
    CU_ASSERT_TRUE(is_right());
}

static void is_each_childs_own(void)
{
    (void)own_pid();
    const pid_t child = fork();
    if (child == 0) {
        const bool right = is_right();
        const pid_t of_it = fork();
        if (of_it == 0)
            _exit(is_right() ? 0 : 1);
        _exit(right && status_of(of_it) == 0 && is_right() ? 0 : 1);
    }
    CU_ASSERT_EQUAL(status_of(child), 0);
    CU_ASSERT_TRUE(is_right());
}

/* Not by fork(): no handler of the C library knows of it. */
static void is_right_behind_a_bare_clone(void)
{
    (void)own_pid();
    const pid_t child = (pid_t)syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL);
    if (child == 0)
        _exit(is_right() ? 0 : 1);
    CU_ASSERT_EQUAL(status_of(child), 0);
}

SUITE("own_pid", T(is_the_process), T(is_each_childs_own), T(is_right_behind_a_bare_clone))
