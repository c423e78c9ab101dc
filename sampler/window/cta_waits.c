#include "sampler/window/cta_waits.h"

#include <string.h>

#include "base/cpu_time.h"
#include "sim/func/poll.h"
#include "sim/sm/inst_run.h"

static bool takes(const struct inst *in)
{
    return in->op == OP_ATOM && in->nd > 0 && in->space != SP_SHARED;
}

struct words { /* of the lanes of an access */
    lanes_t lanes;
    addr_t at[WARP_SIZE];
};

static void note(struct words *w, const struct step *s)
{
    w->lanes = s->active;
    memcpy(w->at, s->addr, sizeof w->at);
}

static bool has(const struct words *w, addr_t at)
{
    for (int i = 0; i < WARP_SIZE; i++)
        if (w->lanes >> i & 1 && w->at[i] == at)
            return true;
    return false;
}

struct first { /* when a CTA has taken something */
    uint64_t insts, at;
    struct words of;
    bool waits; /* it never ends, nor does it take anything */
};

static void on_step(void *user, const struct warp *w, const struct step *s)
{
    struct first *f = user;
    (void)w;
    f->insts++;
    if (f->at || !s->active || !takes(s->inst) || s->space == SP_SHARED)
        return;
    f->at = f->insts;
    note(&f->of, s);
}

/* What a CTA has asked last. */
static void on_asked(void *user, const struct warp *w, const struct step *s)
{
    (void)w;
    if (s->active && (takes(s->inst) || is_volatile_load(s->inst)) && s->space != SP_SHARED)
        note(user, s);
}

static void execute(struct cta_waits *w, struct launch *l, struct func_opts *o)
{
    struct func_counts c = {0};
    struct err ignored;
    inst_run(l, o, &c, &ignored);
    w->warp_insts += c.warp_insts;
}

static bool is_waiting(const struct fault *why)
{
    return why->kind == FAULT_NEVER_ENDS || why->kind == FAULT_LIMIT;
}

/* False: there is more of the CTA behind so many instructions. */
static bool look_up_to(struct cta_waits *w, const struct launch *l, uint64_t most, struct first *f)
{
    struct launch copy = *l;
    struct fault why = {0};
    *f = (struct first){0};
    copy.why = &why;
    copy.mem = devmem_share(l->mem);
    execute(w, &copy,
            &(struct func_opts){.first_cta = w->cta,
                                .num_ctas = 1,
                                .max_warp_insts = most,
                                .max_unpublished = w->max_unpublished,
                                .alone = true,
                                .on_step = on_step,
                                .user = f});
    devmem_free(copy.mem);
    f->waits = !f->at && is_waiting(&why);
    return f->at || f->insts < most;
}

/* Mostly it is one of the first that a CTA executes. */
static void first_taken(struct cta_waits *w, const struct launch *l, struct first *f)
{
    uint64_t most = (uint64_t)sampling_or_default(w->by)->waits.first_look;
    while (most < w->max_warp_insts && !look_up_to(w, l, most, f))
        most *= 16;
    if (most >= w->max_warp_insts)
        look_up_to(w, l, w->max_warp_insts, f);
}

/* In the same turns as when that was looked for. */
static void execute_up_to(struct cta_waits *w, struct launch *l, uint64_t insts, struct first *f)
{
    execute(w, l,
            &(struct func_opts){.first_cta = w->cta,
                                .num_ctas = 1,
                                .max_warp_insts = insts,
                                .on_step = on_step,
                                .user = f});
}

/* Both are after one word: a lock, which whoever has it gives back. */
static bool same_word(const struct words *a, const struct words *b)
{
    for (int i = 0; i < WARP_SIZE; i++)
        if (a->lanes >> i & 1 && has(b, a->at[i]))
            return true;
    return false;
}

static bool another_waits(struct cta_waits *w, const struct launch *l, const struct words *taken)
{
    const uint64_t last = launch_ctas(l) - 1;
    struct fault why = {0};
    struct words asked = {0};
    struct launch copy = *l;
    copy.why = &why;
    execute(w, &copy,
            &(struct func_opts){.first_cta = w->cta == last ? last - 1 : last,
                                .num_ctas = 1,
                                .max_warp_insts = w->max_warp_insts,
                                .max_unpublished = w->max_unpublished,
                                .alone = true,
                                .on_step = on_asked,
                                .user = &asked});
    return is_waiting(&why) && !same_word(&asked, taken);
}

bool cta_waits_takes(const struct kernel *k)
{
    bool any = false;
    for (uint32_t i = 0; i < k->ninst; i++)
        any |= takes(&k->inst[i]);
    return any;
}

bool cta_waits_may(const struct kernel *k)
{
    return k->volatile_loads || cta_waits_takes(k);
}

bool cta_waits_find(struct cta_waits *w, const struct launch *l)
{
    const bool may_take = cta_waits_takes(l->kernel);
    if (!cta_waits_may(l->kernel) || launch_ctas(l) < 2 || l->recorded)
        return false;
    const double start = cpu_seconds();
    struct launch copy = *l;
    copy.why = NULL;
    struct first taken = {0}, f = {0};
    if (may_take)
        first_taken(w, &copy, &taken);
    copy.mem = devmem_share(l->mem);
    if (taken.at)
        execute_up_to(w, &copy, taken.at, &f);
    const bool waits = taken.waits || another_waits(w, &copy, &f.of);
    devmem_free(copy.mem);
    w->seconds += cpu_seconds() - start;
    return waits;
}

/* On memory as it is. FAULT_NONE: it ends. */
static enum fault_kind outcome(struct cta_waits *w, const struct launch *l, struct func_opts *o)
{
    struct fault why = {0};
    struct launch copy = *l;
    copy.why = &why;
    copy.mem = devmem_share(l->mem);
    execute(w, &copy, o);
    devmem_free(copy.mem);
    return why.kind;
}

uint64_t cta_waits_limit(const struct cta_waits *w)
{
    return (uint64_t)sampling_or_default(w->by)->waits.limit_runs * w->max_warp_insts;
}

/* Where it can't be proved that they wait for ever, they are taken to after so many; those that are
 * there at once ask the longer. */
static enum fault_kind with(struct cta_waits *w, const struct launch *l, int at_once)
{
    return outcome(w, l,
                   &(struct func_opts){.resident = at_once,
                                       .max_warp_insts = cta_waits_limit(w),
                                       .max_unpublished = w->max_warp_insts});
}

static bool is_in_order(struct cta_waits *w, const struct launch *l, int places)
{
    const uint64_t ctas = launch_ctas(l), first = (uint64_t)places;
    return outcome(w, l,
                   &(struct func_opts){.num_ctas = first < ctas ? first : ctas,
                                       .max_warp_insts = w->max_warp_insts,
                                       .max_unpublished = w->max_unpublished,
                                       .alone = true}) == FAULT_NONE;
}

int cta_waits_least(struct cta_waits *w, const struct launch *l, int cores, int most,
                    bool *in_order)
{
    const double start = cpu_seconds();
    const bool first_ends = outcome(w, l,
                                    &(struct func_opts){.num_ctas = 1,
                                                        .max_warp_insts = w->max_warp_insts,
                                                        .max_unpublished = w->max_unpublished,
                                                        .alone = true}) == FAULT_NONE;
    int bad = 0, good = most;
    *in_order = first_ends && is_in_order(w, l, most * cores);
    if (*in_order)
        good = 1;
    else if (!first_ends && with(w, l, most * cores) == FAULT_NEVER_ENDS)
        bad = good = 0;
    for (int n = most - 1; good - bad > 1; n = (bad + good) / 2)
        *(with(w, l, n * cores) == FAULT_NONE ? &good : &bad) = n;
    w->seconds += cpu_seconds() - start;
    return good;
}
