/* cli/intervals.h -- statistics over time, for plots: CSV with a row for each interval of each
 * launch. Like every result it is gathered first and written at the end, whole or not at all. */
#ifndef MDP_CLI_INTERVALS_H
#define MDP_CLI_INTERVALS_H

#include <stdio.h>

#include "base/csv.h"
#include "sim/gpu/gpu.h"

struct intervals {
    uint64_t every;
    const char *path; /* borrowed */
    char *buf;        /* owned: the bytes */
    size_t len;
    FILE *text;
    struct csv csv;
    const char *kernel; /* of the rows that come next; borrowed */
    int launch;
};

/* False and e: path can't be written. */
bool intervals_open(struct intervals *iv, const char *path, uint64_t every, struct err *e);
void intervals_row(void *intervals, const struct gpu_interval *i); /* as gpu_opts.interval */
/* ok: writes the file. Frees in any case; returns ok and that the writing worked. */
bool intervals_close(struct intervals *iv, bool ok, struct err *e);

#endif
