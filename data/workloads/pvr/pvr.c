/* pvr -- page view rank by MapReduce (PVR of Kayiran 2013, Table II; He and others, PACT 2008): the
 * pages of a web server in the order of their views, from lines of URL and views as pvc leaves
 * them. Map, sort; the first lines of the result are what is asked for. Threads walk their lines
 * byte by byte.
 *
 * Views follow Zipf's law; the lines are in no order. */
#include "data/workloads/mars.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE_MAX 64 /* bytes */

struct ranking {
    int lines;
    char *text;
    unsigned *at, bytes; /* where a line begins, and one past the last */
    unsigned *views;
};

static struct ranking make_lines(struct host *h)
{
    struct ranking r = {.lines = (int)h->in->size->param[0]};
    const size_t n = (size_t)r.lines;
    r.text = host_new(h, n, LINE_MAX);
    r.at = host_new(h, n + 1, sizeof *r.at);
    r.views = host_new(h, n, sizeof *r.views);
    for (unsigned i = 0; i < n; i++) /* rank i + 1 */
        r.views[i] = 1 + (unsigned)((double)n * 10 * rng_unit(&h->rng) / (i + 1));
    rng_shuffle(&h->rng, r.views, n, sizeof *r.views);
    for (unsigned i = 0; i < n; i++, r.at[i] = r.bytes)
        r.bytes +=
            (unsigned)snprintf(r.text + r.bytes, LINE_MAX, "http://site%u.org/page%u.html %u\n",
                               (unsigned)rng_below(&h->rng, 997), i, r.views[i]);
    return r;
}

struct result {
    struct mars_pair *sorted;
    unsigned *views, *url_at; /* by index: views, and the word at which the URL begins */
    char *urls;
    int words; /* of the URLs */
};

static bool map(const struct ranking *r, struct mars *m, CUdeviceptr values[2], int *words,
                struct err *e)
{
    CUdeviceptr text, at;
    const size_t bytes = ((size_t)r->lines + 1) * sizeof(unsigned);
    int keys, lines = r->lines;
    mars_begin(m, lines);
    void *count[] = {&m->key_at, &values[0], &text, &at, &lines};
    if (!host_array(&text, r->text, r->bytes, e) || !host_array(&at, r->at, bytes, e) ||
        !host_array(&m->key_at, NULL, bytes, e) || !host_array(&values[0], NULL, bytes, e) ||
        !mars_launch(m, "map_count", (size_t)lines, count, e) ||
        !mars_scan(m, m->key_at, lines, &keys, e) || !mars_scan(m, values[0], lines, words, e) ||
        !mars_pairs(m, lines, e) ||
        !host_array(&values[1], NULL, ((size_t)*words + 1) * sizeof(unsigned), e))
        return false;
    void *args[] = {&m->pairs, &m->keys, &values[1], &m->key_at, &values[0],
                    &text,     &at,      &lines,     &m->padded};
    return mars_launch(m, "map", m->padded, args, e);
}

static bool run_on_device(struct host *h, const struct ranking *r, struct result *found,
                          struct err *e)
{
    struct mars m = mars_of(h, host_threads(h, (unsigned)h->in->size->param[1]));
    const size_t n = (size_t)r->lines;
    CUdeviceptr values[2]; /* where they begin; their words */
    int words;
    if (!map(r, &m, values, &words, e) || !mars_sort(&m, e))
        return false;
    *found =
        (struct result){host_new(h, n, sizeof *found->sorted), host_new(h, n, sizeof *found->views),
                        host_new(h, n + 1, sizeof *found->url_at),
                        host_new(h, (size_t)words + LINE_MAX, sizeof(unsigned)), words};
    TRY(cuMemcpyDtoH(found->sorted, m.pairs, n * sizeof *found->sorted));
    TRY(cuMemcpyDtoH(found->views, m.keys, n * sizeof *found->views));
    TRY(cuMemcpyDtoH(found->url_at, values[0], (n + 1) * sizeof *found->url_at));
    if (words > 0)
        TRY(cuMemcpyDtoH(found->urls, values[1], (size_t)words * sizeof(unsigned)));
    return true;
}

static int more_first(const void *a, const void *b)
{
    const unsigned p = *(const unsigned *)a, q = *(const unsigned *)b;
    return (p < q) - (p > q);
}

/* Place by place the views as the host sorts them; each line once, with its own URL and views. */
static bool check(struct host *h, const struct ranking *r, const struct result *found,
                  struct err *e)
{
    const size_t n = (size_t)r->lines;
    unsigned *expected = host_new(h, n, sizeof *expected);
    bool *seen = host_new(h, n, sizeof *seen);
    memcpy(expected, r->views, n * sizeof *expected);
    qsort(expected, n, sizeof *expected, more_first);
    for (size_t i = 0; i < n; i++) {
        const unsigned k = found->sorted[i].index;
        if (k >= n || seen[k] || found->views[k] != r->views[k] || r->views[k] != expected[i])
            return err_set(e, "pvr: place %zu has line %u with %u views, expected one with %u", i,
                           k, k < n ? found->views[k] : 0, expected[i]);
        seen[k] = true;
        const unsigned all = (unsigned)found->words, at = found->url_at[k];
        const char *line = r->text + r->at[k],
                   *url = found->urls + 4 * (size_t)(at < all ? at : all);
        const size_t length = strcspn(line, " ");
        if (memcmp(url, line, length) != 0)
            return err_set(e, "pvr: line %u has the URL %.*s, expected %.*s", k, (int)length, url,
                           (int)length, line);
    }
    return true;
}

static bool body(struct host *h, struct err *e)
{
    struct ranking r = make_lines(h);
    struct result found;
    return run_on_device(h, &r, &found, e) && (!h->in->verify || check(h, &r, &found, e));
}

static bool run(const struct workload *w, const struct workload_input *in, struct err *e)
{
    return host_run(w, in, body, e);
}

extern const char workload_pvr_ptx[];
extern const struct workload workload_pvr;
const struct workload workload_pvr = {
    .name = "pvr",
    .suite = "Kayiran",
    .title = "page view rank by MapReduce: map, sort",
    .paper_class = "memory-intensive",
    .size = {{"small", {1000, 64}, "1000 lines, 32 KB, CTAs of 64"},
             {"medium", {32768, 256}, "32768 lines, 1.1 MB"},
             {"paper", {524288, 256}, "524288 lines, 19 MB"}},
    .any_warps = true,
    .ptx = workload_pvr_ptx,
    .run = run,
};
