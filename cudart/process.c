/* process.c -- the device of this process. Nothing happens before the first CUDA call. After a fork
 * the child has no device, as CUDA has it; a child whose parent had not begun makes its own. */
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/demangle.h"
#include "base/own_pid.h"
#include "cudart/props.h"
#include "cudart/rt.h"
#include "program/detail.h"
#include "sim/frontend/host_region.h"

static struct {
    pthread_mutex_t lock; /* recursive: one call at a time, whatever the thread */
    char *plan;           /* where mdpredict's plan is: the program may clear its environment */
    bool tried;
    pid_t owner; /* who made the session */
    struct recorder *recorder;
    struct detail *detail;
    struct session *session;
    uint64_t primary[DEVMEM_DEVICES]; /* numbers of the primary contexts */
    char **said;                      /* every message so far: none is there twice */
    int nsaid;
} process;

static void new_lock(void)
{
    pthread_mutexattr_t a;
    pthread_mutexattr_init(&a);
    pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&process.lock, &a);
    pthread_mutexattr_destroy(&a);
}

static struct session *session_of_process(void);

static bool attribute_of(int attribute, int *value)
{
    return session_get() && props_attribute(attribute, value);
}

/* getenv() before the C library has been initialised. */
static const char *value_of(char *const *env, const char *name)
{
    const size_t n = strlen(name);
    for (; *env; env++)
        if (strncmp(*env, name, n) == 0 && (*env)[n] == '=')
            return *env + n + 1;
    return NULL;
}

/* The loader calls this before any other constructor (-z initfirst), that of the C library
 * included: those of libraries may register kernels. */
__attribute__((constructor)) static void start(int argc, char **argv, char **env)
{
    (void)argc, (void)argv;
    static const struct session_process serve = {session_of_process, &process.lock, attribute_of};
    const char *plan = value_of(env, PROGRAM_ENV);
    process.plan = plan ? xstrdup(plan) : NULL;
    new_lock();
    session_serve_process(&serve);
    if (plan)
        rt_redirect();
    pthread_atfork(NULL, NULL, new_lock); /* the thread that held it is not in the child */
}

void rt_say(const char *fmt, ...)
{
    char text[2048];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    for (int i = 0; i < process.nsaid; i++)
        if (strcmp(process.said[i], text) == 0)
            return;
    process.said = xrealloc(process.said, (size_t)(process.nsaid + 1) * sizeof *process.said);
    process.said[process.nsaid++] = xstrdup(text);
    fflush(stdout);
    fprintf(stderr, "mdpredict: %s\n", text);
}

cudaError_t rt_unsupported(const char *name)
{
    SESSION_CALL();
    session_of_process(); /* it uses the device, or would */
    rt_say("the program calls %s, which is not supported", name);
    return rt_set(cudaErrorNotSupported);
}

/* -- faults */

#define BAR "========= "

static void say_where(const struct fault *f, const struct kernel *k)
{
    char source[1024];
    char *name = demangle(k->name);
    fprintf(stderr, BAR "    at %s\n" BAR "    in kernel %s, %s line %d\n",
            f->inst && f->inst->text ? f->inst->text : "?", name, module_name(k->module),
            f->inst ? f->inst->line : 0);
    free(name);
    if (f->inst && module_source(k->module, f->inst->line, source, sizeof source))
        fprintf(stderr, BAR "    source %s\n", source);
    fprintf(stderr, BAR "    by thread (%d,%d,%d) of CTA (%d,%d,%d)\n", f->thread[0], f->thread[1],
            f->thread[2], f->cta[0], f->cta[1], f->cta[2]);
}

/* A launch or a module load has failed. */
static void on_failure(const struct err *why, const struct fault *f, const struct kernel *k)
{
    fflush(stdout);
    if (!f || f->kind == FAULT_NONE || f->kind == FAULT_UNSUPPORTED || f->kind == FAULT_TOO_LARGE) {
        char *plain = demangle_text(why->msg);
        rt_say("%s", plain);
        free(plain);
        return;
    }
    char *plain = demangle_text(f->detail[0] ? f->detail : why->msg);
    fprintf(stderr, BAR "mdpredict: %s\n", plain);
    free(plain);
    say_where(f, k);
}

/* -- the session */

/* Addresses of device memory are none of the host's: using one there is a crash, as with a GPU. */
static void reserve_device_addresses(void)
{
#ifdef MAP_FIXED_NOREPLACE
    (void)mmap((void *)(uintptr_t)HEAP_BASE, DEVMEM_HEAP_SPAN, PROT_NONE,
               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
#endif
}

static void open_session(void)
{
    struct err e;
    process.tried = true;
    process.owner = own_pid();
    process.recorder = recorder_open(process.plan, &e);
    if (!process.recorder) {
        rt_say("no simulated GPU: %s", e.msg);
        return;
    }
    recorder_put(process.recorder, RECORD_DEVICE, &(struct record_device){own_pid()},
                 sizeof(struct record_device));
    process.detail = detail_new(process.recorder);
    process.session = session_new(detail_executor(process.detail), "program.ptx");
    process.session->host = host_region_new();
    process.session->devices = recorder_plan(process.recorder)->devices;
    process.session->memory = recorder_plan(process.recorder)->memory;
    process.session->on_failure = on_failure;
    process.session->on_rejected = rt_rejected;
    reserve_device_addresses();
}

/* The program's own destructors are behind us. What waits in a stream is waited for; a thread that
 * still launches something, for no more than some seconds. */
#define LAST_WAIT 2
__attribute__((destructor)) static void end(void)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += LAST_WAIT;
    if (!process.detail || process.owner != own_pid() ||
        pthread_mutex_timedlock(&process.lock, &until) != 0)
        return;
    SESSION_CALL();
    pthread_mutex_unlock(&process.lock); /* held once more by the call */
    pending_settle_all();
    if (!detail_launches(process.detail))
        waived_tell();
    fflush(NULL); /* what it has said comes before pilots, which take their time */
    detail_end(process.detail);
}

static struct session *session_of_process(void)
{
    SESSION_CALL();
    if (process.tried && process.owner != own_pid())
        return NULL;
    if (!process.tried)
        open_session();
    return process.session;
}

const struct gpu_cfg *rt_gpu(void)
{
    return &recorder_plan(process.recorder)->cfg;
}

struct recorder *rt_recorder(void)
{
    return process.recorder;
}

struct devmem *rt_memory(void)
{
    return context_mem(session_current()->context);
}

/* There is a session to ask. */
static cudaError_t begun(void)
{
    if (process.tried && process.owner != own_pid())
        return cudaErrorInitializationError;
    struct session *s = session_of_process();
    if (!s)
        return cudaErrorNoDevice;
    if (!s->initialised)
        cuInit(0);
    return cudaSuccess;
}

/* A context that the program made before the runtime needed one serves as that, too. */
static CUcontext living_primary(const struct session *s, int device)
{
    CUcontext oldest = NULL;
    for (CUcontext c = s->contexts; c; c = c->next) {
        if (c->device != device)
            continue;
        if (c->number == process.primary[device])
            return c;
        oldest = c;
    }
    return oldest;
}

cudaError_t rt_primary(int device, bool make, CUcontext *ctx)
{
    cudaError_t e = begun();
    if (e != cudaSuccess)
        return e;
    if (!session_is_device(device))
        return cudaErrorInvalidDevice;
    *ctx = living_primary(process.session, device);
    if (!*ctx && make) {
        if (cuCtxCreate(ctx, 0, device) != CUDA_SUCCESS)
            return cudaErrorInitializationError;
        session_pop_context();
    }
    process.primary[device] = *ctx ? (*ctx)->number : 0;
    return cudaSuccess;
}

/* What the thread has chosen, where it has no context yet. */
static _Thread_local int chosen;

int rt_device(void)
{
    CUcontext ctx = session_current();
    return ctx ? ctx->device : chosen;
}

cudaError_t rt_choose(int device)
{
    CUcontext primary;
    cudaError_t e = rt_primary(device, true, &primary);
    if (e == cudaSuccess)
        e = (cudaError_t)cuCtxSetCurrent(primary);
    if (e == cudaSuccess)
        chosen = device;
    return e;
}

cudaError_t rt_ready(void)
{
    cudaError_t e = begun();
    return e != cudaSuccess || session_current() ? e : rt_choose(chosen);
}

cudaError_t rt_refuse(cudaError_t e, const char *why)
{
    const struct record_fault f = {.kernel = -1, .launch = -1, .why = FAILED_UNSUPPORTED};
    recorder_put_fault(process.recorder, &f, why ? why : process.session->why.msg);
    if (session_current())
        session_current()->sticky = (CUresult)e;
    return e;
}

cudaError_t rt_reset(void)
{
    const int device = rt_device();
    cuCtxDestroy(session_current());
    rt_forget_modules(device);
    chosen = device;
    return cudaSuccess;
}
