#include "sim/gpu/gpu_choices.h"

#include <string.h>

#include "model/model.h"
#include "sim/cta/cta_scheduler.h"
#include "sim/icnt/icnt.h"
#include "sim/mem/dram_sched.h"
#include "sim/sm/sched/scheduler_name.h"
#include "sim/sm/sched/warp_scheduler.h"

#define NAME_AT(what)                                    \
    static const char *what##_name(int i)                \
    {                                                    \
        return what##_at(i) ? what##_at(i)->name : NULL; \
    }
NAME_AT(warp_scheduler)
NAME_AT(cta_scheduler)
NAME_AT(icnt)
NAME_AT(dram_sched)

/* Of those that a window alone tells something: model.h lists these first. */
static const char *online_model_name(int i)
{
    return model_at(i) && !model_at(i)->needs_pilots ? model_at(i)->name : NULL;
}

static const struct {
    const char *parameter;
    const char *const *word; /* ends with NULL */
} words[] = {
    {"independent_threads", threads_words},     {"reexecution", reexecution_words},
    {"two_level.outer", two_level_outer_words}, {"two_level.inner", two_level_inner_words},
    {"dyncta.start", dyncta_start_words},
};

static const struct {
    const char *parameter;
    const char *(*name)(int i);
} tables[] = {
    {"warp_scheduler", warp_scheduler_name},
    {"cta_scheduler", cta_scheduler_name},
    {"icnt.topology", icnt_name},
    {"dram.scheduler", dram_sched_name},
    {"online.model", online_model_name},
};

const char *gpu_choice(const char *parameter, int i)
{
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
        if (strcmp(tables[t].parameter, parameter) == 0)
            return tables[t].name(i);
    for (size_t w = 0; w < sizeof words / sizeof *words; w++)
        if (strcmp(words[w].parameter, parameter) == 0) {
            int last = 0;
            while (last < i && words[w].word[last])
                last++;
            return words[w].word[last];
        }
    return NULL;
}
