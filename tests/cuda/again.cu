// The same launch many times: whatever changes in between, results are as if each were executed.
#include <cstring>

#include "check.cuh"

__constant__ int add;
__device__ int total;

__global__ void twice(const int *in, int *out)
{
    out[threadIdx.x] = 2 * in[threadIdx.x] + add;
}
__global__ void grow(int *x)
{
    x[threadIdx.x]++;
}
__global__ void count(int *sum)
{
    atomicAdd(sum, 1);
}
__global__ void hello(int *out)
{
    *out = printf("x");
}
__global__ void fetch(cudaTextureObject_t t, int *out)
{
    out[threadIdx.x] = tex1Dfetch<int>(t, threadIdx.x);
}
__global__ void paint(cudaSurfaceObject_t s, const int *in)
{
    surf2Dwrite(in[threadIdx.x], s, threadIdx.x * 4, 0);
}
__global__ void store_total(const int *in)
{
    total = in[1];
}

static int *in, *out, got[32];

static int second()
{
    CHECK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
    return got[1];
}
static int after_twice()
{
    twice<<<1, 32>>>(in, out);
    return second();
}
static void put(int *to, int value)
{
    CHECK(cudaMemcpy(to + 1, &value, sizeof value, cudaMemcpyHostToDevice));
}

static void host_changes()
{
    for (int i = 0; i < 100; i++)
        EXPECT(after_twice() == 0);
    put(in, 5);
    EXPECT(after_twice() == 10);
    put(out, 99);
    EXPECT(after_twice() == 10);
    CHECK(cudaMemset(out, 0, 128));
    EXPECT(after_twice() == 10);
    CHECK(cudaMemset2D(in, 64, 0, 32, 2));
    EXPECT(after_twice() == 0);
    put(out, 7);
    CHECK(cudaMemcpy(in, out, 128, cudaMemcpyDeviceToDevice));
    EXPECT(after_twice() == 14);
    int rows[32] = {0, 3};
    CHECK(cudaMemcpy2D(in, 64, rows, 64, 64, 2, cudaMemcpyHostToDevice));
    EXPECT(after_twice() == 6);
    CHECK(cudaMemsetAsync(in, 0, 128));
    EXPECT(after_twice() == 0);
    int one = 1;
    CHECK(cudaMemcpyToSymbol(add, &one, sizeof one));
    EXPECT(after_twice() == 1);
    one = 0;
    CHECK(cudaMemcpyToSymbol(add, &one, sizeof one));
    EXPECT(after_twice() == 0);
    CHECK(cudaFree(in));
    CHECK(cudaMalloc(&in, 128)); // the same address
    put(in, 4);
    EXPECT(after_twice() == 8);
}

static void kernels_change()
{
    for (int i = 1; i <= 50; i++) {
        grow<<<1, 32>>>(in);
        EXPECT(after_twice() == 8 + 2 * i);
    }
    CHECK(cudaMemset(out, 0, 128));
    for (int i = 0; i < 50; i++)
        count<<<1, 32>>>(out + 1);
    EXPECT(second() == 1600);
    for (int i = 0; i < 5; i++)
        hello<<<1, 1>>>(out);
    CHECK(cudaDeviceSynchronize());
    puts("");
    int at = 0, zero = 0;
    for (int i = 0; i < 3; i++) {
        store_total<<<1, 1>>>(in);
        CHECK(cudaMemcpyFromSymbol(&at, total, sizeof at));
        EXPECT(at == 54);
        CHECK(cudaMemcpyToSymbol(total, &zero, sizeof zero));
    }
}

static void shared_with_the_host()
{
    int *managed, *pinned, *device_side;
    CHECK(cudaMallocManaged(&managed, 128));
    CHECK(cudaHostAlloc(&pinned, 128, cudaHostAllocMapped));
    CHECK(cudaHostGetDevicePointer(&device_side, pinned, 0));
    for (int i = 0; i < 5; i++) {
        managed[1] = i;
        twice<<<1, 32>>>(managed, out);
        EXPECT(second() == 2 * i);
        twice<<<1, 32>>>(out, device_side);
        CHECK(cudaDeviceSynchronize());
        EXPECT(pinned[1] == 4 * i);
        pinned[1] = -1;
    }
}

static void textures_change()
{
    cudaResourceDesc r = {};
    cudaTextureDesc how = {};
    cudaTextureObject_t t;
    r.resType = cudaResourceTypeLinear;
    r.res.linear.devPtr = in;
    r.res.linear.desc = cudaCreateChannelDesc<int>();
    r.res.linear.sizeInBytes = 128;
    CHECK(cudaCreateTextureObject(&t, &r, &how, nullptr));
    for (int i = 0; i < 5; i++) {
        put(in, i);
        fetch<<<1, 32>>>(t, out);
        EXPECT(second() == i);
    }
    cudaArray_t a;
    cudaSurfaceObject_t s;
    CHECK(cudaMallocArray(&a, &r.res.linear.desc, 32, 1, cudaArraySurfaceLoadStore));
    r.resType = cudaResourceTypeArray;
    r.res.array.array = a;
    CHECK(cudaCreateSurfaceObject(&s, &r));
    for (int i = 0; i < 5; i++) {
        paint<<<1, 32>>>(s, in);
        CHECK(cudaMemcpy2DFromArray(got, 128, a, 0, 0, 128, 1, cudaMemcpyDeviceToHost));
        EXPECT(got[1] == 4);
        memset(got, 0, sizeof got);
        CHECK(cudaMemcpy2DToArray(a, 0, 0, got, 128, 128, 1, cudaMemcpyHostToDevice));
    }
}

// A benchmark's loop: its input comes anew every time, one kernel works in place, the next one on
// what it left. The first two iterations are executed.
static void sequence()
{
    for (int i = 0; i < 20; i++) {
        CHECK(cudaMemset(in, 0, 128));
        put(in, 5);
        grow<<<1, 32>>>(in);
        EXPECT(after_twice() == 12);
    }
    put(in, 6);
    grow<<<1, 32>>>(in);
    EXPECT(after_twice() == 14);
}

int main(int argc, char **)
{
    CHECK(cudaMalloc(&in, 128));
    CHECK(cudaMalloc(&out, 128));
    CHECK(cudaMemset(in, 0, 128));
    if (argc > 1) {
        sequence();
        puts("passed");
        return 0;
    }
    host_changes();
    kernels_change();
    shared_with_the_host();
    textures_change();
    puts("passed");
}
