#include <stdlib.h>

#include "cli/commands.h"
#include "cli/output.h"
#include "sim/frontend/target.h"

static bool print_kernel(void *user, const struct kernel *k, struct err *e)
{
    struct output *out = user;
    (void)e;
    char *text = kernel_disasm(k);
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
    if (out->format == FORMAT_JSON)
        output_str(out, "text", text, NULL);
    output_up(out);
    free(text);
    return true;
}

static bool run(struct options *o, struct err *e)
{
    struct output out;
    struct target *t = target_open(o->arg[0], NULL, e);
    if (!t)
        return false;
    bool ok = output_open(&out, o, e);
    if (ok) {
        output_array(&out, NULL);
        ok = target_kernels(t, print_kernel, &out, e);
        output_up(&out);
    }
    target_free(t);
    return output_close(&out, ok, e);
}

const struct command command_disasm = {
    .id = COMMAND_disasm,
    .name = "disasm",
    .args = "TARGET",
    .help = "Show TARGET's kernels decoded: basic blocks, reconvergence points, registers",
    .min_args = 1,
    .max_args = 1,
    .run = run,
};
