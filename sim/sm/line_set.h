/* sim/sm/line_set.h -- exact set of cache lines, used when a CTA's working set is traced. */
#ifndef MDP_SIM_SM_LINE_SET_H
#define MDP_SIM_SM_LINE_SET_H

#include "base/types.h"

struct line_set {
    addr_t *slot; /* owned; line address + 1; 0: free; mask + 1 of them */
    uint32_t mask, n;
};

void line_set_add(struct line_set *s, addr_t line); /* a zeroed struct is an empty set */
bool line_set_has(const struct line_set *s, addr_t line);
void line_set_clear(struct line_set *s); /* keeps its memory */
void line_set_fini(struct line_set *s);

#endif
