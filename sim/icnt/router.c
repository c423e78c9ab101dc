#include "sim/icnt/router.h"

#include <stdlib.h>
#include <string.h>

#define NONE (-1)

enum vc_phase { VC_IDLE, VC_ROUTING, VC_WAITING, VC_ACTIVE };

struct in_vc {
    struct flit *buf; /* borrowed from router.flits; vc_flits of them, a ring */
    uint16_t head, len;
    uint8_t phase, out_vc;
    int16_t out;
    cycle_t since;
    int accept; /* rotating pointer over output VCs */
};

struct out_vc {
    bool in_use;
    uint16_t places;   /* behind the channel */
    uint16_t occupied; /* of these */
    int grant;         /* rotating pointer over input VCs */
    int granted;       /* this cycle's grant */
};

struct router {
    int id, inputs, outputs, vcs, depth, speedup, delay;
    int flits_inside;
    struct flit *flits; /* owned */
    struct in_vc *in;   /* owned: [input * vcs + vc] */
    struct out_vc *out; /* owned: [output * vcs + vc] */
    /* VC allocation: who asks for each output port */
    int words;
    uint64_t *ask;      /* owned: [output * words] bits of input VCs */
    uint64_t *occupied; /* owned: bits of input VCs that hold flits */
    /* switch allocation; expanded input s * inputs + input */
    int *sw_grant, *sw_accept; /* owned: pointers by output, by expanded input */
    int *sw_winner;            /* owned: by output: expanded input granted */
    int *sw_choice;            /* owned: by expanded input: output accepted */
    int16_t *sw_vc;            /* owned: [expanded * outputs + output] VC that asks, or NONE */
    int *rr;                   /* owned: by expanded input: VC looked at first */
};

struct router *router_new(const struct icnt_cfg *cfg, int inputs, int outputs, int id)
{
    struct router *r = xcalloc(1, sizeof *r);
    const int nin = inputs * cfg->vcs, nout = outputs * cfg->vcs, ex = inputs * cfg->input_speedup;
    *r = (struct router){.id = id,
                         .inputs = inputs,
                         .outputs = outputs,
                         .vcs = cfg->vcs,
                         .depth = cfg->vc_flits,
                         .speedup = cfg->input_speedup,
                         .delay = cfg->routing_delay,
                         .words = (nin + 63) / 64};
    r->flits = xcalloc((size_t)nin * (size_t)r->depth, sizeof *r->flits);
    r->in = xcalloc((size_t)nin, sizeof *r->in);
    r->out = xcalloc((size_t)nout, sizeof *r->out);
    r->ask = xcalloc((size_t)(outputs * r->words), sizeof *r->ask);
    r->occupied = xcalloc((size_t)r->words, sizeof *r->occupied);
    r->sw_grant = xcalloc((size_t)outputs, sizeof *r->sw_grant);
    r->sw_winner = xcalloc((size_t)outputs, sizeof *r->sw_winner);
    r->sw_accept = xcalloc((size_t)ex, sizeof *r->sw_accept);
    r->sw_choice = xcalloc((size_t)ex, sizeof *r->sw_choice);
    r->rr = xcalloc((size_t)ex, sizeof *r->rr);
    r->sw_vc = xcalloc((size_t)(ex * outputs), sizeof *r->sw_vc);
    for (int i = 0; i < ex * outputs; i++)
        r->sw_vc[i] = NONE;
    for (int i = 0; i < nin; i++)
        r->in[i].buf = &r->flits[i * r->depth];
    for (int o = 0; o < outputs; o++)
        router_places(r, o, r->depth);
    for (int s = 0; s < r->speedup; s++)
        for (int i = 0; i < inputs; i++)
            r->rr[s * inputs + i] = s % r->vcs;
    return r;
}

void router_free(struct router *r)
{
    if (!r)
        return;
    free(r->flits);
    free(r->in);
    free(r->out);
    free(r->ask);
    free(r->occupied);
    free(r->sw_grant);
    free(r->sw_winner);
    free(r->sw_accept);
    free(r->sw_choice);
    free(r->rr);
    free(r->sw_vc);
    free(r);
}

void router_places(struct router *r, int port, int flits)
{
    for (int k = 0; k < r->vcs; k++)
        r->out[port * r->vcs + k].places = (uint16_t)flits;
}

static void set_bit(uint64_t *mask, int i)
{
    mask[i / 64] |= 1ull << (i % 64);
}

void router_arrive(struct router *r, int port, const struct flit *f)
{
    const int i = port * r->vcs + f->vc;
    struct in_vc *v = &r->in[i];
    BUG_ON(v->len == r->depth, "router %d: VC %d of port %d overflows", r->id, f->vc, port);
    v->buf[(v->head + v->len++) % r->depth] = *f;
    set_bit(r->occupied, i);
    r->flits_inside++;
}

void router_credit(struct router *r, int port, int vc)
{
    struct out_vc *o = &r->out[port * r->vcs + vc];
    BUG_ON(!o->occupied, "router %d: a credit too many at output %d", r->id, port);
    o->occupied--;
}

bool router_empty(const struct router *r)
{
    return r->flits_inside == 0;
}

/* Heads are routed; those that are through ask for a VC of their output. */
static void route_heads(struct router *r, cycle_t now, route_fn *route, const void *topology)
{
    for (int w = 0; w < r->words; w++)
        for (uint64_t m = r->occupied[w]; m; m &= m - 1) {
            const int i = w * 64 + __builtin_ctzll(m);
            struct in_vc *v = &r->in[i];
            if (v->phase == VC_IDLE) {
                v->out = (int16_t)route(topology, r->id, v->buf[v->head].dest);
                v->phase = VC_ROUTING;
                v->since = now;
            }
            if (v->phase == VC_ROUTING && now - v->since >= (cycle_t)r->delay)
                v->phase = VC_WAITING;
            if (v->phase == VC_WAITING)
                set_bit(&r->ask[v->out * r->words], i);
        }
}

/* First bit set from `from` on, round robin; NONE: none set. */
static int rotate(const uint64_t *mask, int words, int from)
{
    const int first = from / 64;
    const uint64_t upper = mask[first] & ~0ull << (from % 64);
    if (upper)
        return first * 64 + __builtin_ctzll(upper);
    for (int k = 1; k <= words; k++) {
        const int w = (first + k) % words;
        if (mask[w])
            return w * 64 + __builtin_ctzll(mask[w]);
    }
    return NONE;
}

/* The input VC takes the output VC that granted it, looked for from its pointer on. */
static void accept_vc(struct router *r, int i, cycle_t now)
{
    struct in_vc *v = &r->in[i];
    const int first = v->out * r->vcs;
    int best = NONE;
    for (int k = 0; k < r->vcs; k++) {
        const int o = first + k;
        if (r->out[o].granted != i)
            continue;
        if (best == NONE || (o >= v->accept && best < v->accept))
            best = o;
    }
    if (best == NONE)
        return;
    struct out_vc *o = &r->out[best];
    o->in_use = true;
    o->grant = (i + 1) % (r->inputs * r->vcs);
    v->accept = (best + 1) % (r->outputs * r->vcs);
    v->out_vc = (uint8_t)(best - first);
    v->phase = VC_ACTIVE;
    v->since = now;
}

static void allocate_vcs(struct router *r, cycle_t now)
{
    for (int out = 0; out < r->outputs; out++) {
        uint64_t *ask = &r->ask[out * r->words];
        uint64_t any = 0;
        for (int w = 0; w < r->words; w++)
            any |= ask[w];
        if (!any)
            continue;
        for (int k = 0; k < r->vcs; k++) {
            struct out_vc *o = &r->out[out * r->vcs + k];
            o->granted = o->in_use ? NONE : rotate(ask, r->words, o->grant);
        }
        for (int w = 0; w < r->words; w++)
            for (uint64_t m = ask[w]; m; m &= m - 1)
                accept_vc(r, w * 64 + __builtin_ctzll(m), now);
        memset(ask, 0, (size_t)r->words * sizeof *ask);
    }
}

/* The VC of expanded input (s, port) that asks for each output: the oldest packet's, else the first
 * from the round-robin pointer on. */
static bool ask_switch(struct router *r, int port, int s)
{
    const int ex = s * r->inputs + port;
    bool any = false;
    for (int k = 0; k < r->vcs; k++) {
        const int vc = (r->rr[ex] + k) % r->vcs;
        if (vc % r->speedup != s)
            continue;
        const struct in_vc *v = &r->in[port * r->vcs + vc];
        const struct out_vc *o = &r->out[v->out * r->vcs + v->out_vc];
        if (v->phase != VC_ACTIVE || !v->len || o->occupied >= o->places)
            continue;
        int16_t *label = &r->sw_vc[ex * r->outputs + v->out];
        if (*label == NONE ||
            v->buf[v->head].pushed <
                r->in[port * r->vcs + *label].buf[r->in[port * r->vcs + *label].head].pushed)
            *label = (int16_t)vc;
        any = true;
    }
    return any;
}

static int behind(int x, int pointer, int n)
{
    return x >= pointer ? x - pointer : x - pointer + n;
}

/* Each output grants itself to one expanded input; each of those accepts one output. */
static void match_switch(struct router *r)
{
    const int expanded = r->inputs * r->speedup;
    for (int e = 0; e < expanded; e++)
        r->sw_choice[e] = NONE;
    for (int out = 0; out < r->outputs; out++) {
        int win = NONE;
        for (int e = 0; e < expanded; e++)
            if (r->sw_vc[e * r->outputs + out] != NONE &&
                (win == NONE ||
                 behind(e, r->sw_grant[out], expanded) < behind(win, r->sw_grant[out], expanded)))
                win = e;
        r->sw_winner[out] = win;
        if (win == NONE)
            continue;
        int *choice = &r->sw_choice[win];
        if (*choice == NONE || behind(out, r->sw_accept[win], r->outputs) <
                                   behind(*choice, r->sw_accept[win], r->outputs))
            *choice = out;
    }
}

static struct router_move cross(struct router *r, int ex, int out)
{
    const int port = ex % r->inputs, vc = r->sw_vc[ex * r->outputs + out];
    const int i = port * r->vcs + vc;
    struct in_vc *v = &r->in[i];
    struct out_vc *o = &r->out[out * r->vcs + v->out_vc];
    struct router_move m = {
        .flit = v->buf[v->head], .out = (uint16_t)out, .in = (uint16_t)port, .in_vc = (uint8_t)vc};
    m.flit.vc = v->out_vc;
    v->head = (uint16_t)((v->head + 1) % r->depth);
    if (--v->len == 0)
        r->occupied[i / 64] &= ~(1ull << (i % 64));
    r->flits_inside--;
    o->occupied++;
    if (m.flit.tail) {
        v->phase = VC_IDLE;
        o->in_use = false;
    }
    r->sw_grant[out] = (ex + 1) % (r->inputs * r->speedup);
    r->sw_accept[ex] = (out + 1) % r->outputs;
    r->rr[ex] = (vc + 1) % r->vcs;
    return m;
}

int router_step(struct router *r, cycle_t now, route_fn *route, const void *topology,
                struct router_move *moves)
{
    int n = 0;
    if (!r->flits_inside)
        return 0;
    route_heads(r, now, route, topology);
    allocate_vcs(r, now);
    bool any = false;
    for (int port = 0; port < r->inputs; port++)
        for (int s = 0; s < r->speedup; s++)
            any |= ask_switch(r, port, s);
    if (!any)
        return 0;
    match_switch(r);
    for (int e = 0; e < r->inputs * r->speedup; e++)
        if (r->sw_choice[e] != NONE)
            moves[n++] = cross(r, e, r->sw_choice[e]);
    for (int i = 0; i < r->inputs * r->speedup * r->outputs; i++)
        r->sw_vc[i] = NONE;
    return n;
}
