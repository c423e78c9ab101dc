#include "sim/mem/dram_shares.h"

#include <stdlib.h>

struct dram_shares *dram_shares_new(const struct dram_cfg *cfg, const struct dram_timing *timing,
                                    int channels, cycle_t lead)
{
    struct dram_shares *s = xcalloc(1, sizeof *s);
    s->cfg = cfg;
    s->timing = timing;
    channel_share_init(&s->bus, channels, channels, lead);
    channel_share_init(&s->act, channels, channels, lead);
    channel_share_init(&s->bank, channels, channels * cfg->banks, lead);
    s->waiting = xcalloc((size_t)channels, sizeof *s->waiting);
    return s;
}

void dram_shares_free(struct dram_shares *s)
{
    if (!s)
        return;
    channel_share_fini(&s->bus);
    channel_share_fini(&s->act);
    channel_share_fini(&s->bank);
    free(s->waiting);
    free(s);
}

/* ---- The queue ---- */

int dram_shares_room(struct dram_shares *s, const struct mem_req *r, int more)
{
    const int channels = s->bus.channels, queue = s->cfg->queue,
              part = (queue + channels - 1) / channels;
    int all = 0, most = 0;
    s->waiting[r->channel] += more;
    for (int i = 0; i < channels; i++) {
        most = s->waiting[i] > most ? s->waiting[i] : most;
        all += s->waiting[i] < part ? s->waiting[i] : part;
    }
    return queue - (most > all ? most : all);
}

/* ---- Who may go on ---- */

static int account(const struct dram_shares *s, const struct mem_req *r)
{
    return r->channel * s->cfg->banks + r->bank;
}

static cycle_t may_at(const struct dram_shares *s, const struct mem_req *r)
{
    const cycle_t bus = channel_share_when(&s->bus, r->channel),
                  act = channel_share_when(&s->act, r->channel),
                  bank = channel_share_when(&s->bank, account(s, r));
    return dram_later(dram_later(bus, act), bank);
}

static bool may(const void *user, const struct mem_req *r)
{
    const struct dram_shares *s = user;
    return may_at(s, r) <= s->now;
}

static bool bind(const struct dram_shares *s, cycle_t now)
{
    return channel_share_binds(&s->bus, now) || channel_share_binds(&s->act, now) ||
           channel_share_binds(&s->bank, now);
}

/* When the first request that waits for the bank may be taken. */
static cycle_t taken_at(const struct dram_shares *s, const struct mem_req *r)
{
    cycle_t next = CYCLE_NEVER;
    for (; r; r = r->next)
        next = dram_earlier(next, may_at(s, r));
    return next;
}

uint64_t dram_shares_may_take(struct dram_shares *s, struct dram_sched *sched, uint64_t free,
                              cycle_t now)
{
    s->now = now;
    sched->may = bind(s, now) ? may : NULL;
    sched->user = s;
    if (sched->may)
        for (uint64_t m = free & sched->waiting; m; m &= m - 1)
            if (taken_at(s, sched->head[__builtin_ctzll(m)]) > now)
                free &= ~(m & -m);
    return free;
}

cycle_t dram_shares_next(const struct dram_shares *s, const struct dram_sched *sched, uint64_t free,
                         cycle_t now)
{
    const uint64_t wait = free & sched->waiting;
    if (wait && !bind(s, now + 1))
        return now + 1;
    cycle_t next = CYCLE_NEVER;
    for (uint64_t m = wait; m; m &= m - 1)
        next = dram_earlier(next, taken_at(s, sched->head[__builtin_ctzll(m)]));
    return dram_later(next, now + 1);
}

/* ---- What was taken ---- */

void dram_shares_act(struct dram_shares *s, const struct mem_req *r, cycle_t now)
{
    channel_share_take(&s->act, r->channel, now, (cycle_t)s->timing->rrd);
}

void dram_shares_burst(struct dram_shares *s, const struct mem_req *r, cycle_t now)
{
    channel_share_take(&s->bus, r->channel, now, (cycle_t)s->timing->burst);
}

/* From reads to writes and back. */
void dram_shares_turn(struct dram_shares *s, const struct mem_req *r, cycle_t now)
{
    channel_share_take(&s->bank, account(s, r), now, (cycle_t)(s->timing->rtw + s->timing->wtr));
}

/* As if others followed closely: what it waited for may have been another channel's. */
void dram_shares_done(struct dram_shares *s, const struct mem_req *r, uint32_t columns, bool opened,
                      cycle_t now)
{
    const struct dram_timing *t = s->timing;
    channel_share_take(&s->bank, account(s, r), now,
                       dram_later(columns * (cycle_t)t->ccdl, opened ? (cycle_t)t->rc : 0));
}
