#include "base/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Grows as it reads: pipes and devices have no size to ask for. */
static char *read_stream(FILE *f, const char *path, size_t max, size_t *len, struct err *e)
{
    size_t cap = 4096, n = 0;
    char *buf = xmalloc(cap);
    for (;;) {
        size_t got = fread(buf + n, 1, cap - n - 1, f);
        n += got;
        if (ferror(f)) {
            err_set(e, "%s: %s", path, strerror(errno));
            break;
        }
        if (n > max) {
            err_set(e, "%s: larger than %zu bytes", path, max);
            break;
        }
        if (got == 0) {
            buf[n] = '\0';
            if (len)
                *len = n;
            return buf;
        }
        if (cap - n < cap / 2)
            buf = xrealloc(buf, cap *= 2);
    }
    free(buf);
    return NULL;
}

char *file_read(const char *path, size_t max, size_t *len, struct err *e)
{
    FILE *f = fopen(path, "rb");
    if (!f) {
        err_set(e, "%s: %s", path, strerror(errno));
        return NULL;
    }
    char *text = read_stream(f, path, max, len, e);
    fclose(f);
    return text;
}

static bool write_stream(FILE *f, const char *path, const void *data, size_t len, struct err *e)
{
    if (fwrite(data, 1, len, f) != len || fflush(f) != 0)
        return err_set(e, "%s: %s", path, strerror(errno));
    return true;
}

static bool write_new(const char *path, const void *data, size_t len, struct err *e)
{
    FILE *f = fopen(path, "wb");
    if (!f)
        return err_set(e, "%s: %s", path, strerror(errno));
    bool ok = write_stream(f, path, data, len, e);
    if (fclose(f) != 0 && ok)
        ok = err_set(e, "%s: %s", path, strerror(errno));
    return ok;
}

bool file_write(const char *path, const void *data, size_t len, struct err *e)
{
    if (!strcmp(path, "-"))
        return write_stream(stdout, "standard output", data, len, e);
    struct stat st;
    if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
        return write_new(path, data, len, e);
    char *tmp = xasprintf("%s.tmp%ld", path, (long)getpid());
    bool ok = write_new(tmp, data, len, e);
    if (ok && rename(tmp, path) != 0)
        ok = err_set(e, "%s: %s", path, strerror(errno));
    if (!ok)
        unlink(tmp);
    free(tmp);
    return ok;
}

char *file_beside(const char *from, const char *rel)
{
    const char *slash = strrchr(from, '/');
    if (rel[0] == '/' || !slash)
        return xstrdup(rel);
    return xasprintf("%.*s%s", (int)(slash - from + 1), from, rel);
}
