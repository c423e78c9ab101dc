/* bt -- look-ups in a B+ tree (Rodinia's b+tree; Park 2015, Table 2): a batch of ranges, then a
 * batch of single keys, a CTA a query and a thread a key of a node. Records lie in the order of
 * their keys, which have gaps; nodes are between half full and full, as insertions leave them.
 * One query in eight may miss. */
#include "data/workloads/host.h"

#define CTA   256
#define NONE  0x7fffffff /* fills up a node's keys */
#define LEVEL 12         /* levels of a tree at most */

struct tree {
    int records, width, depth,
        nodes;         /* width: keys of a node at most; depth: levels above leaves */
    int *key;          /* of each record */
    int *keys, *below; /* of each node, width of each; node 0 is the root */
};

struct queries {
    int finds, ranges;
    int *key, *from, *to;
    int *record, *first, *length; /* the answers */
};

static void make_keys(struct host *h, struct tree *t)
{
    int key = 0;
    t->key = host_new(h, (size_t)t->records, sizeof *t->key);
    for (int i = 0; i < t->records; i++) {
        key += 1 + (int)rng_below(&h->rng, 5);
        t->key[i] = key;
    }
}

struct level {
    int n;        /* nodes, or records */
    int *least;   /* key of each; of the first one 0, so that every key is in some leaf */
    int *members; /* how many of the level below each has */
};

/* The level above: groups of width / 2 to width, a random number each; what would be less joins. */
static struct level level_above(struct host *h, const struct level *l, int width)
{
    struct level up = {.least = host_new(h, (size_t)l->n, sizeof(int)),
                       .members = host_new(h, (size_t)l->n, sizeof(int))};
    for (int i = 0; i < l->n; up.n++) {
        int take = width / 2 + (int)rng_below(&h->rng, (uint64_t)(width / 2 + 1)), left = l->n - i;
        if (left - take < width / 2)
            take = left <= width ? left : left / 2;
        up.least[up.n] = l->least[i];
        up.members[up.n] = take;
        i += take;
    }
    return up;
}

/* The level's nodes from *at on; their children are numbered from `child` on. */
static void lay_out(struct tree *t, const struct level *l, const struct level *below, int at,
                    int child)
{
    for (int i = 0, c = 0; i < l->n; i++)
        for (int k = 0; k < t->width; k++) {
            size_t slot = (size_t)(at + i) * (size_t)t->width + (size_t)k;
            bool used = k < l->members[i];
            t->keys[slot] = used ? below->least[c] : NONE;
            t->below[slot] = used ? child + c : 0;
            c += used;
        }
}

static void make_tree(struct host *h, struct tree *t)
{
    struct level level[LEVEL] = {{.n = t->records, .least = t->key}};
    int levels = 1;
    do {
        level[levels] = level_above(h, &level[levels - 1], t->width);
        t->nodes += level[levels].n;
    } while (level[levels++].n > 1);
    t->depth = levels - 2;
    t->keys = host_new(h, (size_t)t->nodes * (size_t)t->width, sizeof *t->keys);
    t->below = host_new(h, (size_t)t->nodes * (size_t)t->width, sizeof *t->below);
    for (int l = levels - 1, at = 0; l > 0; at += level[l--].n)
        lay_out(t, &level[l], &level[l - 1], at, l > 1 ? at + level[l].n : 0);
}

static int draw_key(struct host *h, const struct tree *t)
{
    int i = (int)rng_below(&h->rng, (uint64_t)t->records);
    bool any = rng_below(&h->rng, 8) == 0;
    return t->key[i] + (any ? (int)rng_below(&h->rng, 5) : 0);
}

static void make_queries(struct host *h, const struct tree *t, struct queries *q, int reach)
{
    size_t finds = (size_t)q->finds, ranges = (size_t)q->ranges;
    q->key = host_new(h, finds, sizeof *q->key);
    q->record = host_new(h, finds, sizeof *q->record);
    q->from = host_new(h, ranges, sizeof *q->from);
    q->to = host_new(h, ranges, sizeof *q->to);
    q->first = host_new(h, ranges, sizeof *q->first);
    q->length = host_new(h, ranges, sizeof *q->length);
    for (size_t i = 0; i < finds; i++)
        q->key[i] = draw_key(h, t);
    for (size_t i = 0; i < ranges; i++) {
        q->from[i] = draw_key(h, t);
        q->to[i] = q->from[i] + reach;
    }
}

/* How many records have lesser keys: bisection. */
static int records_below(const struct tree *t, int key)
{
    int low = 0, high = t->records;
    while (low < high) {
        int middle = (low + high) / 2;
        if (t->key[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool check(struct host *h, const struct tree *t, const struct queries *q, struct err *e)
{
    size_t finds = (size_t)q->finds, ranges = (size_t)q->ranges;
    int *record = host_new(h, finds, sizeof *record), *first = host_new(h, ranges, sizeof *first);
    int *length = host_new(h, ranges, sizeof *length);
    for (size_t i = 0; i < finds; i++) {
        int at = records_below(t, q->key[i]);
        record[i] = at < t->records && t->key[at] == q->key[i] ? at : -1;
    }
    for (size_t i = 0; i < ranges; i++) {
        first[i] = records_below(t, q->from[i]);
        length[i] = records_below(t, q->to[i] + 1) - first[i];
    }
    return host_same_ints(h, "record", q->record, record, finds, e) &&
           host_same_ints(h, "first", q->first, first, ranges, e) &&
           host_same_ints(h, "length", q->length, length, ranges, e);
}

struct on_device {
    CUfunction find, range;
    CUdeviceptr keys, below, query, from, to, record, first, length;
};

static bool upload(const struct host *h, const struct tree *t, const struct queries *q,
                   struct on_device *d, struct err *e)
{
    size_t nodes = (size_t)t->nodes * (size_t)t->width * sizeof(int);
    size_t finds = (size_t)q->finds * sizeof(int), ranges = (size_t)q->ranges * sizeof(int);
    return host_kernel(h, "bt_find", &d->find, e) && host_kernel(h, "bt_range", &d->range, e) &&
           host_array(&d->keys, t->keys, nodes, e) && host_array(&d->below, t->below, nodes, e) &&
           host_array(&d->query, q->key, finds, e) && host_array(&d->from, q->from, ranges, e) &&
           host_array(&d->to, q->to, ranges, e) && host_array(&d->record, NULL, finds, e) &&
           host_array(&d->first, NULL, ranges, e) && host_array(&d->length, NULL, ranges, e);
}

static bool run_on_device(struct host *h, struct tree *t, struct queries *q, struct err *e)
{
    size_t finds = (size_t)q->finds, ranges = (size_t)q->ranges;
    struct on_device d;
    void *range_args[] = {&d.first, &d.length, &d.keys, &d.below, &d.from, &d.to, &t->depth};
    void *find_args[] = {&d.record, &d.keys, &d.below, &d.query, &t->depth};
    if (!upload(h, t, q, &d, e) ||
        !host_launch(d.range, (unsigned)q->ranges, (unsigned)t->width, range_args, e) ||
        !host_launch(d.find, (unsigned)q->finds, (unsigned)t->width, find_args, e))
        return false;
    TRY(cuMemcpyDtoH(q->first, d.first, ranges * sizeof *q->first));
    TRY(cuMemcpyDtoH(q->length, d.length, ranges * sizeof *q->length));
    TRY(cuMemcpyDtoH(q->record, d.record, finds * sizeof *q->record));
    return true;
}

static bool body(struct host *h, struct err *e)
{
    const long *p = h->in->size->param;
    struct tree t = {.records = (int)p[0], .width = (int)host_threads(h, CTA)};
    struct queries q = {.ranges = (int)p[1], .finds = (int)p[3]};
    make_keys(h, &t);
    make_tree(h, &t);
    make_queries(h, &t, &q, (int)p[2]);
    return run_on_device(h, &t, &q, e) && (!h->in->verify || check(h, &t, &q, e));
}

static bool run(const struct workload *w, const struct workload_input *in, struct err *e)
{
    return host_run(w, in, body, e);
}

extern const char workload_bt_ptx[];
extern const struct workload workload_bt;
const struct workload workload_bt = {
    .name = "bt",
    .suite = "Park",
    .title = "look-ups of ranges and keys in a B+ tree",
    .paper_class = "memory-intensive",
    .size = {{"small", {20000, 60, 3000, 100}, "20000 records, 60 ranges of keys, 100 keys"},
             {"medium", {200000, 1200, 3000, 2000}, "200000 records, 1200 ranges, 2000 keys"},
             {"paper", {1000000, 6000, 3000, 10000}, "1000000 records, 6000 ranges, 10000 keys"}},
    .any_warps = true,
    .ptx = workload_bt_ptx,
    .run = run,
};
