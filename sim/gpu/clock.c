#include "sim/gpu/clock.h"

static uint64_t gcd(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t r = a % b;
        a = b;
        b = r;
    }
    return a;
}

bool clock_init(struct clock *c, const struct clock_cfg *cfg, struct err *e)
{
    const int mhz[CLOCK_DOMAINS] = {cfg->core, cfg->icnt, cfg->l2, cfg->dram};
    uint64_t lcm = 1;
    for (int d = 0; d < CLOCK_DOMAINS; d++) {
        if (mhz[d] <= 0)
            return err_set(e, "clock frequencies must be positive");
        lcm = lcm / gcd(lcm, (uint64_t)mhz[d]) * (uint64_t)mhz[d];
    }
    for (int d = 0; d < CLOCK_DOMAINS; d++) {
        c->period[d] = lcm / (uint64_t)mhz[d];
        c->next[d] = 0;
    }
    return true;
}

unsigned clock_step(struct clock *c)
{
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
    uint64_t ahead = c->next[CLOCK_CORE] + (core_edges - 1) * c->period[CLOCK_CORE];
    for (int d = 0; d < CLOCK_DOMAINS; d++) {
        skipped[d] = 0;
        if (c->next[d] < ahead)
            skipped[d] = (ahead - c->next[d] + c->period[d] - 1) / c->period[d];
        c->next[d] = c->next[d] + skipped[d] * c->period[d] - ahead;
    }
}
