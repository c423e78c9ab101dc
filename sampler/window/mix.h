/* sampler/window/mix.h -- a CTA's warp instructions by class. Every instruction is in exactly one.
 */
#ifndef MDP_SAMPLER_MIX_H
#define MDP_SAMPLER_MIX_H

#include "sim/func/warp.h"

/* A field insts_CLASS of struct sample each. */
#define MIX_CLASSES(X)                                                                             \
    X(int)   /* integers, logic, moves, selections, shuffles, votes; arguments of device functions \
              */                                                                                   \
    X(float) /* arithmetic and comparisons of f16 and f32, conversions to them */                  \
    X(double)                                                                                      \
    X(sfu) /* transcendental functions, roots, reciprocals; divisions of floating-point numbers */ \
    X(global_load) /* cp.async and loads from surfaces too */                                      \
    X(global_store)                                                                                \
    X(shared)                                                                                      \
    X(const) /* constants and kernel parameters */                                                 \
    X(local)                                                                                       \
    X(texture)                                                                                     \
    X(atomic)  /* of any memory, with and without a result */                                      \
    X(barrier) /* of CTAs and warps, fences, waits for asynchronous copies */                      \
    X(control) /* branches, calls, returns, exits, traps; hints to caches */

enum mix_class {
#define X(name) MIX_##name,
    MIX_CLASSES(X)
#undef X
        MIX_COUNT
};

enum mix_class mix_of(const struct step *s);

#endif
