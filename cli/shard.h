/* cli/shard.h -- a sweep in N parts, for N machines: every one of them finds the same parts. */
#ifndef MDP_CLI_SHARD_H
#define MDP_CLI_SHARD_H

#include "base/err.h"

#define SHARDS_MAX 10000

struct shard {
    int i, n; /* part i of n, from 1; n 0: the whole */
};

/* "3/8". NULL is the whole. */
bool shard_read(const char *text, struct shard *out, struct err *e);
/* mine[k]: job k of `count` belongs to the shard. Dearest first, each goes to the shard that has
 * the least cost so far (longest processing time first); ties: the earlier job, the first shard. */
void shard_deal(const struct shard *s, const double *cost, int count, bool *mine);

#endif
