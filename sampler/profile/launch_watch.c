#include "sampler/profile/launch_watch.h"

#include <stdlib.h>

#include "base/err.h"
#include "sim/gpu/gpu.h"

static bool is_watched(void *user, uint64_t cta)
{
    const struct launch_watch *k = user;
    return memory_watch_follows(k->memory, cta) ||
           (k->partitions && partition_watch_follows(k->partitions, cta)) ||
           (k->neighbours && partition_watch_follows(k->neighbours, cta));
}

static void watch_step(void *user, const struct warp *w, const struct step *st)
{
    struct launch_watch *k = user;
    memory_watch_step(k->memory, w, st);
    if (k->partitions)
        partition_watch_step(k->partitions, w, st);
    if (k->neighbours)
        partition_watch_step(k->neighbours, w, st);
}

static void count_cta(void *user, uint64_t cta, uint64_t warp_insts)
{
    ((struct launch_watch *)user)->cta_insts[cta] = warp_insts;
}

static void begin(struct launch_watch *k, struct memory_watch *memory, struct func_opts *o)
{
    *k = (struct launch_watch){.memory = memory};
    o->on_step = watch_step;
    o->follows = is_watched;
    o->user = k;
}

void launch_watch_begin(struct launch_watch *k, const struct gpu_cfg *cfg, const struct launch *l,
                        const struct watch_params *by, struct func_opts *o)
{
    const uint64_t ctas = launch_ctas(l), cores = (uint64_t)cfg->top.cores,
                   resident = (uint64_t)gpu_resident_ctas(cfg, l);
    begin(k, memory_watch_new(cfg, ctas, by), o);
    k->partitions = partition_watch_new(cfg, ctas, resident, by);
    if (ctas > cores && resident > cores)
        k->neighbours = partition_watch_new(cfg, ctas, cores, by);
    if (ctas > 1 && ctas <= (uint64_t)by->counted)
        k->cta_insts = xcalloc(ctas, sizeof *k->cta_insts);
    o->on_done = k->cta_insts ? count_cta : NULL;
}

void launch_watch_begin_few(struct launch_watch *k, const struct gpu_cfg *cfg,
                            const struct launch *l, const struct watch_params *by,
                            struct func_opts *o)
{
    begin(k, memory_watch_new_few(cfg, launch_ctas(l), by), o);
}

void launch_watch_end(struct launch_watch *k)
{
    memory_watch_free(k->memory);
    partition_watch_free(k->partitions);
    partition_watch_free(k->neighbours);
    free(k->cta_insts);
    *k = (struct launch_watch){0};
}
