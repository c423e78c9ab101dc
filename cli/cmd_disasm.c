#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/table.h"
#include "base/wrap.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "sim/frontend/target.h"
#include "sim/gpu/gpu_cfg.h"
#include "sim/sm/sched/phases.h"
#include "sim/sm/sched/program_points.h"

struct listing {
    struct output out;
    struct gpu_cfg cfg; /* latencies, if phases are asked for */
    bool phases, points;
};

static struct phases *phases_of(const struct listing *l, const struct kernel *k)
{
    struct inst_meta *meta = meta_build(k, &l->cfg.sm);
    struct phases *p = phases_build(&(struct sched_code){k, meta, &l->cfg.sm});
    free(meta);
    return p;
}

static const struct program_point *point_at(const struct program_points *q, uint32_t pc)
{
    for (int i = 0; i < q->n; i++)
        if (q->point[i].pc == pc)
            return &q->point[i];
    return NULL;
}

static bool has_bit(const struct kernel *k, const struct program_points *q, uint32_t pc)
{
    return program_points_is_branch(&k->inst[pc]) && q->recalculate[pc] == RECALCULATE_IF_JUMPED;
}

/* "priority 4", ", point, score 1" and ", bit set" where there are any. */
static char *points_remark(const struct kernel *k, const struct program_points *q, uint32_t pc)
{
    const struct program_point *at = point_at(q, pc);
    char score[48] = "";
    const char *bit = !program_points_is_branch(&k->inst[pc]) ? ""
                      : has_bit(k, q, pc)                     ? ", bit set"
                                                              : ", bit clear";
    if (at)
        snprintf(score, sizeof score, ", point, score %d", at->score);
    return xasprintf("priority %u%s%s", q->priority[pc], score, bit);
}

static char *remark_of(const struct kernel *k, const struct phases *p,
                       const struct program_points *q, uint32_t pc)
{
    char *of_p =
        p ? xasprintf("phase %u, distance %u", p->at[pc].phase, p->at[pc].distance) : xstrdup("");
    char *of_q = q ? points_remark(k, q, pc) : xstrdup("");
    char *both = xasprintf("%s%s%s", of_p, p && q ? "; " : "", of_q);
    free(of_p);
    free(of_q);
    return both;
}

/* p, q NULL: without these remarks. */
static char *text_of(const struct kernel *k, const struct phases *p, const struct program_points *q)
{
    if (!p && !q)
        return kernel_disasm(k, NULL);
    char **remark = xcalloc(k->ninst, sizeof *remark);
    for (uint32_t i = 0; i < k->ninst; i++)
        remark[i] = remark_of(k, p, q, i);
    char *text = kernel_disasm(k, (const char *const *)remark);
    for (uint32_t i = 0; i < k->ninst; i++)
        free(remark[i]);
    free(remark);
    return text;
}

static void output_point(struct output *out, const struct kernel *k, const struct program_points *q,
                         uint32_t pc)
{
    const struct program_point *at = point_at(q, pc);
    output_uint(out, "priority", q->priority[pc], NULL);
    output_bool(out, "point", at != NULL);
    if (at)
        output_uint(out, "score", (uint64_t)at->score, NULL);
    if (program_points_is_branch(&k->inst[pc]))
        output_bool(out, "recalculation_bit", has_bit(k, q, pc));
}

static void output_remarks(struct output *out, const struct kernel *k, const struct phases *p,
                           const struct program_points *q)
{
    if (p)
        output_uint(out, "phases", p->count, NULL);
    if (q) {
        output_uint(out, "program_points", (uint64_t)q->found, NULL);
        output_uint(out, "program_points_merged", (uint64_t)q->n, NULL);
    }
    output_array(out, "instruction");
    for (uint32_t i = 0; i < k->ninst; i++) {
        output_object(out, NULL);
        if (p) {
            output_uint(out, "phase", p->at[i].phase, NULL);
            output_uint(out, "distance", p->at[i].distance, NULL);
        }
        if (q)
            output_point(out, k, q, i);
        output_up(out);
    }
    output_up(out);
}

#define INST_AT 8 /* column in which an instruction begins */

/* On a terminal that is too narrow remarks come below; code stays whole. */
static void print_line(FILE *out, const char *line, int bytes)
{
    const char *remark = memmem(line, (size_t)bytes, "  // ", 5);
    const int room = table_columns();
    if (!room || bytes <= room || (*line == ' ' && !remark)) {
        fprintf(out, "%.*s\n", bytes, line);
        return;
    }
    int code = remark ? (int)(remark - line) : 0;
    char *text = xasprintf("%.*s", bytes - code, line + code);
    while (code > 0 && line[code - 1] == ' ')
        code--;
    if (code)
        fprintf(out, "%.*s\n%*s", code, line, INST_AT, "");
    wrap_print(out, text + strspn(text, " "), code ? INST_AT : 0, INST_AT, room);
    free(text);
}

static void print_lines(FILE *out, const char *text)
{
    while (*text) {
        const int bytes = (int)strcspn(text, "\n");
        print_line(out, text, bytes);
        text += bytes + (text[bytes] == '\n');
    }
}

static bool print_kernel(void *user, const struct kernel *k, struct err *e)
{
    struct listing *l = user;
    struct output *out = &l->out;
    (void)e;
    struct phases *p = l->phases ? phases_of(l, k) : NULL;
    struct program_points *q = l->points ? program_points(k, &l->cfg.sm.elf) : NULL;
    char *text = text_of(k, p, q);
    if (out->format == FORMAT_TEXT)
        print_lines(out->text, text);
    output_object(out, NULL);
    output_str(out, "kernel", k->name, NULL);
    output_uint(out, "registers", k->regs, NULL);
    output_uint(out, "shared_bytes", k->shared_bytes, NULL);
    output_uint(out, "local_bytes", k->local_bytes, NULL);
    output_uint(out, "param_bytes", k->param_bytes, NULL);
    output_uint(out, "functions", (uint64_t)k->nfunc, NULL);
    output_uint(out, "blocks", (uint64_t)k->nblock, NULL);
    output_uint(out, "instructions", k->ninst, NULL);
    if (p || q)
        output_remarks(out, k, p, q);
    if (out->format == FORMAT_JSON)
        output_str(out, "text", text, NULL);
    output_up(out);
    free(text);
    free(p);
    free(q);
    return true;
}

static bool run(struct options *o, struct err *e)
{
    struct listing l = {.phases = o->phases, .points = o->points};
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
            "from it to that phase's end, on the GPU (docs/schedulers.md, paws).\n"
            "--points: elf's program points and their scores, the priority that the calculator\n"
            "gives at each instruction, and the recalculation bit of each branch.",
    .min_args = 1,
    .max_args = 1,
    .run = run,
};
