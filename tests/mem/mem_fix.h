/* tests/mem/mem_fix.h -- what the suites of sim/mem share: the default configuration, and requests
 * made by hand. */
#ifndef MDP_TESTS_MEM_FIX_H
#define MDP_TESTS_MEM_FIX_H

#include "sim/mem/addrmap.h"
#include "sim/mem/mem_cfg.h"
#include "sim/mem/req.h"

static inline struct mem_cfg fix_cfg(void)
{
    struct mem_cfg c;
    params_default(mem_cfg_groups, &c);
    return c;
}

static inline struct mem_req *fix_req(struct req_pool *pool, enum req_kind kind, addr_t addr,
                                      uint32_t bytes)
{
    struct mem_req *r = req_get(pool);
    r->addr = r->line = addr;
    r->bytes = bytes;
    r->kind = (uint8_t)kind;
    r->write = kind == REQ_GLOBAL_WRITE || kind == REQ_LOCAL_WRITE || kind == REQ_L1_WRITEBACK;
    return r;
}

#endif
