/* sim/sm/sm_cfg.h -- parameters of a core (defaults: GTX480 as GPGPU-Sim 3.2.1 sets it). */
#ifndef MDP_SIM_SM_SM_CFG_H
#define MDP_SIM_SM_SM_CFG_H

#include "base/params.h"
#include "sim/func/warp.h"

// clang-format off
#define SM_PARAMS(X)                                                                              \
    X(max_ctas, INT, 1, 64, 8, "CTAs", "CTA slots a core")                                        \
    X(max_threads, INT, 32, 2048, 1536, "threads", "resident threads a core")                     \
    X(registers, INT, 1024, 1 << 20, 32768, "registers", "32-bit registers a core")               \
    X(register_granularity, INT, 1, 64, 4, "registers", "a thread's registers are rounded up to") \
    X(warp_granularity, INT, 1, 64, 1, "warps", "the warps that the registers hold are rounded down to a multiple") \
    X(shared_bytes, INT, 0, 1 << 20, 49152, "bytes", "shared memory a core")                      \
    X(shared_granularity, INT, 1, 4096, 1, "bytes", "a CTA's shared memory is rounded up to")     \
    X(shared_reserved, INT, 0, 65536, 0, "bytes", "shared memory that each CTA takes for the system") \
    X(warp_scheduler, STR, 0, 0, "gto", "", "see `mdpredict list schedulers`")                    \
    X(independent_threads, STR, 0, 0, "auto", "", "threads of a warp: on (independent), off (one reconvergence stack), auto (as the PTX's .target has them: independent from sm_70 on)") \
    X(schedulers, INT, 1, 4, 2, "", "warp schedulers a core; warp slot i belongs to i mod this")  \
    X(issue_interval, INT, 1, 32, 1, "cycles", "from a scheduler's issue to its next")            \
    X(simd_width, INT, 1, 32, 32, "lanes", "lanes of an SP, SFU or DP unit: a warp takes 32/this cycles") \
    X(sp_units, INT, 1, 8, 2, "", "SP units")                                                     \
    X(sfu_units, INT, 1, 8, 1, "", "SFU units")                                                   \
    X(dp_units, INT, 0, 8, 0, "", "units for doubles (0: SP and SFU units do them)")              \
    X(result_buses, INT, 1, 8, 2, "", "results that SP, SFU and DP units may complete in one cycle") \
    X(reg_banks, INT, 1, 64, 16, "", "register banks: bank = (register + warp slot) mod this")    \
    X(shared_banks, INT, 1, 64, 32, "", "shared memory banks of 4 bytes")                         \
    X(shared_parts, INT, 1, 2, 1, "", "parts in which a warp accesses shared memory and coalesces (2: half warps)") \
    X(remote_shared_latency, INT, 1, SM_MAX_LATENCY, 180, "cycles", "from sending a load or an atomic to the shared memory of another CTA of the cluster until its result is there (180: H100, Luo et al. 2024, arXiv:2402.13499)") \
    X(bypass_segment, INT, 32, 128, 128, "bytes", "largest transaction of an access that goes past L1D") \
    X(cluster_buffer, INT, 1, 1024, 8, "packets", "replies waiting in front of the core")         \
    X(response_fifo, INT, 1, 1024, 2, "packets", "replies waiting in front of the LD/ST unit")    \
    X(vector_first_element, BOOL, 0, 1, false, "", "time vector accesses by their first element, as GPGPU-Sim 3.2.1 does") \
    X(texture_first_texel, BOOL, 0, 1, false, "", "time a texture fetch by the first texel that it reads, as GPGPU-Sim 3.2.1 does") \
    X(fence_stores, BOOL, 0, 1, true, "", "membar waits for stores too (GPGPU-Sim 3.2.1: for loads only)") \
    X(atomic_address_hazard, BOOL, 0, 1, true, "", "an atomic waits for its address (GPGPU-Sim 3.2.1: neither waits nor reads it)") \
    X(atomics_block, BOOL, 0, 1, false, "", "a warp issues nothing until its atomics are back, as in GPGPU-Sim 3.2.1") \
    X(shared_atomic_turns, BOOL, 0, 1, true, "", "lanes of a shared atomic take turns at a word (GPGPU-Sim 3.2.1: together)") \
    X(unnumbered_banks, BOOL, 0, 1, true, "", "a register with no number in its name has a bank (GPGPU-Sim 3.2.1: none)") \
    X(header_needs_room, BOOL, 0, 1, true, "", "a store is sent when header and data have room (GPGPU-Sim 3.2.1: the data)") \
    X(reexecution, STR, 0, 0, "none", "", "queue for refused loads and stores: none, car (Mascar), newcar (Park)") \
    X(reexecution_entries, INT, 1, 1024, 32, "transactions", "places in that queue")             \
    X(inst_prefetch, INT, 0, 4096, 0, "MSHRs", "with fewer occupied in L1I and L1D the next line of code is fetched ahead (0: never; by +prefetch 16)") \
    X(tick_every_cycle, BOOL, 0, 1, false, "", "for debugging: never sleep (slow, same results)")

/* Operand collectors and the pipeline registers around them. */
#define COLLECTOR_PARAMS(X)                                                                  \
    X(sp_units, INT, 1, 32, 6, "", "collector units of the SP pipe")                         \
    X(sfu_units, INT, 1, 32, 8, "", "collector units of the SFU pipe")                       \
    X(dp_units, INT, 1, 32, 6, "", "collector units of the DP pipe, if there are DP units")  \
    X(mem_units, INT, 1, 32, 2, "", "collector units of the LD/ST pipe")                     \
    X(sp_in, INT, 1, 8, 2, "instructions/cycle", "SP input ports")                           \
    X(sfu_in, INT, 1, 8, 1, "instructions/cycle", "SFU input ports")                         \
    X(dp_in, INT, 1, 8, 1, "instructions/cycle", "DP input ports")                           \
    X(mem_in, INT, 1, 8, 1, "instructions/cycle", "LD/ST input ports")                       \
    X(sp_out, INT, 1, 8, 2, "instructions/cycle", "SP output ports")                         \
    X(sfu_out, INT, 1, 8, 1, "instructions/cycle", "SFU output ports")                       \
    X(dp_out, INT, 1, 8, 1, "instructions/cycle", "DP output ports")                         \
    X(mem_out, INT, 1, 8, 1, "instructions/cycle", "LD/ST output ports")                     \
    X(issue_sp, INT, 1, 8, 2, "instructions", "pipeline register issue -> collector, SP")    \
    X(issue_sfu, INT, 1, 8, 1, "instructions", "pipeline register issue -> collector, SFU")  \
    X(issue_dp, INT, 1, 8, 1, "instructions", "pipeline register issue -> collector, DP")    \
    X(issue_mem, INT, 1, 8, 1, "instructions", "pipeline register issue -> collector, LD/ST") \
    X(exec_sp, INT, 1, 8, 2, "instructions", "pipeline register collector -> unit, SP")      \
    X(exec_sfu, INT, 1, 8, 1, "instructions", "pipeline register collector -> unit, SFU")    \
    X(exec_dp, INT, 1, 8, 1, "instructions", "pipeline register collector -> unit, DP")      \
    X(exec_mem, INT, 1, 8, 1, "instructions", "pipeline register collector -> unit, LD/ST")

/* Warp schedulers' own: sched/NAME.c says what they do. */
#define TWO_LEVEL_PARAMS(X)                                                                     \
    X(size, INT, 1, 64, 8, "warps", "two-level: the active set of a scheduler")                 \
    X(outer, STR, 0, 0, "srr", "", "two-level: who is promoted to it first: srr, gto, paws")    \
    X(inner, STR, 0, 0, "lrr", "", "two-level: order in it: lrr, gto")                          \
    X(turn, INT, 0, 1000000000, 10000, "cycles", "two-level: a place in it, if others could have it; 0: for ever")
#define TWO_LEVEL_GROUPS_PARAMS(X) \
    X(size, INT, 1, 64, 8, "warps", "two-level-groups: slots of a fetch group")
#define ELF_PARAMS(X)                                                                              \
    X(program_points, INT, 0, 4096, 32, "", "elf: slots for program points; a kernel's are merged down to them (0: any number)") \
    X(score_bits, INT, 2, 16, 8, "bits", "elf: of a score and a priority")                              \
    X(forward_branches, BOOL, 0, 1, false, "", "elf: forward branches are program points too")          \
    X(fetch, BOOL, 0, 1, true, "", "elf: fetch in the order of issue, the schedulers by turns (false: round robin)") \
    X(fetch_turns, INT, 0, 1000000, 64, "fetches", "elf: of so many of a scheduler one goes round robin, so that no warp starves (0: none, as in the paper)")
#define CCWS_MAX_TAGS 64
#define CCWS_PARAMS(X)                                                                          \
    X(tags, INT, 1, CCWS_MAX_TAGS, 16, "lines", "ccws: victim tags of a warp")                  \
    X(ways, INT, 1, CCWS_MAX_TAGS, 8, "lines", "ccws: ... in a set")                            \
    X(base, INT, 1, 100000, 100, "points", "ccws: score of a warp that lost nothing; times the warps it is the cut-off") \
    X(throttle, INT, 0, 100000, 8, "", "ccws: what lost locality is multiplied by")             \
    X(decay, INT, 1, 100000, 1, "cycles", "ccws: until a score falls by a point")
#define MASCAR_PARAMS(X) \
    X(saturated, INT, 1, 100, 90, "%", "mascar: MSHRs of L1D in use from which it is saturated")

/* Operation classes: X(name, default latency, default initiation interval, what it holds). */
#define SM_OPS(X)                                                      \
    X(other, 1, 1, "moves, logic, shifts, conversions, compares, branches ...") \
    X(int_add, 4, 1, "integer add, sub")                               \
    X(int_max, 13, 2, "integer min, max")                              \
    X(int_mul, 4, 2, "integer mul (SFU)")                              \
    X(int_mad, 5, 1, "integer mad (SFU)")                              \
    X(int_div, 145, 8, "integer div (SFU)")                            \
    X(int_rem, 1, 1, "integer rem (missing from GPGPU-Sim 3.2.1's table: 1/1)") \
    X(fp_add, 4, 1, "single add, sub")                                 \
    X(fp_max, 13, 2, "single min, max")                                \
    X(fp_mul, 4, 1, "single mul")                                      \
    X(fp_mad, 5, 1, "single mad")                                      \
    X(fp_fma, 1, 1, "single fma (missing from GPGPU-Sim 3.2.1's table: 1/1)") \
    X(fp_div, 39, 4, "single div (SFU)")                               \
    X(dp_add, 8, 8, "double add, sub")                                 \
    X(dp_max, 19, 16, "double min, max")                               \
    X(dp_mul, 8, 8, "double mul")                                      \
    X(dp_mad, 8, 8, "double mad")                                      \
    X(dp_fma, 1, 1, "double fma (missing from GPGPU-Sim 3.2.1's table: 1/1)") \
    X(dp_div, 330, 130, "double div (SFU)")                            \
    X(sfu, 8, 8, "sin cos ex2 lg2 rsqrt rcp sqrt")

// clang-format on

PARAM_STRUCT(collector_cfg, COLLECTOR_PARAMS);
PARAM_STRUCT(elf_cfg, ELF_PARAMS);
PARAM_STRUCT(two_level_cfg, TWO_LEVEL_PARAMS);
PARAM_STRUCT(two_level_groups_cfg, TWO_LEVEL_GROUPS_PARAMS);
PARAM_STRUCT(ccws_cfg, CCWS_PARAMS);
PARAM_STRUCT(mascar_cfg, MASCAR_PARAMS);

#define SM_MAX_LATENCY 1000

enum sm_op {
#define X(name, lat, itv, help) SM_OP_##name,
    SM_OPS(X)
#undef X
        SM_OP_COUNT
};

struct sm_cfg {
    SM_PARAMS(PARAM_FIELD)          /* "" */
    struct collector_cfg collector; /* "collector" */
    struct elf_cfg elf;             /* "elf" */
    int latency[SM_OP_COUNT];       /* "latency": cycles until the result is on the bus */
    int interval[SM_OP_COUNT];      /* "interval": cycles until the unit takes the next one */
    struct two_level_cfg two_level; /* "two_level" */
    struct two_level_groups_cfg two_level_groups; /* "two_level_groups" */
    struct ccws_cfg ccws;                         /* "ccws" */
    struct mascar_cfg mascar;                     /* "mascar" */
};

enum pipe { PIPE_SP, PIPE_SFU, PIPE_DP, PIPE_MEM, PIPE_COUNT };

/* A pipe's instructions: pipeline register -> collector unit -> pipeline register -> unit. */
struct pipe_cfg {
    int in, out;             /* places in the registers */
    int ports_in, ports_out; /* instructions a cycle */
    int collectors;          /* units; 0: there is no such pipe */
    int first, end;          /* its execution units: SP's, SFUs, DP's in one row; memory has none */
};

struct pipe_cfg sm_pipe(const struct sm_cfg *c, enum pipe p);

extern const struct param_group sm_cfg_groups[]; /* prefix "": top level; ends with rows == NULL */
enum threads sm_cfg_threads(const struct sm_cfg *c); /* independent_threads */
extern const char *const threads_words[];            /* by enum threads; ends with NULL */
bool sm_cfg_check(const struct sm_cfg *c, struct err *e);

#endif
