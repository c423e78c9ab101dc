/* Copies between contexts: of one device, of two (`peers 2`), with rows, boxes and arrays; what
 * they say of wrong contexts and devices. No peer access is needed. */
#include <string.h>

#include "tests/cuda/driver_types.h"
#include "tests/cuda/ok.h"

typedef struct CUarray_st *CUarray;
struct copy { /* CUDA_MEMCPY3D_PEER */
    size_t from_x, from_y, from_z, from_level;
    int from_type;
    const void *from_host;
    CUdeviceptr from;
    CUarray from_array;
    CUcontext from_ctx;
    size_t from_pitch, from_height;
    size_t to_x, to_y, to_z, to_level;
    int to_type;
    void *to_host;
    CUdeviceptr to;
    CUarray to_array;
    CUcontext to_ctx;
    size_t to_pitch, to_height, width, height, depth;
};
struct array {
    size_t width, height;
    int format;
    unsigned channels;
};
struct place {
    size_t x, y, z;
};
struct rows {
    void *p;
    size_t pitch, width, height;
};
struct peers { /* cudaMemcpy3DPeerParms */
    CUarray from_array;
    struct place from_at;
    struct rows from;
    int from_device;
    CUarray to_array;
    struct place to_at;
    struct rows to;
    int to_device;
    size_t extent[3];
};
CUresult cuMemcpyPeer(CUdeviceptr, CUcontext, CUdeviceptr, CUcontext, size_t);
CUresult cuMemcpyPeerAsync(CUdeviceptr, CUcontext, CUdeviceptr, CUcontext, size_t, CUstream);
CUresult cuMemcpy3DPeer(const struct copy *), cuMemcpy3DPeerAsync(const struct copy *, CUstream);
CUresult cuCtxSetCurrent(CUcontext), cuCtxEnablePeerAccess(CUcontext, unsigned);
CUresult cuCtxDisablePeerAccess(CUcontext), cuArrayCreate_v2(CUarray *, const struct array *);
CUresult cuMemcpyHtoAAsync_v2(CUarray, size_t, const void *, size_t, CUstream);
CUresult cuMemcpyAtoHAsync_v2(void *, CUarray, size_t, size_t, CUstream);
CUresult cuMemcpyAtoH_v2(void *, CUarray, size_t, size_t);
int cudaMemcpy3DPeer(const struct peers *), cudaMemcpy3DPeerAsync(const struct peers *, CUstream);

enum { INVALID_VALUE = 1, INVALID_DEVICE = 101, INVALID_CONTEXT = 201, ALREADY = 704 };
enum { NOT_ENABLED = 705, HOST = 1, DEVICE, ARRAY, UNIFIED, U32 = 3, N = 12 };

static int devices;
static CUcontext ctx[2];
static CUdeviceptr d[2]; /* N words each: 0, 1, ... and 100, 101, ... */
static CUarray array[2]; /* 4 x 3 words */

static void make(int i)
{
    unsigned h[N];
    const struct array a = {4, 3, U32, 1};
    for (unsigned k = 0; k < N; k++)
        h[k] = 100u * (unsigned)i + k;
    OK(cuCtxCreate_v2(&ctx[i], 0, i < devices ? i : 0));
    OK(cuMemAlloc_v2(&d[i], sizeof h) | cuMemcpyHtoD_v2(d[i], h, sizeof h));
    OK(cuArrayCreate_v2(&array[i], &a) | cuMemcpyHtoAAsync_v2(array[i], 0, h, sizeof h, NULL));
}

static unsigned at(int i, unsigned k)
{
    unsigned v;
    OK(cuCtxSetCurrent(ctx[i]));
    OK(cuMemcpyDtoH_v2(&v, d[i] + 4 * k, 4));
    return v;
}

static void bytes(void)
{
    CUstream s;
    OK(cuMemcpyPeer(d[1], ctx[1], d[0] + 4, ctx[0], 8));
    EXPECT(at(1, 0) == 1 && at(1, 1) == 2 && at(1, 2) == 102);
    OK(cuStreamCreate(&s, 0));
    OK(cuMemcpyPeerAsync(d[0], ctx[0], d[1] + 44, ctx[1], 4, s));
    OK(cuStreamSynchronize(s));
    EXPECT(at(0, 0) == 111 && at(0, 1) == 1);
    EXPECT(cuMemcpyPeer(d[1], (CUcontext)&s, d[0], ctx[0], 8) == INVALID_CONTEXT);
    EXPECT(cuMemcpyPeer(d[1], ctx[1], d[0], ctx[0], 4 * N + 1) == INVALID_VALUE);
    EXPECT(cuMemcpyPeerAsync(d[1], NULL, d[0], ctx[0], 8, NULL) == INVALID_CONTEXT);
    if (devices == 1) /* each context has memory of its own: there is no such buffer in the other */
        EXPECT(cuMemcpyPeer(d[1] + 4096, ctx[1], d[0], ctx[0], 8) == INVALID_VALUE);
}

/* Words (1,1) and (2,1) of three rows of four become those at (0,2) and (1,2); and by arrays. */
static void boxes(void)
{
    unsigned h[N] = {0};
    struct copy c = {.from_x = 4, .from_y = 1, .from_type = DEVICE, .from = d[0]};
    c.from_ctx = ctx[0];
    c.from_pitch = c.to_pitch = 16;
    c.to_y = 2;
    c.to_type = DEVICE;
    c.to = d[1];
    c.to_ctx = ctx[1];
    c.width = 8;
    c.height = c.depth = 1;
    OK(cuMemcpy3DPeer(&c));
    EXPECT(at(1, 8) == 5 && at(1, 9) == 6 && at(1, 7) == 107 && at(1, 10) == 110);
    c.from_type = ARRAY;
    c.from_array = array[1];
    c.from_ctx = NULL; /* an array brings its own */
    c.to = d[0];
    c.to_ctx = ctx[0];
    OK(cuMemcpy3DPeerAsync(&c, NULL));
    EXPECT(at(0, 8) == 105 && at(0, 9) == 106);
    c.to_type = ARRAY;
    c.to_array = array[0];
    OK(cuMemcpy3DPeer(&c));
    OK(cuMemcpyAtoHAsync_v2(h, array[0], 0, sizeof h, NULL));
    EXPECT(h[7] == 7 && h[8] == 105 && h[9] == 106 && h[10] == 10);
    c.from_type = UNIFIED; /* host memory, as its address says */
    c.from = (CUdeviceptr)(size_t)h;
    c.from_ctx = ctx[1];
    c.to_y = 0;
    OK(cuMemcpy3DPeer(&c));
    OK(cuMemcpyAtoH_v2(h + 4, array[0], 0, 8));
    EXPECT(h[4] == 5 && h[5] == 6);
    c.from_level = 1;
    EXPECT(cuMemcpy3DPeer(&c) == INVALID_VALUE && cuMemcpy3DPeer(NULL) == INVALID_VALUE);
}

static void access(void)
{
    OK(cuCtxSetCurrent(ctx[0]));
    EXPECT(cuCtxEnablePeerAccess(ctx[0], 0) == INVALID_CONTEXT);
    EXPECT(cuCtxEnablePeerAccess((CUcontext)&devices, 0) == INVALID_CONTEXT);
    EXPECT(cuCtxDisablePeerAccess(ctx[1]) == NOT_ENABLED);
    if (devices == 1)
        return;
    EXPECT(cuCtxEnablePeerAccess(ctx[1], 1) == INVALID_VALUE);
    OK(cuCtxEnablePeerAccess(ctx[1], 0));
    EXPECT(cuCtxEnablePeerAccess(ctx[1], 0) == ALREADY);
    OK(cuCtxDisablePeerAccess(ctx[1]));
}

/* The runtime's, which names devices. */
static void runtime(void)
{
    unsigned h[N];
    struct peers p = {.from = {(void *)(size_t)d[0], 16, 16, 3},
                      .to = {(void *)(size_t)d[1], 16, 16, 3}};
    p.from_at = (struct place){4, 2, 0};
    p.to_device = 1;
    p.extent[0] = 8;
    p.extent[1] = p.extent[2] = 1;
    OK(cudaMemcpy3DPeer(&p));
    EXPECT(at(1, 0) == 106 && at(1, 1) == 10);
    p.to_array = array[1];
    p.from_array = array[0];
    p.from_at.x = 2; /* elements */
    p.extent[0] = 2;
    OK(cudaMemcpy3DPeerAsync(&p, NULL));
    OK(cuMemcpyAtoH_v2(h, array[1], 0, 12));
    EXPECT(h[0] == 10 && h[1] == 11 && h[2] == 102);
    p.to_device = devices;
    EXPECT(cudaMemcpy3DPeer(&p) == INVALID_DEVICE && cudaMemcpy3DPeer(NULL) == INVALID_VALUE);
}

int main(int argc, char **argv)
{
    devices = argc > 1 ? atoi(argv[1]) : 1;
    OK(cuInit(0));
    for (int i = 0; i < 2; i++)
        make(i);
    bytes();
    boxes();
    access();
    if (devices > 1)
        runtime();
    fputs("passed\n", stderr); /* nothing is launched, so that no report is printed */
    return 0;
}
