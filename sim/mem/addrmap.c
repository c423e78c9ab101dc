#include "sim/mem/addrmap.h"

void addrmap_init(struct addrmap *m, const struct mem_cfg *cfg)
{
    *m = (struct addrmap){
        .interleave_log2 = (uint32_t)__builtin_ctz((unsigned)cfg->partition.interleave),
        .count = (uint32_t)cfg->partition.count,
        .row_bit = cfg->dram.row_bit,
        .row_bits = cfg->dram.row_bits,
        .bank_bit = cfg->dram.bank_bit,
        .banks = cfg->dram.banks,
    };
}

int addrmap_partition(const struct addrmap *m, addr_t a)
{
    return (int)((a >> m->interleave_log2) % m->count);
}

void addrmap_set(const struct addrmap *m, struct mem_req *r)
{
    const addr_t block = r->addr >> m->interleave_log2;
    const addr_t inside =
        (block / m->count) << m->interleave_log2 | (r->addr & ((1ull << m->interleave_log2) - 1));
    r->partition = (uint16_t)(block % m->count);
    r->chan_addr = (uint32_t)inside;
    r->row = (uint32_t)(inside >> m->row_bit & ((1ull << m->row_bits) - 1));
    r->bank = (uint16_t)(inside >> m->bank_bit & (uint64_t)(m->banks - 1));
    r->col = (uint16_t)(inside & ((1ull << m->bank_bit) - 1));
}
