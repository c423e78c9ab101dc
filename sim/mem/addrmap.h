/* sim/mem/addrmap.h -- which partition, bank, row and column an address lies in. Pure functions.
 * partition = (addr / interleave) mod count; inside it a = (addr / interleave / count) * interleave
 * + addr mod interleave. */
#ifndef MDP_SIM_MEM_ADDRMAP_H
#define MDP_SIM_MEM_ADDRMAP_H

#include "sim/mem/mem_cfg.h"
#include "sim/mem/req.h"

struct addrmap {
    uint32_t interleave_log2, count;
    int row_bit, row_bits, bank_bit, banks;
};
void addrmap_init(struct addrmap *m, const struct mem_cfg *cfg);
int addrmap_partition(const struct addrmap *m, addr_t a);
void addrmap_set(const struct addrmap *m,
                 struct mem_req *r); /* fills partition, chan_addr, bank, row, col from addr */

#endif
