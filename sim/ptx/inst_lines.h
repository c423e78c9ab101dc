/* sim/ptx/inst_lines.h -- where a kernel's instructions stand: in its PTX, and in the source that
 * this was compiled from, as .loc says. */
#ifndef MDP_SIM_PTX_INST_LINES_H
#define MDP_SIM_PTX_INST_LINES_H

#include "sim/ptx/module.h"

struct inst_line {
    int ptx;      /* line of the module; 0: a trace, which has none */
    char *text;   /* owned: the line, without what surrounds it */
    char *source; /* owned: "FILE:LINE" by .loc; NULL: there is no line information */
};

/* Of each instruction of k: k->ninst of them. */
struct inst_line *inst_lines_new(const struct kernel *k);
void inst_lines_free(struct inst_line *v, int n); /* also those that others have filled */

#endif
