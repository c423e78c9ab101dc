#include "program/outcome.h"

#include <math.h>
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

/* NULL: nobody has looked which one it is. */
static struct program_cluster *cluster_at(struct program_kernel *k, int i)
{
    if (i < 0)
        return NULL;
    if (i >= k->clusters) {
        k->cluster = xrealloc(k->cluster, (size_t)(i + 1) * sizeof *k->cluster);
        memset(k->cluster + k->clusters, 0, (size_t)(i + 1 - k->clusters) * sizeof *k->cluster);
        for (; k->clusters <= i; k->clusters++) {
            struct program_cluster *g = &k->cluster[k->clusters];
            g->insts = xcalloc((size_t)k->k.n_max + 1, sizeof *g->insts);
            g->cycles = xcalloc((size_t)k->k.n_max + 1, sizeof *g->cycles);
        }
    }
    return &k->cluster[i];
}

static void on_launch(struct outcome *o, struct program_kernel *k, const struct record_launch *r)
{
    struct program_cluster *g = cluster_at(k, r->cluster);
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
    k->run_insts += r->for_run ? r->warp_insts : 0;
    k->thread_insts += r->thread_insts;
    k->cycles += r->cycles;
    k->seconds += r->seconds;
    if (!g)
        return;
    g->launches++;
    g->ctas += r->ctas;
    g->warp_insts += r->warp_insts;
    g->thread_insts += r->thread_insts;
}

static void on_run(struct program_kernel *k, const struct record_run *r)
{
    struct program_cluster *g = cluster_at(k, r->cluster);
    if (r->n < 1 || r->n > k->k.n_max || !g)
        return;
    struct program_degree *d = &k->at[r->n];
    stats_add(&d->stats, &r->stats);
    d->host_seconds += r->host_seconds;
    d->launches++;
    g->insts[r->n] += (double)r->stats.thread_insts;
    g->cycles[r->n] += (double)r->stats.cycles;
}

static void on_sample(struct program_kernel *k, const struct record_sample *r)
{
    struct program_cluster *g = cluster_at(k, r->cluster);
    sample_cost_add(&k->cost, &r->cost);
    if (!g)
        return;
    g->sample = *r;
    g->sampled = true;
}

static void on_fault(struct outcome *o, const struct record_fault *r)
{
    if (o->faults++ == 0 || (r->refused && o->refused == 0))
        memcpy(o->fault, r->text, sizeof o->fault);
    o->fault[sizeof o->fault - 1] = '\0';
    o->refused += r->refused;
}

static void on_trace(struct outcome *o, const struct record_trace *r)
{
    o->ends++;
    if (r->launches || *r->why) {
        o->traces++;
        o->trace = *r;
    }
}

static const size_t sizes[] = {
    [RECORD_KERNEL] = sizeof(struct record_kernel), [RECORD_LAUNCH] = sizeof(struct record_launch),
    [RECORD_RUN] = sizeof(struct record_run),       [RECORD_SAMPLE] = sizeof(struct record_sample),
    [RECORD_FAULT] = sizeof(struct record_fault),   [RECORD_DEVICE] = sizeof(struct record_device),
    [RECORD_TRACE] = sizeof(struct record_trace),
};

static void take(struct outcome *o, const struct record_head *h, const char *body)
{
    union {
        struct record_kernel kernel;
        struct record_launch launch;
        struct record_run run;
        struct record_sample sample;
        struct record_fault fault;
        struct record_trace trace;
    } r;
    memcpy(&r, body, h->bytes);
    if (h->kind == RECORD_KERNEL)
        on_kernel(o, h->process, &r.kernel);
    else if (h->kind == RECORD_FAULT)
        on_fault(o, &r.fault);
    else if (h->kind == RECORD_DEVICE)
        o->devices++;
    else if (h->kind == RECORD_TRACE)
        on_trace(o, &r.trace);
    if (h->kind != RECORD_LAUNCH && h->kind != RECORD_RUN && h->kind != RECORD_SAMPLE)
        return;
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

/* What a cluster's sample stands for: its launches, and its part of those without any, which take
 * time as they have instructions. */
static void complete_sample(const struct program_kernel *k, const struct program_cluster *g,
                            const struct program_cluster *sampled, struct sample *s)
{
    *s = g->sample.sample;
    memcpy(s->kernel, k->k.name, sizeof s->kernel - 1);
    s->launches = (double)g->launches * ratio(k->warp_insts, sampled->warp_insts);
    s->grid_ctas = ratio(g->ctas, g->launches);
    s->total_ctas = (double)g->ctas * ratio(k->ctas, sampled->ctas);
    s->total_warp_insts = (double)g->warp_insts * ratio(k->warp_insts, sampled->warp_insts);
    s->total_thread_insts = (double)g->thread_insts * ratio(k->thread_insts, sampled->thread_insts);
}

static void complete_samples(struct program_kernel *k)
{
    struct program_cluster all = {0};
    for (int i = 0; i < k->clusters; i++) {
        const struct program_cluster *g = &k->cluster[i];
        if (!g->sampled || !g->launches)
            continue;
        k->samples++;
        all.ctas += g->ctas;
        all.warp_insts += g->warp_insts;
        all.thread_insts += g->thread_insts;
    }
    k->sample = xcalloc((size_t)k->samples + 1, sizeof *k->sample);
    k->runs = xcalloc((size_t)k->samples + 1, sizeof *k->runs);
    for (int i = 0, at = 0; i < k->clusters; i++)
        if (k->cluster[i].sampled && k->cluster[i].launches) {
            complete_sample(k, &k->cluster[i], &all, &k->sample[at]);
            k->sample[at].part = at;
            k->runs[at] = k->cluster[i].sample.runs;
            at++;
        }
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
        if (h.kind > RECORD_TRACE || h.bytes != sizes[h.kind] || h.bytes > bytes - at)
            return err_set(e, "the program's records are damaged");
        take(out, &h, records + at);
        at += h.bytes;
    }
    for (int i = 0; i < out->kernels; i++)
        complete_samples(&out->kernel[i]);
    return true;
}

void outcome_release(struct outcome *o)
{
    for (int i = 0; i < o->kernels; i++) {
        struct program_kernel *k = &o->kernel[i];
        for (int j = 0; j < k->clusters; j++) {
            free(k->cluster[j].insts);
            free(k->cluster[j].cycles);
        }
        free(k->cluster);
        free(k->sample);
        free(k->runs);
        free(k->at);
    }
    free(o->kernel);
    *o = (struct outcome){0};
}

double outcome_cycles(const struct program_kernel *k, int n)
{
    const int at = n < k->k.n_max ? n : k->k.n_max;
    double cycles = 0, insts = 0;
    for (int i = 0; i < k->clusters; i++) {
        const struct program_cluster *g = &k->cluster[i];
        if (g->insts[at] <= 0)
            continue;
        cycles += (double)g->thread_insts * g->cycles[at] / g->insts[at];
        insts += (double)g->thread_insts;
    }
    return insts > 0 ? cycles * (double)k->thread_insts / insts : 0;
}

static double run_at(const struct sample_runs *r, int n)
{
    for (int i = 0; i < r->count; i++)
        if (r->n[i] == n)
            return r->ipc[i];
    return 0;
}

double outcome_run_ipc(const struct program_kernel *k, const struct prediction *part, int n,
                       double *share)
{
    double insts = 0, cycles = 0, simulated = 0;
    for (int i = 0; i < k->samples; i++) {
        const double ipc = run_at(&k->runs[i], n), all = k->sample[i].total_thread_insts;
        const double take = all / (ipc > 0 ? ipc : part[i].ipc[n]);
        insts += all;
        cycles += take;
        simulated += ipc > 0 ? take : 0;
    }
    *share = cycles > 0 ? simulated / cycles : 0;
    return cycles > 0 ? insts / cycles : 0;
}
