#include "sim/mem/mem_cfg.h"

#include "sim/mem/dram_sched.h"

#define CACHE_ROW(f, t, lo, hi, d, u, h)     PARAM_ROW(struct cache_cfg, f, t, lo, hi, d, u, h)
#define PARTITION_ROW(f, t, lo, hi, d, u, h) PARAM_ROW(struct partition_cfg, f, t, lo, hi, d, u, h)
#define DRAM_ROW(f, t, lo, hi, d, u, h)      PARAM_ROW(struct dram_cfg, f, t, lo, hi, d, u, h)
#define TEX_ROW(f, t, lo, hi, d, u, h)       PARAM_ROW(struct tex_cache_cfg, f, t, lo, hi, d, u, h)
static const struct param l1d_rows[] = {L1D_PARAMS(CACHE_ROW)};
static const struct param l1i_rows[] = {L1I_PARAMS(CACHE_ROW)};
static const struct param l1c_rows[] = {L1C_PARAMS(CACHE_ROW)};
static const struct param l1t_rows[] = {L1T_PARAMS(TEX_ROW)};
static const struct param l2_rows[] = {L2_PARAMS(CACHE_ROW)};
static const struct param partition_rows[] = {PARTITION_PARAMS(PARTITION_ROW)};
static const struct param dram_rows[] = {DRAM_PARAMS(DRAM_ROW)};

#define GROUP(name)                                                   \
    {                                                                 \
#name, name##_rows, sizeof name##_rows / sizeof *name##_rows, \
            offsetof(struct mem_cfg, name)                            \
    }
const struct param_group mem_cfg_groups[] = {
    GROUP(l1d), GROUP(l1i),       GROUP(l1c),  GROUP(l1t),
    GROUP(l2),  GROUP(partition), GROUP(dram), {NULL, NULL, 0, 0},
};

static bool power_of_two(int n)
{
    return n > 0 && (n & (n - 1)) == 0;
}

static bool check_cache(const char *name, const struct cache_cfg *c, int interleave, struct err *e)
{
    if (!power_of_two(c->line))
        return err_set(e, "%s.line = %d, not a power of two", name, c->line);
    if (c->line > interleave)
        return err_set(e, "%s.line = %d, more than partition.interleave = %d", name, c->line,
                       interleave);
    if (c->size % (c->line * c->ways) || !power_of_two(c->size / (c->line * c->ways)))
        return err_set(e,
                       "%s.size = %d does not make a power of two of sets of %d ways of %d bytes",
                       name, c->size, c->ways, c->line);
    return true;
}

/* A packet that an L2 takes lies in one of its lines. */
static bool check_lines(const struct mem_cfg *c, struct err *e)
{
    const struct {
        const char *name;
        int line;
    } l1[] = {
        {"l1d", c->l1d.line}, {"l1i", c->l1i.line}, {"l1c", c->l1c.line}, {"l1t", c->l1t.line}};
    for (int i = 0; c->l2.enabled && i < 4; i++)
        if (l1[i].line > c->l2.line)
            return err_set(e, "%s.line = %d, longer than l2.line = %d", l1[i].name, l1[i].line,
                           c->l2.line);
    return true;
}

static bool check_address_bits(const struct dram_cfg *d, struct err *e)
{
    const int bank_end = d->bank_bit + __builtin_ctz((unsigned)d->banks);
    const int row_end = d->row_bit + d->row_bits;
    if (row_end > 32 || bank_end > 32)
        return err_set(e, "dram: row bits %d..%d and bank bits %d..%d must lie below bit 32",
                       d->row_bit, row_end - 1, d->bank_bit, bank_end - 1);
    if (d->bank_bit < row_end && d->row_bit < bank_end)
        return err_set(e, "dram: row bits %d..%d overlap bank bits %d..%d", d->row_bit, row_end - 1,
                       d->bank_bit, bank_end - 1);
    return true;
}

static bool check_dram(const struct dram_cfg *d, struct err *e)
{
    if (!dram_sched_find(d->scheduler))
        return err_set(e, "dram.scheduler = \"%s\", not one of %s", d->scheduler, DRAM_SCHED_NAMES);
    if (!power_of_two(d->banks))
        return err_set(e, "dram.banks = %d, not a power of two", d->banks);
    if (d->banks % d->bank_groups)
        return err_set(e, "dram.bank_groups = %d does not divide dram.banks = %d", d->bank_groups,
                       d->banks);
    if (d->burst % d->data_rate)
        return err_set(e, "dram.data_rate = %d does not divide dram.burst = %d", d->data_rate,
                       d->burst);
    if (d->tRCD < d->tWL + 1)
        return err_set(e, "dram.tRCD = %d, less than tWL + 1 = %d", d->tRCD, d->tWL + 1);
    if (d->tWL > d->tCL + d->burst / d->data_rate + 2)
        return err_set(e, "dram.tWL = %d is too long for tCL = %d", d->tWL, d->tCL);
    return check_address_bits(d, e);
}

/* A miss asks for room for all that it may send at once; with less it would be refused for ever. */
static bool check_miss_queue(const char *name, const struct cache_cfg *c, int least, struct err *e)
{
    return !c->enabled || c->miss_queue >= least ||
           err_set(e, "%s.miss_queue = %d: a miss needs room for %d requests", name, c->miss_queue,
                   least);
}

bool mem_cfg_check(const struct mem_cfg *c, struct err *e)
{
    const int il = c->partition.interleave;
    const struct cache_cfg tex = {
        .size = c->l1t.size, .line = c->l1t.line, .ways = c->l1t.ways}; /* what all caches share */
    if (!power_of_two(il))
        return err_set(e, "partition.interleave = %d, not a power of two", il);
    return check_cache("l1d", &c->l1d, il, e) && check_cache("l1i", &c->l1i, il, e) &&
           check_cache("l1c", &c->l1c, il, e) && check_cache("l1t", &tex, il, e) &&
           check_cache("l2", &c->l2, il, e) && check_miss_queue("l1d", &c->l1d, 2, e) &&
           check_miss_queue("l2", &c->l2, 3, e) && check_lines(c, e) && check_dram(&c->dram, e);
}
