/* sim/ptx/decode.h -- the state of decoding one kernel, shared by decode*.c, reach.c, flow.c,
 * liveness.c and rows.c.
 *
 *   reach     which functions and variables the kernel needs; their places
 *   decode    statements to instructions; operands name virtual registers
 *   flow      blocks, immediate post-dominators, reconvergence points
 *   liveness  registers a thread needs; virtual registers that are never live together share a row
 */
#ifndef MDP_SIM_PTX_DECODE_H
#define MDP_SIM_PTX_DECODE_H

#include "sim/ptx/isa.h"
#include "sim/ptx/module_int.h"

/* opnd.bank while decoding, until rows_assign(): off is a virtual register, or an enum sreg. */
enum { BANK_VREG = BANK_CONST + 1, BANK_SREG };

struct vreg {
    uint8_t type;      /* enum vtype, as declared */
    uint16_t reg, num; /* of opnd */
};

struct const_slot {
    uint64_t value;
    uint32_t off;
    uint8_t width; /* 0: free unless used */
    bool used;
};

struct fixup {
    uint32_t pc;
    const struct sym *label;
};

struct table_fixup {
    struct branch_table *table;
    const struct sym **label;
};

struct decoder {
    struct module *m;
    struct kernel *k;
    struct arena *arena; /* what the kernel keeps */
    struct err *e;
    struct func_decl **decl; /* [nfunc], by slot */
    int nfunc, cap_func;
    bool calls_indirectly;
    bool recursive;                        /* a function may call itself, or could, by an address */
    uint64_t frame, local, shared, params; /* bytes so far; local is whole when decoding begins */
    bool frame_taken; /* an address in the frame is a value somewhere: the frame is local memory */

    struct func_decl *f; /* being decoded */
    const struct stmt *st;
    struct stmt edge; /* stands for the statement where a body's start or end adds instructions */
    struct sym *scope[MAX_NESTING + 2];
    int depth;
    struct inst *inst;
    uint32_t ninst, cap_inst;
    struct vreg *vreg;
    uint32_t nvreg, cap_vreg;
    struct fixup *fixup;
    uint32_t nfixup, cap_fixup;
    struct table_fixup *tfix;
    uint32_t ntfix, cap_tfix;

    uint8_t *cbank; /* aligned to 64 */
    uint32_t cbank_bytes, cap_cbank, cmask_off, cmask_left;
    struct const_slot *chash;
    uint32_t nchash, cap_chash;
    bool sreg_used[SREG_ROWS];
    bool cc_used;
    bool uses_stack;     /* some function has an alloca */
    uint32_t stack_save; /* register of the function being decoded: the stack's top when it was
                            called; only where the function has one */
    bool saves_stack;
};

/* Array growth: room for one more element. */
#define GROW(array, n, cap)                                       \
    do {                                                          \
        if ((n) == (cap)) {                                       \
            (cap) = (cap) ? (cap)*2 : 64;                         \
            (array) = xrealloc((array), (cap) * sizeof *(array)); \
        }                                                         \
    } while (0)

/* reach.c: functions, in order of first call from the entry; places of variables. */
bool reach(struct decoder *d, struct func_decl *entry);
/* One function without those that it calls, and its variables. */
bool reach_alone(struct decoder *d, struct func_decl *f);
int builtin_find(const char *name); /* enum builtin */

/* decode.c */
bool decode_function(struct decoder *d, int slot);
/* An instruction of the statement being decoded: operands absent, guard resolved. */
bool inst_init(struct decoder *d, struct inst *in);
void inst_push(struct decoder *d, struct inst *in);
bool decode_err(struct decoder *d, struct loc at, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* scope.c */
struct ref {
    enum { REF_NONE, REF_REG, REF_SREG, REF_CONST, REF_SYM } kind;
    uint32_t vreg, count; /* REF_REG: count > 1: a whole vector register, or a wide one */
    bool wide;            /* .b128: two of 64 bits, the low half first */
    int sreg;
    uint64_t value; /* REF_CONST */
    struct sym *sym;
};
void scope_enter(struct decoder *d);
void scope_leave(struct decoder *d);
bool scope_labels(struct decoder *d, const struct stmt *open);
bool scope_declare(struct decoder *d, struct var *v);
struct ref scope_find(struct decoder *d, const struct name *n);
const char *sreg_name(enum sreg r);
uint32_t vreg_new(struct decoder *d, enum vtype t);

/* operand.c's counterpart here, decode_operand.c. */
enum fit { FIT_EXACT, FIT_WIDER /* ld, st, cvt: the register may be wider than the type */ };
struct opnd const_row(struct decoder *d, uint64_t value, int width);
struct opnd vreg_opnd(const struct decoder *d, uint32_t vreg);
bool opnd_dst(struct decoder *d, const struct operand *o, enum vtype t, enum fit fit,
              struct opnd *out);
bool opnd_src(struct decoder *d, const struct operand *o, enum vtype t, enum fit fit,
              struct opnd *out);
/* All n members of a vector register, written without its member's name; may be wider than t. */
bool opnd_vector(struct decoder *d, const struct operand *o, enum vtype t, int n, struct opnd *out);
/* A .b128 register: its low half, and its high half. */
bool opnd_wide_dst(struct decoder *d, const struct operand *o, struct opnd out[2]);
bool opnd_wide_src(struct decoder *d, const struct operand *o, struct opnd out[2]);
/* [base + d]: the base, in->imm; a symbol settles in->space when that is SP_GENERIC. */
bool opnd_addr(struct decoder *d, const struct operand *o, struct inst *in, struct opnd *out);
/* The address of a variable or function as a constant row of the type's width. */
bool opnd_symbol(struct decoder *d, const struct operand *o, enum vtype t, struct opnd *out);
uint64_t symbol_value(const struct decoder *d, const struct sym *s);
/* Where in local memory the frame begins, if it is there: behind every .local variable. */
uint64_t frame_base(const struct decoder *d);

/* decode_shape.c, decode_move.c, decode_narrow.c, decode_mem.c, decode_tex.c, decode_ctrl.c,
 * decode_matrix.c, decode_video.c, decode_call.c, decode_stack.c: fill and push. */
bool decode_shape(struct decoder *d, const struct spelling *s, struct inst *in);
bool decode_mov(struct decoder *d, const struct spelling *s, struct inst *in);
bool decode_cvt(struct decoder *d, const struct spelling *s, struct inst *in);
bool decode_cvt_narrow(struct decoder *d, const struct spelling *s, struct inst *in);
bool decode_cvta(struct decoder *d, const struct spelling *s, struct inst *in);
bool decode_mem(struct decoder *d, const struct spelling *s, struct inst *in);
bool decode_tex(struct decoder *d, const struct spelling *s, struct inst *in);
bool decode_ctrl(struct decoder *d, const struct spelling *s, struct inst *in);
bool decode_matrix(struct decoder *d, const struct spelling *s, struct inst *in);
bool decode_video(struct decoder *d, const struct spelling *s, struct inst *in);
bool decode_call(struct decoder *d, const struct spelling *s, struct inst *in);
bool decode_alloca(struct decoder *d, const struct spelling *s, struct inst *in);
bool decode_stack(struct decoder *d, const struct spelling *s, struct inst *in);
/* What a function allocates is gone when it returns. */
bool stmt_is_alloca(const struct stmt *st);
void stack_enter(struct decoder *d);
void stack_leave(struct decoder *d);
/* Registers as formals: the loads at the start, the stores before a ret. */
bool decode_formals(struct decoder *d);
bool decode_results(struct decoder *d);
bool operand_count(struct decoder *d, int min, int max);
bool decode_is_old(const struct decoder *d); /* PTX before 1.4, which leaves roundings unsaid */

/* flow.c: the whole kernel. */
void flow_build(struct decoder *d);
int block_at(const struct kernel *k, uint32_t pc); /* the block that holds instruction pc */

#endif
