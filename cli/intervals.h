/* cli/intervals.h -- statistics over time, for plots: CSV with a row for each interval of each
 * launch, and the same as arrays in JSON. Like every result it is gathered first and written at the
 * end, whole or not at all. */
#ifndef MDP_CLI_INTERVALS_H
#define MDP_CLI_INTERVALS_H

#include <stdio.h>

#include "base/csv.h"
#include "cli/output.h"
#include "sim/gpu/gpu.h"

struct intervals {
    uint64_t every;
    const char *path; /* borrowed; NULL: no CSV is wanted */
    char *buf;        /* owned: the bytes */
    size_t len;
    FILE *text;
    struct csv csv;
    bool keep;                  /* for intervals_output() */
    struct kept_interval *kept; /* owned */
    size_t count;
    const char *kernel; /* of the rows that come next; borrowed */
    int launch;
};

struct kept_interval {
    int launch, resident;
    cycle_t end;
    struct run_stats stats;
};

/* keep: for JSON. False and e: path (NULL: no CSV) can't be written. */
bool intervals_open(struct intervals *iv, const char *path, uint64_t every, bool keep,
                    struct err *e);
void intervals_row(void *intervals, const struct gpu_interval *i); /* as gpu_opts.interval */
/* An object "intervals" of arrays, an element an interval; nothing unless they were kept. */
void intervals_output(struct output *out, const struct intervals *iv);
/* ok: writes the file. Frees in any case; returns ok and that the writing worked. */
bool intervals_close(struct intervals *iv, bool ok, struct err *e);

#endif
