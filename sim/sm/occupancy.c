#include "sim/sm/occupancy.h"

static int round_up(int v, int to)
{
    return (v + to - 1) / to * to;
}

void occupancy_fits(const struct sm_cfg *c, int threads, int regs, int shared, int fit[OCC_LIMITS])
{
    const int padded = round_up(threads, WARP_SIZE);
    const int warp_regs = WARP_SIZE * round_up(regs, c->register_granularity);
    const int warps_held = warp_regs ? c->registers / warp_regs : 0;
    const int cta_shared = round_up(shared + c->shared_reserved, c->shared_granularity);
    fit[OCC_SLOTS] = c->max_ctas;
    fit[OCC_THREADS] = c->max_threads / padded;
    fit[OCC_REGISTERS] =
        warp_regs ? warps_held / c->warp_granularity * c->warp_granularity / (padded / WARP_SIZE)
                  : INT32_MAX;
    fit[OCC_SHARED] = cta_shared ? c->shared_bytes / cta_shared : INT32_MAX;
}

int occupancy(const struct sm_cfg *c, int threads, int regs, int shared, enum occ_limit *why)
{
    int fit[OCC_LIMITS];
    occupancy_fits(c, threads, regs, shared, fit);
    enum occ_limit tightest = OCC_SLOTS;
    for (enum occ_limit o = OCC_THREADS; o <= OCC_SHARED; o++)
        if (fit[o] < fit[tightest])
            tightest = o;
    if (why)
        *why = tightest;
    return fit[tightest];
}

const char *occ_limit_name(enum occ_limit o)
{
    static const char *const names[] = {
        [OCC_SLOTS] = "CTA slots",
        [OCC_THREADS] = "threads",
        [OCC_REGISTERS] = "registers",
        [OCC_SHARED] = "shared memory",
    };
    return names[o];
}
