#include "sim/frontend/pending.h"

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define HOST_PATIENCE 10     /* seconds that other threads of the program are waited for */
#define LOOK_NS       300000 /* between two looks at memory, or at what is pending */
#define TURN_NS       20000  /* between two turns of a launch that goes on */

enum state { QUEUED, TAKEN, RUNS /* and its call waits */, WAITS /* and its call has returned */ };

struct pending {
    uint64_t number;
    enum state state;
    struct pending_launch launch; /* kernel NULL: it is `work` */
    struct graph_work work;       /* data owned */
    uint64_t after;               /* 0, or the number of what it waits for besides */
    struct session *session;
    sem_t told; /* a launch has ended, or waits */
    CUresult result;
    uint64_t stuck_at;      /* moves() when it was found stuck; 0: it is not */
    bool ran;               /* since it was found stuck: it may have written something */
    time_t hopeless;        /* since when nobody but other threads could help; 0 */
    uint64_t looks, looked; /* when its present, its last look at memory began: see all.looks */
    pthread_t asker;        /* the thread whose work it is */
    struct pending *next;
};

/* All under the process's lock; there is one session in a process. */
static struct {
    struct pending *first;
    uint64_t numbers;
    uint64_t moves; /* what may have changed memory: turns of launches, work */
    uint64_t looks; /* counts looks at memory, and at the process's threads */
    uint64_t alone; /* the look since which no other threads were there; 0: there are */
    int hosts;      /* threads of the program that wait */
    int threads;    /* ours */
} all;

/* Never 0. */
static uint64_t moves(void)
{
    return 1 + all.moves + session_calls();
}

static _Thread_local struct pending_work working;

static const struct timespec look = {0, LOOK_NS}, turn = {0, TURN_NS};

/* -- order */

static bool is_legacy(CUstream s)
{
    return !s || s == CU_STREAM_LEGACY;
}

static bool waits_for_legacy(CUstream s)
{
    return s == CU_STREAM_PER_THREAD || !(s->flags & 1);
}

/* Whether what `asker` puts into `later` comes after what p has in its stream. */
static bool follows(CUstream later, pthread_t asker, const struct pending *p)
{
    const CUstream s = p->launch.stream;
    if (is_legacy(later))
        return is_legacy(s) || waits_for_legacy(s);
    if (is_legacy(s))
        return waits_for_legacy(later);
    return later == s && (s != CU_STREAM_PER_THREAD || pthread_equal(asker, p->asker));
}

uint64_t pending_last(CUcontext ctx, CUstream stream)
{
    uint64_t number = 0;
    for (const struct pending *p = working.works ? NULL : all.first; p; p = p->next)
        if (p->launch.ctx == ctx && follows(stream, pthread_self(), p))
            number = p->number;
    return number;
}

bool pending_busy(CUcontext ctx, CUstream stream)
{
    return pending_last(ctx, stream) != 0;
}

bool pending_has(uint64_t number)
{
    const struct pending *p = all.first;
    while (p && p->number != number)
        p = p->next;
    return number && p;
}

static bool is_ready(const struct pending *p)
{
    if (p->state != QUEUED || pending_has(p->after))
        return false;
    for (const struct pending *o = all.first; o != p; o = o->next)
        if (o->launch.ctx == p->launch.ctx && follows(p->launch.stream, p->asker, o))
            return false;
    return true;
}

static struct pending *next_ready(void)
{
    struct pending *p = all.first;
    while (p && !is_ready(p))
        p = p->next;
    return p;
}

static struct pending *append(CUcontext ctx, CUstream stream)
{
    struct pending *p = xcalloc(1, sizeof *p), **at = &all.first;
    p->number = ++all.numbers;
    p->session = session_get();
    p->launch.ctx = ctx;
    p->launch.stream = stream;
    p->asker = pthread_self();
    while (*at)
        at = &(*at)->next;
    return *at = p;
}

static void drop(struct pending *p)
{
    struct pending **at = &all.first;
    while (*at != p)
        at = &(*at)->next;
    *at = p->next;
    free((void *)(uintptr_t)p->work.data);
    free(p->launch.params);
    free(p);
    all.moves++;
}

/* -- who waits for whom */

static int threads_of_process(void)
{
    FILE *f = fopen("/proc/self/status", "r");
    char line[256];
    int n = 0;
    while (f && n == 0 && fgets(line, sizeof line, f))
        if (strncmp(line, "Threads:", 8) == 0)
            n = (int)strtol(line + 8, NULL, 10);
    if (f)
        fclose(f);
    return n;
}

/* Everything has been found stuck since anything moved last, and the host waits. */
static bool nobody_helps(const struct pending *me)
{
    if (!all.hosts || me->stuck_at != moves())
        return false;
    for (const struct pending *p = all.first; p; p = p->next)
        if (p->state == QUEUED ? is_ready(p) : p->stuck_at != moves())
            return false;
    return true;
}

/* No other threads are there, nor were when any of the launches last looked at memory: what they
 * wrote before they ended has been seen. */
static bool nobody_is_left(void)
{
    if (threads_of_process() - all.threads > all.hosts) {
        all.alone = 0;
        return false;
    }
    if (!all.alone)
        all.alone = ++all.looks;
    for (const struct pending *p = all.first; p; p = p->next)
        if (p->state == WAITS && p->looked < all.alone)
            return false;
    return true;
}

static bool is_hopeless(struct pending *p)
{
    if (!nobody_helps(p)) {
        p->hopeless = 0;
        all.alone = 0;
        return false;
    }
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    p->hopeless = p->hopeless ? p->hopeless : now.tv_sec;
    return nobody_is_left() || now.tv_sec - p->hopeless >= HOST_PATIENCE;
}

/* Of a thread of the program: others have the lock meanwhile. */
static void host_waits(void)
{
    all.hosts++;
    const int held = session_leave();
    nanosleep(&look, NULL);
    session_return(held);
    all.hosts--;
}

void pending_wait(uint64_t number)
{
    while (pending_has(number))
        host_waits();
}

void pending_settle(CUcontext ctx, CUstream stream)
{
    pending_wait(pending_last(ctx, stream));
    if (!working.works)
        timeline_host_waits(ctx, timeline_ready(ctx, stream));
}

void pending_settle_all(void)
{
    while (!working.works && all.first)
        host_waits();
}

struct pending_work pending_work_begin(CUstream stream)
{
    const struct pending_work before = working;
    working = (struct pending_work){true, stream};
    return before;
}

void pending_work_end(struct pending_work before)
{
    working = before;
}

CUstream pending_work_stream(void)
{
    return working.stream;
}

static CUresult do_work(pending_fn *run, const void *data, CUstream stream)
{
    const struct pending_work before = pending_work_begin(stream);
    const CUresult r = run(data, stream);
    pending_work_end(before);
    return r;
}

CUresult pending_run(CUcontext ctx, CUstream stream, pending_fn *run, const void *data)
{
    pending_settle(ctx, stream);
    return do_work(run, data, stream);
}

/* -- our threads */

static void *serve(void *session);

/* The program's signal handlers run on its own threads. */
static bool start(void *(*run)(void *), void *user)
{
    pthread_t t;
    sigset_t every, before;
    sigfillset(&every);
    pthread_sigmask(SIG_SETMASK, &every, &before);
    all.threads++; /* first: the thread may have ended before pthread_create() returns */
    const bool ok = pthread_create(&t, NULL, run, user) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (ok)
        pthread_detach(t);
    else
        all.threads--;
    return ok;
}

/* One turn of the lock for all others. */
static void let_others(const struct timespec *t)
{
    const int held = session_leave();
    nanosleep(t, NULL);
    session_return(held);
}

static bool others(void *user, bool stuck)
{
    struct pending *p = user;
    if (p->state == RUNS) {
        if (!stuck)
            return true;
        p->state = WAITS;
        sem_post(&p->told);
        session_return(1); /* when the program's call has left */
        return true;
    }
    all.moves += !stuck || p->ran;
    p->ran = !stuck;
    p->stuck_at = stuck ? moves() : 0;
    p->looked = p->looks;
    if (stuck && next_ready())
        start(serve, p->session);
    if (stuck && is_hopeless(p))
        return false;
    let_others(stuck ? &look : &turn);
    p->looks = ++all.looks;
    return true;
}

static CUresult launch_timed(const struct pending_launch *l)
{
    struct err why;
    const psec_t before = session_now();
    const bool ok = context_launch(l->ctx->context, l->kernel, &l->shape, l->params, &why);
    timeline_launch(l->ctx, l->stream, session_now() - before, l->share);
    return ok ? CUDA_SUCCESS : l->failed(l->ctx, l->kernel, &why);
}

static CUresult launch_now(struct pending *p)
{
    p->ran = true;
    p->launch.shape.others = others;
    p->launch.shape.others_user = p;
    return launch_timed(&p->launch);
}

static void call_host(const struct graph_host *h)
{
    struct session *ours = session_get();
    const int held = session_leave();
    session_adopt(NULL); /* it may use the device, as any thread of the program */
    h->fn(h->user);
    session_adopt(ours);
    session_return(held);
}

/* What has become ready; the lock is held. */
static void work_off(void)
{
    for (struct pending *p = next_ready(); p; p = next_ready()) {
        CUresult r = CUDA_SUCCESS;
        p->state = TAKEN;
        if (!session_push_context(p->launch.ctx))
            BUG_ON(true, "a thread of ours has a deep stack of contexts");
        if (p->work.type == GRAPH_HOST) {
            call_host(p->work.data);
        } else if (p->launch.kernel) {
            p->state = WAITS;
            r = launch_now(p);
        } else if (p->work.run) {
            r = do_work(p->work.run, p->work.data, p->launch.stream);
        }
        session_pop_context();
        if (r != CUDA_SUCCESS && p->launch.ctx->sticky == CUDA_SUCCESS)
            p->launch.ctx->sticky = r; /* as with hardware, the calls that follow tell */
        drop(p);
    }
}

static void *serve(void *session)
{
    session_adopt(session);
    session_return(1);
    work_off();
    all.threads--;
    session_leave();
    return NULL;
}

/* A launch from its start: with the lock of the call that asks for it, later with its own. */
static void *run(void *user)
{
    struct pending *p = user;
    session_adopt(p->session);
    p->result = launch_now(p);
    if (p->state == RUNS) {
        all.threads--;
        sem_post(&p->told);
        return NULL;
    }
    drop(p);
    work_off();
    all.threads--;
    session_leave();
    return NULL;
}

/* -- what is asked for */

static bool may_wait(CUcontext ctx)
{
    return session_get()->host && (ctx->streams || devmem_borrows(context_mem(ctx->context)));
}

static CUresult launch_alone(const struct pending_launch *l)
{
    const CUresult r = launch_timed(l);
    free(l->params);
    return r;
}

CUresult pending_launch(const struct pending_launch *l)
{
    if (!may_wait(l->ctx))
        return launch_alone(l);
    const bool later = pending_busy(l->ctx, l->stream);
    struct pending *p = append(l->ctx, l->stream);
    p->launch = *l;
    if (later)
        return CUDA_SUCCESS;
    p->state = RUNS;
    sem_init(&p->told, 0, 0);
    if (!start(run, p)) {
        p->launch.params = NULL;
        drop(p);
        return launch_alone(l);
    }
    while (sem_wait(&p->told) != 0)
        ; /* a signal */
    const CUresult r = p->state == RUNS ? p->result : CUDA_SUCCESS;
    if (p->state == RUNS)
        drop(p);
    return r;
}

bool pending_later(CUcontext ctx, CUstream stream, const struct graph_work *w)
{
    if (!pending_busy(ctx, stream))
        return false;
    struct pending *p = append(ctx, stream);
    void *data = xmalloc(w->bytes ? w->bytes : 1);
    if (w->bytes)
        memcpy(data, w->data, w->bytes);
    p->work = (struct graph_work){w->type, w->run, data, w->bytes};
    return true;
}

void pending_after(CUcontext ctx, CUstream stream, uint64_t number)
{
    if (pending_has(number))
        append(ctx, stream)->after = number;
}
