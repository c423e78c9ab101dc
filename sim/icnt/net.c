#include "sim/icnt/net.h"

#include <stdlib.h>

#define NONE (-1)

struct timed { /* in a channel */
    cycle_t ready;
    struct flit flit; /* a credit uses flit.vc alone */
};

struct pipe {           /* ring */
    struct timed *slot; /* owned */
    int size, head, len;
};

struct source {
    struct net_place at;
    struct flit *buf; /* owned: injection buffer, a ring of source_slots() */
    int head, len;
    int vc;        /* of the packet being injected, or NONE */
    int next_vc;   /* looked at first for the next packet */
    int *occupied; /* owned: by VC: places taken in the router's buffer */
    struct pipe credits;
};

struct eject_vc {
    struct flit *buf; /* owned: ejection and boundary buffer in one ring, oldest first */
    int size, head;
    int boundary, ejected; /* flits in each */
    int complete;          /* packets whose tail is in the boundary buffer */
};

struct sink {
    struct net_place at;
    struct eject_vc *vc; /* owned */
    struct pipe flits;
    struct pipe back; /* flits whose place is free again; one credit leaves a cycle */
    int turn;         /* VC looked at first by pop */
    int held;         /* flits in all buffers and the channel */
};

struct node {               /* a router and its channels */
    struct router *router;  /* owned */
    struct pipe *in;        /* owned: flits on their way to each input port */
    struct pipe *credit;    /* owned: credits on their way to each output port */
    struct net_place *up;   /* owned: who feeds each input port; router NONE: source `port` */
    struct net_place *down; /* owned: likewise for output ports: sink `port` */
    int pending;            /* in the pipes */
};

struct net {
    const struct icnt_cfg *cfg; /* borrowed */
    struct net_shape shape;
    int inputs, outputs;
    struct source *source;     /* owned */
    struct sink *sink;         /* owned */
    struct node *node;         /* owned */
    struct router_move *moves; /* owned */
    cycle_t now, latency;
    int inside; /* packets pushed and not popped */
    int moving; /* flits not yet in a boundary buffer, and credits on their way */
    struct icnt_stats st;
    uint64_t ready[ICNT_WORDS]; /* outputs with a complete packet */
};

static void pipe_init(struct pipe *p, int size)
{
    *p = (struct pipe){.slot = xcalloc((size_t)size, sizeof *p->slot), .size = size};
}

static void pipe_push(struct pipe *p, cycle_t ready, const struct flit *f)
{
    BUG_ON(p->len == p->size, "a channel of %d overflows", p->size);
    p->slot[(p->head + p->len++) % p->size] = (struct timed){ready, *f};
}

static const struct flit *pipe_pop(struct pipe *p, cycle_t now)
{
    if (!p->len || p->slot[p->head].ready > now)
        return NULL;
    const struct flit *f = &p->slot[p->head].flit;
    p->head = (p->head + 1) % p->size;
    p->len--;
    return f;
}

/* A packet's header may come on top of a full buffer (icnt.h). */
static int source_slots(const struct icnt_cfg *c)
{
    return c->inject_flits + (c->header_bytes + c->flit_bytes - 1) / c->flit_bytes;
}

static void source_init(struct net *n, int i, int pipe)
{
    struct source *s = &n->source[i];
    s->at = n->shape.source[i];
    s->buf = xcalloc((size_t)source_slots(n->cfg), sizeof *s->buf);
    s->occupied = xcalloc((size_t)n->cfg->vcs, sizeof *s->occupied);
    s->vc = NONE;
    pipe_init(&s->credits, pipe);
    n->node[s->at.router].up[s->at.port] = (struct net_place){NONE, i};
}

static void sink_init(struct net *n, int i, int pipe)
{
    struct sink *s = &n->sink[i];
    s->at = n->shape.sink[i];
    s->vc = xcalloc((size_t)n->cfg->vcs, sizeof *s->vc);
    for (int v = 0; v < n->cfg->vcs; v++) {
        s->vc[v].size = n->cfg->boundary_flits + n->cfg->eject_flits;
        s->vc[v].buf = xcalloc((size_t)s->vc[v].size, sizeof *s->vc[v].buf);
    }
    pipe_init(&s->flits, pipe);
    pipe_init(&s->back, pipe);
    n->node[s->at.router].down[s->at.port] = (struct net_place){NONE, i};
    router_places(n->node[s->at.router].router, s->at.port, n->cfg->eject_flits);
}

static void node_init(struct net *n, int id, int pipe)
{
    struct node *d = &n->node[id];
    const struct net_shape *sh = &n->shape;
    d->router = router_new(n->cfg, sh->inputs, sh->outputs, id);
    d->in = xcalloc((size_t)sh->inputs, sizeof *d->in);
    d->up = xcalloc((size_t)sh->inputs, sizeof *d->up);
    d->credit = xcalloc((size_t)sh->outputs, sizeof *d->credit);
    d->down = xcalloc((size_t)sh->outputs, sizeof *d->down);
    for (int i = 0; i < sh->inputs; i++)
        pipe_init(&d->in[i], pipe);
    for (int o = 0; o < sh->outputs; o++)
        pipe_init(&d->credit[o], pipe);
}

struct net *net_new(const struct icnt_cfg *cfg, int inputs, int outputs,
                    const struct net_shape *shape)
{
    struct net *n = xcalloc(1, sizeof *n);
    const int places = cfg->vc_flits > cfg->eject_flits ? cfg->vc_flits : cfg->eject_flits;
    const int pipe = cfg->vcs * places + 1; /* no more flits than credits for them */
    *n = (struct net){.cfg = cfg,
                      .shape = *shape,
                      .inputs = inputs,
                      .outputs = outputs,
                      .latency = (cycle_t)cfg->channel_latency};
    n->source = xcalloc((size_t)inputs, sizeof *n->source);
    n->sink = xcalloc((size_t)outputs, sizeof *n->sink);
    n->node = xcalloc((size_t)shape->routers, sizeof *n->node);
    n->moves = xcalloc((size_t)shape->outputs, sizeof *n->moves);
    for (int r = 0; r < shape->routers; r++)
        node_init(n, r, pipe);
    for (int r = 0; r < shape->routers; r++)
        for (int o = 0; o < shape->outputs; o++) {
            struct net_place to;
            if (!shape->next(shape->topology, r, o, &to))
                continue;
            n->node[r].down[o] = to;
            n->node[to.router].up[to.port] = (struct net_place){r, o};
        }
    for (int i = 0; i < inputs; i++)
        source_init(n, i, pipe);
    for (int o = 0; o < outputs; o++)
        sink_init(n, o, pipe);
    return n;
}

static void node_free(const struct net *n, struct node *d)
{
    router_free(d->router);
    for (int i = 0; i < n->shape.inputs; i++)
        free(d->in[i].slot);
    for (int o = 0; o < n->shape.outputs; o++)
        free(d->credit[o].slot);
    free(d->in);
    free(d->up);
    free(d->credit);
    free(d->down);
}

static void sink_free(const struct net *n, struct sink *s)
{
    for (int v = 0; v < n->cfg->vcs; v++)
        free(s->vc[v].buf);
    free(s->vc);
    free(s->flits.slot);
    free(s->back.slot);
}

void net_free(void *st)
{
    struct net *n = st;
    if (!n)
        return;
    for (int r = 0; r < n->shape.routers; r++)
        node_free(n, &n->node[r]);
    for (int i = 0; i < n->inputs; i++) {
        free(n->source[i].buf);
        free(n->source[i].occupied);
        free(n->source[i].credits.slot);
    }
    for (int o = 0; o < n->outputs; o++)
        sink_free(n, &n->sink[o]);
    free(n->source);
    free(n->sink);
    free(n->node);
    free(n->moves);
    free((void *)n->shape.topology);
    free(n->shape.source);
    free(n->shape.sink);
    free(n->shape.sink_node);
    free(n);
}

bool net_can_push(const void *st, int input, int flits)
{
    const struct net *n = st;
    return n->source[input].len + flits <= n->cfg->inject_flits;
}

void net_push(void *st, int input, int output, struct mem_req *r)
{
    struct net *n = st;
    struct source *s = &n->source[input];
    BUG_ON(!s->len + r->flits > source_slots(n->cfg), "push of %d flits into a full input %d",
           r->flits, input);
    for (int i = 0; i < r->flits; i++)
        s->buf[(s->head + s->len++) % source_slots(n->cfg)] =
            (struct flit){.req = r,
                          .pushed = n->now,
                          .dest = (uint16_t)n->shape.sink_node[output],
                          .head = i == 0,
                          .tail = i == r->flits - 1};
    n->inside++;
    n->moving += r->flits;
    n->st.packets++;
    n->st.flits += r->flits;
}

/* A flit a cycle enters the channel to the router; a head first takes a VC. */
static bool inject(struct net *n, struct source *s)
{
    for (const struct flit *c; (c = pipe_pop(&s->credits, n->now)); n->moving--)
        s->occupied[c->vc]--;
    if (!s->len)
        return false;
    struct flit f = s->buf[s->head];
    if (f.head) {
        s->vc = s->next_vc; /* a packet's VC is free again as soon as its tail is sent */
        for (int k = 0; k < n->cfg->vcs; k++) {
            const int v = (s->next_vc + k) % n->cfg->vcs;
            if (s->occupied[v] < n->cfg->vc_flits) {
                s->vc = v;
                break;
            }
        }
    }
    if (s->occupied[s->vc] >= n->cfg->vc_flits)
        return false;
    f.vc = (uint8_t)s->vc;
    s->occupied[s->vc]++;
    if (f.tail)
        s->next_vc = (s->vc + 1) % n->cfg->vcs;
    s->head = (s->head + 1) % source_slots(n->cfg);
    s->len--;
    struct node *d = &n->node[s->at.router];
    pipe_push(&d->in[s->at.port], n->now + n->latency, &f);
    d->pending++;
    return true;
}

static void send(struct net *n, struct node *d, const struct router_move *m)
{
    const struct net_place to = d->down[m->out], back = d->up[m->in];
    const struct flit credit = {.vc = m->in_vc};
    if (to.router == NONE) {
        pipe_push(&n->sink[to.port].flits, n->now + n->latency, &m->flit);
        n->sink[to.port].held++;
    } else {
        pipe_push(&n->node[to.router].in[to.port], n->now + 1 + n->latency, &m->flit);
        n->node[to.router].pending++;
    }
    n->moving++;
    if (back.router == NONE)
        pipe_push(&n->source[back.port].credits, n->now + 1 + n->latency, &credit);
    else {
        pipe_push(&n->node[back.router].credit[back.port], n->now + 1 + n->latency, &credit);
        n->node[back.router].pending++;
    }
}

static bool node_step(struct net *n, struct node *d)
{
    const struct flit *f;
    if (d->pending) {
        for (int i = 0; i < n->shape.inputs; i++)
            if ((f = pipe_pop(&d->in[i], n->now))) {
                router_arrive(d->router, i, f);
                d->pending--;
            }
        for (int o = 0; o < n->shape.outputs; o++)
            while ((f = pipe_pop(&d->credit[o], n->now))) {
                router_credit(d->router, o, f->vc);
                d->pending--;
                n->moving--;
            }
    }
    if (router_empty(d->router))
        return false;
    const int moves = router_step(d->router, n->now, n->shape.route, n->shape.topology, n->moves);
    for (int i = 0; i < moves; i++)
        send(n, d, &n->moves[i]);
    return moves > 0;
}

static void set_ready(struct net *n, int output, bool on)
{
    const uint64_t bit = 1ull << output % 64;
    uint64_t *word = &n->ready[output / 64];
    *word = on ? *word | bit : *word & ~bit;
}

/* One flit of each VC moves on from its ejection to its boundary buffer. */
static bool to_boundary(struct net *n, struct sink *s)
{
    bool moved = false;
    for (int k = 0; k < n->cfg->vcs; k++) {
        struct eject_vc *v = &s->vc[k];
        if (!v->ejected || v->boundary >= n->cfg->boundary_flits)
            continue;
        const struct flit *f = &v->buf[(v->head + v->boundary) % v->size];
        v->ejected--;
        v->boundary++;
        n->moving--;
        s->held--;
        pipe_push(&s->back, n->now, f);
        n->moving++;
        if (f->tail) {
            v->complete++;
            set_ready(n, (int)(s - n->sink), true);
            n->st.latency_sum += n->now - f->pushed;
        }
        moved = true;
    }
    return moved;
}

static bool sink_step(struct net *n, struct sink *s)
{
    if (!s->held && !s->back.len)
        return false;
    const struct flit *f = pipe_pop(&s->flits, n->now);
    if (f) {
        struct eject_vc *v = &s->vc[f->vc];
        v->buf[(v->head + v->boundary + v->ejected++) % v->size] = *f;
    }
    bool moved = to_boundary(n, s);
    const struct flit *free_place = pipe_pop(&s->back, n->now);
    if (free_place) {
        struct node *d = &n->node[s->at.router];
        const struct flit credit = {.vc = free_place->vc};
        pipe_push(&d->credit[s->at.port], n->now + 1 + n->latency, &credit);
        d->pending++;
    }
    for (int k = 1; k < n->cfg->eject_rate; k++)
        moved |= to_boundary(n, s);
    return moved;
}

bool net_tick(void *st)
{
    struct net *n = st;
    n->now++;
    if (!n->moving)
        return false;
    bool moved = false;
    for (int i = 0; i < n->inputs; i++)
        moved |= inject(n, &n->source[i]);
    for (int r = 0; r < n->shape.routers; r++)
        moved |= node_step(n, &n->node[r]);
    for (int o = 0; o < n->outputs; o++)
        moved |= sink_step(n, &n->sink[o]);
    return moved;
}

static int ready_vc(const struct net *n, const struct sink *s)
{
    for (int k = 0; k < n->cfg->vcs; k++) {
        const int v = (s->turn + k) % n->cfg->vcs;
        if (s->vc[v].complete)
            return v;
    }
    return NONE;
}

struct mem_req *net_peek(const void *st, int output)
{
    const struct net *n = st;
    const struct sink *s = &n->sink[output];
    const int k = ready_vc(n, s);
    return k == NONE ? NULL : s->vc[k].buf[s->vc[k].head].req;
}

struct mem_req *net_pop(void *st, int output)
{
    struct net *n = st;
    struct sink *s = &n->sink[output];
    const int k = ready_vc(n, s);
    if (k == NONE)
        return NULL;
    struct eject_vc *v = &s->vc[k];
    struct mem_req *r = v->buf[v->head].req;
    v->head = (v->head + r->flits) % v->size;
    v->boundary -= r->flits;
    v->complete--;
    s->turn = (k + 1) % n->cfg->vcs;
    n->inside--;
    if (ready_vc(n, s) == NONE)
        set_ready(n, output, false);
    return r;
}

bool net_idle(const void *st)
{
    const struct net *n = st;
    return n->inside == 0 && n->moving == 0;
}

void net_stats(const void *st, struct icnt_stats *out)
{
    *out = ((const struct net *)st)->st;
}

const uint64_t *net_ready(const void *st)
{
    return ((const struct net *)st)->ready;
}

const int *net_busy(const void *st)
{
    return &((const struct net *)st)->moving;
}
