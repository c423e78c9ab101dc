#include "base/datadir.h"

#include <dirent.h>
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SUFFIX ".cfg"

static bool is_folder(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* A data folder is one that holds coefficients/: any "data" may lie above a build folder. */
static char *if_data(char *candidate)
{
    char *inside = xasprintf("%s/coefficients", candidate);
    bool ok = is_folder(inside);
    free(inside);
    if (ok)
        return candidate;
    free(candidate);
    return NULL;
}

/* Beside this path, or below a folder above it. path is cut to pieces. */
static char *near(char *path)
{
    char *found = NULL;
    for (char *slash = strrchr(path, '/'); slash && !found; slash = strrchr(path, '/')) {
        *slash = 0;
        found = if_data(xasprintf("%s/data", path));
        if (!found)
            found = if_data(xasprintf("%s/share/mdpredict", path));
    }
    return found;
}

/* The file that this code was loaded from: the program, or libmdpredict. */
static char *near_code(void)
{
    char path[PATH_MAX];
    Dl_info us;
    return dladdr((void *)datadir, &us) && us.dli_fname && realpath(us.dli_fname, path) ? near(path)
                                                                                        : NULL;
}

char *datadir(struct err *e)
{
    const char *env = getenv("MDPREDICT_DATA");
    if (env && *env) {
        if (is_folder(env))
            return xstrdup(env);
        err_set(e, "MDPREDICT_DATA = \"%s\" is not a folder", env);
        return NULL;
    }
    char exe[PATH_MAX];
    ssize_t len = readlink("/proc/self/exe", exe, sizeof exe - 1);
    if (len < 0) {
        err_set(e, "cannot tell where the program lies; set MDPREDICT_DATA to its data folder");
        return NULL;
    }
    exe[len] = 0;
    char *found = near(exe);
    found = found ? found : near_code();
    if (!found)
        err_set(e, "no data folder beside the program; set MDPREDICT_DATA to it");
    return found;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

char **datadir_list(const char *folder, struct err *e)
{
    char *base = datadir(e);
    if (!base)
        return NULL;
    char *path = xasprintf("%s/%s", base, folder);
    free(base);
    DIR *d = opendir(path);
    if (!d) {
        err_set(e, "%s: no such folder", path);
        free(path);
        return NULL;
    }
    free(path);
    size_t n = 0;
    char **names = xcalloc(1, sizeof *names);
    for (struct dirent *f = readdir(d); f; f = readdir(d)) {
        size_t len = strlen(f->d_name), cut = strlen(SUFFIX);
        if (f->d_name[0] == '.' || len <= cut || strcmp(f->d_name + len - cut, SUFFIX))
            continue;
        names = xrealloc(names, (n + 2) * sizeof *names);
        names[n++] = xasprintf("%.*s", (int)(len - cut), f->d_name);
        names[n] = NULL;
    }
    closedir(d);
    qsort(names, n, sizeof *names, by_name);
    return names;
}

void datadir_list_free(char **names)
{
    for (char **n = names; n && *n; n++)
        free(*n);
    free(names);
}

char *datadir_find(const char *folder, const char *name, struct err *e)
{
    char **names = datadir_list(folder, e);
    if (!names)
        return NULL;
    char list[512] = "";
    bool found = false;
    for (char **n = names; *n; n++) {
        found |= strcmp(*n, name) == 0;
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", *n);
    }
    datadir_list_free(names);
    if (!found) {
        err_set(e, "no \"%s\" among the bundled %s; there are: %s", name, folder, list);
        return NULL;
    }
    char *base = datadir(e);
    if (!base)
        return NULL;
    char *path = xasprintf("%s/%s/%s" SUFFIX, base, folder, name);
    free(base);
    return path;
}
