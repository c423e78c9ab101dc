/* Code that was compiled for per-thread default streams: what a thread puts into its default stream
 * waits for nothing but its own work, and that of the legacy stream. */
#include <pthread.h>
#include <string.h>

#include "tests/cuda/fatbin.h"
#include "tests/cuda/ok.h"

typedef void *Stream, *Event, *Graph, *Exec;
int cudaLaunchKernel_ptsz(const void *, dim3, dim3, void **, size_t, Stream);
int cudaStreamSynchronize_ptsz(Stream), cudaStreamQuery_ptsz(Stream);
int cudaStreamBeginCapture_ptsz(Stream, int), cudaStreamEndCapture_ptsz(Stream, Graph *);
int cudaGraphInstantiate(Exec *, Graph, unsigned long long), cudaGraphLaunch_ptsz(Exec, Stream);
int cudaMemcpy_ptds(void *, const void *, size_t, int), cudaMemset_ptds(void *, int, size_t);
int cudaMemcpyAsync_ptsz(void *, const void *, size_t, int, Stream);
int cudaStreamQuery(Stream), cudaDeviceSynchronize(void);
int cudaEventCreate(Event *), cudaEventRecord_ptsz(Event, Stream), cudaEventQuery(Event);
int cudaEventElapsedTime(float *, Event, Event);

int cudaStreamSetAttribute_ptsz(Stream, int, const void *);
int cudaStreamGetAttribute(Stream, int, void *), cudaStreamCopyAttributes(Stream, Stream);

enum { NOT_READY = 600, TO_DEVICE = 1, TO_HOST = 2 };
#define PER_THREAD ((Stream)2)

static unsigned *d;      /* [0] a flag, [1] what a kernel writes when it is set, [2] another's */
static char await, put;  /* their addresses name the kernels */
static Event start, end; /* of the second thread's work */

extern const char ptx[], ptx_end[];
__asm__(".pushsection .rodata\n.balign 8\nptx: .incbin \"" PTX
        "\"\nptx_end: .byte 0\n.popsection\n");

__attribute__((constructor)) static void before_main(void)
{
    void **h = register_ptx(ptx, (size_t)(ptx_end - ptx), 8, 75);
    register_kernel(h, &await, "await");
    register_kernel(h, &put, "put");
}

static void launch(const char *k, unsigned *p, unsigned *q, unsigned value)
{
    OK(cudaLaunchKernel_ptsz(k, (dim3){1, 1, 1}, (dim3){32, 1, 1}, (void *[]){&p, &q, &value}, 0,
                             NULL));
}

/* Its launch and copies end while the first thread's launch waits; then it sets the flag. */
static void *second(void *unused)
{
    unsigned found = 0;
    const unsigned one = 1;
    launch(&put, d + 2, NULL, 7);
    OK(cudaStreamSynchronize_ptsz(NULL));
    OK(cudaStreamQuery_ptsz(PER_THREAD)); /* the same stream under its name */
    OK(cudaMemcpy_ptds(&found, d + 2, 4, TO_HOST));
    EXPECT(found == 7);
    OK(cudaMemcpy_ptds(&found, d + 1, 4, TO_HOST));
    EXPECT(found == 0);
    OK(cudaMemcpyAsync_ptsz(d, &one, 4, TO_DEVICE, NULL));
    return unused;
}

static void threads_do_not_wait_for_each_other(void)
{
    pthread_t t;
    unsigned found;
    launch(&await, d, d + 1, 1);
    EXPECT(cudaStreamQuery_ptsz(NULL) == NOT_READY);
    EXPECT(cudaStreamQuery(NULL) == NOT_READY); /* the legacy stream waits for all */
    OK(pthread_create(&t, NULL, second, NULL));
    OK(pthread_join(t, NULL));
    OK(cudaStreamSynchronize_ptsz(NULL));
    OK(cudaMemcpy_ptds(&found, d + 1, 4, TO_HOST));
    EXPECT(found == 2);
}

static void *measured(void *unused)
{
    OK(cudaEventRecord_ptsz(start, NULL));
    launch(&put, d + 2, NULL, 8);
    OK(cudaEventRecord_ptsz(end, NULL));
    return unused;
}

/* Of two launches by two threads that wait for nothing, both begin at once. */
static void their_work_overlaps(void)
{
    Event all;
    pthread_t t;
    float one, both;
    Event before;
    OK(cudaEventCreate(&before) | cudaEventCreate(&all) | cudaEventCreate(&start) |
       cudaEventCreate(&end));
    OK(cudaDeviceSynchronize());
    OK(cudaEventRecord_ptsz(before, NULL));
    launch(&put, d + 1, NULL, 8);
    OK(cudaEventRecord_ptsz(all, NULL));
    OK(pthread_create(&t, NULL, measured, NULL));
    OK(pthread_join(t, NULL));
    OK(cudaEventElapsedTime(&one, before, all));
    OK(cudaEventElapsedTime(&both, before, end));
    EXPECT(both < 1.5f * one);
}

static void a_thread_captures_its_stream(void)
{
    Graph g;
    Exec e;
    unsigned found;
    OK(cudaMemset_ptds(d, 0, 64));
    OK(cudaStreamBeginCapture_ptsz(NULL, 0));
    launch(&put, d, NULL, 9);
    OK(cudaStreamEndCapture_ptsz(NULL, &g));
    OK(cudaMemcpy_ptds(&found, d, 4, TO_HOST));
    EXPECT(found == 0);
    OK(cudaGraphInstantiate(&e, g, 0));
    OK(cudaGraphLaunch_ptsz(e, NULL));
    OK(cudaMemcpy_ptds(&found, d, 4, TO_HOST));
    EXPECT(found == 9);
}

/* The synchronisation policy: 1 is automatic, 3 yields. */
static void each_stream_has_its_attributes(void)
{
    int policy = 3, of_thread, legacy;
    OK(cudaStreamSetAttribute_ptsz(NULL, 3, &policy));
    OK(cudaStreamGetAttribute(PER_THREAD, 3, &of_thread));
    OK(cudaStreamGetAttribute(NULL, 3, &legacy));
    EXPECT(of_thread == 3 && legacy == 1);
    OK(cudaStreamCopyAttributes(NULL, PER_THREAD));
    OK(cudaStreamGetAttribute(NULL, 3, &legacy));
    EXPECT(legacy == 3);
}

int main(void)
{
    OK(cudaMalloc((void **)&d, 64));
    OK(cudaMemset_ptds(d, 0, 64));
    threads_do_not_wait_for_each_other();
    their_work_overlaps();
    a_thread_captures_its_stream();
    each_stream_has_its_attributes();
    puts("passed");
    return 0;
}
