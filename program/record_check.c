#include "program/record_check.h"

#include <math.h>
#include <string.h>

#include "base/err.h"
#include "model/model.h"
#include "sim/frontend/context.h"
#include "sim/func/race.h"

#define MOST      0x1p48 /* of any number: sums of many are exact still, and in range */
#define MOST_REGS 65536

static const struct {
    const char *name;
    size_t bytes;
} kinds[] = {
    [RECORD_KERNEL] = {"kernel", sizeof(struct record_kernel)},
    [RECORD_LAUNCH] = {"launch", sizeof(struct record_launch)},
    [RECORD_RUN] = {"simulation", sizeof(struct record_run)},
    [RECORD_SAMPLE] = {"sample", sizeof(struct record_sample)},
    [RECORD_TRIED] = {"trial", sizeof(struct record_tried)},
    [RECORD_FAULT] = {"fault", sizeof(struct record_fault)},
    [RECORD_DEVICE] = {"device", sizeof(struct record_device)},
    [RECORD_TRACE] = {"trace", sizeof(struct record_trace)},
    [RECORD_REJECTION] = {"rejection", sizeof(struct record_rejection)},
    [RECORD_REJECTED] = {"rejected launch", sizeof(struct record_rejected)},
    [RECORD_BEGIN] = {"begin", sizeof(struct record_begin)},
    [RECORD_HOST_CALL] = {"call of a library", sizeof(struct record_host_call)},
    [RECORD_CODE] = {"kernel's code", sizeof(struct record_code)},
    [RECORD_INST] = {"instruction", sizeof(struct record_inst)},
    [RECORD_HOT] = {"instruction's counts", sizeof(struct record_hot)},
    [RECORD_RACE] = {"race", sizeof(struct record_race)},
};

size_t record_bytes(uint32_t kind)
{
    return kind < sizeof kinds / sizeof *kinds ? kinds[kind].bytes : 0;
}

/* It comes after its kernel's. */
static bool needs_kernel(uint32_t kind)
{
    return kind == RECORD_LAUNCH || kind == RECORD_RUN || kind == RECORD_SAMPLE ||
           kind == RECORD_TRIED || kind == RECORD_BEGIN || kind == RECORD_CODE ||
           kind == RECORD_INST || kind == RECORD_HOT;
}

bool record_of_kernel(uint32_t kind)
{
    return kind == RECORD_KERNEL || kind == RECORD_FAULT || needs_kernel(kind);
}

/* -- single values */

static bool count_ok(uint64_t n)
{
    return (double)n <= MOST;
}

static bool counts_ok(const uint64_t *n, size_t many)
{
    for (size_t i = 0; i < many; i++)
        if (!count_ok(n[i]))
            return false;
    return true;
}

static bool real_ok(double v)
{
    return v >= 0 && v <= MOST; /* no NaN is */
}

static bool reals_ok(const double *v, size_t many)
{
    for (size_t i = 0; i < many; i++)
        if (!real_ok(v[i]))
            return false;
    return true;
}

/* Any other byte in a bool is none to look at. */
static bool bool_ok(const void *bytes, size_t offset)
{
    return ((const uint8_t *)bytes)[offset] <= 1;
}

/* It ends, and does nothing to a terminal. */
static bool text_ok(const char *text, size_t room)
{
    const size_t n = strnlen(text, room);
    for (size_t i = 0; i < n; i++)
        if ((unsigned char)text[i] < ' ' && !strchr("\n\r\t", text[i]))
            return false;
    return n < room;
}

/* -- records */

static bool kernel_ok(const struct record_kernel *r, const struct record_context *c, struct err *e)
{
    const int *b = r->block;
    if (c->kernel)
        return err_set(e, "kernel %d is there twice", r->kernel);
    if (r->kernel < 0)
        return err_set(e, "its number is %d", r->kernel);
    if (!text_ok(r->name, sizeof r->name))
        return err_set(e, "its name is none");
    if (r->device < 0 || r->device >= DEVMEM_DEVICES)
        return err_set(e, "its device is %d", r->device);
    if (!launch_block_ok(b[0], b[1], b[2]))
        return err_set(e, "its block is %dx%dx%d", b[0], b[1], b[2]);
    if (r->n_max < 0 || r->n_max > MODEL_N_MAX)
        return err_set(e, "its occupancy limit is %d, not 0 to %d", r->n_max, MODEL_N_MAX);
    if (r->regs < 0 || r->regs > MOST_REGS)
        return err_set(e, "it has %d registers", r->regs);
    if ((unsigned)r->limit > OCC_SHARED)
        return err_set(e, "%d limits it", (int)r->limit);
    return true;
}

static bool cluster_ok(int cluster, int least, const struct record_context *c, struct err *e)
{
    return (cluster >= least && cluster <= c->clusters) ||
           err_set(e, "its group is %d of %d", cluster, c->clusters);
}

static bool launch_ok(const struct record_launch *r, const struct record_context *c, struct err *e)
{
    const uint64_t counts[] = {r->warp_insts, r->thread_insts, r->ctas,
                               r->polls,      r->waits,        r->cycles};
    if (!cluster_ok(r->cluster, -1, c, e))
        return false;
    if (r->launch < 0)
        return err_set(e, "its number is %d", r->launch);
    if ((unsigned)r->how > HOW_DETAILED)
        return err_set(e, "it was measured in way %d", (int)r->how);
    if (!launch_grid_ok(r->grid[0], r->grid[1], r->grid[2]))
        return err_set(e, "its grid is %dx%dx%d", r->grid[0], r->grid[1], r->grid[2]);
    return (counts_ok(counts, sizeof counts / sizeof *counts) && real_ok(r->seconds)) ||
           err_set(e, "a count or time of it is out of range");
}

static bool degree_ok(int n, const struct record_context *c, struct err *e)
{
    return (n >= 1 && n <= c->kernel->n_max) ||
           err_set(e, "n is %d, not 1 to %d", n, c->kernel->n_max);
}

static bool run_ok(const struct record_run *r, const struct record_context *c, struct err *e)
{
    uint64_t counts[sizeof r->stats / sizeof(uint64_t)];
    memcpy(counts, &r->stats, sizeof counts);
    return cluster_ok(r->cluster, 0, c, e) && degree_ok(r->n, c, e) &&
           (r->ran >= r->n || err_set(e, "n is %d, and %d ran", r->n, r->ran)) &&
           degree_ok(r->ran, c, e) &&
           ((r->perturbation >= 0 && r->perturbation <= GPU_CFG_PERTURBATIONS) ||
            err_set(e, "its perturbation is %d", r->perturbation)) &&
           ((counts_ok(counts, sizeof counts / sizeof *counts) && real_ok(r->host_seconds)) ||
            err_set(e, "a count or time of it is out of range"));
}

static bool cost_ok(const struct sample_cost *c)
{
    const uint64_t counts[] = {c->warp_insts,     c->pilot_warp_insts,      c->search_warp_insts,
                               c->run_warp_insts, c->functional_warp_insts, c->memory_warp_insts};
    const double reals[] = {c->full_warp_insts, c->window_seconds, c->functional_seconds,
                            c->pilot_seconds,   c->run_seconds,    c->memory_seconds,
                            c->network_seconds};
    return counts_ok(counts, sizeof counts / sizeof *counts) &&
           reals_ok(reals, sizeof reals / sizeof *reals);
}

static bool counters_ok(const struct sample *s, struct err *e)
{
    for (const struct sample_row *row = sample_rows; row->name; row++)
        if (!real_ok(sample_value(s, row)))
            return err_set(e, "its %s is out of range", row->name);
    for (const struct sample_array *a = sample_arrays; a->name; a++)
        if (!reals_ok(sample_values(s, a), SAMPLE_DEGREES))
            return err_set(e, "its %s is out of range", a->name);
    return sample_bounds_ok(s) || err_set(e, "its pilot_bound is none");
}

static bool runs_ok(const struct sample_runs *r, const struct record_context *c, struct err *e)
{
    if (r->count < 0 || r->count > RECORD_RUNS)
        return err_set(e, "it has %d whole simulations", r->count);
    for (int i = 0; i < r->count; i++)
        if (!degree_ok(r->n[i], c, e))
            return false;
    return reals_ok(r->ipc, (size_t)r->count) || err_set(e, "its IPC is out of range");
}

static bool sample_ok(const struct record_sample *r, const struct record_context *c, struct err *e)
{
    const struct sample *s = &r->sample;
    if (!cluster_ok(r->cluster, 0, c, e) || !counters_ok(s, e) || !runs_ok(&r->runs, c, e))
        return false;
    if (s->n_max != c->kernel->n_max || c->kernel->n_max < 1)
        return err_set(e, "its occupancy limit is %g, the kernel's %d", s->n_max, c->kernel->n_max);
    if (s->fewest_ctas > s->n_max)
        return err_set(e, "it ends with %g CTAs at once, its limit is %g", s->fewest_ctas,
                       s->n_max);
    if (s->cores < 1)
        return err_set(e, "it has %g cores", s->cores);
    return (text_ok(s->kernel, sizeof s->kernel) && real_ok(r->launch_insts) &&
            real_ok(r->thread_insts) && cost_ok(&r->cost)) ||
           err_set(e, "a name, count or time of it is out of range");
}

static bool trace_ok(const struct record_trace *r, struct err *e)
{
    const uint64_t counts[] = {r->launches, r->ctas, r->warp_insts};
    return (counts_ok(counts, sizeof counts / sizeof *counts) && text_ok(r->why, sizeof r->why)) ||
           err_set(e, "a count or text of it is out of range");
}

static bool fault_ok(const struct record_fault *r, const struct record_context *c, struct err *e)
{
    if (r->kernel != -1 && !c->kernel)
        return err_set(e, "there is no kernel %d", r->kernel);
    if (r->launch < -1 || (unsigned)r->why > FAILED_ABANDONED)
        return err_set(e, "its launch is %d, its reason %d", r->launch, (int)r->why);
    return text_ok(r->text, sizeof r->text) || err_set(e, "its text is none");
}

static bool rejection_ok(const struct record_rejection *r, const struct record_context *c,
                         struct err *e)
{
    if (r->rejection != c->rejections)
        return err_set(e, "its number is %d, not %d", r->rejection, c->rejections);
    return (text_ok(r->kernel, sizeof r->kernel) && text_ok(r->reason, sizeof r->reason)) ||
           err_set(e, "a text of it is none");
}

static bool rejected_ok(const struct record_rejected *r, const struct record_context *c,
                        struct err *e)
{
    return (r->rejection >= 0 && r->rejection < c->rejections) ||
           err_set(e, "its reason is %d of %d", r->rejection, c->rejections);
}

static bool code_ok(const struct record_code *r, const struct record_context *c, struct err *e)
{
    if (c->insts)
        return err_set(e, "that of kernel %d is there twice", r->kernel);
    if (r->insts < 1 || r->insts > RECORD_INSTS)
        return err_set(e, "it has %d instructions, not 1 to %d", r->insts, RECORD_INSTS);
    return text_ok(r->module, sizeof r->module) || err_set(e, "its module's name is none");
}

static bool is_inst(int inst, const struct record_context *c, struct err *e)
{
    return (inst >= 0 && inst < c->insts) || err_set(e, "its number is %d of %d", inst, c->insts);
}

static bool inst_ok(const struct record_inst *r, const struct record_context *c, struct err *e)
{
    return is_inst(r->inst, c, e) && ((r->ptx >= 0 && text_ok(r->text, sizeof r->text) &&
                                       text_ok(r->source, sizeof r->source)) ||
                                      err_set(e, "its line or a text of it is none"));
}

static bool hot_ok(const struct record_hot *r, const struct record_context *c, struct err *e)
{
    uint64_t counts[sizeof r->counts / sizeof(uint64_t)];
    memcpy(counts, &r->counts, sizeof counts);
    return is_inst(r->inst, c, e) && (counts_ok(counts, sizeof counts / sizeof *counts) ||
                                      err_set(e, "a count of it is out of range"));
}

static bool side_ok(const struct record_race_side *s, struct err *e)
{
    return (s->ptx >= 0 && s->thread >= 0 && s->kind < 2 * RACE_STRONG &&
            text_ok(s->text, sizeof s->text) && text_ok(s->source, sizeof s->source)) ||
           err_set(e, "a line, a thread or a text of it is none");
}

static bool race_ok(const struct record_race *r, const struct record_context *c, struct err *e)
{
    if (r->race < 0 || r->race > c->races)
        return err_set(e, "its number is %d, not 0 to %d", r->race, c->races);
    if (!text_ok(r->kernel, sizeof r->kernel) || !text_ok(r->module, sizeof r->module))
        return err_set(e, "a text of it is none");
    for (int d = 0; d < 3; d++)
        if (r->cta[d] < 0)
            return err_set(e, "its CTA is %d", r->cta[d]);
    if (!count_ok(r->count) || !count_ok(r->addr))
        return err_set(e, "a number of it is out of range");
    return side_ok(&r->side[0], e) && side_ok(&r->side[1], e);
}

/* Each bool of the record, while it is bytes still. */
static bool bools_ok(uint32_t kind, const void *bytes, struct err *e)
{
    const bool ok =
        kind == RECORD_LAUNCH ? bool_ok(bytes, offsetof(struct record_launch, looked_at)) &&
                                    bool_ok(bytes, offsetof(struct record_launch, known)) &&
                                    bool_ok(bytes, offsetof(struct record_launch, for_run))
        : kind == RECORD_KERNEL ? bool_ok(bytes, offsetof(struct record_kernel, selected))
                                : true;
    return ok || err_set(e, "a yes or no of it is neither");
}

static bool check(uint32_t kind, const void *bytes, const struct record_context *c, struct err *e)
{
    union record r;
    if (!bools_ok(kind, bytes, e))
        return false;
    memcpy(&r, bytes, record_bytes(kind));
    if (needs_kernel(kind) && !c->kernel)
        return err_set(e, "there is no kernel %d", r.launch.kernel);
    switch (kind) {
    case RECORD_KERNEL:
        return kernel_ok(&r.kernel, c, e);
    case RECORD_LAUNCH:
        return launch_ok(&r.launch, c, e);
    case RECORD_RUN:
        return run_ok(&r.run, c, e);
    case RECORD_SAMPLE:
        return sample_ok(&r.sample, c, e);
    case RECORD_TRIED:
        return cost_ok(&r.tried.cost) || err_set(e, "a count or time of it is out of range");
    case RECORD_FAULT:
        return fault_ok(&r.fault, c, e);
    case RECORD_REJECTION:
        return rejection_ok(&r.rejection, c, e);
    case RECORD_BEGIN:
        return r.begin.launch >= 0 || err_set(e, "its number is %d", r.begin.launch);
    case RECORD_REJECTED:
        return rejected_ok(&r.rejected, c, e);
    case RECORD_HOST_CALL:
        return text_ok(r.host_call.name, sizeof r.host_call.name) || err_set(e, "its name is none");
    case RECORD_TRACE:
        return trace_ok(&r.trace, e);
    case RECORD_CODE:
        return code_ok(&r.code, c, e);
    case RECORD_INST:
        return inst_ok(&r.inst, c, e);
    case RECORD_HOT:
        return hot_ok(&r.hot, c, e);
    case RECORD_RACE:
        return race_ok(&r.race, c, e);
    default:
        return true;
    }
}

bool record_check(uint32_t kind, const void *bytes, const struct record_context *c, struct err *e)
{
    return check(kind, bytes, c, e) || err_prefix(e, "a record of a %s", kinds[kind].name);
}
