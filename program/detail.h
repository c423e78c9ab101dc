/* program/detail.h -- the executor of a user's program: decides which launches are simulated in
 * detail, sampled or only executed, keeps simulated time, records everything. */
#ifndef MDP_PROGRAM_DETAIL_H
#define MDP_PROGRAM_DETAIL_H

#include "program/recorder.h"
#include "sim/frontend/executor.h"

struct detail; /* opaque */

/* r is borrowed. */
struct detail *detail_new(struct recorder *r);
int detail_launches(const struct detail *d); /* that were asked for so far */
/* The process ends: a trace of it becomes whole, and nothing more is recorded. */
void detail_end(struct detail *d);
/* Borrowed; lives as long as d. */
const struct executor *detail_executor(struct detail *d);

#endif
