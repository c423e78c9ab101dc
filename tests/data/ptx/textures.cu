/* Every way of fetching that CUDA C++ has: one thread a coordinate, four channels a result. Surfaces
 * of every geometry. */
typedef cudaTextureObject_t tex;
typedef cudaSurfaceObject_t surf;

#define FETCH(name, call)                                                            \
    extern "C" __global__ void name(tex t, const float4 *at, float4 *out)            \
    {                                                                                \
        const float4 c = at[threadIdx.x];                                            \
        out[threadIdx.x] = call;                                                     \
    }

FETCH(linear_memory, tex1Dfetch<float4>(t, (int)c.x))
FETCH(sample_1d, tex1D<float4>(t, c.x))
FETCH(sample_2d, tex2D<float4>(t, c.x, c.y))
FETCH(sample_3d, tex3D<float4>(t, c.x, c.y, c.z))
FETCH(sample_a1d, tex1DLayered<float4>(t, c.x, (int)c.w))
FETCH(sample_a2d, tex2DLayered<float4>(t, c.x, c.y, (int)c.w))
FETCH(sample_cube, texCubemap<float4>(t, c.x, c.y, c.z))
FETCH(sample_acube, texCubemapLayered<float4>(t, c.x, c.y, c.z, (int)c.w))
FETCH(sample_lod, tex2DLod<float4>(t, c.x, c.y, c.w))
FETCH(gather_r, tex2Dgather<float4>(t, c.x, c.y, 0))

extern "C" __global__ void bytes_of_linear_memory(tex t, int n, int4 *out)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        const uchar4 v = tex1Dfetch<uchar4>(t, i);
        out[i] = make_int4(v.x, v.y, v.z, v.w);
    }
}

extern "C" __global__ void shorts_of_an_image(tex t, int2 *out)
{
    const short2 v = tex2D<short2>(t, threadIdx.x, blockIdx.x);
    out[blockIdx.x * blockDim.x + threadIdx.x] = make_int2(v.x, v.y);
}

/* dst = 2 x src, one CTA a row; beyond the edge on the right: zero, and dropped. */
extern "C" __global__ void double_surface(surf src, surf dst)
{
    const int x = threadIdx.x, y = blockIdx.x;
    surf2Dwrite(2 * surf2Dread<float>(src, 4 * x, y, cudaBoundaryModeZero), dst, 4 * x, y,
                cudaBoundaryModeZero);
}

/* Byte x of row y, slice or layer z, from the nearest place. */
extern "C" __global__ void clamp_surface(surf one, surf two, surf three, surf layers, int4 at,
                                         uint4 *out)
{
    out->x = surf1Dread<unsigned char>(one, at.x, cudaBoundaryModeClamp);
    out->y = surf2Dread<unsigned short>(two, at.x, at.y, cudaBoundaryModeClamp);
    out->z = surf3Dread<uint2>(three, at.x, at.y, at.z, cudaBoundaryModeClamp).y;
    out->w = surf2DLayeredread<uint4>(layers, at.x, at.y, at.z, cudaBoundaryModeClamp).w;
}

extern "C" __global__ void store_past_the_end(surf s, int x)
{
    surf1Dwrite(1.0f, s, 4 * x);
}
