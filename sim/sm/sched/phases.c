#include "sim/sm/sched/phases.h"

#include <stdlib.h>
#include <string.h>

/* Registers that a load of this phase brings, a bit each. */
struct loaded {
    uint64_t *bits; /* owned */
    size_t words;
};

static bool reads(const struct loaded *l, const struct inst *in)
{
    bool any = in->guard.off != OPND_NONE && l->bits[in->guard.reg / 64] >> in->guard.reg % 64 & 1;
    for (int i = 0; i < in->ns; i++)
        any |= l->bits[in->src[i].reg / 64] >> in->src[i].reg % 64 & 1;
    return any;
}

static void clear(struct loaded *l)
{
    memset(l->bits, 0, l->words * sizeof *l->bits);
}

static void brings(struct loaded *l, const struct inst *in)
{
    for (int i = 0; i < in->nd; i++)
        if (in->dst[i].reg)
            l->bits[in->dst[i].reg / 64] |= 1ull << in->dst[i].reg % 64;
}

/* Down the code: where phases begin. */
static void divide(struct phases *p, const struct sched_code *code, struct loaded *l)
{
    const struct kernel *k = code->kernel;
    for (int f = 0; f < k->nfunc; f++) {
        clear(l);
        p->count++;
        for (uint32_t pc = k->func[f].first; pc < k->func[f].first + k->func[f].n; pc++) {
            if (reads(l, &k->inst[pc])) {
                clear(l);
                p->count++;
                p->any = true;
            }
            p->at[pc].phase = p->count;
            if (code->meta[pc].long_latency)
                brings(l, &k->inst[pc]);
        }
    }
}

/* Of the operation: without what a unit narrower than a warp adds, as in the report's listing. */
static uint32_t latency(const struct sched_code *code, uint32_t pc)
{
    const struct inst_meta *m = &code->meta[pc];
    const int passes = WARP_SIZE / code->cfg->simd_width;
    return (uint32_t)(m->latency - m->interval / passes * (passes - 1));
}

/* Up the code: how far it is to their ends. */
static void measure(struct phases *p, const struct sched_code *code)
{
    uint32_t distance = 0;
    for (uint32_t pc = code->kernel->ninst; pc-- > 0;) {
        const bool last = pc + 1 == code->kernel->ninst || p->at[pc].phase != p->at[pc + 1].phase;
        distance = (last ? 0 : distance) + latency(code, pc);
        p->at[pc].distance = distance;
    }
}

struct phases *phases_build(const struct sched_code *code)
{
    const size_t n = code->kernel->ninst;
    struct phases *p = xcalloc(1, sizeof *p + n * sizeof p->at[0]);
    struct loaded l = {.words = (size_t)code->kernel->nregnum / 64 + 1};
    l.bits = xcalloc(l.words, sizeof *l.bits);
    divide(p, code, &l);
    measure(p, code);
    free(l.bits);
    return p;
}

/* Smaller is earlier: an empty buffer, then the distance. */
static uint64_t rank(const struct phases *p, const struct sched_view *v, int slot)
{
    const struct warp_slot *w = &v->warp[slot];
    return (uint64_t)(w->head != NULL) << 32 | p->at[w->at.pc].distance;
}

int phases_first(const struct phases *p, const struct sched_view *v, uint64_t among)
{
    int best = __builtin_ctzll(among);
    uint64_t least = rank(p, v, best);
    for (among &= among - 1; among; among &= among - 1) {
        const int slot = __builtin_ctzll(among);
        const uint64_t r = rank(p, v, slot);
        if (r > least || (r == least && v->age[slot] > v->age[best]))
            continue;
        best = slot;
        least = r;
    }
    return best;
}
