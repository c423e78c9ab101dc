#include "sim/mem/dram_sched.h"

#include <string.h>

static const struct dram_sched_ops *const all[] = {&dram_sched_frfcfs, &dram_sched_fcfs};

const struct dram_sched_ops *dram_sched_at(int i)
{
    return i >= 0 && i < (int)(sizeof all / sizeof *all) ? all[i] : NULL;
}

const struct dram_sched_ops *dram_sched_find(const char *name)
{
    for (int i = 0; dram_sched_at(i); i++)
        if (strcmp(all[i]->name, name) == 0)
            return all[i];
    return NULL;
}

void dram_sched_add(struct dram_sched *s, struct mem_req *r)
{
    const int b = r->bank;
    r->next = NULL;
    if (s->head[b])
        s->tail[b]->next = r;
    else
        s->head[b] = r;
    s->tail[b] = r;
    s->waiting |= 1ull << b;
    s->pending++;
}

struct mem_req *dram_sched_unlink(struct dram_sched *s, int bank, struct mem_req *prev)
{
    struct mem_req *r = prev ? prev->next : s->head[bank];
    if (prev)
        prev->next = r->next;
    else
        s->head[bank] = r->next;
    if (s->tail[bank] == r)
        s->tail[bank] = prev;
    if (!s->head[bank])
        s->waiting &= ~(1ull << bank);
    s->pending--;
    r->next = NULL;
    return r;
}
