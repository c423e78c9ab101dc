/* The source of instructions that executes them: CTAs and warps of sim/func, an instruction at a
 * time. */
#include "sim/func/race.h"
#include "sim/func/stuck.h"
#include "sim/sm/inst_source.h"

static void *execute_cta_new(struct launch *l)
{
    return cta_new(l);
}

static void execute_cta_free(void *cta)
{
    cta_free(cta);
}

static bool execute_cta_start(void *cta, const struct inst_place *p)
{
    cta_init(cta, p->linear, p->core, p->cores);
    return true;
}

static void *execute_warp(void *cta, int i, struct inst_warp *at)
{
    struct warp *w = &((struct cta *)cta)->warp[i];
    *at = (struct inst_warp){.pc = warp_pc(w), .live = w->live};
    return w;
}

__attribute__((flatten)) static bool execute_step(void *warp, struct step *out,
                                                  struct inst_warp *at)
{
    struct warp *w = warp;
    const bool ok = warp_step(w, out);
    at->pc = warp_pc(w);
    at->live = w->live;
    return ok;
}

/* The same, and who looks for races sees what it did. */
static bool watched_step(void *warp, struct step *out, struct inst_warp *at)
{
    const struct warp *w = warp;
    const bool ok = execute_step(warp, out, at);
    races_step(w->cta->launch->races, w, out);
    return ok;
}

static void execute_set_time(void *cta, cycle_t now, psec_t now_ps)
{
    struct cta *c = cta;
    c->now = now;
    c->now_ps = now_ps;
}

static uint32_t execute_waiting(const void *cta)
{
    return cta_waiting(cta);
}

static bool execute_deadlocked(void *cta)
{
    return cta_deadlocked(cta);
}

static bool execute_stuck(void *cta)
{
    return cta_stuck(cta);
}

static void execute_never_ends(void *cta, uint64_t waiting)
{
    cta_never_ends(cta, waiting);
}

static const struct fault *execute_fault(const void *cta)
{
    return &((const struct cta *)cta)->fault;
}

static const struct warp *execute_state(const void *warp)
{
    return warp;
}

static void execute_locate(const void *warp, struct fault *f)
{
    const struct warp *w = warp;
    const struct simt_entry *top = &w->stack[w->depth - 1];
    fault_place(f, w, &w->cta->kernel->inst[top->pc], top->mask ? __builtin_ctz(top->mask) : 0);
}

#define EXECUTE(how)                                                                              \
    {                                                                                             \
        .cta_new = execute_cta_new, .cta_free = execute_cta_free, .cta_start = execute_cta_start, \
        .warp = execute_warp, .step = (how), .set_time = execute_set_time,                        \
        .waiting = execute_waiting, .deadlocked = execute_deadlocked, .stuck = execute_stuck,     \
        .never_ends = execute_never_ends, .fault = execute_fault, .state = execute_state,         \
        .locate = execute_locate,                                                                 \
    }

const struct inst_source inst_source_execute = EXECUTE(execute_step);
const struct inst_source inst_source_watched = EXECUTE(watched_step);
