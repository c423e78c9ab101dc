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
    int total = 0;
    for (int i = 0; i < PIPE_COUNT; i++) {
        const struct pipe_cfg p = sm_pipe(cfg, (enum pipe)i);
        struct collector_pipe *q = &c->pipe[i];
        q->in.width = (uint8_t)p.in;
        q->out.width = (uint8_t)p.out;
        q->ports_in = (uint8_t)p.ports_in;
        q->ports_out = (uint8_t)p.ports_out;
        q->set = low_bits(p.collectors) << total;
        for (int port = 0; port < MAX_WIDTH; port++)
            q->last[port] = (uint8_t)total;
        total += p.collectors;
    }
    c->free = low_bits(total);
    uint32_t size = 1; /* every operand of every unit may queue at one bank */
    while (size < (uint32_t)total * INST_MAX_SRC)
        size *= 2;
    c->queue_mask = size - 1;
    c->banks = cfg->reg_banks;
    c->queue = xcalloc((size_t)cfg->reg_banks, size);
    c->square = total > cfg->reg_banks ? total : cfg->reg_banks;
}

void collector_fini(struct collector *c)
{
    free(c->queue);
}

void collector_take(struct sm *s, enum pipe p, uint32_t op)
{
    struct stage *in = &s->oc.pipe[p].in;
    in->op[in->n++] = op;
    s->oc.busy++;
}

/* Banks are taken one after the other; those taken before one is found busy are lost for reads of
 * this cycle, as in GPGPU-Sim 3.2.1. Two registers of one instruction may share a bank. */
bool collector_write(struct sm *s, const struct op *o)
{
    struct collector *c = &s->oc;
    uint64_t own = 0;
    for (int i = 0; i < o->m->nwrite; i++) {
        const uint64_t bank = 1ull << bank_behind(c->banks, o->bank, o->m->write_bank[i]);
        if (c->written & bank & ~own)
            return false;
        own |= bank;
        c->written |= bank;
    }
    return true;
}

/* Ready units move to the pipeline register of their execution units, round robin a port. */
static void dispatch(struct sm *s, struct collector_pipe *p)
{
    struct collector *c = &s->oc;
    uint64_t ready = c->ready & p->set;
    for (int port = 0; ready && port < p->ports_out && !stage_full(&p->out); port++) {
        const uint64_t behind = ready & ~1ull << p->last[port];
        const int unit = __builtin_ctzll(behind ? behind : ready);
        p->last[port] = (uint8_t)unit;
        ready &= ~(1ull << unit);
        c->ready &= ~(1ull << unit);
        c->free |= 1ull << unit;
        stage_add(s, &p->out, c->op[unit]);
        c->busy--;
    }
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

/* The bank serves its first read. */
static void serve(struct collector *c, int bank)
{
    const uint32_t at = c->head[bank];
    const int unit = c->queue[at * (uint32_t)c->banks + (uint32_t)bank];
    c->head[bank] = (uint16_t)((at + 1) & c->queue_mask);
    if (--c->len[bank] == 0) {
        c->waiting &= ~(1ull << bank);
        c->head[bank] = 0;
    }
    if (--c->left[unit] == 0)
        c->ready |= 1ull << unit;
}

static void read_banks(struct collector *c, uint64_t banks, cycle_t now)
{
    const int square = c->square, first = first_diagonal(c, now);
    int8_t winner[64]; /* per unit: bank; valid where `asked` has the unit */
    uint8_t rank[64];
    uint64_t asked = 0;
    for (; banks; banks &= banks - 1) {
        const int bank = __builtin_ctzll(banks);
        const int unit = c->queue[c->head[bank] * c->banks + bank];
        int diagonal = unit - bank - first;
        while (diagonal < 0)
            diagonal += square;
        if (asked >> unit & 1 && rank[unit] <= diagonal)
            continue;
        asked |= 1ull << unit;
        winner[unit] = (int8_t)bank;
        rank[unit] = (uint8_t)diagonal;
    }
    for (; asked; asked &= asked - 1)
        serve(c, winner[__builtin_ctzll(asked)]);
}

/* Instructions move into free units and queue their reads. */
static void allocate(struct sm *s, struct collector_pipe *p)
{
    struct collector *c = &s->oc;
    for (int port = 0; port < p->ports_in && p->in.n && c->free & p->set; port++) {
        const uint32_t op = stage_take(&p->in);
        const struct inst_meta *m = s->op[op].m;
        const int unit = __builtin_ctzll(c->free & p->set);
        s->dirty |= s->no_room;
        c->free &= ~(1ull << unit);
        c->op[unit] = op;
        c->left[unit] = m->nread;
        if (!m->nread)
            c->ready |= 1ull << unit;
        for (int i = 0; i < m->nread; i++) {
            const int bank = bank_behind(c->banks, s->op[op].bank, m->read_bank[i]);
            const uint32_t at = (uint32_t)(c->head[bank] + c->len[bank]++) & c->queue_mask;
            c->queue[at * (uint32_t)c->banks + (uint32_t)bank] = (uint8_t)unit;
            c->waiting |= 1ull << bank;
        }
    }
}

void collector_step(struct sm *s, cycle_t now)
{
    struct collector *c = &s->oc;
    if (c->busy) {
        for (int p = 0; p < PIPE_COUNT; p++)
            if (c->ready & c->pipe[p].set)
                dispatch(s, &c->pipe[p]);
        const uint64_t banks = c->waiting & ~c->written;
        if (banks & (banks - 1))
            read_banks(c, banks, now);
        else if (banks) /* no choice */
            serve(c, __builtin_ctzll(banks));
        for (int p = 0; p < PIPE_COUNT; p++)
            if (c->pipe[p].in.n)
                allocate(s, &c->pipe[p]);
    }
    c->written = 0;
}
