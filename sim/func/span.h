/* sim/func/span.h -- the addresses of a warp's lanes, all 32 at once: computed, held against the
 * memory that the lowest lane points into, and told apart by shape. Vector code in two compilations
 * that give the same bits (lanes.h). */
#ifndef MDP_SIM_FUNC_SPAN_H
#define MDP_SIM_FUNC_SPAN_H

#include "base/types.h"

struct span_query {
    lanes_t active; /* not 0 */
    uint64_t disp;  /* added to the row, in the row's width */
    addr_t window;  /* subtracted then */
    addr_t lo;      /* the memory: [lo, lo + room], where a lane's first byte may lie */
    uint64_t room;  /* below 2^62 */
    unsigned bytes; /* a lane's, a power of two */
    bool wide;      /* this host runs the AVX2 version (kernel.wide) */
};

enum {                /* what a span is: a sum of these */
       SPAN_FITS = 1, /* every active lane lies inside and on a multiple of its bytes */
       SPAN_RUN = 2,  /* all 32 lanes are active, one behind the other without gap */
       SPAN_SAME = 4  /* the active lanes have one address */
};

/* addr: all 32 lanes' addresses, less the window. */
unsigned span_rows32(const uint32_t *row, const struct span_query *q, addr_t addr[WARP_SIZE]);
unsigned span_rows64(const uint64_t *row, const struct span_query *q, addr_t addr[WARP_SIZE]);

#endif
