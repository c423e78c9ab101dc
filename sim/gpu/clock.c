#include "sim/gpu/clock.h"

bool clock_init(struct clock *c, const struct clock_cfg *cfg, struct err *e)
{
    const int mhz[CLOCK_DOMAINS] = {cfg->core, cfg->icnt, cfg->l2, cfg->dram};
    uint64_t lcm = 1;
    for (int d = 0; d < CLOCK_DOMAINS; d++) {
        if (mhz[d] <= 0)
            return err_set(e, "clock frequencies must be positive");
        lcm = lcm / common_divisor(lcm, (uint64_t)mhz[d]) * (uint64_t)mhz[d];
    }
    for (int d = 0; d < CLOCK_DOMAINS; d++) {
        c->period[d] = lcm / (uint64_t)mhz[d];
        c->next[d] = 0;
        c->period_s[d] = 1 / (mhz[d] * 1e6);
        c->next_s[d] = 0;
    }
    c->rounded = cfg->rounded;
    return true;
}

void clock_launch(struct clock *c)
{
    for (int d = 0; d < CLOCK_DOMAINS; d++)
        c->next_s[d] = 0;
}

/* The L2's edge does not set the pace, as in GPGPU-Sim 3.2.1. */
static unsigned rounded_step(struct clock *c)
{
    static const enum clock_domain order[] = {CLOCK_L2, CLOCK_ICNT, CLOCK_DRAM, CLOCK_CORE};
    double now = c->next_s[CLOCK_CORE];
    now = c->next_s[CLOCK_ICNT] < now ? c->next_s[CLOCK_ICNT] : now;
    now = c->next_s[CLOCK_DRAM] < now ? c->next_s[CLOCK_DRAM] : now;
    unsigned due = 0;
    for (int i = 0; i < CLOCK_DOMAINS; i++) {
        const enum clock_domain d = order[i];
        if (c->next_s[d] > now)
            continue;
        now = d == CLOCK_L2 ? c->next_s[d] : now;
        due |= 1u << d;
        c->next_s[d] += c->period_s[d];
    }
    return due;
}

static void rounded_jump(struct clock *c, uint64_t core_edges, uint64_t skipped[CLOCK_DOMAINS])
{
    for (int d = 0; d < CLOCK_DOMAINS; d++)
        skipped[d] = 0;
    for (;;) {
        const struct clock before = *c;
        const unsigned due = rounded_step(c);
        if (due & 1u << CLOCK_CORE && --core_edges == 0) {
            *c = before;
            return;
        }
        for (int d = 0; d < CLOCK_DOMAINS; d++)
            skipped[d] += due >> d & 1;
    }
}

unsigned clock_step(struct clock *c)
{
    if (c->rounded)
        return rounded_step(c);
    uint64_t step = c->next[0];
    for (int d = 1; d < CLOCK_DOMAINS; d++)
        if (c->next[d] < step)
            step = c->next[d];
    unsigned due = 0;
    for (int d = 0; d < CLOCK_DOMAINS; d++) {
        c->next[d] -= step;
        if (c->next[d] == 0) {
            due |= 1u << d;
            c->next[d] = c->period[d];
        }
    }
    return due;
}

void clock_jump(struct clock *c, uint64_t core_edges, uint64_t skipped[CLOCK_DOMAINS])
{
    if (c->rounded) {
        rounded_jump(c, core_edges, skipped);
        return;
    }
    uint64_t ahead = c->next[CLOCK_CORE] + (core_edges - 1) * c->period[CLOCK_CORE];
    for (int d = 0; d < CLOCK_DOMAINS; d++) {
        skipped[d] = 0;
        if (c->next[d] < ahead)
            skipped[d] = (ahead - c->next[d] + c->period[d] - 1) / c->period[d];
        c->next[d] = c->next[d] + skipped[d] * c->period[d] - ahead;
    }
}
