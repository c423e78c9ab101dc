/* sim/mem/addrmap.h -- which partition, bank, row and column an address lies in. Pure functions.
 * partition = (addr / interleave) mod count; inside it a = (addr / interleave / count) * interleave
 * + addr mod interleave.
 *
 * A scale model (mem_cfg.model) has fewer partitions than its GPU, each of which stands for
 * several: an address lies in the bank and row that it has there, so that the arrays which meet in
 * a bank are the same ones. Of those partitions the one row that is open is one: what is spread
 * over them evenly comes to the same row of all at about the same time. */
#ifndef MDP_SIM_MEM_ADDRMAP_H
#define MDP_SIM_MEM_ADDRMAP_H

#include "sim/mem/mem_cfg.h"
#include "sim/mem/req.h"

struct addrmap {
    uint32_t interleave_log2, count, whole; /* whole: partitions of the GPU */
    uint32_t stride;                        /* of those for which one of the model stands */
    int row_bit, row_bits, bank_bit, banks;
};
/* Partitions of the GPU that have addresses in each one of these. */
int addrmap_channels(const struct addrmap *m);
void addrmap_init(struct addrmap *m, const struct mem_cfg *cfg);
int addrmap_partition(const struct addrmap *m, addr_t a);
void addrmap_set(const struct addrmap *m,
                 struct mem_req *r); /* fills partition, chan_addr, channel, bank, row */

#endif
