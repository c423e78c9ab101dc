#include "sampler/profile/partition_use.h"

#include <math.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/rng.h"
#include "sim/mem/addrmap.h"
#include "sim/sm/line_set.h"

#define CROWDED 0.1
#define PART    32  /* transactions of a CTA that count as at once */
#define PARTS   128 /* of its work; nothing after them */
#define LINE    128

struct spread { /* over the partitions, of so many rows: parts of the work, or banks */
    int rows, partitions;
    int *ctas;       /* owned, [rows]: that ask for something */
    uint32_t *asked; /* owned, [rows][partitions]: by all of them */
    double *own;     /* owned, [rows]: squared distances of each CTA from what is spread evenly */
};

struct watched { /* a CTA */
    uint64_t cta;
    int asked;       /* transactions */
    uint32_t *now;   /* owned, [partitions]: in this part of its work */
    uint32_t *banks; /* owned, [banks][partitions] */
    struct line_set lines;
};

struct partition_watch {
    struct requests made;
    struct addrmap map;
    uint64_t first, wave; /* CTAs among which some are looked at */
    int n;                /* of them */
    struct watched of[PARTITION_USE_CTAS];
    struct spread parts, banks;
};

static struct spread spread_of(int rows, int partitions)
{
    return (struct spread){.rows = rows,
                           .partitions = partitions,
                           .ctas = xcalloc((size_t)rows, sizeof(int)),
                           .asked = xcalloc((size_t)(rows * partitions), sizeof(uint32_t)),
                           .own = xcalloc((size_t)rows, sizeof(double))};
}

static void spread_fini(struct spread *s)
{
    free(s->ctas);
    free(s->asked);
    free(s->own);
}

/* The k-th of equal parts of the wave begins with it. */
static uint64_t begins(const struct partition_watch *u, int k)
{
    return ((uint64_t)k * u->wave + (uint64_t)u->n - 1) / (uint64_t)u->n;
}

struct partition_watch *partition_watch_new(const struct gpu_cfg *cfg, uint64_t ctas, uint64_t wave)
{
    struct partition_watch *u = xcalloc(1, sizeof *u);
    const int partitions = cfg->mem.partition.count, banks = cfg->mem.dram.banks;
    struct rng draw = rng_seed(1);
    u->made.cfg = cfg;
    addrmap_init(&u->map, &cfg->mem);
    u->wave = wave < ctas ? wave : ctas;
    u->first = (ctas - u->wave) / 2;
    u->n = u->wave < PARTITION_USE_CTAS ? (int)u->wave : PARTITION_USE_CTAS;
    if (u->n < 2)
        u->n = 0;                    /* nothing to compare */
    for (int i = 0; i < u->n; i++) { /* anywhere in its part: CTAs may differ with a period */
        u->of[i].cta = u->first + begins(u, i) + rng_below(&draw, begins(u, i + 1) - begins(u, i));
        u->of[i].now = xcalloc((size_t)partitions, sizeof(uint32_t));
        u->of[i].banks = xcalloc((size_t)(banks * partitions), sizeof(uint32_t));
    }
    if (u->n) {
        u->parts = spread_of(PARTS, partitions);
        u->banks = spread_of(banks, partitions);
    }
    return u;
}

void partition_watch_free(struct partition_watch *u)
{
    if (!u)
        return;
    for (int i = 0; i < u->n; i++) {
        free(u->of[i].now);
        free(u->of[i].banks);
        line_set_fini(&u->of[i].lines);
    }
    spread_fini(&u->parts);
    spread_fini(&u->banks);
    free(u);
}

/* ---- Watching ---- */

/* NULL: not looked at. */
static struct watched *watched(struct partition_watch *u, uint64_t cta)
{
    if (!u->n || cta < u->first || cta - u->first >= u->wave)
        return NULL;
    struct watched *c = &u->of[(cta - u->first) * (uint64_t)u->n / u->wave];
    return c->cta == cta ? c : NULL;
}

bool partition_watch_follows(const struct partition_watch *u, uint64_t cta)
{
    return watched((struct partition_watch *)u, cta) != NULL;
}

/* What a CTA asked for in a row, which is 0 then. */
static void end_row(struct spread *s, int row, uint32_t *asked)
{
    double all = 0, own = 0;
    for (int p = 0; p < s->partitions; p++)
        all += asked[p];
    for (int p = 0; p < s->partitions; p++) {
        const double more = asked[p] - all / s->partitions;
        own += more * more;
        s->asked[row * s->partitions + p] += asked[p];
        asked[p] = 0;
    }
    s->own[row] += own;
    s->ctas[row] += all > 0;
}

static void ask(struct partition_watch *u, struct watched *c, addr_t a)
{
    struct mem_req r = {.addr = a};
    if (c->asked >= PART * PARTS)
        return;
    addrmap_set(&u->map, &r);
    c->now[r.partition]++;
    c->banks[r.bank * u->banks.partitions + r.partition]++;
    c->asked++;
    if (c->asked % PART == 0)
        end_row(&u->parts, c->asked / PART - 1, c->now);
}

/* Loaded before, by this CTA. */
static bool is_cached(const struct partition_watch *u, struct watched *c, const struct step *st,
                      addr_t line)
{
    if (st->is_store || st->is_atomic || u->made.path == REQUEST_PAST)
        return false;
    const bool has = line_set_has(&c->lines, line);
    if (!has)
        line_set_add(&c->lines, line);
    return has;
}

void partition_watch_step(struct partition_watch *u, const struct warp *w, const struct step *st)
{
    if (!(st->is_load || st->is_store || st->is_atomic))
        return;
    struct watched *c = watched(u, (uint64_t)w->cta->linear);
    if (!c || c->asked >= PART * PARTS)
        return;
    requests_make(&u->made, w, st);
    for (int i = 0; i < u->made.n; i++)
        if (!is_cached(u, c, st, u->made.t[i].addr / LINE))
            ask(u, c, u->made.t[i].addr);
}

/* ---- What it says ---- */

/* Squared distances of all CTAs together from what is spread evenly. */
static double squares_of_all(const struct spread *s, int row)
{
    const uint32_t *asked = s->asked + row * s->partitions;
    double all = 0, squares = 0;
    for (int p = 0; p < s->partitions; p++)
        all += asked[p];
    for (int p = 0; p < s->partitions; p++)
        squares += (asked[p] - all / s->partitions) * (asked[p] - all / s->partitions);
    return squares;
}

/* What all together have beyond what each has alone; of what that would be, were all alike. */
static double correlation(const struct spread *s)
{
    double together = 0, alike = 0;
    bool compared = false;
    for (int i = 0; i < s->rows; i++)
        if (s->ctas[i] > 1) {
            together += squares_of_all(s, i) - s->own[i];
            alike += (s->ctas[i] - 1) * s->own[i];
            compared = true;
        }
    return !compared ? 1 : alike > 0 ? together / alike : 0;
}

double partition_watch_correlation(struct partition_watch *u)
{
    for (int i = 0; i < u->n; i++) {
        struct watched *c = &u->of[i];
        if (c->asked % PART)
            end_row(&u->parts, c->asked / PART, c->now);
        for (int b = 0; b < u->banks.rows; b++)
            end_row(&u->banks, b, c->banks + b * u->banks.partitions);
        c->asked = PART * PARTS;
    }
    return fmax(correlation(&u->parts), correlation(&u->banks));
}

bool partition_watch_crowded(struct partition_watch *u)
{
    return !u || partition_watch_correlation(u) > CROWDED;
}
