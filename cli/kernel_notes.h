/* cli/kernel_notes.h -- what the warp scheduler has to say of kernels, each line once however many
 * runs it is of. */
#ifndef MDP_CLI_KERNEL_NOTES_H
#define MDP_CLI_KERNEL_NOTES_H

struct run_result;
struct sm_cfg;
struct target;

struct kernel_notes { /* {0} to begin with */
    char **line;      /* owned, as are they */
    int count;
};

void kernel_notes_add(struct kernel_notes *n, const struct run_result *r);
/* Of all kernels that the target launches; nothing, if they cannot be read. */
void kernel_notes_add_all(struct kernel_notes *n, const struct target *t, const struct sm_cfg *cfg);
/* To stderr, by the kernels' names; empty afterwards. */
void kernel_notes_print(struct kernel_notes *n);

#endif
