/* pvc -- page view count by MapReduce (PVC of Kayiran 2013, Table II; He and others, PACT 2008):
 * how often each URL of a web server's log was viewed, repeated entries counted once. Two passes of
 * map, sort, group and reduce, the first over whole lines, the second over the URLs of distinct
 * lines. Threads walk their lines byte by byte, a line or two of the cache each: hardly any
 * locality between lanes, and much between a thread's own accesses.
 *
 * The log is drawn at random: few of the pages are popular (the rank is the cube of a uniform
 * number), and one line in REPEAT says the same as an earlier one. */
#include "data/workloads/mars.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REPEAT   5
#define LINE_MAX 128 /* bytes, the end of the line included */

enum fields { URL_ONLY = 1, WHOLE_LINE = 3 };

struct weblog {
    int lines;
    char *text;
    unsigned *at, bytes; /* where a line begins, and one past the last */
};

struct view { /* a line stands for its URL */
    const char *line;
    int count;
};

static struct weblog make_log(struct host *h)
{
    struct weblog l = {.lines = (int)h->in->size->param[0]};
    const uint64_t pages = (uint64_t)l.lines / 2, visitors = (uint64_t)l.lines / 4;
    l.text = host_new(h, (size_t)l.lines, LINE_MAX);
    l.at = host_new(h, (size_t)l.lines + 1, sizeof *l.at);
    for (int i = 0; i < l.lines; i++, l.at[i] = l.bytes) {
        char *to = l.text + l.bytes;
        if (i > 0 && rng_below(&h->rng, REPEAT) == 0) {
            uint64_t earlier = rng_below(&h->rng, (uint64_t)i);
            size_t length = l.at[earlier + 1] - l.at[earlier];
            memcpy(to, l.text + l.at[earlier], length);
            l.bytes += (unsigned)length;
            continue;
        }
        double u = rng_unit(&h->rng);
        unsigned page = (unsigned)((double)pages * u * u * u);
        unsigned visitor = (unsigned)rng_below(&h->rng, visitors) * 2654435761u;
        l.bytes +=
            (unsigned)snprintf(to, LINE_MAX, "http://site%u.org/page%u.html %u.%u.%u.%u %08x\n",
                               page % 97, page, visitor >> 24, visitor >> 16 & 255,
                               visitor >> 8 & 255, visitor & 255, visitor * 2246822519u);
    }
    return l;
}

/* By the text, up to the end of the line. A blank comes before every character of a URL: lines of
 * one URL lie together, and URLs have the order of any of their lines. */
static int by_text(const void *a, const void *b)
{
    const char *p = ((const struct view *)a)->line, *q = ((const struct view *)b)->line;
    while (*p == *q && *p != '\n')
        p++, q++;
    return (unsigned char)*p - (unsigned char)*q;
}

static bool same_url(const char *a, const char *b)
{
    size_t n = strcspn(a, " ");
    return n == strcspn(b, " ") && memcmp(a, b, n) == 0;
}

/* Sorts all lines, skips what repeats; returns the number of URLs. */
static int reference(const struct weblog *l, struct view *v)
{
    int urls = 0;
    for (int i = 0; i < l->lines; i++)
        v[i] = (struct view){l->text + l->at[i], 1};
    qsort(v, (size_t)l->lines, sizeof *v, by_text);
    const char *before = NULL;
    for (int i = 0; i < l->lines; i++) {
        struct view now = v[i];
        bool repeated = before && by_text(&(struct view){before, 1}, &now) == 0;
        if (urls && same_url(v[urls - 1].line, now.line))
            v[urls - 1].count += !repeated;
        else
            v[urls++] = now;
        before = now.line;
    }
    return urls;
}

static bool check(struct host *h, const struct weblog *l, struct view *found, int urls,
                  struct err *e)
{
    struct view *expected = host_new(h, (size_t)l->lines, sizeof *expected);
    int all = reference(l, expected);
    if (urls != all)
        return err_set(e, "pvc: %d URLs, expected %d", urls, all);
    qsort(found, (size_t)urls, sizeof *found, by_text);
    for (int i = 0; i < urls; i++)
        if (!same_url(found[i].line, expected[i].line) || found[i].count != expected[i].count)
            return err_set(e, "pvc: %.*s has %d views, expected %.*s with %d",
                           (int)strcspn(found[i].line, " "), found[i].line, found[i].count,
                           (int)strcspn(expected[i].line, " "), expected[i].line,
                           expected[i].count);
    return true;
}

struct device_log {
    CUdeviceptr text, at;
};

struct pass {          /* on the device */
    CUdeviceptr line;  /* in: the lines to look at; out: one line of each group, */
    CUdeviceptr count; /* and how many lines the group has */
    struct mars *mars;
};

static bool map(const struct device_log *l, struct pass *p, enum fields fields, struct err *e)
{
    struct mars *m = p->mars;
    int key_words, key_fields = fields;
    void *count[] = {&m->key_at, (void *)&l->text, (void *)&l->at, &p->line, &m->n, &key_fields};
    if (!host_array(&m->key_at, NULL, ((size_t)m->n + 1) * sizeof(unsigned), e) ||
        !mars_launch(m, "map_count", (size_t)m->n, count, e) ||
        !mars_scan(m, m->key_at, m->n, &key_words, e) || !mars_pairs(m, key_words, e))
        return false;
    void *args[] = {&m->pairs, &m->keys, &m->key_at, (void *)&l->text, (void *)&l->at,
                    &p->line,  &m->n,    &m->padded, &key_fields};
    return mars_launch(m, "map", m->padded, args, e);
}

static bool reduce(struct pass *p, struct err *e)
{
    struct mars *m = p->mars;
    CUdeviceptr line = p->line;
    const size_t bytes = ((size_t)m->groups + 1) * sizeof(unsigned);
    if (!host_array(&p->line, NULL, bytes, e) || !host_array(&p->count, NULL, bytes, e))
        return false;
    void *args[] = {&p->line, &p->count, &m->first, &m->pairs, &line, &m->groups};
    return mars_launch(m, "reduce", (size_t)m->groups, args, e);
}

/* The lines' groups of equal keys take the lines' place. */
static bool map_reduce(const struct device_log *l, struct pass *p, int lines, enum fields fields,
                       struct err *e)
{
    mars_begin(p->mars, lines);
    return lines == 0 || (map(l, p, fields, e) && mars_sort(p->mars, e) && mars_group(p->mars, e) &&
                          reduce(p, e));
}

static bool run_on_device(struct host *h, const struct weblog *l, struct view *views, int *urls,
                          struct err *e)
{
    struct mars m = mars_of(h, host_threads(h, (unsigned)h->in->size->param[1]));
    struct device_log d;
    struct pass p = {.mars = &m};
    unsigned *line = host_new(h, (size_t)l->lines, sizeof *line);
    unsigned *count = host_new(h, (size_t)l->lines, sizeof *count);
    for (int i = 0; i < l->lines; i++)
        line[i] = (unsigned)i;
    if (!host_array(&d.text, l->text, l->bytes, e) ||
        !host_array(&d.at, l->at, ((size_t)l->lines + 1) * sizeof *l->at, e) ||
        !host_array(&p.line, line, (size_t)l->lines * sizeof *line, e) ||
        !map_reduce(&d, &p, l->lines, WHOLE_LINE, e) || !map_reduce(&d, &p, m.groups, URL_ONLY, e))
        return false;
    if (m.groups) {
        TRY(cuMemcpyDtoH(line, p.line, (size_t)m.groups * sizeof *line));
        TRY(cuMemcpyDtoH(count, p.count, (size_t)m.groups * sizeof *count));
    }
    for (int g = 0; g < m.groups; g++)
        views[g] = (struct view){l->text + l->at[line[g]], (int)count[g]};
    *urls = m.groups;
    return true;
}

static bool body(struct host *h, struct err *e)
{
    struct weblog l = make_log(h);
    struct view *views = host_new(h, (size_t)l.lines, sizeof *views);
    int urls;
    return run_on_device(h, &l, views, &urls, e) &&
           (!h->in->verify || check(h, &l, views, urls, e));
}

static bool run(const struct workload *w, const struct workload_input *in, struct err *e)
{
    return host_run(w, in, body, e);
}

extern const char workload_pvc_ptx[];
extern const struct workload workload_pvc;
const struct workload workload_pvc = {
    .name = "pvc",
    .suite = "Kayiran",
    .title = "page view count by MapReduce: map, sort, group, reduce",
    .paper_class = "memory-intensive",
    .size = {{"small", {2048, 64}, "2048 lines, 100 KB, CTAs of 64"},
             {"medium", {32768, 256}, "32768 lines, 1.6 MB"},
             {"paper", {524288, 256}, "524288 lines, 27 MB"}},
    .any_warps = true,
    .ptx = workload_pvc_ptx,
    .run = run,
};
