/* sim/ptx/matrix.h -- a warp's matrices as wmma and mma spell them, and which lane holds what.
 *
 * An instruction of the text becomes several, none of which has more operands than any other:
 *   wmma.load, wmma.store   one a register of the fragment: each lane moves its 4 or 8 bytes
 *   wmma.mma, mma           sources in eights (OP_MATRIX_IN), the last of them with the first four
 *                           results (OP_MATRIX_OUT), the other results in fours
 * inst.mode is the number of the first register moved, inst.vec that of the results.
 *
 * mma: lanes hold what the PTX ISA says (9.7.14.5). wmma leaves that open; here the elements of a
 * fragment lie in the order of the memory that they are loaded from, lane by lane, register by
 * register, from the start again where there are more places than elements; accumulators by rows.
 * Not done: sparse matrices, elements of less than a byte, .m8n8k4 of halves. */
#ifndef MDP_SIM_PTX_MATRIX_H
#define MDP_SIM_PTX_MATRIX_H

#include "sim/ptx/inst.h"

struct matrix_place {
    uint8_t row, col;
    uint16_t index; /* row x columns + col */
};

struct matrix_part {
    uint8_t type; /* enum vtype of an element; B32: tf32 */
    uint8_t rows, cols;
    uint8_t per_reg, regs;            /* elements in a register; registers a lane */
    bool by_column;                   /* in memory */
    const struct matrix_place *place; /* [regs][lane][per_reg] */
};

struct matrix {
    struct matrix_part a, b, c, d; /* loads and stores: a is the matrix moved */
    bool fixed;                    /* mma: the ISA's layout */
    bool accumulator;              /* loads and stores: of c or d */
    bool saturate;
    bool has_stride; /* loads and stores: src[1]; else the matrix is dense */
};

enum { MATRIX_INS = 8, MATRIX_OUTS = 4, MATRIX_STAGED = 24 };

int matrix_element_bytes(const struct matrix_part *p);
/* Which element of part `which` ('a', 'b', or 'c' for d, too) is the e-th in that register. */
struct matrix_place matrix_place(const struct matrix *m, char which, const struct matrix_part *p,
                                 const int at[3] /* register, lane, e */);

#endif
