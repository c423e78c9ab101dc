/* base/cfg_lex.h -- what is wrong with libconfig's own scanner, put right before it runs: it wraps
 * integers silently, opens the files that @include names wherever they are, and stops at a NUL
 * byte. */
#ifndef MDP_BASE_CFG_LEX_H
#define MDP_BASE_CFG_LEX_H

#include "base/err.h"

struct cfg_includes { /* of a file, in order */
    struct cfg_include {
        char *path; /* as written; owned */
        int line;
    } * at; /* owned */
    int n;
};
void cfg_includes_free(struct cfg_includes *in);

/* The text rewritten so that each integer is a checked 64-bit one ("5" becomes "5L"); line numbers
 * stay. Lines `@include "PATH"` before the first setting are taken out and put into `in`; in NULL:
 * there may be none. NULL and e on another directive, an integer or real too large, a NUL byte, an
 * unclosed comment or string, nesting deeper than 64. Caller frees, `in` too, in any case. */
char *cfg_lex(const char *name, const char *text, size_t len, struct cfg_includes *in,
              struct err *e);

#endif
