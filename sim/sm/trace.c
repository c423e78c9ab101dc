/* The source of instructions that were recorded. A CTA's bytes are read when it starts. What its
 * warps wait for depends on who comes when: barriers are those of sim/func, and meet anew. */
#include "sim/func/barrier.h"
#include "sim/sm/inst_source.h"
#include "sim/sm/trace_code.h"
#include "sim/sm/trace_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct recorded_warp {
    struct recorded_cta *cta;
    struct warp *w; /* the CTA's, for barriers */
    struct trace_cursor c;
    struct trace_warp at;
};

struct recorded_cta {
    struct cta cta; /* without registers and memory */
    const struct trace_launch *from;
    uint8_t *bytes; /* owned */
    uint32_t room;
    struct recorded_warp warp[WARP_SIZE];
};

static void *recorded_new(struct launch *l)
{
    struct recorded_cta *r = xcalloc(1, sizeof *r);
    struct cta *c = &r->cta;
    r->from = l->recorded;
    c->launch = l;
    c->kernel = l->kernel;
    c->nthreads = launch_threads(l);
    c->nwarps = launch_warps(l);
    c->warp = xcalloc((size_t)c->nwarps, sizeof *c->warp);
    c->barriers = barrier_set_new(c->nwarps);
    for (int i = 0; i < c->nwarps; i++) {
        c->warp[i].cta = c;
        c->warp[i].index = i;
        r->warp[i].cta = r;
        r->warp[i].w = &c->warp[i];
    }
    return r;
}

static void recorded_free(void *cta)
{
    struct recorded_cta *r = cta;
    if (!r)
        return;
    barrier_set_free(r->cta.barriers);
    free(r->cta.warp);
    free(r->bytes);
    free(r);
}

/* With the file's name, the end of it where it is long, and where in it. */
static bool damaged(struct recorded_cta *r, const uint8_t *at, const char *what)
{
    const char *path = r->from->file->path;
    const size_t most = 90, len = strlen(path);
    struct fault *f = &r->cta.fault;
    f->kind = FAULT_TRACE;
    snprintf(f->detail, sizeof f->detail,
             "%s: offset %" PRIu64 ": launch %d, CTA %d, byte %td unpacked: %s",
             len > most ? path + len - most : path, r->from->cta[r->cta.linear].at, r->from->number,
             r->cta.linear, at - r->bytes, what);
    return false;
}

static lanes_t first_lanes(const struct cta *c, int warp)
{
    const int lanes = c->nthreads - warp * WARP_SIZE;
    return lanes >= WARP_SIZE ? LANES_ALL : (1u << lanes) - 1;
}

static bool begin_warp(struct recorded_cta *r, int i, struct trace_cursor c)
{
    struct recorded_warp *w = &r->warp[i];
    const lanes_t live = first_lanes(&r->cta, i);
    w->c = c;
    trace_warp_begin(&w->at, live);
    w->w->live = live;
    w->w->barrier = -1;
    const char *bad = trace_get_next(&w->c, &w->at, r->cta.kernel);
    return !bad || damaged(r, w->c.at, bad);
}

/* Lengths of the warps' bytes, then these. */
static bool begin_warps(struct recorded_cta *r, uint32_t bytes)
{
    struct trace_cursor c = {r->bytes, r->bytes + bytes};
    uint64_t len[WARP_SIZE], all = 0;
    for (int i = 0; i < r->cta.nwarps; i++) {
        if (!trace_get_below(&c, TRACE_CTA_MOST, &len[i]))
            return damaged(r, c.at, "it ends within the lengths of its warps");
        all += len[i];
    }
    if (all != (uint64_t)(c.end - c.at))
        return damaged(r, c.at, "its warps are not as long as it is");
    for (int i = 0; i < r->cta.nwarps; i++) {
        if (!begin_warp(r, i, (struct trace_cursor){c.at, c.at + len[i]}))
            return false;
        c.at += len[i];
    }
    return true;
}

static bool recorded_start(void *cta, const struct inst_place *p)
{
    struct recorded_cta *r = cta;
    const struct trace_part *part = &r->from->cta[p->linear];
    struct err e;
    cta_place(&r->cta, p->linear);
    r->cta.fault.kind = FAULT_NONE;
    r->cta.warps_done = 0;
    barrier_set_reset(r->cta.barriers);
    if (part->bytes > r->room) {
        free(r->bytes);
        r->bytes = xmalloc(part->bytes);
        r->room = part->bytes;
    }
    if (trace_file_read(r->from->file, part, r->bytes, &e))
        return begin_warps(r, part->bytes);
    r->cta.fault.kind = FAULT_TRACE;
    snprintf(r->cta.fault.detail, sizeof r->cta.fault.detail, "%.255s", e.msg);
    return false;
}

static void *recorded_warp(void *cta, int i, struct inst_warp *at)
{
    struct recorded_warp *w = &((struct recorded_cta *)cta)->warp[i];
    *at = (struct inst_warp){.pc = w->at.pc, .live = w->at.live};
    return w;
}

static bool recorded_step(void *warp, struct step *out, struct inst_warp *at)
{
    struct recorded_warp *r = warp;
    struct cta *c = &r->cta->cta;
    struct warp *w = r->w;
    const char *bad = trace_get_step(&r->c, &r->at, c->kernel, out);
    if (bad)
        return damaged(r->cta, r->c.at, bad);
    w->live = r->at.live;
    if (out->arrives)
        barrier_arrive(c->barriers, w,
                       &(struct arrival){.id = out->barrier,
                                         .threads = out->barrier_threads,
                                         .wait = out->inst->op != OP_BAR_ARRIVE,
                                         .inst = out->inst,
                                         .lanes = out->active});
    out->at_barrier = warp_waiting(w);
    if (w->live) {
        bad = trace_get_next(&r->c, &r->at, c->kernel);
    } else {
        out->warp_done = true;
        c->warps_done++;
        barrier_warp_exit(c->barriers, c);
        if (r->at.run || r->c.at != r->c.end)
            bad = "goes on although no lane is live";
    }
    *at = (struct inst_warp){.pc = r->at.pc, .live = r->at.live};
    return !bad || damaged(r->cta, r->c.at, bad);
}

/* Nothing reads a clock. */
static void recorded_set_time(void *cta, cycle_t now, psec_t now_ps)
{
    (void)cta, (void)now, (void)now_ps;
}

static uint32_t recorded_waiting(const void *cta)
{
    return cta_waiting(&((const struct recorded_cta *)cta)->cta);
}

static bool recorded_deadlocked(void *cta)
{
    return cta_deadlocked(&((struct recorded_cta *)cta)->cta);
}

static const struct fault *recorded_fault(const void *cta)
{
    return &((const struct recorded_cta *)cta)->cta.fault;
}

static const struct warp *recorded_state(const void *warp)
{
    return ((const struct recorded_warp *)warp)->w;
}

static void recorded_locate(const void *warp, struct fault *f)
{
    const struct recorded_warp *r = warp;
    const lanes_t live = r->at.live;
    const struct kernel *k = r->cta->cta.kernel;
    const uint32_t pc = r->at.pc < k->ninst ? r->at.pc : k->ninst - 1; /* behind its last one */
    fault_place(f, r->w, &k->inst[pc], live ? __builtin_ctz(live) : 0);
}

const struct inst_source inst_source_trace = {
    .cta_new = recorded_new,
    .cta_free = recorded_free,
    .cta_start = recorded_start,
    .warp = recorded_warp,
    .step = recorded_step,
    .set_time = recorded_set_time,
    .waiting = recorded_waiting,
    .deadlocked = recorded_deadlocked,
    .fault = recorded_fault,
    .state = recorded_state,
    .locate = recorded_locate,
};
