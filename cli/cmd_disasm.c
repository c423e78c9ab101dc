#include <stdlib.h>

#include "cli/commands.h"
#include "cli/output.h"
#include "sim/frontend/target.h"
#include "sim/gpu/gpu_cfg.h"
#include "sim/sm/sched/phases.h"

struct listing {
    struct output out;
    struct gpu_cfg cfg; /* latencies, if phases are asked for */
    bool phases;
};

static struct phases *phases_of(const struct listing *l, const struct kernel *k)
{
    struct inst_meta *meta = meta_build(k, &l->cfg.sm);
    struct phases *p = phases_build(&(struct sched_code){k, meta, &l->cfg.sm});
    free(meta);
    return p;
}

/* p NULL: without remarks. */
static char *text_of(const struct kernel *k, const struct phases *p)
{
    if (!p)
        return kernel_disasm(k, NULL);
    char **remark = xcalloc(k->ninst, sizeof *remark);
    for (uint32_t i = 0; i < k->ninst; i++)
        remark[i] = xasprintf("phase %u, distance %u", p->at[i].phase, p->at[i].distance);
    char *text = kernel_disasm(k, (const char *const *)remark);
    for (uint32_t i = 0; i < k->ninst; i++)
        free(remark[i]);
    free(remark);
    return text;
}

static void output_phases(struct output *out, const struct kernel *k, const struct phases *p)
{
    output_uint(out, "phases", p->count, NULL);
    output_array(out, "instruction");
    for (uint32_t i = 0; i < k->ninst; i++) {
        output_object(out, NULL);
        output_uint(out, "phase", p->at[i].phase, NULL);
        output_uint(out, "distance", p->at[i].distance, NULL);
        output_up(out);
    }
    output_up(out);
}

static bool print_kernel(void *user, const struct kernel *k, struct err *e)
{
    struct listing *l = user;
    struct output *out = &l->out;
    (void)e;
    struct phases *p = l->phases ? phases_of(l, k) : NULL;
    char *text = text_of(k, p);
    if (out->format == FORMAT_TEXT)
        fputs(text, out->text);
    output_object(out, NULL);
    output_str(out, "kernel", k->name, NULL);
    output_uint(out, "registers", k->regs, NULL);
    output_uint(out, "shared_bytes", k->shared_bytes, NULL);
    output_uint(out, "local_bytes", k->local_bytes, NULL);
    output_uint(out, "param_bytes", k->param_bytes, NULL);
    output_uint(out, "functions", (uint64_t)k->nfunc, NULL);
    output_uint(out, "blocks", (uint64_t)k->nblock, NULL);
    output_uint(out, "instructions", k->ninst, NULL);
    if (p)
        output_phases(out, k, p);
    if (out->format == FORMAT_JSON)
        output_str(out, "text", text, NULL);
    output_up(out);
    free(text);
    free(p);
    return true;
}

static bool run(struct options *o, struct err *e)
{
    struct listing l = {.phases = o->phases};
    if (!options_gpu(o, &l.cfg, e))
        return false;
    struct target *t = target_open(o->arg[0], NULL, e);
    if (!t)
        return false;
    bool ok = output_open(&l.out, o, e);
    if (ok) {
        output_array(&l.out, NULL);
        ok = target_kernels(t, print_kernel, &l, e);
        output_up(&l.out);
    }
    target_free(t);
    return output_close(&l.out, ok, e);
}

const struct command command_disasm = {
    .id = COMMAND_disasm,
    .name = "disasm",
    .args = "TARGET",
    .help = "Show TARGET's kernels decoded: basic blocks, reconvergence points, registers",
    .text = "--phases: behind each instruction the phase that it is in, and the sum of latencies\n"
            "from it to that phase's end, on the GPU (docs/schedulers.md, paws).",
    .min_args = 1,
    .max_args = 1,
    .run = run,
};
