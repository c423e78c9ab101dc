#include "base/demangle.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"

#define SAID 60 /* bytes of a name in a sentence: templates have long ones */

typedef char *demangler(const char *name, char *buffer, size_t *length, int *status);
static demangler *cxx; /* written once, under once */
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void find(void)
{
    void *lib = dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_LOCAL);
    if (!lib)
        lib = dlopen("libc++abi.so.1", RTLD_LAZY | RTLD_LOCAL);
    void *f = lib ? dlsym(lib, "__cxa_demangle") : NULL;
    memcpy(&cxx, &f, sizeof cxx);
}

char *demangle(const char *name)
{
    int status = -1;
    pthread_once(&once, find);
    char *text = cxx && strncmp(name, "_Z", 2) == 0 ? cxx(name, NULL, NULL, &status) : NULL;
    return text ? text : xstrdup(name);
}

/* Where the name begins behind a template's result type: the last blank outside of brackets. */
static char *skip_result(char *text, const char *end)
{
    int deep = 0;
    char *from = text;
    for (char *p = text; p < end; p++) {
        deep += *p == '<' || *p == '(';
        deep -= *p == '>' || *p == ')';
        if (*p == ' ' && deep == 0)
            from = p + 1;
    }
    return from;
}

char *demangle_short(const char *name)
{
    char *text = demangle(name), *end = NULL;
    int deep = 0;
    for (char *p = text; *p && !end; p++) {
        if (*p == '(' && deep == 0 && strncmp(p, "(anonymous namespace)", 21) != 0)
            end = p;
        deep += *p == '<' || *p == '(';
        deep -= *p == '>' || *p == ')';
    }
    if (!end)
        return text;
    char *from = skip_result(text, end);
    char *s = strndup(from, (size_t)(end - from));
    free(text);
    return s;
}

static char *drop_arguments(const char *text)
{
    char *out = xmalloc(4 * strlen(text) + 1), *to = out;
    int deep = 0;
    for (const char *p = text; *p; p++) {
        deep -= *p == '>' && deep > 0;
        if (deep == 0)
            *to++ = *p;
        if (*p == '<' && deep++ == 0)
            to = mempcpy(to, "...", 3);
    }
    *to = '\0';
    return out;
}

char *demangle_fit(const char *name, size_t room)
{
    char *text = demangle_short(name);
    if (strlen(text) <= room)
        return text;
    char *bare = drop_arguments(text), *from = bare, *next;
    free(text);
    while (strlen(from) > room && (next = strstr(from, "::")))
        from = next + 2;
    text = xstrdup(from);
    free(bare);
    if (strlen(text) > room && room >= 3)
        memcpy(text + room - 3, "...", 4);
    return text;
}

#define TEXT_ROOM 80 /* for a name in a message */

static size_t word_length(const char *p)
{
    return strspn(p, "_$."
                     "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
}

char *demangle_text(const char *text)
{
    char *out = xstrdup("");
    while (*text) {
        const size_t n = word_length(text) ? word_length(text) : 1;
        char *word = strndup(text, n);
        char *plain = strncmp(word, "_Z", 2) == 0 ? demangle_fit(word, TEXT_ROOM) : xstrdup(word);
        char *longer = xasprintf("%s%s", out, plain);
        free(word);
        free(plain);
        free(out);
        out = longer;
        text += n;
    }
    return out;
}

char *demangle_said(const char *name)
{
    return demangle_fit(name, SAID);
}
