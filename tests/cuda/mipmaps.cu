// Mipmapped arrays: levels filled by copies and by surfaces; tex2DLod, tex2DGrad and their kin.
#include <cmath>

#include "check.cuh"

__global__ void halve(cudaTextureObject_t from, cudaSurfaceObject_t to, int width, int height)
{
    const int x = threadIdx.x, y = threadIdx.y;
    if (x < width && y < height)
        surf2Dwrite(tex2D<float>(from, (x + 0.5f) / width, (y + 0.5f) / height), to, 4 * x, y);
}

__global__ void fetch(cudaTextureObject_t t, float *out, float x, float y, float level)
{
    out[0] = tex2D<float>(t, x, y);
    out[1] = tex2DLod<float>(t, x, y, level);
    out[2] = tex2DGrad<float>(t, x, y, make_float2(exp2f(level) / 16, 0), make_float2(0, 0));
    out[3] = tex2DGrad<float>(t, x, y, make_float2(0, 0), make_float2(0, -exp2f(level) / 16));
}

__global__ void others(cudaTextureObject_t one, cudaTextureObject_t layers, cudaTextureObject_t volume,
                       cudaTextureObject_t cube, float *out, float level)
{
    const float d = exp2f(level) / 16;
    out[0] = tex1DLod<float>(one, 0.5f, level);
    out[1] = tex1DGrad<float>(one, 0.5f, d, 0);
    out[2] = tex2DLayeredLod<float>(layers, 0.5f, 0.5f, 1, level);
    out[3] = tex2DLayeredGrad<float>(layers, 0.5f, 0.5f, 1, make_float2(d, 0), make_float2(0, d));
    out[4] = tex3DLod<float>(volume, 0.5f, 0.5f, 0.5f, level);
    out[5] = tex3DGrad<float>(volume, 0.5f, 0.5f, 0.5f, make_float4(d, 0, 0, 0), make_float4(0, 0, d, 0));
    out[6] = texCubemapLod<float>(cube, 0, 0, 1, level);
    // a step of 2 d across the direction is one of d on the face
    out[7] = texCubemapGrad<float>(cube, 0, 0, 1, make_float4(2 * d, 0, 0, 0), make_float4(0, d, 0, 0));
}

static cudaTextureObject_t texture(cudaMipmappedArray_t m, float bias = 0, float most = 16)
{
    cudaTextureObject_t t;
    cudaResourceDesc r = {};
    cudaTextureDesc d = {};
    r.resType = cudaResourceTypeMipmappedArray;
    r.res.mipmap.mipmap = m;
    d.addressMode[0] = d.addressMode[1] = d.addressMode[2] = cudaAddressModeClamp;
    d.filterMode = d.mipmapFilterMode = cudaFilterModeLinear;
    d.normalizedCoords = 1;
    d.mipmapLevelBias = bias;
    d.maxMipmapLevelClamp = most;
    CHECK(cudaCreateTextureObject(&t, &r, &d, nullptr));
    return t;
}

static cudaTextureObject_t texture(cudaArray_t a)
{
    cudaTextureObject_t t;
    cudaResourceDesc r = {};
    cudaTextureDesc d = {};
    r.resType = cudaResourceTypeArray;
    r.res.array.array = a;
    d.filterMode = cudaFilterModeLinear;
    d.normalizedCoords = 1;
    CHECK(cudaCreateTextureObject(&t, &r, &d, nullptr));
    return t;
}

static cudaMipmappedArray_t make(cudaExtent size, unsigned flags, unsigned levels)
{
    const cudaChannelFormatDesc f = cudaCreateChannelDesc<float>();
    cudaMipmappedArray_t m;
    CHECK(cudaMallocMipmappedArray(&m, &f, size, levels, flags));
    return m;
}

// Level i is filled with 10 i, plus 1 in the second layer.
static cudaMipmappedArray_t steps(cudaExtent size, unsigned flags)
{
    static float v[16 * 16 * 16];
    const cudaMipmappedArray_t m = make(size, flags, 5);
    for (unsigned i = 0; i < 5; i++) {
        cudaArray_t a;
        cudaExtent found;
        cudaMemcpy3DParms p = {};
        CHECK(cudaGetMipmappedArrayLevel(&a, m, i));
        CHECK(cudaArrayGetInfo(nullptr, &found, nullptr, a));
        EXPECT(found.width == size.width >> i);
        EXPECT(found.depth == (flags ? size.depth : size.depth >> i));
        p.extent = make_cudaExtent(found.width, found.height ? found.height : 1, found.depth ? found.depth : 1);
        for (size_t k = 0; k < p.extent.width * p.extent.height * p.extent.depth; k++)
            v[k] = 10.0f * i + (flags == cudaArrayLayered && k >= p.extent.width * p.extent.height);
        p.srcPtr = make_cudaPitchedPtr(v, 4 * p.extent.width, p.extent.width, p.extent.height);
        p.dstArray = a;
        p.kind = cudaMemcpyHostToDevice;
        CHECK(cudaMemcpy3D(&p));
    }
    return m;
}

static void a_chain_made_by_kernels(float *out)
{
    float h[16 * 16], got[4];
    for (int i = 0; i < 256; i++)
        h[i] = (float)(i % 16 + 16 * (i / 16));
    const cudaMipmappedArray_t m = make(make_cudaExtent(16, 16, 0), cudaArraySurfaceLoadStore, 99);
    cudaArray_t level[5], none;
    for (unsigned i = 0; i < 5; i++)
        CHECK(cudaGetMipmappedArrayLevel(&level[i], m, i));
    EXPECT(cudaGetMipmappedArrayLevel(&none, m, 5) == cudaErrorInvalidValue); // 16, 8, 4, 2, 1
    cudaGetLastError();
    CHECK(cudaMemcpy2DToArray(level[0], 0, 0, h, 64, 64, 16, cudaMemcpyHostToDevice));
    for (int i = 1; i < 5; i++) {
        cudaResourceDesc r = {};
        r.resType = cudaResourceTypeArray;
        r.res.array.array = level[i];
        cudaSurfaceObject_t s;
        CHECK(cudaCreateSurfaceObject(&s, &r));
        halve<<<1, dim3(8, 8)>>>(texture(level[i - 1]), s, 16 >> i, 16 >> i);
    }
    // The mean of a linear function is its value in the middle: 7.5 + 16 * 7.5 at every level.
    for (float l : {0.0f, 1.0f, 2.5f, 4.0f}) {
        fetch<<<1, 1>>>(texture(m), out, 0.5f, 0.5f, l);
        CHECK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
        for (float v : got)
            EXPECT(v == 127.5f);
    }
    // At a corner each level has its own first texel, the mean of 2^i x 2^i texels.
    fetch<<<1, 1>>>(texture(m), out, 0, 0, 1.5f);
    CHECK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
    const float one = 0.5f + 16 * 0.5f, two = 1.5f + 16 * 1.5f;
    EXPECT(got[0] == 0 && got[1] == (one + two) / 2);
    EXPECT(fabsf(got[2] - (one + two) / 2) < 0.1f && got[3] == got[2]);
    fetch<<<1, 1>>>(texture(m, 1), out, 0, 0, 1); // the bias
    CHECK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
    EXPECT(got[1] == two);
    fetch<<<1, 1>>>(texture(m, 0, 1), out, 0, 0, 4); // the clamp
    CHECK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
    EXPECT(got[1] == one);
    CHECK(cudaFreeMipmappedArray(m));
}

int main()
{
    float *out, got[8];
    CHECK(cudaMalloc(&out, 64));
    a_chain_made_by_kernels(out);
    const cudaTextureObject_t one = texture(steps(make_cudaExtent(16, 0, 0), 0));
    const cudaTextureObject_t layers = texture(steps(make_cudaExtent(16, 16, 2), cudaArrayLayered));
    const cudaTextureObject_t volume = texture(steps(make_cudaExtent(16, 16, 16), 0));
    const cudaTextureObject_t cube = texture(steps(make_cudaExtent(16, 16, 6), cudaArrayCubemap));
    for (float l : {0.0f, 2.0f, 3.0f}) {
        others<<<1, 1>>>(one, layers, volume, cube, out, l);
        CHECK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
        for (int i = 0; i < 8; i++)
            EXPECT(got[i] == 10 * l + (i == 2 || i == 3));
    }
    puts("passed");
    return 0;
}
