/* tests/sampler/traced.h -- a kernel from PTX text (tests/func/ptxrun.h), traced while it runs
 * without timing. */
#ifndef MDP_TESTS_SAMPLER_TRACED_H
#define MDP_TESTS_SAMPLER_TRACED_H

#include "sampler/trace.h"
#include "tests/func/ptxrun.h"
#include "tests/gpu/whole.h"

#define HEAD_INSTS 5 /* of KERNEL_HEAD: two parameters, tid, the address of out[tid] */

struct traced {
    struct gpu_cfg cfg;
    struct ptxrun run;
    struct trace t;
    struct requests made;
};

struct traced_shape {
    int ctas, threads; /* of the launch */
    uint64_t first;    /* CTA to trace, and how many */
    int want;
    int fits; /* CTAs on a core; 0: not known */
};

static inline void traced_on_step(void *user, const struct warp *w, const struct step *s)
{
    struct traced *x = user;
    requests_make(&x->made, w, s);
    trace_step(&x->t, &x->made, w, s);
}

/* The caller closes. */
static inline void traced_on(struct traced *x, const char *gpu, const char *body,
                             const char *const *settings, struct traced_shape s)
{
    static char text[65536];
    KERNEL_TEXT(text, body);
    x->cfg = whole_gpu(gpu, settings);
    ptxrun_open(&x->run, text, s.threads, 1 << 22);
    x->run.l.grid[0] = s.ctas;
    x->run.opts.on_step = traced_on_step;
    x->run.opts.user = x;
    x->made.cfg = &x->cfg;
    trace_init(&x->t, &x->cfg, &x->run.l, s.first, s.want);
    x->t.fits = s.fits;
    const bool ok = ptxrun_go(&x->run);
    if (!ok)
        printf("\n  %s\n", x->run.err.msg);
    CU_ASSERT_TRUE_FATAL(ok);
}

/* On yen2014, 15 cores, unless the settings say otherwise. */
static inline void traced_open(struct traced *x, const char *body, const char *const *settings,
                               struct traced_shape s)
{
    traced_on(x, "yen2014", body, settings, s);
}

/* CTAs recorded, of all cores. */
static inline int traced_ctas(const struct traced *x)
{
    int n = 0;
    for (int i = 0; i < x->cfg.top.cores; i++)
        n += trace_core_ctas(&x->t, i);
    return n;
}

static inline void traced_close(struct traced *x)
{
    trace_fini(&x->t);
    ptxrun_close(&x->run);
}

#endif
