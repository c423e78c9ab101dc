/* Bilinear filtering by the texture unit and by hand, from the same pixels: the difference. The image
 * is drawn at twice its size, so that the weights are 1/4 and 3/4. */
__device__ float pixel(const float *p, int w, int h, int x, int y)
{
    x = min(max(x, 0), w - 1);
    y = min(max(y, 0), h - 1);
    return p[y * w + x];
}

__device__ float by_hand(const float *p, int w, int h, float x, float y)
{
    const float i = floorf(x - 0.5f), j = floorf(y - 0.5f), a = x - 0.5f - i, b = y - 0.5f - j;
    const int ix = (int)i, iy = (int)j;
    return (1 - a) * (1 - b) * pixel(p, w, h, ix, iy) + a * (1 - b) * pixel(p, w, h, ix + 1, iy) +
           (1 - a) * b * pixel(p, w, h, ix, iy + 1) + a * b * pixel(p, w, h, ix + 1, iy + 1);
}

extern "C" __global__ void against_loads(cudaTextureObject_t t, const float *p, int w, int h,
                                         float *difference)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    const float fx = 0.5f * x + 0.25f, fy = 0.5f * y + 0.25f;
    difference[y * 2 * w + x] = tex2D<float>(t, fx, fy) - by_hand(p, w, h, fx, fy);
}

extern "C" __global__ void one_by_one(cudaTextureObject_t t, const int *p, int *difference)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    difference[i] = tex1Dfetch<int>(t, i) - p[i];
}
