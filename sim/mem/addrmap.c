#include "sim/mem/addrmap.h"

void addrmap_init(struct addrmap *m, const struct mem_cfg *cfg)
{
    *m = (struct addrmap){
        .interleave_log2 = (uint32_t)__builtin_ctz((unsigned)cfg->partition.interleave),
        .count = (uint32_t)cfg->partition.count,
        .whole = (uint32_t)(cfg->model.partitions ? cfg->model.partitions : cfg->partition.count),
        .row_bit = cfg->dram.row_bit,
        .row_bits = cfg->dram.row_bits,
        .bank_bit = cfg->dram.bank_bit,
        .banks = cfg->dram.banks,
    };
    m->stride = cfg->model.unlimited ? m->whole : (uint32_t)common_divisor(m->whole, m->count);
}

int addrmap_channels(const struct addrmap *m)
{
    return (int)(m->whole / m->stride);
}

int addrmap_partition(const struct addrmap *m, addr_t a)
{
    return (int)((a >> m->interleave_log2) % m->count);
}

/* Of so many partitions. */
static addr_t inside_one(const struct addrmap *m, addr_t a, uint32_t of)
{
    const addr_t rest = a & ((1ull << m->interleave_log2) - 1);
    return (a >> m->interleave_log2) / of << m->interleave_log2 | rest;
}

void addrmap_set(const struct addrmap *m, struct mem_req *r)
{
    const addr_t inside = inside_one(m, r->addr, m->count),
                 place = m->whole == m->count ? inside : inside_one(m, r->addr, m->whole);
    r->partition = (uint16_t)addrmap_partition(m, r->addr);
    r->channel = m->whole == m->count
                     ? 0
                     : (uint16_t)((r->addr >> m->interleave_log2) % m->whole / m->stride);
    r->chan_addr = (uint32_t)inside;
    r->row = (uint32_t)(place >> m->row_bit & ((1ull << m->row_bits) - 1));
    r->bank = (uint16_t)(place >> m->bank_bit & (uint64_t)(m->banks - 1));
}
