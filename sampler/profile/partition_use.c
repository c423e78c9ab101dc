#include "sampler/profile/partition_use.h"

#include <math.h>
#include <stdlib.h>

#include "base/err.h"
#include "sampler/profile/bank_use.h"
#include "sampler/profile/cta_strata.h"
#include "sim/mem/addrmap.h"
#include "sim/sm/line_set.h"

struct histogram { /* of requests over the partitions, in so many rows: phases, or banks */
    int rows, partitions;
    int *ctas;          /* owned, [rows]: that have some */
    uint32_t *requests; /* owned, [rows][partitions]: of all of them */
    double *own;        /* owned, [rows]: squared distances of each CTA from an even spread */
};

struct watched { /* a CTA */
    uint64_t cta;
    int requests;
    uint32_t *now;   /* owned, [partitions]: in this phase */
    uint32_t *banks; /* owned, [banks][partitions] */
    struct line_set lines;
};

struct partition_watch {
    struct requests made;
    struct addrmap map;
    struct cta_strata wave; /* .n of its CTAs are looked at */
    struct watched *of;     /* owned, [wave.n] */
    int most, phase;        /* requests of a CTA that count, and that count as at once */
    struct histogram phases, banks;
    struct bank_use use;
};

static struct histogram histogram_of(int rows, int partitions)
{
    return (struct histogram){.rows = rows,
                              .partitions = partitions,
                              .ctas = xcalloc((size_t)rows, sizeof(int)),
                              .requests = xcalloc((size_t)(rows * partitions), sizeof(uint32_t)),
                              .own = xcalloc((size_t)rows, sizeof(double))};
}

static void histogram_fini(struct histogram *h)
{
    free(h->ctas);
    free(h->requests);
    free(h->own);
}

struct partition_watch *partition_watch_new(const struct gpu_cfg *cfg, uint64_t ctas, uint64_t wave,
                                            const struct watch_params *by)
{
    struct partition_watch *u = xcalloc(1, sizeof *u);
    const int partitions = cfg->mem.partition.count, banks = cfg->mem.dram.banks;
    const uint64_t width = wave < ctas ? wave : ctas;
    struct rng draw = rng_seed(1);
    u->made.cfg = cfg;
    u->most = by->requests;
    u->phase = by->phase;
    addrmap_init(&u->map, &cfg->mem);
    if (width < 2) /* nothing to compare */
        return u;
    u->wave = (struct cta_strata){.first = (ctas - width) / 2,
                                  .width = width,
                                  .n = width < (uint64_t)by->side_by_side ? (int)width
                                                                          : by->side_by_side};
    u->of = xcalloc((size_t)u->wave.n, sizeof *u->of);
    for (int i = 0; i < u->wave.n; i++) {
        u->of[i].cta = cta_strata_draw(&u->wave, i, &draw);
        u->of[i].now = xcalloc((size_t)partitions, sizeof(uint32_t));
        u->of[i].banks = xcalloc((size_t)(banks * partitions), sizeof(uint32_t));
    }
    u->phases = histogram_of((u->most - 1) / u->phase + 1, partitions);
    u->banks = histogram_of(banks, partitions);
    bank_use_init(&u->use, cfg, u->wave.n, by->bank_requests);
    return u;
}

void partition_watch_free(struct partition_watch *u)
{
    if (!u)
        return;
    for (int i = 0; i < u->wave.n; i++) {
        free(u->of[i].now);
        free(u->of[i].banks);
        line_set_fini(&u->of[i].lines);
    }
    histogram_fini(&u->phases);
    histogram_fini(&u->banks);
    bank_use_fini(&u->use);
    free(u->of);
    free(u);
}

/* ---- Watching ---- */

/* -1: not looked at. */
static int find(const struct partition_watch *u, uint64_t cta)
{
    const int i = cta_strata_part(&u->wave, cta);
    return i >= 0 && u->of[i].cta == cta ? i : -1;
}

bool partition_watch_follows(const struct partition_watch *u, uint64_t cta)
{
    return find(u, cta) >= 0;
}

/* Squared distance from an even spread. */
static double unevenness(const uint32_t *requests, int partitions)
{
    double all = 0, squares = 0;
    for (int p = 0; p < partitions; p++)
        all += requests[p];
    for (int p = 0; p < partitions; p++)
        squares += (requests[p] - all / partitions) * (requests[p] - all / partitions);
    return squares;
}

/* Adds what a CTA has in a row, which is 0 then. */
static void add_row(struct histogram *h, int row, uint32_t *requests)
{
    bool some = false;
    h->own[row] += unevenness(requests, h->partitions);
    for (int p = 0; p < h->partitions; p++) {
        some |= requests[p] > 0;
        h->requests[row * h->partitions + p] += requests[p];
        requests[p] = 0;
    }
    h->ctas[row] += some;
}

static void add(struct partition_watch *u, struct watched *c, addr_t a)
{
    struct mem_req r = {.addr = a};
    if (c->requests >= u->most)
        return;
    addrmap_set(&u->map, &r);
    c->now[r.partition]++;
    c->banks[r.bank * u->banks.partitions + r.partition]++;
    bank_use_add(&u->use, (int)(c - u->of), &r);
    c->requests++;
    if (c->requests % u->phase == 0)
        add_row(&u->phases, c->requests / u->phase - 1, c->now);
}

/* Loaded before, by this CTA. */
static bool is_cached(const struct partition_watch *u, struct watched *c, const struct step *st,
                      addr_t a)
{
    if (st->is_store || st->is_atomic || u->made.path == REQUEST_PAST)
        return false;
    const addr_t line = a / (addr_t)u->made.cfg->mem.l1d.line;
    const bool has = line_set_has(&c->lines, line);
    if (!has)
        line_set_add(&c->lines, line);
    return has;
}

void partition_watch_step(struct partition_watch *u, const struct warp *w, const struct step *st)
{
    if (!(st->is_load || st->is_store || st->is_atomic) || st->space == SP_LOCAL)
        return;
    const int i = find(u, (uint64_t)w->cta->linear);
    if (i < 0 || u->of[i].requests >= u->most)
        return;
    requests_make(&u->made, w, st);
    for (int t = 0; t < u->made.n; t++)
        if (!is_cached(u, &u->of[i], st, u->made.t[t].addr))
            add(u, &u->of[i], u->made.t[t].addr);
}

/* ---- What it says ---- */

/* What all together have beyond what each has alone; of what that would be, were all alike. */
static double correlation(const struct histogram *h)
{
    double together = 0, alike = 0;
    bool compared = false;
    for (int i = 0; i < h->rows; i++)
        if (h->ctas[i] > 1) {
            together += unevenness(h->requests + i * h->partitions, h->partitions) - h->own[i];
            alike += (h->ctas[i] - 1) * h->own[i];
            compared = true;
        }
    return !compared ? 1 : alike > 0 ? together / alike : 0;
}

double partition_watch_correlation(struct partition_watch *u)
{
    for (int i = 0; i < u->wave.n; i++) {
        struct watched *c = &u->of[i];
        if (c->requests % u->phase)
            add_row(&u->phases, c->requests / u->phase, c->now);
        for (int b = 0; b < u->banks.rows; b++)
            add_row(&u->banks, b, c->banks + b * u->banks.partitions);
        c->requests = u->most;
    }
    return fmax(correlation(&u->phases), correlation(&u->banks));
}

bool partition_watch_camping(struct partition_watch *u, const struct similarity_params *by)
{
    return !u || partition_watch_correlation(u) > by->camping;
}

double partition_watch_bank_cycles(const struct partition_watch *u)
{
    return u && u->wave.n ? bank_use_cycles(&u->use) : 0;
}
