/* sim/ptx/ast.h -- what the grammar builds: declarations, and bodies as flat lists of statements.
 * Everything lies in the module's arena. Names are interned: equal names are one struct name. */
#ifndef MDP_SIM_PTX_AST_H
#define MDP_SIM_PTX_AST_H

#include "sim/ptx/arena.h"
#include "sim/ptx/inst.h"

struct loc {
    int line, col;
};

struct sym;
struct spelling;
struct name {
    struct name *chain; /* of the intern table */
    uint32_t hash, len;
    struct sym *sym;                 /* what it means here: innermost scope first */
    const struct spelling *spelling; /* as a mnemonic, once that has been looked up */
    char text[];
};

enum operand_kind {
    OPERAND_INT,  /* i, is_unsigned */
    OPERAND_F32,  /* i: bits, written 0f........ */
    OPERAND_F64,  /* d, written 0d................ or as a decimal */
    OPERAND_NAME, /* name + i; neg: !name; minus: -name, of vmad */
    OPERAND_PAIR, /* name | name2 */
    OPERAND_ADDR, /* [sub, ...] */
    OPERAND_LIST, /* { sub, ... }, ( sub, ... ) */
};

struct operand {
    struct operand *next, *sub;
    struct name *name, *name2;
    union {
        int64_t i;
        double d;
    };
    uint64_t mask; /* 0xFF00(sym): this byte of the address; 0: none */
    struct loc loc;
    uint8_t kind; /* enum operand_kind */
    bool is_unsigned, neg, minus, generic, braces;
};

struct operands {
    struct operand *first, *last;
};

#define MAX_DIMS 8
enum storage { /* where a declaration puts its variable */
               ST_REG,
               ST_GLOBAL,
               ST_CONST,
               ST_SHARED,
               ST_LOCAL,
               ST_PARAM
};
struct var { /* one declared variable, or a register range */
    struct var *next;
    struct name *name;
    struct loc loc;
    uint8_t storage, type, vec; /* enum storage, enum vtype */
    uint8_t opaque;             /* enum opaque */
    bool is_extern, is_managed, has_range;
    bool unsized;   /* the first dimension is [] */
    bool used;      /* scratch of one decoding: the kernel refers to it */
    uint64_t align; /* 0: natural */
    uint64_t range; /* %r<range> */
    uint64_t elems; /* product of the dimensions; 1 for scalars */
    uint64_t dim[MAX_DIMS];
    int ndim;
    const struct operand *init;
    uint64_t off;  /* scratch of one decoding: offset in its space */
    uint8_t space; /* likewise: enum space */
    int index;     /* of its struct module_var; -1: none */
};
struct vars {
    struct var *first, *last;
    int n;
};

enum stmt_kind { STMT_INST, STMT_LABEL, STMT_OPEN, STMT_CLOSE, STMT_VAR, STMT_PROTO, STMT_TARGETS };
struct stmt {
    struct stmt *next;
    struct loc loc;
    struct loc guard_loc;
    uint8_t kind; /* enum stmt_kind */
    bool guard_neg, is_call;
    struct name *name;   /* mnemonic, label */
    struct name *guard;  /* NULL: unguarded */
    struct operand *ops; /* STMT_TARGETS: the names */
    int nops;
    union {
        struct var *var;         /* STMT_VAR */
        struct stmt *labels;     /* STMT_OPEN: the labels of this scope, chained by next_label */
        struct stmt *next_label; /* STMT_LABEL, STMT_PROTO, STMT_TARGETS */
    };
};

struct func_decl {
    struct func_decl *next;
    struct name *name;
    struct loc loc;
    bool is_entry, has_body, address_taken;
    struct vars rets, params;
    struct stmt *body; /* begins with STMT_OPEN */
    int index;         /* among the functions of the module: its address */
    int slot;          /* scratch of one decoding: index in kernel.func; -1: not in it */
    bool visiting;     /* scratch: on the path of calls being followed */
    int maxntid[3], reqntid[3], cluster[3], max_cluster, minnctapersm, maxnreg;
    bool explicit_cluster, blocks_are_clusters;
};

#endif
