/* cli/commands.h -- the commands, as each defines itself. */
#ifndef MDP_CLI_COMMANDS_H
#define MDP_CLI_COMMANDS_H

#include "cli/options.h"

#define X(name) extern const struct command command_##name;
COMMANDS(X)
#undef X
extern const struct command *const commands[COMMAND_COUNT]; /* by command_id */

#endif
