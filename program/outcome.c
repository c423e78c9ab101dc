#include "program/outcome.h"

#include <stdlib.h>
#include <string.h>

static struct program_kernel *kernel_at(struct outcome *o, int process, int number)
{
    for (int i = 0; i < o->kernels; i++)
        if (o->kernel[i].process == process && o->kernel[i].k.kernel == number)
            return &o->kernel[i];
    return NULL;
}

static void on_kernel(struct outcome *o, int process, const struct record_kernel *r)
{
    o->kernel = xrealloc(o->kernel, (size_t)(o->kernels + 1) * sizeof *o->kernel);
    struct program_kernel *k = &o->kernel[o->kernels++];
    *k = (struct program_kernel){.process = process, .k = *r};
    k->at = xcalloc((size_t)r->n_max + 1, sizeof *k->at);
}

static void on_launch(struct outcome *o, struct program_kernel *k, const struct record_launch *r)
{
    o->launches++;
    k->launches++;
    o->detailed += r->how == HOW_DETAILED;
    o->repeated += r->how == HOW_REPEATED;
    k->detailed += r->how == HOW_DETAILED;
    k->repeated += r->how == HOW_REPEATED;
    k->executed += r->how == HOW_EXECUTED;
    k->known += r->known;
    o->known += r->known;
    k->ctas += r->ctas;
    k->warp_insts += r->warp_insts;
    k->thread_insts += r->thread_insts;
    k->cycles += r->cycles;
    k->seconds += r->seconds;
}

static void on_run(struct program_kernel *k, const struct record_run *r)
{
    if (r->n < 1 || r->n > k->k.n_max)
        return;
    struct program_degree *d = &k->at[r->n];
    stats_add(&d->stats, &r->stats);
    d->host_seconds += r->host_seconds;
    d->launches++;
}

static void on_sample(struct program_kernel *k, const struct record_sample *r)
{
    struct record_sample sum = k->sample; /* costs of windows that others replaced count too */
    k->sample = *r;
    k->sample.warp_insts += sum.warp_insts;
    k->sample.functional_warp_insts += sum.functional_warp_insts;
    k->sample.replayed_warp_insts += sum.replayed_warp_insts;
    k->sample.replay_seconds += sum.replay_seconds;
    k->sample.host_seconds += sum.host_seconds;
    k->sample.functional_seconds += sum.functional_seconds;
    k->sampled = true;
}

static void on_fault(struct outcome *o, const struct record_fault *r)
{
    if (o->faults++ == 0 || (r->refused && o->refused == 0))
        memcpy(o->fault, r->text, sizeof o->fault);
    o->fault[sizeof o->fault - 1] = '\0';
    o->refused += r->refused;
}

static const size_t sizes[] = {
    [RECORD_KERNEL] = sizeof(struct record_kernel), [RECORD_LAUNCH] = sizeof(struct record_launch),
    [RECORD_RUN] = sizeof(struct record_run),       [RECORD_SAMPLE] = sizeof(struct record_sample),
    [RECORD_FAULT] = sizeof(struct record_fault),   [RECORD_DEVICE] = sizeof(struct record_device),
};

static void take(struct outcome *o, const struct record_head *h, const char *body)
{
    union {
        struct record_kernel kernel;
        struct record_launch launch;
        struct record_run run;
        struct record_sample sample;
        struct record_fault fault;
    } r;
    memcpy(&r, body, h->bytes);
    if (h->kind == RECORD_KERNEL)
        on_kernel(o, h->process, &r.kernel);
    else if (h->kind == RECORD_FAULT)
        on_fault(o, &r.fault);
    else if (h->kind == RECORD_DEVICE)
        o->devices++;
    struct program_kernel *k = kernel_at(o, h->process, r.launch.kernel);
    if (!k)
        return;
    if (h->kind == RECORD_LAUNCH)
        on_launch(o, k, &r.launch);
    else if (h->kind == RECORD_RUN)
        on_run(k, &r.run);
    else if (h->kind == RECORD_SAMPLE)
        on_sample(k, &r.sample);
}

static void complete_sample(struct program_kernel *k)
{
    struct sample *s = &k->sample.sample;
    if (!k->sampled)
        return;
    memcpy(s->kernel, k->k.name, sizeof s->kernel - 1);
    s->total_ctas = (double)k->ctas;
    s->launches = s->grid_ctas > 0 ? s->total_ctas / s->grid_ctas : 0; /* as large as that one */
    s->total_warp_insts = (double)k->warp_insts;
    s->total_thread_insts = (double)k->thread_insts;
}

bool outcome_read(const char *records, size_t bytes, struct outcome *out, struct err *e)
{
    *out = (struct outcome){0};
    for (size_t at = 0; at < bytes;) {
        struct record_head h;
        if (bytes - at < sizeof h)
            return err_set(e, "the program's records end in the middle");
        memcpy(&h, records + at, sizeof h);
        at += sizeof h;
        if (h.kind > RECORD_DEVICE || h.bytes != sizes[h.kind] || h.bytes > bytes - at)
            return err_set(e, "the program's records are damaged");
        take(out, &h, records + at);
        at += h.bytes;
    }
    for (int i = 0; i < out->kernels; i++)
        complete_sample(&out->kernel[i]);
    return true;
}

void outcome_release(struct outcome *o)
{
    for (int i = 0; i < o->kernels; i++)
        free(o->kernel[i].at);
    free(o->kernel);
    *o = (struct outcome){0};
}

static const struct program_degree *degree(const struct program_kernel *k, int n)
{
    return &k->at[n < k->k.n_max ? n : k->k.n_max];
}

double outcome_weight(const struct program_kernel *k, int n)
{
    uint64_t seen = degree(k, n)->stats.thread_insts;
    return seen ? ratio(k->thread_insts, seen) : 0;
}

double outcome_cycles(const struct program_kernel *k, int n)
{
    return outcome_weight(k, n) * (double)degree(k, n)->stats.cycles;
}
