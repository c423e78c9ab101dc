/* fitter/scatter.h -- how far off a model's whole predictions are where it was fitted. */
#ifndef MDP_FITTER_SCATTER_H
#define MDP_FITTER_SCATTER_H

#include "fitter/coefficients.h"
#include "fitter/series.h"

/* Of a model whose coefficient `error` is 0, not known: sets it so that of the series that sees()
 * says (NULL: all) 80 % of the measured IPCs lie within 1.28 of it. It stays 0 where the series
 * have none. */
void scatter_fill(struct coefficients *c, const struct series_set *set,
                  bool (*sees)(void *user, const struct series *s), void *user);

#endif
