/* program_notes.c -- what a report of a program lacks, and why: launches that never began, kernels
 * that were abandoned, a choice that nothing fits, a signal. */
#include <stdlib.h>
#include <string.h>

#include "base/demangle.h"
#include "base/wrap.h"
#include "cli/keys.h"
#include "cli/program.h"
#include "program/elf.h"

#define NAMES 8 /* of kernels that are listed, at most */

static char *joined(char *text, const char *between, char *more)
{
    char *all = text ? xasprintf("%s%s%s", text, between, more) : xstrdup(more);
    free(text);
    free(more);
    return all;
}

/* Other processes of the program and other rows of the same kernel count together. */
static bool same_kernel(const struct program_rejection *a, const struct program_rejection *b)
{
    return strcmp(a->kernel, b->kernel) == 0;
}

static bool is_first(const struct outcome *f, int at)
{
    for (int i = 0; i < at; i++)
        if (same_kernel(&f->rejection[i], &f->rejection[at]))
            return false;
    return true;
}

char *program_rejected_text(const struct outcome *f, int at)
{
    const struct program_rejection *x = &f->rejection[at];
    uint64_t launches = 0;
    if (!is_first(f, at))
        return NULL;
    for (int i = at; i < f->rejections; i++)
        launches += same_kernel(&f->rejection[i], x) ? f->rejection[i].launches : 0;
    char *list = NULL, *name = demangle_said(x->kernel);
    for (int i = at; i < f->rejections; i++) {
        const struct program_rejection *y = &f->rejection[i];
        if (same_kernel(y, x))
            list = joined(list, "; ", xstrdup(y->reason));
    }
    char *text = xasprintf("%llu launch%s of %s rejected: %s", (unsigned long long)launches,
                           launches == 1 ? "" : "es", name, list);
    free(name);
    free(list);
    return text;
}

char *program_abandoned_text(const struct program_kernel *k)
{
    const int *b = k->k.block;
    if (!k->abandoned && !k->running)
        return NULL;
    char *name = demangle_said(k->k.name), *text;
    if (k->running)
        text = xasprintf("a launch of %s [%dx%dx%d] had not ended when the program did", name, b[0],
                         b[1], b[2]);
    else
        text = xasprintf("%llu launch%s of %s [%dx%dx%d] abandoned: %s",
                         (unsigned long long)k->abandoned, k->abandoned == 1 ? "" : "es", name,
                         b[0], b[1], b[2], k->why);
    free(name);
    return text;
}

/* "a, b, ..." */
static char *names_of(const struct outcome *f)
{
    char *list = NULL;
    for (int i = 0; i < f->kernels && i < NAMES; i++)
        list = joined(list, ", ", demangle_said(f->kernel[i].k.name));
    if (f->kernels > NAMES)
        list = joined(list, ", ", xstrdup("..."));
    return list ? list : xstrdup("none");
}

/* What --kernel and --launch choose, and the program has not. */
static char *not_there(const struct options *o, const struct outcome *f)
{
    if (o->kernel && !f->selected) {
        char *names = names_of(f);
        char *text =
            xasprintf("no kernel has '%s' in its name; those launched: %s", o->kernel, names);
        free(names);
        return text;
    }
    if (o->launch > f->last_launch)
        return xasprintf("there is no launch %lld; they are 0 to %d", (long long)o->launch,
                         f->last_launch);
    if (o->launch >= 0 && !f->detailed)
        return xasprintf("launch %lld was not measured%s", (long long)o->launch,
                         o->kernel ? ": it is of no kernel that --kernel chooses, or failed"
                                   : ": it failed");
    return NULL;
}

/* Libraries' kernels are none that could be simulated: a program may have no other. */
static char *nothing_to_choose(const struct program_result *r)
{
    if (r->mode == PROGRAM_RUN || !program_is_of_libraries(r->found))
        return NULL;
    return xstrdup(
        "there is nothing to predict: the program launches no kernel of its own, and what "
        "it asks of libraries is not simulated");
}

bool program_is_of_libraries(const struct outcome *f)
{
    return !f->launches && !f->kernels && !f->faults && !f->rejections && f->host_calls > 0;
}

char *program_missing(const struct program_result *r)
{
    const struct outcome *f = r->found;
    char *text = nothing_to_choose(r);
    text = text ? text : not_there(r->o, f);
    for (int i = 0; i < f->kernels; i++) {
        char *more = program_abandoned_text(&f->kernel[i]);
        if (more)
            text = joined(text, "; ", more);
    }
    return text;
}

static void note(FILE *out, const char *before, char *text)
{
    if (text)
        wrap_line(out, "%s%s", before, text);
    free(text);
}

/* A time that the program takes by the host's clock is the simulation's. */
static char *host_clock(const struct program_result *r)
{
    char *path = r->found->launches ? program_find(r->o->arg[0], NULL) : NULL;
    const char *name = path ? program_host_clock(path) : NULL;
    free(path);
    const bool simulates = r->mode == PROGRAM_RUN && !r->o->functional;
    return name ? xasprintf("the program reads the host's clock (%s): times that it takes by that "
                            "are the simulation's own, and mean nothing here; CUDA events have the "
                            "GPU's%s",
                            name,
                            simulates ? ""
                                      : ", of launches that are only executed an estimate: "
                                        "`run` simulates them")
                : NULL;
}

/* Launches that failed otherwise than by being abandoned, of which each kernel's text tells. */
static char *failed_text(const struct outcome *f)
{
    int failed = f->faults;
    for (int i = 0; i < f->kernels; i++)
        failed -= (int)f->kernel[i].abandoned;
    return failed > 0 && f->launches
               ? xasprintf("%d launch%s failed: %s", failed, failed == 1 ? "" : "es", f->fault)
               : NULL;
}

void program_notes(FILE *out, const char *before, const struct program_result *r)
{
    const struct outcome *f = r->found;
    if (r->stopped)
        wrap_line(out, "%sstopped: %s; the report is of what was measured until then", before,
                  r->stopped);
    note(out, before, nothing_to_choose(r));
    if (!program_is_of_libraries(f))
        note(out, before, not_there(r->o, f));
    for (int i = 0; i < f->kernels; i++)
        note(out, before, program_abandoned_text(&f->kernel[i]));
    note(out, before, failed_text(f));
    for (int i = 0; i < f->rejections; i++)
        note(out, before, program_rejected_text(f, i));
    note(out, before, host_clock(r));
    for (int i = 0; i < f->host_calls; i++)
        wrap_line(out, "%s%llu call%s of %s computed by the host: not simulated, no time passes",
                  before, (unsigned long long)f->host_call[i].calls,
                  f->host_call[i].calls == 1 ? "" : "s", f->host_call[i].name);
}

static void write_missing(struct output *out, const char *name, const void *result)
{
    char *missing = program_missing(result);
    if (missing)
        output_str(out, name, missing, NULL);
    free(missing);
}

const struct output_row host_call_rows[] = {
    {"command", "function", "", "in `host_computed`: which",
     OUTPUT_FIELD(struct program_host_call, name)},
    {"command", "calls", "", "... how often", OUTPUT_FIELD(struct program_host_call, calls)},
    {.name = NULL}};

static void write_host_calls(struct output *out, const char *name, const void *result)
{
    const struct outcome *f = ((const struct program_result *)result)->found;
    output_objects(out, name, host_call_rows, f->host_call, sizeof *f->host_call,
                   (size_t)f->host_calls);
}

const struct output_row rejection_rows[] = {
    {.name = "kernel", OUTPUT_SYMBOL(struct program_rejection, kernel)},
    {.name = "symbol", OUTPUT_FIELD(struct program_rejection, kernel)},
    {.name = "launches", OUTPUT_FIELD(struct program_rejection, launches)},
    {"command", "reason", "", "in `rejected`: why", OUTPUT_FIELD(struct program_rejection, reason)},
    {.name = NULL}};

static void write_rejected(struct output *out, const char *name, const void *result)
{
    const struct outcome *f = ((const struct program_result *)result)->found;
    output_objects(out, name, rejection_rows, f->rejection, sizeof *f->rejection,
                   (size_t)f->rejections);
}

const struct output_row notes_rows[] = {
    {"command", "stopped", "", "`run`: why it ended early; what was measured until then follows",
     OUTPUT_FIELD(struct program_result, stopped), .from = 1},
    {"command", "missing", "", "of a program: what was asked for and did not happen",
     .write = write_missing},
    {"program", "host_computed", "",
     "an object a function of cuBLAS, cuRAND: its calls, not simulated", .write = write_host_calls},
    {"program", "rejected", "", "an object a kernel and reason: launches that never began",
     .write = write_rejected},
    {.name = NULL}};

void program_notes_output(struct output *out, const struct program_result *r)
{
    output_rows(out, notes_rows, r);
}
