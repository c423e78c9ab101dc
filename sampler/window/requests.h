/* sampler/window/requests.h -- the transactions that a core's LD/ST unit makes of a memory
 * instruction, from the functional run's step: addresses, order and number as sim/sm has them.
 * Local memory is that of a CTA alone on core 0. */
#ifndef MDP_SAMPLER_REQUESTS_H
#define MDP_SAMPLER_REQUESTS_H

#include "sim/func/warp.h"
#include "sim/gpu/gpu_cfg.h"
#include "sim/sm/coalesce.h"

/* Local memory, above every buffer; set 0 of every L1D. Words of a thread are as far apart as if
 * cores had room for one CTA. */
#define REQUESTS_LOCAL (1ull << 62)

enum request_path {
    REQUEST_NONE,        /* no lane, or not through L1D or L1T: shared, constants, parameters */
    REQUEST_LOAD,        /* to L1D: allocates */
    REQUEST_STORE,       /* global, to L1D: goes through, the line leaves */
    REQUEST_LOCAL_STORE, /* to L1D: stays in a line that is there, else goes through */
    REQUEST_PAST,        /* past L1D: uncached loads and stores, atomics */
    REQUEST_TEXTURE
};

struct requests {
    const struct gpu_cfg *cfg; /* borrowed */
    enum request_path path;    /* of the last instruction, with its transactions */
    int n;
    struct txn t[COALESCE_MAX];
    struct coalescer c;
};

void requests_make(struct requests *r, const struct warp *w, const struct step *s);

#endif
