/* What leaves replayed cores, with what the other cores send meanwhile, through the network and
 * back: requests stand in one queue a node, whose head holds up the others wherever they go;
 * replies are taken in the order in which they come. */
#include "sampler/replay_core.h"
#include "sim/icnt/icnt.h"

/* A request's `warp` tells whose it is: a core's own are not counted. */
static int32_t class_of(struct lead *c, const struct warp_at *w, bool of_beside)
{
    const bool later = c->cta[w->slot].number >= c->n;
    c->r->share[later][of_beside].requests++;
    return 2 * later + of_beside;
}

static void count_reads(struct replay *r, const struct mem_req *q)
{
    const bool dram = q->stamp[STAGE_DRAM_QUEUE] != CYCLE_NEVER;
    if (q->warp >= 0) /* a store that misses reads its line */
        r->share[q->warp / 2][q->warp % 2].reads += dram && (!q->write || r->cfg->mem.l2.enabled);
}

/* Whether a transaction of a core that is not replayed leaves it: its L1s are tags alone. */
static bool leaves(struct replay *r, uint64_t core, int slot, addr_t txn)
{
    if (!(txn & (TRACE_CACHED | TRACE_TEXEL)))
        return true;
    if (txn & TRACE_TEXEL && !r->cfg->mem.l1t.enabled)
        return true;
    struct tags *t = txn & TRACE_TEXEL ? &r->l1t[core] : &r->l1d[core];
    const bool local = txn & REQUESTS_LOCAL;
    const addr_t place = local ? (addr_t)(slot + 1) << 48 : 0;
    const addr_t line = tags_line(t, TRACE_LINE(txn)) | place;
    uint32_t way;
    addr_t victim;
    const bool hit = tags_probe(t, line, line, &way) == TAG_HIT;
    r->l1_uses++;
    if (txn & TRACE_STORES) {
        if (hit && !local)
            tags_set_state(t, way, TAG_INVALID);
        return !(hit && local);
    }
    if (hit)
        tags_touch(t, way, r->l1_uses);
    else
        tags_replace(t, way, line | TAG_VALID, r->l1_uses, &victim);
    return !hit;
}

void replay_beside(struct lead *c, const struct warp_at *w, double t)
{
    if (c->r->o.alone)
        return;
    const uint64_t cores = (uint64_t)trace_lead_cores(c->r->t, c->number);
    const uint64_t at = w->traffic, all = w->t->traffic;
    for (uint64_t i = 1; i < cores; i++) {
        const struct core_traffic *b = &w->beside[i * (uint64_t)c->r->wpc];
        const uint64_t core = (uint64_t)(c->number * c->r->t->step) + i;
        uint64_t from = b->txns == all ? at : at * b->txns / all;
        const uint64_t end = b->txns == all ? at + 1 : (at + 1) * b->txns / all;
        const double when = later(0, t + ((double)i - (double)cores / 2) * PHASE);
        for (; from < end; from++) {
            const addr_t txn = b->txn[from < b->kept ? from : from % b->kept];
            if (!leaves(c->r, core, w->slot, txn))
                continue;
            struct mem_req *q = partitions_request(c->r->mem);
            q->addr = q->line = TRACE_LINE(txn);
            q->bytes = (uint32_t)TRACE_BYTES(txn);
            q->write = txn & TRACE_STORES;
            q->kind = q->write            ? REQ_GLOBAL_WRITE
                      : txn & TRACE_TEXEL ? REQ_TEX_READ
                                          : REQ_GLOBAL_READ;
            q->warp = class_of(c, w, true);
            partitions_send(c->r->mem, q, when);
        }
    }
}

/* ---- To the partitions ---- */

static int data_bytes(const struct mem_req *q)
{
    return q->write || q->kind == REQ_ATOMIC ? (int)q->bytes : 0;
}

/* The LD/ST unit may be waiting for what has just become known. */
static void ldst_tries_again(struct lead *c, double t)
{
    if (c->ldst_at < REPLAY_NEVER || c->mem_done == c->mem_at)
        return;
    c->ldst_at = later(c->ldst_from, t);
    replay_tell(c);
}

/* Requests enter the node's buffers while there is room, one a core cycle. */
static void enter(struct replay *r, struct node *o, double t)
{
    const struct icnt_cfg *net = &r->cfg->icnt;
    const unsigned room = (unsigned)(net->inject_flits + net->vcs * net->vc_flits);
    for (struct mem_req *q; (q = rq_peek(&o->queue));) {
        const unsigned flits = icnt_packet_flits(net, q);
        struct flight *f = r->flight[q->token];
        if (o->flits && o->flits + flits > room)
            return;
        rq_pop(&o->queue);
        rq_push(&o->inside, q);
        o->flits += flits;
        f->entered = o->entered = later(t, o->entered + 1);
        if (f->sent)
            *f->sent = f->entered;
        ldst_tries_again(f->c, f->entered);
    }
}

/* Time t: something entered the node, or left it. Its requests go to their partitions one behind
 * the other, or as many at once as it has virtual channels. */
static void node_goes_on(struct replay *r, struct node *o, double t)
{
    const int vcs = r->cfg->icnt.vcs;
    enter(r, o, t);
    while (o->heads < vcs && o->inside.len) {
        struct mem_req *q = rq_pop(&o->inside);
        const double entered = r->flight[q->token]->entered;
        double at = later(entered, t);
        if (vcs > 1) {
            at = later(at, o->enters);
            o->enters = later(entered, o->enters) +
                        partitions_port(r->mem, NETWORK_REQUESTS, data_bytes(q));
        }
        o->heads++;
        partitions_send(r->mem, q, at);
    }
}

struct flight *replay_send(struct lead *c, const struct warp_at *w, addr_t addr, double t,
                           enum req_kind kind, int bytes)
{
    struct mem_req *q = partitions_request(c->r->mem);
    struct flight *f = replay_flight(c, q, t);
    q->addr = q->line = addr;
    q->bytes = (uint32_t)bytes;
    q->kind = (uint8_t)kind;
    q->write = kind == REQ_GLOBAL_WRITE || kind == REQ_LOCAL_WRITE || kind == REQ_L1_WRITEBACK;
    q->warp = w ? class_of(c, w, false) : -1;
    f->counts = w && !q->write;
    if (w) {
        f->sent = &c->sent[c->sends++ % ON_THE_WAY];
        *f->sent = REPLAY_NEVER;
    }
    rq_push(&c->node->queue, q);
    node_goes_on(c->r, c->node, t);
    return f;
}

void replay_passed(void *replay, struct mem_req *q, double t)
{
    struct replay *r = replay;
    if (q->token < 0)
        return;
    struct node *o = r->flight[q->token]->c->node;
    const unsigned flits = icnt_packet_flits(&r->cfg->icnt, q);
    o->flits -= flits;
    o->heads--;
    if (q->kind == REQ_L1_WRITEBACK)
        replay_flight_over(r, q, t);
    node_goes_on(r, o, t + flits * r->flit);
}

double replay_has_place(const struct lead *c, int places)
{
    const unsigned back = places < ON_THE_WAY ? (unsigned)places : ON_THE_WAY - 1;
    return c->sent[(c->sends + ON_THE_WAY - back) % ON_THE_WAY];
}

/* ---- And back ---- */

void replay_replied(void *replay, struct mem_req *q, double t)
{
    struct replay *r = replay;
    count_reads(r, q);
    if (q->token >= 0) {
        const struct flight *f = r->flight[q->token];
        struct lead *c = f->c;
        struct node *o = c->node;
        const double back = later(t + r->o.latency, o->replies);
        o->replies = back + r->node_cores * r->flit * icnt_packet_flits(&r->cfg->icnt, q);
        if (f->counts) {
            r->read_sum += back - f->made;
            r->reads++;
        }
        replay_flight_over(r, q, back);
        ldst_tries_again(c, t);
    }
    partitions_give_back(r->mem, q);
}
