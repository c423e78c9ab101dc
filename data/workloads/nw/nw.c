/* nw -- global alignment of two random sequences (Needleman and Wunsch 1970; Yen 2014, Table 2): a
 * launch for each antidiagonal of 16 x 16 tiles, CTAs of 16 threads. There are never more CTAs than
 * tiles on the longest antidiagonal. */
#include "data/workloads/host.h"

#include <string.h>

#define TILE    16
#define LETTERS 20
#define PENALTY 10

struct table { /* side x side: a border, then the letters of one sequence down and one across */
    int side;
    int *similar, *score;
};

/* Equal letters score 4 to 9, different ones mostly less than 0, the same both ways. */
static void make_scores(struct rng *r, int scores[LETTERS][LETTERS])
{
    for (int a = 0; a < LETTERS; a++) {
        scores[a][a] = (int)rng_between(r, 4, 9);
        for (int b = 0; b < a; b++)
            scores[a][b] = scores[b][a] = (int)rng_between(r, -4, 1);
    }
}

static struct table make_table(struct host *h)
{
    int letters = (int)h->in->size->param[0], side = letters + 1, scores[LETTERS][LETTERS];
    size_t cells = (size_t)side * (size_t)side;
    struct table t = {side, host_new(h, cells, sizeof(int)), host_new(h, cells, sizeof(int))};
    make_scores(&h->rng, scores);
    const int *down = host_random_ints(h, (size_t)side, 0, LETTERS),
              *across = host_random_ints(h, (size_t)side, 0, LETTERS);
    for (int i = 1; i < side; i++) {
        t.score[i * side] = t.score[i] = -i * PENALTY;
        for (int j = 1; j < side; j++)
            t.similar[i * side + j] = scores[down[i]][across[j]];
    }
    return t;
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static void reference(const struct table *t, int *score)
{
    int side = t->side;
    for (int i = 1; i < side; i++)
        for (int j = 1; j < side; j++) {
            int k = i * side + j, gap = larger(score[k - side], score[k - 1]) - PENALTY;
            score[k] = larger(score[k - side - 1] + t->similar[k], gap);
        }
}

static bool fill_on_device(struct host *h, struct table *t, struct err *e)
{
    CUfunction growing, shrinking;
    CUdeviceptr score, similar;
    size_t bytes = (size_t)t->side * (size_t)t->side * sizeof *t->score;
    int all = t->side / TILE, penalty = PENALTY, tiles;
    void *args[] = {&score, &similar, &t->side, &penalty, &tiles, &all};
    if (!host_kernel(h, "nw_growing", &growing, e) ||
        !host_kernel(h, "nw_shrinking", &shrinking, e) || !host_array(&score, t->score, bytes, e) ||
        !host_array(&similar, t->similar, bytes, e))
        return false;
    for (tiles = 1; tiles <= all; tiles++)
        if (!host_launch(growing, (unsigned)tiles, TILE, args, e))
            return false;
    for (tiles = all - 1; tiles > 0; tiles--)
        if (!host_launch(shrinking, (unsigned)tiles, TILE, args, e))
            return false;
    TRY(cuMemcpyDtoH(t->score, score, bytes));
    return true;
}

static bool body(struct host *h, struct err *e)
{
    struct table t = make_table(h);
    size_t cells = (size_t)t.side * (size_t)t.side;
    int *expected = host_new(h, cells, sizeof *expected);
    memcpy(expected, t.score, cells * sizeof *expected);
    if (!fill_on_device(h, &t, e))
        return false;
    if (!h->in->verify)
        return true;
    reference(&t, expected);
    return host_same_ints(h, "score", t.score, expected, cells, e);
}

static bool run(const struct workload *w, const struct workload_input *in, struct err *e)
{
    return host_run(w, in, body, e);
}

extern const char workload_nw_ptx[];
extern const struct workload workload_nw;
const struct workload workload_nw = {
    .name = "nw",
    .suite = "Kayiran, Park, Yen",
    .title = "alignment of two sequences (Needleman-Wunsch), a launch a diagonal of tiles",
    .paper_class = "not enough parallelism",
    .size = {{"small", {256}, "256 letters each"},
             {"medium", {512}, "512 letters each"},
             {"paper", {1024}, "1024 letters each: 4 MB a table, as in Table 2"}},
    .ptx = workload_nw_ptx,
    .run = run,
};
