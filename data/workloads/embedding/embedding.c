/* embedding -- an embedding layer of a language model, forwards (gather: a row of the table for
 * each token) and backwards (scatter: the table's rows corrected by the tokens' gradients), a warp
 * for 128 numbers of a token's or word's row. Words occur by the law of Zipf and Mandelbrot: a few
 * are everywhere, most are rare. */
#include "data/workloads/bounded.h"

#include <string.h>

#define CTA   128
#define RATE  0.1f
#define SHIFT 2.7 /* Mandelbrot's, for English */
#define WARP  32

struct layer {
    int tokens, words, width;      /* of the text, the table, a row */
    float *table, *out, *gradient; /* [words][width]; [tokens][width] twice */
    float *found;                  /* the table in the end */
    int *token;                    /* [tokens] */
    int occurring;                 /* words that do */
    int *word, *start, *place;     /* these; where in place their tokens' positions begin */
};

/* P(rank) ~ 1 / (rank + SHIFT), from the integral of that. */
static int zipf(struct host *h, int words)
{
    const double x = exp(rng_real(&h->rng, log(SHIFT), log(words + SHIFT)));
    const int rank = (int)(x - SHIFT);
    return rank < words ? rank : words - 1;
}

/* Counts, then positions by word, in their order. */
static void sort_tokens(struct host *h, struct layer *l)
{
    const size_t words = (size_t)l->words;
    int *count = host_new(h, words, sizeof *count), *next = host_new(h, words, sizeof *next);
    int at = 0;
    l->word = host_new(h, words, sizeof *l->word);
    l->start = host_new(h, words + 1, sizeof *l->start);
    l->place = host_new(h, (size_t)l->tokens, sizeof *l->place);
    for (int i = 0; i < l->tokens; i++)
        count[l->token[i]]++;
    for (int w = 0; w < l->words; w++)
        if (count[w] > 0) {
            l->word[l->occurring] = w;
            l->start[l->occurring++] = next[w] = at;
            at += count[w];
        }
    l->start[l->occurring] = at;
    for (int i = 0; i < l->tokens; i++)
        l->place[next[l->token[i]]++] = i;
}

static struct layer make_layer(struct host *h)
{
    const long *p = h->in->size->param;
    struct layer l = {.tokens = (int)p[0], .words = (int)p[1], .width = (int)p[2]};
    const size_t table = (size_t)l.words * (size_t)l.width;
    const size_t text = (size_t)l.tokens * (size_t)l.width;
    l.table = host_random_floats(h, table, -1.0, 1.0);
    l.gradient = host_random_floats(h, text, -0.1, 0.1);
    l.out = host_new(h, text, sizeof *l.out);
    l.found = host_new(h, table, sizeof *l.found);
    l.token = host_new(h, (size_t)l.tokens, sizeof *l.token);
    const int *named = host_random_ints(h, (size_t)l.words, 0, l.words); /* of rank r */
    for (int i = 0; i < l.tokens; i++)
        l.token[i] = named[zipf(h, l.words)];
    sort_tokens(h, &l);
    return l;
}

/* CTAs that give n rows their warps. */
static struct host_grid warps_of(struct host *h, const struct layer *l, size_t n)
{
    return (struct host_grid){host_ctas(WARP * n, host_threads(h, CTA)),
                              host_ctas((size_t)l->width / 4, WARP), 1};
}

static bool gather(struct host *h, struct layer *l, CUdeviceptr table, struct err *e)
{
    const size_t tokens = (size_t)l->tokens, bytes = tokens * (size_t)l->width * sizeof(float);
    const unsigned threads = host_threads(h, CTA);
    int quads = l->width / 4;
    CUfunction kernel;
    CUdeviceptr out, token;
    if (!host_kernel(h, "embedding_gather", &kernel, e) || !host_array(&out, NULL, bytes, e) ||
        !host_array(&token, l->token, tokens * sizeof *l->token, e))
        return false;
    void *args[] = {&out, &table, &token, &l->tokens, &quads};
    if (!host_launch_grid(kernel, warps_of(h, l, tokens), (struct host_grid){threads, 1, 1}, args,
                          e))
        return false;
    TRY(cuMemcpyDtoH(l->out, out, bytes));
    return true;
}

static bool scatter(struct host *h, struct layer *l, CUdeviceptr table, struct err *e)
{
    const size_t tokens = (size_t)l->tokens, words = (size_t)l->occurring;
    const unsigned threads = host_threads(h, CTA);
    int quads = l->width / 4;
    float rate = RATE;
    CUfunction kernel;
    CUdeviceptr gradient, word, start, place;
    if (!host_kernel(h, "embedding_scatter", &kernel, e) ||
        !host_array(&gradient, l->gradient, tokens * (size_t)l->width * sizeof(float), e) ||
        !host_array(&word, l->word, words * sizeof *l->word, e) ||
        !host_array(&start, l->start, (words + 1) * sizeof *l->start, e) ||
        !host_array(&place, l->place, tokens * sizeof *l->place, e))
        return false;
    void *args[] = {&table, &gradient, &word, &start, &place, &l->occurring, &quads, &rate};
    return host_launch_grid(kernel, warps_of(h, l, words), (struct host_grid){threads, 1, 1}, args,
                            e);
}

/* Token by token over the text. */
static bool check(struct host *h, const struct layer *l, struct err *e)
{
    const size_t width = (size_t)l->width, all = (size_t)l->words * width;
    struct bounded *table = bounded_from(h, l->table, all);
    struct bounded *sum = host_new(h, all, sizeof *sum);
    for (size_t i = 0; i < (size_t)l->tokens; i++) {
        const size_t row = (size_t)l->token[i] * width;
        if (memcmp(l->out + i * width, l->table + row, width * sizeof *l->out) != 0)
            return err_set(e, "%s: out[%zu] is not as expected: row %d of the table",
                           h->workload->name, i, l->token[i]);
        for (size_t x = 0; x < width; x++)
            sum[row + x] = bounded_add(sum[row + x], bounded(l->gradient[i * width + x]));
    }
    for (size_t i = 0; i < all; i++)
        if (sum[i].err > 0.0)
            table[i] = bounded_sub(table[i], bounded_mul(bounded(RATE), sum[i]));
    return bounded_near(h, "table", l->found, table, all, e);
}

static bool body(struct host *h, struct err *e)
{
    struct layer l = make_layer(h);
    const size_t bytes = (size_t)l.words * (size_t)l.width * sizeof *l.table;
    CUdeviceptr table;
    if (!host_array(&table, l.table, bytes, e) || !gather(h, &l, table, e) ||
        !scatter(h, &l, table, e))
        return false;
    TRY(cuMemcpyDtoH(l.found, table, bytes));
    return !h->in->verify || check(h, &l, e);
}

static bool run(const struct workload *w, const struct workload_input *in, struct err *e)
{
    return host_run(w, in, body, e);
}

extern const char workload_embedding_ptx[];
extern const struct workload workload_embedding;
const struct workload workload_embedding = {
    .name = "embedding",
    .suite = "modern",
    .title = "embedding layer, rows gathered and gradients scattered",
    .paper_class = "memory-intensive",
    .size = {{"small", {1000, 800, 128}, "1000 tokens, 800 words of 128"},
             {"medium", {16384, 8192, 256}, "16384 tokens, 8192 words of 256"},
             {"paper", {8192, 50257, 768}, "8192 tokens, 50257 words of 768 (GPT-2)"}},
    .any_warps = true,
    .ptx = workload_embedding_ptx,
    .run = run,
};
