#include "sim/sm/meta.h"

#include "base/err.h"

#include <string.h>

/* LAT_OTHER holds fma and rem too, as GPGPU-Sim 3.2.1 has it; here they have rows of their own, so
 * that a configuration can give them the latency that hardware has. */
static enum sm_op op_class(const struct inst *in)
{
    static const enum sm_op table[LAT_COUNT][NUM_COUNT] = {
        [LAT_OTHER] = {SM_OP_other, SM_OP_other, SM_OP_other},
        [LAT_ADD] = {SM_OP_int_add, SM_OP_fp_add, SM_OP_dp_add},
        [LAT_MAX] = {SM_OP_int_max, SM_OP_fp_max, SM_OP_dp_max},
        [LAT_MUL] = {SM_OP_int_mul, SM_OP_fp_mul, SM_OP_dp_mul},
        [LAT_MAD] = {SM_OP_int_mad, SM_OP_fp_mad, SM_OP_dp_mad},
        [LAT_DIV] = {SM_OP_int_div, SM_OP_fp_div, SM_OP_dp_div},
        [LAT_SFU] = {SM_OP_sfu, SM_OP_sfu, SM_OP_sfu},
    };
    if (in->op == OP_FMA)
        return in->num == NUM_DP ? SM_OP_dp_fma : SM_OP_fp_fma;
    if (in->op == OP_REM)
        return SM_OP_int_rem;
    return table[in->lat][in->num];
}

/* Call arguments (.param of a device function) live in registers on hardware: no memory traffic. */
static enum pipe_class pipe_of(const struct inst *in, enum sm_op op, const struct sm_cfg *cfg)
{
    if (in->op == OP_MEMBAR)
        return CLASS_MEM;
    if (in->unit == UNIT_MEM)
        return in->space == SP_FRAME ? CLASS_SP : CLASS_MEM;
    if (cfg->dp_units && op >= SM_OP_dp_add && op <= SM_OP_dp_div)
        return CLASS_DP;
    return in->unit == UNIT_SFU ? CLASS_SFU : in->unit == UNIT_SP_OR_SFU ? CLASS_EITHER : CLASS_SP;
}

/* Adds a scoreboard number to a list of words. False: it is there already, or is none. */
static bool add_register(struct board_bits *list, uint8_t *n, const struct opnd *o)
{
    if (!o->reg)
        return false;
    const uint64_t bit = 1ull << o->reg % 64;
    int i = 0;
    while (i < *n && list[i].word != o->reg / 64u)
        i++;
    if (i == *n)
        list[(*n)++] = (struct board_bits){.word = o->reg / 64u};
    const bool added = !(list[i].bits & bit);
    list[i].bits |= bit;
    return added;
}

/* GPGPU-Sim 3.2.1 numbers registers by the digits in their names; one without digits never meets a
 * bank (unnumbered_banks: false). */
static void add_bank(uint8_t *bank, uint8_t *n, const struct opnd *o, const struct sm_cfg *cfg)
{
    if (o->num != OPND_NO_NUM)
        bank[(*n)++] = (uint8_t)(o->num % cfg->reg_banks);
    else if (cfg->unnumbered_banks)
        bank[(*n)++] = (uint8_t)(o->reg % cfg->reg_banks);
}

static void add_dst(struct inst_meta *m, struct board_bits *list, const struct opnd *o,
                    const struct sm_cfg *cfg)
{
    if (!add_register(list, &m->ndst, o))
        return;
    m->nreserved++;
    add_bank(m->write_bank, &m->nwrite, o, cfg);
}

/* The lists of one instruction, at `list`; returns where the next one's begin. */
static struct board_bits *add_registers(struct inst_meta *m, struct board_bits *list,
                                        const struct sm_cfg *cfg)
{
    const struct inst *in = m->in;
    const bool blind = in->flags & INST_ATOMIC && !cfg->atomic_address_hazard;
    m->check = list;
    for (int i = blind; i < in->ns; i++) {
        add_register(list, &m->ncheck, &in->src[i]);
        if (in->src[i].reg)
            add_bank(m->read_bank, &m->nread, &in->src[i], cfg);
    }
    if (in->guard.off != OPND_NONE)
        add_register(list, &m->ncheck, &in->guard);
    for (int i = 0; i < in->nd; i++)
        add_register(list, &m->ncheck, &in->dst[i]);
    list += m->ncheck;
    m->dst = list;
    for (int i = 0; i < in->nd; i++)
        add_dst(m, list, &in->dst[i], cfg);
    return list + m->ndst;
}

bool meta_is_long_latency(const struct inst *in)
{
    const bool returns = in->flags & INST_LOAD || (in->flags & INST_ATOMIC && in->nd);
    return in->unit == UNIT_MEM && returns &&
           (in->space == SP_GLOBAL || in->space == SP_LOCAL || in->space == SP_TEX ||
            in->space == SP_GENERIC);
}

static void build(struct inst_meta *m, const struct inst *in, const struct sm_cfg *cfg)
{
    const enum sm_op op = op_class(in);
    const int passes = WARP_SIZE / cfg->simd_width;
    m->in = in;
    m->pc = in->pc;
    m->cls = (uint8_t)pipe_of(in, op, cfg);
    m->latency = (uint16_t)(cfg->latency[op] + cfg->interval[op] * (passes - 1));
    m->interval = (uint16_t)(cfg->interval[op] * passes);
    m->load = m->cls == CLASS_MEM && (in->flags & (INST_LOAD | INST_ATOMIC));
    m->long_latency = meta_is_long_latency(in);
    m->fence = in->op == OP_MEMBAR;
    m->barrier = (in->flags & INST_BARRIER) != 0;
    m->reads_clock = in->op == OP_MOVSREG;
    m->polls = in->polls;
}

struct inst_meta *meta_build(const struct kernel *k, const struct sm_cfg *cfg)
{
    size_t lists = 0;
    for (uint32_t i = 0; i < k->ninst; i++)
        lists += (size_t)k->inst[i].ns + 1 + 2 * (size_t)k->inst[i].nd;
    const size_t entries = k->ninst + 2, bytes = lists * sizeof(struct board_bits);
    struct inst_meta *m = xaligned(64, (entries * sizeof *m + bytes + 63) / 64 * 64);
    struct board_bits *list = (struct board_bits *)(m + entries);
    memset(m, 0, entries * sizeof *m + bytes);
    for (uint32_t i = 0; i < k->ninst; i++) {
        build(&m[i], &k->inst[i], cfg);
        list = add_registers(&m[i], list, cfg);
    }
    m[k->ninst].pc = m[k->ninst + 1].pc = META_NO_PC;
    return m;
}
