/* sim/ptx/scope.c -- what a name means at a place in a body. struct name points to its innermost
 * meaning; leaving a scope restores the outer ones. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/ptx/decode.h"

enum { FORMALS_DEPTH = 1, BODY_DEPTH }; /* of scopes */

uint32_t vreg_new(struct decoder *d, enum vtype t)
{
    GROW(d->vreg, d->nvreg, d->cap_vreg);
    /* More than 65535 registers: numbers repeat, which only ever adds dependencies. */
    const uint16_t reg = (uint16_t)(1 + d->nvreg % UINT16_MAX);
    d->vreg[d->nvreg] = (struct vreg){(uint8_t)t, reg, reg};
    return d->nvreg++;
}

static struct sym *bind(struct decoder *d, struct name *n, enum sym_kind kind)
{
    struct sym *s = arena_alloc(d->arena, sizeof *s);
    s->name = n;
    s->kind = (uint8_t)kind;
    s->depth = d->depth;
    s->outer = n->sym;
    n->sym = s;
    s->in_scope = d->scope[d->depth];
    d->scope[d->depth] = s;
    return s;
}

/* A function's formals and the variables of its outermost scope share one. */
static bool bound_here(const struct decoder *d, const struct name *n)
{
    const int first = d->depth == BODY_DEPTH ? FORMALS_DEPTH : d->depth;
    return n->sym && n->sym->depth >= first;
}

void scope_enter(struct decoder *d)
{
    d->scope[++d->depth] = NULL;
}

void scope_leave(struct decoder *d)
{
    for (struct sym *s = d->scope[d->depth]; s; s = s->in_scope)
        s->name->sym = s->outer;
    d->depth--;
}

bool scope_labels(struct decoder *d, const struct stmt *open)
{
    for (const struct stmt *l = open->labels; l; l = l->next_label) {
        if (bound_here(d, l->name))
            return decode_err(d, l->name->sym->stmt->loc, "label %s is there twice", l->name->text);
        static const uint8_t kinds[] = {
            [STMT_LABEL] = SYM_LABEL, [STMT_PROTO] = SYM_PROTO, [STMT_TARGETS] = SYM_TARGETS};
        struct sym *s = bind(d, l->name, kinds[l->kind]);
        s->stmt = l;
        s->pc = UINT32_MAX;
    }
    return true;
}

static bool declare_registers(struct decoder *d, struct var *v)
{
    const bool wide = v->type == VT_B128;
    const uint8_t vec = wide ? 2 : v->vec;
    const uint64_t n = (v->has_range ? v->range : 1) * vec;
    if (n > MAX_REGISTERS - d->nvreg)
        return decode_err(d, v->loc, "more than %u registers", MAX_REGISTERS);
    struct sym *s = bind(d, v->name, SYM_REG);
    s->type = v->type;
    s->vec = vec;
    s->wide = wide;
    s->range = v->has_range;
    s->first = d->nvreg;
    s->count = (uint32_t)n;
    const char *digits = v->name->text + strcspn(v->name->text, "0123456789");
    const bool numbered_name = *digits && !digits[strspn(digits, "0123456789")];
    for (uint64_t i = 0; i < n; i++) {
        const uint32_t r = vreg_new(d, wide ? VT_B64 : (enum vtype)v->type);
        if (v->has_range)
            d->vreg[r].num = (uint16_t)(i / vec);
        else if (numbered_name)
            d->vreg[r].num = (uint16_t)strtoul(digits, NULL, 10);
        else
            d->vreg[r].num = OPND_NO_NUM;
    }
    return true;
}

/* Register N of a range named by the text without its last digits, in the innermost scope. */
static struct ref find_in_range(struct decoder *d, const struct name *n, int *depth)
{
    struct ref r = {.kind = REF_NONE};
    uint64_t index = 0, scale = 1;
    for (size_t i = n->len; i > 1 && n->text[i - 1] >= '0' && n->text[i - 1] <= '9'; i--) {
        index += (uint64_t)(n->text[i - 1] - '0') * scale;
        scale *= 10;
        if (n->len - i >= 8)
            break;
        if (n->text[i - 1] == '0' && n->len - i > 0)
            continue; /* %r05 is not %r5 */
        const struct name *prefix = name_find(d->m, n->text, i - 1);
        const struct sym *s = prefix ? prefix->sym : NULL;
        while (s && !(s->kind == SYM_REG && s->range && index < s->count / s->vec))
            s = s->outer;
        if (s && s->depth > *depth) {
            *depth = s->depth;
            r = (struct ref){.kind = REF_REG,
                             .vreg = s->first + (uint32_t)index * s->vec,
                             .count = s->vec,
                             .wide = s->wide};
        }
    }
    return r;
}

/* %r2 beside %r<4>, in either order. */
static bool in_range_here(struct decoder *d, const struct var *v)
{
    int depth = -1;
    if (v->storage != ST_REG)
        return false;
    if (!v->has_range)
        return find_in_range(d, v->name, &depth).kind != REF_NONE && depth == d->depth;
    for (uint64_t i = 0; i < v->range; i++) {
        char text[64];
        const int n = snprintf(text, sizeof text, "%s%llu", v->name->text, (unsigned long long)i);
        const struct name *x = n < (int)sizeof text ? name_find(d->m, text, (size_t)n) : NULL;
        if (x && x->sym && !x->sym->range && x->sym->depth == d->depth)
            return true;
    }
    return false;
}

bool scope_declare(struct decoder *d, struct var *v)
{
    if (bound_here(d, v->name) || in_range_here(d, v))
        return decode_err(d, v->loc, "%s is declared twice", v->name->text);
    if (v->init)
        return decode_err(d, v->loc, "%s: only .global and .const variables are initialised",
                          v->name->text);
    if (v->storage == ST_REG)
        return declare_registers(d, v);
    bind(d, v->name, SYM_VAR)->var = v;
    return true;
}

/* Special registers by name; value: constants. */
static const struct {
    const char *name;
    int8_t sreg; /* enum sreg; -1: the constant */
    uint16_t value;
} sregs[] = {
    {"%tid.x", SREG_TID_X, 0},
    {"%tid.y", SREG_TID_Y, 0},
    {"%tid.z", SREG_TID_Z, 0},
    {"%ntid.x", SREG_NTID_X, 0},
    {"%ntid.y", SREG_NTID_Y, 0},
    {"%ntid.z", SREG_NTID_Z, 0},
    {"%ctaid.x", SREG_CTAID_X, 0},
    {"%ctaid.y", SREG_CTAID_Y, 0},
    {"%ctaid.z", SREG_CTAID_Z, 0},
    {"%nctaid.x", SREG_NCTAID_X, 0},
    {"%nctaid.y", SREG_NCTAID_Y, 0},
    {"%nctaid.z", SREG_NCTAID_Z, 0},
    {"%tid.w", -1, 0},
    {"%ntid.w", -1, 0},
    {"%ctaid.w", -1, 0},
    {"%nctaid.w", -1, 0},
    {"%laneid", SREG_LANEID, 0},
    {"%warpid", SREG_WARPID, 0},
    {"%nwarpid", SREG_NWARPID, 0},
    {"%smid", SREG_SMID, 0},
    {"%nsmid", SREG_NSMID, 0},
    {"%gridid", SREG_GRIDID, 0},
    {"%envreg1", SREG_ENVREG1, 0},
    {"%envreg2", SREG_ENVREG2, 0},
    {"%lanemask_eq", SREG_LANEMASK_EQ, 0},
    {"%lanemask_le", SREG_LANEMASK_LE, 0},
    {"%lanemask_lt", SREG_LANEMASK_LT, 0},
    {"%lanemask_ge", SREG_LANEMASK_GE, 0},
    {"%lanemask_gt", SREG_LANEMASK_GT, 0},
    {"%dynamic_smem_size", SREG_DYNAMIC_SMEM_SIZE, 0},
    {"%total_smem_size", SREG_TOTAL_SMEM_SIZE, 0},
    {"%reserved_smem_offset_begin", SREG_RESERVED_SMEM_BEGIN, 0},
    {"%reserved_smem_offset_0", SREG_RESERVED_SMEM_BEGIN, 0},
    {"%reserved_smem_offset_1", SREG_RESERVED_SMEM_1, 0},
    {"%reserved_smem_offset_end", SREG_RESERVED_SMEM_END, 0},
    {"%reserved_smem_offset_cap", -1, RESERVED_SMEM_BYTES},
    {"%aggr_smem_size", SREG_TOTAL_SMEM_SIZE, 0},
    {"%clock", SREG_CLOCK, 0},
    {"%clock_hi", SREG_CLOCK_HI, 0},
    {"%clock64", SREG_CLOCK64, 0},
    {"%globaltimer", SREG_GLOBALTIMER, 0},
    {"%globaltimer_lo", SREG_GLOBALTIMER_LO, 0},
    {"%globaltimer_hi", SREG_GLOBALTIMER_HI, 0},
    {"%clusterid.x", SREG_CLUSTERID_X, 0},
    {"%clusterid.y", SREG_CLUSTERID_Y, 0},
    {"%clusterid.z", SREG_CLUSTERID_Z, 0},
    {"%nclusterid.x", SREG_NCLUSTERID_X, 0},
    {"%nclusterid.y", SREG_NCLUSTERID_Y, 0},
    {"%nclusterid.z", SREG_NCLUSTERID_Z, 0},
    {"%cluster_ctaid.x", SREG_CLUSTER_CTAID_X, 0},
    {"%cluster_ctaid.y", SREG_CLUSTER_CTAID_Y, 0},
    {"%cluster_ctaid.z", SREG_CLUSTER_CTAID_Z, 0},
    {"%cluster_nctaid.x", SREG_CLUSTER_NCTAID_X, 0},
    {"%cluster_nctaid.y", SREG_CLUSTER_NCTAID_Y, 0},
    {"%cluster_nctaid.z", SREG_CLUSTER_NCTAID_Z, 0},
    {"%cluster_ctarank", SREG_CLUSTER_CTARANK, 0},
    {"%cluster_nctarank", SREG_CLUSTER_NCTARANK, 0},
    {"%is_explicit_cluster", SREG_IS_EXPLICIT_CLUSTER, 0},
    {"%current_graph_exec", -1, 0},
};

const char *sreg_name(enum sreg r)
{
    for (size_t i = 0; i < sizeof sregs / sizeof *sregs; i++)
        if (sregs[i].sreg == (int)r)
            return sregs[i].name;
    return r == SREG_ENVREG       ? "%envreg"
           : r == SREG_LOCAL_BASE ? "%local_base"
           : r == SREG_STACK_TOP  ? "%stack_top"
                                  : "%pm";
}

static bool numbered(const char *text, const char *prefix, int limit)
{
    const size_t n = strlen(prefix);
    char *end;
    if (strncmp(text, prefix, n) || text[n] < '0' || text[n] > '9')
        return false;
    const long i = strtol(text + n, &end, 10);
    return i < limit && (!*end || !strcmp(end, "_64"));
}

static struct ref find_special(const char *text)
{
    for (size_t i = 0; i < sizeof sregs / sizeof *sregs; i++) {
        if (strcmp(sregs[i].name, text))
            continue;
        if (sregs[i].sreg < 0)
            return (struct ref){.kind = REF_CONST, .value = sregs[i].value};
        return (struct ref){.kind = REF_SREG, .sreg = sregs[i].sreg};
    }
    if (numbered(text, "%envreg", 32))
        return (struct ref){.kind = REF_SREG, .sreg = SREG_ENVREG};
    if (numbered(text, "%pm", 8))
        return (struct ref){.kind = REF_SREG, .sreg = SREG_PM};
    return (struct ref){.kind = REF_NONE};
}

static struct ref find_plain(struct decoder *d, const struct name *n)
{
    struct sym *s = n->sym;
    while (s && s->range)
        s = s->outer;
    int depth = s ? s->depth : -1;
    struct ref r = find_in_range(d, n, &depth);
    if (r.kind != REF_NONE || !s)
        return r;
    if (s->kind == SYM_REG)
        return (struct ref){.kind = REF_REG, .vreg = s->first, .count = s->vec, .wide = s->wide};
    return (struct ref){.kind = REF_SYM, .sym = s};
}

struct ref scope_find(struct decoder *d, const struct name *n)
{
    struct ref r = find_plain(d, n);
    if (r.kind != REF_NONE)
        return r;
    r = find_special(n->text);
    const char *dot = strrchr(n->text, '.');
    if (r.kind != REF_NONE || !dot || !dot[1] || dot[2])
        return r;
    static const char members[] = "xyzwrgba"; /* of a vector register */
    const char *c = strchr(members, dot[1]);
    const struct name *base = c ? name_find(d->m, n->text, (size_t)(dot - n->text)) : NULL;
    if (base)
        r = find_plain(d, base);
    const uint32_t i = c ? (uint32_t)(c - members) % 4 : 0;
    if (r.kind != REF_REG || r.count == 1 || r.wide || i >= r.count)
        return (struct ref){.kind = REF_NONE};
    return (struct ref){.kind = REF_REG, .vreg = r.vreg + i, .count = 1};
}
