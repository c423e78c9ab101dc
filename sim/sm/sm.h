/* sim/sm/sm.h -- one core: fetch, instruction buffers, issue, operand collectors, execution units,
 * load/store unit, L1 caches.
 *
 *   fetch -> ibuffer -> issue -> operand collector -> SP / SFU / LDST -> write-back
 *
 * sim/gpu calls, in one core cycle: sm_replies (packets from the reply network), later sm_tick;
 * CTAs are handed over one a cycle. Outgoing requests are pushed straight into the request network
 * (env.icnt), when can_push allows. */
#ifndef MDP_SIM_SM_SM_H
#define MDP_SIM_SM_SM_H

#include "base/stats.h"
#include "sim/func/warp.h"
#include "sim/icnt/icnt.h"
#include "sim/mem/addrmap.h"
#include "sim/mem/mem_cfg.h"
#include "sim/sm/inst_counts.h"
#include "sim/sm/sched/sched_counts.h"
#include "sim/sm/sm_cfg.h"

/* Where code lies: GPGPU-Sim 3.2.1's PROGRAM_MEM_START, moved by a multiple of 6 x 2^28 as local
 * memory is (mem_gen.c) so that no buffer can have the same address. */
#define SM_CODE_BASE  (0xf0000000ull + (0x60000000ull << 17))
#define SM_INST_BYTES 8

struct sm; /* opaque */

struct sm_env { /* borrowed; the same for every core */
    const struct sm_cfg *cfg;
    const struct mem_cfg *mem;
    const struct icnt_cfg *icnt_cfg;
    const struct icnt_ops *icnt;
    void *req_net, *reply_net; /* core i is input i of req_net, output i of reply_net; partition p
                                  is output p / input p */
    struct req_pool *pool;
    const struct addrmap *map;
    int cores;
    psec_t core_period_ps; /* what %globaltimer advances by in a core cycle */
};

struct sm *sm_new(const struct sm_env *env, int id);
void sm_free(struct sm *s);
/* What is worked out of a kernel once for each launch, for all cores. */
struct sm_code {
    struct inst_meta *meta; /* owned */
    void *analysis;         /* owned: the warp scheduler's; NULL: it needs none */
    const char *note;       /* its note for the user; NULL: nothing */
    /* borrowed: what is counted by instruction is added, an entry each of the kernel; NULL: nobody
     * asks, as sm_code_build() leaves it */
    struct inst_counts *counts;
};
void sm_code_build(struct sm_code *c, const struct kernel *k, const struct sm_cfg *cfg);
void sm_code_free(struct sm_code *c); /* zeroed: does nothing */
/* Before each launch: kernel, its code (borrowed until the next launch), the CTA limit (n, already
 * clamped to occupancy); L1D contents stay, L1I too. */
void sm_launch(struct sm *s, struct launch *l, const struct sm_code *code, int cta_limit,
               bool trace_working_set);
bool sm_can_start_cta(const struct sm *s); /* below its limit */
void sm_start_cta(struct sm *s, uint64_t linear_id, cycle_t now);
int sm_resident_ctas(const struct sm *s);
struct sm_cta_end {
    cycle_t start;       /* when it was dispatched */
    uint64_t warp_insts; /* it issued */
    uint64_t core_insts; /* its core issued while it was there */
};
/* CTAs that ended (every warp done, stores acknowledged) since the last sm_forget_ended(). */
int sm_ended_ctas(const struct sm *s);
bool sm_ended_cta(const struct sm *s, int i, struct sm_cta_end *end); /* false: not so many */
void sm_forget_ended(struct sm *s);
/* Only the n oldest CTAs run; the others are paused: their warps issue when no warp of a running
 * CTA is ready. patience: a paused warp that has not issued for so many cycles counts as running,
 * for one instruction; 0: never. */
void sm_run_oldest(struct sm *s, int n, cycle_t patience);
struct sm_activity { /* core cycles since sm_new(), as run_stats counts them */
    uint64_t c_mem, c_idle, stalled;
};
void sm_activity(struct sm *s, cycle_t now, struct sm_activity *a);
/* All that the core counted since sm_new(); sm_stats() hands out the same, bit by bit. */
void sm_counters(struct sm *s, cycle_t now, struct run_stats *out);
/* The core's side of the reply network: at most what GPGPU-Sim moves in one core cycle (cluster
 * buffer, LD/ST response FIFO, L1I fill). */
bool sm_replies(struct sm *s, cycle_t now);
/* Barriers opened that warps of several cores wait at. */
void sm_barriers_opened(struct sm *s, cycle_t now);
bool sm_replies_wait(const struct sm *s); /* packets are in front of the core */
bool sm_tick(struct sm *s, cycle_t now);  /* one core cycle; cheap when nothing can happen */
/* Earliest core cycle at which sm_tick would do anything without a reply arriving (now + 1 when
 * awake; CYCLE_NEVER when it waits for replies only). Cycles jumped over are accounted when it next
 * ticks or at sm_stats(). */
cycle_t sm_wake_at(const struct sm *s, cycle_t now);
bool sm_drained(
    const struct sm *s); /* no CTA, nothing in flight (dirty evictions on their way out excepted) */
const struct fault *sm_fault(const struct sm *s); /* NULL: none */
/* When nothing moves any more although CTAs are resident: finds the barrier deadlock and fills the
 * fault; false: not a barrier. */
bool sm_diagnose_hang(struct sm *s);
/* Whether no warp of the core's CTAs can go on unless others write to memory (sim/func/stuck.h);
 * false too where nobody can tell, as of a trace. */
bool sm_stuck(struct sm *s);
/* All that is left is stuck for ever: the fault. waiting: CTAs that have not begun. False: the core
 * holds no CTA. */
bool sm_never_ends(struct sm *s, uint64_t waiting);
/* Where a resident warp is, for "still running" messages. False: there is none. */
bool sm_any_running(const struct sm *s, struct fault *f);
/* Adds this core's counters up to cycle `now` to *add and clears them. */
void sm_stats(struct sm *s, cycle_t now, struct run_stats *add);
/* What the warp scheduler and parts that are off by default counted, since sm_new(). */
void sm_sched_counts(const struct sm *s, struct sched_counts *add);
uint64_t sm_issued(const struct sm *s); /* warp instructions since the last sm_stats() */
uint64_t sm_polls(const struct sm *s);  /* of the launch: those that only wait (inst.polls) */
/* ... up to cycle `now`: cycles in which a warp of a CTA is at these, summed over CTAs. */
uint64_t sm_waiting(const struct sm *s, cycle_t now);
/* Behind sm_launch: as if the kernel had run here before, and so much code since (its own
 * included). L1C has its parameters, L1I, if that fits, its code. */
void sm_ran_before(struct sm *s, uint64_t code_since);
void sm_flush_l1(struct sm *s);
/* Its caches hold what those of another core do, and code lies where it does there. */
void sm_copy_caches(struct sm *to, const struct sm *from);

#endif
