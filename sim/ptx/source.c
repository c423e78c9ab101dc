/* source.c -- from a line of PTX back to the source, through .loc and .file. Read from the text
 * when it is wanted: nothing is kept for it while a simulation runs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/ptx/module_int.h"

static const char *word(const char *line, const char *what)
{
    line += strspn(line, " \t");
    size_t n = strlen(what);
    return strncmp(line, what, n) == 0 && (line[n] == ' ' || line[n] == '\t') ? line + n : NULL;
}

static const char *next_line(const char *p)
{
    p = strchr(p, '\n');
    return p ? p + 1 : NULL;
}

/* The name that `.file NUMBER "NAME"` gives. */
static bool file_name(const struct module *m, long number, char *to, size_t room)
{
    for (const char *p = m->text; p; p = next_line(p)) {
        const char *at = word(p, ".file");
        char *end;
        if (!at || strtol(at, &end, 10) != number || end == at)
            continue;
        const char *open = end + strspn(end, " \t");
        size_t n = *open == '"' ? strcspn(open + 1, "\"\n") : 0;
        snprintf(to, room, "%.*s", (int)n, open + 1);
        return n > 0;
    }
    return false;
}

bool module_source(const struct module *m, int line, char *to, size_t room)
{
    long file = 0, at_line = 0;
    const char *p = m->text;
    for (int i = 1; p && i <= line; i++, p = next_line(p)) {
        const char *at = word(p, ".loc");
        char *end;
        if (at) {
            file = strtol(at, &end, 10);
            at_line = strtol(end, NULL, 10);
        } else if (strstr(p, ".entry") && strstr(p, ".entry") < p + strcspn(p, "\n"))
            file = 0; /* another function's */
    }
    char name[400];
    if (file < 1 || !file_name(m, file, name, sizeof name))
        return false;
    snprintf(to, room, "%s:%ld", name, at_line);
    return true;
}
