#include "program/tracer.h"

#include <stdio.h>
#include <stdlib.h>

#include "sim/sm/trace_write.h"

struct tracer {
    struct recorder *recorder;   /* borrowed */
    struct trace_writer *writer; /* owned; NULL: nothing was launched */
};

struct tracer *tracer_new(struct recorder *r)
{
    if (!*recorder_plan(r)->trace)
        return NULL;
    struct tracer *t = xcalloc(1, sizeof *t);
    t->recorder = r;
    return t;
}

/* The file holds one context, and a GPU that is switched on once. */
static void say_that_it_begins_anew(const struct tracer *t, const struct launch *l)
{
    if (t->writer && l->sequence == 0)
        fprintf(stderr, "mdpredict: the program makes a context anew: a run of the trace finds in "
                        "caches what launches before left there, a run of the program does not\n");
}

bool tracer_launch(struct tracer *t, struct launch *l, int resident, struct func_counts *counts,
                   struct err *e)
{
    const struct program_plan *p = recorder_plan(t->recorder);
    const struct trace_record_opts o = {.resident = resident > 0 ? resident : 1,
                                        .short_turns = true,
                                        .max_warp_insts =
                                            gpu_cfg_issue_bound(&p->cfg, p->max_cycles)};
    say_that_it_begins_anew(t, l);
    if (!t->writer && !(t->writer = trace_writer_new(p->trace, e)))
        return false;
    return trace_writer_launch(t->writer, l, &o, counts, e);
}

void tracer_close(struct tracer *t)
{
    struct record_trace r = {0};
    struct trace_totals n;
    struct err e;
    if (!t)
        return;
    if (t->writer) {
        trace_writer_totals(t->writer, &n);
        r.launches = n.launches;
        r.ctas = n.ctas;
        r.warp_insts = n.warp_insts;
        if (!trace_writer_close(t->writer, true, &e))
            snprintf(r.why, sizeof r.why, "%s", e.msg);
    }
    recorder_put(t->recorder, RECORD_TRACE, &r, sizeof r);
    free(t);
}
