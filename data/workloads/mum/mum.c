/* mum -- maximal exact matches of DNA queries with a reference sequence (MUM of Kayiran 2013, Table
 * II, and of Park 2015, Table 2; MUMmerGPU of Rodinia): matches of at least so many bases that can
 * be continued neither to the left nor to the right. Two kernels, a thread a query and a thread a
 * suffix that matched; between them the host counts leaves, to know where each thread may write.
 * The suffix tree and the reference are textures: chains of dependent fetches, each lane its own.
 *
 * The plain C reference has no tree: it looks for the first bases of each suffix of a query in a
 * table of all places of the reference, and extends.
 *
 * The sequence: bases at random with 40 % of G and C; a quarter of it repeats earlier parts, with
 * mutations. The queries are pieces of it, read with errors; one in ten is from elsewhere. */
#include "data/workloads/suffix_tree.h"
#include "data/workloads/texture.h"

#include <stdlib.h>
#include <string.h>

#define CTA  256
#define SEED 8 /* bases that the table of places goes by; at most `least` */

struct sequences {
    int n, queries, length, least; /* bases; queries of `length`; the shortest match */
    uint8_t *text;                 /* ends with SUFFIX_TREE_END */
    uint8_t *query;
};
struct match {
    unsigned query, start, place, length;
};
struct matches {
    struct match *m;
    size_t n, room;
};
struct found { /* uint2 of mum.cu */
    unsigned x, y;
};
struct entry { /* of mum.cu */
    unsigned node, length, left, out;
};

static uint8_t any_base(struct host *h)
{
    static const uint8_t of_ten[] = {0, 0, 0, 1, 1, 2, 2, 3, 3, 3}; /* A C G T */
    return of_ten[rng_below(&h->rng, 10)];
}

static void copy_with_errors(struct host *h, uint8_t *to, const uint8_t *from, int n,
                             unsigned one_in)
{
    for (int i = 0; i < n; i++)
        to[i] = rng_below(&h->rng, one_in) ? from[i] : any_base(h);
}

static struct sequences make_sequences(struct host *h)
{
    const long *p = h->in->size->param;
    struct sequences s = {(int)p[0], (int)p[1], (int)p[2], (int)p[3], NULL, NULL};
    s.text = host_new(h, (size_t)s.n + 1, 1);
    s.query = host_new(h, (size_t)s.queries * (size_t)s.length, 1);
    for (int i = 0; i < s.n;) {
        const int part = s.n - i < 100 ? s.n - i : 100;
        if (i >= part && rng_below(&h->rng, 4) == 0)
            copy_with_errors(h, s.text + i, s.text + rng_below(&h->rng, (uint64_t)(i - part + 1)),
                             part, 20);
        else
            for (int k = 0; k < part; k++)
                s.text[i + k] = any_base(h);
        i += part;
    }
    s.text[s.n] = SUFFIX_TREE_END;
    for (int q = 0; q < s.queries; q++) {
        const uint64_t at = rng_below(&h->rng, (uint64_t)(s.n - s.length));
        copy_with_errors(h, s.query + q * s.length, s.text + at, s.length,
                         rng_below(&h->rng, 10) ? 40 : 1);
    }
    return s;
}

struct device {
    CUdeviceptr queries;
    CUtexObject text, nodes, children, order;
};

static bool texture_of(CUtexObject *texture, const void *texels, size_t n, CUarray_format format,
                       struct err *e)
{
    const unsigned channels = format == CU_AD_FORMAT_UNSIGNED_INT32 ? 4 : 1;
    return texture_of_copy(texture, texels, &(struct texture_texels){format, channels, n, 0}, e);
}

static bool open_device(struct host *h, const struct sequences *s, const struct suffix_tree *t,
                        struct device *d, struct err *e)
{
    const size_t n = (size_t)t->nodes;
    unsigned(*node)[4] = host_new(h, n, sizeof *node), (*order)[4] = host_new(h, n, sizeof *order);
    for (size_t v = 0; v < n; v++) {
        const unsigned up = t->parent[v];
        const unsigned rows[2][4] = {{t->suffix[v] + t->depth[up], t->depth[v], t->link[v], up},
                                     {t->first_child[v], t->sibling[v], t->suffix[v], 0}};
        memcpy(node[v], rows[0], sizeof rows[0]);
        memcpy(order[v], rows[1], sizeof rows[1]);
    }
    const CUarray_format byte = CU_AD_FORMAT_UNSIGNED_INT8, word = CU_AD_FORMAT_UNSIGNED_INT32;
    return host_array(&d->queries, s->query, (size_t)s->queries * (size_t)s->length, e) &&
           texture_of(&d->text, s->text, (size_t)s->n + 1, byte, e) &&
           texture_of(&d->nodes, node, n, word, e) &&
           texture_of(&d->children, t->child, n, word, e) &&
           texture_of(&d->order, order, n, word, e);
}

static int starts_of(const struct sequences *s)
{
    return s->length - s->least + 1;
}

static bool match(struct host *h, struct sequences *s, struct device *d, struct found *found,
                  struct err *e)
{
    const size_t bytes = (size_t)s->queries * (size_t)starts_of(s) * sizeof *found;
    const unsigned threads = host_threads(h, (unsigned)h->in->size->param[4]);
    CUfunction kernel;
    CUdeviceptr out;
    void *args[] = {&out,         &d->queries, &d->text,  &d->nodes,
                    &d->children, &s->length,  &s->least, &s->queries};
    if (!host_kernel(h, "mum_match", &kernel, e) || !host_array(&out, NULL, bytes, e) ||
        !host_launch(kernel, host_ctas((size_t)s->queries, threads), threads, args, e))
        return false;
    TRY(cuMemcpyDtoH(found, out, bytes));
    return true;
}

/* Suffixes that match long enough; each gets a slot for every leaf that it may report: those below
 * the highest node that is deep enough. Returns the entries; *slots: of all. */
static int make_entries(const struct sequences *s, const struct suffix_tree *t,
                        const struct found *found, struct entry *entry, unsigned *slots)
{
    int n = 0;
    *slots = 0;
    for (int i = 0; i < s->queries * starts_of(s); i++) {
        const int start = i % starts_of(s);
        const uint8_t *at = s->query + i / starts_of(s) * s->length + start;
        unsigned top = found[i].x;
        if (found[i].y < (unsigned)s->least || top >= (unsigned)t->nodes)
            continue;
        entry[n++] = (struct entry){top, found[i].y, start ? at[-1] : SUFFIX_TREE_END, *slots};
        while (t->depth[t->parent[top]] >= (unsigned)s->least)
            top = t->parent[top];
        *slots += t->leaves[top];
    }
    return n;
}

struct printed {
    struct found *slot; /* {place, length} */
    unsigned *count;    /* an entry */
};

static bool print(struct host *h, struct sequences *s, struct device *d, const struct entry *entry,
                  int n, unsigned slots, struct printed *p, struct err *e)
{
    const unsigned threads = host_threads(h, (unsigned)h->in->size->param[4]);
    const size_t counts = (size_t)n * sizeof *p->count, bytes = slots * sizeof *p->slot;
    CUfunction kernel;
    CUdeviceptr out, count, entries;
    void *args[] = {&out, &count, &entries, &d->text, &d->nodes, &d->order, &s->least, &n};
    if (!host_kernel(h, "mum_print", &kernel, e) || !host_array(&out, NULL, bytes, e) ||
        !host_array(&count, NULL, counts, e) ||
        !host_array(&entries, entry, (size_t)n * sizeof *entry, e) ||
        !host_launch(kernel, host_ctas((size_t)n, threads), threads, args, e))
        return false;
    TRY(cuMemcpyDtoH(p->slot, out, bytes));
    TRY(cuMemcpyDtoH(p->count, count, counts));
    return true;
}

static void add_match(struct matches *all, struct match m)
{
    if (all->n == all->room) {
        all->room = 2 * all->room + 64;
        all->m = xrealloc(all->m, all->room * sizeof *all->m);
    }
    all->m[all->n++] = m;
}

/* First and second kernel, with the host's work between and after them. */
static bool run_on_device(struct host *h, struct sequences *s, struct matches *all, struct err *e)
{
    const struct suffix_tree t = suffix_tree_make(h, s->text, s->n);
    const int starts = starts_of(s);
    struct device d;
    struct found *found = host_new(h, (size_t)(s->queries * starts), sizeof *found);
    struct entry *entry = host_new(h, (size_t)(s->queries * starts), sizeof *entry);
    unsigned slots;
    if (!open_device(h, s, &t, &d, e) || !match(h, s, &d, found, e))
        return false;
    const int n = make_entries(s, &t, found, entry, &slots);
    struct printed p = {host_new(h, slots, sizeof *p.slot),
                        host_new(h, (size_t)n, sizeof *p.count)};
    if (n > 0 && !print(h, s, &d, entry, n, slots, &p, e))
        return false;
    for (int i = 0, k = 0; i < s->queries * starts; i++) {
        if (found[i].y < (unsigned)s->least || found[i].x >= (unsigned)t.nodes)
            continue;
        const unsigned end = k + 1 < n ? entry[k + 1].out : slots;
        for (unsigned o = entry[k].out; o < entry[k].out + p.count[k] && o < end; o++)
            add_match(all, (struct match){(unsigned)(i / starts), (unsigned)(i % starts),
                                          p.slot[o].x, p.slot[o].y});
        k++;
    }
    return true;
}

static unsigned seed_at(const uint8_t *bases)
{
    unsigned v = 0;
    for (int i = 0; i < SEED; i++)
        v = v << 2 | bases[i];
    return v;
}

/* head[seed]: 1 + its last place; next[place]: 1 + the place before with the same seed. */
static void find_all(struct host *h, const struct sequences *s, struct matches *all)
{
    int *head = host_new(h, 1u << 2 * SEED, sizeof *head);
    int *next = host_new(h, (size_t)s->n, sizeof *next);
    for (int place = 0; place + SEED <= s->n; place++) {
        const unsigned seed = seed_at(s->text + place);
        next[place] = head[seed];
        head[seed] = place + 1;
    }
    for (int q = 0; q < s->queries; q++)
        for (int start = 0; start + s->least <= s->length; start++) {
            const uint8_t *at = s->query + q * s->length + start;
            for (int place = head[seed_at(at)] - 1; place >= 0; place = next[place] - 1) {
                int length = SEED;
                while (start + length < s->length && s->text[place + length] == at[length])
                    length++;
                if (length >= s->least &&
                    (start == 0 || place == 0 || s->text[place - 1] != at[-1]))
                    add_match(all, (struct match){(unsigned)q, (unsigned)start, (unsigned)place,
                                                  (unsigned)length});
            }
        }
}

static int by_query(const void *a, const void *b)
{
    const struct match *p = a, *q = b;
    if (p->query != q->query)
        return p->query < q->query ? -1 : 1;
    if (p->start != q->start)
        return p->start < q->start ? -1 : 1;
    return (p->place > q->place) - (p->place < q->place);
}

static bool same_matches(struct matches *found, struct matches *expected, struct err *e)
{
    if (found->n != expected->n)
        return err_set(e, "mum: %zu matches, expected %zu", found->n, expected->n);
    if (found->n == 0)
        return err_set(e, "mum: no matches in this input, expected some");
    qsort(found->m, found->n, sizeof *found->m, by_query);
    qsort(expected->m, expected->n, sizeof *expected->m, by_query);
    for (size_t i = 0; i < found->n; i++) {
        const struct match *f = &found->m[i], *x = &expected->m[i];
        if (by_query(f, x) != 0 || f->length != x->length)
            return err_set(e,
                           "mum: match %zu is of query %u from %u, %u bases at %u, expected of "
                           "query %u from %u, %u bases at %u",
                           i, f->query, f->start, f->length, f->place, x->query, x->start,
                           x->length, x->place);
    }
    return true;
}

static bool body(struct host *h, struct err *e)
{
    struct sequences s = make_sequences(h);
    struct matches found = {0}, expected = {0};
    bool ok = run_on_device(h, &s, &found, e);
    if (ok && h->in->verify) {
        find_all(h, &s, &expected);
        ok = same_matches(&found, &expected, e);
    }
    free(found.m);
    free(expected.m);
    return ok;
}

static bool run(const struct workload *w, const struct workload_input *in, struct err *e)
{
    return host_run(w, in, body, e);
}

extern const char workload_mum_ptx[];
extern const struct workload workload_mum;
const struct workload workload_mum = {
    .name = "mum",
    .suite = "Kayiran, Park",
    .title = "matches of DNA with a reference, by its suffix tree in textures",
    .paper_class = "memory-intensive",
    .size = {{"small", {1000, 512, 25, 16, 64}, "512 queries, 1000 bases, CTAs of 64"},
             {"medium", {20000, 12288, 25, 20, CTA}, "12288 queries, 20000 bases"},
             {"paper",
              {20000, 50000, 25, 20, CTA},
              "50000 queries of 25, 20000 bases (ISPASS 2009)"}},
    .any_warps = true,
    .ptx = workload_mum_ptx,
    .run = run,
};
