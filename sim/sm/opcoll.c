/* Operand collectors. Per pipe: pipeline register from issue -> free collector unit, whose register
 * reads queue at their banks -> all operands read -> pipeline register to the unit.
 *
 * A bank serves one read a cycle, a collector unit receives one operand a cycle, and results being
 * written have the bank first. Heads of the bank queues are matched to collector units in the order
 * of a wavefront allocator whose first diagonal moves on every cycle (GPGPU-Sim 3.2.1 takes it from
 * booksim) as long as the core holds CTAs; with one request a bank, of the banks that want the same
 * unit the one on the earliest diagonal wins. */
#include "sim/sm/core.h"

#include <stdlib.h>

static uint64_t low_bits(int n)
{
    return n == 64 ? ~0ull : (1ull << n) - 1;
}

void collector_init(struct collector *c, const struct sm_cfg *cfg)
{
    const struct collector_cfg *p = &cfg->collector;
    const int units[] = {p->sp_units, p->sfu_units, cfg->dp_units ? p->dp_units : 0, p->mem_units};
    const int ports_in[] = {p->sp_in, p->sfu_in, p->dp_in, p->mem_in};
    const int ports_out[] = {p->sp_out, p->sfu_out, p->dp_out, p->mem_out};
    const int in[] = {p->issue_sp, p->issue_sfu, p->issue_dp, p->issue_mem};
    const int out[] = {p->exec_sp, p->exec_sfu, p->exec_dp, p->exec_mem};
    int total = 0;
    for (int i = 0; i < PIPE_COUNT; i++) {
        c->in[i].width = in[i];
        c->out[i].width = out[i];
        c->first[i] = total;
        c->units[i] = units[i];
        c->ports_in[i] = ports_in[i];
        c->ports_out[i] = ports_out[i];
        c->free[i] = low_bits(units[i]);
        total += units[i];
    }
    uint32_t size = 1; /* every operand of every unit may queue at one bank */
    while (size < (uint32_t)total * INST_MAX_SRC)
        size *= 2;
    c->bank_mask = size - 1;
    c->bank = xcalloc((size_t)cfg->reg_banks, sizeof *c->bank);
    c->bank_mem = xcalloc((size_t)cfg->reg_banks, size);
    for (int b = 0; b < cfg->reg_banks; b++)
        c->bank[b].unit = c->bank_mem + (size_t)b * size;
    c->square = total > cfg->reg_banks ? total : cfg->reg_banks;
}

void collector_fini(struct collector *c)
{
    free(c->bank);
    free(c->bank_mem);
}

bool collector_take(struct collector *c, enum pipe p, uint32_t op)
{
    if (stage_full(&c->in[p]))
        return false;
    c->in[p].op[c->in[p].n++] = op;
    c->busy++;
    return true;
}

/* Banks are taken one after the other; those taken before one is found busy are lost for reads of
 * this cycle, as in GPGPU-Sim 3.2.1. Two registers of one instruction may share a bank. */
bool collector_write(struct sm *s, const struct op *o)
{
    uint64_t own = 0;
    for (int i = 0; i < o->m->nwrite; i++) {
        const uint64_t bank = 1ull << bank_behind(s, o->bank, o->m->write_bank[i]);
        if (s->oc.written & bank & ~own)
            return false;
        own |= bank;
        s->oc.written |= bank;
    }
    return true;
}

/* Ready units move to the pipeline register of their execution units, round robin a port. */
static void dispatch(struct collector *c, enum pipe p)
{
    for (int port = 0; port < c->ports_out[p]; port++) {
        if (!c->ready[p] || stage_full(&c->out[p]))
            return;
        const uint64_t behind = c->ready[p] & ~1ull << c->last[p][port];
        const int u = __builtin_ctzll(behind ? behind : c->ready[p]);
        c->last[p][port] = u;
        c->ready[p] &= ~(1ull << u);
        c->free[p] |= 1ull << u;
        c->out[p].op[c->out[p].n++] = c->op[c->first[p] + u];
        c->busy--;
    }
}

static void operand_read(struct collector *c, int unit)
{
    if (--c->left[unit])
        return;
    int p = PIPE_COUNT - 1;
    while (unit < c->first[p])
        p--;
    c->ready[p] |= 1ull << (unit - c->first[p]);
}

/* The diagonal that is first now: the cycle, without idle ones, modulo the matrix's size. */
static int first_diagonal(struct collector *c, cycle_t now)
{
    cycle_t turn = now - c->idle - c->turn_at + (cycle_t)c->turn;
    if (turn >= (cycle_t)c->square) /* a division costs; mostly only one cycle has gone by */
        turn %= (cycle_t)c->square;
    c->turn_at = now - c->idle;
    c->turn = (int)turn;
    return c->turn;
}

static void read_banks(struct collector *c, cycle_t now)
{
    const int square = c->square, first = first_diagonal(c, now);
    int8_t winner[64]; /* per unit: bank; valid where `asked` has the unit */
    uint8_t rank[64];
    uint64_t asked = 0;
    for (uint64_t b = c->waiting & ~c->written; b; b &= b - 1) {
        const int bank = __builtin_ctzll(b);
        const struct bank_queue *q = &c->bank[bank];
        const int unit = q->unit[q->head];
        int diagonal = unit - bank - first;
        while (diagonal < 0)
            diagonal += square;
        if (asked >> unit & 1 && rank[unit] <= diagonal)
            continue;
        asked |= 1ull << unit;
        winner[unit] = (int8_t)bank;
        rank[unit] = (uint8_t)diagonal;
    }
    for (; asked; asked &= asked - 1) {
        const int unit = __builtin_ctzll(asked);
        struct bank_queue *q = &c->bank[winner[unit]];
        q->head = (uint16_t)((q->head + 1) & c->bank_mask);
        if (--q->len == 0)
            c->waiting &= ~(1ull << winner[unit]);
        operand_read(c, unit);
    }
}

/* An instruction moves into a free unit and queues its reads. */
static void allocate(struct sm *s, enum pipe p)
{
    struct collector *c = &s->oc;
    for (int port = 0; port < c->ports_in[p] && c->in[p].n && c->free[p]; port++) {
        int at;
        const uint32_t op = stage_oldest(s, &c->in[p], &at);
        const struct inst_meta *m = s->op[op].m;
        const int u = __builtin_ctzll(c->free[p]), unit = c->first[p] + u;
        stage_drop(&c->in[p], at);
        s->dirty |= s->no_room;
        c->free[p] &= ~(1ull << u);
        c->op[unit] = op;
        c->left[unit] = m->nread;
        if (!m->nread)
            c->ready[p] |= 1ull << u;
        for (int i = 0; i < m->nread; i++) {
            const int bank = bank_behind(s, s->op[op].bank, m->read_bank[i]);
            struct bank_queue *q = &c->bank[bank];
            q->unit[(q->head + q->len++) & c->bank_mask] = (uint8_t)unit;
            c->waiting |= 1ull << bank;
        }
    }
}

void collector_step(struct sm *s, cycle_t now)
{
    struct collector *c = &s->oc;
    if (c->busy) {
        for (int p = 0; p < PIPE_COUNT; p++)
            dispatch(c, (enum pipe)p);
        if (c->waiting & ~c->written)
            read_banks(c, now);
        for (int p = 0; p < PIPE_COUNT; p++)
            if (c->in[p].n)
                allocate(s, (enum pipe)p);
    }
    c->written = 0;
}
