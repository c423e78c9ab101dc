/* Kernels that wait for the host, for copies, and for kernels of other streams. `waits never` waits
 * for what nobody writes; see api.sh. */
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "tests/cuda/fatbin.h"
#include "tests/cuda/ok.h"

typedef void *Stream, *Event;
int cudaStreamCreate(Stream *), cudaStreamCreateWithFlags(Stream *, unsigned);
int cudaStreamSynchronize(Stream), cudaStreamQuery(Stream), cudaStreamDestroy(Stream);
int cudaStreamWaitEvent(Stream, Event, unsigned), cudaDeviceSynchronize(void);
int cudaEventCreate(Event *), cudaEventRecord(Event, Stream), cudaEventQuery(Event);
int cudaEventSynchronize(Event), cudaEventDestroy(Event);
int cudaHostAlloc(void **, size_t, unsigned);
int cudaMemcpyAsync(void *, const void *, size_t, int, Stream);
int cudaEventElapsedTime(float *, Event, Event);
int cudaMemset(void *, int, size_t), cudaMemsetAsync(void *, int, size_t, Stream);
int cudaLaunchHostFunc(Stream, void (*)(void *), void *);

enum { NOT_READY = 600, TIMEOUT = 702, MAPPED = 2, NON_BLOCKING = 1 };

static volatile unsigned *flag, *out; /* shared with the host */
static unsigned *d;                   /* the device's, [0] a flag */
static Stream a, b, apart;
static char await, put, talk; /* their addresses name the kernels */

extern const char ptx[], ptx_end[];
__asm__(".pushsection .rodata\n.balign 8\nptx: .incbin \"" PTX
        "\"\nptx_end: .byte 0\n.popsection\n");

__attribute__((constructor)) static void before_main(void)
{
    void **h = register_ptx(ptx, (size_t)(ptx_end - ptx), 8, 75);
    register_kernel(h, &await, "await");
    register_kernel(h, &put, "put");
    register_kernel(h, &talk, "talk");
}

static void launch(const char *k, volatile void *p, volatile void *q, unsigned value, Stream s)
{
    OK(cudaLaunchKernel(k, (dim3){1, 1, 1}, (dim3){32, 1, 1}, (void *[]){&p, &q, &value}, 0, s));
}

static void reset(void)
{
    *flag = *out = 0;
    OK(cudaMemset(d, 0, 64));
}

static void the_host_sets_a_flag(Stream s)
{
    reset();
    launch(&await, flag, out, 1, s);
    EXPECT(*out == 0);
    EXPECT(cudaStreamQuery(s) == NOT_READY);
    *flag = 1;
    OK(cudaStreamSynchronize(s));
    EXPECT(*out == 2);
    OK(cudaStreamQuery(s));
}

/* Without a call in between: the launch goes on by itself. */
static void host_and_kernel_talk(void)
{
    reset();
    launch(&await, flag, out, 1, a);
    launch(&await, out, flag, 3, a); /* behind it */
    *flag = 1;
    while (*out != 2)
        ;
    *out = 3;
    while (*flag != 4)
        ;
    OK(cudaDeviceSynchronize());
}

/* Its 32 lanes store to one address, which is one store: what the host writes over it stays. */
static void host_and_warp_take_turns(void)
{
    enum { ROUNDS = 100 };
    reset();
    launch(&talk, flag, out, ROUNDS, a);
    for (unsigned i = 1; i <= ROUNDS; i++) {
        *flag = i;
        while (*out != i)
            ;
        *out = 0;
    }
    OK(cudaDeviceSynchronize());
    EXPECT(*out == 0);
}

static void a_copy_sets_a_flag(void)
{
    const unsigned one = 1;
    reset();
    launch(&await, d, d + 1, 1, a);
    OK(cudaMemcpyAsync(d, &one, 4, 1, apart));
    OK(cudaStreamSynchronize(a));
    unsigned h[2];
    OK(cudaMemcpy(h, d, 8, 2));
    EXPECT(h[0] == 1 && h[1] == 2);
}

static void kernels_of_two_streams_meet(void)
{
    reset();
    launch(&await, d, d + 1, 5, a);     /* waits for b's */
    launch(&await, d + 1, d + 2, 6, b); /* waits for a's */
    EXPECT(cudaStreamQuery(a) == NOT_READY && cudaStreamQuery(b) == NOT_READY);
    launch(&put, d, d, 5, apart);
    OK(cudaDeviceSynchronize());
    unsigned h[3];
    OK(cudaMemcpy(h, d, 12, 2));
    EXPECT(h[0] == 5 && h[1] == 6 && h[2] == 7);
}

static int called;
static void call(void *user)
{
    called = *(unsigned *)user == 2;
}

/* What comes behind a kernel that waits is done behind it, in order. */
static void a_stream_keeps_its_order(void)
{
    Event e;
    OK(cudaEventCreate(&e));
    reset();
    called = 0;
    launch(&await, flag, out, 1, a);
    OK(cudaLaunchHostFunc(a, call, (void *)out));
    OK(cudaMemcpyAsync(d, (const void *)out, 4, 4, a));
    launch(&await, d, d + 1, 2, a);
    OK(cudaEventRecord(e, a));
    OK(cudaStreamWaitEvent(b, e, 0));
    OK(cudaMemcpyAsync(d + 2, d + 1, 4, 3, b));
    OK(cudaMemsetAsync(d + 1, 9, 4, b));
    EXPECT(cudaEventQuery(e) == NOT_READY && cudaStreamQuery(b) == NOT_READY && !called);
    OK(cudaStreamQuery(apart));
    *flag = 1;
    OK(cudaEventSynchronize(e));
    EXPECT(called);
    OK(cudaStreamSynchronize(b));
    unsigned h[3];
    OK(cudaMemcpy(h, d, 12, 2));
    EXPECT(h[0] == 2 && h[1] == 0x09090909 && h[2] == 3);
    OK(cudaEventDestroy(e));
}

/* The legacy stream waits for streams that block, and they for it; the others do not. */
static void the_legacy_stream_orders_others(void)
{
    reset();
    launch(&await, flag, out, 1, a);
    launch(&put, d, d, 7, NULL);
    launch(&put, d + 1, d, 8, b);
    launch(&put, d + 2, d, 9, apart);
    OK(cudaStreamQuery(apart));
    EXPECT(cudaStreamQuery(NULL) == NOT_READY && cudaStreamQuery(b) == NOT_READY);
    unsigned h[3];
    OK(cudaMemcpyAsync(h, d, 12, 2, apart));
    OK(cudaStreamSynchronize(apart));
    EXPECT(h[0] == 0 && h[1] == 0 && h[2] == 9);
    *flag = 1;
    OK(cudaMemcpy(h, d, 12, 2)); /* waits for all but `apart` */
    EXPECT(h[0] == 7 && *out == 2);
    OK(cudaDeviceSynchronize());
    OK(cudaMemcpy(h, d, 12, 2));
    EXPECT(h[1] == 8);
}

static void *sets(void *user)
{
    (void)user;
    usleep(50000);
    *flag = 1;
    return NULL;
}

static void another_thread_sets_a_flag(void)
{
    pthread_t t;
    reset();
    launch(&await, flag, out, 1, NULL);
    pthread_create(&t, NULL, sets, NULL);
    OK(cudaDeviceSynchronize());
    EXPECT(*out == 2);
    pthread_join(t, NULL);
}

/* Milliseconds from the start of a launch in a to the end of it, and of one in `other`. */
static float time_of(Stream other)
{
    Event from, to, done;
    float ms;
    OK(cudaEventCreate(&from));
    OK(cudaEventCreate(&to));
    OK(cudaEventCreate(&done));
    OK(cudaDeviceSynchronize());
    OK(cudaEventRecord(from, a));
    launch(&put, d, d, 1, a);
    launch(&put, d + 1, d, 1, other);
    OK(cudaEventRecord(done, other));
    OK(cudaStreamWaitEvent(a, done, 0));
    OK(cudaEventRecord(to, a));
    OK(cudaEventSynchronize(to));
    OK(cudaEventElapsedTime(&ms, from, to));
    return ms;
}

static void streams_overlap(void)
{
    reset();
    launch(&put, d, d, 1, a); /* the first of its kind, in cold caches */
    const float one = time_of(a) / 2, two = time_of(b), own = time_of(apart);
    EXPECT(one > 0 && two < 1.01f * one && own < 1.01f * one);
    EXPECT(time_of(NULL) > 1.99f * one); /* the legacy stream's waits for a's */
}

static int never(void)
{
    reset();
    launch(&await, flag, out, 1, a);
    launch(&put, d, d, 1, a);
    EXPECT(cudaStreamSynchronize(a) == TIMEOUT);
    EXPECT(cudaDeviceSynchronize() == TIMEOUT);
    printf("passed\n");
    return 0;
}

int main(int argc, char **argv)
{
    OK(cudaHostAlloc((void **)&flag, 4, MAPPED));
    OK(cudaHostAlloc((void **)&out, 4, MAPPED));
    OK(cudaMalloc((void **)&d, 64));
    OK(cudaStreamCreate(&a));
    OK(cudaStreamCreate(&b));
    OK(cudaStreamCreateWithFlags(&apart, NON_BLOCKING));
    if (argc > 1 && !strcmp(argv[1], "never"))
        return never();
    if (argc > 1) { /* nobody waits: the end of the program does, and its memory is still there */
        launch(&await, flag, out, 1, a);
        *flag = 1;
        return 0;
    }
    the_host_sets_a_flag(NULL);
    the_host_sets_a_flag(a);
    the_host_sets_a_flag(apart);
    host_and_kernel_talk();
    host_and_warp_take_turns();
    a_copy_sets_a_flag();
    kernels_of_two_streams_meet();
    a_stream_keeps_its_order();
    the_legacy_stream_orders_others();
    another_thread_sets_a_flag();
    streams_overlap();
    printf("passed\n");
    return 0;
}
