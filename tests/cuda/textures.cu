// Texture objects over linear memory, rows and arrays; point and linear filtering; surfaces.
#include <cmath>

#include "check.cuh"

__global__ void linear(cudaTextureObject_t t, float *out)
{
    out[threadIdx.x] = tex1Dfetch<float>(t, 63 - threadIdx.x);
}
__global__ void bytes(cudaTextureObject_t t, float4 *out)
{
    out[threadIdx.x] = tex1Dfetch<float4>(t, threadIdx.x);
}
__global__ void plane(cudaTextureObject_t t, float *out, float dx, float dy, float scale)
{
    int x = threadIdx.x, y = threadIdx.y;
    out[y * blockDim.x + x] = tex2D<float>(t, (x + dx) * scale, (y + dy) * scale);
}
__global__ void volume(cudaTextureObject_t t, int *out)
{
    int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
    out[(z * 4 + y) * 8 + x] = tex3D<int>(t, x + 0.5f, y + 0.5f, z + 0.5f);
}
__global__ void write(cudaSurfaceObject_t s)
{
    int x = threadIdx.x, y = threadIdx.y;
    float v = surf2Dread<float>(s, x * 4, y);
    surf2Dwrite(v * 10 + 1, s, x * 4, y);
}

static cudaTextureObject_t make(const cudaResourceDesc &r, cudaTextureFilterMode filter,
                                cudaTextureReadMode read, bool normalized)
{
    cudaTextureObject_t t;
    cudaTextureDesc d = {};
    d.addressMode[0] = d.addressMode[1] = d.addressMode[2] = cudaAddressModeClamp;
    d.filterMode = filter;
    d.readMode = read;
    d.normalizedCoords = normalized;
    CHECK(cudaCreateTextureObject(&t, &r, &d, nullptr));
    return t;
}

int main()
{
    float h[64], out[64], *d, *o;
    for (int i = 0; i < 64; i++)
        h[i] = (float)(i * i);
    CHECK(cudaMalloc(&d, 512 * 8));
    CHECK(cudaMalloc(&o, 64 * sizeof(float4)));
    // linear memory
    CHECK(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeLinear;
    r.res.linear.devPtr = d;
    r.res.linear.desc = cudaCreateChannelDesc<float>();
    r.res.linear.sizeInBytes = sizeof h;
    cudaTextureObject_t t = make(r, cudaFilterModePoint, cudaReadModeElementType, false);
    linear<<<1, 64>>>(t, o);
    CHECK(cudaMemcpy(out, o, sizeof out, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 64; i++)
        EXPECT(out[i] == h[63 - i]);
    CHECK(cudaDestroyTextureObject(t));
    // bytes read as fractions of 255
    unsigned char b[64];
    for (int i = 0; i < 64; i++)
        b[i] = (unsigned char)(4 * i);
    CHECK(cudaMemcpy(d, b, sizeof b, cudaMemcpyHostToDevice));
    r.res.linear.desc = cudaCreateChannelDesc<uchar4>();
    r.res.linear.sizeInBytes = sizeof b;
    t = make(r, cudaFilterModePoint, cudaReadModeNormalizedFloat, false);
    bytes<<<1, 16>>>(t, (float4 *)o);
    CHECK(cudaMemcpy(out, o, sizeof out, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 64; i++)
        EXPECT(fabsf(out[i] - (float)(4 * i) / 255) < 1e-6f);
    // memory lies where the device's attributes promise that it may
    const cudaTextureDesc plain = {};
    r.res.linear.devPtr = d + 1;
    EXPECT(cudaCreateTextureObject(&t, &r, &plain, nullptr) == cudaErrorInvalidValue);
    r = {};
    r.resType = cudaResourceTypePitch2D;
    r.res.pitch2D = {d, cudaCreateChannelDesc<float>(), 8, 4, 512 + 4};
    EXPECT(cudaCreateTextureObject(&t, &r, &plain, nullptr) == cudaErrorInvalidValue);
    r.res.pitch2D = {d + 1, cudaCreateChannelDesc<float>(), 8, 4, 512};
    EXPECT(cudaCreateTextureObject(&t, &r, &plain, nullptr) == cudaErrorInvalidValue);
    // integers: as fractions up to 16 bits, filtered as fractions alone
    cudaTextureDesc how = {};
    how.readMode = cudaReadModeNormalizedFloat;
    r.res.pitch2D = {d, cudaCreateChannelDesc<int>(), 8, 4, 512};
    EXPECT(cudaCreateTextureObject(&t, &r, &how, nullptr) == cudaErrorInvalidNormSetting);
    how.readMode = cudaReadModeElementType;
    how.filterMode = cudaFilterModeLinear;
    EXPECT(cudaCreateTextureObject(&t, &r, &how, nullptr) == cudaErrorInvalidFilterSetting);
    // rows of pitched memory, in texels
    r = {};
    r.resType = cudaResourceTypePitch2D;
    r.res.pitch2D = {d, cudaCreateChannelDesc<float>(), 8, 8, 512};
    CHECK(cudaMemcpy2D(d, 512, h, 32, 32, 8, cudaMemcpyHostToDevice));
    t = make(r, cudaFilterModePoint, cudaReadModeElementType, false);
    plane<<<1, dim3(8, 8)>>>(t, o, 1.5f, -0.5f, 1);
    CHECK(cudaMemcpy(out, o, sizeof out, cudaMemcpyDeviceToHost));
    for (int y = 0; y < 8; y++)
        for (int x = 0; x < 8; x++)
            EXPECT(out[y * 8 + x] == h[(y ? y - 1 : 0) * 8 + (x < 7 ? x + 1 : 7)]);
    // an array, linearly filtered, normalized coordinates: between texels their mean
    cudaArray_t a;
    cudaChannelFormatDesc f = cudaCreateChannelDesc<float>(), found;
    cudaExtent size;
    CHECK(cudaMallocArray(&a, &f, 8, 8, cudaArraySurfaceLoadStore));
    CHECK(cudaArrayGetInfo(&found, &size, nullptr, a));
    EXPECT(found.x == 32 && found.f == cudaChannelFormatKindFloat && size.width == 8);
    CHECK(cudaMemcpy2DToArray(a, 0, 0, h, 32, 32, 8, cudaMemcpyHostToDevice));
    r = {};
    r.resType = cudaResourceTypeArray;
    r.res.array.array = a;
    t = make(r, cudaFilterModeLinear, cudaReadModeElementType, true);
    plane<<<1, dim3(8, 8)>>>(t, o, 1, 0.5f, 0.125f);
    CHECK(cudaMemcpy(out, o, sizeof out, cudaMemcpyDeviceToHost));
    for (int y = 0; y < 8; y++)
        for (int x = 0; x < 8; x++) {
            float right = h[y * 8 + (x < 7 ? x + 1 : 7)];
            EXPECT(out[y * 8 + x] == (h[y * 8 + x] + right) / 2);
        }
    // the same array as a surface
    cudaSurfaceObject_t s;
    CHECK(cudaCreateSurfaceObject(&s, &r));
    write<<<1, dim3(8, 8)>>>(s);
    CHECK(cudaMemcpy2DFromArray(out, 32, a, 0, 0, 32, 8, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 64; i++)
        EXPECT(out[i] == h[i] * 10 + 1);
    CHECK(cudaDestroySurfaceObject(s));
    CHECK(cudaFreeArray(a));
    // three dimensions
    int box[96], got[96];
    for (int i = 0; i < 96; i++)
        box[i] = 7 * i;
    f = cudaCreateChannelDesc<int>();
    CHECK(cudaMalloc3DArray(&a, &f, make_cudaExtent(8, 4, 3)));
    cudaMemcpy3DParms p = {};
    p.srcPtr = make_cudaPitchedPtr(box, 32, 8, 4);
    p.dstArray = a;
    p.extent = make_cudaExtent(8, 4, 3);
    p.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&p));
    r.res.array.array = a;
    t = make(r, cudaFilterModePoint, cudaReadModeElementType, false);
    volume<<<1, dim3(8, 4, 3)>>>(t, (int *)o);
    CHECK(cudaMemcpy(got, o, sizeof got, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 96; i++)
        EXPECT(got[i] == box[i]);
    puts("passed");
}
