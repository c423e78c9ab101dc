/* sim/ptx/isa.h -- the instruction set as tables: what each mnemonic takes, and what its spelling
 * says. One row a mnemonic and group of types; nothing else knows which modifier goes where.
 *
 * A shape lists the operands in the order of the text:
 *   d  destination of the type             s  source of the type
 *   o  32-bit destination                  t  source of the second type
 *   p  predicate destination               P  predicate source, !p allowed
 *   q  p or p|q                            u  32-bit integer source (shift counts, masks)
 *   Q  d or d|p     O  o or o|p            c  integer constant
 *   a  address [base + d] in the space of the spelling
 *   ?  what follows may be absent
 * No shape: decode.c has a function for the opcode. */
#ifndef MDP_SIM_PTX_ISA_H
#define MDP_SIM_PTX_ISA_H

#include "base/err.h"
#include "sim/ptx/inst.h"

enum mod_class { /* kinds of modifiers */
                 MC_RND,
                 MC_RNDI,
                 MC_FTZ,
                 MC_SAT,
                 MC_APPROX,
                 MC_FULL,
                 MC_HILO,
                 MC_WIDE,
                 MC_CC,
                 MC_UNI,
                 MC_NC,
                 MC_VOLATILE,
                 MC_SEM,   /* .relaxed .acquire ... */
                 MC_SCOPE, /* .cta .gpu .sys */
                 MC_SPACE,
                 MC_VEC,
                 MC_CACHE,
                 MC_HINT, /* eviction priorities, prefetch sizes, cache policies: no effect here */
                 MC_LEVEL,
                 MC_ATOM,
                 MC_POPC,
                 MC_CMP,
                 MC_BOOL,
                 MC_SHFL,
                 MC_VOTE,
                 MC_MATCH,
                 MC_SYNC,
                 MC_ALIGNED,
                 MC_WRAP,
                 MC_LR,
                 MC_SHIFTAMT,
                 MC_NAN,
                 MC_XORSIGN,
                 MC_RELU,
                 MC_NOFTZ,
                 MC_NOINC,
                 MC_SATFINITE,
                 MC_RS,
                 MC_PO,     /* vmad */
                 MC_SCALE,  /* vmad .shr7 .shr15 */
                 MC_BULK,   /* how a bulk copy tells that it is done: no effect here */
                 MC_MATRIX, /* decode_matrix() reads what follows the mnemonic */
                 MC_TO,
                 MC_PRMT,
                 MC_TESTP,
                 MC_MASK,
                 MC_GEOM,        /* .1d .2d ... */
                 MC_COMP,        /* .r .g .b .a of tld4 */
                 MC_SURF,        /* .trap .clamp .zero */
                 MC_QUERY,       /* .width ... of txq */
                 MC_UNSUPPORTED, /* exists in PTX; the instruction is refused at launch */
};
#define M(c)  (UINT64_C(1) << MC_##c)
#define TY(t) (UINT64_C(1) << VT_##t)

struct isa_row {
    const char *base;
    uint16_t op; /* enum opcode */
    const char *shape;
    uint64_t types, stypes; /* sets of TY(); stypes 0: one type is written; types 0: none */
    uint64_t mods, need;    /* sets of M(): allowed, and those that must be there */
};

/* Rows of one mnemonic follow each other; sorted by base for bsearch. */
extern const struct isa_row isa_rows[];
extern const int isa_nrows;
/* Mnemonics that PTX has and this machine does not. */
bool isa_unsupported(const char *base, size_t len);

struct spelling {              /* a dotted mnemonic, understood */
    const struct isa_row *row; /* NULL: unsupported */
    uint32_t flags;
    uint16_t op;
    uint8_t type, stype, type3, ntypes; /* as written; see decode_types() */
    uint8_t space, vec, cmp, bop, rnd, aop, cache, mode;
    uint8_t scale;
    uint8_t bits; /* of a type that has no vtype: .u4 .s2 (cvt.pack) */
    bool has_space, has_vec, has_cache, has_policy, is_tf32, lo_cmp;
    uint64_t mods; /* set of M() written */
};

/* False: no such instruction or modifier; e has the bare message, *at the offset in the text. */
bool isa_spell(const char *text, struct spelling *s, int *at, struct err *e);

/* Execution unit, latency class and kind of number, GPGPU-Sim 3.2.1's: see the reference runs'
 * README, section 2. */
void isa_timing(struct inst *in);

#endif
