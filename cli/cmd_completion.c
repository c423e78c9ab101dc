#include <string.h>

#include "base/suggest.h"
#include "cli/commands.h"
#include "cli/completion.h"
#include "cli/output.h"

static const struct {
    const char *name;
    void (*print)(FILE *out);
} shells[] = {{"bash", completion_bash}, {"zsh", completion_zsh}, {"fish", completion_fish}};

static bool run(struct options *o, struct err *e)
{
    struct suggest s;
    char near[64];
    suggest_init(&s, o->arg[0]);
    for (size_t i = 0; i < sizeof shells / sizeof *shells; i++) {
        suggest_offer(&s, shells[i].name);
        if (strcmp(shells[i].name, o->arg[0]) == 0) {
            shells[i].print(stdout);
            return true;
        }
    }
    o->bad_usage = true;
    return err_set(e, "no completion for \"%s\"%s", o->arg[0], suggest_text(&s, near, sizeof near));
}

const struct command command_completion = {
    .id = COMMAND_completion,
    .name = "completion",
    .args = "SHELL",
    .help = "Print a script with which bash, zsh or fish completes the command line",
    .text = "`source <(mdpredict completion bash)` takes it for the present shell.",
    .min_args = 1,
    .max_args = 1,
    .run = run,
};
