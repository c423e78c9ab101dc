/* bench/degrees.c -- what the chosen degrees are worth, and what they cost: `degrees REFERENCE_DIR
 * DATA_DIR`. From the bundled profile, every application by coefficients fitted to the others (as
 * `compare --all` does); and on the reference kernels, which no fit sees, by GPGPU-Sim's own
 * cycles. One line a bar and effort. Exit code 1 if any bar is short. */
#include "bench/bar.h"
#include "bench/held_out.h"
#include "fitter/eval/cross_validation.h"
#include "fitter/store/profile.h"
#include "model/effort.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What is wanted of each effort: window, quick, thorough. */
#define BARS(X)                                                                    \
    X(kept, "kept of the optimum", ">=", "%", 0.975, 0.99, 0.997)                  \
    X(worst, "kept, worst", ">=", "%", 0.80, 0.93, 0.96)                           \
    X(captured, "gain captured, beyond 5 %", ">=", "%", 0.85, 0.95, 0.99)          \
    X(insensitive_loss, "loss, nothing to be gained", "<=", "%", 0.03, 0.01, 0.01) \
    X(ipc_error, "IPC: mean error, every n", "<=", "%", 0.20, 0.08, 0.02)          \
    X(inside, "IPC: in 80 % intervals, least", ">=", "%", 0.75, 0.75, 0.75)        \
    X(inside, "IPC: in 80 % intervals, most", "<=", "%", 0.90, 0.90, 0.90)
/* CPU time of an answer / that of one simulation: geometric mean, worst. */
static const struct price_bars {
    const char *size;
    double mean[EFFORT_COUNT], worst[EFFORT_COUNT];
} price_bars[] = {{"medium", {0.15, 0.5, 2}, {0.5, 1.5, 4}}, {"small", {0.5, 1, 2.5}, {1, 2.5, 6}}};

/* "NAME, EFFORT, GROUP"; of one run of each degree it is no bar. */
static int bar_of(const char *name, enum effort effort, const struct case_group *g, double measured,
                  const char *relation, double wanted, const char *unit)
{
    char text[256];
    snprintf(text, sizeof text, "%s, %s, %s", name, effort_name(effort), g->name);
    if (!g->once)
        return bar(text, measured, relation, wanted, unit);
    printf("%-60s %8.4g %s\n", text, *unit ? 100 * measured : measured, unit);
    return 0;
}

static int price_bars_of(enum effort effort, const struct case_group *g, const struct metrics *m)
{
    int bad = 0;
    for (size_t i = 0; i < sizeof price_bars / sizeof *price_bars; i++) {
        const struct price_bars *b = &price_bars[i];
        if (strcmp(b->size, g->size) != 0 || g->once)
            continue;
        bad += bar_of("price / one simulation", effort, g, m->price, "<=", b->mean[effort], "");
        bad += bar_of("price / one simulation, worst", effort, g, m->price_worst,
                      "<=", b->worst[effort], "");
        if (effort == EFFORT_QUICK)
            bad += bar_of("price of over a million instructions", effort, g, m->price_long, "<=", 1,
                          "");
    }
    return bad;
}

/* All applications of one size, on every GPU. */
static int size_bars(const struct cross_validation *c, const struct case_group *g,
                     enum effort effort, int predictor)
{
    struct metrics m;
    cv_metrics(c, g, predictor, &m, NULL);
    int bad = price_bars_of(effort, g, &m);
#define X(field, name, relation, unit, window, quick, thorough)                                    \
    bad += bar_of(name, effort, g, m.field, relation, (double[]){window, quick, thorough}[effort], \
                  unit);
    BARS(X)
#undef X
    return bad;
}

static int find_predictor(const struct cross_validation *c, const char *name)
{
    int k = 0;
    while (k < c->predictors && strcmp(c->predictor[k].name, name) != 0)
        k++;
    BUG_ON(k == c->predictors, "nobody is called %s", name);
    return k;
}

static int profile_bars(const struct cross_validation *c)
{
    struct case_group *g;
    const int groups = cv_groups(c, &g);
    int bad = 0;
    for (int once = 0; once < 2; once++)
        for (int i = 0; i < groups; i++) {
            if (g[i].gpu || g[i].once != once)
                continue;
            if (once)
                printf("\nThe same by one run of each degree, to which chance adds: no bars\n");
            for (int k = 0; k < EFFORT_COUNT; k++)
                bad += size_bars(c, &g[i], (enum effort)k,
                                 find_predictor(c, effort_name((enum effort)k)));
        }
    free(g);
    return bad;
}

static bool from_profile(const char *data, int threads, int *bad, struct err *e)
{
    struct cross_validation c;
    char *folder = xasprintf("%s/profiles", data);
    struct profile *p = profile_open_csv(folder, e);
    const bool ok = p && cv_run(p, &(struct cv_opts){.jobs = threads}, &c, e);
    profile_close(p);
    free(folder);
    if (ok) {
        *bad = profile_bars(&c);
        cv_release(&c);
    }
    return ok;
}

int main(int argc, char **argv)
{
    const int threads = (int)sysconf(_SC_NPROCESSORS_ONLN);
    struct err e;
    int bad = 0, short_of = 0;
    if (argc != 3) {
        fprintf(stderr, "usage: %s REFERENCE_DIR DATA_DIR\n", argv[0]);
        return 2;
    }
    if (!from_profile(argv[2], threads, &bad, &e) ||
        !held_out_bars(argv[1], argv[2], threads, &short_of, &e)) {
        fprintf(stderr, "%s: %s\n", argv[0], e.msg);
        return 1;
    }
    return bad || short_of ? 1 : 0;
}
