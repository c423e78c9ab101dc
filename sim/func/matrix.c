/* matrix.c -- wmma and mma: fragments to and from memory, products. Sums are made in double
 * precision and rounded once (PTX wants single precision at least, in any order); those of doubles
 * are fused, in increasing order of k. */
#include "sim/ptx/matrix.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "sim/func/access.h"
#include "sim/func/exec.h"
#include "sim/func/fpbits.h"
#include "sim/func/split.h"

#define MOST_ELEMENTS 512 /* 32 x 16 */

/* A matrix instruction is one of the whole warp: independent threads wait for the others. */
static bool whole_warp(struct warp *w, const struct inst *in, lanes_t active)
{
    if (active == LANES_ALL)
        return true;
    if (w->cta->independent && active != w->live) {
        split_wait(w, active, PATH_MEETS);
        return false;
    }
    char text[120];
    snprintf(text, sizeof text, "only %d of 32 lanes execute a matrix instruction together",
             __builtin_popcount(active));
    warp_fault(w, in, FAULT_BARRIER_DIVERGED, __builtin_ctz(active), 0, 0, text);
    return false;
}

/* -- values */

/* Every element of the part, by its type: v is the register, e the element in it. Registers that
 * only say again what others hold are left out. */
#define GATHER(EXPR)                                                      \
    for (int reg = 0; reg < regs; reg++, from += WARP_SIZE, at += places) \
        for (int e = 0; e < p->per_reg; e++) {                            \
            double value[WARP_SIZE];                                      \
            for (int i = 0; i < WARP_SIZE; i++) {                         \
                const uint64_t v = from[i];                               \
                value[i] = (double)(EXPR);                                \
            }                                                             \
            for (int i = 0; i < WARP_SIZE; i++)                           \
                to[at[i * p->per_reg + e].index] = value[i];              \
        }                                                                 \
    break

static void gather(const uint64_t *from, const struct matrix_part *p, double *to)
{
    const int places = WARP_SIZE * p->per_reg, regs = p->rows * p->cols / places;
    const struct matrix_place *at = p->place;
    switch ((enum vtype)p->type) {
    case VT_F16:
        GATHER(f32_from_f16((uint32_t)v >> 16 * e & 0xffff));
    case VT_BF16:
        GATHER(f32_from_bf16((uint32_t)v >> 16 * e & 0xffff));
    case VT_B32: /* tf32: of a single, the upper 19 bits */
        GATHER(f32_of((uint32_t)v & 0xffffe000u));
    case VT_F32:
        GATHER(f32_of((uint32_t)v));
    case VT_F64:
        GATHER(f64_of(v));
    case VT_S8:
        GATHER((int8_t)((uint32_t)v >> 8 * e));
    case VT_U8:
        GATHER((uint8_t)((uint32_t)v >> 8 * e));
    default: /* VT_S32 */
        GATHER((int32_t)v);
    }
}

/* Sums of bytes' products and an s32 are exact in a double. */
static uint64_t integer_bits(double v, bool saturate)
{
    if (saturate)
        v = v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : v;
    return (uint32_t)(int64_t)v;
}

static uint64_t bits_of(const struct matrix *m, double v)
{
    switch ((enum vtype)m->d.type) {
    case VT_F16:
        return f16_from_f64(v);
    case VT_F32:
        return canon_f32((float)v);
    case VT_F64:
        return bits_f64(v);
    default:
        return integer_bits(v, m->saturate);
    }
}

#define SUM_PRODUCTS(name, ADD)                                                           \
    static void name(const struct matrix *m, const double *a, const double *b, double *c) \
    {                                                                                     \
        const int n = m->b.cols;                                                          \
        for (int i = 0; i < m->a.rows; i++)                                               \
            for (int k = 0; k < m->a.cols; k++) {                                         \
                const double x = a[i * m->a.cols + k], *y = b + k * n;                    \
                double *z = c + i * n;                                                    \
                for (int j = 0; j < n; j++)                                               \
                    z[j] = ADD;                                                           \
            }                                                                             \
    }
SUM_PRODUCTS(multiply_base, z[j] + x * y[j])
WIDE_TARGET SUM_PRODUCTS(multiply_wide, z[j] + x * y[j])
    SUM_PRODUCTS(multiply_fused, fma(x, y[j], z[j]))

    /* The staged sources give way to the results. */
    static void compute(struct warp *w, const struct matrix *m)
{
    double a[MOST_ELEMENTS], b[MOST_ELEMENTS], c[MOST_ELEMENTS];
    const uint64_t *from = w->staged;
    gather(from, &m->a, a);
    gather(from += m->a.regs * WARP_SIZE, &m->b, b);
    gather(from += m->b.regs * WARP_SIZE, &m->c, c);
    (m->d.type == VT_F64    ? multiply_fused
     : w->cta->kernel->wide ? multiply_wide
                            : multiply_base)(m, a, b, c);
    const int bits = 8 * matrix_element_bytes(&m->d);
    for (int i = 0, reg = 0; reg < m->d.regs * WARP_SIZE; reg++) {
        uint64_t v = 0;
        for (int e = 0; e < m->d.per_reg; e++, i++)
            v |= bits_of(m, c[m->d.place[i].index]) << bits * e;
        w->staged[reg] = v;
    }
}

static void stage_in(struct warp *w, const struct inst *in)
{
    if (!w->staged)
        w->staged = xcalloc(MATRIX_STAGED * WARP_SIZE, sizeof *w->staged);
    for (int s = 0; s < in->ns; s++)
        for (int lane = 0; lane < WARP_SIZE; lane++)
            w->staged[(in->mode + s) * WARP_SIZE + lane] =
                in->src[s].width == 8 ? row64(w, &in->src[s])[lane] : row32(w, &in->src[s])[lane];
}

static void exec_in(struct warp *w, const struct inst *in, lanes_t active)
{
    if (whole_warp(w, in, active))
        stage_in(w, in);
}

static void exec_out(struct warp *w, const struct inst *in, lanes_t active)
{
    if (!whole_warp(w, in, active))
        return;
    if (in->vec == 0) {
        stage_in(w, in);
        compute(w, in->matrix);
    }
    for (int i = 0; i < in->nd; i++) {
        const struct opnd *o = &in->dst[i];
        const uint64_t *from = w->staged + (in->vec + i) * WARP_SIZE;
        if (o->off == OPND_NONE)
            continue;
        if (o->width == 8)
            memcpy(row64(w, o), from, WARP_SIZE * sizeof *from);
        else
            for (int lane = 0; lane < WARP_SIZE; lane++)
                row32(w, o)[lane] = (uint32_t)from[lane];
    }
}

/* -- wmma.load, wmma.store: one register */

/* Where each lane's elements from e on lie. */
static bool element_access(struct warp *w, const struct inst *in, int e, struct access *a)
{
    const struct matrix_part *p = &in->matrix->a;
    const struct matrix_place *at = p->place + in->mode * WARP_SIZE * p->per_reg + e;
    const uint8_t *line = p->by_column ? &at->col : &at->row;
    const uint8_t *along = p->by_column ? &at->row : &at->col;
    const size_t next = p->per_reg * sizeof *at;
    const struct opnd *base = &in->src[0];
    const uint32_t *stride = row32(w, &in->src[1]), size = (uint32_t)matrix_element_bytes(p);
    if (base->width == 8)
        memcpy(a->addr, row64(w, base), WARP_SIZE * sizeof *a->addr);
    else
        for (int i = 0; i < WARP_SIZE; i++)
            a->addr[i] = row32(w, base)[i];
    for (int i = 0; i < WARP_SIZE; i++, line += next, along += next)
        a->addr[i] += (uint64_t)in->imm + ((uint64_t)*line * stride[i] + *along) * size;
    a->space = in->space;
    return access_each(w, in, LANES_ALL, a);
}

static void move_words(const struct access *a, uint32_t *row, bool store)
{
    for (int i = 0; i < WARP_SIZE; i++) {
        uint8_t *there = access_at(a, i);
        if (store)
            memcpy(there, &row[i], 4);
        else
            memcpy(&row[i], there, 4);
    }
}

static void move_bytes(const struct access *a, uint8_t *row, int width, bool store)
{
    for (int i = 0; i < WARP_SIZE; i++, row += width) {
        uint8_t *there = access_at(a, i);
        memcpy(store ? there : row, store ? row : there, a->bytes);
    }
}

/* A register's elements lie one behind the other, except those of an accumulator by columns: then
 * the addresses reported are the first ones'. */
static void exec_move(struct warp *w, const struct inst *in, lanes_t active)
{
    const struct matrix *m = in->matrix;
    const bool store = in->op == OP_WMMA_STORE, apart = m->accumulator && m->a.by_column;
    if (!whole_warp(w, in, active))
        return;
    const struct opnd *reg = store ? &in->src[2] : &in->dst[0];
    const unsigned size = (unsigned)matrix_element_bytes(&m->a);
    const unsigned pieces = apart ? m->a.per_reg : 1, bytes = size * m->a.per_reg / pieces;
    if (reg->off == OPND_NONE)
        return;
    for (unsigned e = pieces; e-- > 0;) {
        struct access a = {.addr = w->out->addr, .bytes = bytes, .write = store};
        if (!element_access(w, in, (int)e, &a))
            return;
        if (bytes == 4)
            move_words(&a, row32(w, reg), store);
        else
            move_bytes(&a, w->bank[reg->bank] + reg->off + e * size, reg->width, store);
        w->out->space = a.space;
        w->out->bytes = (uint8_t)bytes;
    }
    w->out->is_load = !store;
    w->out->is_store = store;
}

/* -- ldmatrix, stmatrix, movmatrix: 8 x 8 halves, a lane has two of a row */

/* Lane `lane` holds elements 0 and 1 of its pair of row lane / 4, or of that column. */
static struct matrix_place half_place(int lane, int e, bool transpose)
{
    const uint8_t i = (uint8_t)(lane / 4), j = (uint8_t)(lane % 4 * 2 + e);
    return transpose ? (struct matrix_place){.row = j, .col = i}
                     : (struct matrix_place){.row = i, .col = j};
}

/* Lanes 8 j to 8 j + 7 say where the rows of matrix j begin. */
static void exec_rows(struct warp *w, const struct inst *in, lanes_t active)
{
    const bool store = in->op == OP_STMATRIX;
    const int n = in->vec;
    struct access a = {.bytes = 16, .write = store};
    if (!whole_warp(w, in, active))
        return;
    a.addr = w->out->addr;
    a.space = in->space;
    if (!access_lanes(w, in, n == 4 ? LANES_ALL : (1u << 8 * n) - 1, &in->src[0], in->imm, &a))
        return;
    for (int j = 0; j < n; j++) {
        const struct opnd *o = store ? &in->src[1 + j] : &in->dst[j];
        for (int lane = 0; lane < WARP_SIZE && o->off != OPND_NONE; lane++)
            for (int e = 0; e < 2; e++) {
                const struct matrix_place at = half_place(lane, e, in->mode);
                uint8_t *there = access_at(&a, 8 * j + at.row) + 2 * at.col;
                uint8_t *here = (uint8_t *)&row32(w, o)[lane] + 2 * e;
                memcpy(store ? there : here, store ? here : there, 2);
            }
    }
    for (int i = 8 * n; i < WARP_SIZE; i++) /* what those lanes give is no address */
        w->out->addr[i] = w->out->addr[i % (8 * n)];
    w->out->space = a.space;
    w->out->bytes = 16;
    w->out->is_load = !store;
    w->out->is_store = store;
}

static void exec_transpose(struct warp *w, const struct inst *in, lanes_t active)
{
    uint32_t a[WARP_SIZE];
    if (!whole_warp(w, in, active))
        return;
    memcpy(a, row32(w, &in->src[0]), sizeof a);
    for (int lane = 0; lane < WARP_SIZE && in->dst[0].off != OPND_NONE; lane++) {
        uint32_t v = 0;
        for (int e = 0; e < 2; e++) {
            const struct matrix_place at = half_place(lane, e, in->mode);
            v |= (a[at.row * 4 + at.col / 2] >> 16 * (at.col % 2) & 0xffff) << 16 * e;
        }
        row32(w, &in->dst[0])[lane] = v;
    }
}

exec_fn exec_lookup_matrix(const struct inst *in)
{
    switch ((enum opcode)in->op) {
    case OP_MATRIX_IN:
        return exec_in;
    case OP_MATRIX_OUT:
        return exec_out;
    case OP_WMMA_LOAD:
    case OP_WMMA_STORE:
        return exec_move;
    case OP_LDMATRIX:
    case OP_STMATRIX:
        return exec_rows;
    case OP_MOVMATRIX:
        return exec_transpose;
    default:
        return NULL;
    }
}
