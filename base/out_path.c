#include "base/out_path.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_LINKS 40 /* symbolic links behind each other, as Linux follows them */

/* ---- Inputs ---- */
/* Files are told apart by device and number, so that no other name of one gets past, and by when
 * they were changed: the number of a file that is removed goes to another. The list only decides
 * what is refused, never a result. */
static struct inputs {
    pthread_mutex_t lock;
    struct file_id {
        dev_t device;
        ino_t number;
        struct timespec changed;
    } * id;
    size_t n;
} inputs = {.lock = PTHREAD_MUTEX_INITIALIZER};

static bool is_input(const struct stat *st)
{
    bool found = false;
    pthread_mutex_lock(&inputs.lock);
    for (size_t i = 0; i < inputs.n && !found; i++)
        found = inputs.id[i].device == st->st_dev && inputs.id[i].number == st->st_ino &&
                inputs.id[i].changed.tv_sec == st->st_ctim.tv_sec &&
                inputs.id[i].changed.tv_nsec == st->st_ctim.tv_nsec;
    pthread_mutex_unlock(&inputs.lock);
    return found;
}

void out_path_spare(const char *path)
{
    struct stat st;
    if (stat(path, &st) != 0 || !S_ISREG(st.st_mode) || is_input(&st))
        return;
    pthread_mutex_lock(&inputs.lock);
    inputs.id = xrealloc(inputs.id, (inputs.n + 1) * sizeof *inputs.id);
    inputs.id[inputs.n++] = (struct file_id){st.st_dev, st.st_ino, st.st_ctim};
    pthread_mutex_unlock(&inputs.lock);
}

/* ---- Where it is ---- */
static bool fail(const struct out_path *p, int error, struct err *e)
{
    errno = error; /* callers look for a reader that has gone */
    return err_set(e, "%s: %s", p->given, strerror(error));
}

/* The real name of the folder that `file` lies in, then its own name. NULL: errno. */
static char *with_real_folder(const char *file)
{
    char real[PATH_MAX];
    char *folder = xstrdup(file), *name = xstrdup(file), *whole = NULL;
    if (realpath(dirname(folder), real))
        whole = xasprintf("%s/%s", strcmp(real, "/") ? real : "", basename(name));
    free(folder);
    free(name);
    return whole;
}

/* N of /proc/OWN/fd/N; -1: something else. */
static int own_descriptor(const char *file)
{
    char *folder = xasprintf("/proc/%ld/fd/", (long)getpid());
    const size_t n = strlen(folder);
    char *end = NULL;
    const long fd = strncmp(file, folder, n) == 0 ? strtol(file + n, &end, 10) : -1;
    const bool is = end && end != file + n && !*end && fd >= 0 && fd <= INT_MAX;
    free(folder);
    return is ? (int)fd : -1;
}

/* What the link p->file points to takes its place. False: it is none, or cannot be read. */
static bool follow(struct out_path *p)
{
    char target[PATH_MAX];
    const ssize_t n = readlink(p->file, target, sizeof target - 1);
    if (n < 0)
        return false;
    target[n] = '\0';
    char *folder = xstrdup(p->file);
    char *next = target[0] == '/' ? xstrdup(target) : xasprintf("%s/%s", dirname(folder), target);
    free(folder);
    free(p->file);
    p->file = next;
    return true;
}

static bool resolve(struct out_path *p, struct err *e)
{
    for (int links = 0; links <= MOST_LINKS; links++) {
        char *real = with_real_folder(p->file);
        if (!real)
            return fail(p, errno, e);
        free(p->file);
        p->file = real;
        p->fd = own_descriptor(real);
        if (p->fd >= 0 || !follow(p))
            return true;
    }
    return fail(p, ELOOP, e);
}

static bool can_be_made(const struct out_path *p, struct err *e)
{
    char *folder = xstrdup(p->file);
    const bool ok = access(dirname(folder), W_OK | X_OK) == 0 || fail(p, errno, e);
    free(folder);
    return ok;
}

bool out_path_find(struct out_path *p, const char *path, struct err *e)
{
    struct stat st;
    const bool standard = strcmp(path, "-") == 0;
    *p = (struct out_path){.given = xstrdup(standard ? "standard output" : path), .fd = -1};
    if (standard)
        p->fd = STDOUT_FILENO;
    p->file = xstrdup(path);
    if (!standard && !resolve(p, e))
        return false;
    if (p->fd >= 0)
        return fcntl(p->fd, F_GETFD) >= 0 || fail(p, errno, e);
    const bool exists = stat(p->file, &st) == 0;
    if (exists && S_ISDIR(st.st_mode))
        return err_set(e, "%s: is a folder", path);
    if (exists && access(p->file, W_OK) != 0)
        return fail(p, errno, e);
    if (exists && is_input(&st))
        return err_set(e, "%s: is an input of this command, and is not written over", path);
    p->plain = !exists || S_ISREG(st.st_mode);
    return !p->plain || can_be_made(p, e);
}

void out_path_fini(struct out_path *p)
{
    free(p->given);
    free(p->file);
    *p = (struct out_path){.fd = -1};
}

/* ---- Writing ---- */
char *out_path_temporary(const struct out_path *p)
{
    const char *folder = getenv("TMPDIR");
    if (p->plain)
        return xasprintf("%s.tmp%ld", p->file, (long)getpid());
    return xasprintf("%s/mdpredict.tmp%ld", folder && *folder ? folder : "/tmp", (long)getpid());
}

static bool put(const struct out_path *p, int fd, const void *data, size_t len, struct err *e)
{
    const char *at = data;
    while (len) {
        const ssize_t n = write(fd, at, len);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return fail(p, errno, e);
        at += n;
        len -= (size_t)n;
    }
    return true;
}

static bool write_and_close(const struct out_path *p, int fd, const void *data, size_t len,
                            struct err *e)
{
    if (fd < 0)
        return fail(p, errno, e);
    bool ok = put(p, fd, data, len, e);
    if (close(fd) != 0 && ok)
        ok = fail(p, errno, e);
    return ok;
}

/* A file that is there keeps its mode, and its owner where we may give files away. */
static bool take_place(const struct out_path *p, const char *temporary, struct err *e)
{
    struct stat st;
    if (stat(p->file, &st) == 0 &&
        ((chown(temporary, st.st_uid, st.st_gid) != 0 && errno != EPERM) ||
         chmod(temporary, st.st_mode & 07777) != 0))
        return fail(p, errno, e);
    return rename(temporary, p->file) == 0 || fail(p, errno, e);
}

static bool write_in_place(const struct out_path *p, const void *data, size_t len, struct err *e)
{
    if (p->fd >= 0)
        return put(p, p->fd, data, len, e);
    return write_and_close(p, open(p->file, O_WRONLY | O_CLOEXEC), data, len, e);
}

bool out_path_write(const struct out_path *p, const void *data, size_t len, struct err *e)
{
    if (!p->plain)
        return write_in_place(p, data, len, e);
    char *temporary = out_path_temporary(p);
    const int fd = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    const bool ok = write_and_close(p, fd, data, len, e) && take_place(p, temporary, e);
    if (!ok)
        unlink(temporary);
    free(temporary);
    return ok;
}

static bool copy(const struct out_path *p, int from, struct err *e)
{
    char block[1 << 16];
    ssize_t n;
    while ((n = read(from, block, sizeof block)) > 0)
        if (!write_in_place(p, block, (size_t)n, e))
            return false;
    return n == 0 || fail(p, errno, e);
}

bool out_path_deliver(const struct out_path *p, const char *temporary, struct err *e)
{
    bool ok;
    if (p->plain) {
        ok = take_place(p, temporary, e);
    } else {
        const int from = open(temporary, O_RDONLY | O_CLOEXEC);
        ok = from >= 0 ? copy(p, from, e) : fail(p, errno, e);
        if (from >= 0)
            close(from);
    }
    if (!ok || !p->plain)
        unlink(temporary);
    return ok;
}

bool out_path_same(const char *a, const char *b)
{
    struct err none;
    struct out_path x, y;
    const bool found = out_path_find(&x, a, &none) & out_path_find(&y, b, &none);
    const bool same = found && x.fd < 0 && y.fd < 0 && strcmp(x.file, y.file) == 0;
    out_path_fini(&x);
    out_path_fini(&y);
    return same;
}
