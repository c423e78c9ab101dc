/* xbar.c -- one crossbar router for all inputs and outputs: intersim's one-stage "fly" with one
 * virtual channel and zero delays, as GPGPU-Sim 3.2.1 sets it up for the GTX480.
 *
 *   push -> injection buffer -> input VC -> crossbar -> ejection buffer -> boundary buffer -> pop
 *           (inject_flits)      (vc_flits)              (eject_flits)      (boundary_flits)
 *
 * In one cycle each input moves one flit into its VC, each output that is free grants itself to one
 * input whose first packet wants it (rotating pointer: iSLIP with one iteration; the separate
 * allocation of the switch never has two candidates), each held output takes one flit, and up to
 * eject_rate flits move on to the boundary buffer. A one-flit packet thus needs one cycle, one of f
 * flits f cycles. A packet holds its output until its tail has crossed (wormhole). Input speed-up
 * only helps inputs with several virtual channels, so it has no effect here. Only inputs and
 * outputs that hold something are visited. */
#include "sim/icnt/icnt.h"

#include <stdlib.h>

#define FREE (-1)

struct packet {
    struct mem_req *req;
    uint16_t flits, output;
    cycle_t pushed;
};

struct ring {            /* of packets */
    struct packet *slot; /* borrowed from xbar.packets */
    uint16_t mask, head, len;
};

struct input {
    struct ring q;        /* packets whose tail has not crossed */
    int waiting, vc;      /* flits in the injection buffer, in the VC */
    int left;             /* flits of the first packet that have not crossed */
    bool asking, granted; /* the first packet's request for its output */
};

struct output {
    struct ring q; /* packets whose head has crossed */
    int owner;     /* input whose packet is crossing, or FREE */
    int pointer;   /* input looked at first */
    int ejected;   /* flits in the ejection buffer */
    int boundary;  /* flits in the boundary buffer */
    int complete;  /* packets whose tail is in the boundary buffer */
    int partial;   /* flits there of the packet behind those */
    uint64_t ask[ICNT_WORDS];
};

struct xbar {
    const struct icnt_cfg *cfg; /* borrowed */
    int inputs, outputs;
    int words;              /* of input masks */
    struct input *in;       /* owned */
    struct output *out;     /* owned */
    struct packet *packets; /* owned: all rings */
    uint64_t
        in_active[ICNT_WORDS]; /* inputs with a flit to inject or a packet that has not asked */
    uint64_t out_active[ICNT_WORDS]; /* outputs that are asked for, held, or have flits to eject */
    uint64_t ready[ICNT_WORDS];      /* outputs with a complete packet */
    cycle_t now;
    int inside; /* packets pushed and not popped */
    int moving; /* bits in the two masks, or 0 when tick has nothing to do */
    struct icnt_stats st;
};

static int ring_slots(int packets)
{
    int n = 1;
    while (n < packets)
        n *= 2;
    return n;
}

static void *xbar_create(const struct icnt_cfg *cfg, int inputs, int outputs)
{
    BUG_ON(inputs > ICNT_NODES_MAX || outputs > ICNT_NODES_MAX, "crossbar of %d x %d", inputs,
           outputs);
    struct xbar *x = xcalloc(1, sizeof *x);
    const int in_slots = ring_slots(cfg->inject_flits + cfg->vc_flits);
    const int out_slots = ring_slots(cfg->eject_flits + cfg->boundary_flits + 1);
    *x = (struct xbar){
        .cfg = cfg,
        .inputs = inputs,
        .outputs = outputs,
        .words = (inputs + 63) / 64,
        .in = xcalloc((size_t)inputs, sizeof *x->in),
        .out = xcalloc((size_t)outputs, sizeof *x->out),
        .packets = xcalloc((size_t)(inputs * in_slots + outputs * out_slots), sizeof *x->packets)};
    struct packet *p = x->packets;
    for (int i = 0; i < inputs; i++, p += in_slots)
        x->in[i].q = (struct ring){.slot = p, .mask = (uint16_t)(in_slots - 1)};
    for (int o = 0; o < outputs; o++, p += out_slots) {
        x->out[o].q = (struct ring){.slot = p, .mask = (uint16_t)(out_slots - 1)};
        x->out[o].owner = FREE;
    }
    return x;
}

static void xbar_destroy(void *st)
{
    struct xbar *x = st;
    if (!x)
        return;
    free(x->in);
    free(x->out);
    free(x->packets);
    free(x);
}

static inline struct packet *ring_head(const struct ring *q)
{
    return &q->slot[q->head];
}

static inline void ring_push(struct ring *q, struct packet p)
{
    q->slot[(q->head + q->len++) & q->mask] = p;
}

static inline void ring_pop(struct ring *q)
{
    q->head = (q->head + 1) & q->mask;
    q->len--;
}

static inline void set_bit(uint64_t *mask, int i)
{
    mask[i / 64] |= 1ull << (i % 64);
}

static inline void clear_bit(uint64_t *mask, int i)
{
    mask[i / 64] &= ~(1ull << (i % 64));
}

static bool xbar_can_push(const void *st, int input, int flits)
{
    const struct xbar *x = st;
    return x->in[input].waiting + flits <= x->cfg->inject_flits;
}

static void xbar_push(void *st, int input, int output, struct mem_req *r)
{
    struct xbar *x = st;
    struct input *in = &x->in[input];
    BUG_ON(!xbar_can_push(x, input, 1), "push of %d flits into a full input %d", r->flits, input);
    ring_push(&in->q, (struct packet){r, r->flits, (uint16_t)output, x->now});
    in->waiting += r->flits;
    if (in->q.len == 1)
        in->left = r->flits;
    set_bit(x->in_active, input);
    x->inside++;
    x->moving = 1;
    x->st.packets++;
    x->st.flits += r->flits;
}

static struct mem_req *xbar_peek(const void *st, int output)
{
    const struct output *o = &((const struct xbar *)st)->out[output];
    return o->complete ? ring_head(&o->q)->req : NULL;
}

static struct mem_req *xbar_pop(void *st, int output)
{
    struct xbar *x = st;
    struct output *o = &x->out[output];
    if (!o->complete)
        return NULL;
    const struct packet *p = ring_head(&o->q);
    o->boundary -= p->flits;
    if (--o->complete == 0)
        clear_bit(x->ready, output);
    ring_pop(&o->q);
    x->inside--;
    return p->req;
}

/* A flit goes from the injection buffer into the VC; the first packet asks for its output. */
static void inject(struct xbar *x, int i)
{
    struct input *in = &x->in[i];
    if (in->waiting && in->vc < x->cfg->vc_flits) {
        in->waiting--;
        in->vc++;
    }
    if (!in->asking && !in->granted && in->vc) {
        const int o = ring_head(&in->q)->output;
        set_bit(x->out[o].ask, i);
        set_bit(x->out_active, o);
        in->asking = true;
    }
    if (!in->waiting || in->vc == x->cfg->vc_flits)
        clear_bit(x->in_active, i);
}

/* The input that asks, looked for from the pointer on, round robin; FREE: none asks. */
static int arbitrate(const struct xbar *x, const struct output *o)
{
    const int first = o->pointer / 64;
    const uint64_t upper = o->ask[first] & ~0ull << (o->pointer % 64);
    if (upper)
        return first * 64 + __builtin_ctzll(upper);
    for (int k = 1; k <= x->words; k++) {
        const int w = (first + k) % x->words;
        if (o->ask[w])
            return w * 64 + __builtin_ctzll(o->ask[w]);
    }
    return FREE;
}

static bool grant(struct xbar *x, struct output *o)
{
    const int i = arbitrate(x, o);
    if (i == FREE)
        return false;
    clear_bit(o->ask, i);
    x->in[i].asking = false;
    x->in[i].granted = true;
    o->owner = i;
    o->pointer = i + 1 == x->inputs ? 0 : i + 1;
    return true;
}

/* One flit of the owner's packet crosses into the ejection buffer. */
static void cross(struct xbar *x, struct output *o)
{
    struct input *in = &x->in[o->owner];
    const struct packet *p = ring_head(&in->q);
    if (in->left == p->flits)
        ring_push(&o->q, *p);
    in->vc--;
    if (in->waiting)
        set_bit(x->in_active, o->owner);
    o->ejected++;
    if (--in->left)
        return;
    ring_pop(&in->q);
    in->granted = false;
    if (in->q.len) {
        in->left = ring_head(&in->q)->flits;
        set_bit(x->in_active, o->owner);
    }
    o->owner = FREE;
}

static bool eject(struct xbar *x, struct output *o)
{
    if (!o->ejected || o->boundary >= x->cfg->boundary_flits)
        return false;
    const struct packet *p = &o->q.slot[(o->q.head + o->complete) & o->q.mask];
    o->ejected--;
    o->boundary++;
    if (++o->partial < p->flits)
        return true;
    o->partial = 0;
    o->complete++;
    set_bit(x->ready, (int)(o - x->out));
    x->st.latency_sum += x->now - p->pushed;
    return true;
}

/* True: a flit moved. */
static bool output_step(struct xbar *x, int i)
{
    struct output *o = &x->out[i];
    bool moved = false;
    if (o->owner == FREE && !grant(x, o) && !o->ejected) {
        clear_bit(x->out_active, i);
        return false;
    }
    if (o->owner != FREE && x->in[o->owner].vc && o->ejected < x->cfg->eject_flits) {
        cross(x, o);
        moved = true;
    }
    for (int k = 0; k < x->cfg->eject_rate && eject(x, o); k++)
        moved = true;
    return moved;
}

static bool xbar_tick(void *st)
{
    struct xbar *x = st;
    x->now++;
    if (!x->moving)
        return false;
    bool moved = false;
    uint64_t left = 0;
    for (int w = 0; w < x->words; w++)
        for (uint64_t m = x->in_active[w]; m; m &= m - 1)
            inject(x, w * 64 + __builtin_ctzll(m));
    for (int w = 0; w * 64 < x->outputs; w++) {
        for (uint64_t m = x->out_active[w]; m; m &= m - 1)
            moved |= output_step(x, w * 64 + __builtin_ctzll(m));
        left |= x->out_active[w];
    }
    for (int w = 0; w < x->words; w++)
        left |= x->in_active[w];
    x->moving = left != 0;
    return moved;
}

static bool xbar_idle(const void *st)
{
    return ((const struct xbar *)st)->inside == 0;
}

static void xbar_stats(const void *st, struct icnt_stats *out)
{
    *out = ((const struct xbar *)st)->st;
}

static const uint64_t *xbar_ready(const void *st)
{
    return ((const struct xbar *)st)->ready;
}

static const int *xbar_busy(const void *st)
{
    return &((const struct xbar *)st)->moving;
}

const struct icnt_ops icnt_xbar = {
    .name = "xbar",
    .help = "crossbar with wormhole flow control and rotating priorities (one-stage fly)",
    .create = xbar_create,
    .destroy = xbar_destroy,
    .can_push = xbar_can_push,
    .push = xbar_push,
    .peek = xbar_peek,
    .pop = xbar_pop,
    .tick = xbar_tick,
    .idle = xbar_idle,
    .stats = xbar_stats,
    .ready = xbar_ready,
    .busy = xbar_busy,
};
