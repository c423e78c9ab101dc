/* sim/func/warp.h -- functional state: launch, CTA, warp; and executing one instruction.
 *
 *   launch_init -> cta_init -> warp_step ... until every warp is done -> cta_fini -> launch_fini
 *
 * The timing core and the functional runner use the same calls: an instruction takes effect at
 * warp_step(), and what the timing model needs to know about it (addresses, mask, barrier) comes
 * back in struct step. */
#ifndef MDP_SIM_FUNC_WARP_H
#define MDP_SIM_FUNC_WARP_H

#include "sim/func/memory.h"
#include "sim/func/tex_table.h"
#include "sim/ptx/module.h"

/* Why a kernel was stopped. */
enum fault_kind {
    FAULT_NONE,
    FAULT_OUT_OF_BOUNDS,
    FAULT_MISALIGNED,
    FAULT_READ_ONLY,
    FAULT_BARRIER_DIVERGED,
    FAULT_BARRIER_DEADLOCK,
    FAULT_TRAP,
    FAULT_ASSERT,
    FAULT_BAD_CALL,
    FAULT_RECURSION,
    FAULT_LIMIT,
    FAULT_UNSUPPORTED, /* refused before it began: an instruction */
    FAULT_TOO_LARGE,   /* likewise: no CTA fits on a core */
    FAULT_NEVER_ENDS,  /* nothing that is left to run can make it go on (stuck.h) */
    FAULT_TEXTURE,
    FAULT_TRACE /* what was recorded cannot be read */
};
struct fault {
    enum fault_kind kind;
    const struct inst *inst;
    int cta[3], thread[3];
    addr_t addr;
    int bytes;
    enum space space;
    char detail[256];
};

/* How the threads of a warp run. By the PTX: independently from .target sm_70 on. */
enum threads {
    THREADS_BY_TARGET,
    THREADS_IN_STEP,    /* one reconvergence stack: a path runs until it ends */
    THREADS_INDEPENDENT /* paths wait for each other where they have to (split.h) */
};

struct trace_launch; /* sim/sm */
struct launch {      /* one kernel launch; filled by the front end, checked by launch_init */
    struct kernel *kernel;
    int grid[3], block[3];
    int cluster[3];                  /* CTAs of a cluster; 0: as the kernel says */
    struct cta_clusters *clusters;   /* borrowed, while it runs; see cta_cluster.h */
    uint32_t dyn_shared;             /* dynamic shared memory, bytes a CTA */
    int regs_override;               /* registers a thread for occupancy; 0: kernel->regs */
    uint8_t *params;                 /* kernel->param_bytes long; owned by the launch */
    struct devmem *mem;              /* borrowed */
    const struct textures *textures; /* borrowed; NULL: none */
    int sequence;                    /* 0-based number of the launch in the program */
    int device;                      /* whose launch it is; 0 where there is one */
    void *printf_file;               /* FILE * for vprintf; NULL: stdout */
    uint64_t malloc_limit;
    addr_t workspace; /* a cooperative launch: where its CTAs meet, %envreg1 and 2; 0: none */
    enum threads threads;
    /* Borrowed: what its CTAs did (sim/sm/trace_file.h), and there are no values to execute it
     * with; NULL: it is executed. */
    const struct trace_launch *recorded;
    /* Borrowed: where what its threads launch is noted; NULL: that has no effect. */
    struct device_launches *launches;
    struct strays *strays; /* borrowed; NULL: to read outside of all buffers is a fault */
    struct races *races;   /* borrowed; NULL: nobody looks for races (race.h) */
    struct fault *why;     /* borrowed; NULL or where a fault is left for the caller */
    /* NULL, or called now and then while it runs. stuck: none of its threads can go on unless
     * others write to memory; asked again, nothing executed, until one can. False: nobody will. */
    bool (*others)(void *user, bool stuck);
    void *others_user;
};

/* What a path does; all but the first with independent threads only. Those that wait have executed
 * the instruction before pc. */
enum path_state {
    PATH_RUNS,
    PATH_YIELDS,  /* it goes round a loop that waits for others: they have their turn */
    PATH_MEETS,   /* waits for the lanes that its instruction names */
    PATH_BARRIER, /* waits at a barrier of the CTA until the other lanes of the warp do */
    PATH_CLUSTER, /* waits until the barrier of the cluster completes */
};

#define SIMT_NO_CALL (-1)
struct simt_entry {   /* top of stack runs; pc == rpc pops */
    uint32_t pc, rpc; /* rpc RECONV_EXIT: only ret/exit end it */
    lanes_t mask;
    int32_t call;   /* index in warp.calls of the call that it is in; SIMT_NO_CALL */
    uint32_t since; /* how many turns had ended when it last ran */
    uint8_t state;  /* enum path_state */
    bool reduces;   /* its lanes get the result of a bar.red when the warp's barrier completes */
};

/* A loop of the path that runs (spin.h). */
struct spin {
    const struct inst *loop; /* the branch that closes it; NULL: none was seen */
    uint32_t rounds, polls;  /* so far in this turn; of those, with a look at memory */
    uint32_t patience;       /* polls before others have their turn; 0: the most */
    bool polled;             /* in this round */
    uint8_t *seen;           /* owned; registers as a round left them; NULL before the first */
};

/* What one executed instruction did. Addresses only for memory instructions. */
struct step {
    const struct inst *inst;
    lanes_t active;    /* lanes that executed it (after the guard); what thread_insts counts */
    lanes_t simt_mask; /* lanes of the SIMT stack's top entry before the guard */
    enum space space;  /* generic accesses are resolved; a warp access that mixes spaces reports the
                          space of its lowest lane */
    uint8_t bytes;     /* bytes a lane moves in all (element size x vec); 0: no memory access */
    bool is_load, is_store, is_atomic;
    bool at_barrier; /* the warp now waits (bar.sync, bar.red); it must not be stepped until
                        warp_waiting() is false */
    bool warp_done;  /* no lane is left */
    /* bar, with a lane: it arrives at this barrier, which wants so many threads; 0: all */
    bool arrives;
    uint8_t barrier;
    uint32_t barrier_threads;
    bool yields;            /* nanosleep, or it waits for a phase of an mbarrier that goes on */
    addr_t addr[WARP_SIZE]; /* per active lane: global: device address, as caches and DRAM go by it
                               (alloc.moved); shared: offset in the CTA;
                               local: offset in the thread's local memory; const: device address;
                               param: offset */
    /* SP_TEX: the texels of each lane's fetch, by their device addresses; those outside of the
     * image have none. bytes: of a texel. */
    int taps;
    lanes_t tap_lanes[TEX_MAX_TAPS];
    addr_t tap[TEX_MAX_TAPS][WARP_SIZE];
};

struct cta;
struct warp {
    uint8_t *bank[2];         /* BANK_REG (own), BANK_CONST (kernel's) */
    struct simt_entry *stack; /* stack[depth-1] is the top; owned */
    int depth, stack_cap;
    struct simt_call *calls; /* owned; calls that lanes are in */
    int ncalls, call_cap;
    lanes_t live; /* lanes that have not exited */
    struct cta *cta;
    int index;        /* in the CTA */
    int barrier;      /* id it waits at; -1: none */
    lanes_t arrived;  /* at the barrier of the cluster, in the phase that goes on */
    lanes_t unwaited; /* arrived there, and have not waited since */
    struct step *out; /* where the executing instruction reports (set by warp_step) */
    uint8_t *frame;   /* SP_FRAME, lane 0's; the others follow at frame_stride() */
    uint8_t *local;   /* .local, local_bytes x 32, lane-major */
    uint32_t turns;   /* of paths, that have ended */
    struct spin spin;
    uint64_t *staged; /* owned; operands of a matrix instruction, NULL before the first */
    uint64_t steps;   /* warp instructions executed */
};

struct cta {
    struct launch *launch;
    const struct kernel *kernel;
    int id[3], linear;
    struct cta_cluster *cluster; /* borrowed; NULL: it has none, or has ended */
    int rank;                    /* in it */
    int nwarps, nthreads, warps_done;
    bool independent;  /* threads */
    struct warp *warp; /* [nwarps] */
    uint8_t *shared;
    uint32_t shared_bytes; /* static + dynamic */
    uint32_t shared_room;  /* with what is reserved, where the kernel asks for that */
    int smid, nsmid;       /* what %smid, %nsmid read */
    cycle_t now;   /* what %clock reads; the timing core keeps it current, the functional run goes
                      by cpi */
    psec_t now_ps; /* %globaltimer */
    uint32_t cpi;  /* cycles an instruction, without timing */
    struct fault fault;           /* first fault of any of its warps */
    struct barrier_set *barriers; /* opaque, owned */
    void *arena;                  /* owned */
};

/* Checks the launch (block against 1024 threads and .maxntid/.reqntid, grid > 0, unsupported
 * instructions by name and line, shared memory up to 227 KB), binds executors. */
bool launch_init(struct launch *l, struct err *e);
/* Threads, warps and bytes that one CTA takes. */
int launch_threads(const struct launch *l);
/* The most threads a CTA of the kernel may have: 1024, or what .maxntid says. */
int launch_most_threads(const struct kernel *k);
int launch_warps(const struct launch *l);
uint64_t launch_ctas(const struct launch *l);
uint32_t launch_shared(const struct launch *l);
int launch_regs(const struct launch *l);         /* a thread */
bool launch_independent(const struct launch *l); /* its threads are */

/* CTAs are recycled: cta_init may be called again on a struct that cta_fini has seen (memory is
 * kept); cta_free releases it. */
struct cta *cta_new(struct launch *l);
void cta_init(struct cta *c, uint64_t linear_id, int smid, int nsmid);
void cta_free(struct cta *c);
bool cta_done(const struct cta *c);

static inline uint32_t warp_pc(const struct warp *w)
{
    return w->stack[w->depth - 1].pc;
} /* only while live != 0 */
static inline bool warp_waiting(const struct warp *w)
{
    return w->barrier >= 0;
}
/* Executes the instruction at warp_pc and moves on. False: a fault, described in w->cta->fault. */
bool warp_step(struct warp *w, struct step *out);
/* When no warp of the CTA can go on and some wait at a barrier: fills the fault. */
void cta_barrier_deadlock(struct cta *c);
uint32_t cta_waiting(const struct cta *c); /* bit i: warp i waits at a barrier */
/* Every warp that has not ended waits at a barrier, and one at least does: cta_barrier_deadlock().
 */
bool cta_deadlocked(struct cta *c);
void cta_place(struct cta *c, uint64_t linear_id); /* sets its numbers; part of cta_init() */
/* Says where: the instruction, and a lane of the warp. */
void fault_place(struct fault *f, const struct warp *w, const struct inst *in, int lane);
/* "kernel K, FILE:LINE: INSTRUCTION: CTA (x,y,z) thread (x,y,z): what, address, nearest allocation"
 */
bool fault_to_err(const struct fault *f, const struct launch *l, struct err *e); /* returns false */

#endif
