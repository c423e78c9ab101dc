/* What leaves replayed cores, with what the other cores send meanwhile, through the network and
 * back: requests stand in one queue a node, whose head holds up the others wherever they go;
 * replies are taken in the order in which they come. */
#include "sampler/replay_core.h"
#include "sim/icnt/icnt.h"

static void count(struct lead *c, const struct warp_at *w, bool of_beside, int reads)
{
    const bool later = c->cta[w->slot].number >= c->n;
    struct dram_share *s = &c->r->share[later][of_beside];
    s->requests++;
    s->reads += (uint64_t)reads;
}

/* Whether a transaction of a core that is not replayed leaves it: its L1s are tags alone. */
static bool leaves(struct replay *r, uint64_t core, int slot, addr_t txn)
{
    if (!(txn & (TRACE_CACHED | TRACE_TEXEL)))
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

void replay_beside(struct lead *c, const struct warp_at *w, double t, bool behind)
{
    if (c->r->o.alone)
        return;
    const uint64_t cores = (uint64_t)trace_lead_cores(c->r->t, c->number);
    const uint64_t middle = (cores + 1) / 2, at = w->traffic, all = w->t->traffic;
    for (uint64_t i = behind ? middle : 1; i < (behind ? cores : middle); i++) {
        const struct core_traffic *b = &w->beside[i * (uint64_t)c->r->wpc];
        const uint64_t core = (uint64_t)(c->number * c->r->t->step) + i;
        uint64_t from = b->txns == all ? at : at * b->txns / all;
        const uint64_t end = b->txns == all ? at + 1 : (at + 1) * b->txns / all;
        const double when = later(0, t + ((double)i - (double)cores / 2) * PHASE);
        for (; from < end; from++) {
            const addr_t txn = b->txn[from < b->kept ? from : from % b->kept];
            int dram;
            if (!leaves(c->r, core, w->slot, txn))
                continue;
            const addr_t addr = TRACE_LINE(txn);
            const bool write = txn & TRACE_STORES;
            const int bytes = TRACE_BYTES(txn);
            const double at_it = shared_mem_pass(&c->r->mem, addr, when, write, bytes);
            shared_mem_serve(&c->r->mem, addr, at_it, write, bytes, &dram);
            count(c, w, true, dram);
        }
    }
}

static unsigned before(unsigned place, unsigned n)
{
    return (place + ON_THE_WAY - n % ON_THE_WAY) % ON_THE_WAY;
}

/* When there is room for a node's next request, `all` flits in all so far: those in its buffers
 * have not passed the network. */
static double node_has_room(const struct node *o, const struct icnt_cfg *net, unsigned all)
{
    const unsigned room = (unsigned)(net->inject_flits + net->vcs * net->vc_flits);
    for (unsigned i = 1; i < ON_THE_WAY; i++) {
        const unsigned place = before(o->requests, i);
        if (all - o->flits[place] > room)
            return o->passed[place];
    }
    return 0;
}

/* A request is there to be sent at t: when it is at its partition. The core sends one a cycle, and
 * its node passes them one behind the other, or as many at once as it has virtual channels. */
static double inject(struct lead *c, addr_t addr, double t, bool write, int bytes)
{
    const struct icnt_cfg *net = &c->r->cfg->icnt;
    struct shared_mem *m = &c->r->mem;
    struct node *o = c->node;
    const unsigned flits = (unsigned)icnt_flits(net, write ? bytes : 0);
    const unsigned all = o->flits[before(o->requests, 1)] + flits;
    const unsigned place = o->requests % ON_THE_WAY;
    const double sent =
        later(later(t, c->sent[before(c->sends, 1)] + 1), node_has_room(o, net, all));
    double pass = later(sent, o->passed[before(place, (unsigned)net->vcs)]);
    if (net->vcs > 1) {
        pass = later(pass, o->enters);
        o->enters =
            later(sent, o->enters) + shared_mem_port(m, NETWORK_REQUESTS, write ? bytes : 0);
    }
    pass = shared_mem_pass(m, addr, shared_mem_accepts(m, addr, pass), write, bytes);
    c->sent[c->sends++ % ON_THE_WAY] = sent;
    o->requests++;
    o->flits[place] = all;
    o->passed[place] = pass + flits * c->r->flit;
    return pass;
}

/* A reply with so many bytes could be back at t: when it is. */
static double reply(struct lead *c, double t, int bytes)
{
    const int flits = icnt_flits(&c->r->cfg->icnt, bytes);
    return calendar_take(&c->node->replies, t, c->r->node_cores * c->r->flit * flits);
}

double replay_has_place(const struct lead *c, int places)
{
    return c->sent[before(c->sends, places < ON_THE_WAY ? (unsigned)places : ON_THE_WAY - 1)];
}

static double data_read(struct lead *c, const struct warp_at *w, double sent, double back, int dram)
{
    count(c, w, false, dram);
    c->r->read_sum += back - sent;
    c->r->reads++;
    return back;
}

double replay_read(struct lead *c, const struct warp_at *w, addr_t addr, double t, int bytes)
{
    struct shared_mem *m = &c->r->mem;
    const double at =
        w ? inject(c, addr, t, false, bytes) : shared_mem_pass(m, addr, t, false, bytes);
    int dram;
    const double served = shared_mem_serve(m, addr, at, false, bytes, &dram);
    const double back = reply(c, served + c->r->o.latency, bytes);
    return w ? data_read(c, w, t, back, dram) : back;
}

double replay_write(struct lead *c, const struct warp_at *w, addr_t addr, double t, int bytes)
{
    const double at = inject(c, addr, t, true, bytes);
    int dram;
    const double served = shared_mem_serve(&c->r->mem, addr, at, true, bytes, &dram);
    if (w)
        count(c, w, false, dram);
    return reply(c, served + c->r->o.latency, 0);
}
