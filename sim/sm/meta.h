/* sim/sm/meta.h -- what timing needs to know of each instruction of a kernel, worked out once per
 * launch: pipe, latency, register banks, scoreboard numbers. */
#ifndef MDP_SIM_SM_META_H
#define MDP_SIM_SM_META_H

#include "sim/ptx/module.h"
#include "sim/sm/sm_cfg.h"

enum pipe_class {
    CLASS_SP,
    CLASS_SFU,
    CLASS_EITHER /* SP, else SFU */,
    CLASS_DP,
    CLASS_MEM,
    CLASS_COUNT
};

#define WRITE_DELAY 2                /* core cycles from a result bus to write-back */
#define META_NO_PC  (UINT32_MAX - 1) /* pc of what is fetched beyond the code: matches no warp's */

struct board_bits { /* registers of one word of a scoreboard */
    uint64_t bits;
    uint32_t word;
};

/* A cache line; the lists lie behind the entries. */
struct inst_meta {
    const struct inst *in;          /* borrowed; NULL: beyond the code */
    const struct board_bits *check; /* must be free: sources, guard, dst */
    const struct board_bits *dst;   /* to reserve */
    uint32_t pc;                    /* index in kernel.inst */
    uint16_t latency, interval;
    uint8_t cls;       /* enum pipe_class */
    bool load;         /* its registers are written by the LD/ST unit (atomics too) */
    bool long_latency; /* of these: meta_is_long_latency() */
    bool fence, barrier, reads_clock;    /* membar; may let other warps go; needs the time */
    bool polls;                          /* inst.polls */
    uint8_t ncheck, ndst, nread, nwrite; /* entries of the lists */
    uint8_t nreserved;                   /* registers in dst */
    uint8_t read_bank[INST_MAX_SRC];     /* register banks of warp slot 0, one a source register */
    uint8_t write_bank[INST_MAX_DST];
} __attribute__((aligned(64)));

/* The register bank that is n behind that of a slot's register 0, first; both < banks. */
static inline int bank_behind(int banks, int first, int n)
{
    const int bank = first + n;
    return bank < banks ? bank : bank - banks;
}

/* Whether it waits for memory: a load, or an atomic that returns, from global or local memory or a
 * texture; not of parameters, constants or shared memory. */
bool meta_is_long_latency(const struct inst *in);

/* ninst + 2 entries: the last two stand for what lies beyond the code. Caller frees. */
struct inst_meta *meta_build(const struct kernel *k, const struct sm_cfg *cfg);

#endif
