#include "bench/simulate.h"

#include "sim/frontend/target.h"
#include "sim/gpu/gpu.h"

#include <string.h>
#include <time.h>

struct one_run {
    struct gpu *gpu;
    int n;
    struct simulation *out;
};

static double thread_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool launch(void *self, struct launch *l, struct err *e)
{
    struct one_run *r = self;
    const struct gpu_opts o = {.n = r->n, .only_core = -1};
    const double start = thread_seconds();
    const bool ok = gpu_launch(r->gpu, l, &o, &r->out->total, e);
    r->out->seconds += thread_seconds() - start;
    if (r->out->launches < SIMULATION_LAUNCHES)
        r->out->after[r->out->launches] = r->out->total;
    r->out->launches++;
    return ok;
}

bool simulate(const char *target, const struct gpu_cfg *cfg, int n, struct simulation *out,
              struct err *e)
{
    memset(out, 0, sizeof *out);
    struct target *t = target_open(target, NULL, e);
    struct one_run r = {t ? gpu_new(cfg, e) : NULL, n, out};
    const struct executor x = {.launch = launch, .self = &r};
    const bool ok = r.gpu && target_run(t, &x, true, e);
    gpu_free(r.gpu);
    target_free(t);
    return ok;
}
