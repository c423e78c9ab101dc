/* fitter/fit/series.h -- what a fit is made from: kernels measured at n = 1, 2, ..., each with the
 * sample of its one CTA. From the profile database, or from a CSV file. */
#ifndef MDP_FITTER_FIT_SERIES_H
#define MDP_FITTER_FIT_SERIES_H

#include "base/err.h"
#include "model/model.h"

struct profile;

struct series {
    char application[128]; /* "nbf:small" */
    char gpu[64];          /* of a profile; else empty */
    struct sample sample;  /* the part with the most work */
    struct sample *part;   /* owned; groups of like launches. NULL: sample alone */
    int parts;
    struct model_state at[MODEL_N_MAX + 1]; /* by n; NAN: not measured */
    int n_max;                              /* largest measured */
    int setting; /* of a profile: kernels of one application in one setting have the same; else 0 */
    /* Cycles where the application has n CTAs at once and this kernel, without room for so many,
     * has fewer; else 0. */
    double beyond[MODEL_N_MAX + 1];
    bool has[MODEL_N_MAX + 1]; /* of a CSV file: it has a row of that n */
};

struct series_set {
    struct series *one; /* owned */
    int count;
};

/* What a CSV file has of a model_state. optional: the whole column may be missing; zero: 0 can be
 * measured. */
struct series_column {
    const char *name;
    size_t off; /* in struct model_state */
    bool optional, zero;
};
#define SERIES_COLUMNS 5
extern const struct series_column series_columns[SERIES_COLUMNS + 1]; /* ends with name == NULL */

/* path: a profile database, or a CSV file (*.csv) with the columns
 *     application, n, dram_reads (of a CTA), miss_rate, mf_latency, cta_cycles
 * and optionally kernel, cycles (of the GPU, over all launches), and fields of a sample by name,
 * which are read in a series' first row. A CSV cell may be empty: not measured. A row belongs to
 * the last series of its application and kernel; if that has its n already, another series begins.
 * What can't be measured (a negative number, a time of 0) is an error. */
bool series_load(const char *path, struct series_set *out, struct err *e);
/* All of a profile; nothing there is no error. */
bool series_profile(struct profile *p, struct series_set *out, struct err *e);
void series_release(struct series_set *s);

/* The application without its size, "nbf". Returns buf. */
const char *series_workload(const struct series *s, char buf[128]);
/* "small" of "nbf:small"; "": its name has none. */
const char *series_size(const struct series *s);

/* The most CTAs a core, up to `most`, for which the grid has enough: places beyond
 * ceil(grid / cores) stay empty, so that nothing changes there. */
int series_filled(const struct series *s, int most);
/* Step n of s, if the grid fills that many places; what was not measured at either end is NAN. */
bool series_step(const struct series *s, int n, struct model_step *out);

#endif
