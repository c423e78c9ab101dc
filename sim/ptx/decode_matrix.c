/* sim/ptx/decode_matrix.c -- wmma, mma, ldmatrix, stmatrix, movmatrix: spelling and operands. What
 * is not modelled is refused at launch. */
#include <stdio.h>
#include <string.h>

#include "sim/ptx/decode.h"
#include "sim/ptx/matrix.h"

struct words { /* of a spelling */
    int m, n, k, layouts, types, count;
    bool by_column[2], saturate, transpose, strange;
    enum space space;
    enum vtype type[4];
};

static bool is(const char *w, size_t len, const char *text)
{
    return strlen(text) == len && !memcmp(w, text, len);
}

static void add_type(struct words *s, enum vtype t)
{
    if (s->types < 4)
        s->type[s->types++] = t;
    else
        s->strange = true;
}

static void add_word(struct words *s, const char *w, size_t len)
{
    static const enum vtype types[] = {VT_F16, VT_BF16, VT_F32, VT_F64,
                                       VT_S8,  VT_U8,   VT_S32, VT_B16};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (is(w, len, type_name(types[i]))) {
            add_type(s, types[i]);
            return;
        }
    int used = 0;
    if (sscanf(w, "m%dn%dk%d%n", &s->m, &s->n, &s->k, &used) == 3 && used == (int)len)
        return;
    if (is(w, len, "tf32")) {
        add_type(s, VT_B32);
    } else if (is(w, len, "row") || is(w, len, "col")) {
        if (s->layouts < 2)
            s->by_column[s->layouts++] = *w == 'c';
    } else if (is(w, len, "global")) {
        s->space = SP_GLOBAL;
    } else if (is(w, len, "shared") || is(w, len, "shared::cta")) {
        s->space = SP_SHARED;
    } else if (len == 2 && *w == 'x' && (w[1] == '1' || w[1] == '2' || w[1] == '4')) {
        s->count = w[1] - '0';
    } else if (is(w, len, "trans")) {
        s->transpose = true;
    } else if (is(w, len, "satfinite")) {
        s->saturate = true;
    } else if (!is(w, len, "sync") && !is(w, len, "aligned") && !is(w, len, "rn") &&
               !is(w, len, "m8n8")) {
        s->strange = true;
    }
}

static struct words read_words(const char *text, const char *base)
{
    struct words s = {.space = SP_GENERIC};
    for (const char *w = text + strlen(base); *w;) {
        w++; /* the dot */
        const size_t len = strcspn(w, ".");
        add_word(&s, w, len);
        w += len;
    }
    return s;
}

static bool unsupported(struct decoder *d, struct inst *in)
{
    in->op = OP_UNSUPPORTED;
    inst_push(d, in);
    return true;
}

/* ---- shapes ---- */

static bool shape_is(const struct words *s, int m, int n, int k)
{
    return s->m == m && s->n == n && s->k == k;
}

static bool wmma_shape(const struct words *s, enum vtype ab)
{
    if (ab == VT_F64)
        return shape_is(s, 8, 8, 4);
    if (ab == VT_B32)
        return shape_is(s, 16, 16, 8);
    return shape_is(s, 16, 16, 16) || shape_is(s, 32, 8, 16) || shape_is(s, 8, 32, 16);
}

static bool mma_shape(const struct words *s, enum vtype ab)
{
    const bool tall = s->m == 16 && s->n == 8;
    switch (ab) {
    case VT_F64:
        return shape_is(s, 8, 8, 4) || (tall && (s->k == 4 || s->k == 8 || s->k == 16));
    case VT_B32:
        return tall && (s->k == 4 || s->k == 8);
    case VT_S8:
    case VT_U8:
        return shape_is(s, 8, 8, 16) || (tall && (s->k == 16 || s->k == 32));
    default:
        return tall && (s->k == 8 || s->k == 16);
    }
}

static bool multiplies(enum vtype t)
{
    return t == VT_F16 || t == VT_BF16 || t == VT_B32 || t == VT_F64 || t == VT_S8 || t == VT_U8;
}

/* What products of this type are added up in. */
static bool accumulates(enum vtype ab, enum vtype cd)
{
    if (ab == VT_F64)
        return cd == VT_F64;
    if (ab == VT_S8 || ab == VT_U8)
        return cd == VT_S32;
    return cd == VT_F32 || (cd == VT_F16 && ab == VT_F16);
}

static struct matrix_part part_of(enum vtype t, int rows, int cols, bool by_column)
{
    const int bytes = type_bytes(t);
    return (struct matrix_part){.type = (uint8_t)t,
                                .rows = (uint8_t)rows,
                                .cols = (uint8_t)cols,
                                .per_reg = (uint8_t)(bytes < 4 ? 4 / bytes : 1),
                                .by_column = by_column};
}

static enum vtype register_type(const struct matrix_part *p)
{
    return p->type == VT_F64 ? VT_F64 : p->type == VT_F32 ? VT_F32 : VT_B32;
}

/* ---- operands ---- */

/* The registers of {a, b ...} or a; as many as fill the matrix, or a whole number of times that. */
static bool fragment(struct decoder *d, const struct operand *o, struct matrix_part *p,
                     struct opnd *out, bool write, bool exact)
{
    const bool list = o->kind == OPERAND_LIST;
    int n = 0;
    for (const struct operand *x = list ? o->sub : o; x; x = list ? x->next : NULL, n++) {
        if (n == MATRIX_INS)
            return decode_err(d, o->loc, "no matrix takes more than %d registers", MATRIX_INS);
        if (!(write ? opnd_dst : opnd_src)(d, x, register_type(p), FIT_EXACT, &out[n]))
            return false;
    }
    const int places = n * WARP_SIZE * p->per_reg, elements = p->rows * p->cols;
    if (exact ? places != elements : !places || places % elements)
        return decode_err(d, o->loc, "%d registers a lane don't hold a matrix of %d x %d", n,
                          p->rows, p->cols);
    p->regs = (uint8_t)n;
    return true;
}

static void set_places(struct decoder *d, const struct matrix *m, char which, struct matrix_part *p)
{
    const int n = p->regs * WARP_SIZE * p->per_reg;
    struct matrix_place *t = arena_alloc(d->arena, (size_t)n * sizeof *t);
    p->place = t;
    for (int i = 0; i < n; i++) {
        const int lane = i / p->per_reg;
        t[i] =
            matrix_place(m, which, p, (int[3]){lane / WARP_SIZE, lane % WARP_SIZE, i % p->per_reg});
    }
}

static bool same_register(const struct opnd *a, const struct opnd *b)
{
    return a->reg && a->reg == b->reg;
}

static bool load_store(struct decoder *d, struct inst *in, const struct words *s, char which)
{
    const bool store = in->op == OP_WMMA_STORE;
    const enum vtype t = s->type[0];
    const bool ab = which == 'a' || which == 'b';
    const enum vtype ab_type = ab ? t : t == VT_F64 ? VT_F64 : s->k == 8 ? VT_B32 : VT_F16;
    if (s->strange || s->types != 1 || s->layouts != 1 || !wmma_shape(s, ab_type) ||
        (ab ? !multiplies(t) : t != VT_F16 && t != VT_F32 && t != VT_F64 && t != VT_S32))
        return unsupported(d, in);
    if (!operand_count(d, 2, 3))
        return false;
    struct matrix *m = arena_alloc(d->arena, sizeof *m);
    *m = (struct matrix){.accumulator = !ab, .has_stride = d->st->ops->next->next != NULL};
    m->a = part_of(t, which == 'b' ? s->k : s->m, which == 'a' ? s->k : s->n, s->by_column[0]);
    const struct operand *first = d->st->ops, *regs = store ? first->next : first;
    struct opnd reg[MATRIX_INS];
    in->space = (uint8_t)s->space;
    in->matrix = m;
    in->flags |= store ? INST_STORE : INST_LOAD;
    in->ns = 2;
    if (!fragment(d, regs, &m->a, reg, !store, false) ||
        !opnd_addr(d, store ? first : first->next, in, &in->src[0]))
        return false;
    set_places(d, m, ab ? 'a' : 'c', &m->a);
    if (!m->has_stride)
        in->src[1] = const_row(d, m->a.by_column ? m->a.rows : m->a.cols, 4);
    else if (!opnd_src(d, first->next->next, VT_U32, FIT_EXACT, &in->src[1]))
        return false;
    for (int r = 0; r < m->a.regs; r++)
        if (!store && (same_register(&reg[r], &in->src[0]) || same_register(&reg[r], &in->src[1])))
            return unsupported(d, in); /* a piece would change where the next ones load from */
    *(store ? &in->ns : &in->nd) += 1;
    for (int r = 0; r < m->a.regs; r++) {
        *(store ? &in->src[2] : &in->dst[0]) = reg[r];
        in->mode = (uint8_t)r;
        inst_push(d, in);
    }
    return true;
}

static void push_product(struct decoder *d, struct inst *in, const struct opnd *src,
                         const struct opnd *dst)
{
    const struct matrix *m = in->matrix;
    const int sources = m->a.regs + m->b.regs + m->c.regs;
    for (int from = 0; from < sources; from += MATRIX_INS) {
        const bool last = from + MATRIX_INS >= sources;
        in->op = last ? OP_MATRIX_OUT : OP_MATRIX_IN;
        in->mode = (uint8_t)from;
        in->ns = (uint8_t)(last ? sources - from : MATRIX_INS);
        memcpy(in->src, src + from, in->ns * sizeof *src);
        if (!last)
            inst_push(d, in);
    }
    for (int to = 0; to < m->d.regs; to += MATRIX_OUTS) {
        const int left = m->d.regs - to;
        in->vec = (uint8_t)to;
        in->nd = (uint8_t)(left < MATRIX_OUTS ? left : MATRIX_OUTS);
        memcpy(in->dst, dst + to, in->nd * sizeof *dst);
        inst_push(d, in);
        in->ns = 0;
    }
}

/* Types: d c (wmma of halves) or d a b c. */
static bool product(struct decoder *d, struct inst *in, struct words *s, bool fixed)
{
    if (!fixed && s->types == 2) {
        s->type[3] = s->type[1];
        s->type[1] = s->type[2] = VT_F16;
        s->types = 4;
    }
    const enum vtype td = s->type[0], ta = s->type[1], tb = s->type[2], tc = s->type[3];
    const bool bytes = ta == VT_S8 || ta == VT_U8;
    if (s->strange || s->types != 4 || s->layouts != 2 || !multiplies(ta) ||
        (ta != tb && !(bytes && (tb == VT_S8 || tb == VT_U8))) || !accumulates(ta, td) ||
        !accumulates(ta, tc) || (s->saturate && !bytes) ||
        !(fixed ? mma_shape(s, ta) && !s->by_column[0] && s->by_column[1] : wmma_shape(s, ta)))
        return unsupported(d, in);
    struct matrix *m = arena_alloc(d->arena, sizeof *m);
    *m = (struct matrix){.a = part_of(ta, s->m, s->k, s->by_column[0]),
                         .b = part_of(tb, s->k, s->n, s->by_column[1]),
                         .c = part_of(tc, s->m, s->n, false),
                         .d = part_of(td, s->m, s->n, false),
                         .fixed = fixed,
                         .saturate = s->saturate};
    struct opnd src[MATRIX_STAGED], dst[MATRIX_INS];
    const struct operand *o = d->st->ops;
    if (!operand_count(d, 4, 4) || !fragment(d, o, &m->d, dst, true, fixed) ||
        !fragment(d, o->next, &m->a, src, false, fixed) ||
        !fragment(d, o->next->next, &m->b, src + m->a.regs, false, fixed) ||
        !fragment(d, o->next->next->next, &m->c, src + m->a.regs + m->b.regs, false, fixed))
        return false;
    set_places(d, m, 'a', &m->a);
    set_places(d, m, 'b', &m->b);
    set_places(d, m, 'c', &m->c);
    set_places(d, m, 'c', &m->d);
    in->matrix = m;
    in->type = in->stype = m->d.type;
    push_product(d, in, src, dst);
    return true;
}

/* ldmatrix {d}, [p]; stmatrix [p], {a}; movmatrix d, a: 8 x 8 halves. */
static bool move_rows(struct decoder *d, struct inst *in, const struct words *s)
{
    const bool load = in->op == OP_LDMATRIX, within = in->op == OP_MOVMATRIX;
    if (s->strange || s->types != 1 || s->type[0] != VT_B16 || (within ? s->count : !s->count))
        return unsupported(d, in);
    const int n = within ? 1 : s->count;
    struct matrix_part p = part_of(VT_B16, 8 * n, 8, false);
    const struct operand *first = d->st->ops, *regs = load || within ? first : first->next;
    in->type = in->stype = VT_B32;
    in->vec = (uint8_t)n;
    in->mode = s->transpose;
    in->space = (uint8_t)s->space;
    if (!operand_count(d, 2, 2))
        return false;
    in->ns = (uint8_t)(within || load ? 1 : 1 + n);
    in->nd = (uint8_t)(within || load ? n : 0);
    if (!fragment(d, regs, &p, load || within ? in->dst : in->src + 1, load || within, true))
        return false;
    if (within ? !opnd_src(d, first->next, VT_B32, FIT_EXACT, &in->src[0])
               : !opnd_addr(d, load ? first->next : first, in, &in->src[0]))
        return false;
    in->flags |= within ? 0 : load ? INST_LOAD : INST_STORE;
    inst_push(d, in);
    return true;
}

bool decode_matrix(struct decoder *d, const struct spelling *s, struct inst *in)
{
    const char *base = s->row->base;
    struct words w = read_words(in->text, base);
    switch ((enum opcode)in->op) {
    case OP_WMMA_LOAD:
    case OP_WMMA_STORE:
        return load_store(d, in, &w, base[strlen(base) - 1]);
    case OP_MATRIX_OUT:
        return product(d, in, &w, *base == 'm');
    default:
        return move_rows(d, in, &w);
    }
}
