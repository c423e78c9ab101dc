#include "sampler/replay_mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "sim/icnt/icnt.h"

#define L2_FILL        2   /* L2 cycles from DRAM's data to the first reply */
#define ACCEPTS_WITHIN 4.0 /* core cycles to which it is known when a partition has room */

/* ---- The memory that cores share ---- */

void shared_mem_init(struct shared_mem *m, const struct gpu_cfg *cfg, struct network *net,
                     double stretch)
{
    const struct cache_cfg *l2 = &cfg->mem.l2;
    *m = (struct shared_mem){.cfg = cfg,
                             .net = net,
                             .stretch = stretch,
                             .cycle = (double)cfg->clock.core / cfg->clock.dram,
                             .l2_cycle = (double)cfg->clock.core / cfg->clock.l2,
                             .flit = (double)cfg->clock.core / cfg->clock.icnt};
    addrmap_init(&m->map, &cfg->mem);
    l2_state_init(&m->l2, cfg);
    m->channel = xcalloc((size_t)cfg->mem.partition.count, sizeof *m->channel);
    for (int i = 0; i < cfg->mem.partition.count; i++) {
        struct mem_channel *c = &m->channel[i];
        c->group = xcalloc((size_t)cfg->mem.dram.bank_groups, sizeof *c->group);
        if (!l2->enabled)
            continue;
        c->l2_mshr = xcalloc((size_t)l2->mshrs, sizeof *c->l2_mshr);
        c->l2_line = xcalloc((size_t)(l2->size / l2->line), sizeof *c->l2_line);
    }
}

void shared_mem_fini(struct shared_mem *m)
{
    for (int i = 0; i < m->cfg->mem.partition.count; i++) {
        free(m->channel[i].l2_mshr);
        free(m->channel[i].l2_line);
        free(m->channel[i].group);
    }
    free(m->channel);
    l2_state_fini(&m->l2);
}

void shared_mem_set_l2(struct shared_mem *m, const struct l2_state *s)
{
    if (!m->l2.cfg)
        return;
    l2_state_copy(&m->l2, s);
    m->used_before = s->uses + 1;
    const struct cache_cfg *l2 = &m->cfg->mem.l2;
    for (int i = 0; i < m->cfg->mem.partition.count; i++)
        memset(m->channel[i].l2_line, 0, (size_t)(l2->size / l2->line) * sizeof(struct l2_line));
}

void shared_mem_hold(struct shared_mem *m, addr_t addr)
{
    if (!m->l2.cfg)
        return;
    const addr_t line = tags_line(m->l2.slice, addr);
    struct tags *tags;
    uint32_t way;
    addr_t victim;
    if (!l2_state_find(&m->l2, line, &tags, &way))
        tags_replace(tags, way, line | TAG_VALID, m->used_before, &victim);
}

static unsigned at_most(int n)
{
    return n < 1 ? 1 : n < MEM_WAITING ? (unsigned)n : MEM_WAITING;
}

/* Requests of a channel that FR-FCFS sees; of very long queues not all. */
static unsigned in_sight(const struct dram_cfg *g)
{
    return at_most(g->queue + g->banks);
}

/* The first phase that is not served at t; the last one if all are. */
static uint32_t phase_at(const struct mem_channel *c, double t)
{
    uint32_t p = c->phase < MEM_PHASES ? 0 : c->phase - (MEM_PHASES - 1);
    while (p < c->phase && c->phase_end[p % MEM_PHASES] <= t)
        p++;
    return p;
}

/* The phase of the last request that is out of sight when one comes: as many as FR-FCFS sees are in
 * later ones, or in the same. */
static uint32_t phase_out_of_sight(const struct mem_channel *c, const struct dram_cfg *g)
{
    const uint32_t first = c->phase < MEM_PHASES ? 0 : c->phase - (MEM_PHASES - 1);
    unsigned seen = c->joined[c->phase % MEM_PHASES];
    uint32_t p = c->phase;
    while (p > first && seen < in_sight(g))
        seen += c->joined[--p % MEM_PHASES];
    return p;
}

/* FR-FCFS goes on with reads, or with writes, while one of them waits: a request joins the phase of
 * its kind that is served when it comes, or the next. It stays behind the request before it in its
 * row, whose phase *order is, and behind those that are out of sight. Returns the DRAM cycles that
 * the bus loses for it where reads and writes meet, unless it had nothing to do: from reads to
 * writes tCL + burst + 2 - tWL, back tWL + burst + tCDLR. */
static int join_phase(struct mem_channel *c, uint32_t *order, const struct dram_cfg *g, double t,
                      bool write)
{
    const uint32_t behind = phase_out_of_sight(c, g);
    uint32_t p = phase_at(c, t);
    p = behind > p ? behind : p;
    p = *order > p ? *order : p;
    p += (p & 1) != write;
    *order = p;
    c->joins++;
    if (p <= c->phase) {
        c->joined[p % MEM_PHASES]++;
        return 0;
    }
    const bool idle = c->phase_end[c->phase % MEM_PHASES] <= t;
    const int burst = g->burst / g->data_rate;
    c->phase = p;
    c->phase_end[p % MEM_PHASES] = 0;
    c->joined[p % MEM_PHASES] = 1;
    return idle ? 0 : write ? g->tCL + burst + 2 - g->tWL : g->tWL + burst + g->tCDLR;
}

/* FR-FCFS closes no row while a request to it waits: one that comes before the row is closed, as
 * it is remembered, would have been served before. What it takes moves nothing else. */
static struct closed_row *was_open(const struct mem_channel *c, struct mem_bank *b,
                                   const struct dram_cfg *g, uint32_t row, double t)
{
    for (int i = 0; i < MEM_ROWS; i++)
        if (b->closed[i].row == row + 1 && b->closed[i].at > t &&
            c->joins - b->closed[i].joins <= in_sight(g))
            return &b->closed[i];
    return NULL;
}

/* The first column command of a request that comes at t. *order: where the phase of the last
 * request that it stays behind stands. */
static double column(const struct shared_mem *m, const struct mem_channel *c, struct mem_bank *b,
                     uint32_t row, double t, uint32_t **order)
{
    const struct dram_cfg *g = &m->cfg->mem.dram;
    const double idle = (g->tRAS - g->tRCD) * m->cycle, opened = b->free - idle;
    *order = &b->phase;
    if (b->row == row + 1)
        return later(t, opened);
    struct closed_row *was = was_open(c, b, g, row, t);
    if (was) {
        *order = &was->phase;
        return later(t, was->opened);
    }
    const double closed = later(t, b->free);
    const double open = closed + (b->row ? g->tRP + g->tRCD : g->tRCD) * m->cycle;
    b->closed[b->closes++ % MEM_ROWS] =
        (struct closed_row){b->row, opened, closed, c->joins, b->phase};
    b->row = row + 1;
    b->free = open + idle;
    return open;
}

static double dram_serve(struct shared_mem *m, addr_t addr, double t, bool write, int bytes)
{
    const struct dram_cfg *g = &m->cfg->mem.dram;
    struct mem_req q = {.addr = addr};
    addrmap_set(&m->map, &q);
    struct mem_channel *c = &m->channel[q.partition];
    const int atom = g->bus_bytes * g->chips * g->burst, cmds = (bytes + atom - 1) / atom;
    const double stretched = m->cycle * m->stretch;
    struct mem_bank *b = &c->bank[q.bank];
    uint32_t *order;
    double from = column(m, c, b, q.row, t, &order);
    const double bus = (cmds * g->tCCD + join_phase(c, order, g, t, write)) * stretched;
    if (g->bank_groups > 1)
        from = calendar_take(&c->group[q.bank * g->bank_groups / g->banks], from,
                             cmds * g->tCCDL * stretched);
    const double end = calendar_take(&c->bus, from, bus) + bus;
    m->bus_cycles += bus;
    double *phase_end = &c->phase_end[*order % MEM_PHASES];
    *phase_end = later(*phase_end, end);
    return end + (write ? g->tWL : g->tCL) * m->cycle;
}

/* What L2 refuses holds up all behind it, of which it then takes one a cycle. */
static double l2_takes(const struct shared_mem *m, struct mem_channel *c, double t)
{
    if (t < c->refused || t >= c->taken)
        return t;
    t = c->taken;
    c->taken += m->l2_cycle;
    return t;
}

static double l2_refuses(const struct shared_mem *m, struct mem_channel *c, double t, double until)
{
    if (t > c->taken)
        c->refused = t;
    until = later(c->taken, until);
    c->taken = until + m->l2_cycle;
    return until;
}

/* L2 writes back and allocates. A store that misses is written through, and its line is read as
 * well; its acknowledgement comes from DRAM (sim/mem/l2.h). So many requests may wait for a line,
 * and get their replies one a cycle. */
static double l2_serve(struct shared_mem *m, struct mem_channel *c, addr_t addr, double t,
                       bool write, int bytes, int *dram_reads)
{
    const struct cache_cfg *l2 = &m->cfg->mem.l2;
    const int to_dram = m->cfg->mem.dram.latency;
    const addr_t line = tags_line(m->l2.slice, addr);
    const cycle_t use = m->used_before + (cycle_t)t;
    struct tags *tags;
    uint32_t way;
    addr_t victim;
    t = l2_takes(m, c, t);
    const bool there = l2_state_find(&m->l2, line, &tags, &way);
    struct l2_line *l = &c->l2_line[way];
    if (there) {
        tags_touch(tags, way, use);
        if (l->fill > t && l->waiting < l2->merges) {
            l->waiting++;
            return write ? dram_serve(m, addr, t + to_dram, true, bytes)
                         : l->fill + (l->waiting - 1) * m->l2_cycle;
        }
        if (l->fill > t)
            t = l2_refuses(m, c, t, l->fill + l->waiting * m->l2_cycle);
        if (write)
            tags_set_state(tags, way, TAG_MODIFIED);
        return t + l2->hit_latency;
    }
    *dram_reads = 1;
    double *mshr = &c->l2_mshr[c->l2_misses++ % (uint64_t)l2->mshrs];
    if (*mshr > t)
        t = l2_refuses(m, c, t, *mshr);
    const double written = write ? dram_serve(m, addr, t + to_dram, true, bytes) : 0;
    if (tags_replace(tags, way, line | TAG_VALID, use, &victim))
        dram_serve(m, victim, t + to_dram, true, l2->line);
    *mshr = dram_serve(m, line, t + to_dram, false, l2->line) + L2_FILL * m->l2_cycle;
    *l = (struct l2_line){.fill = *mshr, .waiting = 1};
    return write ? written : *mshr;
}

double shared_mem_port(const struct shared_mem *m, enum network_way way, int bytes)
{
    return m->net ? network_gap(m->net, way, bytes) : m->flit * icnt_flits(&m->cfg->icnt, bytes);
}

double shared_mem_pass(struct shared_mem *m, addr_t addr, double t, bool write, int bytes)
{
    struct mem_channel *c = &m->channel[addrmap_partition(&m->map, addr)];
    return calendar_take(&c->in, t, shared_mem_port(m, NETWORK_REQUESTS, write ? bytes : 0));
}

double shared_mem_serve(struct shared_mem *m, addr_t addr, double t, bool write, int bytes,
                        int *dram_reads)
{
    struct mem_channel *c = &m->channel[addrmap_partition(&m->map, addr)];
    const unsigned place = c->leaves++ % MEM_WAITING;
    double at;
    if (m->cfg->mem.l2.enabled) {
        *dram_reads = 0;
        at = l2_serve(m, c, addr, t, write, bytes, dram_reads);
    } else {
        *dram_reads = !write;
        at = dram_serve(m, addr, t + m->cfg->mem.dram.latency, write, bytes);
    }
    at = calendar_take(&c->out, at, shared_mem_port(m, NETWORK_REPLIES, write ? 0 : bytes));
    c->came[place] = t;
    c->left[place] = at;
    c->last_left = later(c->last_left, at);
    return at;
}

/* Of n times those that are later than t. */
static unsigned later_than(const double *time, unsigned n, double t)
{
    unsigned later = 0;
    for (unsigned i = 0; i < n; i++)
        later += time[i] > t;
    return later;
}

double shared_mem_accepts(const struct shared_mem *m, addr_t addr, double t)
{
    const struct mem_channel *c = &m->channel[addrmap_partition(&m->map, addr)];
    const struct mem_cfg *g = &m->cfg->mem;
    const unsigned room = (unsigned)(g->partition.icnt_to_l2 + g->partition.l2_to_dram +
                                     g->dram.queue + g->dram.banks / 2);
    const double way =
        g->partition.rop_latency + g->dram.latency; /* no queue: it holds any number */
    double from = t + way, end = from, left[MEM_WAITING];
    unsigned n = 0;
    for (int i = 0; i < MEM_WAITING && c->last_left > from; i++)
        if (c->came[i] <= t && c->left[i] > from)
            left[n++] = c->left[i];
    if (n < room)
        return t;
    for (unsigned i = 0; i < n; i++)
        end = later(end, left[i]);
    while (end - from > ACCEPTS_WITHIN) {
        const double middle = 0.5 * (from + end);
        *(later_than(left, n, middle) < room ? &end : &from) = middle;
    }
    return end - way;
}

/* ---- A core's cache ---- */

void stamp_init(struct stamp_cache *c, const struct cache_cfg *cfg)
{
    const size_t lines = (size_t)(cfg->size / cfg->line);
    *c = (struct stamp_cache){.way = xcalloc(lines, sizeof *c->way),
                              .sets = lines / (size_t)cfg->ways,
                              .ways = cfg->ways,
                              .line = cfg->line,
                              .merges = cfg->merges,
                              .mshrs = cfg->mshrs,
                              .mshr = xcalloc((size_t)cfg->mshrs, sizeof *c->mshr)};
}

void stamp_fini(struct stamp_cache *c)
{
    free(c->way);
    free(c->mshr);
}

void stamp_flush(struct stamp_cache *c)
{
    memset(c->way, 0, c->sets * (size_t)c->ways * sizeof *c->way);
}

static struct stamp_line *set_of(const struct stamp_cache *c, addr_t line)
{
    return &c->way[line % c->sets * (uint64_t)c->ways];
}

/* The line to replace: none, else the one used longest ago of those that are filled. */
static struct stamp_line *oldest(struct stamp_line *set, int ways, double t)
{
    struct stamp_line *best = NULL;
    for (int w = 0; w < ways; w++) {
        if (set[w].line == 0)
            return &set[w];
        if (set[w].fill <= t && (!best || set[w].used < best->used))
            best = &set[w];
    }
    return best;
}

static double first_fill(const struct stamp_line *set, int ways)
{
    double first = set->fill;
    for (int w = 1; w < ways; w++)
        first = fmin(first, set[w].fill);
    return first;
}

static double *free_mshr(const struct stamp_cache *c, double t)
{
    double *best = c->mshr;
    for (int i = 1; i<c->mshrs && * best> t; i++)
        if (c->mshr[i] < *best)
            best = &c->mshr[i];
    return best;
}

enum stamp_result stamp_read(struct stamp_cache *c, addr_t addr, double *t, double *ready,
                             struct stamp_line **victim, double **mshr)
{
    const addr_t line = addr / (addr_t)c->line;
    struct stamp_line *set = set_of(c, line);
    for (int w = 0; w < c->ways; w++)
        if (set[w].line == line + 1) {
            const bool pending = set[w].fill > *t;
            if (pending && ++set[w].merged > c->merges)
                *t = set[w].fill;
            set[w].used = *t;
            *ready = later(*t, set[w].fill);
            return pending ? STAMP_MERGED : STAMP_HIT;
        }
    *mshr = free_mshr(c, *t);
    *t = later(*t, **mshr);
    *victim = oldest(set, c->ways, *t);
    if (!*victim) {
        *t = first_fill(set, c->ways);
        *victim = oldest(set, c->ways, *t);
    }
    return STAMP_MISS;
}

void stamp_fill(struct stamp_cache *c, struct stamp_line *l, double *mshr, addr_t addr, double t,
                double back)
{
    *l = (struct stamp_line){
        .line = addr / (addr_t)c->line + 1, .used = t, .fill = back, .merged = 1};
    *mshr = back;
}

struct stamp_line *stamp_find(struct stamp_cache *c, addr_t addr, double t)
{
    const addr_t line = addr / (addr_t)c->line;
    struct stamp_line *set = set_of(c, line);
    for (int w = 0; w < c->ways; w++)
        if (set[w].line == line + 1 && set[w].fill <= t)
            return &set[w];
    return NULL;
}
