#include "sim/func/fault.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/demangle.h"
#include "sim/func/cta_cluster.h"
#include "sim/func/exec.h"

const char *space_name(enum space s)
{
    static const char *const name[SP_COUNT] = {"generic",  "global",    "shared", "local",
                                               "constant", "parameter", "frame",  "texture"};
    return name[s];
}

void fault_place(struct fault *f, const struct warp *w, const struct inst *in, int lane)
{
    const struct cta *c = w->cta;
    const int *b = c->launch->block, t = w->index * WARP_SIZE + lane;
    f->inst = in;
    memcpy(f->cta, c->id, sizeof f->cta);
    f->thread[0] = t % b[0];
    f->thread[1] = t / b[0] % b[1];
    f->thread[2] = t / b[0] / b[1];
}

void warp_fault(struct warp *w, const struct inst *in, enum fault_kind kind, int lane, addr_t addr,
                int bytes, const char *detail)
{
    struct cta *c = w->cta;
    if (c->fault.kind != FAULT_NONE)
        return;
    c->fault =
        (struct fault){.kind = kind, .addr = addr, .bytes = bytes, .space = (enum space)in->space};
    fault_place(&c->fault, w, in, lane);
    snprintf(c->fault.detail, sizeof c->fault.detail, "%.255s", detail ? detail : "");
}

/* ", 4 bytes past the end of buffer 'row' [0x80000000,0x80001004)" */
static void describe_nearest(const struct devmem *m, const struct bad_access *b, char *to,
                             size_t room)
{
    const struct alloc *al = devmem_nearest(m, b->addr);
    if (!al) {
        snprintf(to, room, "; nothing is allocated");
        return;
    }
    addr_t end = al->base + al->bytes;
    char where[64];
    if (b->addr < al->base)
        snprintf(where, sizeof where, "%" PRIu64 " bytes before the start of", al->base - b->addr);
    else if (b->addr >= end)
        snprintf(where, sizeof where, "%" PRIu64 " bytes past the end of", b->addr - end);
    else if (b->kind == FAULT_OUT_OF_BOUNDS && !devmem_hides(m, b->addr))
        snprintf(where, sizeof where, "%" PRIu64 " bytes too long for the end of",
                 b->addr + b->bytes - end);
    else
        snprintf(where, sizeof where, "in");
    char hidden[64] = "";
    if (devmem_hides(m, b->addr))
        snprintf(hidden, sizeof hidden, " of device %d, to which there is no peer access",
                 devmem_device_of(m, b->addr));
    snprintf(to, room, ", %s %s '%.60s' [0x%" PRIx64 ",0x%" PRIx64 ")%s", where,
             al->base < HEAP_BASE ? "variable" : "buffer", al->name, al->base, end, hidden);
}

static uint64_t space_bytes(const struct warp *w, enum space s)
{
    const struct kernel *k = w->cta->kernel;
    switch (s) {
    case SP_SHARED:
        return w->cta->shared_room;
    case SP_LOCAL:
        return k->local_bytes;
    case SP_PARAM:
        return k->param_bytes;
    default:
        return k->frame_bytes;
    }
}

/* " of CTA 3 of the cluster, which has ended" */
static void describe_rank(struct cta *c, addr_t offset, char *to, size_t room)
{
    const int rank = cta_shared_rank(c, offset), ctas = launch_cluster_ctas(c->launch);
    if (rank >= ctas)
        snprintf(to, room, " of CTA %d of the cluster, which has %d", rank, ctas);
    else if (!cta_of_rank(c, rank))
        snprintf(to, room, " of CTA %d of the cluster, which has ended", rank);
    else
        snprintf(to, room, " of CTA %d of the cluster (%u bytes)", rank, c->shared_room);
}

void fault_access_text(const struct warp *w, const struct bad_access *b, char *to, size_t room)
{
    char what[64] = "", where[224];
    if (b->kind == FAULT_MISALIGNED)
        snprintf(what, sizeof what, ", not a multiple of %u", b->bytes);
    else if (b->kind == FAULT_READ_ONLY)
        snprintf(what, sizeof what, ", which is read-only");
    const bool of_cluster = b->space == SP_SHARED && launch_has_clusters(w->cta->launch);
    if (of_cluster && b->addr >= CTA_SHARED_STRIDE)
        describe_rank(w->cta, b->addr, where, sizeof where);
    else if (b->space == SP_GLOBAL || b->space == SP_CONST)
        describe_nearest(w->cta->launch->mem, b, where, sizeof where);
    else
        snprintf(where, sizeof where, " (%" PRIu64 " bytes%s)", space_bytes(w, b->space),
                 b->space == SP_SHARED  ? " a CTA"
                 : b->space == SP_PARAM ? ""
                                        : " a thread");
    snprintf(to, room, "%s %s %u bytes at 0x%" PRIx64 " in %s memory%s%s",
             b->kind == FAULT_OUT_OF_BOUNDS ? "out of bounds:"
             : b->kind == FAULT_MISALIGNED  ? "misaligned:"
                                            : "forbidden:",
             b->write ? "writes" : "reads", b->bytes,
             of_cluster ? b->addr % CTA_SHARED_STRIDE : b->addr, space_name(b->space), what, where);
}

void fault_access(struct warp *w, const struct inst *in, const struct bad_access *b)
{
    char text[400];
    fault_access_text(w, b, text, sizeof text);
    warp_fault(w, in, b->kind, b->lane, b->addr, (int)b->bytes, text);
    w->cta->fault.space = b->space;
}

bool fault_to_err(const struct fault *f, const struct launch *l, struct err *e)
{
    static const char *const kinds[] = {
        [FAULT_NONE] = "no fault",
        [FAULT_OUT_OF_BOUNDS] = "out of bounds",
        [FAULT_MISALIGNED] = "misaligned access",
        [FAULT_READ_ONLY] = "write to read-only memory",
        [FAULT_BARRIER_DIVERGED] = "divergent barrier",
        [FAULT_BARRIER_DEADLOCK] = "barrier that can never complete",
        [FAULT_TRAP] = "trap",
        [FAULT_ASSERT] = "assertion failed",
        [FAULT_BAD_CALL] = "bad call",
        [FAULT_RECURSION] = "stack overflow",
        [FAULT_LIMIT] = "still running",
        [FAULT_UNSUPPORTED] = "not supported",
        [FAULT_TOO_LARGE] = "too large for a core",
        [FAULT_NEVER_ENDS] = "never ends",
        [FAULT_TEXTURE] = "texture that cannot be read",
        [FAULT_TRACE] = "trace that cannot be read",
    };
    const struct kernel *k = l->kernel;
    if (l->why)
        *l->why = *f;
    if (f->kind == FAULT_TRACE) /* no fault of the kernel's */
        return err_set(e, "%s", f->detail);
    char *name = demangle_short(k->name);
    err_set(e, "kernel %s, %s:%d: %s: CTA (%d,%d,%d) thread (%d,%d,%d): %s", name,
            module_name(k->module), f->inst ? f->inst->line : 0,
            f->inst && f->inst->text ? f->inst->text : "?", f->cta[0], f->cta[1], f->cta[2],
            f->thread[0], f->thread[1], f->thread[2], f->detail[0] ? f->detail : kinds[f->kind]);
    free(name);
    return false;
}
