/* tests/program/records.h -- records as a program's process writes them, to read, break and fuzz.
 */
#ifndef MDP_TESTS_PROGRAM_RECORDS_H
#define MDP_TESTS_PROGRAM_RECORDS_H

#include <string.h>

#include "program/plan.h"

#define RECORDS_N_MAX 4 /* of the kernels here */

struct records { /* all 0: none yet */
    char at[1 << 20];
    size_t bytes;
};

static inline void records_put(struct records *rs, enum record_kind kind, const void *body,
                               size_t bytes)
{
    const struct record_head h = {(uint32_t)kind, (uint32_t)bytes, 1};
    if (rs->bytes + sizeof h + bytes > sizeof rs->at)
        return;
    memcpy(rs->at + rs->bytes, &h, sizeof h);
    memcpy(rs->at + rs->bytes + sizeof h, body, bytes);
    rs->bytes += sizeof h + bytes;
}

static inline struct record_kernel records_kernel(int number)
{
    return (struct record_kernel){
        .kernel = number, .name = "k", .block = {64, 1, 1}, .regs = 8, .n_max = RECORDS_N_MAX};
}

static inline struct record_launch records_launch(void)
{
    return (struct record_launch){.how = HOW_DETAILED,
                                  .grid = {8, 1, 1},
                                  .warp_insts = 160,
                                  .thread_insts = 5120,
                                  .ctas = 8,
                                  .cycles = 100,
                                  .for_run = true};
}

static inline struct record_run records_run(int n)
{
    return (struct record_run){
        .n = n,
        .ran = n,
        .stats = {.cycles = 100, .warp_insts = 160, .thread_insts = 5120, .ctas = 8}};
}

static inline struct record_sample records_sample(void)
{
    return (struct record_sample){.launch_insts = 160,
                                  .sample = {.n_max = RECORDS_N_MAX,
                                             .cores = 2,
                                             .warp_insts = 20,
                                             .thread_insts = 640,
                                             .launches = 1,
                                             .grid_ctas = 8,
                                             .total_ctas = 8,
                                             .total_warp_insts = 160,
                                             .total_thread_insts = 5120}};
}

/* A process with a device and one kernel, number 0. */
static inline void records_begin(struct records *rs)
{
    const struct record_device d = {.pid = 1};
    const struct record_kernel k = records_kernel(0);
    records_put(rs, RECORD_DEVICE, &d, sizeof d);
    records_put(rs, RECORD_KERNEL, &k, sizeof k);
}

#endif
