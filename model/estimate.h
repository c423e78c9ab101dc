/* model/estimate.h -- what is known of a program's IPC at every degree: a model's prediction, put
 * right by the pilot simulations that its samples hold. Pure arithmetic; the sampler asks here
 * which pilots are worth it, and evaluation what it would have known with fewer of them. */
#ifndef MDP_MODEL_ESTIMATE_H
#define MDP_MODEL_ESTIMATE_H

#include "model/model.h"
#include "model/pilot_plan.h"

/* Whether a program of so many warp instructions is short; that cycles make it long is known once
 * the default had its pilot. */
bool estimate_is_short(const struct pilot_coeff *pilots, const struct sample *s,
                       double program_insts);
/* Warp instructions that pilots of its kernel may take: more in a short program. */
double estimate_budget(const struct pilot_coeff *pilots, const struct sample *s,
                       double program_insts);
/* The search among a kernel's degrees, after the pilots that s has; mostly none. */
void estimate_plan(const struct model_coeffs *c, const struct pilot_coeff *pilots,
                   const struct sample *s, double program_insts, struct pilot_plan *out);
/* Expected improvement, as ln IPC, of another pilot of what has some; 0: none is worth it. */
double estimate_pilot_gain(const struct model_coeffs *c, const struct pilot_coeff *pilots,
                           const struct sample *s);
/* As model_predict(), with what pilots say: fills deviation, gain_deviation and undecided, too.
 * Returns what is known of all kernels together; owned by the caller. */
struct posterior *estimate(const struct model_coeffs *c, const struct pilot_coeff *pilots,
                           const struct sample *s, int kernels, struct prediction *kernel,
                           struct prediction *all);
/* The degree at which simulating the whole program is worth most: one whose IPC is only estimated
 * and that may be the best, or the default, where a simulation has found pilots far off. 0: none
 * is. */
int estimate_next_run(const struct posterior *known, const struct pilot_coeff *pilots,
                      const struct prediction *all);
/* It was simulated, and at `ipc`. */
void estimate_run(struct posterior *known, const struct pilot_coeff *pilots, int n, double ipc,
                  struct prediction *all);

#endif
