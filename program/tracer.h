/* program/tracer.h -- the program's process records its launches into a trace
 * (sim/sm/trace_write.h) while it executes them. The file is whole, and has its name, when the
 * process ends by itself. */
#ifndef MDP_PROGRAM_TRACER_H
#define MDP_PROGRAM_TRACER_H

#include "program/recorder.h"
#include "sim/func/run.h"

struct tracer; /* opaque */

/* r is borrowed. NULL: its plan wants no trace. */
struct tracer *tracer_new(struct recorder *r);
/* Executes the launch, at most `resident` CTAs at once, and records it. */
bool tracer_launch(struct tracer *t, struct launch *l, int resident, struct func_counts *counts,
                   struct err *e);
/* Makes the file whole, if anything was launched, and puts a RECORD_TRACE. Frees t; NULL is fine.
 */
void tracer_close(struct tracer *t);

#endif
