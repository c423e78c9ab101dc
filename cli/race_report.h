/* cli/race_report.h -- `run --race`: which lines race in shared memory. */
#ifndef MDP_CLI_RACE_REPORT_H
#define MDP_CLI_RACE_REPORT_H

#include "cli/output.h"
#include "sim/func/race.h"

/* An array "races" in JSON. */
void races_output(struct output *out, const struct race *race, int n);
void races_print(FILE *to, const struct race *race, int n);
/* True: there are none. Else what the command ends with. */
bool races_none(const char *target, int n, struct err *e);

#endif
