/* program/host.h -- mdpredict's side: starts the user's program with the simulated GPU in front of
 * it and waits for its end. */
#ifndef MDP_PROGRAM_HOST_H
#define MDP_PROGRAM_HOST_H

#include "program/plan.h"

struct program_end {
    int code;            /* exit code; -1: killed */
    int signal;          /* that killed it; 0: none */
    const char *records; /* owned, mapped: what the program's processes recorded */
    size_t bytes;
};

/* argv: the program and its arguments, ends with NULL. quiet: its standard output goes to standard
 * error (ours is a result that others read). False and e: it could not be started. Processes that
 * it left behind are ended. */
bool program_run(char **argv, const struct program_plan *plan, bool quiet, struct program_end *out,
                 struct err *e);
void program_end_release(struct program_end *end);

#endif
