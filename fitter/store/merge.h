/* fitter/store/merge.h -- several profile databases as one. */
#ifndef MDP_FITTER_STORE_MERGE_H
#define MDP_FITTER_STORE_MERGE_H

#include "base/err.h"

/* All rows of the files `from` into the database `into`, which is made if it is not there; what is
 * in several of them is there once. False and e, and `into` is as it was: one can't be read; its
 * revision is another; it has another configuration under the name of a GPU (the first parameter
 * that differs is named); or it has another result of the same run. Seconds may differ: those that
 * were there first stay. */
bool profile_merge(char *const *from, int count, const char *into, struct err *e);

#endif
