/* sim/frontend/launch_impl.h -- a launch file in memory; for launch_*.c alone. Settings are kept
 * for their lines; strings belong to the settings. */
#ifndef MDP_SIM_FRONTEND_LAUNCH_IMPL_H
#define MDP_SIM_FRONTEND_LAUNCH_IMPL_H

#include "sim/frontend/elem.h"
#include "sim/frontend/launch_file.h"

#define BUFFER_MAX    ((int64_t)1 << 40) /* what device memory takes */
#define GENERATED_MAX ((uint64_t)4 << 30)
#define LAUNCHES_MAX  1000000 /* of one entry, repeated */
#define REGISTERS_MAX 255
#define SHARED_MAX    (227 * 1024)

enum source_kind {
    SRC_ZERO,
    SRC_FILE,
    SRC_FILL,
    SRC_RANDOM,
    SRC_IOTA,
    SRC_PERMUTATION,
    SRC_VALUES,
    SRC_COUNT
};

/* Where bytes come from: a buffer's contents, or what a check expects. */
struct source {
    enum source_kind kind;
    const struct cfg_node *at;
    enum elem type;        /* all but FILE and ZERO */
    const char *file;      /* FILE: as written */
    union elem_value a, b; /* FILL: value; RANDOM: lo, hi; IOTA: start, step */
    uint64_t seed;         /* RANDOM, PERMUTATION */
    uint8_t *data;         /* owned; NULL until loaded, and for ZERO */
    size_t len;            /* of data; what follows up to the buffer's size is zero */
};

struct buffer {
    const struct cfg_node *at;
    const char *name;
    uint64_t bytes;
    addr_t addr;
    struct source src;
};

struct texture_entry {
    const struct cfg_node *at;
    const char *name, *reference; /* reference: of the module, bound to it; NULL: none */
    int buffer;
    struct texture what; /* an array's image has no base before the run */
    uint64_t row, rows;  /* of an array: bytes of a row in the buffer; rows of all slices */
};

struct arg {
    const struct cfg_node *at;
    int buffer, texture;    /* -1, -1: a scalar */
    enum elem type;         /* of a scalar; u64 for an address or a handle */
    union elem_value value; /* the address with its offset */
};

struct launch_entry {
    const struct cfg_node *at, *kernel_at;
    const char *kernel;
    struct launch_shape shape;
    int repeat;
    struct arg *arg; /* owned */
    int nargs;
    uint8_t *params; /* owned; packed when loaded */
};

struct check {
    const struct cfg_node *at;
    int buffer;
    enum elem type;
    double tolerance;
    struct source src;
};

struct launch_file {
    char *path;           /* owned */
    struct cfg_file *cfg; /* owned */
    const struct cfg_node *module_at;
    char *module_path; /* owned */
    char *ptx;         /* owned; NULL until loaded */
    size_t ptx_len;
    struct buffer *buffer; /* owned arrays */
    struct texture_entry *texture;
    struct launch_entry *launch;
    struct check *check;
    int block_size; /* of the launches that say `threads`; 0: their own */
    int nbuffers, ntextures, nlaunches, nchecks;
};

/* launch_source.c: one of file, zero, fill, random, iota, permutation, values in group n. */
#define SOURCE_KEYS "file", "zero", "fill", "random", "iota", "permutation", "values"
/* type: ELEM_COUNT when group n names none. */
bool source_parse(const struct cfg_node *n, uint64_t bytes, enum elem type, struct source *s,
                  struct err *e);
/* The member `type` of a group; *type stays when there is none. */
bool elem_type_parse(const struct cfg_node *group, enum elem *type, struct err *e);
/* Error at the first key of group n that is not in the NULL-ended list. */
bool keys_known(const struct cfg_node *n, const char *const *keys, struct err *e);

/* launch_data.c: fills data; exact: a file must have just `bytes` bytes. */
bool source_load(struct source *s, const char *launch_path, uint64_t bytes, bool exact,
                 struct err *e);

/* launch_parse.c */
bool launch_parse(struct launch_file *f, struct err *e);
bool setting_need_str(const struct cfg_node *n, const char *key, const char **out, struct err *e);
/* The buffer that member `buffer` of group n names. */
bool buffer_find(const struct launch_file *f, const struct cfg_node *n, int *out, struct err *e);

/* launch_texture.c */
bool texture_parse(struct launch_file *f, const struct cfg_node *n, struct err *e);
bool texture_find(const struct launch_file *f, const struct cfg_node *n, int *out, struct err *e);
/* The module has every reference that a texture is bound to. */
bool texture_reference_check(const struct launch_file *f, struct module *m, struct err *e);
/* Once the buffers are filled: handle[i] is that of texture i. */
bool textures_make(const struct launch_file *f, struct context *c, struct module *m,
                   uint64_t *handle, struct err *e);

/* launch_check.c: found holds b->bytes bytes. */
bool check_buffer(const struct check *c, const struct buffer *b, const uint8_t *found,
                  struct err *e);

#endif
