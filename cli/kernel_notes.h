/* cli/kernel_notes.h -- what the warp scheduler has to say of kernels, each line once however many
 * runs it is of. */
#ifndef MDP_CLI_KERNEL_NOTES_H
#define MDP_CLI_KERNEL_NOTES_H

struct run_result;

struct kernel_notes { /* {0} to begin with */
    char **line;      /* owned, as are they */
    int count;
};

void kernel_notes_add(struct kernel_notes *n, const struct run_result *r);
/* To stderr, by the kernels' names; empty afterwards. */
void kernel_notes_print(struct kernel_notes *n);

#endif
