#include "cli/refined.h"

/* Each degree that was simulated, in that order. */
static void output_simulations(struct output *out, const struct forecast *f)
{
    output_array(out, "simulated");
    for (int i = 0; i < f->simulations; i++) {
        output_object(out, NULL);
        output_uint(out, "n", (uint64_t)f->simulated[i].n, NULL);
        output_real(out, "ipc", f->simulated[i].ipc, NULL);
        output_real(out, "predicted_ipc", f->simulated[i].predicted, NULL);
        output_up(out);
    }
    output_up(out);
}

/* Each that was tried, in that order. */
static void output_trials(struct output *out, const struct forecast *f)
{
    const struct sample *s = &f->set.kernel[f->set.tried_kernel];
    output_array(out, "tried");
    for (int i = 0; i < f->trials; i++) {
        const struct tried_degree *x = &f->tried[i];
        const int at = forecast_tried_at(f, x->n) - 1;
        output_object(out, NULL);
        output_uint(out, "n", (uint64_t)x->n, NULL);
        output_str(out, "kernel", s->kernel, NULL);
        output_real(out, "warp_insts", s->trial_insts[at], NULL);
        output_real(out, "cycles", s->trial_cycles[at], NULL);
        output_real(out, "replayed_cycles", s->trial_replayed[at], NULL);
        output_real(out, "ipc", x->ipc, NULL);
        output_real(out, "predicted_ipc", x->predicted, NULL);
        output_up(out);
    }
    output_up(out);
}

void refined_output(struct output *out, const struct forecast *f)
{
    output_simulations(out, f);
    output_trials(out, f);
}

static void print_trial(FILE *out, const struct forecast *f, const struct tried_degree *x)
{
    const struct sample *s = &f->set.kernel[f->set.tried_kernel];
    const int at = forecast_tried_at(f, x->n) - 1;
    fprintf(out, "Tried: n = %d, the first %.0f warp instructions of a launch of %s: %.0f cycles; ",
            x->n, s->trial_insts[at], s->kernel, s->trial_cycles[at]);
    if (s->trial_replayed[at] > 0)
        fprintf(out, "replayed %.0f.\n", s->trial_replayed[at]);
    else
        fprintf(out, "its CTAs are too long to be replayed like that.\n");
    fprintf(out, "       IPC %.2f; %.2f was predicted.\n", x->ipc, x->predicted);
}

void refined_print(FILE *out, const struct forecast *f)
{
    for (int i = 0; i < f->simulations; i++)
        fprintf(out, "Simulated: n = %d, IPC %.2f; %.2f was predicted.\n", f->simulated[i].n,
                f->simulated[i].ipc, f->simulated[i].predicted);
    for (int i = 0; i < f->trials; i++)
        print_trial(out, f, &f->tried[i]);
}
