#include "cli/kernel_notes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "cli/runner.h"
#include "sim/frontend/target.h"
#include "sim/sm/sm.h"

static void add(struct kernel_notes *n, char *line)
{
    bool there = false;
    for (int i = 0; i < n->count && !there; i++)
        there = strcmp(n->line[i], line) == 0;
    if (there) {
        free(line);
        return;
    }
    n->line = xrealloc(n->line, (size_t)(n->count + 1) * sizeof *n->line);
    n->line[n->count++] = line;
}

void kernel_notes_add(struct kernel_notes *n, const struct run_result *r)
{
    for (int i = 0; i < r->launches; i++)
        if (r->launch[i].note)
            add(n, xasprintf("%s: %s", r->launch[i].kernel, r->launch[i].note));
}

struct reading {
    struct kernel_notes *notes;
    const struct sm_cfg *cfg;
};

static bool read_kernel(void *user, const struct kernel *k, struct err *e)
{
    struct reading *r = user;
    struct sm_code code;
    (void)e;
    sm_code_build(&code, k, r->cfg);
    if (code.note)
        add(r->notes, xasprintf("%s: %s", k->name, code.note));
    sm_code_free(&code);
    return true;
}

void kernel_notes_add_all(struct kernel_notes *n, const struct target *t, const struct sm_cfg *cfg)
{
    struct reading r = {n, cfg};
    struct err ignored;
    target_kernels(t, read_kernel, &r, &ignored);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Sorted, as runs that are side by side end in any order. */
void kernel_notes_print(struct kernel_notes *n)
{
    if (n->count)
        qsort(n->line, (size_t)n->count, sizeof *n->line, by_text);
    for (int i = 0; i < n->count; i++) {
        fprintf(stderr, "mdpredict: %s\n", n->line[i]);
        free(n->line[i]);
    }
    free(n->line);
    *n = (struct kernel_notes){0};
}
