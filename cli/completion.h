/* cli/completion.h -- completion of the command line in three shells: commands, options, and the
 * names that their arguments may be. A script each, for the shell to read. */
#ifndef MDP_CLI_COMPLETION_H
#define MDP_CLI_COMPLETION_H

#include <stdio.h>

void completion_bash(FILE *out);
void completion_zsh(FILE *out);
void completion_fish(FILE *out);

#endif
