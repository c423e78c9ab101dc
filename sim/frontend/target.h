/* sim/frontend/target.h -- what the user names on the command line: a bundled workload ("bfs",
 * "bfs:medium"), a launch file ("DIR/launch.cfg") or a trace, told by its first bytes. target_run
 * may be called any number of times, from several threads at once: each run has its own module,
 * memory and context. */
#ifndef MDP_SIM_FRONTEND_TARGET_H
#define MDP_SIM_FRONTEND_TARGET_H

#include "sim/frontend/executor.h"

/* How a workload's input and CTAs are made; zero: as the workload has it. */
struct target_input {
    bool seeded;
    uint64_t seed;     /* when seeded */
    const char *order; /* one of WORKLOAD_ORDERS by name, or NULL */
    unsigned warps;    /* a CTA; 0: the workload's own */
    int block_size;    /* likewise in threads, of a launch file's launches too; 0: their own */
};

struct target;
/* in: borrowed during the call; NULL is all zero. NULL and e: no such workload (nearest names are
 * listed) nor file, or a launch file that is wrong (file:line), or an input that it doesn't take.
 */
struct target *target_open(const char *name, const struct target_input *in, struct err *e);
void target_free(struct target *t);
const char *target_name(const struct target *t);
/* What a workload's input is made of, whole: seeded, with an order. False: t is a file. */
bool target_input_of(const struct target *t, struct target_input *out);
/* False and e: a trace, which can run on a GPU but not be executed; `what` needs that. */
bool target_has_values(const struct target *t, const char *what, struct err *e);
/* Builds the inputs, launches every kernel in order through x, verifies the results.
 * A trace has no results to verify.
 * verify false: skips the checks (a sampled run whose executor did not execute everything). */
bool target_run(const struct target *t, const struct executor *x, bool verify, struct err *e);
/* Calls fn for the module's kernels (disasm): loads the PTX, decodes every entry that the target
 * launches (or, if it can't tell, every entry). */
bool target_kernels(const struct target *t,
                    bool (*fn)(void *user, const struct kernel *k, struct err *e), void *user,
                    struct err *e);

#endif
