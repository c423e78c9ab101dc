#include "base/file.h"

#include "base/out_path.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    out_path_spare(path);
    char *text = read_stream(f, path, max, len, e);
    fclose(f);
    return text;
}

bool file_write(const char *path, const void *data, size_t len, struct err *e)
{
    struct out_path p;
    fflush(stdout); /* what was printed comes first, where both go to the same place */
    const bool ok = out_path_find(&p, path, e) && out_path_write(&p, data, len, e);
    const int error = errno;
    out_path_fini(&p);
    errno = error;
    return ok;
}

char *file_beside(const char *from, const char *rel)
{
    const char *slash = strrchr(from, '/');
    if (rel[0] == '/' || !slash)
        return xstrdup(rel);
    return xasprintf("%.*s%s", (int)(slash - from + 1), from, rel);
}
