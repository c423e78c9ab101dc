/* tests/mem/mem_fix.h -- what the suites of sim/mem share: the default configuration, requests made
 * by hand, and what stands around a first-level cache. */
#ifndef MDP_TESTS_MEM_FIX_H
#define MDP_TESTS_MEM_FIX_H

#include "sim/mem/addrmap.h"
#include "sim/mem/mem_cfg.h"
#include "sim/mem/req.h"

#include "tests/suite.h"

#include <stdio.h>
#include <string.h>

static inline struct mem_cfg fix_cfg(void)
{
    struct mem_cfg c = {.model = {0}};
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

/* Below a first-level cache: its port keeps what is sent. */
#define SENT_MAX 64
struct cache_fix {
    struct mem_cfg cfg;
    struct addrmap map;
    struct req_pool *pool;
    struct mem_req *sent[SENT_MAX]; /* by the port, in order */
    int nsent;
    bool closed; /* the port has no room */
};

static inline bool fix_port_push(struct cache_fix *f, struct mem_req *r, cycle_t now)
{
    if (f->closed)
        return false;
    CU_ASSERT_EQUAL(addrmap_partition(&f->map, r->addr), r->partition);
    CU_ASSERT_TRUE(r->stamp[STAGE_CREATED] <= now);
    f->sent[f->nsent++] = r;
    return true;
}

/* The default configuration but for `sets`, assignments apart by spaces. */
static inline void fix_init(struct cache_fix *f, const char *sets)
{
    struct err e;
    *f = (struct cache_fix){.cfg = fix_cfg()};
    for (char buf[64]; sscanf(sets, "%63s", buf) == 1;
         sets += strcspn(sets, " "), sets += *sets == ' ')
        CU_ASSERT_TRUE_FATAL(params_set(mem_cfg_groups, &f->cfg, buf, &e));
    CU_ASSERT_TRUE_FATAL(mem_cfg_check(&f->cfg, &e));
    addrmap_init(&f->map, &f->cfg);
    f->pool = req_pool_new();
}

static inline void fix_fini(struct cache_fix *f)
{
    CU_ASSERT_EQUAL(req_pool_live(f->pool), 0);
    req_pool_free(f->pool);
}

#endif
