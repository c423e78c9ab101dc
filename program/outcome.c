#include "program/outcome.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "program/record_check.h"

static struct program_kernel *kernel_at(struct outcome *o, int process, int number)
{
    for (int i = 0; i < o->kernels; i++) {
        struct program_kernel *k = &o->kernel[i];
        if (k->process == process && k->k.kernel == number && !k->replaced)
            return k;
    }
    return NULL;
}

/* Another program in a process that had one (exec), or whose number is used again. */
static void on_device(struct outcome *o, int process)
{
    o->devices++;
    for (int i = 0; i < o->kernels; i++)
        if (o->kernel[i].process == process)
            o->kernel[i].replaced = true;
    for (int i = 0; i < o->rejections; i++)
        if (o->rejection[i].process == process)
            o->rejection[i].replaced = true;
    for (int i = 0; i < o->races; i++)
        if (o->race_of[i].process == process)
            o->race_of[i].replaced = true;
}

static void on_kernel(struct outcome *o, int process, const struct record_kernel *r)
{
    o->kernel = xrealloc(o->kernel, (size_t)(o->kernels + 1) * sizeof *o->kernel);
    struct program_kernel *k = &o->kernel[o->kernels++];
    *k = (struct program_kernel){.process = process, .k = *r};
    k->at = xcalloc((size_t)r->n_max + 1, sizeof *k->at);
    o->selected += r->selected;
}

/* NULL: nobody has looked which one it is. */
static struct program_cluster *cluster_at(struct program_kernel *k, int i)
{
    if (i < 0)
        return NULL;
    if (i >= k->clusters) {
        k->cluster = xrealloc(k->cluster, (size_t)(i + 1) * sizeof *k->cluster);
        memset(k->cluster + k->clusters, 0, (size_t)(i + 1 - k->clusters) * sizeof *k->cluster);
        k->clusters = i + 1;
    }
    return &k->cluster[i];
}

static void on_launch(struct outcome *o, struct program_kernel *k, const struct record_launch *r)
{
    struct program_cluster *g = cluster_at(k, r->cluster);
    o->launches++;
    k->launches++;
    k->running = false;
    o->detailed += r->how == HOW_DETAILED;
    o->repeated += r->how == HOW_REPEATED;
    k->detailed += r->how == HOW_DETAILED;
    k->repeated += r->how == HOW_REPEATED;
    k->executed += r->how == HOW_EXECUTED;
    k->known += r->known;
    o->known += r->known;
    k->ctas += r->ctas;
    k->warp_insts += r->warp_insts;
    k->one_insts += r->for_run || r->how == HOW_DETAILED ? r->warp_insts : 0;
    k->thread_insts += r->thread_insts;
    k->cycles += r->cycles;
    k->seconds += r->seconds;
    k->plain_seconds += r->looked_at ? 0 : r->seconds;
    k->plain_insts += r->looked_at || r->known ? 0 : r->warp_insts;
    k->known_insts += r->known ? r->warp_insts : 0;
    if (!g)
        return;
    g->launches++;
    g->ctas += r->ctas;
    g->warp_insts += r->warp_insts;
    g->thread_insts += r->thread_insts;
}

static void on_begin(struct outcome *o, struct program_kernel *k, const struct record_begin *r)
{
    k->running = true;
    if (r->launch > o->last_launch)
        o->last_launch = r->launch;
}

static void add_run(struct cluster_runs *to, int n_max, const struct record_run *r)
{
    if (!to->insts) {
        to->insts = xcalloc((size_t)n_max + 1, sizeof *to->insts);
        to->cycles = xcalloc((size_t)n_max + 1, sizeof *to->cycles);
        to->launches = xcalloc((size_t)n_max + 1, sizeof *to->launches);
    }
    to->insts[r->n] += (double)r->stats.thread_insts;
    to->cycles[r->n] += (double)r->stats.cycles;
    to->launches[r->n]++;
}

static void on_run(struct program_kernel *k, const struct record_run *r)
{
    struct program_cluster *g = cluster_at(k, r->cluster);
    struct program_degree *d = &k->at[r->n];
    k->least = r->ran > r->n && r->ran > k->least ? r->ran : k->least;
    k->perturbed = r->perturbation > k->perturbed ? r->perturbation : k->perturbed;
    add_run(&g->run[r->perturbation], k->k.n_max, r);
    if (r->perturbation) {
        k->perturbed_seconds += r->host_seconds;
        return;
    }
    stats_add(&d->stats, &r->stats);
    d->host_seconds += r->host_seconds;
    d->launches++;
}

static void on_sample(struct program_kernel *k, const struct record_sample *r)
{
    struct program_cluster *g = cluster_at(k, r->cluster);
    sample_cost_add(&k->cost, &r->cost);
    g->sample = *r;
    g->sampled = true;
    const int least = sample_least(&r->sample);
    k->least = least > k->least ? least : k->least;
}

/* k NULL: of none. */
static void on_fault(struct outcome *o, struct program_kernel *k, const struct record_fault *r)
{
    const bool refused = r->why == FAILED_UNSUPPORTED;
    if (o->faults++ == 0 || (refused && o->refused == 0))
        memcpy(o->fault, r->text, sizeof o->fault);
    o->refused += refused;
    if (k)
        k->running = false;
    if (r->why == FAILED_ABANDONED && k && k->abandoned++ == 0)
        k->why = xstrdup(r->text);
}

static struct program_rejection *rejection_at(struct outcome *o, int process, int number)
{
    for (int i = 0; i < o->rejections; i++) {
        struct program_rejection *x = &o->rejection[i];
        if (x->process == process && x->number == number && !x->replaced)
            return x;
    }
    return NULL;
}

static int rejections_of(const struct outcome *o, int process)
{
    int n = 0;
    for (int i = 0; i < o->rejections; i++)
        n += o->rejection[i].process == process && !o->rejection[i].replaced;
    return n;
}

static void on_rejection(struct outcome *o, int process, const struct record_rejection *r)
{
    o->rejection = xrealloc(o->rejection, (size_t)(o->rejections + 1) * sizeof *o->rejection);
    o->rejection[o->rejections++] = (struct program_rejection){.process = process,
                                                               .number = r->rejection,
                                                               .kernel = xstrdup(r->kernel),
                                                               .reason = xstrdup(r->reason)};
}

static void on_rejected(struct outcome *o, int process, const struct record_rejected *r)
{
    rejection_at(o, process, r->rejection)->launches++;
}

static void on_host_call(struct outcome *o, const struct record_host_call *r)
{
    int i = 0;
    while (i < o->host_calls && strcmp(o->host_call[i].name, r->name) != 0)
        i++;
    if (i == o->host_calls) {
        o->host_call = xrealloc(o->host_call, (size_t)(i + 1) * sizeof *o->host_call);
        o->host_call[o->host_calls++] = (struct program_host_call){.name = xstrdup(r->name)};
    }
    o->host_call[i].calls++;
}

static int races_of(const struct outcome *o, int process)
{
    int n = 0;
    for (int i = 0; i < o->races; i++)
        n += o->race_of[i].process == process && !o->race_of[i].replaced;
    return n;
}

static struct race *new_race(struct outcome *o, int process, int number)
{
    o->race = xrealloc(o->race, (size_t)(o->races + 1) * sizeof *o->race);
    o->race_of = xrealloc(o->race_of, (size_t)(o->races + 1) * sizeof *o->race_of);
    o->race_of[o->races] = (struct program_race){.process = process, .number = number};
    o->race[o->races] = (struct race){0};
    return &o->race[o->races++];
}

static struct race_side side_of(const struct record_race_side *s)
{
    return (struct race_side){.kind = s->kind,
                              .ptx = s->ptx,
                              .thread = s->thread,
                              .text = xstrdup(s->text),
                              .source = *s->source ? xstrdup(s->source) : NULL};
}

/* Of a race that is known already there is a higher count. */
static void on_race(struct outcome *o, int process, const struct record_race *r)
{
    struct race *x = NULL;
    for (int i = 0; i < o->races && !x; i++) {
        const struct program_race *of = &o->race_of[i];
        x = of->process == process && of->number == r->race && !of->replaced ? &o->race[i] : NULL;
    }
    if (x)
        race_release(x);
    else
        x = new_race(o, process, r->race);
    *x = (struct race){.kernel = xstrdup(r->kernel),
                       .module = xstrdup(r->module),
                       .side = {side_of(&r->side[0]), side_of(&r->side[1])},
                       .count = r->count,
                       .addr = r->addr};
    memcpy(x->cta, r->cta, sizeof x->cta);
}

static void on_code(struct program_code *c, const struct record_code *r)
{
    c->insts = r->insts;
    c->module = xstrdup(r->module);
    c->inst = xcalloc((size_t)r->insts, sizeof *c->inst);
}

static void on_inst(struct program_inst *in, const struct record_inst *r)
{
    free(in->text);
    free(in->source);
    in->ptx = r->ptx;
    in->text = xstrdup(r->text);
    in->source = *r->source ? xstrdup(r->source) : NULL;
}

static void code_release(struct program_code *c)
{
    for (int i = 0; i < c->insts; i++) {
        free(c->inst[i].text);
        free(c->inst[i].source);
    }
    free(c->inst);
    free(c->module);
}

static void on_trace(struct outcome *o, const struct record_trace *r)
{
    o->ends++;
    if (r->launches || *r->why) {
        o->traces++;
        o->trace = *r;
    }
}

static bool take(struct outcome *o, const struct record_head *h, const char *body, struct err *e)
{
    union record r;
    int number;
    memcpy(&number, body, sizeof number); /* of the kernel, where it has one */
    struct program_kernel *k = record_of_kernel(h->kind) ? kernel_at(o, h->process, number) : NULL;
    const struct record_context c = {k ? &k->k : NULL, k ? k->code.insts : 0, k ? k->clusters : 0,
                                     rejections_of(o, h->process), races_of(o, h->process)};
    if (!record_check(h->kind, body, &c, e))
        return false;
    memcpy(&r, body, h->bytes);
    if (h->kind == RECORD_KERNEL)
        on_kernel(o, h->process, &r.kernel);
    else if (h->kind == RECORD_LAUNCH)
        on_launch(o, k, &r.launch);
    else if (h->kind == RECORD_BEGIN)
        on_begin(o, k, &r.begin);
    else if (h->kind == RECORD_RUN)
        on_run(k, &r.run);
    else if (h->kind == RECORD_TRIED)
        sample_cost_add(&k->cost, &r.tried.cost);
    else if (h->kind == RECORD_SAMPLE)
        on_sample(k, &r.sample);
    else if (h->kind == RECORD_FAULT)
        on_fault(o, k, &r.fault);
    else if (h->kind == RECORD_REJECTION)
        on_rejection(o, h->process, &r.rejection);
    else if (h->kind == RECORD_REJECTED)
        on_rejected(o, h->process, &r.rejected);
    else if (h->kind == RECORD_DEVICE)
        on_device(o, h->process);
    else if (h->kind == RECORD_HOST_CALL)
        on_host_call(o, &r.host_call);
    else if (h->kind == RECORD_TRACE)
        on_trace(o, &r.trace);
    else if (h->kind == RECORD_CODE)
        on_code(&k->code, &r.code);
    else if (h->kind == RECORD_INST)
        on_inst(&k->code.inst[r.inst.inst], &r.inst);
    else if (h->kind == RECORD_RACE)
        on_race(o, h->process, &r.race);
    else if (h->kind == RECORD_HOT)
        inst_counts_add(&k->code.inst[r.hot.inst].counts, &r.hot.counts);
    return true;
}

/* What was simulated, of what was counted without timing: who waits executes more the longer it
 * does. */
static double simulated(double launch, double counted)
{
    return counted > 0 && launch > 0 ? launch / counted : 1;
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
    s->total_warp_insts = (double)g->warp_insts * ratio(k->warp_insts, sampled->warp_insts) *
                          simulated(s->launch_warp_insts, g->sample.launch_insts);
    s->total_thread_insts = (double)g->thread_insts *
                            ratio(k->thread_insts, sampled->thread_insts) *
                            simulated(s->launch_thread_insts, g->sample.thread_insts);
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

static bool read_record(struct outcome *o, const char *records, size_t bytes, size_t *at,
                        struct err *e)
{
    struct record_head h;
    if (bytes - *at < sizeof h)
        return err_set(e, "the rest is too short for a record");
    memcpy(&h, records + *at, sizeof h);
    *at += sizeof h;
    if (!record_bytes(h.kind))
        return err_set(e, "a record of kind %u, which there is not", h.kind);
    if (h.bytes > bytes - *at)
        return err_set(e, "a record of %u bytes is cut short", h.bytes);
    if (h.bytes != record_bytes(h.kind))
        return err_set(e, "a record has %u bytes, not %zu", h.bytes, record_bytes(h.kind));
    if (!take(o, &h, records + *at, e))
        return false;
    *at += h.bytes;
    return true;
}

bool outcome_read(const char *records, size_t bytes, struct outcome *out, struct err *e)
{
    *out = (struct outcome){.last_launch = -1};
    for (size_t at = 0; at < bytes;) {
        const size_t from = at;
        if (!read_record(out, records, bytes, &at, e))
            return err_prefix(e, "the program's records are damaged at byte %zu", from);
    }
    for (int i = 0; i < out->kernels; i++)
        complete_samples(&out->kernel[i]);
    return true;
}

static void runs_release(struct cluster_runs *r)
{
    free(r->insts);
    free(r->cycles);
    free(r->launches);
}

void outcome_release(struct outcome *o)
{
    for (int i = 0; i < o->kernels; i++) {
        struct program_kernel *k = &o->kernel[i];
        for (int j = 0; j < k->clusters; j++)
            for (int n = 0; n <= GPU_CFG_PERTURBATIONS; n++)
                runs_release(&k->cluster[j].run[n]);
        code_release(&k->code);
        free(k->cluster);
        free(k->sample);
        free(k->runs);
        free(k->at);
        free(k->why);
    }
    for (int i = 0; i < o->rejections; i++) {
        free(o->rejection[i].kernel);
        free(o->rejection[i].reason);
    }
    free(o->rejection);
    for (int i = 0; i < o->races; i++)
        race_release(&o->race[i]);
    free(o->race);
    free(o->race_of);
    for (int i = 0; i < o->host_calls; i++)
        free(o->host_call[i].name);
    free(o->host_call);
    free(o->kernel);
    *o = (struct outcome){0};
}

int outcome_least(const struct outcome *o)
{
    int least = 1;
    for (int i = 0; i < o->kernels; i++)
        least = o->kernel[i].least > least ? o->kernel[i].least : least;
    return least;
}

/* Launches of the cluster for each that was simulated with n at once, by their work: CTAs that wait
 * for others execute more the longer they wait, so that work is what the highest degree executes.
 */
static double times(const struct program_cluster *g, const struct cluster_runs *r, int n, int n_max)
{
    if (r->launches[n] == g->launches)
        return 1;
    return (double)g->thread_insts /
           (r->launches[n] == r->launches[n_max] ? r->insts[n_max] : r->insts[n]);
}

double outcome_run_cycles(const struct program_kernel *k, int i, int n)
{
    const int at = n < k->k.n_max ? n : k->k.n_max;
    double cycles = 0, insts = 0;
    for (int j = 0; j < k->clusters; j++) {
        const struct program_cluster *g = &k->cluster[j];
        const struct cluster_runs *r = &g->run[i];
        if (!r->insts || r->insts[at] <= 0)
            continue;
        cycles += r->cycles[at] * times(g, r, at, k->k.n_max);
        insts += (double)g->thread_insts;
    }
    return insts > 0 ? cycles * (double)k->thread_insts / insts : 0;
}

double outcome_cycles(const struct program_kernel *k, int n)
{
    double cycles = 0;
    for (int i = 0; i <= k->perturbed; i++)
        cycles += outcome_run_cycles(k, i, n);
    return cycles / (k->perturbed + 1);
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
