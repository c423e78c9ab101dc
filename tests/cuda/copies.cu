// Copies and memset in one to three dimensions, pitched memory, directions, and what is refused.
#include <cstring>
#include <vector>

#include "check.cuh"

__global__ void transpose(const char *in, size_t pitch_in, char *out, size_t pitch_out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h)
        *(float *)(out + x * pitch_out + y * sizeof(float)) =
            *(const float *)(in + y * pitch_in + x * sizeof(float));
}

static void flat()
{
    char h[300], back[300], *d, *e;
    for (int i = 0; i < 300; i++)
        h[i] = (char)i;
    CHECK(cudaMalloc(&d, 300));
    CHECK(cudaMalloc(&e, 300));
    CHECK(cudaMemcpy(d, h, 300, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(e + 10, d + 3, 200, cudaMemcpyDeviceToDevice));
    CHECK(cudaMemset(e, -1, 10));
    CHECK(cudaMemcpy(back, e, 210, cudaMemcpyDefault));
    for (int i = 0; i < 210; i++)
        EXPECT(back[i] == (i < 10 ? -1 : (char)(i - 7)));
    CHECK(cudaMemcpy(back, h, 300, cudaMemcpyHostToHost));
    EXPECT(memcmp(back, h, 300) == 0);
    GIVES(cudaMemcpy(d, h, 301, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    GIVES(cudaMemcpy(back, h, 10, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
    GIVES(cudaMemset(d + 1, 0, 300), cudaErrorInvalidValue);
    GIVES(cudaFree(d + 1), cudaErrorInvalidValue);
    CHECK(cudaFree(d));
    GIVES(cudaFree(d), cudaErrorInvalidValue);
    CHECK(cudaFree(nullptr));
    GIVES(cudaPeekAtLastError(), cudaErrorInvalidValue);
    GIVES(cudaGetLastError(), cudaErrorInvalidValue);
    GIVES(cudaGetLastError(), cudaSuccess);
}

static void rows()
{
    const int w = 37, h = 21;
    std::vector<float> in(w * h), out(w * h);
    for (int i = 0; i < w * h; i++)
        in[i] = (float)i;
    char *a, *b;
    size_t pa, pb;
    CHECK(cudaMallocPitch(&a, &pa, w * sizeof(float), h));
    CHECK(cudaMallocPitch(&b, &pb, h * sizeof(float), w));
    EXPECT(pa >= w * sizeof(float) && pa % 256 == 0);
    CHECK(cudaMemset2D(b, pb, 0xff, h * sizeof(float), w));
    CHECK(cudaMemcpy2D(a, pa, in.data(), w * sizeof(float), w * sizeof(float), h,
                       cudaMemcpyHostToDevice));
    transpose<<<dim3(3, 2), dim3(16, 16)>>>(a, pa, b, pb, w, h);
    CHECK(cudaMemcpy2D(out.data(), h * sizeof(float), b, pb, h * sizeof(float), w,
                       cudaMemcpyDeviceToHost));
    for (int x = 0; x < w; x++)
        for (int y = 0; y < h; y++)
            EXPECT(out[x * h + y] == in[y * w + x]);
    /* Nothing to copy: done at once, however many rows there are of it. */
    CHECK(cudaMemcpy2D(a, pa, in.data(), 8, 0, (size_t)-1, cudaMemcpyHostToDevice));
    CHECK(cudaMemset2D(a, pa, 0, 0, (size_t)-1));
    GIVES(cudaMemcpy2D(a, 4, in.data(), 8, 8, 2, cudaMemcpyHostToDevice), cudaErrorInvalidPitchValue);
    cudaGetLastError();
}

static void boxes()
{
    const size_t w = 10, h = 6, d = 4;
    std::vector<char> in(w * h * d), out(w * h * d, 0);
    for (size_t i = 0; i < in.size(); i++)
        in[i] = (char)i;
    cudaPitchedPtr p;
    CHECK(cudaMalloc3D(&p, make_cudaExtent(w, h, d)));
    CHECK(cudaMemset3D(p, 0x55, make_cudaExtent(w, h, d)));
    cudaMemcpy3DParms c = {};
    c.srcPtr = make_cudaPitchedPtr(in.data(), w, w, h);
    c.dstPtr = p;
    c.extent = make_cudaExtent(w - 2, h - 1, d - 1);
    c.srcPos = make_cudaPos(2, 1, 1);
    c.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&c));
    cudaMemcpy3DParms r = {};
    r.srcPtr = p;
    r.dstPtr = make_cudaPitchedPtr(out.data(), w, w, h);
    r.extent = make_cudaExtent(w, h, d);
    r.kind = cudaMemcpyDeviceToHost;
    CHECK(cudaMemcpy3D(&r));
    for (size_t z = 0; z < d; z++)
        for (size_t y = 0; y < h; y++)
            for (size_t x = 0; x < w; x++) {
                bool copied = x < w - 2 && y < h - 1 && z < d - 1;
                EXPECT(out[(z * h + y) * w + x] ==
                       (copied ? in[((z + 1) * h + y + 1) * w + x + 2] : 0x55));
            }
}

int main()
{
    flat();
    rows();
    boxes();
    puts("passed");
}
