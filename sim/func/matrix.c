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

#define MOST_ELEMENTS 512 /* 32 x 16 */

/* A matrix instruction is one of the whole warp. */
static bool whole_warp(struct warp *w, const struct inst *in, lanes_t active)
{
    if (active == LANES_ALL)
        return true;
    char text[120];
    snprintf(text, sizeof text, "only %d of 32 lanes execute a matrix instruction together",
             __builtin_popcount(active));
    warp_fault(w, in, FAULT_BARRIER_DIVERGED, __builtin_ctz(active), 0, 0, text);
    return false;
}

/* -- who holds what; which: 'a', 'b', 'c' (also d) */

struct place {
    int row, col;
};

static struct place fixed_place(const struct matrix_part *p, char which, int lane, int reg, int e)
{
    const int group = lane / 4, t = lane % 4, run = 4 * p->per_reg;
    const bool tall = which != 'b' && p->rows == 16;
    if (which == 'a')
        return (struct place){group + (tall ? 8 * (reg & 1) : 0),
                              t * p->per_reg + e + run * (tall ? reg >> 1 : reg)};
    if (which == 'b')
        return (struct place){t * p->per_reg + e + run * reg, group};
    if (p->per_reg == 2)
        return (struct place){group + 8 * reg, 2 * t + e};
    return (struct place){group + 8 * (reg >> 1), 2 * t + (reg & 1)};
}

static struct place memory_place(const struct matrix_part *p, int lane, int reg, int e)
{
    const int q = ((reg * WARP_SIZE + lane) * p->per_reg + e) % (p->rows * p->cols);
    return p->by_column ? (struct place){q % p->rows, q / p->rows}
                        : (struct place){q / p->cols, q % p->cols};
}

static struct place place_of(const struct matrix *m, const struct matrix_part *p, char which,
                             int lane, int reg, int e)
{
    if (m->fixed)
        return fixed_place(p, which, lane, reg, e);
    struct matrix_part by_rows = *p;
    if (which == 'c')
        by_rows.by_column = false;
    return memory_place(&by_rows, lane, reg, e);
}

/* -- values */

static double value_of(enum vtype t, uint64_t bits, int e)
{
    switch (t) {
    case VT_F16:
        return f32_from_f16((uint32_t)(bits >> 16 * e & 0xffff));
    case VT_BF16:
        return f32_from_bf16((uint32_t)(bits >> 16 * e & 0xffff));
    case VT_B32: /* tf32: of a single, the upper 19 bits */
        return f32_of((uint32_t)bits & 0xffffe000u);
    case VT_F32:
        return f32_of((uint32_t)bits);
    case VT_F64:
        return f64_of(bits);
    case VT_S8:
        return (int8_t)(bits >> 8 * e);
    case VT_U8:
        return (uint8_t)(bits >> 8 * e);
    default: /* VT_S32 */
        return (int32_t)bits;
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

static void gather(const struct warp *w, const struct matrix_part *p, char which, int first,
                   double *to)
{
    const struct matrix *m = w->out->inst->matrix;
    for (int r = 0; r < p->regs; r++)
        for (int lane = 0; lane < WARP_SIZE; lane++)
            for (int e = 0; e < p->per_reg; e++) {
                const struct place at = place_of(m, p, which, lane, r, e);
                to[at.row * p->cols + at.col] =
                    value_of((enum vtype)p->type, w->staged[(first + r) * WARP_SIZE + lane], e);
            }
}

static void multiply(const struct matrix *m, const double *a, const double *b, double *c)
{
    const bool fused = m->d.type == VT_F64;
    const int n = m->b.cols;
    for (int i = 0; i < m->a.rows; i++)
        for (int k = 0; k < m->a.cols; k++) {
            const double x = a[i * m->a.cols + k], *y = b + k * n;
            double *z = c + i * n;
            if (fused)
                for (int j = 0; j < n; j++)
                    z[j] = fma(x, y[j], z[j]);
            else
                for (int j = 0; j < n; j++)
                    z[j] += x * y[j];
        }
}

/* The staged sources give way to the results. */
static void compute(struct warp *w, const struct matrix *m)
{
    double a[MOST_ELEMENTS], b[MOST_ELEMENTS], c[MOST_ELEMENTS];
    gather(w, &m->a, 'a', 0, a);
    gather(w, &m->b, 'b', m->a.regs, b);
    gather(w, &m->c, 'c', m->a.regs + m->b.regs, c);
    multiply(m, a, b, c);
    const int bits = 8 * matrix_element_bytes(&m->d);
    for (int r = 0; r < m->d.regs; r++)
        for (int lane = 0; lane < WARP_SIZE; lane++) {
            uint64_t v = 0;
            for (int e = 0; e < m->d.per_reg; e++) {
                const struct place at = place_of(m, &m->d, 'c', lane, r, e);
                v |= bits_of(m, c[at.row * m->d.cols + at.col]) << bits * e;
            }
            w->staged[r * WARP_SIZE + lane] = v;
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
        for (int lane = 0; lane < WARP_SIZE && o->off != OPND_NONE; lane++) {
            const uint64_t v = w->staged[(in->vec + i) * WARP_SIZE + lane];
            if (o->width == 8)
                row64(w, o)[lane] = v;
            else
                row32(w, o)[lane] = (uint32_t)v;
        }
    }
}

/* -- wmma.load, wmma.store: one register */

/* Where each lane's elements from e on lie. */
static bool element_access(struct warp *w, const struct inst *in, int e, struct access *a)
{
    const struct matrix *m = in->matrix;
    const struct opnd *base = &in->src[0];
    const uint32_t *stride = row32(w, &in->src[1]);
    const uint64_t size = (uint64_t)matrix_element_bytes(&m->a);
    for (int i = 0; i < WARP_SIZE; i++) {
        const struct place at = place_of(m, &m->a, m->accumulator ? 'c' : 'a', i, in->mode, e);
        const uint64_t line = (uint64_t)(m->a.by_column ? at.col : at.row),
                       along = (uint64_t)(m->a.by_column ? at.row : at.col);
        const addr_t from = base->width == 8 ? row64(w, base)[i] : row32(w, base)[i];
        a->addr[i] = from + (uint64_t)in->imm + (line * stride[i] + along) * size;
    }
    a->space = in->space;
    return access_each(w, in, LANES_ALL, a);
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
        for (int i = 0; i < WARP_SIZE; i++) {
            uint8_t *row =
                reg->width == 8 ? (uint8_t *)&row64(w, reg)[i] : (uint8_t *)&row32(w, reg)[i];
            memcpy(store ? a.ptr[i] : row + e * size, store ? row + e * size : a.ptr[i], bytes);
        }
        w->out->space = a.space;
        w->out->bytes = (uint8_t)bytes;
    }
    w->out->is_load = !store;
    w->out->is_store = store;
}

/* -- ldmatrix, stmatrix, movmatrix: 8 x 8 halves, a lane has two of a row */

/* Lane `lane` holds elements 0 and 1 of its pair of row lane / 4, or of that column. */
static struct place half_place(int lane, int e, bool transpose)
{
    const int i = lane / 4, j = lane % 4 * 2 + e;
    return transpose ? (struct place){j, i} : (struct place){i, j};
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
                const struct place at = half_place(lane, e, in->mode);
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
            const struct place at = half_place(lane, e, in->mode);
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
