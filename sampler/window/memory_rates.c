#include "sampler/window/memory_rates.h"

#include <stdlib.h>
#include <string.h>

#include "base/cpu_time.h"
#include "sampler/pilot/scale_model.h"
#include "sim/gpu/gpu.h"
#include "sim/ptx/module.h"

/* Words of 32 bits; the threads of the whole grid step on together. */
static const char text[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .entry loads(.param .u64 base, .param .u64 step, .param .u32 times)\n{\n"
    ".reg .pred %p; .reg .b32 %r<6>; .reg .b64 %rd<4>;\n"
    "ld.param.u64 %rd1, [base]; ld.param.u64 %rd2, [step]; ld.param.u32 %r1, [times];\n"
    "mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x;\n"
    "mad.lo.u32 %r2, %r2, %r3, %r4; mul.wide.u32 %rd3, %r2, 4; add.u64 %rd1, %rd1, %rd3;\n"
    "again: ld.global.u32 %r5, [%rd1]; add.u64 %rd1, %rd1, %rd2; sub.u32 %r1, %r1, 1;\n"
    "setp.ne.u32 %p, %r1, 0; @%p bra again;\nret;\n}\n";

struct mark {
    double cycle, answered; /* requests, until then */
};

struct stream {
    const struct rates_params *by; /* borrowed */
    struct devmem *mem;
    struct module *module;
    struct launch l;
    uint64_t params[3], alone;
    struct mark *mark; /* owned; of the launch that runs */
    int marks;
};

/* Instructions of the text above. */
static int insts_of_warp(const struct rates_params *by)
{
    return 9 + 5 * by->loads + 1;
}

static int threads_of(const struct gpu_cfg *cfg, const struct rates_params *by)
{
    const int threads = by->in_flight * cfg->mem.l1d.line / 4;
    return threads < 1024 ? threads : 1024;
}

static bool has_l2(const struct gpu_cfg *cfg)
{
    return cfg->mem.l2.enabled && !cfg->mem.partition.l2_texture_only;
}

/* Bytes from one load of a warp alone to the next. */
static uint64_t step_alone(const struct stream *s)
{
    return s->params[1] > WARP_SIZE * 4 ? s->params[1] : WARP_SIZE * 4;
}

static bool open_stream(struct stream *s, const struct gpu_cfg *cfg, const struct rates_params *by,
                        struct err *e)
{
    *s = (struct stream){.by = by, .mem = devmem_new()};
    s->module = module_parse("memory rates", text, strlen(text), e);
    if (!s->module || !module_place(s->module, e))
        return false;
    s->l = (struct launch){.grid = {cfg->top.cores, 1, 1},
                           .block = {threads_of(cfg, by), 1, 1},
                           .mem = s->mem,
                           .params = (uint8_t *)s->params};
    const uint64_t loads = (uint64_t)by->loads;
    s->params[1] = (uint64_t)s->l.grid[0] * (uint64_t)s->l.block[0] * 4;
    s->params[0] = devmem_alloc(s->mem, loads * s->params[1], "lines");
    s->alone = devmem_alloc(s->mem, loads * step_alone(s), "lines of one warp");
    s->params[2] = loads;
    s->l.kernel = kernel_get(s->module, "loads", e);
    return s->l.kernel != NULL;
}

static void close_stream(struct stream *s)
{
    free(s->mark);
    module_free(s->module);
    devmem_free(s->mem);
}

static void on_interval(void *user, const struct gpu_interval *i)
{
    struct stream *s = user;
    const double before = s->marks ? s->mark[s->marks - 1].answered : 0;
    s->mark = xrealloc(s->mark, (size_t)(s->marks + 1) * sizeof *s->mark);
    s->mark[s->marks++] =
        (struct mark){(double)i->end, before + (double)i->stats->mem_latency_count};
}

static struct mark mark_at(const struct stream *s, double part)
{
    int i = 0;
    while (i < s->marks - 1 && s->mark[i].answered < part * s->mark[s->marks - 1].answered)
        i++;
    return s->mark[i];
}

static bool run_stream(struct stream *s, struct gpu *g, double *rate, struct memory_rates *out,
                       struct err *e)
{
    struct run_stats st = {0};
    const struct gpu_opts o = {.n = 1,
                               .only_core = -1,
                               .every = s->by->interval,
                               .interval = on_interval,
                               .interval_user = s};
    s->marks = 0;
    if (!gpu_launch(g, &s->l, &o, &st, e))
        return false;
    out->warp_insts += st.warp_insts;
    const struct mark from = mark_at(s, s->by->from), to = mark_at(s, s->by->to);
    if (!(to.answered > from.answered && to.cycle > from.cycle))
        return err_set(e, "rates.from, rates.to and rates.interval leave no replies of %llu cycles",
                       (unsigned long long)st.cycles);
    *rate = (to.answered - from.answered) / (to.cycle - from.cycle);
    return true;
}

/* One warp of one CTA, a load after the other, no two from a line. */
static bool run_alone(struct stream *s, struct gpu *g, struct memory_rates *out, struct err *e)
{
    struct run_stats st = {0};
    const struct gpu_opts o = {.n = 1, .only_core = -1};
    s->params[0] = s->alone;
    s->params[1] = step_alone(s);
    s->l.grid[0] = 1;
    s->l.block[0] = WARP_SIZE;
    if (!gpu_launch(g, &s->l, &o, &st, e))
        return false;
    out->warp_insts += st.warp_insts;
    out->latency = stats_rate(&st, RATE_mf_latency);
    return true;
}

static bool measure(const struct gpu_cfg *slice, const struct rates_params *by, bool latency,
                    struct memory_rates *out, struct err *e)
{
    struct gpu_cfg cfg = *slice;
    struct stream s;
    cfg.top.flush_l1 = true;
    struct gpu *g = open_stream(&s, &cfg, by, e) ? gpu_new(&cfg, e) : NULL;
    const bool ok = g && run_stream(&s, g, &out->dram, out, e) &&
                    (!has_l2(&cfg) || run_stream(&s, g, &out->l2, out, e)) &&
                    (!latency || run_alone(&s, g, out, e));
    gpu_free(g);
    close_stream(&s);
    return ok || err_prefix(e, "measuring the memory");
}

static uint64_t insts_of_streams(const struct gpu_cfg *cfg, const struct rates_params *by,
                                 int cores)
{
    const int warps = (threads_of(cfg, by) + WARP_SIZE - 1) / WARP_SIZE,
              streams = has_l2(cfg) ? 2 : 1;
    return (uint64_t)(streams * cores * warps * insts_of_warp(by));
}

uint64_t memory_rates_insts(const struct gpu_cfg *cfg, const struct sampling *by)
{
    return insts_of_streams(cfg, &by->rates, scale_model_slice(cfg, &by->pilot)) +
           (uint64_t)insts_of_warp(&by->rates);
}

uint64_t memory_rates_network_insts(const struct gpu_cfg *cfg, const struct sampling *by)
{
    return has_l2(cfg) ? insts_of_streams(cfg, &by->rates, cfg->top.cores) : 0;
}

bool memory_rates_measure(const struct gpu_cfg *cfg, const struct sampling *by,
                          struct memory_rates *out, struct err *e)
{
    const double start = cpu_seconds();
    const int cores = scale_model_slice(cfg, &by->pilot);
    struct gpu_cfg slice;
    *out = (struct memory_rates){0};
    if (!scale_model(cfg, cores, 1, &slice, e))
        return err_prefix(e, "measuring the memory");
    slice.mem.model.partitions = 0; /* of one array nothing is to meet in a bank */
    if (!measure(&slice, &by->rates, true, out, e))
        return false;
    out->dram *= (double)cfg->top.cores / cores;
    out->l2 *= (double)cfg->top.cores / cores;
    out->known = true;
    out->seconds = cpu_seconds() - start;
    return true;
}

bool memory_rates_network(const struct gpu_cfg *cfg, const struct sampling *by,
                          struct memory_rates *r, struct err *e)
{
    const double start = cpu_seconds();
    struct memory_rates full = {0};
    if (has_l2(cfg) && !measure(cfg, &by->rates, false, &full, e))
        return false;
    r->network = full.l2 > 0 && full.l2 < r->l2 ? full.l2 / r->l2 : 1;
    r->warp_insts = full.warp_insts;
    r->seconds = cpu_seconds() - start;
    return true;
}

void memory_rates_fill(const struct memory_rates *r, struct sample *d)
{
    d->l2_lines_per_cycle = r->l2;
    d->dram_lines_per_cycle = r->dram;
    d->memory_latency = r->latency;
}
