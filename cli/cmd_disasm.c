#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/table.h"
#include "base/wrap.h"
#include "cli/commands.h"
#include "cli/keys.h"
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

/* What is said of a kernel's code; NULL: it was not asked for. */
struct kernel_code {
    const struct kernel *of;
    const struct phases *phases;
    const struct program_points *points;
    const char *text;
};
struct listed_inst {
    uint32_t priority;
    bool is_point;
    const struct program_point *at; /* NULL: none */
};

const struct output_row phase_rows[] = {
    {"command", "phase", "", "`disasm --phases`: its number", OUTPUT_FIELD(struct phase_at, phase)},
    {"command", "distance", "insts", "... to the phase's end",
     OUTPUT_FIELD(struct phase_at, distance)},
    {.name = NULL}};
const struct output_row point_rows[] = {
    {"command", "priority", "", "`disasm --points`: that the calculator gives",
     OUTPUT_FIELD(struct listed_inst, priority)},
    {"command", "point", "", "`disasm --points`: whether a program point begins here",
     OUTPUT_FIELD(struct listed_inst, is_point)},
    {"command", "score", "", "... of it", OUTPUT_VIA(struct listed_inst, at, score)},
    {.name = NULL}};
/* The object is a bool. */
const struct output_row bit_rows[] =
    OUTPUT_ONE("command", "recalculation_bit", "",
               "`disasm --points`: whether the instruction has one (elf)", .type = OUTPUT_BOOL);

static void output_point(struct output *out, const struct kernel *k, const struct program_points *q,
                         uint32_t pc)
{
    const struct program_point *at = point_at(q, pc);
    const bool bit = has_bit(k, q, pc);
    output_rows(out, point_rows, &(struct listed_inst){q->priority[pc], at != NULL, at});
    if (program_points_is_branch(&k->inst[pc]))
        output_rows(out, bit_rows, &bit);
}

static void write_instructions(struct output *out, const char *name, const void *code)
{
    const struct kernel_code *t = code;
    if (!t->phases && !t->points)
        return;
    output_array(out, name);
    for (uint32_t i = 0; i < t->of->ninst; i++) {
        output_object(out, NULL);
        if (t->phases)
            output_rows(out, phase_rows, &t->phases->at[i]);
        if (t->points)
            output_point(out, t->of, t->points, i);
        output_up(out);
    }
    output_up(out);
}

#define OF(field) OUTPUT_VIA(struct kernel_code, of, field)
const struct output_row code_rows[] = {
    {.name = "kernel", OF(name)},
    {.name = "registers", OF(regs)},
    {.name = "shared_bytes", OF(shared_bytes)},
    {"command", "local_bytes", "bytes", "`disasm`: local memory of a thread", OF(local_bytes)},
    {"command", "param_bytes", "bytes", "... of its parameters", OF(param_bytes)},
    {"command", "functions", "", "... of a kernel, itself included", OF(nfunc)},
    {"command", "blocks", "", "... basic blocks", OF(nblock)},
    {"command", "instructions", "", "... of its code", OF(ninst)},
    {"command", "phases", "", "`disasm --phases`: how many there are",
     OUTPUT_VIA(struct kernel_code, phases, count)},
    {"command", "program_points", "", "`disasm --points`: how many there are",
     OUTPUT_VIA(struct kernel_code, points, found)},
    {"command", "program_points_merged", "", "... when like ones are one",
     OUTPUT_VIA(struct kernel_code, points, n)},
    {"command", "instruction", "", "`disasm --phases`, `--points`: an object an instruction",
     .write = write_instructions},
    {"command", "text", "", "`disasm`: the code, as text", OUTPUT_FIELD(struct kernel_code, text),
     .from = 1},
    {.name = NULL}};

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
    const struct kernel_code code = {k, p, q, out->format == FORMAT_JSON ? text : NULL};
    output_object(out, NULL);
    output_rows(out, code_rows, &code);
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
