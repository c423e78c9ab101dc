/* cli/command_list.h -- the commands by name: a file each, cmd_NAME.c. Rows of the table of options
 * say by these which commands take them. */
#ifndef MDP_CLI_COMMAND_LIST_H
#define MDP_CLI_COMMAND_LIST_H

#define COMMANDS(X) \
    X(list)         \
    X(run)          \
    X(search)       \
    X(sample)       \
    X(compare)      \
    X(profile)      \
    X(export)       \
    X(import)       \
    X(merge)        \
    X(fit)          \
    X(figure)       \
    X(disasm)       \
    X(trace)        \
    X(completion)

enum command_id {
#define X(name) COMMAND_##name,
    COMMANDS(X)
#undef X
        COMMAND_COUNT
};

#endif
