/* sim/ptx/disasm.c -- a decoded kernel as text: `mdpredict disasm`. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/ptx/decode.h"

struct text {
    char *s;
    size_t len, cap;
    const char *const *remarks; /* by pc; NULL: none */
};

#define REMARK_AT 56 /* column */

static void add(struct text *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void add(struct text *t, const char *fmt, ...)
{
    for (;;) {
        va_list ap;
        va_start(ap, fmt);
        const int n = vsnprintf(t->s + t->len, t->cap - t->len, fmt, ap);
        va_end(ap);
        if ((size_t)n < t->cap - t->len) {
            t->len += (size_t)n;
            return;
        }
        t->cap = 2 * t->cap + (size_t)n;
        t->s = xrealloc(t->s, t->cap);
    }
}

static void add_special(struct text *t, const struct kernel *k, uint32_t off)
{
    for (int i = 0; i < SREG_ROWS; i++)
        if (k->sreg_off[i] == off)
            add(t, "%s", sreg_name((enum sreg)i));
}

static void add_constant(struct text *t, const struct kernel *k, const struct opnd *o)
{
    uint64_t v = 0;
    memcpy(&v, k->cbank + o->off, o->width ? o->width : 4);
    const int64_t sv = o->width == 4 ? (int32_t)v : (int64_t)v;
    if (!o->width)
        add(t, "%s", v ? "true" : "false");
    else if (sv < 0 && sv > -9999)
        add(t, "%" PRId64, sv);
    else if (v > 9999)
        add(t, "0x%" PRIx64, v);
    else
        add(t, "%" PRIu64, v);
}

/* Registers by number of declaration: p predicate, r 32 bits and less, d 64 bits. */
static void add_opnd(struct text *t, const struct kernel *k, const struct opnd *o)
{
    if (o->neg)
        add(t, "!");
    if (o->off == OPND_NONE)
        add(t, "_");
    else if (o->bank == BANK_CONST)
        add_constant(t, k, o);
    else if (!o->reg)
        add_special(t, k, o->off);
    else
        add(t, "%c%u", o->width == 0 ? 'p' : o->width == 8 ? 'd' : 'r', o->reg);
}

static bool has_address(const struct inst *in)
{
    switch ((enum opcode)in->op) {
    case OP_LD:
    case OP_LDU:
    case OP_ST:
    case OP_ATOM:
    case OP_RED:
    case OP_PREFETCH:
    case OP_PREFETCHU:
    case OP_DISCARD:
    case OP_APPLYPRIORITY:
    case OP_CP_ASYNC:
        return true;
    default:
        return false;
    }
}

static void add_operands(struct text *t, const struct kernel *k, const struct inst *in)
{
    const char *sep = " ";
    for (int i = 0; i < in->nd; i++, sep = ", ") {
        add(t, "%s", sep);
        add_opnd(t, k, &in->dst[i]);
    }
    for (int i = 0; i < in->ns; i++, sep = ", ") {
        const bool address = !i && has_address(in);
        add(t, "%s%s", sep, address ? "[" : "");
        add_opnd(t, k, &in->src[i]);
        if (address && in->imm)
            add(t, "%+" PRId64, in->imm);
        add(t, "%s", address ? "]" : "");
    }
}

static void add_rest(struct text *t, const struct inst *in)
{
    if (in->op == OP_MOVSREG)
        add(t, ", %s", sreg_name((enum sreg)in->mode));
    if (in->op == OP_LOP3)
        add(t, ", 0x%" PRIx64, (uint64_t)in->imm);
}

static void add_flow(struct text *t, const struct kernel *k, const struct inst *in)
{
    if (in->op == OP_BRA)
        add(t, " B%d", block_at(k, in->target));
    for (int i = 0; in->op == OP_BRX && i < in->table->n; i++)
        add(t, " B%d", block_at(k, in->table->target[i]));
    if (in->op == OP_CALL && in->call->callee)
        add(t, " %s", in->call->callee->name);
    const bool diverges = in->op == OP_BRX || (in->op == OP_BRA && in->guard.off != OPND_NONE);
    if (diverges && in->reconv == RECONV_EXIT)
        add(t, "  // joins at the exit");
    else if (diverges)
        add(t, "  // joins at B%d", block_at(k, in->reconv));
}

static void add_inst(struct text *t, const struct kernel *k, const struct inst *in)
{
    const size_t line = t->len;
    add(t, "%6u  ", in->pc);
    if (in->guard.off != OPND_NONE) {
        add(t, "@");
        add_opnd(t, k, &in->guard);
        add(t, " ");
    }
    add(t, "%s", in->text);
    add_operands(t, k, in);
    add_rest(t, in);
    add_flow(t, k, in);
    if (t->remarks) {
        const int used = (int)(t->len - line);
        add(t, "%*s  // %s", used < REMARK_AT ? REMARK_AT - used : 0, "", t->remarks[in->pc]);
    }
    add(t, "\n");
}

static void add_block(struct text *t, const struct kernel *k, int b)
{
    const struct block *blk = &k->block[b];
    const char *sep = "";
    add(t, "  B%d:  -> ", b);
    const struct inst *last = &k->inst[blk->first + blk->n - 1];
    for (int i = 0; last->op == OP_BRX && i < last->table->n; i++, sep = ", ")
        add(t, "%sB%d", sep, block_at(k, last->table->target[i]));
    for (int i = 0; i < blk->nsucc; i++, sep = ", ") {
        add(t, "%s", sep);
        if (blk->succ[i] < 0)
            add(t, "exit");
        else
            add(t, "B%d", blk->succ[i]);
    }
    if (blk->ipdom < 0)
        add(t, "; post-dominated by the exit\n");
    else
        add(t, "; post-dominated by B%d\n", blk->ipdom);
    for (uint32_t i = blk->first; i < blk->first + blk->n; i++)
        add_inst(t, k, &k->inst[i]);
}

static void add_header(struct text *t, const struct kernel *k)
{
    add(t, "%s: kernel %s\n", module_name(k->module), k->name);
    add(t, "registers a thread: %u; declared: %d; bytes of register rows a warp: %u\n", k->regs,
        k->nregnum, k->reg_bytes);
    add(t, "shared: %u bytes; local: %u; frame: %u\n", k->shared_bytes, k->local_bytes,
        k->frame_bytes);
    for (int i = 0; i < k->nparam; i++)
        add(t, "param %-4u %s: %u bytes, .%s\n", k->param[i].off, k->param[i].name,
            k->param[i].bytes, type_name(k->param[i].type));
    if (k->maxntid[0])
        add(t, "maxntid: %d, %d, %d\n", k->maxntid[0], k->maxntid[1], k->maxntid[2]);
    if (k->reqntid[0])
        add(t, "reqntid: %d, %d, %d\n", k->reqntid[0], k->reqntid[1], k->reqntid[2]);
    if (k->cluster[0])
        add(t, "reqnctapercluster: %d, %d, %d\n", k->cluster[0], k->cluster[1], k->cluster[2]);
    if (k->minnctapersm)
        add(t, "minnctapersm: %d\n", k->minnctapersm);
    if (k->maxnreg)
        add(t, "maxnreg: %d\n", k->maxnreg);
}

char *kernel_disasm(const struct kernel *k, const char *const *remarks)
{
    struct text t = {.s = xmalloc(4096), .cap = 4096, .remarks = remarks};
    add_header(&t, k);
    int func = -1;
    for (int b = 0; b < k->nblock; b++) {
        if (k->block[b].func != func) {
            func = k->block[b].func;
            add(&t, "\n%s: %u instructions, %d registers live at most\n", k->func[func].name,
                k->func[func].n, k->func[func].max_live);
        }
        add_block(&t, k, b);
    }
    return t.s;
}
