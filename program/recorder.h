/* program/recorder.h -- the program's process: reads the plan that mdpredict made for it and
 * appends records, each with one write, so that a crash at any time leaves whole records only. */
#ifndef MDP_PROGRAM_RECORDER_H
#define MDP_PROGRAM_RECORDER_H

#include "program/plan.h"

struct recorder; /* opaque */

/* where: the value of PROGRAM_ENV, or NULL. NULL and e: this process was not started by mdpredict,
 * or by another build of it. */
struct recorder *recorder_open(const char *where, struct err *e);
void recorder_close(struct recorder *r);
const struct program_plan *recorder_plan(const struct recorder *r);
/* A kernel that failed; refused: it asks for what is not supported. */
/* what: without its text. */
void recorder_put_fault(struct recorder *r, const struct record_fault *what, const char *text);
void recorder_put(struct recorder *r, enum record_kind kind, const void *record, size_t bytes);

#endif
