/* fuzz/profile_use.h -- what commands do with a profile that was taken: read it whole, write it as
 * CSV, predict from each sample, make cases and series of it. */
#ifndef MDP_FUZZ_PROFILE_USE_H
#define MDP_FUZZ_PROFILE_USE_H

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fitter/eval/cases.h"
#include "fitter/fit/coefficients.h"
#include "fitter/fit/series.h"
#include "fitter/store/profile.h"

/* A file of these bytes; its name is in path. */
static inline int profile_use_file(const uint8_t *data, size_t size, char path[40])
{
    const int fd = memfd_create("fuzz", 0);
    BUG_ON(fd < 0 || write(fd, data, size) != (ssize_t)size, "no file in memory");
    snprintf(path, 40, "/proc/self/fd/%d", fd);
    return fd;
}

static inline char *profile_use_export(struct profile *p, enum profile_table t)
{
    struct err e = {""};
    char *text = NULL;
    size_t len;
    FILE *f = open_memstream(&text, &len);
    const bool ok = profile_export(p, t, f, &e);
    fclose(f);
    BUG_ON(!ok && !*e.msg, "no export, and no message");
    if (ok)
        return text;
    free(text);
    return NULL;
}

static inline void profile_use_sample(void *user, const struct profile_input *in,
                                      const struct sample *s)
{
    (void)user, (void)in;
    for (int i = 0; model_at(i); i++) {
        struct coefficients c;
        struct prediction one, all;
        coefficients_init(&c, model_at(i));
        const struct model_coeffs m = coefficients_model(&c);
        model_predict(&m, s, 1, &one, &all);
        BUG_ON(all.chosen_n < 0 || all.chosen_n > MODEL_N_MAX, "%d is chosen", all.chosen_n);
        coefficients_release(&c);
    }
}

static inline void profile_use(struct profile *p)
{
    struct err e = {""};
    const struct profile_visitor v = {.sample = profile_use_sample};
    struct case_set cases;
    struct series_set series;
    BUG_ON(!profile_walk(p, &v, &e) && !*e.msg, "no walk, and no message");
    e.msg[0] = '\0';
    if (cases_load(p, &cases, &e))
        cases_release(&cases);
    else
        BUG_ON(!*e.msg, "no cases, and no message");
    e.msg[0] = '\0';
    if (series_profile(p, &series, &e))
        series_release(&series);
    else
        BUG_ON(!*e.msg, "no series, and no message");
}

#endif
