/* fitter/fit/required_inputs.h -- what a stage of a model can't do without, for whoever is told
 * that it can't be fitted. Found by trying: of what is measured and sampled, that without which the
 * stage gives no number. */
#ifndef MDP_FITTER_FIT_REQUIRED_INPUTS_H
#define MDP_FITTER_FIT_REQUIRED_INPUTS_H

#include "fitter/fit/series.h"

/* The names, with ", " between them, of what the stage needs and no series of the set has; "" if
 * they have all of it. The caller frees. */
char *required_missing(const struct model_stage *stage, const void *coeff,
                       const struct series_set *set);

/* Was all of the step measured that the stage's prediction needs? Its sample is not looked at. */
bool required_measured(const struct model_stage *stage, const void *coeff,
                       const struct model_step *step);

#endif
