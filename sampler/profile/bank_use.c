#include "sampler/profile/bank_use.h"

#include <math.h>
#include <stdlib.h>

#include "base/err.h"

struct row_bank {
    double ready; /* when another row may be opened */
    double open;  /* when the one that is may be read */
};

struct channel {
    struct row_bank *bank;      /* owned */
    struct bank_request *queue; /* owned ring: the last requests */
    double *done;               /* owned ring: when each of them leaves the queue */
    uint64_t requests;
    double bus, activate; /* when the bus is free again; the last activate */
};

void bank_use_init(struct bank_use *u, const struct gpu_cfg *cfg, int ctas, int most)
{
    *u = (struct bank_use){.cfg = cfg, .ctas = ctas, .most = most};
    u->made = xcalloc((size_t)ctas, sizeof *u->made);
    u->request = xcalloc((size_t)ctas * (size_t)most, sizeof *u->request);
}

void bank_use_fini(struct bank_use *u)
{
    free(u->made);
    free(u->request);
    *u = (struct bank_use){0};
}

void bank_use_add(struct bank_use *u, int cta, const struct mem_req *r)
{
    if (u->made[cta] < u->most)
        u->request[cta * u->most + u->made[cta]++] =
            (struct bank_request){r->row, r->partition, r->bank};
}

/* One of those in the queue has opened its row. */
static bool is_opened(const struct channel *c, const struct bank_request *r, uint64_t queue)
{
    const uint64_t n = c->requests < queue ? c->requests : queue;
    for (uint64_t i = 0; i < n; i++)
        if (c->queue[i].bank == r->bank && c->queue[i].row == r->row)
            return true;
    return false;
}

/* Takes its place in the queue when the one that had it is served. */
static void serve(struct channel *c, const struct dram_cfg *d, double line_cycles,
                  const struct bank_request *r)
{
    const uint64_t queue = (uint64_t)d->queue, at = c->requests % queue;
    struct row_bank *b = &c->bank[r->bank];
    double from = c->done[at];
    if (!is_opened(c, r, queue)) {
        from = fmax(from, fmax(b->ready, c->activate + d->tRRD));
        c->activate = from;
        b->ready = from + d->tRC;
        b->open = from + d->tRCD;
    }
    c->bus = fmax(fmax(from, b->open), c->bus) + line_cycles;
    c->queue[at] = *r;
    c->done[at] = c->bus;
    c->requests++;
}

static struct channel channel_of(const struct dram_cfg *d)
{
    return (struct channel){.bank = xcalloc((size_t)d->banks, sizeof(struct row_bank)),
                            .queue = xcalloc((size_t)d->queue, sizeof(struct bank_request)),
                            .done = xcalloc((size_t)d->queue, sizeof(double)),
                            .activate = -d->tRRD};
}

static void channel_fini(struct channel *c)
{
    free(c->bank);
    free(c->queue);
    free(c->done);
}

/* DRAM cycles. */
static double longest_of(const struct channel *c, int channels)
{
    double longest = 0;
    for (int i = 0; i < channels; i++)
        longest = fmax(longest, c[i].bus);
    return longest;
}

double bank_use_cycles(const struct bank_use *u)
{
    const struct dram_cfg *d = &u->cfg->mem.dram;
    const int channels = u->cfg->mem.partition.count;
    const double line_cycles =
        u->cfg->mem.l1d.line / ((double)d->bus_bytes * d->chips * d->data_rate);
    struct channel *c = xcalloc((size_t)channels, sizeof *c);
    double requests = 0;
    for (int i = 0; i < channels; i++)
        c[i] = channel_of(d);
    for (int k = 0; k < u->most; k++)
        for (int i = 0; i < u->ctas; i++)
            if (k < u->made[i]) {
                const struct bank_request *r = &u->request[i * u->most + k];
                serve(&c[r->channel], d, line_cycles, r);
                requests++;
            }
    const double cycles = longest_of(c, channels) * u->cfg->clock.core / u->cfg->clock.dram;
    for (int i = 0; i < channels; i++)
        channel_fini(&c[i]);
    free(c);
    return requests > 0 ? cycles / requests : 0;
}
