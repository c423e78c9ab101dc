/* tests/sm/recording.h -- a kernel (tests/func/ptxrun.h) recorded into a file, and that file. */
#ifndef MDP_TESTS_SM_RECORDING_H
#define MDP_TESTS_SM_RECORDING_H

#include "sim/sm/trace_file.h"
#include "sim/sm/trace_write.h"
#include "tests/func/ptxrun.h"
#include "tests/gpu/whole.h"

#include <unistd.h>

struct recording {
    char path[64];
    struct trace_file *file;
};

/* A name that is taken: what is recorded replaces the empty file. */
static inline void recording_path(char path[64])
{
    snprintf(path, 64, "/tmp/mdpredict-trace-XXXXXX");
    const int fd = mkstemp(path);
    CU_ASSERT_TRUE_FATAL(fd >= 0);
    close(fd);
}

/* Executes the launch `times` times, each recorded. */
static inline void recording_make(struct recording *rec, struct ptxrun *r, int times)
{
    struct err e = {""};
    const struct trace_record_opts o = {.resident = 1};
    recording_path(rec->path);
    struct trace_writer *w = trace_writer_new(rec->path, &e);
    CU_ASSERT_PTR_NOT_NULL_FATAL(w);
    bool ok = true;
    for (int i = 0; ok && i < times; i++)
        ok = trace_writer_launch(w, &r->l, &o, NULL, &e);
    if (!ok)
        printf("\n  %s\n", e.msg);
    CU_ASSERT_TRUE_FATAL(trace_writer_close(w, ok, &e));
    rec->file = trace_file_open(rec->path, &e);
    if (!rec->file)
        printf("\n  %s\n", e.msg);
    CU_ASSERT_PTR_NOT_NULL_FATAL(rec->file);
}

static inline void recording_free(struct recording *rec)
{
    trace_file_free(rec->file);
    unlink(rec->path);
}

/* The launch on a GPU; recorded: NULL, or where its instructions come from. */
static inline bool recording_run(struct ptxrun *r, const struct gpu_cfg *cfg,
                                 const struct trace_launch *recorded, struct run_stats *st)
{
    const struct gpu_opts o = {
        .n = 8, .only_core = -1, .max_cycles = 1000000, .trace_working_set = true};
    struct gpu *g = gpu_new(cfg, &r->err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(g);
    *st = (struct run_stats){0};
    r->l.recorded = recorded;
    const bool ok = gpu_launch(g, &r->l, &o, st, &r->err);
    r->l.recorded = NULL;
    CU_ASSERT_TRUE(!ok || gpu_drain(g, 1000000));
    gpu_free(g);
    return ok;
}

#endif
