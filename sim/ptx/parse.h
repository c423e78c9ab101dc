/* sim/ptx/parse.h -- what lexer and grammar share while they read one text. */
#ifndef MDP_SIM_PTX_PARSE_H
#define MDP_SIM_PTX_PARSE_H

#include "sim/ptx/module_int.h"

struct quals { /* between the state space and the name of a declaration */
    uint8_t type, vec;
    uint64_t align;
    uint8_t opaque; /* enum opaque */
    bool ptr, is_managed;
};
struct linkage {
    bool is_extern;
};

struct parse {
    struct module *m;
    struct err *e;
    bool failed;
    int line, col;      /* of the lexer's next character */
    int section_depth;  /* braces open inside .section */
    struct loc comment; /* where an open comment or section began */
    struct quals quals; /* of the declaration being read */
    struct var proto;   /* its storage and linkage */
    struct func_decl func;
    struct stmt *last; /* of the body being read */
    bool guarded;      /* last is the guard of an instruction to come */
    struct stmt *scope[MAX_NESTING];
    int nesting;
    int ints[4], nints; /* .maxntid x, y, z */
};

/* The first error only. */
void parse_error(struct parse *p, struct loc at, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Actions of the grammar. Those that return bool leave the parse on false. */
struct operand *operand_new(struct parse *p, enum operand_kind kind, struct loc at);
struct operand *operand_unary(struct parse *p, int op, struct operand *a, struct loc at);
struct operand *operand_binary(struct parse *p, int op, struct operand *a, struct operand *b);
struct operand *operand_cond(struct parse *p, struct operand *c, struct operand *a,
                             struct operand *b);
struct operand *operand_wrap(struct parse *p, enum operand_kind kind, struct operands list,
                             struct loc at);
bool operand_positive(struct parse *p, const struct operand *o, uint64_t *value);

void declare_begin(struct parse *p, enum storage st, bool is_extern);
void declare_align(struct parse *p, const struct operand *o);
/* The variable named, with what declare_begin and the qualifiers said. */
struct var *declare_var(struct parse *p, struct name *n, struct loc at);
void declare_range(struct parse *p, struct var *v, const struct operand *o);
void declare_dim(struct parse *p, struct var *v, const struct operand *o, struct loc at);
void vars_add(struct vars *list, struct var *v);

void func_begin(struct parse *p, bool is_entry);
void func_limit(struct parse *p, int *xyz, int n);
void func_end(struct parse *p, bool is_extern);
bool scope_open(struct parse *p, struct loc at);
void scope_close(struct parse *p, struct loc at);
struct stmt *stmt_add(struct parse *p, enum stmt_kind kind, struct loc at);
void inst_guard(struct parse *p, struct name *guard, bool neg, struct loc at);
void inst_begin(struct parse *p, struct name *mnemonic, bool is_call, struct loc at);
void stmt_label(struct parse *p, enum stmt_kind kind, struct name *n, struct loc at);

#endif
