/* tests/fitter/coeff.h -- a coefficient by its name. */
#ifndef MDP_TESTS_FITTER_COEFF_H
#define MDP_TESTS_FITTER_COEFF_H

#include "fitter/fit/coefficients.h"

static inline void set(struct coefficients *c, const char *name, double v)
{
    *coefficient_at(c->model, c->value, coefficient_find(c->model, name)) = v;
}

static inline double get(const struct coefficients *c, const char *name)
{
    return *coefficient_at(c->model, c->value, coefficient_find(c->model, name));
}

#endif
