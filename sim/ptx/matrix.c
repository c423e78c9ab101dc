/* sim/ptx/matrix.c -- which lane holds what: see matrix.h. */
#include "sim/ptx/matrix.h"

int matrix_element_bytes(const struct matrix_part *p)
{
    return type_bytes((enum vtype)p->type);
}

static struct matrix_place place(const struct matrix_part *p, int row, int col)
{
    return (struct matrix_place){(uint8_t)row, (uint8_t)col, (uint16_t)(row * p->cols + col)};
}

static struct matrix_place fixed_place(char which, const struct matrix_part *p, const int at[3])
{
    const int reg = at[0], group = at[1] / 4, t = at[1] % 4, e = at[2], run = 4 * p->per_reg;
    const bool tall = which != 'b' && p->rows == 16;
    if (which == 'a')
        return place(p, group + (tall ? 8 * (reg & 1) : 0),
                     t * p->per_reg + e + run * (tall ? reg >> 1 : reg));
    if (which == 'b')
        return place(p, t * p->per_reg + e + run * reg, group);
    if (p->per_reg == 2)
        return place(p, group + 8 * reg, 2 * t + e);
    return place(p, group + 8 * (reg >> 1), 2 * t + (reg & 1));
}

struct matrix_place matrix_place(const struct matrix *m, char which, const struct matrix_part *p,
                                 const int at[3])
{
    if (m->fixed)
        return fixed_place(which, p, at);
    const int q = ((at[0] * WARP_SIZE + at[1]) * p->per_reg + at[2]) % (p->rows * p->cols);
    return p->by_column && which != 'c' ? place(p, q % p->rows, q / p->rows)
                                        : place(p, q / p->cols, q % p->cols);
}
