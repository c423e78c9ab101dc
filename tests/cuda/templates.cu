// Kernel templates, overloads, arguments by value: structs, bytes, a large one.
#include <vector>

#include "check.cuh"

template <typename T> struct axis {
    T x, y;
};
struct large {
    int v[64];
    char tag;
};

template <typename T, int N> __global__ void scale(T *out, axis<T> a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = out[i] * a.x + a.y * N;
}
__global__ void scale(short *out, char by)
{
    out[threadIdx.x] *= by;
}
__global__ void unpack(int *out, char pad, large l)
{
    out[threadIdx.x] = l.v[threadIdx.x] + l.tag + pad;
}

template <typename T> static void run(T x, T y)
{
    const int n = 1000;
    std::vector<T> h(n);
    for (int i = 0; i < n; i++)
        h[i] = T(i);
    T *d;
    CHECK(cudaMalloc(&d, n * sizeof(T)));
    CHECK(cudaMemcpy(d, h.data(), n * sizeof(T), cudaMemcpyHostToDevice));
    scale<T, 3><<<(n + 127) / 128, 128>>>(d, axis<T>{x, y}, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), d, n * sizeof(T), cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++)
        EXPECT(h[i] == T(i) * x + y * 3);
    CHECK(cudaFree(d));
}

int main()
{
    run<float>(2, 5);
    run<double>(0.5, -1);
    run<long long>(3, 1LL << 40);
    short s[32], *ds;
    for (int i = 0; i < 32; i++)
        s[i] = (short)i;
    CHECK(cudaMalloc(&ds, sizeof s));
    CHECK(cudaMemcpy(ds, s, sizeof s, cudaMemcpyHostToDevice));
    scale<<<1, 32>>>(ds, (char)-3);
    CHECK(cudaMemcpy(s, ds, sizeof s, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 32; i++)
        EXPECT(s[i] == -3 * i);
    large l;
    for (int i = 0; i < 64; i++)
        l.v[i] = 100 * i;
    l.tag = 7;
    int out[64], *dout;
    CHECK(cudaMalloc(&dout, sizeof out));
    unpack<<<1, 64>>>(dout, 2, l);
    CHECK(cudaMemcpy(out, dout, sizeof out, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 64; i++)
        EXPECT(out[i] == 100 * i + 9);
    puts("passed");
}
