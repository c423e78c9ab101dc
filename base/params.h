/* base/params.h -- a parameter is written once: one table row gives the struct field, its default,
 * range, help, libconfig path, `--set` name and dump.
 *
 *   #define SM_PARAMS(X) X(l1d_latency, INT, 1, 1000, 28, "cycles", "L1D hit latency") ...
 *   PARAM_STRUCT(sm_cfg, SM_PARAMS);                       // struct sm_cfg, in the header
 *   static const struct param rows[] = PARAM_ROWS(sm_cfg, SM_PARAMS);   // in one .c
 *
 * Types: INT (int), REAL (double), BOOL (bool), STR (char[64]; min, max 0; choices by the
 * param_group's check). A group of rows is placed at a prefix ("l1d." + field); nested groups make
 * up a whole configuration. */
#ifndef MDP_BASE_PARAMS_H
#define MDP_BASE_PARAMS_H

#include "base/err.h"
#include "base/types.h"

struct cfg_node;

enum param_type { PARAM_INT, PARAM_REAL, PARAM_BOOL, PARAM_STR };
#define PARAM_STR_LEN 64

#define PARAM_FIELD_INT(name)                             int name
#define PARAM_FIELD_REAL(name)                            double name
#define PARAM_FIELD_BOOL(name)                            bool name
#define PARAM_FIELD_STR(name)                             char name[PARAM_STR_LEN]
#define PARAM_FIELD(field, type, lo, hi, def, unit, help) PARAM_FIELD_##type(field);
#define PARAM_STRUCT(tag, TABLE) \
    struct tag {                 \
        TABLE(PARAM_FIELD)       \
    }

struct param {
    const char *name;
    enum param_type type;
    double lo, hi;       /* inclusive; numbers only */
    double def_num;      /* default of INT, REAL, BOOL */
    const char *def_str; /* default of STR */
    const char *unit, *help;
    size_t off; /* offsetof in the struct */
};
#define PARAM_DEF_INT(d)  .def_num = (d)
#define PARAM_DEF_REAL(d) .def_num = (d)
#define PARAM_DEF_BOOL(d) .def_num = (d)
#define PARAM_DEF_STR(d)  .def_str = (d)

/* One struct's table. Use PARAM_ROW through a local macro that fixes the struct:
 *   #define ROW(f, t, lo, hi, d, u, h) PARAM_ROW(struct sm_cfg, f, t, lo, hi, d, u, h)
 *   static const struct param sm_rows[] = { SM_PARAMS(ROW) }; */
#define PARAM_ROW(S, field, ptype, lo_, hi_, def, unit_, help_) \
    {.name = #field,                                            \
     .type = PARAM_##ptype,                                     \
     .lo = (lo_),                                               \
     .hi = (hi_),                                               \
     PARAM_DEF_##ptype(def),                                    \
     .unit = (unit_),                                           \
     .help = (help_),                                           \
     .off = offsetof(S, field)},

/* A struct placed in a configuration under a prefix; an array of these (ended by rows == NULL)
 * describes all of it. */
struct param_group {
    const char *prefix; /* "" or "l1d" */
    const struct param *rows;
    int nrows;
    size_t off; /* of the struct inside the whole */
};

#define PARAM_NAME_LEN 128
/* "l1d.size"; returns buf. */
char *params_name(const struct param_group *g, const struct param *p, char buf[PARAM_NAME_LEN]);
void params_default(const struct param_group *groups, void *cfg);
/* "l1d.size=16384"; message names the parameter, the value, the allowed range; unknown names list
 * the nearest ones. */
bool params_set(const struct param_group *groups, void *cfg, const char *assignment, struct err *e);
/* Reads a libconfig file: groups are { } blocks or dotted names; unknown key, wrong type, out of
 * range: error with file:line. `extra_strings`: top-level string keys that are allowed and ignored
 * here (name, description, source). `@include "PATH"` lines at the top: those files are read first,
 * beside it if relative, and the file's own settings change what they give; errors name the file
 * that is wrong. */
bool params_load(const struct param_group *groups, void *cfg, const char *path, struct err *e);
bool params_load_text(const struct param_group *groups, void *cfg, const char *name,
                      const char *text, struct err *e);
/* The same of a file that is open: keys that were asked for already are no unknown ones. */
bool params_load_tree(const struct param_group *groups, void *cfg, const struct cfg_node *root,
                      struct err *e);
/* The complete effective configuration, as a libconfig text that params_load reads back to the same
 * values. Caller frees. */
char *params_dump(const struct param_group *groups, const void *cfg);
/* FNV-1a of the values that are not their defaults, so that a configuration keeps its hash when a
 * parameter is added whose default changes nothing. */
uint64_t params_hash(const struct param_group *groups, const void *cfg);

#endif
