/* sim/ptx/link.h -- several PTX texts made one, as for programs built with -rdc=true: what is
 * .extern in one text is defined in another; names without linkage (.visible, .extern, .weak,
 * .common) stay private to their text; of .weak definitions the first is kept.
 *
 * Lines are counted on from text to text; .file numbers are made different. */
#ifndef MDP_SIM_PTX_LINK_H
#define MDP_SIM_PTX_LINK_H

#include "base/err.h"

/* n > 0 NUL-terminated texts; the caller frees the result, NUL-terminated. NULL and e: not PTX. */
char *ptx_link(const char *const *text, int n, struct err *e);

#endif
