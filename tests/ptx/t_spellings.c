/* Every spelling that real code was seen to use decodes; what this machine lacks is refused at
 * launch, not while reading. Operands are made up from the instruction's shape. */
#include "sim/ptx/isa.h"
#include "tests/ptx/fixture.h"

#define LIST "tests/data/ptx/spellings.txt"

static const char *reg(enum vtype t)
{
    switch (t == VT_PRED ? 0 : type_bytes(t)) {
    case 0:
        return "%p1";
    case 1:
    case 2:
        return "%h1";
    case 8:
        return "%rd1";
    default:
        return "%r1";
    }
}

/* Operands by shape; returns where the text ends. */
static char *by_shape(char *to, const struct spelling *s)
{
    const char *sep = " ";
    const bool setp = s->op == OP_SETP, wide = s->mods & M(WIDE);
    const enum vtype t = (enum vtype)s->type;
    const enum vtype st = s->ntypes > 1 ? (enum vtype)s->stype : t;
    const enum vtype d = !wide ? t : type_bytes(t) == 2 ? VT_U32 : VT_U64;
    const bool all = s->mods & (M(SYNC) | M(BOOL) | M(ATOM));
    for (const char *c = s->row->shape; *c; c++) {
        if (*c == '?') {
            if (!all || s->op == OP_BAR)
                break;
            continue;
        }
        const char *o = *c == 'd' || *c == 'Q' || (*c == 's' && !setp) ? reg(d)
                        : *c == 't'                                    ? reg(st)
                        : strchr("pqP", *c)                            ? "%p1"
                        : *c == 'c'                                    ? "5"
                                                                       : "%r2";
        to += sprintf(to, "%s%s", sep, *c == 's' && wide ? reg(d) : o);
        sep = ", ";
    }
    return to;
}

static char *values(char *to, const struct spelling *s)
{
    const char *r = reg((enum vtype)s->type);
    if (s->vec == 4)
        return to + sprintf(to, "{%s, %s, %s, %s}", r, r, r, r);
    return to + (s->vec == 2 ? sprintf(to, "{%s, %s}", r, r) : sprintf(to, "%s", r));
}

static char *memory(char *to, const struct spelling *s)
{
    const char *at = s->space == SP_PARAM ? s->op == OP_ST ? "arg" : "a" : "%rd3";
    if (s->op == OP_ST) {
        to += sprintf(to, " [%s+8], ", at);
        return values(to, s);
    }
    to = values(to + sprintf(to, " "), s);
    return to + sprintf(to, ", [%s+8]", at);
}

static char *atomic(char *to, const struct spelling *s)
{
    const char *r = reg((enum vtype)s->type);
    to += s->op == OP_RED ? sprintf(to, " ") : sprintf(to, " %s, ", r);
    to += sprintf(to, "[%%rd3], %s", r);
    return s->aop == ATOM_CAS ? to + sprintf(to, ", %s", r) : to;
}

/* Four coordinates go with every geometry: the rest is padding. */
static void texture(char *to, const struct spelling *s)
{
    static const bool layered[GEOM_COUNT] = {
        [GEOM_A1D] = true, [GEOM_A2D] = true, [GEOM_ACUBE] = true};
    const char *r = s->op == OP_TEX && s->stype == VT_F32 ? "%f1" : "%r3";
    char at[64];
    sprintf(at, "[%%rd3, {%s, %s, %s, %s}]", layered[s->mode] ? "%r3" : r, r, r, r);
    to += sprintf(to, " ");
    if (s->op == OP_SUST)
        to += sprintf(to, "%s, ", at);
    to = values(to, s);
    if (s->op != OP_SUST)
        to += sprintf(to, ", %s", at);
    if (!strcmp(s->row->base, "tex.level"))
        sprintf(to, ", %s", r);
}

/* Eight registers a fragment, the same one each time. */
static char *fragment(char *to, const char *reg)
{
    to += sprintf(to, " {%s", reg);
    for (int i = 1; i < 8; i++)
        to += sprintf(to, ",%s", reg);
    return to + sprintf(to, "}");
}
static void matrix(char *to, const struct spelling *s, const char *name)
{
    const size_t len = strlen(name);
    const char *sums = len > 4 && !strcmp(name + len - 4, ".f32") ? "%f1" : "%r1";
    if (s->op == OP_WMMA_STORE) {
        to = fragment(to + sprintf(to, " [%%rd1],"), sums);
    } else {
        to = fragment(to, sums);
        if (s->op == OP_WMMA_LOAD) {
            to += sprintf(to, ", [%%rd1]");
        } else {
            to = fragment(to + sprintf(to, ","), "%r1");
            to = fragment(to + sprintf(to, ","), "%r1");
            to = fragment(to + sprintf(to, ","), sums);
        }
    }
    if (s->op != OP_MATRIX_OUT)
        sprintf(to, ", %%r2");
}

static void operands(char *to, const struct spelling *s, const char *name)
{
    switch ((enum opcode)s->op) {
    case OP_WMMA_LOAD:
    case OP_WMMA_STORE:
    case OP_MATRIX_OUT:
        matrix(to, s, name);
        break;
    case OP_LD:
    case OP_LDU:
    case OP_ST:
        memory(to, s);
        break;
    case OP_ATOM:
    case OP_RED:
        atomic(to, s);
        break;
    case OP_TEX:
    case OP_SULD:
    case OP_SUST:
        texture(to, s);
        break;
    case OP_MOV:
        sprintf(to, " %s, %s", reg((enum vtype)s->type), reg((enum vtype)s->type));
        break;
    case OP_CVT:
        to += sprintf(to, " %s", reg((enum vtype)s->type));
        sprintf(to, ", %s", reg((enum vtype)s->stype));
        break;
    case OP_CVTA:
        sprintf(to, " %%rd1, %%rd2");
        break;
    case OP_BRA:
        sprintf(to, " L");
        break;
    case OP_CALL:
        sprintf(to, " callee, ()");
        break;
    case OP_PREFETCH:
        sprintf(to, " [%%rd1]");
        break;
    case OP_VIDEO:
        sprintf(to, " %%r1, %%r2, %%r3, %%r4");
        break;
    case OP_BAR_RED:
        sprintf(to, " %%p1, 0, 64, !%%p2");
        break;
    default:
        if (s->row && s->row->shape)
            by_shape(to, s);
    }
}

static void check(const char *name)
{
    struct spelling s;
    struct err e;
    char body[300];
    int at;
    if (!isa_spell(name, &s, &at, &e)) {
        printf("\n%s: %s\n", name, e.msg);
        CU_FAIL("no such instruction");
        return;
    }
    char *to = body + sprintf(body, ".param .b64 arg[2];\nL: %s", name);
    *to = 0;
    operands(to, &s, name);
    strcat(body, ";");
    struct fix f = fix_body(body);
    if (!f.k)
        printf("\n%s\n", f.e.msg);
    CU_ASSERT_PTR_NOT_NULL_FATAL(f.k);
    CU_ASSERT_NOT_EQUAL(f.k->inst[0].op, OP_UNSUPPORTED);
    fix_free(&f);
}

static void every_spelling_seen_in_real_code_decodes(void)
{
    FILE *list = fopen(LIST, "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(list);
    char line[200], name[200];
    int tier, n = 0;
    while (fgets(line, sizeof line, list)) {
        if (sscanf(line, "%d %199s", &tier, name) != 2 || !strncmp(name, "call", 4))
            continue;
        check(name);
        n++;
    }
    fclose(list);
    CU_ASSERT(n > 700);
}

static void mnemonics_are_sorted_for_the_search(void)
{
    for (int i = 1; i < isa_nrows; i++)
        CU_ASSERT(strcmp(isa_rows[i - 1].base, isa_rows[i].base) <= 0);
}

SUITE("ptx spellings", T(every_spelling_seen_in_real_code_decodes),
      T(mnemonics_are_sorted_for_the_search))
