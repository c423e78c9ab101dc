#include "figure/gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"

#define MOST_BYTES ((size_t)1 << 28)

extern char **environ;

bool gnuplot_run(const char *folder, const char *arg, struct err *e)
{
    char name[] = "gnuplot", *last = xstrdup(arg), *argv[] = {name, last, NULL};
    posix_spawn_file_actions_t actions;
    pid_t pid;
    int status = 0;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addchdir_np(&actions, folder);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    const int failed = posix_spawnp(&pid, name, &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    free(last);
    if (failed)
        return err_set(e, "this needs gnuplot (Debian: gnuplot-nox): %s", strerror(failed));
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return (WIFEXITED(status) && WEXITSTATUS(status) == 0) ||
           err_set(e, "gnuplot failed on %s/%s", folder, arg);
}

bool gnuplot_there(void)
{
    const char *path = getenv("PATH");
    char *folders = xstrdup(path ? path : "/bin:/usr/bin"), *save = NULL;
    bool there = false;
    for (char *f = strtok_r(folders, ":", &save); f && !there; f = strtok_r(NULL, ":", &save)) {
        char *file = xasprintf("%s/gnuplot", f);
        there = access(file, X_OK) == 0;
        free(file);
    }
    free(folders);
    return there;
}

static char *draw_in(const char *folder, const char *script, size_t *len, struct err *e)
{
    char *path = xasprintf("%s/script", folder), *made = xasprintf("%s/figure", folder);
    char *out = NULL;
    if (file_write(path, script, strlen(script), e) && gnuplot_run(folder, "script", e))
        out = file_read(made, MOST_BYTES, len, e);
    unlink(path);
    unlink(made);
    free(path);
    free(made);
    return out;
}

char *gnuplot_draw(const char *script, size_t *len, struct err *e)
{
    const char *tmp = getenv("TMPDIR");
    char *folder = xasprintf("%s/mdpredict-XXXXXX", tmp && *tmp ? tmp : "/tmp"), *out = NULL;
    if (!mkdtemp(folder)) {
        err_set(e, "%s: %s", folder, strerror(errno));
    } else {
        out = draw_in(folder, script, len, e);
        rmdir(folder);
    }
    free(folder);
    return out;
}
