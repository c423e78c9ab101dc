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

struct place {
    long file, line, column;
};
struct line_info { /* .loc FILE LINE COLUMN [, function_name NAME, inlined_at FILE LINE COLUMN] */
    struct place at, caller; /* caller.file 0: not inlined */
};

static void read_place(const char *p, struct place *to)
{
    char *end;
    to->file = strtol(p, &end, 10);
    to->line = strtol(end, &end, 10);
    to->column = strtol(end, &end, 10);
}

static bool read_loc(const char *p, struct line_info *to)
{
    const char *at = word(p, ".loc"), *caller = at ? strstr(at, "inlined_at") : NULL;
    if (!at)
        return false;
    *to = (struct line_info){0};
    read_place(at, &to->at);
    if (caller && caller < at + strcspn(at, "\n"))
        read_place(caller + strlen("inlined_at"), &to->caller);
    return true;
}

static bool begins_function(const char *p)
{
    char line[200];
    snprintf(line, sizeof line, "%.*s", (int)strcspn(p, "\n"), p);
    return strstr(line, ".entry") || strstr(line, ".func");
}

/* The call from which l was inlined in the end: the places that call it have a .loc of their own
 * before it in the function, [from, to). */
static struct place outermost(const char *from, const char *to, struct line_info l)
{
    for (int depth = 0; depth < 100 && l.caller.file; depth++) {
        struct line_info found = {.at = l.caller}, other;
        for (const char *p = from; p && p < to; p = next_line(p))
            if (read_loc(p, &other) && memcmp(&other.at, &l.caller, sizeof l.caller) == 0)
                found = other;
        l = found;
    }
    return l.at;
}

bool module_source(const struct module *m, int line, char *to, size_t room)
{
    struct line_info l = {0};
    const char *p = m->text, *function = p;
    for (int i = 1; p && i <= line; i++, p = next_line(p))
        if (!read_loc(p, &l) && begins_function(p)) {
            l = (struct line_info){0}; /* what came before is another function's */
            function = p;
        }
    char name[400];
    if (l.at.file < 1 || !file_name(m, l.at.file, name, sizeof name))
        return false;
    int n = snprintf(to, room, "%s:%ld", name, l.at.line);
    struct place caller = outermost(function, p ? p : function + strlen(function), l);
    if (l.caller.file && (size_t)n < room && file_name(m, caller.file, name, sizeof name))
        snprintf(to + n, room - (size_t)n, ", inlined at %s:%ld", name, caller.line);
    return true;
}
