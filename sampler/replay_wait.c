/* What is on its way from replayed cores and back, and which warps wait for it. */
#include "sampler/replay_core.h"

#include <stdlib.h>

#include "base/err.h"

struct load *replay_load(struct core_at *c, struct warp_at *w, const struct op *op)
{
    struct load *l = c->r->free_load;
    if (l) {
        c->r->free_load = l->next;
    } else {
        l = xcalloc(1, sizeof *l);
        l->before = c->r->last_load;
        c->r->last_load = l;
    }
    *l = (struct load){.c = c, .w = w, .op = op, .pending = 1, .before = l->before};
    return l;
}

void replay_load_over(struct replay *r, struct load *l)
{
    l->next = r->free_load;
    r->free_load = l;
}

static int32_t new_place(struct replay *r)
{
    if (!r->free_flights) {
        const int32_t had = r->flights;
        r->flights = had ? 2 * had : 256;
        r->flight = xrealloc(r->flight, (size_t)r->flights * sizeof *r->flight);
        r->free_flight = xrealloc(r->free_flight, (size_t)r->flights * sizeof *r->free_flight);
        for (int32_t i = had; i < r->flights; i++) {
            r->flight[i] = xcalloc(1, sizeof **r->flight);
            r->free_flight[r->free_flights++] = i;
        }
    }
    return r->free_flight[--r->free_flights];
}

struct flight *replay_flight(struct core_at *c, struct mem_req *q, cycle_t t)
{
    q->token = new_place(c->r);
    struct flight *f = c->r->flight[q->token];
    *f = (struct flight){.c = c, .made = t};
    f->last = &f->waits;
    return f;
}

void replay_wait(struct replay *r, struct flight *f, struct load *l, cycle_t more)
{
    struct wait *x = r->free_wait;
    if (x) {
        r->free_wait = x->next;
    } else {
        x = xcalloc(1, sizeof *x);
        x->before = r->last_wait;
        r->last_wait = x;
    }
    *x = (struct wait){.load = l, .more = more, .before = x->before};
    *f->last = x;
    f->last = &x->next;
    l->pending++;
}

void replay_flight_over(struct replay *r, struct mem_req *q, cycle_t t)
{
    struct flight *f = r->flight[q->token];
    if (f->cache)
        stamp_fill(f->cache, f->line, f->mshr, t);
    if (f->texture)
        replay_texture_came(f->c, f->texture, t);
    cycle_t turn = 0;
    for (struct wait *x = f->waits, *next; x; x = next, turn++) {
        const struct op *op = x->load->op;
        const cycle_t back = t + x->more;
        next = x->next;
        if (!op)
            replay_back(x->load, back + turn); /* fetches one after the other */
        else if (q->write)
            replay_back(x->load, back);
        else
            replay_back(x->load, pipeline_write(&f->c->pipe, op->m, x->load->w->bank0, back));
        x->next = r->free_wait;
        r->free_wait = x;
    }
    r->free_flight[r->free_flights++] = q->token;
    q->token = -1;
    if (q->kind == REQ_INST_READ)
        replay_fetch_again(f->c, t);
}

void replay_wait_fini(struct replay *r)
{
    for (struct load *l = r->last_load, *before; l; l = before) {
        before = l->before;
        free(l);
    }
    for (struct wait *x = r->last_wait, *before; x; x = before) {
        before = x->before;
        free(x);
    }
    for (int32_t i = 0; i < r->flights; i++)
        free(r->flight[i]);
    free(r->flight);
    free(r->free_flight);
}
