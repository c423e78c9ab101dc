/* sim/sm/mem_transactions.h -- what a memory instruction asks of the LD/ST unit: transactions of
 * caches and memory in the order in which they are sent, or cycles of shared memory. Pure: it
 * follows from the configuration, from what the instruction did, and from where the warp's local
 * memory lies. */
#ifndef MDP_SIM_SM_MEM_TRANSACTIONS_H
#define MDP_SIM_SM_MEM_TRANSACTIONS_H

#include "sim/func/warp.h"
#include "sim/mem/mem_cfg.h"
#include "sim/sm/coalesce.h"
#include "sim/sm/sm_cfg.h"

struct mem_env {
    const struct sm_cfg *sm;
    const struct mem_cfg *mem;
    addr_t local;  /* word 0 of the warp's first lane, its next lane's is the next word */
    addr_t stride; /* from a thread's word to its next one */
};

struct mem_demand {
    enum space space; /* resolved */
    bool load;        /* something comes back: loads, atomics */
    bool store, atomic;
    bool past;    /* it passes L1D by, or there is none; textures: there is no texture cache */
    int conflict; /* shared memory: cycles; else 1 */
    int n;        /* transactions; of shared memory none */
};

/* out: room for COALESCE_MAX; c: room to work in. */
void mem_transactions(const struct mem_env *env, const struct step *st, struct coalescer *c,
                      struct mem_demand *d, struct txn *out);

#endif
