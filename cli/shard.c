#include "cli/shard.h"

#include <stdlib.h>
#include <string.h>

#include "base/num.h"

bool shard_read(const char *text, struct shard *out, struct err *e)
{
    *out = (struct shard){0, 0};
    if (!text)
        return true;
    int64_t i, n;
    const char *slash = strchr(text, '/');
    char *first = slash ? xasprintf("%.*s", (int)(slash - text), text) : NULL;
    const bool ok = slash && num_int(first, &i) && num_int(slash + 1, &n) && i >= 1 && i <= n &&
                    n <= SHARDS_MAX;
    free(first);
    if (!ok)
        return err_set(e, "--shard %s: I/N is wanted, 1 <= I <= N <= %d", text, SHARDS_MAX);
    *out = (struct shard){(int)i, (int)n};
    return true;
}

struct dealt {
    double cost;
    int job;
};

static int dearest_first(const void *a, const void *b)
{
    const struct dealt *x = a, *y = b;
    if (x->cost != y->cost)
        return x->cost < y->cost ? 1 : -1;
    return x->job - y->job;
}

void shard_deal(const struct shard *s, const double *cost, int count, bool *mine)
{
    struct dealt *d = xcalloc((size_t)count + 1, sizeof *d);
    double *has = xcalloc((size_t)s->n + 1, sizeof *has);
    for (int k = 0; k < count; k++)
        d[k] = (struct dealt){cost[k], k};
    qsort(d, (size_t)count, sizeof *d, dearest_first);
    for (int k = 0; k < count; k++) {
        int least = 0;
        for (int i = 1; i < s->n; i++)
            if (has[i] < has[least])
                least = i;
        has[least] += d[k].cost;
        mine[d[k].job] = s->n == 0 || least == s->i - 1;
    }
    free(has);
    free(d);
}
