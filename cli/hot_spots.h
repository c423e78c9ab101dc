/* cli/hot_spots.h -- `run --hot` and `run --source FILE`: which lines of the PTX, or of the source
 * that it was compiled from, issue, wait, miss and conflict. */
#ifndef MDP_CLI_HOT_SPOTS_H
#define MDP_CLI_HOT_SPOTS_H

#include "cli/output.h"
#include "sim/func/warp.h"
#include "sim/ptx/inst_lines.h"
#include "sim/sm/inst_counts.h"

struct hot_kernel {
    char *name, *module;        /* owned */
    uint64_t id;                /* of the kernel that was decoded */
    int lines;                  /* instructions, in order */
    struct inst_line *line;     /* owned */
    struct inst_counts *counts; /* owned: of each */
    struct run_stats stats;     /* of its launches, for shares */
    uint64_t launches;          /* that are counted; not_counted: others of it, of a program */
    uint64_t not_counted;
};

struct hot_spots {
    struct hot_kernel *kernel; /* owned */
    int kernels;
};

/* What gpu_opts.inst_counts is for a launch of the kernel, over all of its launches. */
struct inst_counts *hot_spots_of(struct hot_spots *h, const struct kernel *k);
void hot_spots_add(struct hot_spots *h, const struct kernel *k, const struct run_stats *launch);
void hot_spots_release(struct hot_spots *h);

/* An array "hot" in JSON: of each kernel the lines that issued or waited. */
void hot_spots_output(struct output *out, const struct hot_spots *h);
/* Text: of each kernel the `most` lines with the most scheduler cycles. */
void hot_spots_print(FILE *to, const struct hot_spots *h, int most);
/* Text: the file at path, with what its lines did in front of them: a module's PTX (its name ends
 * in .ptx), else a source that .loc names. False and e: it can't be read, or no kernel stems from
 * it. */
bool hot_spots_listing(FILE *to, const struct hot_spots *h, const char *path, struct err *e);

#endif
