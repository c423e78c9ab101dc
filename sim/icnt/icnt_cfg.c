#include "sim/icnt/icnt_cfg.h"

#include "sim/icnt/icnt.h"

#define ICNT_ROW(f, t, lo, hi, d, u, h) PARAM_ROW(struct icnt_cfg, f, t, lo, hi, d, u, h)
static const struct param rows[] = {ICNT_PARAMS(ICNT_ROW)};

const struct param_group icnt_cfg_groups[] = {
    {"icnt", rows, sizeof rows / sizeof *rows, 0},
    {NULL, NULL, 0, 0},
};

#define LARGEST_PAYLOAD 128 /* bytes: a line of the configurations that are bundled */

bool icnt_cfg_check(const struct icnt_cfg *c, struct err *e)
{
    if (!icnt_find(c->topology))
        return err_set(e, "icnt.topology = \"%s\", not one of %s", c->topology, ICNT_NAMES);
    if (icnt_find(c->topology) == &icnt_xbar &&
        (c->vcs != 1 || c->routing_delay || c->channel_latency))
        return err_set(e,
                       "icnt.vcs = %d, routing_delay = %d, channel_latency = %d: xbar has one "
                       "virtual channel and no delays; topology fly has them",
                       c->vcs, c->routing_delay, c->channel_latency);
    const int flits = icnt_flits(c, LARGEST_PAYLOAD);
    if (c->inject_flits < flits)
        return err_set(e, "icnt.inject_flits = %d, less than the %d flits of a 128 byte packet",
                       c->inject_flits, flits);
    if (c->boundary_flits < flits)
        return err_set(e, "icnt.boundary_flits = %d, less than the %d flits of a 128 byte packet",
                       c->boundary_flits, flits);
    return true;
}
