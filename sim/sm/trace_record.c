#include "sim/sm/trace_record.h"

#include <stdlib.h>

#include "sim/func/cta_cluster.h"
#include "sim/sm/trace_file.h"

struct wait {       /* in a loop that only waits */
    bool in;        /* the step before was of one */
    bool again;     /* ... of another round than the first */
    uint32_t first; /* pc of its first instruction */
};

struct recorded_warp_steps {
    struct trace_bytes bytes;
    struct trace_warp at;
    struct wait wait;
};

struct recorded_steps { /* of a CTA */
    uint64_t number;
    struct recorded_warp_steps warp[WARP_SIZE];
    struct recorded_steps *next;
};

static void begin(struct recorded_steps *o, const struct cta *c)
{
    o->number = (uint64_t)c->linear;
    for (int i = 0; i < c->nwarps; i++) {
        struct recorded_warp_steps *w = &o->warp[i];
        const int lanes = c->nthreads - i * WARP_SIZE;
        w->bytes.n = 0;
        w->wait.in = false;
        trace_warp_begin(&w->at, lanes >= WARP_SIZE ? LANES_ALL : (1u << lanes) - 1);
    }
}

/* Now the first one. */
static struct recorded_steps *steps_of(struct trace_recorder *r, const struct cta *c)
{
    const uint64_t number = (uint64_t)c->linear;
    struct recorded_steps **at = &r->open;
    while (*at && (*at)->number != number)
        at = &(*at)->next;
    struct recorded_steps *o = *at;
    if (o) {
        *at = o->next;
    } else {
        o = r->spare ? r->spare : xcalloc(1, sizeof *o);
        r->spare = r->spare ? r->spare->next : NULL;
        begin(o, c);
    }
    o->next = r->open;
    return r->open = o;
}

/* The step is of such a loop: of another round than the first? */
static bool waits_again(struct wait *w, const struct inst *in)
{
    if (in->polls_first) {
        w->again = w->in && w->first == in->pc;
        w->first = in->pc;
    } else if (!w->in) { /* behind the first instruction */
        w->again = false;
        w->first = UINT32_MAX;
    }
    w->in = true;
    return w->again;
}

static bool is_of_another(const struct step *s)
{
    lanes_t lanes = s->bytes && s->space == SP_SHARED ? s->active : 0;
    for (; lanes; lanes &= lanes - 1)
        if (s->addr[__builtin_ctz(lanes)] >= CTA_SHARED_STRIDE)
            return true;
    return false;
}

static const char *put_as_own(struct recorded_warp_steps *w, const struct step *s, lanes_t live)
{
    struct step own = *s;
    for (int i = 0; i < WARP_SIZE; i++)
        own.addr[i] %= CTA_SHARED_STRIDE;
    return trace_put_step(&w->bytes, &w->at, &own, live);
}

void trace_recorder_step(struct trace_recorder *r, const struct warp *from, const struct step *s)
{
    struct recorded_steps *o = r->open;
    if (!o || o->number != (uint64_t)from->cta->linear)
        o = steps_of(r, from->cta);
    struct recorded_warp_steps *w = &o->warp[from->index];
    w->wait.in &= s->inst->polls;
    if (r->without_wait && s->inst->polls && waits_again(&w->wait, s->inst) &&
        from->live == w->at.live) {
        r->left_out_warp++;
        r->left_out_thread += (uint64_t)__builtin_popcount(s->active);
        return;
    }
    r->kept_waits += s->inst->polls;
    const char *bad = r->without_wait && is_of_another(s)
                          ? put_as_own(w, s, from->live)
                          : trace_put_step(&w->bytes, &w->at, s, from->live);
    r->why = r->why ? r->why : bad;
}

void trace_recorder_done(struct trace_recorder *r, uint64_t cta)
{
    struct recorded_steps *o = r->open;
    struct trace_bytes all = {0};
    BUG_ON(!o || o->number != cta, "a CTA ends that did not run last");
    for (int i = 0; i < r->warps; i++) {
        struct recorded_warp_steps *w = &o->warp[i];
        trace_put_end(&w->bytes, &w->at);
        trace_put_uint(&all, w->bytes.n);
    }
    for (int i = 0; i < r->warps; i++)
        for (size_t k = 0; k < o->warp[i].bytes.n; k++)
            trace_put_byte(&all, o->warp[i].bytes.at[k]);
    r->ctas++;
    if (all.n > TRACE_CTA_MOST)
        r->why = r->why ? r->why : "a CTA is longer than a trace has room for";
    else
        r->done(r->user, cta, &all);
    free(all.at);
    r->open = o->next;
    o->next = r->spare;
    r->spare = o;
}

static void free_steps(struct recorded_steps *o)
{
    for (struct recorded_steps *next; o; o = next) {
        next = o->next;
        for (int i = 0; i < WARP_SIZE; i++)
            free(o->warp[i].bytes.at);
        free(o);
    }
}

void trace_recorder_fini(struct trace_recorder *r)
{
    free_steps(r->open);
    free_steps(r->spare);
    r->open = r->spare = NULL;
}
