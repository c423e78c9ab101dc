#include "sampler/sampling.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/datadir.h"

#define ROW(f, t, lo, hi, d, u, h) PARAM_ROW(struct similarity_params, f, t, lo, hi, d, u, h)
static const struct param similarity_rows[] = {SIMILARITY_PARAMS(ROW)};
#undef ROW
#define ROW(f, t, lo, hi, d, u, h) PARAM_ROW(struct window_params, f, t, lo, hi, d, u, h)
static const struct param window_rows[] = {WINDOW_PARAMS(ROW)};
#undef ROW
#define ROW(f, t, lo, hi, d, u, h) PARAM_ROW(struct watch_params, f, t, lo, hi, d, u, h)
static const struct param watch_rows[] = {WATCH_PARAMS(ROW)};
#undef ROW
#define ROW(f, t, lo, hi, d, u, h) PARAM_ROW(struct rates_params, f, t, lo, hi, d, u, h)
static const struct param rates_rows[] = {RATES_PARAMS(ROW)};
#undef ROW
#define ROW(f, t, lo, hi, d, u, h) PARAM_ROW(struct pilot_params, f, t, lo, hi, d, u, h)
static const struct param pilot_rows[] = {PILOT_PARAMS(ROW)};
#undef ROW
#define ROW(f, t, lo, hi, d, u, h) PARAM_ROW(struct waits_params, f, t, lo, hi, d, u, h)
static const struct param waits_rows[] = {WAITS_PARAMS(ROW)};
#undef ROW
#define ROW(f, t, lo, hi, d, u, h) PARAM_ROW(struct repeat_params, f, t, lo, hi, d, u, h)
static const struct param repeat_rows[] = {REPEAT_PARAMS(ROW)};
#undef ROW
#define ROW(f, t, lo, hi, d, u, h) PARAM_ROW(struct bound_params, f, t, lo, hi, d, u, h)
static const struct param bound_rows[] = {BOUND_PARAMS(ROW)};
#undef ROW

#define GROUP(name)                                                   \
    {                                                                 \
#name, name##_rows, sizeof name##_rows / sizeof *name##_rows, \
            offsetof(struct sampling, name)                           \
    }
const struct param_group sampling_groups[] = {GROUP(similarity), GROUP(window), GROUP(watch),
                                              GROUP(rates),      GROUP(pilot),  GROUP(waits),
                                              GROUP(repeat),     GROUP(bound),  {NULL, NULL, 0, 0}};

static struct sampling defaults;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void fill_defaults(void)
{
    params_default(sampling_groups, &defaults);
}

const struct sampling *sampling_or_default(const struct sampling *by)
{
    pthread_once(&once, fill_defaults);
    return by ? by : &defaults;
}

bool sampling_load(struct sampling *s, struct err *e)
{
    char *path = datadir_find("coefficients", "sampling", e);
    *s = *sampling_or_default(NULL);
    const bool ok = path && params_load(sampling_groups, s, path, e);
    free(path);
    return ok;
}
