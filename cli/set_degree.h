/* cli/set_degree.h -- how to get n CTAs at once on each core of a real GPU, which has no setting
 * for it. Fewer than fit: each CTA takes dynamic shared memory that it doesn't use, so much that n
 * fit. More, where registers are the limit: the compiler is told to use fewer. */
#ifndef MDP_CLI_SET_DEGREE_H
#define MDP_CLI_SET_DEGREE_H

#include "sim/sm/occupancy.h"

#define SET_DEGREE_ROOM 256

/* Dynamic shared memory, bytes a CTA, with which exactly n fit (occupancy() says so): the least
 * that is no less than now. -1: no such number. */
int set_degree_shared(const struct sm_cfg *c, const struct cta_resources *k, int n);
/* Launches of one kernel with like CTAs: what is said of one's degree is that of the other's. */
bool set_degree_is_same(const char *kernel, const struct cta_resources *k, const char *other,
                        const struct cta_resources *others);
/* What it takes now. */
int set_degree_dynamic(const struct cta_resources *k);
/* The same in words, for any n. Returns out. */
const char *set_degree_text(const struct sm_cfg *c, const struct cta_resources *k, int n,
                            char out[SET_DEGREE_ROOM]);

/* The same as lines of CUDA to paste, for n CTAs of `kernel`: returns how many, each for the caller
 * to free; 0: as it is, or there is no way. */
#define SET_DEGREE_LINES 2
int set_degree_lines(const struct sm_cfg *c, const struct cta_resources *k, int n,
                     const char *kernel, char *line[SET_DEGREE_LINES]);
/* Likewise for a block as it is to be written, and so many bytes of dynamic shared memory. */
int set_degree_launch(const struct cta_resources *k, int dynamic, const char *block,
                      const char *kernel, char *line[SET_DEGREE_LINES]);
/* Which other block sizes would put more warps on a core, where not shared memory limits n, if its
 * CTAs take registers and shared memory by the thread: a sentence, for the caller to free. NULL:
 * none, or n is not n_max. */
char *set_degree_blocks(const struct sm_cfg *c, const struct cta_resources *k, int n);
/* For GPUs on which shared memory and L1 share one store: the call by which shared memory gets what
 * those lines count on. NULL: they set none. The caller frees it. */
char *set_degree_carveout(const struct sm_cfg *c, const struct cta_resources *k, int n,
                          const char *kernel);

#endif
