/* sim/func/lanes.h -- templates that turn the arithmetic of one lane into executors of a warp.
 *
 * EXEC1..3(name, D, A, B, C, EXPR) defines name_base and name_wide: EXPR computes the row value of
 * type D (uint32_t or uint64_t) from x, y, z, the lane's row values of src[0..2]. name_wide is the
 * same code compiled for AVX2 and FMA; `hw` in EXPR tells the two apart where fused multiply-add
 * matters. Both give the same bits. LONG1..2 do the same for longer EXPR. SCALAR1..3 visit the
 * active lanes one by one: for arithmetic that does not vectorise.
 *
 * Invariant: a lane outside `active` keeps its value; a destination row may be one of the sources.
 */
#ifndef MDP_SIM_FUNC_LANES_H
#define MDP_SIM_FUNC_LANES_H

#include "sim/func/exec.h"
#include <string.h>

#define LANE static inline __attribute__((always_inline))
#ifdef __x86_64__
#define WIDE_TARGET __attribute__((target("avx2,fma")))
#else
#define WIDE_TARGET
#endif

/* No lane reads what another lane writes, so sharing a row between operands is no dependence. */
#ifdef __clang__
#define LANE_LOOP for (int i = 0; i < WARP_SIZE; i++)
#else
#define LANE_LOOP _Pragma("GCC ivdep") _Pragma("GCC unroll 1") for (int i = 0; i < WARP_SIZE; i++)
#endif
#define ACTIVE_LOOP                                                                      \
    for (lanes_t left = active, i = 0; left && (i = (lanes_t)__builtin_ctz(left), true); \
         left &= left - 1)

/* active: not 0. */
LANE int lanes_highest(lanes_t active)
{
    return WARP_SIZE - 1 - __builtin_clz(active);
}

static const uint32_t lane_bit[WARP_SIZE] = {
    1u << 0,  1u << 1,  1u << 2,  1u << 3,  1u << 4,  1u << 5,  1u << 6,  1u << 7,
    1u << 8,  1u << 9,  1u << 10, 1u << 11, 1u << 12, 1u << 13, 1u << 14, 1u << 15,
    1u << 16, 1u << 17, 1u << 18, 1u << 19, 1u << 20, 1u << 21, 1u << 22, 1u << 23,
    1u << 24, 1u << 25, 1u << 26, 1u << 27, 1u << 28, 1u << 29, 1u << 30, 1u << 31};

struct exec_impl {
    exec_fn base, wide;
};
#define IMPL(name)               \
    {                            \
        name##_base, name##_wide \
    }
#define SAME(name) \
    {              \
        name, name \
    }

bool lanes_wide(void); /* this host runs the wide versions (MDPREDICT_SIMD=base forbids them) */
/* NULL where the table has a hole. */
exec_fn exec_pick(const struct exec_impl *impl);
/* For instructions whose only result goes to the sink `_`. */
void exec_nothing(struct warp *w, const struct inst *in, lanes_t active);

#define EXEC_ARGS struct warp *w, const struct inst *in, lanes_t active

LANE void *row_of(struct warp *w, const struct opnd *o)
{
    return __builtin_assume_aligned(w->bank[o->bank] + o->off, 64);
}

#define ROWS_D(D) D *d = row_of(w, &in->dst[0])
#define ROWS_1(D, A) \
    ROWS_D(D);       \
    const A *ra = row_of(w, &in->src[0])
#define ROWS_2(D, A, B) \
    ROWS_1(D, A);       \
    const B *rb = row_of(w, &in->src[1])
#define ROWS_3(D, A, B, C) \
    ROWS_2(D, A, B);       \
    const C *rc = row_of(w, &in->src[2])

/* A mask, not a choice: the compiler would work the choice into those that EXPR makes. */
#define LANES_BODY(D, LOADS, EXPR)                           \
    if (active == LANES_ALL) {                               \
        LANE_LOOP                                            \
        {                                                    \
            LOADS;                                           \
            d[i] = (D)(EXPR);                                \
        }                                                    \
    } else {                                                 \
        LANE_LOOP                                            \
        {                                                    \
            LOADS;                                           \
            const D r = (D)(EXPR);                           \
            const D mask = active & lane_bit[i] ? ~(D)0 : 0; \
            d[i] ^= (d[i] ^ r) & mask;                       \
        }                                                    \
    }
/* For long EXPR, one loop: with lanes missing, all are computed aside and the active ones copied.
 */
#define ASIDE_BODY(D, LOADS, EXPR)                   \
    D aside[WARP_SIZE] __attribute__((aligned(64))); \
    D *to = active == LANES_ALL ? d : aside;         \
    LANE_LOOP                                        \
    {                                                \
        LOADS;                                       \
        to[i] = (D)(EXPR);                           \
    }                                                \
    if (active != LANES_ALL) {                       \
        LANE_LOOP                                    \
        d[i] = active & lane_bit[i] ? to[i] : d[i];  \
    }
#define SCALAR_BODY(D, LOADS, EXPR) \
    ACTIVE_LOOP                     \
    {                               \
        LOADS;                      \
        d[i] = (D)(EXPR);           \
    }

#define LOAD_1(A) const A x = ra[i]
#define LOAD_2(A, B)   \
    const A x = ra[i]; \
    const B y = rb[i]
#define LOAD_3(A, B, C) \
    const A x = ra[i];  \
    const B y = rb[i];  \
    const C z = rc[i]

#define EXEC_BOTH(name, D, ROWS, LOADS, EXPR, BODY) \
    static void name##_base(EXEC_ARGS)              \
    {                                               \
        const bool hw = false;                      \
        (void)hw;                                   \
        ROWS;                                       \
        BODY(D, SPREAD(LOADS), EXPR)                \
    }                                               \
    WIDE_TARGET static void name##_wide(EXEC_ARGS)  \
    {                                               \
        const bool hw = true;                       \
        (void)hw;                                   \
        ROWS;                                       \
        BODY(D, SPREAD(LOADS), EXPR)                \
    }
#define EXEC_PAIR(name, D, ROWS, LOADS, EXPR) \
    EXEC_BOTH(name, D, SPREAD(ROWS), SPREAD(LOADS), EXPR, LANES_BODY)
#define EXEC_LONG(name, D, ROWS, LOADS, EXPR) \
    EXEC_BOTH(name, D, SPREAD(ROWS), SPREAD(LOADS), EXPR, ASIDE_BODY)
#define SPREAD(...)             __VA_ARGS__
#define EXEC1(name, D, A, EXPR) EXEC_PAIR(name, D, SPREAD(ROWS_1(D, A)), SPREAD(LOAD_1(A)), EXPR)
#define EXEC2(name, D, A, B, EXPR) \
    EXEC_PAIR(name, D, SPREAD(ROWS_2(D, A, B)), SPREAD(LOAD_2(A, B)), EXPR)
#define LONG1(name, D, A, EXPR) EXEC_LONG(name, D, SPREAD(ROWS_1(D, A)), SPREAD(LOAD_1(A)), EXPR)
#define LONG2(name, D, A, B, EXPR) \
    EXEC_LONG(name, D, SPREAD(ROWS_2(D, A, B)), SPREAD(LOAD_2(A, B)), EXPR)
#define EXEC3(name, D, A, B, C, EXPR) \
    EXEC_PAIR(name, D, SPREAD(ROWS_3(D, A, B, C)), SPREAD(LOAD_3(A, B, C)), EXPR)

#define EXEC_SCALAR(name, D, ROWS, LOADS, EXPR) \
    static void name(EXEC_ARGS)                 \
    {                                           \
        ROWS;                                   \
        SCALAR_BODY(D, LOADS, EXPR)             \
    }
#define SCALAR1(name, D, A, EXPR) \
    EXEC_SCALAR(name, D, SPREAD(ROWS_1(D, A)), SPREAD(LOAD_1(A)), EXPR)
#define SCALAR2(name, D, A, B, EXPR) \
    EXEC_SCALAR(name, D, SPREAD(ROWS_2(D, A, B)), SPREAD(LOAD_2(A, B)), EXPR)
#define SCALAR3(name, D, A, B, C, EXPR) \
    EXEC_SCALAR(name, D, SPREAD(ROWS_3(D, A, B, C)), SPREAD(LOAD_3(A, B, C)), EXPR)

#endif
