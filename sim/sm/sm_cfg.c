#include "sim/sm/sm_cfg.h"

#include <string.h>

#include "base/types.h"
#include "sim/sm/sched/warp_scheduler.h"

#define SM_ROW(f, t, lo, hi, d, u, h)   PARAM_ROW(struct sm_cfg, f, t, lo, hi, d, u, h)
#define COLL_ROW(f, t, lo, hi, d, u, h) PARAM_ROW(struct collector_cfg, f, t, lo, hi, d, u, h)
#define ELF_ROW(f, t, lo, hi, d, u, h)  PARAM_ROW(struct elf_cfg, f, t, lo, hi, d, u, h)
static const struct param sm_rows[] = {SM_PARAMS(SM_ROW)};
static const struct param collector_rows[] = {COLLECTOR_PARAMS(COLL_ROW)};
static const struct param elf_rows[] = {ELF_PARAMS(ELF_ROW)};
#define TWO_LEVEL_ROW(f, t, lo, hi, d, u, h) PARAM_ROW(struct two_level_cfg, f, t, lo, hi, d, u, h)
static const struct param two_level_rows[] = {TWO_LEVEL_PARAMS(TWO_LEVEL_ROW)};
#define GROUPS_ROW(f, t, lo, hi, d, u, h) \
    PARAM_ROW(struct two_level_groups_cfg, f, t, lo, hi, d, u, h)
static const struct param two_level_groups_rows[] = {TWO_LEVEL_GROUPS_PARAMS(GROUPS_ROW)};
#define CCWS_ROW(f, t, lo, hi, d, u, h) PARAM_ROW(struct ccws_cfg, f, t, lo, hi, d, u, h)
static const struct param ccws_rows[] = {CCWS_PARAMS(CCWS_ROW)};
#define MASCAR_ROW(f, t, lo, hi, d, u, h) PARAM_ROW(struct mascar_cfg, f, t, lo, hi, d, u, h)
static const struct param mascar_rows[] = {MASCAR_PARAMS(MASCAR_ROW)};

#define OP_ROW(op, min, value, what) \
    {.name = #op,                    \
     .type = PARAM_INT,              \
     .lo = (min),                    \
     .hi = SM_MAX_LATENCY,           \
     .def_num = (value),             \
     .unit = "cycles",               \
     .help = (what),                 \
     .off = SM_OP_##op * sizeof(int)},
#define LAT_ROW(op, lat, itv, what) OP_ROW(op, 1, lat, what)
#define ITV_ROW(op, lat, itv, what) OP_ROW(op, 1, itv, what)
static const struct param latency_rows[] = {SM_OPS(LAT_ROW)};
static const struct param interval_rows[] = {SM_OPS(ITV_ROW)};

#define COUNT(a) ((int)(sizeof(a) / sizeof *(a)))
const struct param_group sm_cfg_groups[] = {
    {"", sm_rows, COUNT(sm_rows), 0},
    {"collector", collector_rows, COUNT(collector_rows), offsetof(struct sm_cfg, collector)},
    {"latency", latency_rows, COUNT(latency_rows), offsetof(struct sm_cfg, latency)},
    {"interval", interval_rows, COUNT(interval_rows), offsetof(struct sm_cfg, interval)},
    {"elf", elf_rows, COUNT(elf_rows), offsetof(struct sm_cfg, elf)},
    {"two_level", two_level_rows, COUNT(two_level_rows), offsetof(struct sm_cfg, two_level)},
    {"two_level_groups", two_level_groups_rows, COUNT(two_level_groups_rows),
     offsetof(struct sm_cfg, two_level_groups)},
    {"ccws", ccws_rows, COUNT(ccws_rows), offsetof(struct sm_cfg, ccws)},
    {"mascar", mascar_rows, COUNT(mascar_rows), offsetof(struct sm_cfg, mascar)},
    {NULL, NULL, 0, 0},
};

static bool power_of_two(int v)
{
    return v > 0 && (v & (v - 1)) == 0;
}

const char *const threads_words[] = {
    [THREADS_BY_TARGET] = "auto", [THREADS_IN_STEP] = "off", [THREADS_INDEPENDENT] = "on", NULL};

static int find_threads(const char *name)
{
    for (int i = 0; threads_words[i]; i++)
        if (!strcmp(threads_words[i], name))
            return i;
    return -1;
}

enum threads sm_cfg_threads(const struct sm_cfg *c)
{
    return (enum threads)find_threads(c->independent_threads);
}

bool sm_cfg_check(const struct sm_cfg *c, struct err *e)
{
    if (c->max_threads % WARP_SIZE)
        return err_set(e, "max_threads = %d: not a multiple of %d", c->max_threads, WARP_SIZE);
    if (!warp_scheduler_check(c, e))
        return false;
    if (find_threads(c->independent_threads) < 0)
        return err_set(e, "independent_threads = \"%s\": on, off or auto", c->independent_threads);
    if (WARP_SIZE % c->simd_width)
        return err_set(e, "simd_width = %d: does not divide %d", c->simd_width, WARP_SIZE);
    if (!power_of_two(c->bypass_segment))
        return err_set(e, "bypass_segment = %d: not a power of two", c->bypass_segment);
    if (c->collector.sp_units + c->collector.sfu_units + c->collector.dp_units +
            c->collector.mem_units >
        64)
        return err_set(e, "collector: more than 64 units in all");
    for (int op = 0; op < SM_OP_COUNT; op++)
        if (c->interval[op] > c->latency[op])
            return err_set(e, "interval.%s = %d: longer than latency.%s = %d",
                           interval_rows[op].name, c->interval[op], latency_rows[op].name,
                           c->latency[op]);
    return true;
}

struct pipe_cfg sm_pipe(const struct sm_cfg *c, enum pipe p)
{
    const struct collector_cfg *k = &c->collector;
    const int sfu = c->sp_units, dp = sfu + c->sfu_units, end = dp + c->dp_units;
    const struct pipe_cfg all[PIPE_COUNT] = {
        [PIPE_SP] = {k->issue_sp, k->exec_sp, k->sp_in, k->sp_out, k->sp_units, 0, sfu},
        [PIPE_SFU] = {k->issue_sfu, k->exec_sfu, k->sfu_in, k->sfu_out, k->sfu_units, sfu, dp},
        [PIPE_DP] = {k->issue_dp, k->exec_dp, k->dp_in, k->dp_out, c->dp_units ? k->dp_units : 0,
                     dp, end},
        [PIPE_MEM] = {k->issue_mem, k->exec_mem, k->mem_in, k->mem_out, k->mem_units, end, end}};
    return all[p];
}
