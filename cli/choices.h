/* cli/choices.h -- what the argument of an option, or of a command, may be: for completion. */
#ifndef MDP_CLI_CHOICES_H
#define MDP_CLI_CHOICES_H

#include "cli/option_types.h"

typedef void choice_fn(void *user, const char *word);

/* Names, in the order of the lists. A parameter of --set ends in '='. */
void choices_of_option(const struct option_row *r, choice_fn *each, void *user);
void choices_of_command(const struct command *c, choice_fn *each, void *user);
/* Beside these: paths. */
bool choices_option_path(const struct option_row *r);
bool choices_command_path(const struct command *c);

#endif
