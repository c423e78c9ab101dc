/* sim/icnt/icnt_cfg.h -- the interconnect's parameters (one row each: field, type, min, max,
 * default, unit, help). */
#ifndef MDP_SIM_ICNT_ICNT_CFG_H
#define MDP_SIM_ICNT_ICNT_CFG_H

#include "base/params.h"

#define ICNT_PARAMS(X)                                                                            \
    X(topology, STR, 0, 0, "xbar", "", "the network")                                             \
    X(flit_bytes, INT, 1, 256, 32, "bytes", "flit size")                                          \
    X(vcs, INT, 1, 16, 1, "", "virtual channels a port (xbar: 1)")                                \
    X(vc_flits, INT, 1, 1024, 8, "flits", "buffer of a virtual channel at a router input")        \
    X(inject_flits, INT, 1, 1024, 9, "flits", "injection buffer a node")                          \
    X(eject_flits, INT, 1, 1024, 8, "flits", "ejection buffer a node")                            \
    X(boundary_flits, INT, 1, 1024, 16, "flits", "boundary buffer behind the ejection buffer")    \
    X(eject_rate, INT, 1, 8, 1, "flits/icnt cycle",                                               \
      "from an ejection buffer into its boundary buffer (GPGPU-Sim 3.2.1: 2)")                    \
    X(input_speedup, INT, 1, 8, 2, "", "crossbar input speed-up")                                 \
    X(routing_delay, INT, 0, 100, 0, "icnt cycles", "of a packet's head, each router (xbar: 0)")  \
    X(channel_latency, INT, 0, 100, 0, "icnt cycles", "each channel, beyond one cycle (xbar: 0)") \
    X(header_bytes, INT, 0, 64, 8, "bytes", "packet header")

PARAM_STRUCT(icnt_cfg, ICNT_PARAMS);

extern const struct param_group icnt_cfg_groups[]; /* prefix "icnt"; ends with rows == NULL */
bool icnt_cfg_check(const struct icnt_cfg *c, struct err *e);

#endif
