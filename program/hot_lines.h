/* program/hot_lines.h -- what each instruction of the program's kernels did (sim/sm/inst_counts.h),
 * counted in the program's process and recorded for mdpredict. */
#ifndef MDP_PROGRAM_HOT_LINES_H
#define MDP_PROGRAM_HOT_LINES_H

#include "program/recorder.h"
#include "sim/func/warp.h"
#include "sim/sm/inst_counts.h"

struct hot_lines {              /* of one kernel; all 0: none yet */
    struct inst_counts *now;    /* owned: of each instruction, by the running launch */
    struct inst_counts *counts; /* owned: by those that have ended since the last record of them */
    uint32_t insts;
    uint64_t launches; /* that were counted */
};

/* Before a launch of the kernel with this number: where it counts. NULL: it is not counted, since
 * the code is no longer that of the launches before (a module was loaded anew). */
struct inst_counts *hot_lines_begin(struct hot_lines *h, struct recorder *r, int kernel,
                                    const struct kernel *k);
/* It has ended; one that failed is not counted. What was counted is recorded now and then, so that
 * little is lost where a process ends without notice; and at the end. */
void hot_lines_counted(struct hot_lines *h, struct recorder *r, int kernel);
void hot_lines_end(struct hot_lines *h, struct recorder *r, int kernel); /* frees, too */

#endif
