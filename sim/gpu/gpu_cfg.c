#include "sim/gpu/gpu_cfg.h"

#include "sim/gpu/clock.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TOP_ROW(f, t, lo, hi, d, u, h)   PARAM_ROW(struct gpu_top_cfg, f, t, lo, hi, d, u, h)
#define CLOCK_ROW(f, t, lo, hi, d, u, h) PARAM_ROW(struct clock_cfg, f, t, lo, hi, d, u, h)
static const struct param top_rows[] = {GPU_PARAMS(TOP_ROW)};
static const struct param clock_rows[] = {CLOCK_PARAMS(CLOCK_ROW)};
#define COUNT(a) ((int)(sizeof(a) / sizeof *(a)))

static const struct param_group own_groups[] = {
    {"", top_rows, COUNT(top_rows), offsetof(struct gpu_cfg, top)},
    {"clock", clock_rows, COUNT(clock_rows), offsetof(struct gpu_cfg, clock)},
    {NULL, NULL, 0, 0},
};

#define MAX_GROUPS 40
static struct param_group all_groups[MAX_GROUPS + 1]; /* written once, under once */
static pthread_once_t once = PTHREAD_ONCE_INIT;

static int place(int at, const struct param_group *g, size_t off)
{
    for (; g->rows; g++) {
        BUG_ON(at == MAX_GROUPS, "more than %d parameter groups", MAX_GROUPS);
        all_groups[at] = *g;
        all_groups[at++].off += off;
    }
    return at;
}

static void build_groups(void)
{
    int n = place(0, own_groups, 0);
    n = place(n, cta_cfg_groups, offsetof(struct gpu_cfg, cta));
    n = place(n, sm_cfg_groups, offsetof(struct gpu_cfg, sm));
    n = place(n, mem_cfg_groups, offsetof(struct gpu_cfg, mem));
    place(n, icnt_cfg_groups, offsetof(struct gpu_cfg, icnt));
}

const struct param_group *gpu_cfg_groups(void)
{
    pthread_once(&once, build_groups);
    return all_groups;
}

void gpu_cfg_default(struct gpu_cfg *c)
{
    *c = (struct gpu_cfg){0};
    params_default(gpu_cfg_groups(), c);
}

static bool load(struct gpu_cfg *c, const char *path, struct err *e)
{
    return params_load(gpu_cfg_groups(), c, path, e) &&
           (gpu_cfg_check(c, e) || err_prefix(e, "%s", path));
}

bool gpu_cfg_load(struct gpu_cfg *c, const char *data_dir, const char *name_or_path, struct err *e)
{
    gpu_cfg_default(c);
    if (strchr(name_or_path, '/') || access(name_or_path, F_OK) == 0)
        return load(c, name_or_path, e);
    char *path = xasprintf("%s/gpus/%s.cfg", data_dir, name_or_path);
    bool ok = access(path, F_OK) == 0;
    if (!ok)
        err_set(e, "no GPU named '%s', and no such file (`mdpredict list gpus` shows the names)",
                name_or_path);
    else
        ok = load(c, path, e);
    free(path);
    return ok;
}

bool gpu_cfg_check(const struct gpu_cfg *c, struct err *e)
{
    struct clock clk;
    if (c->mem.l2.enabled && c->sm.bypass_segment > c->mem.l2.line)
        return err_set(e, "bypass_segment = %d, longer than l2.line = %d", c->sm.bypass_segment,
                       c->mem.l2.line);
    return clock_init(&clk, &c->clock, e) && cta_cfg_check(&c->cta, e) && sm_cfg_check(&c->sm, e) &&
           mem_cfg_check(&c->mem, e) && icnt_cfg_check(&c->icnt, e);
}

uint64_t gpu_cfg_issue_bound(const struct gpu_cfg *c, uint64_t cycles)
{
    uint64_t bound;
    const uint64_t a_cycle = (uint64_t)c->top.cores * (uint64_t)c->sm.schedulers;
    return __builtin_mul_overflow(cycles, a_cycle, &bound) ? UINT64_MAX : bound;
}

int gpu_cfg_perturbation(const struct gpu_cfg *c, int i)
{
    const int clock = c->clock.icnt > c->clock.l2 ? c->clock.icnt : c->clock.l2;
    const int step = (c->clock.core + clock - 1) / clock;
    const int below = c->mem.partition.rop_latency / step;
    return step * (i > 2 * below ? i - below : i % 2 ? i / 2 + 1 : -i / 2);
}

void gpu_cfg_perturb(struct gpu_cfg *c, int cycles)
{
    c->mem.partition.rop_latency += cycles;
}
