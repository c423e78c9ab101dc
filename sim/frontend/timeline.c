#include "sim/frontend/timeline.h"

#include "sim/frontend/session.h"

#define ROUNDING 1e-9 /* of a sum of shares */

static psec_t later(psec_t a, psec_t b)
{
    return a > b ? a : b;
}

static psec_t *end_of(CUcontext ctx, CUstream s)
{
    if (!s || s == CU_STREAM_LEGACY)
        return &ctx->time.legacy;
    return s == CU_STREAM_PER_THREAD ? &ctx->time.per_thread : &s->at;
}

psec_t timeline_ready(CUcontext ctx, CUstream stream)
{
    psec_t *end = end_of(ctx, stream), at = later(*end, ctx->time.host);
    if (end == &ctx->time.legacy) {
        at = later(later(at, ctx->time.per_thread), ctx->time.gone);
        for (CUstream s = ctx->streams; s; s = s->next)
            if (!(s->flags & 1))
                at = later(at, s->at);
    } else if (stream == CU_STREAM_PER_THREAD || !(stream->flags & 1)) {
        at = later(at, ctx->time.legacy);
    }
    return at;
}

/* What launches take of the GPU at that moment. */
static double taken(const struct timeline *t, psec_t at)
{
    double sum = 0;
    for (int i = 0; i < t->spans; i++)
        if (t->span[i].start <= at && at < t->span[i].end)
            sum += t->span[i].share;
    return sum;
}

static bool fits(const struct timeline *t, psec_t at, psec_t took, double share)
{
    const double most = 1 + ROUNDING - share;
    bool ok = taken(t, at) <= most;
    for (int i = 0; i < t->spans && ok; i++)
        if (t->span[i].start > at && t->span[i].start < at + took)
            ok = taken(t, t->span[i].start) <= most;
    return ok;
}

/* The first moment from `ready` on: that one, or one at which a launch ends. */
static psec_t place(const struct timeline *t, psec_t ready, psec_t took, double share)
{
    psec_t best = ready;
    bool found = fits(t, ready, took, share);
    for (int i = 0; i < t->spans && !found; i++)
        best = later(best, t->span[i].end);
    for (int i = 0; i < t->spans && !found; i++) {
        const psec_t at = t->span[i].end;
        if (at > ready && at < best && fits(t, at, took, share))
            best = at;
    }
    return best;
}

/* One that nothing can run beside any more, or the one that ended first, makes room. */
static void add_span(struct timeline *t, struct span_of_launch s)
{
    int kept = 0, first = 0;
    for (int i = 0; i < t->spans; i++)
        if (t->span[i].end > t->host)
            t->span[kept++] = t->span[i];
    for (int i = 1; i < kept; i++)
        first = t->span[i].end < t->span[first].end ? i : first;
    if (kept == TIMELINE_SPANS)
        t->span[first] = t->span[--kept];
    t->span[kept++] = s;
    t->spans = kept;
}

void timeline_launch(CUcontext ctx, CUstream stream, psec_t took, double share)
{
    struct timeline *t = &ctx->time;
    const psec_t start = place(t, timeline_ready(ctx, stream), took, share);
    *end_of(ctx, stream) = start + took;
    if (took)
        add_span(t, (struct span_of_launch){start, start + took, share});
}

void timeline_copy(CUcontext ctx, CUstream stream, psec_t took, enum copy_route route)
{
    psec_t start = timeline_ready(ctx, stream);
    if (route == COPY_OVER_LINK) {
        start = later(start, ctx->time.link);
        ctx->time.link = start + took;
    }
    *end_of(ctx, stream) = start + took;
}

void timeline_wait(CUcontext ctx, CUstream stream, psec_t until)
{
    psec_t *end = end_of(ctx, stream);
    *end = later(*end, until);
}

void timeline_host_waits(CUcontext ctx, psec_t until)
{
    ctx->time.host = later(ctx->time.host, until);
}

psec_t timeline_all(CUcontext ctx)
{
    psec_t at = later(later(ctx->time.legacy, ctx->time.per_thread), ctx->time.gone);
    for (CUstream s = ctx->streams; s; s = s->next)
        at = later(at, s->at);
    return later(at, ctx->time.host);
}
