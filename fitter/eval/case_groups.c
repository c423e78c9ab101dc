#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fitter/eval/cross_validation.h"

#define LARGE ((int64_t)32 << 10) /* Yen's own scheme lost most beyond (section 6.2) */

bool case_in_group(const struct case_group *g, const struct app_case *c)
{
    return c->m.n_max > 0 && strcmp(g->size, c->size) == 0 &&
           (!g->gpu || strcmp(g->gpu, c->gpu) == 0) && c->l1d_bytes >= g->lo &&
           c->l1d_bytes <= g->hi;
}

struct groups {
    const struct case_set *cases;
    const char *size, *shown; /* shown: "" where all cases are of one size */
    struct case_group *g;     /* owned by the caller */
    int count;
};

static bool same_cases(const struct case_set *cases, const struct case_group *a,
                       const struct case_group *b)
{
    for (int i = 0; i < cases->count; i++)
        if (case_in_group(a, &cases->one[i]) != case_in_group(b, &cases->one[i]))
            return false;
    return true;
}

static void append(struct groups *s, const struct case_group *g, const char *name)
{
    s->g = xrealloc(s->g, (size_t)(s->count + 1) * sizeof *s->g);
    struct case_group *last = &s->g[s->count++];
    *last = *g;
    snprintf(last->name, sizeof last->name, "%s%s%s%s%s", g->gpu ? g->gpu : "all",
             *s->shown ? ", " : "", s->shown, *name ? ", " : "", name);
}

/* Only if it has cases, and others than each of those before it. */
static void add(struct groups *s, const char *gpu, int64_t lo, int64_t hi, const char *name)
{
    const struct case_group none = {.size = s->size, .lo = 1, .hi = 0};
    struct case_group g = {.gpu = gpu, .size = s->size, .lo = lo, .hi = hi};
    bool old = same_cases(s->cases, &g, &none);
    for (int i = 0; i < s->count; i++)
        old |= same_cases(s->cases, &g, &s->g[i]);
    if (!old)
        append(s, &g, name);
}

/* All of the size as one run of each degree has it, if there are more of any. */
static void add_once(struct groups *s)
{
    const struct case_group g = {.size = s->size, .hi = INT64_MAX, .once = true};
    bool perturbed = false;
    for (int i = 0; i < s->cases->count; i++)
        perturbed |= case_in_group(&g, &s->cases->one[i]) && s->cases->one[i].runs > 1;
    if (perturbed)
        append(s, &g, "one run");
}

/* The next larger L1D that a GPU was run with; 0: none. */
static int64_t next_cache(const struct groups *s, const char *gpu, int64_t above)
{
    int64_t next = 0;
    for (int i = 0; i < s->cases->count; i++) {
        const struct app_case *c = &s->cases->one[i];
        if (c->m.n_max > 0 && strcmp(c->size, s->size) == 0 && strcmp(c->gpu, gpu) == 0 &&
            c->l1d_bytes > above && (next == 0 || c->l1d_bytes < next))
            next = c->l1d_bytes;
    }
    return next;
}

static void add_gpu(struct groups *s, const char *gpu)
{
    for (int64_t l1d = next_cache(s, gpu, -1); l1d; l1d = next_cache(s, gpu, l1d)) {
        char name[32];
        snprintf(name, sizeof name, "%lld KB", (long long)l1d / 1024);
        add(s, gpu, l1d, l1d, name);
    }
    add(s, gpu, 0, LARGE, "up to 32 KB");
    add(s, gpu, LARGE + 1, INT64_MAX, "above 32 KB");
    add(s, gpu, 0, INT64_MAX, "");
}

/* Whether case i is the first that was run of its size, and, if that is asked, on its GPU. */
static bool first_run(const struct case_set *s, int i, bool of_gpu)
{
    const struct app_case *c = &s->one[i];
    for (int k = 0; k < i; k++)
        if (s->one[k].m.n_max > 0 && strcmp(s->one[k].size, c->size) == 0 &&
            (!of_gpu || strcmp(s->one[k].gpu, c->gpu) == 0))
            return false;
    return c->m.n_max > 0;
}

static void add_size(struct groups *s, const char *size, bool is_only)
{
    s->size = size;
    s->shown = is_only ? "" : size;
    for (int i = 0; i < s->cases->count; i++)
        if (strcmp(s->cases->one[i].size, size) == 0 && first_run(s->cases, i, true))
            add_gpu(s, s->cases->one[i].gpu);
    add(s, NULL, 0, INT64_MAX, "");
    add_once(s);
}

struct case_group cv_main(const struct cross_validation *c)
{
    return (struct case_group){.name = "all", .size = c->main_size, .lo = 0, .hi = INT64_MAX};
}

int cv_groups(const struct cross_validation *c, struct case_group **out)
{
    struct groups s = {.cases = &c->cases};
    int sizes = 0;
    for (int i = 0; i < c->cases.count; i++)
        sizes += first_run(&c->cases, i, false);
    add_size(&s, c->main_size, sizes == 1);
    for (int i = 0; i < c->cases.count; i++)
        if (strcmp(c->cases.one[i].size, c->main_size) && first_run(&c->cases, i, false))
            add_size(&s, c->cases.one[i].size, false);
    *out = s.g;
    return s.count;
}

void cv_metrics(const struct cross_validation *c, const struct case_group *g, int predictor,
                struct metrics *out, int *worst)
{
    const struct evaluation **j = xcalloc((size_t)c->cases.count + 1, sizeof *j);
    int *place = xcalloc((size_t)c->cases.count + 1, sizeof *place), n = 0, least;
    for (int i = 0; i < c->cases.count; i++)
        if (case_in_group(g, &c->cases.one[i])) {
            place[n] = i;
            j[n++] =
                g->once ? &cv_choice(c, i, predictor)->once : &cv_choice(c, i, predictor)->mean;
        }
    metrics_of(j, n, out, &least);
    if (worst)
        *worst = least < 0 ? -1 : place[least];
    free(j);
    free(place);
}
