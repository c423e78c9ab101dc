/* libcuda.c -- the front end as libcuda.so.1: a program on the CUDA driver API that is pointed at
 * this library (LD_LIBRARY_PATH, dlopen) runs its kernels in the simulator. The environment says on
 * what:
 *   MDPREDICT_GPU         as -g (default: yen2014)
 *   MDPREDICT_SET         as --set, several apart by spaces: "l1d.size=8192 cores=1"
 *   MDPREDICT_FUNCTIONAL  1: execute only; no time passes
 * Each context begins on a GPU as it is after power-on. Threads make calls one at a time. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/datadir.h"
#include "sim/frontend/session.h"
#include "sim/func/run.h"
#include "sim/gpu/gpu.h"

static struct {
    pthread_once_t once;
    struct session *session; /* NULL: the environment is wrong */
    struct executor executor;
    char name[64];
    struct gpu_cfg cfg;
    struct gpu *gpu; /* owned; NULL: functional, or no launch yet */
    bool functional;
    psec_t now;
} the = {.once = PTHREAD_ONCE_INIT};

static bool say(const struct err *e)
{
    fprintf(stderr, "mdpredict: %s\n", e->msg);
    return false;
}

static bool simulate(struct launch *l, struct err *e)
{
    if (l->sequence == 0) { /* a new context */
        gpu_free(the.gpu);
        the.gpu = gpu_new(&the.cfg, e);
    }
    struct run_stats s = {0};
    const struct gpu_opts o = {.n = INT32_MAX, .only_core = -1};
    if (!the.gpu || !launch_init(l, e))
        return false;
    if (gpu_occupancy(&the.cfg, l, NULL) < 1)
        return err_set(e, "kernel %s: not even one CTA fits on a core", l->kernel->name);
    bool ok = gpu_launch(the.gpu, l, &o, &s, e);
    the.now += (psec_t)((double)s.cycles * 1e6 / the.cfg.clock.core);
    return ok;
}

static bool on_launch(void *self, struct launch *l, struct err *e)
{
    (void)self;
    struct func_counts counts;
    bool ok = the.functional ? launch_init(l, e) && func_run(l, &(struct func_opts){0}, &counts, e)
                             : simulate(l, e);
    return ok || say(e);
}

static psec_t on_now(void *self)
{
    (void)self;
    return the.now;
}

static bool configure(struct err *e)
{
    const char *gpu = getenv("MDPREDICT_GPU"), *set = getenv("MDPREDICT_SET");
    const char *functional = getenv("MDPREDICT_FUNCTIONAL");
    the.functional = functional && strcmp(functional, "1") == 0;
    gpu = gpu ? gpu : "yen2014";
    snprintf(the.name, sizeof the.name, "mdpredict %s", gpu);
    char *data = datadir(e);
    bool ok = data && gpu_cfg_load(&the.cfg, data, gpu, e);
    char *settings = xstrdup(set ? set : ""), *rest = settings;
    for (char *one = strtok_r(rest, " ", &rest); ok && one; one = strtok_r(NULL, " ", &rest))
        ok = params_set(gpu_cfg_groups(), &the.cfg, one, e) || err_prefix(e, "MDPREDICT_SET");
    free(settings);
    free(data);
    return ok && gpu_cfg_check(&the.cfg, e);
}

static void begin(void)
{
    struct err e = {""};
    if (!configure(&e)) {
        say(&e);
        return;
    }
    the.executor = (struct executor){
        .launch = on_launch, .device = &the.cfg, .device_name = the.name, .now = on_now};
    the.session = session_new(&the.executor, "module");
}

struct session *session_of_process(void)
{
    pthread_once(&the.once, begin);
    return the.session;
}

pthread_mutex_t *session_process_mutex(void)
{
    static pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
    return &mutex;
}
