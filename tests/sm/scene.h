/* tests/sm/scene.h -- one warp scheduler and the warps that it sees, set by hand, so that a test
 * can say cycle by cycle what the policy decides. The warps are slots 0 .. n - 1, all of one
 * scheduler; a slot's instructions are scene.meta[pc]. */
#ifndef MDP_TESTS_SM_SCENE_H
#define MDP_TESTS_SM_SCENE_H

#include "sim/gpu/gpu_cfg.h"
#include "sim/sm/sched/warp_scheduler.h"
#include "tests/suite.h"

#include <stdlib.h>
#include <string.h>

#define SCENE_CODE 16

struct scene {
    const struct warp_scheduler_ops *ops;
    struct gpu_cfg cfg;
    struct sched_view v;
    struct warp_sets set;
    struct warp_slot warp[MAX_WARPS];
    struct inst_meta meta[SCENE_CODE];
    uint64_t age[MAX_WARPS], next_age;
    void *st;
    bool again; /* what admit() said last */
};

static inline void scene_launch(struct scene *s)
{
    if (s->ops->launch)
        s->ops->launch(s->st, &s->v);
}

/* settings: as --set has them, NULL at the end. */
static inline void scene_init(struct scene *s, const struct warp_scheduler_ops *ops, int warps,
                              const char *const *settings)
{
    struct err e = {""};
    memset(s, 0, sizeof *s);
    s->ops = ops;
    gpu_cfg_default(&s->cfg);
    for (; settings && *settings; settings++)
        CU_ASSERT_TRUE_FATAL(params_set(gpu_cfg_groups(), &s->cfg, *settings, &e));
    for (uint32_t pc = 0; pc < SCENE_CODE; pc++)
        s->meta[pc] = (struct inst_meta){.pc = pc, .latency = 1, .cls = CLASS_SP};
    s->st = calloc(1, ops->bytes + 1);
    s->v = (struct sched_view){.cfg = &s->cfg.sm,
                               .owned = ((1ull << (warps - 1)) * 2) - 1,
                               .age = s->age,
                               .warp = s->warp,
                               .set = &s->set,
                               .core = calloc(1, ops->core_bytes + 1),
                               .meta = s->meta,
                               .warps_per_cta = 1};
    if (ops->init)
        ops->init(s->st, &s->v);
    scene_launch(s);
}

static inline void scene_fini(struct scene *s)
{
    free(s->st);
    free(s->v.core);
}

static inline void scene_at(struct scene *s, int slot, uint32_t pc)
{
    s->warp[slot].at.pc = pc;
    s->warp[slot].head = &s->meta[pc];
}

static inline void scene_start(struct scene *s, int slot)
{
    s->warp[slot].at.live = LANES_ALL;
    scene_at(s, slot, 0);
    s->age[slot] = s->next_age++;
    s->set.resident |= 1ull << slot;
    if (s->ops->warp_started)
        s->ops->warp_started(s->st, &s->v, slot);
}

static inline void scene_end(struct scene *s, int slot)
{
    s->set.resident &= ~(1ull << slot);
    if (s->ops->warp_left)
        s->ops->warp_left(s->st, &s->v, slot);
}

/* The slots that are admitted in a new cycle. */
static inline uint64_t scene_admits(struct scene *s)
{
    s->v.now++;
    s->again = false;
    s->set.held = s->set.barrier | s->set.atomic | s->set.fence | s->set.done;
    return s->ops->admit ? s->ops->admit(s->st, &s->v, &s->again) & s->v.owned : s->v.owned;
}

/* A new cycle in which the warps of `ready` could issue; the one that does, or -1. */
static inline int scene_issues(struct scene *s, uint64_t ready)
{
    uint64_t among = scene_admits(s) & ready & s->set.resident & ~s->set.held;
    for (int i = 0; i < MAX_WARPS; i++)
        among &= ~((uint64_t)!s->warp[i].head << i); /* nothing buffered */
    if (!among)
        return -1;
    const int slot = s->ops->pick(s->st, &s->v, among);
    CU_ASSERT_TRUE(among >> slot & 1);
    if (s->ops->issued)
        s->ops->issued(s->st, &s->v, slot, s->warp[slot].head);
    return slot;
}

#endif
