/* sim/ptx/rows.c -- virtual registers to rows of BANK_REG, by linear scan over the instructions.
 *
 *   | predicate masks, 4 bytes each | special registers | function 0 | function 1 | ...
 *
 * A lane's registers follow that lane's own path, and writes are masked by lane, so liveness of the
 * scalar program decides for all lanes at once. Sources and destinations of one instruction never
 * share a row unless the text names one register twice. */
#include <stdlib.h>
#include <string.h>

#include "sim/ptx/decode.h"
#include "sim/ptx/liveness.h"

enum { CLASS_PRED, CLASS_32, CLASS_64, CLASSES };
static const uint32_t class_bytes[CLASSES] = {4, 4 * WARP_SIZE, 8 * WARP_SIZE};

struct pool { /* rows of one class; free ones are reused newest first */
    uint32_t *free, nfree, cap;
    uint32_t used;
};

struct scan {
    struct decoder *d;
    const struct liveness *l;
    uint32_t *slot;        /* [nvreg]: row number in its class */
    uint32_t *start, *end; /* [ninst + 1]: lists of registers by first, by last instruction */
    uint32_t *next_start, *next_end; /* [nvreg] */
    struct pool pool[CLASSES];
};

static int class_of(const struct decoder *d, uint32_t vreg)
{
    const enum vtype t = (enum vtype)d->vreg[vreg].type;
    return t == VT_PRED ? CLASS_PRED : type_bytes(t) > 4 ? CLASS_64 : CLASS_32;
}

static void make_lists(struct scan *s)
{
    const uint32_t n = s->d->k->ninst;
    memset(s->start, 0xff, (n + 1) * sizeof *s->start);
    memset(s->end, 0xff, (n + 1) * sizeof *s->end);
    for (uint32_t v = s->d->nvreg; v-- > 0;) {
        if (s->l->first[v] > s->l->last[v])
            continue;
        s->next_start[v] = s->start[s->l->first[v]];
        s->start[s->l->first[v]] = v;
        s->next_end[v] = s->end[s->l->last[v]];
        s->end[s->l->last[v]] = v;
    }
}

static void scan(struct scan *s)
{
    const struct kernel *k = s->d->k;
    for (uint32_t pc = 0; pc < k->ninst; pc++) {
        for (uint32_t v = s->start[pc]; v != UINT32_MAX; v = s->next_start[v]) {
            struct pool *p = &s->pool[class_of(s->d, v)];
            s->slot[v] = p->nfree ? p->free[--p->nfree] : p->used++;
        }
        for (uint32_t v = s->end[pc]; v != UINT32_MAX; v = s->next_end[v]) {
            struct pool *p = &s->pool[class_of(s->d, v)];
            GROW(p->free, p->nfree, p->cap);
            p->free[p->nfree++] = s->slot[v];
        }
        /* The next function gets rows of its own: its callers' registers stay as they are. */
        if (pc + 1 < k->ninst && k->inst[pc + 1].func != k->inst[pc].func)
            for (int c = 0; c < CLASSES; c++)
                s->pool[c].nfree = 0;
    }
}

static uint32_t round64(uint32_t n)
{
    return (n + 63) & ~UINT32_C(63);
}

/* First byte of each class; rows of special registers lie between. */
static void lay_out(struct scan *s, uint32_t base[CLASSES])
{
    struct kernel *k = s->d->k;
    uint32_t top = s->pool[CLASS_PRED].used * class_bytes[CLASS_PRED];
    base[CLASS_PRED] = 0;
    k->cc_off = OPND_NONE;
    if (s->d->cc_used) {
        k->cc_off = top;
        top += 4;
    }
    k->row32_off = top = round64(top);
    for (int i = 0; i < SREG_ROWS; i++) {
        k->sreg_off[i] = s->d->sreg_used[i] ? top : OPND_NONE;
        top += s->d->sreg_used[i] ? class_bytes[CLASS_32] : 0;
    }
    base[CLASS_32] = top;
    top += s->pool[CLASS_32].used * class_bytes[CLASS_32];
    base[CLASS_64] = k->row64_off = top;
    k->reg_bytes = top + s->pool[CLASS_64].used * class_bytes[CLASS_64];
}

static void fix(const struct scan *s, const uint32_t base[CLASSES], struct opnd *o)
{
    if (o->bank == BANK_VREG) {
        const int c = class_of(s->d, o->off);
        o->off = base[c] + s->slot[o->off] * class_bytes[c];
    } else if (o->bank == BANK_SREG) {
        o->off = s->d->k->sreg_off[o->off];
    }
    if (o->bank != BANK_CONST)
        o->bank = BANK_REG;
}

static void fix_all(const struct scan *s, const uint32_t base[CLASSES])
{
    struct kernel *k = s->d->k;
    for (uint32_t i = 0; i < k->ninst; i++) {
        struct inst *in = &k->inst[i];
        for (int j = 0; j < in->nd; j++)
            fix(s, base, &in->dst[j]);
        for (int j = 0; j < in->ns; j++)
            fix(s, base, &in->src[j]);
        fix(s, base, &in->guard);
    }
}

void rows_assign(struct decoder *d, const struct liveness *l)
{
    const size_t nv = d->nvreg + 1, ni = (size_t)d->k->ninst + 1;
    struct scan s = {.d = d,
                     .l = l,
                     .slot = xcalloc(nv, sizeof *s.slot),
                     .start = xmalloc(ni * sizeof *s.start),
                     .end = xmalloc(ni * sizeof *s.end),
                     .next_start = xmalloc(nv * sizeof *s.next_start),
                     .next_end = xmalloc(nv * sizeof *s.next_end)};
    uint32_t base[CLASSES];
    make_lists(&s);
    scan(&s);
    lay_out(&s, base);
    fix_all(&s, base);
    d->k->nregnum = (int)(d->nvreg < UINT16_MAX ? d->nvreg : UINT16_MAX);
    free(s.slot);
    free(s.start);
    free(s.end);
    free(s.next_start);
    free(s.next_end);
    for (int c = 0; c < CLASSES; c++)
        free(s.pool[c].free);
}
