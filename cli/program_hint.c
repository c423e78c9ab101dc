#include "cli/program_hint.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "program/elf.h"
#include "sim/frontend/workload.h"

enum word { WORD_OTHER, WORD_PROGRAM, WORD_PYTHON, WORD_CUDA };

static bool ends_with(const char *s, const char *end)
{
    const size_t n = strlen(s), m = strlen(end);
    return n > m && !strcmp(s + n - m, end);
}

/* The first bytes of a file; "": it is none. */
static void begin_of(const char *path, char to[64])
{
    struct stat st;
    FILE *f = stat(path, &st) == 0 && S_ISREG(st.st_mode) ? fopen(path, "rb") : NULL;
    memset(to, 0, 64);
    if (f && fread(to, 1, 63, f) == 0)
        *to = 0;
    if (f)
        fclose(f);
}

static enum word word_of(const char *word)
{
    char head[64];
    struct err ignored;
    if (ends_with(word, ".cu"))
        return WORD_CUDA;
    if (ends_with(word, ".py"))
        return WORD_PYTHON;
    begin_of(word, head);
    if (!memcmp(head, "\177ELF", 4) || (head[0] == '#' && head[1] == '!'))
        return WORD_PROGRAM;
    char *found =
        strchr(word, '/') || access(word, F_OK) == 0 ? NULL : program_find(word, &ignored);
    free(found);
    return found ? WORD_PROGRAM : WORD_OTHER;
}

/* "app args..." from argument `at` on. */
static char *rest_of(const struct options *o, int at)
{
    char *all = xstrdup("");
    for (int i = at; i < o->nargs; i++) {
        char *more = xasprintf("%s %s", all, o->arg[i]);
        free(all);
        all = more;
    }
    return all;
}

static void say(const struct options *o, int at, const char *command, struct err *e)
{
    const char *word = o->arg[at];
    char *rest = rest_of(o, at);
    const bool here = !strchr(word, '/') && access(word, F_OK) == 0;
    switch (word_of(word)) {
    case WORD_CUDA:
        err_set(e, "%s is CUDA source; type: mdpredict %s --build%s", word, command, rest);
        break;
    case WORD_PYTHON:
        err_set(e, "%s is a Python script; type: mdpredict %s -- python3%s", word, command, rest);
        break;
    default:
        err_set(e, "%s is a program, which stands after --; type: mdpredict %s -- %s%s", word,
                command, here ? "./" : "", rest + 1);
    }
    free(rest);
}

bool program_hint_target(const struct options *o, const char *command, struct err *e)
{
    for (int i = 0; i < o->nargs; i++) {
        char *name = strndup(o->arg[i], strcspn(o->arg[i], ":"));
        const bool bundled = workload_find(name);
        free(name);
        if (bundled || word_of(o->arg[i]) == WORD_OTHER)
            continue;
        say(o, i, command, e);
        return false;
    }
    return true;
}

bool program_hint_program(const struct options *o, const char *command, struct err *e)
{
    const char *word = o->arg[0];
    const enum word is = word_of(word);
    if (is != WORD_CUDA && (is != WORD_PYTHON || access(word, X_OK) == 0))
        return true;
    say(o, 0, command, e);
    return false;
}
