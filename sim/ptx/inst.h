/* sim/ptx/inst.h -- one decoded instruction: what functional execution and timing read.
 *
 * Registers live in rows of 32 lanes inside one byte area per warp (BANK_REG):
 *   .b8 .b16 .b32 .f16 .f16x2 .f32  -> row of 32 x uint32_t (128 bytes); values of less than 32
 * bits are kept zero-extended .b64 .f64                       -> row of 32 x uint64_t (256 bytes)
 *   .pred                           -> one lanes_t (4 bytes), bit i is lane i's predicate
 * Special registers that do not change while a warp runs (tid, ctaid, ntid, laneid ...) are
 * ordinary rows that the warp's start fills (enum sreg, kernel.sreg_off). Immediates and symbol
 * addresses are rows (or masks) of the kernel's constant bank (BANK_CONST), so that every source
 * operand is a row and no executor asks where it comes from. Full description: sim/ptx/README.md.
 */
#ifndef MDP_SIM_PTX_INST_H
#define MDP_SIM_PTX_INST_H

#include "base/types.h"

struct warp; /* sim/func */
struct inst;
struct function;

/* Executes one instruction for the lanes in `active` (already ANDed with the guard). Never called
 * with active == 0 unless the instruction is INST_ALWAYS (control flow, barriers). Faults are
 * reported through the warp. */
typedef void (*exec_fn)(struct warp *w, const struct inst *in, lanes_t active);

enum opcode {
#define OP(id, name, cls) OP_##id,
#include "sim/ptx/opcodes.def"
#undef OP
    OP_COUNT
};

/* Value types. The width in bytes is type_bytes(); B types are untyped bits. */
enum vtype {
    VT_NONE,
    VT_PRED,
    VT_B8,
    VT_B16,
    VT_B32,
    VT_B64,
    VT_B128,
    VT_U8,
    VT_U16,
    VT_U32,
    VT_U64,
    VT_S8,
    VT_S16,
    VT_S32,
    VT_S64,
    VT_F16,
    VT_F16X2,
    VT_BF16,
    VT_BF16X2,
    VT_F32,
    VT_F64,
    VT_U16X2,
    VT_S16X2,
    VT_F32X2,
    /* numbers of a byte or less, as cvt has them: two in 16 bits (e2m1: in 8), or four */
    VT_E4M3X2,
    VT_E5M2X2,
    VT_E2M3X2,
    VT_E3M2X2,
    VT_E2M1X2,
    VT_UE8M0X2,
    VT_E4M3X4,
    VT_E5M2X4,
    VT_E2M3X4,
    VT_E3M2X4,
    VT_E2M1X4,
    VT_COUNT
};

enum space {
    SP_GENERIC,
    SP_GLOBAL,
    SP_SHARED,
    SP_LOCAL,
    SP_CONST,
    SP_PARAM /* kernel parameters */,
    SP_FRAME /* .param space of device functions: formals, and a caller's call arguments */,
    SP_TEX /* what tex and tld4 read: global memory through the texture cache */,
    SP_COUNT
};

enum cmp {
    CMP_NONE,
    CMP_EQ,
    CMP_NE,
    CMP_LT,
    CMP_LE,
    CMP_GT,
    CMP_GE, /* lo ls hi hs decode to these with a U type */
    CMP_EQU,
    CMP_NEU,
    CMP_LTU,
    CMP_LEU,
    CMP_GTU,
    CMP_GEU,
    CMP_NUM,
    CMP_NAN
};
enum bool_op { BOOL_NONE, BOOL_AND, BOOL_OR, BOOL_XOR };
/* RN..RP round to a floating-point number; RNI..RPI round to an integral value (cvt). */
enum rounding {
    RND_NONE,
    RND_RN,
    RND_RZ,
    RND_RM,
    RND_RP,
    RND_RNI,
    RND_RZI,
    RND_RMI,
    RND_RPI,
    RND_RNA,
    RND_RS /* by random bits that are an operand */
};
enum atom_op {
    ATOM_NONE,
    ATOM_ADD,
    ATOM_MIN,
    ATOM_MAX,
    ATOM_AND,
    ATOM_OR,
    ATOM_XOR,
    ATOM_EXCH,
    ATOM_CAS,
    ATOM_INC,
    ATOM_DEC
};
enum shfl_mode { SHFL_UP, SHFL_DOWN, SHFL_BFLY, SHFL_IDX };
enum vote_mode { VOTE_ALL, VOTE_ANY, VOTE_UNI, VOTE_BALLOT };
enum prmt_mode { PRMT_INDEX, PRMT_F4E, PRMT_B4E, PRMT_RC8, PRMT_ECL, PRMT_ECR, PRMT_RC16 };
enum testp_mode {
    TESTP_FINITE,
    TESTP_INFINITE,
    TESTP_NUMBER,
    TESTP_NOTANUMBER,
    TESTP_NORMAL,
    TESTP_SUBNORMAL
};
/* Geometry of textures and surfaces: inst.mode of tex, tld4, suld, sust. */
enum tex_geom { GEOM_1D, GEOM_2D, GEOM_3D, GEOM_A1D, GEOM_A2D, GEOM_CUBE, GEOM_ACUBE, GEOM_COUNT };
enum surf_clamp { SURF_TRAP, SURF_CLAMP, SURF_ZERO }; /* inst.aop of suld, sust */
enum tex_query {                                      /* inst.mode of txq, suq */
                 QUERY_WIDTH,
                 QUERY_HEIGHT,
                 QUERY_DEPTH,
                 QUERY_DATA_TYPE,
                 QUERY_ORDER,
                 QUERY_NORMALIZED,
                 QUERY_ARRAY_SIZE,
                 QUERY_LEVELS,
                 QUERY_SAMPLES,
                 QUERY_UNNORMALIZED,
                 QUERY_FILTER,
                 QUERY_ADDRESS_0,
                 QUERY_ADDRESS_1,
                 QUERY_ADDRESS_2,
                 QUERY_LAYOUT
};
/* inst.mode of cp.async.bulk. */
enum bulk_route {
    BULK_TO_SHARED,
    BULK_TO_GLOBAL,
    BULK_TO_CLUSTER /* from shared memory to shared */
};
enum cache_op { CACHE_CA, CACHE_CG, CACHE_CS, CACHE_CV, CACHE_WB, CACHE_WT };

/* inst.flags */
enum {
    INST_FTZ = 1 << 0,
    INST_SAT = 1 << 1,
    INST_APPROX = 1 << 2,
    INST_FULL = 1 << 3,   /* div.full */
    INST_HI = 1 << 4,     /* mul, mad: upper half */
    INST_WIDE = 1 << 5,   /* mul, mad: double width; LO when neither */
    INST_CC_OUT = 1 << 6, /* .cc: writes the carry */
    INST_CC_IN = 1 << 7,  /* addc, subc, madc: reads the carry */
    INST_UNI = 1 << 8,
    INST_NC = 1 << 9,        /* ld.global.nc */
    INST_VOLATILE = 1 << 10, /* also .relaxed/.acquire/.release/.mmio: bypasses L1D */
    INST_SYNC = 1 << 11,     /* shfl.sync, vote.sync ... : last source is the member mask */
    INST_LOAD = 1 << 12,
    INST_STORE = 1 << 13,
    INST_ATOMIC = 1 << 14,
    INST_BRANCH = 1 << 15, /* may change the next pc: bra brx call ret exit */
    INST_BARRIER = 1 << 16,
    INST_ALWAYS = 1 << 17,   /* executed even with no active lane left by the guard */
    INST_ALIGNED = 1 << 18,  /* bar, barrier.aligned: all lanes of a warp execute it together */
    INST_WRAP = 1 << 19,     /* shf .wrap, bmsk .wrap (else .clamp) */
    INST_LEFT = 1 << 20,     /* shf.l */
    INST_SHIFTAMT = 1 << 21, /* bfind.shiftamt */
    INST_XORSIGN = 1 << 22,  /* min/max .xorsign.abs */
    INST_NANOUT = 1 << 23,   /* min/max .NaN */
    INST_RELU = 1 << 24,
    INST_TO = 1 << 25,        /* cvta.to.SPACE (else cvta.SPACE to generic) */
    INST_GRADIENTS = INST_TO, /* tex.grad */
    INST_ALL = 1 << 26,       /* match.all (else match.any) */
    INST_NOFTZ = 1 << 27,
    INST_NOINC = 1 << 28,        /* cp.async.mbarrier.arrive.noinc */
    INST_TURN = 1 << 29,         /* set by sim/func: may change the path that runs, or yields */
    INST_SATFINITE = 1 << 30,    /* cvt: what is too large becomes the largest finite number */
    INST_SEEN = (int)(1u << 31), /* set by sim/func: memory that other warps may see */
};

// clang-format off
/* How arithmetic with more types or modifiers than the common ones is held:
 *   set setp        type = destination type (setp: VT_PRED), stype = type compared; src: a, b, then
 *                   the boolean operand c if bop; setp dst[1]: complement predicate if nd == 2
 *   slct            type of d, a, b; stype of c
 *   mul/mad.wide    stype = the narrow type as written
 *   dp4a dp2a       type = a's type, stype = b's; INST_HI: dp2a.hi
 *   video           inst.video; INST_SAT, INST_WRAP; aop: NONE, ADD, MIN or MAX with c
 *   prmt testp      mode: enum prmt_mode, enum testp_mode
 *   lop3            imm = LUT; .BoolOp form: bop, dst[1] = p, src[3] = q
 *   shf bmsk szext  INST_WRAP; shf: INST_LEFT
 *   cvt             type, stype, rnd. Packing d, a, b: type of two numbers, a is the upper half;
 *                   of four: src[0..3], the last one lowest. rnd RS: the last source has the bits.
 *                   .tf32: type B32, rnd RNA, RN or RZ. cvt.pack.sat.T.S: aop = ATOM_EXCH, type = T, stype = S,
 *                   imm = bits of T (2 or 4 where T has no vtype: type then U8 or S8)
 *   div rcp sqrt .. INST_APPROX, INST_FULL, else rnd
 *   cvta isspacep   space; cvta.to: INST_TO */
// clang-format on
enum bank { BANK_REG, BANK_CONST };

#define OPND_NONE   UINT32_MAX
#define OPND_NO_NUM UINT16_MAX
struct opnd {
    uint32_t off; /* byte offset of the row (or of the lanes_t) in its bank; OPND_NONE: sink `_`, or
                     absent */
    uint16_t reg; /* register number in order of declaration, from 1; 0: not a register */
    uint8_t bank; /* enum bank */
    uint8_t width; /* bytes a lane: 4 or 8; 0: predicate mask */
    uint8_t neg;   /* predicate source written !p */
    uint8_t bits;  /* declared width of the register in bits (1 for .pred, 8, 16, 32, 64) */
    uint16_t num;  /* the number in the register's name (%f40: 40; OPND_NO_NUM: it has none):
                      register  bank = (num + warp slot) mod banks, as in GPGPU-Sim 3.2.1 */
};

// clang-format off
/* Operand order: dst[] are the destinations, src[] the sources, in the order of the PTX text; a
 * vector's members follow each other; a sink `_` and an absent optional destination have off ==
 * OPND_NONE. A memory operand [base + d] is one source (the row of the base: register, or constant
 * row with the symbol's address) and inst.imm = d. Symbols: device address for .global and .const,
 * byte offset in the space for .shared, .local, .param and SP_FRAME. A .b128 register is two
 * operands of 64 bits, the low half first: ld and st move it as v2.b64.
 *   ld ldu         dst[0..vec-1]; src[0] address
 *   st             src[0] address, src[1..vec] data
 *   atom red       dst[0] (atom); src[0] address, src[1] b, src[2] c (cas: b compared, c stored);
 *                  .b128: dst[0..1], src[1..2] b, src[3..4] c
 *   cp.async       src[0] shared address (displacement imm), src[1] global address, src[2] its
 *                  displacement (constant row, 8 bytes), src[3] optional: src-size (b32) or
 *                  ignore-src (predicate); type x vec = cp-size
 *   cp.async.bulk  src[0] to (imm), src[1] from, src[2] its displacement, src[3] bytes,
 *                  src[4] mbarrier, src[5] its displacement
 *   prefetch discard  src[0] address
 *   tex tld4       dst[0..3]; src[0] handle, src[1..3] x y z, src[4] layer, src[5] sampler,
 *                  src[6] level, or src[6..8] and src[9..11] gradients (INST_GRADIENTS); each absent
 *                  one: OPND_NONE; mode: enum tex_geom, stype: type of the coordinates;
 *                  tld4: aop = component
 *   suld sust      suld: dst[0..vec-1]; src[0] handle, src[1..2] x y, src[3] z or layer;
 *                  sust: src[4..] data; mode: enum tex_geom, aop: enum surf_clamp
 *   txq suq        dst[0]; src[0] handle, [src[1] level]; mode: enum tex_query
 *   shfl           dst[0], dst[1] optional predicate; src[0] a, src[1] b, src[2] c, src[3] mask
 *                  (INST_SYNC)
 *   vote           dst[0]; src[0] predicate, src[1] mask (INST_SYNC)
 *   match          dst[0], dst[1] optional predicate; src[0] a, src[1] mask
 *   redux elect    dst[0] (elect: dst[1] predicate); redux: src[0] a, aop; last source: mask
 *   bar bar.arrive src[0] barrier, src[1] optional thread count (ns says)
 *   bar.red        dst[0]; src[0] barrier, [src[1] thread count,] last source: predicate
 *   bar.warp.sync  src[0] mask
 *   brx.idx        src[0] index, inst.table
 *   wmma.load      dst[0] register inst.mode; src[0] address, src[1] stride; wmma.store: src[2]
 *   mma            src: from register inst.mode on; dst: from result inst.vec on
 *   ldmatrix       dst[0..vec-1]; src[0] address; stmatrix: src[1..vec]; mode: .trans
 *   call           inst.call; indirect: src[0] address; arguments travel in SP_FRAME
 * The last instruction of every function is one that cannot fall through (the decoder adds a ret
 * where the text has none). INST_BRANCH is set on bra, brx.idx, call, ret, exit: their executors
 * set the next pc themselves. */
// clang-format on
#define INST_MAX_DST 8  /* v8 */
#define INST_MAX_SRC 12 /* tex.grad */

/* Execution resource classes for timing: (class, number kind) picks latency and interval in the
 * core's config. */
enum lat_class { LAT_OTHER, LAT_ADD, LAT_MAX, LAT_MUL, LAT_MAD, LAT_DIV, LAT_SFU, LAT_COUNT };
enum num_kind { NUM_INT, NUM_FP, NUM_DP, NUM_COUNT };
enum unit { UNIT_SP, UNIT_SFU, UNIT_SP_OR_SFU, UNIT_MEM, UNIT_CONTROL /* travels as SP */ };

struct inst {
    exec_fn exec; /* bound by sim/func before the first launch; NULL before that */
    uint32_t flags;
    uint16_t op;   /* enum opcode */
    uint8_t type;  /* enum vtype: the instruction's (destination) type */
    uint8_t stype; /* source type of cvt, set, setp, slct, mul.wide (the narrow one), tex ... ; else
                      = type */
    uint8_t space; /* enum space, memory instructions and cvta, isspacep */
    uint8_t vec;   /* 1, 2, 4, 8: elements a lane moves */
    uint8_t cmp, bop, rnd, aop, cache,
        mode;               /* enums above; mode: shfl, vote, prmt, lop3 (LUT in imm) */
    uint8_t nd, ns;         /* operands used in dst[], src[] */
    uint8_t unit, lat, num; /* timing: enum unit, lat_class, num_kind */
    bool polls;             /* set by sim/func: part of a loop that only waits (poll.h) */
    bool polls_first;  /* ... its first instruction; of loops within each other the outermost's */
    bool publishes;    /* set by sim/func: other CTAs may see what it did */
    struct opnd guard; /* predicate; off == OPND_NONE: unguarded; guard.neg: @!p */
    struct opnd dst[INST_MAX_DST];
    struct opnd src[INST_MAX_SRC];
    int64_t imm;     /* memory: displacement; lop3: LUT; bar: (unused) */
    uint32_t pc;     /* index in kernel.inst */
    uint32_t target; /* bra: index of the target; call: index of the callee's first instruction */
    uint32_t reconv; /* branches that may diverge: index of the immediate post-dominator;
                        RECONV_EXIT: function exit */
    struct function *func; /* the function (or kernel body) this instruction belongs to */
    const struct branch_table *table; /* brx.idx targets, indirect call candidates */
    union {
        const struct call_site *call; /* call: argument copies */
        const struct matrix *matrix;  /* wmma, mma: see matrix.h */
        const struct video *video;
    };
    int line, col; /* PTX source position */
    const char
        *text; /* the instruction's spelling, e.g. "ld.global.v2.u32" (owned by the module) */
};
#define RECONV_EXIT UINT32_MAX

struct branch_table { /* brx.idx: lane value indexes target[] */
    int n;
    const uint32_t *target;
};

/* Functions are not inlined and never recursive, so every function's registers and .param variables
 * have a fixed place in the warp's areas; a call copies argument bytes between .param variables
 * (SP_FRAME) and jumps. */
struct arg_copy {
    uint32_t caller_off, callee_off, bytes;
}; /* offsets in the SP_FRAME area of a lane */
struct call_site {
    struct function
        *callee; /* NULL: indirect (address in src[0]; candidates by address) or a built-in */
    int builtin; /* enum builtin */
    int nargs, nrets;
    uint32_t arg_off[64], arg_bytes[64], ret_off[4], ret_bytes[4]; /* caller side */
};
enum builtin {
    BUILTIN_NONE,
    BUILTIN_VPRINTF,
    BUILTIN_ASSERTFAIL,
    BUILTIN_MALLOC,
    BUILTIN_FREE,
    /* Of CUDA's device runtime (sim/func/device_launch.h). */
    BUILTIN_PARAMETER_BUFFER,
    BUILTIN_LAUNCH,
    BUILTIN_LAUNCH_TOLD, /* an error is the thread's last one too */
    BUILTIN_LAST_ERROR,
    BUILTIN_SET_ERROR,
    BUILTIN_NEW_HANDLE, /* of a stream, of an event */
    BUILTIN_DEVICE,     /* the number of the device: 0 */
    BUILTIN_NO_WORK,    /* what is launched runs in order anyway */
};

int type_bytes(enum vtype t); /* 0 for VT_NONE and VT_PRED */
bool type_is_signed(enum vtype t);
bool type_is_float(enum vtype t);
const char *type_name(enum vtype t); /* "f32" */
const char *opcode_name(enum opcode op);

#endif
