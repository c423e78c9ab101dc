/* base/cfg_lex.h -- what is wrong with libconfig's own scanner, put right before it runs: it wraps
 * integers silently, opens the files that @include names, and stops at a NUL byte. */
#ifndef MDP_BASE_CFG_LEX_H
#define MDP_BASE_CFG_LEX_H

#include "base/err.h"

/* The text rewritten so that each integer is a checked 64-bit one ("5" becomes "5L"); line numbers
 * stay. NULL and e on @include, an integer or real too large, a NUL byte, an unclosed comment or
 * string, nesting deeper than 64. Caller frees. */
char *cfg_lex(const char *name, const char *text, size_t len, struct err *e);

#endif
