/* cli/commands.h -- the commands, a file each (cmd_NAME.c). */
#ifndef MDP_CLI_COMMANDS_H
#define MDP_CLI_COMMANDS_H

#include "cli/options.h"

#define COMMANDS(X) \
    X(list)         \
    X(run) X(search) X(sample) X(compare) X(profile) X(export) X(import) X(fit) X(disasm) X(trace)

#define X(name) extern const struct command command_##name;
COMMANDS(X)
#undef X

#endif
