/* program_schedulers.c -- a CUDA program under one combination of schedulers: it runs as `run` or,
 * for the optimum, as `search` has it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/program.h"
#include "cli/run_store.h"
#include "cli/scheduler_list.h"
#include "program/host.h"

/* Of the kernels that were simulated; n 0: at the degree at which each was. */
static void sum_up(const struct outcome *found, int n, struct run_stats *out)
{
    double cycles = 0;
    *out = (struct run_stats){0};
    for (int i = 0; i < found->kernels; i++) {
        const struct program_kernel *k = &found->kernel[i];
        const double c = outcome_cycles(k, n ? n : program_run_n(k));
        if (c > 0) {
            cycles += c;
            out->thread_insts += k->thread_insts;
            out->warp_insts += k->warp_insts;
            out->ctas += k->ctas;
        }
    }
    out->cycles = (uint64_t)llround(cycles);
}

static bool judge(const struct outcome *found, const struct combination *c, struct stored_run *out,
                  struct err *e)
{
    *out = (struct stored_run){0};
    for (int i = 0; i < found->kernels; i++)
        if (found->kernel[i].k.n_max > out->n_max)
            out->n_max = found->kernel[i].k.n_max;
    const bool optimum = c->cta && c->cta->optimum;
    const int asked = c->cta ? c->cta->n : 0;
    const int least = outcome_least(found);
    out->n = optimum ? least : asked && asked < out->n_max ? asked : out->n_max;
    sum_up(found, optimum ? least : 0, &out->stats);
    for (int n = least + 1; optimum && n <= out->n_max; n++) {
        struct run_stats at;
        sum_up(found, n, &at);
        if (stats_rate(&at, RATE_ipc) > stats_rate(&out->stats, RATE_ipc)) {
            out->stats = at;
            out->n = n;
        }
    }
    return out->stats.cycles > 0 || err_set(e, "no launch was simulated");
}

static bool check_code(const struct options *o, const struct outcome *found, int code,
                       struct err *e)
{
    if (code != 0)
        return err_set(e, "%s ended with exit code %d", o->arg[0], code);
    return !found->refused ||
           err_set(e, "%s did not get all that it asked for: %s", o->arg[0], found->fault);
}

bool program_schedule(struct options *o, const struct combination *c, bool notes,
                      struct stored_run *out, struct err *e)
{
    struct program_plan plan;
    struct program_end end = {0};
    struct outcome found = {0};
    if (!program_plan(&plan, o, c->cta && c->cta->optimum ? PROGRAM_SEARCH : PROGRAM_RUN, &c->cfg,
                      e))
        return false;
    plan.n = c->cta ? c->cta->n : 0;
    plan.no_notes = !notes;
    const bool quiet = o->format != FORMAT_TEXT && strcmp(o->output, "-") == 0;
    const bool ok = program_run(o->arg, &plan, quiet, &end, e) &&
                    program_check_end(&end, o->arg[0], e) &&
                    outcome_read(end.records, end.bytes, &found, e) &&
                    program_check_found(&found, &end, o->arg[0], e) &&
                    check_code(o, &found, end.code, e) && judge(&found, c, out, e);
    outcome_release(&found);
    program_end_release(&end);
    return ok;
}
