/* sim/ptx/module_int.h -- struct module, for the files of this room alone. */
#ifndef MDP_SIM_PTX_MODULE_INT_H
#define MDP_SIM_PTX_MODULE_INT_H

#include "sim/ptx/ast.h"
#include "sim/ptx/module.h"

#define MAX_VAR_BYTES    (UINT64_C(1) << 32) /* one variable at module scope */
#define MAX_SHARED_BYTES (UINT64_C(1) << 24) /* static, of a CTA */
#define CALL_STACK_BYTES \
    (UINT64_C(16) << 10) /* for local variables of calls that nest in themselves */
#define MAX_THREAD_BYTES (UINT64_C(1) << 19) /* .local, and .param of functions, of a thread */
#define MAX_PARAM_BYTES  (UINT64_C(1) << 16) /* of a kernel */
#define MAX_CALL_DEPTH   500
#define MAX_NESTING      200 /* of {} scopes */
#define MAX_ALIGN        65536
#define MAX_TARGETS      8
#define MAX_REGISTERS    (1u << 20) /* declared in one kernel */

enum sym_kind { SYM_REG, SYM_VAR, SYM_FUNC, SYM_LABEL, SYM_PROTO, SYM_TARGETS };
struct sym {              /* a meaning of a name; an inner scope's hides an outer one's */
    struct sym *outer;    /* the hidden meaning */
    struct sym *in_scope; /* next symbol of the same scope */
    struct name *name;
    uint8_t kind, type, vec; /* enum sym_kind; registers: enum vtype, elements */
    bool range;              /* registers name0 .. name(count - 1) */
    bool wide;               /* registers of 128 bits: vec is 2, of 64 bits */
    int depth;               /* of its scope; 0: module */
    uint32_t first, count;   /* registers: virtual register numbers */
    uint32_t pc;             /* labels */
    struct var *var;
    struct func_decl *func;
    const struct stmt *stmt; /* labels, prototypes, target lists */
};

struct reloc { /* bytes of an initialiser that hold a symbol's address */
    struct reloc *next;
    int var;
    uint64_t off;
    uint8_t bytes;
    const struct operand *value;
};

#define NAME_BUCKETS 16384
struct module {
    struct arena arena;
    const char *name, *text;
    size_t len;
    struct name *bucket[NAME_BUCKETS];
    int version; /* major * 10 + minor, 0: none given */
    int target;  /* of sm_N the highest N; 0: none given */
    struct loc version_at, target_at;
    const struct name *targets[MAX_TARGETS]; /* the words of .target */
    int ntargets;
    int address_size; /* 32 or 64 */
    struct vars vars; /* at module scope, in order */
    struct func_decl *funcs, *last_func;
    int nfuncs;
    struct module_var *mvar;
    int nmvar;
    struct reloc *relocs;
    bool scanned;                 /* func_decl.address_taken is complete */
    struct kernel_cache *kernels; /* owned */
    int kept;                     /* by others than who made it */
};

struct kernel_cache {
    struct kernel_cache *next;
    struct kernel *k;
    struct arena arena; /* what the kernel points to */
};

struct name *name_intern(struct module *m, const char *s, size_t len);
struct name *name_find(struct module *m, const char *s, size_t len); /* NULL: never seen */

/* "NAME:LINE:COL: message", the source line, a caret. Returns false. */
bool module_err(const struct module *m, struct loc at, struct err *e, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

void module_set_target(struct module *m, const struct name *word, struct loc at); /* of .target */
/* target.c: whether there are such a version and targets, and they go together. */
bool target_check(const struct module *m, struct err *e);
/* needs.c: whether they have the instruction. */
bool needs_check(const struct module *m, const struct stmt *st, struct err *e);
struct func_decl *module_func(struct module *m, const struct name *name);
/* Adds a declaration; a prototype and its definition become one. */
bool module_add_func(struct module *m, const struct func_decl *f, struct err *e);
bool module_add_var(struct module *m, struct var *v, struct err *e);
bool module_add_alias(struct module *m, struct name *alias, struct name *of, struct loc at,
                      struct err *e);
/* After the whole text: struct module_var of every .global and .const variable, initialisers. */
bool module_finish(struct module *m, struct err *e);

uint64_t var_bytes(const struct var *v);
uint64_t var_align(const struct var *v);

void kernel_cache_free(struct kernel_cache *c);

#endif
