/* sim/ptx/module.h -- a PTX module, from text to kernels that can be launched.
 *
 *   module_parse()  text -> symbols and undecoded bodies (syntax errors: file, line, column, caret)
 *   module_place()  the caller gives every .global/.const variable its device address
 *   kernel_get()    decodes one entry and every function that it may call: blocks, post-dominators,
 * liveness, rows
 *
 * A module owns everything that it returns. */
#ifndef MDP_SIM_PTX_MODULE_H
#define MDP_SIM_PTX_MODULE_H

#include "base/err.h"
#include "sim/ptx/inst.h"

struct module;
struct operand;

/* References of the legacy texture API, and samplers of the independent texture mode (PTX ISA,
 * opaque types). Such a variable is 8 bytes: what lies behind it is found by its handle. */
enum opaque { OPAQUE_NONE, OPAQUE_TEXTURE, OPAQUE_SURFACE, OPAQUE_SAMPLER };

/* A variable at module scope (.global, .const), or an extern one to be resolved. Bytes of the
 * initialiser include addresses of other symbols (generic(sym), tables of function pointers) only
 * after module_place(). */
struct module_var {
    const char *name;
    enum space space; /* SP_GLOBAL or SP_CONST */
    uint64_t bytes, align;
    bool is_extern, is_managed;
    addr_t addr;   /* written by the caller of module_place() */
    uint8_t *init; /* bytes long, zero-filled; NULL: all zero */
    enum opaque opaque;
    const struct operand *fields; /* of an opaque one's initialiser: module_var_field() */
};

/* name: used in messages ("bfs.ptx:12:7: ..."). Text needs no terminating NUL. NULL and e filled on
 * a syntax error. */
struct module *module_parse(const char *name, const char *text, size_t len, struct err *e);
struct module *module_load(const char *path, struct err *e); /* reads the file, then module_parse */
void module_free(struct module *m);
/* Until as many more module_free() it is still there for its kernels. */
void module_keep(struct module *m);

int module_nvars(const struct module *m);
struct module_var *module_var_at(struct module *m, int i);
struct module_var *module_var_find(struct module *m, const char *name);
/* `field = value` in the initialiser of an opaque variable: the value as a word (number 0), or as a
 * number (word ""). False: the field is not set. */
bool module_var_field(const struct module_var *v, const char *field, const char **word,
                      int64_t *number);
/* Call once, after every var has its address: resolves addresses inside initialisers. Device
 * functions get addresses FUNC_ADDR_BASE + 16 * index (never dereferenced; indirect calls look them
 * up). */
bool module_place(struct module *m, struct err *e);
#define FUNC_ADDR_BASE 0x100000u

int module_nentries(const struct module *m);
const char *module_entry_name(const struct module *m, int i);
const char *module_entry_at(const struct module *m, addr_t a); /* by its address; NULL: none */

/* Special registers. The first group is constant while a warp runs: rows filled at its start. */
enum sreg {
    SREG_TID_X,
    SREG_TID_Y,
    SREG_TID_Z,
    SREG_NTID_X,
    SREG_NTID_Y,
    SREG_NTID_Z,
    SREG_CTAID_X,
    SREG_CTAID_Y,
    SREG_CTAID_Z,
    SREG_NCTAID_X,
    SREG_NCTAID_Y,
    SREG_NCTAID_Z,
    SREG_LANEID,
    SREG_WARPID,
    SREG_NWARPID,
    SREG_SMID,
    SREG_NSMID,
    SREG_GRIDID,
    SREG_LANEMASK_EQ,
    SREG_LANEMASK_LE,
    SREG_LANEMASK_LT,
    SREG_LANEMASK_GE,
    SREG_LANEMASK_GT,
    SREG_DYNAMIC_SMEM_SIZE,
    SREG_TOTAL_SMEM_SIZE,
    SREG_RESERVED_SMEM_BEGIN, /* shared memory that compilers' own libraries use: behind all other
                               */
    SREG_RESERVED_SMEM_1,
    SREG_RESERVED_SMEM_END,
    SREG_CLUSTERID_X,
    SREG_CLUSTERID_Y,
    SREG_CLUSTERID_Z,
    SREG_NCLUSTERID_X,
    SREG_NCLUSTERID_Y,
    SREG_NCLUSTERID_Z,
    SREG_CLUSTER_CTAID_X,
    SREG_CLUSTER_CTAID_Y,
    SREG_CLUSTER_CTAID_Z,
    SREG_CLUSTER_NCTAID_X,
    SREG_CLUSTER_NCTAID_Y,
    SREG_CLUSTER_NCTAID_Z,
    SREG_CLUSTER_CTARANK,
    SREG_CLUSTER_NCTARANK,
    SREG_IS_EXPLICIT_CLUSTER,
    SREG_ENVREG,     /* all other envregs read 0 */
    SREG_ENVREG1,    /* the upper half of where the CTAs of a cooperative launch meet */
    SREG_ENVREG2,    /* the lower half */
    SREG_LOCAL_BASE, /* no name in PTX: where the running call's local variables begin */
    SREG_STACK_TOP,  /* likewise: where alloca goes on; it changes it */
    SREG_ROWS,       /* -- those below change: OP_MOVSREG */
    SREG_CLOCK = SREG_ROWS,
    SREG_CLOCK_HI,
    SREG_CLOCK64,
    SREG_GLOBALTIMER,
    SREG_GLOBALTIMER_LO,
    SREG_GLOBALTIMER_HI,
    SREG_PM,
    SREG_COUNT
};

/* Half of it from each of %reserved_smem_offset_0 and _1; compilers count on 1 KB in all. */
#define RESERVED_SMEM_BYTES 2048
#define STACK_BYTES         16384 /* of a thread, for alloca */

struct kernel_param {
    const char *name;
    uint32_t off, bytes, align;
    enum vtype type;
};

/* A function's code is inst[first .. first + n). The kernel body is function 0. */
struct function {
    const char *name;
    uint32_t first, n;
    addr_t addr;      /* FUNC_ADDR_BASE + ..., what mov of its name yields */
    int nargs, nrets; /* formals, as bytes of the SP_FRAME area */
    uint32_t arg_off[64], arg_bytes[64], ret_off[4], ret_bytes[4];
    int max_live; /* 32-bit registers live at once in this body */
};

/* Basic block, for disasm and static analyses. */
struct block {
    uint32_t first, n;
    int func; /* index of its function */
    int nsucc;
    int succ[2]; /* brx: see inst.table; -1: function exit */
    int ipdom;   /* block index, -1: function exit */
};

struct kernel {
    uint64_t id; /* of no two kernels that kernel_get() made: addresses are used again */
    const char *name;
    struct module *module;
    struct inst *inst;
    uint32_t ninst;
    struct function *func;
    int nfunc;
    struct block *block;
    int nblock;
    struct kernel_param *param;
    int nparam;
    uint32_t param_bytes;
    uint8_t *param_read; /* by byte: not 0: it may be read; NULL: any may */
    uint8_t *cbank;      /* constant rows, BANK_CONST; 64-byte aligned */
    uint32_t cbank_bytes;
    uint32_t reg_bytes; /* BANK_REG bytes a warp; rows are 64-byte aligned */
    uint32_t
        sreg_off[SREG_ROWS]; /* row of each special register in BANK_REG; OPND_NONE: not used */
    uint32_t cc_off;         /* lanes_t of the carry flag in BANK_REG; OPND_NONE: not used */
    uint32_t frame_bytes;    /* SP_FRAME bytes a lane */
    uint32_t local_bytes;    /* .local bytes a thread, all functions; the frame where it is there */
    /* A function may be on the stack more than once (sim/func/recurse.h): the local variables of
     * each further call lie local_step bytes behind those of the call before it. 0: none has any.
     */
    bool recursive;
    uint32_t local_step;
    uint32_t stack_off; /* in local memory: STACK_BYTES for alloca, where the kernel has it */
    uint32_t row32_off, row64_off; /* BANK_REG: masks end, rows of 64 bits begin */
    bool frame_is_local;   /* an address in the frame is taken: the frame is the last frame_bytes
                              of local memory */
    uint32_t shared_bytes; /* static .shared bytes a CTA; dynamic shared memory starts here, aligned
                              to 16 */
    uint32_t regs;  /* registers a thread needs: max live 32-bit registers along any call chain, at
                       least 1... see liveness.h */
    int maxntid[3]; /* .maxntid, 0: none */
    int reqntid[3];
    int cluster[3];            /* .reqnctapercluster, CTAs; 0: none */
    int max_cluster;           /* .maxclusterrank, CTAs in all; 0: none */
    bool explicit_cluster;     /* .explicitcluster: a launch has to say the size of its clusters */
    bool blocks_are_clusters;  /* .blocksareclusters: a launch counts clusters */
    int minnctapersm, maxnreg; /* 0: none */
    int nregnum;               /* register numbers are 1..nregnum */
    bool bound;                /* sim/func has set every inst.exec, and: */
    bool wide;                 /* this host runs the AVX2 versions of vector code */
    bool volatile_loads;       /* it has some (sim/func/poll.h) */
};

/* The decoded kernel, cached in the module. NULL: no such entry, or an instruction that is wrong
 * (file:line:col, caret). Instructions that are known but not supported decode to OP_UNSUPPORTED;
 * launching refuses them. */
struct kernel *kernel_get(struct module *m, const char *entry, struct err *e);
/* Whether an assembler would take the module: decodes every function, called or not. False: what is
 * wrong with it, or that it is unknown here. */
bool module_check(struct module *m, struct err *e);
/* The text of `mdpredict disasm`: blocks, reconvergence points, registers; remarks: behind each
 * instruction, by pc; NULL: none. Caller frees. */
char *kernel_disasm(const struct kernel *k, const char *const *remarks);
const char *module_name(const struct module *m);
int module_target(const struct module *m);                   /* .target sm_N: N; 0: none given */
int module_address_size(const struct module *m);             /* bits: 32 or 64 */
const char *module_ptx(const struct module *m, size_t *len); /* as it was parsed */
/* "FILE:LINE" of the source that a line of the PTX stems from, as the .loc before it says; for
 * inlined code ", inlined at FILE:LINE" of the function that holds it. False: the PTX was made
 * without line information. */
bool module_source(const struct module *m, int line, char *to, size_t room);

#endif
