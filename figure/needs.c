#include "figure/needs.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"

#define MOST  64 /* different ones of a kind */
#define NAMED 4  /* more are counted */

struct set {          /* texts, each once, in the order in which they came */
    char *text[MOST]; /* owned */
    int n;
};

struct needs {
    struct set gpus, targets, schedulers, settings;
    bool steps; /* every scheduler is a limit n=1, n=2 ... */
};

static void put(struct set *s, char *text)
{
    for (int i = 0; i < s->n; i++)
        if (strcmp(s->text[i], text) == 0) {
            free(text);
            return;
        }
    if (s->n < MOST)
        s->text[s->n++] = text;
    else
        free(text);
}

static void clear(struct set *s)
{
    for (int i = 0; i < s->n; i++)
        free(s->text[i]);
}

struct words { /* of a comparison's arguments; NULL: not given */
    const char *gpu, *suite, *warp, *cta;
};

/* Where the value of an option belongs; NULL: it is none of those that are told. */
static const char **place_of(struct words *w, const char *option)
{
    return strcmp(option, "-g") == 0                 ? &w->gpu
           : strcmp(option, "--suite") == 0          ? &w->suite
           : strstr(option, "--warp-scheduler")      ? &w->warp
           : strcmp(option, "--cta-schedulers") == 0 ? &w->cta
                                                     : NULL;
}

/* What stands behind no option is a target. */
static void read_words(struct needs *of, struct words *w, char *args)
{
    char *save = NULL;
    const char *option = NULL;
    for (char *word = strtok_r(args, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
        if (option) {
            const char **at = place_of(w, option);
            if (at)
                *at = word;
            option = NULL;
        } else if (*word == '-') {
            option = word;
        } else {
            put(&of->targets, xstrdup(strstr(word, ".cfg") ? "launch file" : word));
        }
    }
}

/* Every one of a list with every one of the other, as the figure's table names them. */
static void put_schedulers(struct needs *of, const struct figure_spec *s, const struct words *w)
{
    char *warps = xstrdup(w->warp ? w->warp : ""), *save = NULL;
    const char *warp = strtok_r(warps, ",", &save);
    do {
        char *ctas = xstrdup(w->cta ? w->cta : ""), *saved = NULL;
        const char *cta = strtok_r(ctas, ",", &saved);
        do {
            char *name =
                xasprintf("%s%s%s", warp ? warp : "", warp && cta ? "/" : "", cta ? cta : "");
            of->steps &= strncmp(name, "n=", 2) == 0;
            if (*name) /* none given: the GPU's own */
                put(&of->schedulers, xstrdup(figure_name(s, name)));
            free(name);
            cta = strtok_r(NULL, ",", &saved);
        } while (cta);
        free(ctas);
        warp = strtok_r(NULL, ",", &save);
    } while (warp);
    free(warps);
}

static void add_run(struct needs *of, const struct figure_spec *s, const struct figure_run *r)
{
    const char *args = r->args ? r->args : strchr(r->run, ' ');
    char *text = xstrdup(args ? args : "");
    struct words w = {.gpu = NULL};
    read_words(of, &w, text);
    if (w.gpu)
        put(&of->gpus, xstrdup(w.gpu));
    if (w.suite)
        put(&of->targets, xasprintf("suite %s", w.suite));
    if (r->run)
        put(&of->targets, xasprintf("suite %.*s", (int)strcspn(r->run, " "), r->run));
    put_schedulers(of, s, &w);
    if (*r->setting)
        put(&of->settings, xstrdup(r->setting));
    free(text);
}

/* "; a, b", or "; 7 things". */
static void print_set(FILE *out, const struct set *s, const char *things)
{
    if (s->n > NAMED)
        fprintf(out, "; %d %s", s->n, things);
    else
        for (int i = 0; i < s->n; i++)
            fprintf(out, "%s%s", i ? ", " : "; ", s->text[i]);
}

static void print(FILE *out, const struct needs *of)
{
    if (of->gpus.n == 1)
        fputs(of->gpus.text[0], out);
    else
        fprintf(out, "%d GPUs", of->gpus.n);
    print_set(out, &of->targets, "applications");
    if (of->steps && of->schedulers.n > 2)
        fprintf(out, "; 1 to %d CTAs", of->schedulers.n);
    else
        print_set(out, &of->schedulers, "schedulers");
    if (of->settings.n > 1)
        fprintf(out, "; %d settings", of->settings.n);
}

void figure_needs(FILE *out, const struct figure_spec *s)
{
    struct needs of = {.steps = true};
    struct figure_run r;
    struct err e;
    if (s->plain) {
        fprintf(out, "scripts/schedulers.sh %s", s->name);
        return;
    }
    for (int i = 0; i < figure_runs(s); i++)
        if (figure_run_read(s, i, &r, &e))
            add_run(&of, s, &r);
    print(out, &of);
    clear(&of.gpus);
    clear(&of.targets);
    clear(&of.schedulers);
    clear(&of.settings);
}
