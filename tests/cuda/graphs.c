/* Graphs, made by hand and by capture; cooperative launches. Called as `graphs` or `graphs CTAS`,
 * which alone launches `meet` so large; see api.sh. */
#include <stdlib.h>

#include "tests/cuda/fatbin.h"
#include "tests/cuda/ok.h"

typedef struct CUgraph_st *Graph;
typedef struct CUgraphNode_st *Node;
typedef struct CUgraphExec_st *Exec;
typedef void *Stream, *Event;
struct kernel {
    const void *func;
    dim3 grid, block;
    unsigned shared;
    void **params, **extra;
};
struct host {
    void (*fn)(void *);
    void *user;
};
struct set {
    void *dst;
    size_t pitch;
    unsigned value, element;
    size_t width, height;
};
struct update {
    int result;
    Node node, from;
};
struct edge {
    unsigned char zero[8];
};
int cudaStreamCreate(Stream *), cudaStreamSynchronize(Stream), cudaDeviceSynchronize(void);
int cudaStreamDestroy(Stream);
int cudaStreamBeginCapture(Stream, int), cudaStreamEndCapture(Stream, Graph *);
int cudaStreamIsCapturing(Stream, int *), cudaThreadExchangeStreamCaptureMode(int *);
int cudaStreamGetCaptureInfo_v2(Stream, int *, unsigned long long *, Graph *, const Node **,
                                size_t *);
int cudaGraphCreate(Graph *, unsigned), cudaGraphDestroy(Graph), cudaGraphExecDestroy(Exec);
int cudaGraphInstantiate(Exec *, Graph, unsigned long long), cudaGraphLaunch(Exec, Stream);
int cudaGraphAddKernelNode(Node *, Graph, const Node *, size_t, const struct kernel *);
int cudaGraphKernelNodeGetParams(Node, struct kernel *);
int cudaGraphKernelNodeSetParams(Node, const struct kernel *);
int cudaGraphExecKernelNodeSetParams(Exec, Node, const struct kernel *);
int cudaGraphAddMemcpyNode1D(Node *, Graph, const Node *, size_t, void *, const void *, size_t,
                             int);
int cudaGraphExecMemcpyNodeSetParams1D(Exec, Node, void *, const void *, size_t, int);
int cudaGraphAddMemsetNode(Node *, Graph, const Node *, size_t, const struct set *);
int cudaGraphAddHostNode(Node *, Graph, const Node *, size_t, const struct host *);
int cudaGraphAddEmptyNode(Node *, Graph, const Node *, size_t);
int cudaGraphAddChildGraphNode(Node *, Graph, const Node *, size_t, Graph);
int cudaGraphAddEventRecordNode(Node *, Graph, const Node *, size_t, Event);
int cudaGraphAddEventWaitNode(Node *, Graph, const Node *, size_t, Event);
int cudaGraphAddDependencies(Graph, const Node *, const Node *, const struct edge *, size_t);
int cudaGraphGetNodes(Graph, Node *, size_t *), cudaGraphGetRootNodes(Graph, Node *, size_t *);
int cudaGraphGetEdges(Graph, Node *, Node *, struct edge *, size_t *);
int cudaGraphNodeGetType(Node, int *), cudaGraphClone(Graph *, Graph);
int cudaGraphNodeFindInClone(Node *, Node, Graph), cudaGraphDestroyNode(Node);
int cudaGraphNodeSetEnabled(Exec, Node, unsigned),
    cudaGraphExecUpdate(Exec, Graph, struct update *);
struct alloc { /* cudaMemAllocNodeParams */
    int type, handles, where, device;
    long long zero[9];
    const void *access;
    size_t naccess, bytes;
    void *at;
};
int cudaGraphAddMemAllocNode(Node *, Graph, const Node *, size_t, struct alloc *);
int cudaGraphAddMemFreeNode(Node *, Graph, const Node *, size_t, void *);
int cudaGraphMemAllocNodeGetParams(Node, struct alloc *),
    cudaGraphMemFreeNodeGetParams(Node, void *);
int cudaDeviceGetGraphMemAttribute(int, int, unsigned long long *), cudaDeviceGraphMemTrim(int);
int cudaDeviceSetGraphMemAttribute(int, int, const unsigned long long *), cudaFree(void *);
int cudaEventCreate(Event *), cudaEventRecord(Event, Stream), cudaEventSynchronize(Event);
int cudaStreamWaitEvent(Stream, Event, unsigned);
int cudaMemcpyAsync(void *, const void *, size_t, int, Stream), cudaMemset(void *, int, size_t);
int cudaMemsetAsync(void *, int, size_t, Stream), cudaMallocAsync(void **, size_t, Stream);
int cudaFreeAsync(void *, Stream), cudaLaunchHostFunc(Stream, void (*)(void *), void *);
int cudaLaunchCooperativeKernel(const void *, dim3, dim3, void **, size_t, Stream);
int cudaGetLastError(void),
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *, const void *, int, size_t);

enum {
    INVALID_VALUE = 1,
    ILLEGAL_STATE = 401,
    TOO_LARGE = 720,
    UNSUPPORTED = 900,
    INVALIDATED,
    UNMATCHED = 903,
    UNJOINED,
    ISOLATION,
    IMPLICIT,
    CAPTURED_EVENT,
    UPDATE_FAILURE = 910
};

extern const char ptx[], ptx_end[];
__asm__(".pushsection .rodata\n.balign 8\nptx: .incbin \"" PTX
        "\"\nptx_end: .byte 0\n.popsection\n");
static char add, times, meet; /* what the host calls the kernels by */

__attribute__((constructor)) static void before_main(void)
{
    void **h = register_ptx(ptx, (size_t)(ptx_end - ptx), 8, 75);
    register_kernel(h, &add, "add");
    register_kernel(h, &times, "times");
    register_kernel(h, &meet, "meet");
}

static const dim3 one = {1, 1, 1};
static int *d, calls;
static Stream s, s2;

static int value(void)
{
    int h = -1;
    OK(cudaMemcpy(&h, d, sizeof h, 2));
    return h;
}
static int set(int v)
{
    return cudaMemcpy(d, &v, sizeof v, 1);
}
static int launch(const void *k, unsigned by, Stream on)
{
    return cudaLaunchKernel(k, one, one, (void *[]){&d, &by}, 0, on);
}
static void count(void *user)
{
    calls += *(int *)user;
}
static void run(Exec x, int times_)
{
    for (int i = 0; i < times_; i++)
        OK(cudaGraphLaunch(x, s));
    OK(cudaStreamSynchronize(s));
}

/* What is captured is not done; what is launched is, each time, in its order. */
static void captured(void)
{
    Graph g;
    Exec x;
    static int h, two = 2;
    int status;
    size_t n = 0;
    set(1);
    OK(cudaStreamBeginCapture(s, 0));
    OK(launch(&add, 3, s));
    OK(launch(&times, 2, s));
    OK(cudaMemcpyAsync(&h, d, sizeof h, 2, s));
    OK(cudaLaunchHostFunc(s, count, &two));
    OK(cudaStreamIsCapturing(s, &status));
    EXPECT(status == 1);
    OK(cudaStreamEndCapture(s, &g));
    OK(cudaStreamIsCapturing(s, &status));
    EXPECT(status == 0 && value() == 1 && calls == 0);
    OK(cudaGraphGetNodes(g, NULL, &n));
    EXPECT(n == 4);
    OK(cudaGraphInstantiate(&x, g, 0));
    OK(cudaGraphDestroy(g)); /* the instance is a copy */
    run(x, 1);
    EXPECT(value() == 8 && h == 8 && calls == 2);
    run(x, 2);
    EXPECT(value() == 50 && h == 50 && calls == 6);
    OK(cudaGraphExecDestroy(x));
    EXPECT(cudaGraphLaunch(x, s) == INVALID_VALUE);
}

/* Two streams take part; memory of the graph's own. */
static void forked(void)
{
    Graph g;
    Exec x;
    Event fork, join;
    int *mine, h;
    OK(cudaEventCreate(&fork));
    OK(cudaEventCreate(&join));
    set(0);
    OK(cudaStreamBeginCapture(s, 0));
    OK(cudaMallocAsync((void **)&mine, 4, s));
    OK(cudaMemsetAsync(mine, 0, 4, s));
    OK(cudaEventRecord(fork, s));
    OK(cudaStreamWaitEvent(s2, fork, 0));
    OK(cudaLaunchKernel(&add, one, one, (void *[]){&mine, &(unsigned){5}}, 0, s2));
    OK(launch(&add, 1, s));
    OK(cudaEventRecord(join, s2));
    EXPECT(cudaEventSynchronize(join) == CAPTURED_EVENT);
    OK(cudaStreamWaitEvent(s, join, 0));
    OK(cudaMemcpyAsync(d + 1, mine, 4, 3, s));
    OK(cudaFreeAsync(mine, s));
    OK(cudaStreamEndCapture(s, &g));
    OK(cudaGraphInstantiate(&x, g, 0));
    run(x, 3);
    OK(cudaMemcpy(&h, d + 1, 4, 2));
    EXPECT(value() == 3 && h == 5);
    OK(launch(&add, 1, s2)); /* no longer of the capture */
    EXPECT(value() == 4);
}

/* A stream that takes part may go before the end, if what it did is joined. */
static void left(void)
{
    Graph g;
    Exec x;
    Event fork, join;
    Stream other;
    set(1);
    for (int joined = 0; joined < 2; joined++) {
        OK(cudaEventCreate(&fork));
        OK(cudaEventCreate(&join));
        OK(cudaStreamCreate(&other));
        OK(cudaStreamBeginCapture(s, 0));
        OK(cudaEventRecord(fork, s));
        OK(cudaStreamWaitEvent(other, fork, 0));
        OK(launch(&add, 4, other));
        OK(cudaEventRecord(join, other));
        if (joined)
            OK(cudaStreamWaitEvent(s, join, 0));
        OK(cudaStreamDestroy(other));
        OK(launch(&times, 2, s));
        EXPECT(cudaStreamEndCapture(s, &g) == (joined ? 0 : UNJOINED));
    }
    OK(cudaGraphInstantiate(&x, g, 0));
    run(x, 1);
    EXPECT(value() == 10);
    OK(cudaStreamCreate(&other));
    OK(cudaStreamBeginCapture(other, 0));
    OK(cudaStreamDestroy(other)); /* the origin: nobody can end it */
    OK(cudaDeviceSynchronize());
}

/* Memory of a graph's own is at the same place in each launch; freed outside, it comes back. */
static void own_memory(void)
{
    Graph g;
    Exec x;
    Node n[4];
    struct alloc a = {.type = 1, .where = 1, .bytes = 4096}, b = a, seen;
    unsigned by = 3;
    unsigned long long bytes;
    void *freed;
    OK(cudaGraphCreate(&g, 0));
    OK(cudaGraphAddMemAllocNode(&n[0], g, NULL, 0, &a));
    OK(cudaGraphAddMemAllocNode(&n[1], g, n, 1, &b));
    EXPECT(a.at && b.at && a.at != b.at);
    OK(cudaGraphAddMemsetNode(&n[2], g, n + 1, 1, &(struct set){a.at, 0, 7, 4, 1, 1}));
    const struct kernel k = {&add, one, one, 0, (void *[]){&a.at, &by}, NULL};
    OK(cudaGraphAddKernelNode(&n[2], g, n + 2, 1, &k));
    OK(cudaGraphAddMemcpyNode1D(&n[2], g, n + 2, 1, d, a.at, 4, 3));
    OK(cudaGraphAddMemFreeNode(&n[3], g, n + 2, 1, a.at));
    EXPECT(cudaGraphAddMemFreeNode(&n[2], g, NULL, 0, d) == INVALID_VALUE);
    OK(cudaGraphMemAllocNodeGetParams(n[1], &seen));
    OK(cudaGraphMemFreeNodeGetParams(n[3], &freed));
    EXPECT(seen.at == b.at && seen.bytes == 4096 && freed == a.at);
    OK(cudaGraphInstantiate(&x, g, 0));
    EXPECT(cudaFree(b.at) == INVALID_VALUE); /* no launch has it yet */
    for (int i = 0; i < 2; i++) {
        set(0);
        run(x, 1);
        EXPECT(value() == 10);
        OK(cudaDeviceGetGraphMemAttribute(0, 0, &bytes));
        EXPECT(bytes == 4096); /* b's */
        OK(i ? cudaFree(b.at) : cudaFreeAsync(b.at, s));
        EXPECT(cudaFree(b.at) == INVALID_VALUE);
    }
    OK(cudaDeviceGetGraphMemAttribute(0, 1, &bytes));
    EXPECT(bytes == 8192);
    bytes = 0;
    OK(cudaDeviceSetGraphMemAttribute(0, 1, &bytes));
    OK(cudaDeviceGetGraphMemAttribute(0, 1, &bytes));
    EXPECT(bytes == 0);
    OK(cudaDeviceGraphMemTrim(0));
    a.bytes = 0;
    EXPECT(cudaGraphAddMemAllocNode(&n[0], g, NULL, 0, &a) == INVALID_VALUE);
}

static void refused(void)
{
    Graph g;
    Event e, other;
    void *p;
    int relaxed = 2, status;
    OK(cudaEventCreate(&e));
    OK(cudaEventCreate(&other));
    EXPECT(cudaStreamBeginCapture(NULL, 0) == UNSUPPORTED);
    EXPECT(cudaStreamBeginCapture(s, 3) == INVALID_VALUE);
    EXPECT(cudaStreamEndCapture(s, &g) == ILLEGAL_STATE);
    OK(cudaStreamBeginCapture(s, 0)); /* a stream that does not come back */
    EXPECT(cudaStreamBeginCapture(s, 0) == ILLEGAL_STATE);
    OK(cudaEventRecord(e, s));
    OK(cudaStreamWaitEvent(s2, e, 0));
    OK(launch(&add, 1, s2));
    EXPECT(cudaStreamEndCapture(s2, &g) == UNMATCHED);
    EXPECT(cudaStreamEndCapture(s, &g) == UNJOINED && !g);
    OK(cudaStreamBeginCapture(s, 0)); /* what waits for the device */
    EXPECT(cudaStreamSynchronize(s) == UNSUPPORTED);
    EXPECT(launch(&add, 1, s) == INVALIDATED);
    OK(cudaStreamIsCapturing(s, &status));
    EXPECT(status == 2 && cudaStreamEndCapture(s, &g) == INVALIDATED);
    OK(cudaStreamBeginCapture(s, 0));
    EXPECT(cudaDeviceSynchronize() == UNSUPPORTED);
    EXPECT(cudaStreamEndCapture(s, &g) == INVALIDATED);
    OK(cudaStreamBeginCapture(s, 0));
    EXPECT(launch(&add, 1, NULL) == IMPLICIT); /* the legacy stream waits for s */
    EXPECT(cudaStreamEndCapture(s, &g) == INVALIDATED);
    OK(cudaStreamBeginCapture(s, 0));
    EXPECT(cudaMalloc(&p, 4) == UNSUPPORTED);
    EXPECT(cudaStreamEndCapture(s, &g) == INVALIDATED);
    OK(cudaThreadExchangeStreamCaptureMode(&relaxed));
    EXPECT(relaxed == 0);
    OK(cudaStreamBeginCapture(s, 0));
    OK(cudaMalloc(&p, 4));
    OK(cudaEventRecord(other, s2));
    EXPECT(cudaStreamWaitEvent(s, other, 0) == ISOLATION);
    EXPECT(cudaStreamEndCapture(s, &g) == INVALIDATED);
    OK(cudaThreadExchangeStreamCaptureMode(&relaxed));
}

/* By hand: memset, then two kernels beside each other and a third behind them, a copy, the host. */
static void by_hand(void)
{
    Graph g, clone;
    Exec x;
    Node n[8], from[16], to[16], found;
    Event e;
    static int h, four = 4;
    unsigned by[] = {5, 7, 3};
    int *second = d + 1, type;
    size_t count_ = 0;
    const struct set zero = {d, 0, 0, 4, 2, 1};
    struct kernel k = {&add, one, one, 0, (void *[]){&d, &by[0]}, NULL}, seen;
    struct edge edges[16];
    OK(cudaEventCreate(&e));
    OK(cudaGraphCreate(&g, 0));
    OK(cudaGraphAddMemsetNode(&n[0], g, NULL, 0, &zero));
    OK(cudaGraphAddKernelNode(&n[1], g, n, 1, &k));
    k.params = (void *[]){&second, &by[1]};
    OK(cudaGraphAddKernelNode(&n[2], g, n, 1, &k));
    OK(cudaGraphAddEmptyNode(&n[3], g, n + 1, 2));
    k = (struct kernel){&times, one, one, 0, (void *[]){&d, &by[2]}, NULL};
    OK(cudaGraphAddKernelNode(&n[4], g, NULL, 0, &k));
    OK(cudaGraphAddDependencies(g, &n[3], &n[4], NULL, 1));
    OK(cudaGraphAddMemcpyNode1D(&n[5], g, &n[4], 1, &h, d, 4, 2));
    OK(cudaGraphAddHostNode(&n[6], g, &n[5], 1, &(struct host){count, &four}));
    OK(cudaGraphAddEventRecordNode(&n[7], g, &n[6], 1, e));
    EXPECT(cudaGraphAddDependencies(g, &n[6], &n[0], NULL, 1) == INVALID_VALUE); /* a cycle */
    EXPECT(cudaGraphAddEmptyNode(&found, g, NULL, 1) == INVALID_VALUE);
    OK(cudaGraphGetEdges(g, NULL, NULL, NULL, &count_));
    EXPECT(count_ == 8);
    OK(cudaGraphGetEdges(g, from, to, edges, &count_));
    EXPECT(from[0] == n[0] && to[0] == n[1] && from[4] == n[3] && to[4] == n[4]);
    count_ = 16;
    OK(cudaGraphGetRootNodes(g, from, &count_));
    EXPECT(count_ == 1 && from[0] == n[0]);
    OK(cudaGraphNodeGetType(n[6], &type));
    EXPECT(type == 3);
    OK(cudaGraphKernelNodeGetParams(n[4], &seen));
    EXPECT(seen.func == &times && *(unsigned *)seen.params[1] == 3 && seen.grid.x == 1);
    OK(cudaGraphInstantiate(&x, g, 0));
    calls = 0;
    run(x, 2);
    OK(cudaEventSynchronize(e));
    EXPECT(value() == 15 && h == 15 && calls == 8);
    by[2] = 10; /* the instance's alone */
    OK(cudaGraphExecKernelNodeSetParams(x, n[4], &k));
    run(x, 1);
    EXPECT(value() == 50);
    OK(cudaGraphNodeSetEnabled(x, n[4], 0));
    run(x, 1);
    EXPECT(value() == 5);
    OK(cudaGraphNodeSetEnabled(x, n[4], 1));
    OK(cudaGraphExecMemcpyNodeSetParams1D(x, n[5], &h, second, 4, 2));
    run(x, 1);
    EXPECT(value() == 50 && h == 7);
    by[2] = 4; /* the graph's, which the instance takes over */
    OK(cudaGraphKernelNodeSetParams(n[4], &k));
    struct update u;
    OK(cudaGraphExecUpdate(x, g, &u));
    run(x, 1);
    EXPECT(u.result == 0 && value() == 20 && h == 20);
    OK(cudaGraphClone(&clone, g));
    OK(cudaGraphNodeFindInClone(&found, n[4], clone));
    OK(cudaGraphDestroyNode(found));
    EXPECT(cudaGraphExecUpdate(x, clone, &u) == UPDATE_FAILURE && u.result == 2);
    OK(cudaGraphClone(&clone, g));
    OK(cudaGraphNodeFindInClone(&found, n[7], clone));
    OK(cudaGraphDestroyNode(found));
    OK(cudaGraphNodeFindInClone(&from[0], n[6], clone));
    OK(cudaGraphAddEventWaitNode(&found, clone, from, 1, e));
    EXPECT(cudaGraphExecUpdate(x, clone, &u) == UPDATE_FAILURE && u.result == 3 && u.node == found);
    Graph twice;
    OK(cudaGraphCreate(&twice, 0)); /* its children: add, then times, and again without memset */
    OK(cudaGraphAddChildGraphNode(&n[0], twice, NULL, 0, g));
    OK(cudaGraphAddKernelNode(&n[1], twice, n, 1, &k));
    OK(cudaGraphInstantiate(&x, twice, 0));
    calls = 0;
    run(x, 1);
    EXPECT(value() == 80 && calls == 4);
    OK(cudaGraphDestroy(g));
    EXPECT(cudaGraphDestroy(g) == INVALID_VALUE);
}

static void together(unsigned ctas)
{
    unsigned h[64] = {0};
    OK(cudaMemset(d, 0, 256));
    OK(cudaLaunchCooperativeKernel(&meet, (dim3){ctas, 1, 1}, (dim3){32, 1, 1}, (void *[]){&d}, 0,
                                   s));
    OK(cudaDeviceSynchronize());
    OK(cudaMemcpy(h, d, (ctas + 1) * 4, 2));
    for (unsigned i = 0; i <= ctas; i++)
        EXPECT(h[i] == ctas);
}

static void cooperative(void)
{
    Graph g;
    Exec x;
    unsigned h = 0;
    int fit;
    together(4);
    together(30);
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, &meet, 32, 0));
    EXPECT(cudaLaunchCooperativeKernel(&meet, (dim3){(unsigned)fit * 15 + 1, 1, 1},
                                       (dim3){32, 1, 1}, (void *[]){&d}, 0, s) == TOO_LARGE);
    EXPECT(cudaGetLastError() == TOO_LARGE);
    OK(cudaMemset(d, 0, 256));
    OK(cudaStreamBeginCapture(s, 0));
    OK(cudaLaunchCooperativeKernel(&meet, (dim3){3, 1, 1}, (dim3){32, 1, 1}, (void *[]){&d}, 0, s));
    OK(cudaStreamEndCapture(s, &g));
    OK(cudaGraphInstantiate(&x, g, 0));
    run(x, 2);
    OK(cudaMemcpy(&h, d + 3, 4, 2));
    EXPECT(h == 6);
}

int main(int argc, char **argv)
{
    OK(cudaMalloc((void **)&d, 256));
    OK(cudaStreamCreate(&s));
    OK(cudaStreamCreate(&s2));
    if (argc > 1) {
        together((unsigned)atoi(argv[1]));
    } else {
        captured();
        forked();
        left();
        own_memory();
        refused();
        by_hand();
        cooperative();
        OK(cudaStreamDestroy(s2));
    }
    printf("passed\n");
    return 0;
}
