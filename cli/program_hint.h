/* cli/program_hint.h -- what to type instead, where a word of the command line is a program, or the
 * source of one, that stands in the wrong place. */
#ifndef MDP_CLI_PROGRAM_HINT_H
#define MDP_CLI_PROGRAM_HINT_H

#include "cli/options.h"

/* False and e: an argument that should be a TARGET is a program, a script or CUDA source; of one
 * that is called as a bundled workload is, the workload is meant. */
bool program_hint_target(const struct options *o, const char *command, struct err *e);
/* False and e: what follows `--` is source, or a Python script that cannot be executed. */
bool program_hint_program(const struct options *o, const char *command, struct err *e);

#endif
