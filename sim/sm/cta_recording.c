#include "sim/sm/cta_recording.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/pack.h"
#include "sim/func/run.h"
#include "sim/sm/trace_file.h"
#include "sim/sm/trace_record.h"

struct cta_recording {
    const struct cta_recording_opts *opts; /* borrowed, while it is taken */
    struct trace_recorder recorder;
    struct trace_file file; /* in memory */
    struct trace_launch launch;
    uint8_t *data; /* owned: the CTAs' parts, packed */
    size_t room;
};

static void keep(void *user, uint64_t cta, const struct trace_bytes *part)
{
    struct cta_recording *r = user;
    size_t len;
    uint8_t *packed = pack(part->at, part->n, &len);
    const uint64_t at = r->file.bytes;
    if (at + len > r->room) {
        r->room = 2 * (at + len);
        r->data = xrealloc(r->data, r->room);
    }
    memcpy(r->data + at, packed, len);
    free(packed);
    r->file.bytes += len;
    r->launch.cta[cta] = (struct trace_part){at, (uint32_t)len, (uint32_t)part->n};
}

static bool follows(void *user, uint64_t cta)
{
    const struct cta_recording_opts *o = ((struct cta_recording *)user)->opts;
    return o->follows(o->user, cta);
}

static void on_step(void *user, const struct warp *from, const struct step *s)
{
    trace_recorder_step(&((struct cta_recording *)user)->recorder, from, s);
}

static void on_done(void *user, uint64_t cta, uint64_t warp_insts)
{
    (void)warp_insts;
    if (follows(user, cta))
        trace_recorder_done(&((struct cta_recording *)user)->recorder, cta);
}

static struct cta_recording *recording_new(const struct launch *l,
                                           const struct cta_recording_opts *o)
{
    static char name[] = "CTAs recorded in memory";
    struct cta_recording *r = xcalloc(1, sizeof *r);
    r->opts = o;
    r->recorder = (struct trace_recorder){
        .warps = launch_warps(l), .without_wait = true, .done = keep, .user = r};
    r->file = (struct trace_file){.path = name, .fd = -1};
    r->launch = (struct trace_launch){.file = &r->file,
                                      .dyn_shared = l->dyn_shared,
                                      .param_bytes = l->kernel->param_bytes,
                                      .regs = l->regs_override,
                                      .ctas = launch_ctas(l)};
    memcpy(r->launch.grid, l->grid, sizeof l->grid);
    memcpy(r->launch.block, l->block, sizeof l->block);
    r->launch.cta = xcalloc(r->launch.ctas, sizeof *r->launch.cta);
    return r;
}

struct cta_recording *cta_recording_take(struct launch *l, const struct cta_recording_opts *o,
                                         struct func_counts *counts, struct err *e)
{
    struct cta_recording *r = recording_new(l, o);
    const struct func_opts with = {.resident = o->resident,
                                   .max_warp_insts = o->max_warp_insts,
                                   .on_step = on_step,
                                   .follows = follows,
                                   .on_done = on_done,
                                   .user = r};
    bool ok = func_run(l, &with, counts, e);
    if (ok && r->recorder.why)
        ok = err_set(e, "kernel %s: %s", l->kernel->name, r->recorder.why);
    trace_recorder_fini(&r->recorder);
    r->opts = NULL;
    r->file.data = r->data;
    if (ok)
        return r;
    cta_recording_free(r);
    return NULL;
}

void cta_recording_free(struct cta_recording *r)
{
    if (!r)
        return;
    free(r->launch.cta);
    free(r->data);
    free(r);
}

struct launch cta_recording_launch(const struct cta_recording *r, const struct launch *l)
{
    struct launch from = *l;
    from.recorded = &r->launch;
    from.workspace = 0; /* its CTAs need not be there together */
    return from;
}

/* Of all rounds of waits, those that are left out, and their lanes, are the recorded CTAs' means.
 */
void cta_recording_work(const struct cta_recording *r, const struct func_counts *counts,
                        double *warp, double *thread)
{
    const struct trace_recorder *of = &r->recorder;
    const double first = of->ctas ? (double)of->kept_waits / (double)of->ctas : 0,
                 lanes = of->left_out_warp ? (double)of->left_out_thread / (double)of->left_out_warp
                                           : 1,
                 later = fmax(0, (double)counts->polls - first * (double)counts->ctas);
    *warp = (double)counts->warp_insts - later;
    *thread = (double)counts->thread_insts - later * lanes;
}
