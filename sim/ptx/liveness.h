/* sim/ptx/liveness.h -- where each virtual register is live, and how many registers that makes.
 *
 * PTX has as many registers as its compiler liked; hardware has what its assembler allocates. The
 * estimate here: the largest number of 32-bit registers that are live at once (64-bit values count
 * two, values of 8 and 16 bits one, predicates none, as they live in registers of their own), along
 * the deepest chain of calls with what the callers keep, plus REGS_RESERVED for what an assembler
 * adds by itself (stack pointer, addresses of parameters, copies), but never more than .maxnreg.
 * A write under a guard does not end the life of the old value. Known error: assemblers reorder,
 * rematerialise and spill. */
#ifndef MDP_SIM_PTX_LIVENESS_H
#define MDP_SIM_PTX_LIVENESS_H

#include <stdint.h>

#define REGS_RESERVED 2
#define REGS_MAX      255

struct decoder;
struct liveness {
    uint32_t *first,
        *last; /* [nvreg]: instructions between which it is live; first > last: never */
};

/* Fills function.max_live and kernel.regs. */
struct liveness *liveness_build(struct decoder *d);
void liveness_free(struct liveness *l);

/* Registers to rows: two that are never live together share one, so that a warp's registers stay
 * in the cache. opnd.reg, which timing reads, keeps the number declared. */
void rows_assign(struct decoder *d, const struct liveness *l);

#endif
