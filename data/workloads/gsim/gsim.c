/* gsim -- gate-level logic simulation (Yen 2014, Table 1; CTAs of 6 warps): a clocked circuit under
 * 32 test patterns a word and several words. In each clock cycle the gates are evaluated level by
 * level, a launch each; then the registers (the gates of level 0) take the values that feed them.
 *
 * As in compiled simulators the gates are numbered by levels, and inside a level module by module:
 * a warp's own words lie together, its inputs' in a few lines of the level below and in some
 * anywhere. */
#include "data/workloads/netlist.h"

#include <string.h>

#define CTA        192
#define JOINS      3 /* and, or, exclusive or: 0, 1, 2; as in gsim.cu */
#define INVERT     4
#define MODULE     256
#define DEPTH      8
#define CLOCK_EDGE 0 /* level of the registers */

struct logic {
    struct netlist n;
    int words, cycles, regs;
    int level_first[DEPTH + 1]; /* level l: gates level_first[l] .. level_first[l + 1] - 1 */
    int *kind;                  /* by gate */
    int *feed;                  /* by register: the gate whose value it takes */
    unsigned *value;            /* [words][gates] */
};

static void draw_circuit(struct host *h, struct logic *s)
{
    const long *p = h->in->size->param;
    s->words = (int)p[1];
    s->cycles = (int)p[2];
    s->n = netlist_new(h, (struct netlist_shape){.modules = (int)p[0],
                                                 .module_gates = MODULE,
                                                 .depth = DEPTH,
                                                 .fan_in = 2,
                                                 .ranked = true,
                                                 .leave = 0.15,
                                                 .far = 0.3});
    memset(s->level_first, 0, sizeof s->level_first);
    for (int g = 0; g < s->n.gates; g++)
        s->level_first[s->n.level[g] + 1] = g + 1;
    s->regs = s->level_first[CLOCK_EDGE + 1];
    size_t gates = (size_t)s->n.gates;
    s->kind = host_random_ints(h, gates, 0, JOINS);
    for (size_t g = 0; g < gates; g++)
        s->kind[g] |= rng_below(&h->rng, 2) ? INVERT : 0;
    s->feed = host_random_ints(h, (size_t)s->regs, 0, s->n.gates);
    s->value = host_new(h, gates * (size_t)s->words, sizeof *s->value);
    for (int w = 0; w < s->words; w++)
        for (int i = 0; i < s->regs; i++)
            s->value[(size_t)w * gates + (size_t)i] = (unsigned)rng_u64(&h->rng);
}

struct on_device {
    CUfunction level, sample, clock;
    CUdeviceptr value, kind, first, in, feed, next;
};

static bool prepare(struct host *h, const struct logic *s, struct on_device *d, struct err *e)
{
    size_t word = sizeof(int), gates = (size_t)s->n.gates * word, words = (size_t)s->words;
    return host_kernel(h, "gsim_level", &d->level, e) &&
           host_kernel(h, "gsim_sample", &d->sample, e) &&
           host_kernel(h, "gsim_clock", &d->clock, e) &&
           host_array(&d->value, s->value, gates * words, e) &&
           host_array(&d->kind, s->kind, gates, e) &&
           host_array(&d->first, s->n.in_first, gates + word, e) &&
           host_array(&d->in, s->n.in, (size_t)s->n.nets * word, e) &&
           host_array(&d->feed, s->feed, (size_t)s->regs * word, e) &&
           host_array(&d->next, NULL, (size_t)s->regs * words * word, e);
}

static struct host_grid over(int count, unsigned threads, int words)
{
    return (struct host_grid){host_ctas((size_t)count, threads), (unsigned)words, 1};
}

static bool one_cycle(struct host *h, struct logic *s, struct on_device *d, struct err *e)
{
    struct host_grid cta = {host_threads(h, CTA), 1, 1};
    for (int l = CLOCK_EDGE + 1; l < DEPTH; l++) {
        int from = s->level_first[l], count = s->level_first[l + 1] - from;
        void *args[] = {&d->value, &d->kind, &d->first, &d->in, &from, &count, &s->n.gates};
        if (!host_launch_grid(d->level, over(count, cta.x, s->words), cta, args, e))
            return false;
    }
    struct host_grid regs = over(s->regs, cta.x, s->words);
    void *sample[] = {&d->next, &d->value, &d->feed, &s->regs, &s->n.gates};
    void *clock[] = {&d->value, &d->next, &s->regs, &s->n.gates};
    return host_launch_grid(d->sample, regs, cta, sample, e) &&
           host_launch_grid(d->clock, regs, cta, clock, e);
}

static bool simulate(struct host *h, struct logic *s, struct err *e)
{
    struct on_device d;
    if (!prepare(h, s, &d, e))
        return false;
    for (int c = 0; c < s->cycles; c++)
        if (!one_cycle(h, s, &d, e))
            return false;
    TRY(cuMemcpyDtoH(s->value, d.value, (size_t)s->n.gates * (size_t)s->words * sizeof *s->value));
    return true;
}

static unsigned evaluate(const struct logic *s, const unsigned *row, int g)
{
    int k = s->n.in_first[g], end = s->n.in_first[g + 1], join = s->kind[g] % INVERT;
    unsigned v = row[s->n.in[k]];
    for (k++; k < end; k++) {
        unsigned u = row[s->n.in[k]];
        v = join == 0 ? v & u : join == 1 ? v | u : v ^ u;
    }
    return s->kind[g] & INVERT ? ~v : v;
}

/* One word at a time through all cycles. */
static void reference(struct host *h, const struct logic *s, unsigned *value)
{
    unsigned *next = host_new(h, (size_t)s->regs, sizeof *next);
    for (int w = 0; w < s->words; w++)
        for (int c = 0; c < s->cycles; c++) {
            unsigned *row = value + (size_t)w * (size_t)s->n.gates;
            for (int i = s->regs; i < s->n.gates; i++)
                row[i] = evaluate(s, row, i);
            for (int i = 0; i < s->regs; i++)
                next[i] = row[s->feed[i]];
            memcpy(row, next, (size_t)s->regs * sizeof *next);
        }
}

static bool body(struct host *h, struct err *e)
{
    struct logic s;
    draw_circuit(h, &s);
    size_t n = (size_t)s.n.gates * (size_t)s.words;
    unsigned *expected = host_new(h, n, sizeof *expected);
    memcpy(expected, s.value, n * sizeof *expected);
    if (!simulate(h, &s, e))
        return false;
    if (!h->in->verify)
        return true;
    reference(h, &s, expected);
    return host_same_ints(h, "value", (const int *)s.value, (const int *)expected, n, e);
}

static bool run(const struct workload *w, const struct workload_input *in, struct err *e)
{
    return host_run(w, in, body, e);
}

extern const char workload_gsim_ptx[];
extern const struct workload workload_gsim;
const struct workload workload_gsim = {
    .name = "gsim",
    .suite = "Yen",
    .title = "gate-level logic simulation, 32 patterns a word, one launch a level",
    .paper_class = "memory-intensive",
    .size = {{"small", {32, 24, 1}, "8192 gates, 24 words, 1 MB"},
             {"medium", {256, 32, 2}, "65536 gates, 32 words, 11 MB"},
             {"paper", {84, 32, 1}, "21504 gates, 32 words, 3.5 MB as in Table 1"}},
    .orders = true,
    .any_warps = true,
    .ptx = workload_gsim_ptx,
    .run = run,
};
