/* iix -- inverted index by MapReduce (IIX of Kayiran 2013, Table II; He and others, PACT 2008): for
 * each address that HTML files link to, the places of the links. Map, sort, group. Threads walk
 * their lines byte by byte, and emit as many pairs as there are links: much divergence, hardly any
 * locality between lanes.
 *
 * The lines are words and, in half of them, one to three links; few of the addresses are popular
 * (Zipf's law). */
#include "data/workloads/mars.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE_MAX 512 /* bytes */
#define HREF     "href=\""

struct html {
    int lines;
    char *text;          /* ends with a zero */
    unsigned *at, bytes; /* where a line begins, and one past the last */
};
struct link { /* its address, up to the quotation mark, and the group that it is in */
    const char *address;
    int group;
};

static int add_word(struct host *h, char *to)
{
    static const char *const syllable[] = {"ba", "den", "ki",  "lor", "mu", "na",
                                           "po", "ris", "sol", "ta",  "ve", "zun"};
    int length = 0;
    for (uint64_t s = 1 + rng_below(&h->rng, 4); s > 0; s--)
        length += sprintf(to + length, "%s", syllable[rng_below(&h->rng, 12)]);
    return length + sprintf(to + length, " ");
}

static int add_link(struct host *h, char *to, int addresses)
{
    const unsigned a = (unsigned)exp(rng_unit(&h->rng) * log((double)addresses));
    int length = sprintf(to, "<a href=\"http://site%u.org/", a * 2654435761u % 997);
    if (a % 3)
        length += sprintf(to + length, "articles/%u/", a % 16);
    length += sprintf(to + length, "page%u.html\">", a);
    length += add_word(h, to + length);
    return length + sprintf(to + length, "</a> ");
}

static struct html make_html(struct host *h)
{
    struct html x = {.lines = (int)h->in->size->param[0]};
    x.text = host_new(h, (size_t)x.lines + 1, LINE_MAX);
    x.at = host_new(h, (size_t)x.lines + 1, sizeof *x.at);
    for (int i = 0; i < x.lines; i++, x.at[i] = x.bytes) {
        int links = rng_below(&h->rng, 2) ? 1 + (int)rng_below(&h->rng, 3) : 0;
        for (uint64_t words = 2 + rng_below(&h->rng, 10); words > 0; words--) {
            x.bytes += (unsigned)add_word(h, x.text + x.bytes);
            if (links > 0 && rng_below(&h->rng, 3) == 0) {
                x.bytes += (unsigned)add_link(h, x.text + x.bytes, x.lines);
                links--;
            }
        }
        x.text[x.bytes++] = '\n';
    }
    return x;
}

static size_t length_of(const char *address)
{
    return strcspn(address, "\"");
}

static int by_address(const void *a, const void *b)
{
    const struct link *p = a, *q = b;
    const size_t n = length_of(p->address), m = length_of(q->address);
    const int c = memcmp(p->address, q->address, n < m ? n : m);
    return c        ? c
           : n != m ? (n > m) - (n < m)
                    : (p->address > q->address) - (p->address < q->address);
}

static bool same_address(const struct link *p, const struct link *q)
{
    const size_t n = length_of(p->address);
    return n == length_of(q->address) && memcmp(p->address, q->address, n) == 0;
}

/* All links in the order of their addresses, then places; numbers the groups. */
static int reference(const struct html *x, struct link *l)
{
    int n = 0;
    for (const char *c = x->text; (c = strstr(c, HREF)); n++)
        l[n].address = c += strlen(HREF);
    qsort(l, (size_t)n, sizeof *l, by_address);
    for (int i = 1; i < n; i++)
        l[i].group = l[i - 1].group + !same_address(&l[i - 1], &l[i]);
    return n;
}

/* The same links; and those of one group, and no others, are in one group. */
static bool check(struct host *h, const struct html *x, struct link *found, int n, struct err *e)
{
    struct link *expected = host_new(h, (size_t)x->bytes / strlen(HREF) + 1, sizeof *expected);
    const int all = reference(x, expected);
    if (n != all)
        return err_set(e, "iix: %d links, expected %d", n, all);
    qsort(found, (size_t)n, sizeof *found, by_address);
    for (int i = 0; i < n; i++) {
        const bool together = i > 0 && found[i - 1].group == found[i].group;
        if (found[i].address != expected[i].address)
            return err_set(e, "iix: link %d is at %td, expected at %td", i,
                           found[i].address - x->text, expected[i].address - x->text);
        if (i > 0 && together != (expected[i - 1].group == expected[i].group))
            return err_set(e, "iix: link at %td is in group %d, expected in %s",
                           found[i].address - x->text, found[i].group,
                           together ? "another one" : "that of the same address");
    }
    return true;
}

struct device_html {
    CUdeviceptr text, at, links, words, place;
    int lines;
};

static bool map(struct mars *m, struct device_html *d, struct err *e)
{
    int n, key_words;
    const size_t bytes = ((size_t)d->lines + 1) * sizeof(unsigned);
    void *count[] = {&d->links, &d->words, &d->text, &d->at, &d->lines};
    if (!host_array(&d->links, NULL, bytes, e) || !host_array(&d->words, NULL, bytes, e) ||
        !mars_launch(m, "map_count", (size_t)d->lines, count, e) ||
        !mars_scan(m, d->links, d->lines, &n, e) ||
        !mars_scan(m, d->words, d->lines, &key_words, e))
        return false;
    mars_begin(m, n);
    if (!mars_pairs(m, key_words, e) ||
        !host_array(&m->key_at, NULL, ((size_t)n + 1) * sizeof(unsigned), e) ||
        !host_array(&d->place, NULL, ((size_t)n + 1) * sizeof(unsigned), e))
        return false;
    const size_t lines = (size_t)d->lines + 1;
    void *args[] = {&m->pairs, &m->keys, &m->key_at, &d->place, &d->links, &d->words,
                    &d->text,  &d->at,   &d->lines,  &m->n,     &m->padded};
    return mars_launch(m, "map", lines > m->padded ? lines : m->padded, args, e);
}

/* The links in the order of the sorted pairs, with their groups. */
static bool read_back(struct host *h, const struct html *x, const struct mars *m,
                      const struct device_html *d, struct link *found, struct err *e)
{
    const size_t n = (size_t)m->n;
    struct mars_pair *pairs = host_new(h, n + 1, sizeof *pairs);
    unsigned *place = host_new(h, n + 1, sizeof *place);
    unsigned *first = host_new(h, (size_t)m->groups + 1, sizeof *first);
    TRY(cuMemcpyDtoH(pairs, m->pairs, n * sizeof *pairs));
    TRY(cuMemcpyDtoH(place, d->place, n * sizeof *place));
    TRY(cuMemcpyDtoH(first, m->first, ((size_t)m->groups + 1) * sizeof *first));
    for (int g = 0; g < m->groups; g++)
        for (unsigned i = first[g]; i < first[g + 1] && i < n; i++)
            if (pairs[i].index < n && place[pairs[i].index] < x->bytes)
                found[i] = (struct link){x->text + place[pairs[i].index], g};
    return true;
}

static bool body(struct host *h, struct err *e)
{
    struct html x = make_html(h);
    struct mars m = mars_of(h, host_threads(h, (unsigned)h->in->size->param[1]));
    struct device_html d = {.lines = x.lines};
    if (!host_array(&d.text, x.text, x.bytes, e) ||
        !host_array(&d.at, x.at, ((size_t)x.lines + 1) * sizeof *x.at, e) || !map(&m, &d, e))
        return false;
    struct link *found = host_new(h, (size_t)m.n + 1, sizeof *found);
    for (int i = 0; i < m.n; i++)
        found[i].address = x.text;
    if (m.n > 0 && (!mars_sort(&m, e) || !mars_group(&m, e) || !read_back(h, &x, &m, &d, found, e)))
        return false;
    return !h->in->verify || check(h, &x, found, m.n, e);
}

static bool run(const struct workload *w, const struct workload_input *in, struct err *e)
{
    return host_run(w, in, body, e);
}

extern const char workload_iix_ptx[];
extern const struct workload workload_iix;
const struct workload workload_iix = {
    .name = "iix",
    .suite = "Kayiran",
    .title = "inverted index of links by MapReduce: map, sort, group",
    .paper_class = "memory-intensive",
    .size = {{"small", {320, 64}, "320 lines, 29 KB, CTAs of 64"},
             {"medium", {8192, 256}, "8192 lines, 0.7 MB"},
             {"paper", {262144, 256}, "262144 lines, 26 MB"}},
    .any_warps = true,
    .ptx = workload_iix_ptx,
    .run = run,
};
