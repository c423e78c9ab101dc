/* tests/sm/fixture.h -- one core between two mock networks: every packet that it sends comes back
 * as a reply after a fixed number of cycles, one a cycle; but for dirty lines that L1D drives out,
 * which nobody acknowledges. */
#ifndef MDP_TESTS_SM_FIXTURE_H
#define MDP_TESTS_SM_FIXTURE_H

#include "sim/gpu/gpu_cfg.h"
#include "sim/sm/meta.h"
#include "sim/sm/sm.h"
#include "tests/suite.h"

#include <stdio.h>
#include <string.h>

#define FIX_MAX_PACKETS 4096

struct fix_net {           /* both networks */
    struct req_pool *pool; /* borrowed */
    cycle_t now, latency;
    bool closed;                             /* nothing may enter */
    int room;                                /* flits that a packet may have; 0: any number */
    struct mem_req *flying[FIX_MAX_PACKETS]; /* in order of sending */
    int n, sent;
    struct mem_req log[FIX_MAX_PACKETS]; /* what was sent */
};

struct fix {
    struct gpu_cfg cfg;
    struct fix_net net;
    struct addrmap map;
    struct sm_env env;
    struct sm *sm;
    struct module *module;
    struct devmem *mem;
    addr_t buffer; /* 1 MiB, passed to kernels as their first parameter */
    struct launch launch;
    struct sm_code code;
    struct run_stats st;
    cycle_t cycles;                  /* of the last run */
    void (*on_cycle)(struct fix *f); /* called in every cycle of a run; NULL: nobody asks */
};

static int fix_take_ended(struct sm *s)
{
    const int n = sm_ended_ctas(s);
    sm_forget_ended(s);
    return n;
}

static void *fix_create(const struct icnt_cfg *c, int in, int out)
{
    (void)c, (void)in, (void)out;
    return NULL;
}
static void fix_destroy(void *st)
{
    (void)st;
}
static bool fix_can_push(const void *st, int in, int flits)
{
    const struct fix_net *n = st;
    (void)in;
    return !n->closed && (!n->room || flits <= n->room);
}
static void fix_push(void *st, int in, int out, struct mem_req *r)
{
    struct fix_net *n = st;
    (void)in, (void)out;
    CU_ASSERT_TRUE_FATAL(n->n < FIX_MAX_PACKETS);
    r->ready = n->now + n->latency;
    if (n->sent < FIX_MAX_PACKETS)
        n->log[n->sent] = *r;
    n->sent++;
    if (r->kind == REQ_L1_WRITEBACK) {
        req_put(n->pool, r);
        return;
    }
    n->flying[n->n++] = r;
}
static struct mem_req *fix_peek(const void *st, int out)
{
    const struct fix_net *n = st;
    (void)out;
    return n->n && n->flying[0]->ready <= n->now ? n->flying[0] : NULL;
}
static struct mem_req *fix_pop(void *st, int out)
{
    struct fix_net *n = st;
    struct mem_req *r = fix_peek(st, out);
    if (!r)
        return NULL;
    memmove(n->flying, n->flying + 1, (size_t)--n->n * sizeof *n->flying);
    r->is_reply = true;
    return r;
}
static bool fix_tick(void *st)
{
    (void)st;
    return false;
}
static bool fix_idle(const void *st)
{
    return ((const struct fix_net *)st)->n == 0;
}
static void fix_net_stats(const void *st, struct icnt_stats *out)
{
    (void)st;
    *out = (struct icnt_stats){0};
}

static const struct icnt_ops fix_ops = {
    .name = "mock",
    .create = fix_create,
    .destroy = fix_destroy,
    .can_push = fix_can_push,
    .push = fix_push,
    .peek = fix_peek,
    .pop = fix_pop,
    .tick = fix_tick,
    .idle = fix_idle,
    .stats = fix_net_stats,
};

/* The core comes to life with the configuration as it is then; NULL: take the defaults. */
static inline void fix_init(struct fix *f, const char *const *settings)
{
    struct err e = {""};
    memset(f, 0, sizeof *f);
    gpu_cfg_default(&f->cfg);
    for (; settings && *settings; settings++)
        if (!params_set(gpu_cfg_groups(), &f->cfg, *settings, &e)) {
            fprintf(stderr, "%s\n", e.msg);
            exit(1);
        }
    f->net.latency = 100;
    addrmap_init(&f->map, &f->cfg.mem);
    f->env = (struct sm_env){.cfg = &f->cfg.sm,
                             .mem = &f->cfg.mem,
                             .icnt_cfg = &f->cfg.icnt,
                             .icnt = &fix_ops,
                             .req_net = &f->net,
                             .reply_net = &f->net,
                             .pool = req_pool_new(),
                             .map = &f->map,
                             .cores = 1,
                             .core_period_ps = 1000};
    f->net.pool = f->env.pool;
    f->sm = sm_new(&f->env, 0);
    f->mem = devmem_new();
    f->buffer = devmem_alloc(f->mem, 1 << 20, "buffer");
}

static inline void fix_fini(struct fix *f)
{
    CU_ASSERT_EQUAL(req_pool_live(f->env.pool), 0);
    sm_free(f->sm);
    req_pool_free(f->env.pool);
    devmem_free(f->mem);
    module_free(f->module);
    free(f->launch.params);
    sm_code_free(&f->code);
}

/* body: the statements of `.entry k(.param .u64 p)`. */
static inline void fix_kernel(struct fix *f, const char *body)
{
    static const char head[] =
        ".version 3.2\n.target sm_20\n.address_size 64\n"
        ".const .align 4 .b8 ctab[1024];\n"
        ".entry k(.param .u64 p)\n{\n.reg .pred %p<10>;\n.reg .b32 %r<90>;\n.reg .f32 %f<90>;\n"
        ".reg .b64 %rd<90>;\n.reg .f64 %fd<90>;\n.shared .align 8 .b8 sh[4096];\n"
        ".local .align 8 .b8 lo[64];\n";
    struct err e = {""};
    char *text = xasprintf("%s%s\n}\n", head, body);
    module_free(f->module);
    f->module = module_parse("test.ptx", text, strlen(text), &e);
    if (!f->module)
        fprintf(stderr, "%s\n", e.msg);
    CU_ASSERT_PTR_NOT_NULL_FATAL(f->module);
    for (int i = 0; i < module_nvars(f->module); i++) {
        struct module_var *v = module_var_at(f->module, i);
        v->addr = devmem_alloc_global(f->mem, v->bytes, 256, v->space == SP_CONST, v->name);
    }
    CU_ASSERT_TRUE_FATAL(module_place(f->module, &e));
    struct kernel *k = kernel_get(f->module, "k", &e);
    if (!k)
        fprintf(stderr, "%s\n", e.msg);
    CU_ASSERT_PTR_NOT_NULL_FATAL(k);
    free(text);
    free(f->launch.params);
    f->launch = (struct launch){.kernel = k, .mem = f->mem, .params = xcalloc(8, 1)};
    memcpy(f->launch.params, &f->buffer, 8);
}

static inline bool fix_step(struct fix *f)
{
    bool moved = sm_replies(f->sm, f->net.now);
    if (sm_wake_at(f->sm, f->net.now) <= f->net.now)
        moved |= sm_tick(f->sm, f->net.now);
    return moved;
}

static inline void fix_launch(struct fix *f, int limit, bool trace)
{
    sm_code_free(&f->code);
    sm_code_build(&f->code, f->launch.kernel, &f->cfg.sm);
    sm_launch(f->sm, &f->launch, &f->code, limit, trace);
}

/* Runs `ctas` CTAs of `threads` threads, at most `limit` at once; the cycles it took: f->cycles. */
static inline void fix_run(struct fix *f, int ctas, int threads, int limit)
{
    struct err e = {""};
    int next = 0, done = 0;
    f->launch.grid[0] = ctas;
    f->launch.grid[1] = f->launch.grid[2] = f->launch.block[1] = f->launch.block[2] = 1;
    f->launch.block[0] = threads;
    if (!launch_init(&f->launch, &e))
        fprintf(stderr, "%s\n", e.msg);
    const cycle_t start = f->net.now;
    fix_launch(f, limit, false);
    while (done < ctas && f->net.now - start < 10000000) {
        fix_step(f);
        if (next < ctas && sm_can_start_cta(f->sm))
            sm_start_cta(f->sm, (uint64_t)next++, f->net.now);
        done += fix_take_ended(f->sm);
        if (f->on_cycle)
            f->on_cycle(f);
        f->net.now++;
        if (sm_fault(f->sm))
            break;
    }
    CU_ASSERT_EQUAL(done, ctas);
    f->cycles = f->net.now - start;
    memset(&f->st, 0, sizeof f->st);
    sm_stats(f->sm, f->net.now, &f->st);
    CU_ASSERT_TRUE(sm_drained(f->sm));
}

#endif
