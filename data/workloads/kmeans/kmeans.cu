// kmeans.cu -- k-means clustering: the points arrive point by point, as they lie in the input file;
// kmeans_transpose turns them feature by feature, so that neighbouring threads then read
// neighbouring words; kmeans_nearest finds each point's nearest centre. The host moves the centres.
// PTX: clang-14 -x cuda --cuda-device-only --cuda-gpu-arch=sm_20 -nocudainc -nocudalib -O2 -Wno-unknown-cuda-version -S kmeans.cu -o kmeans.ptx
#include "../simt.cuh"

#define CENTRE_WORDS 4096 // features times clusters at most

__constant__ float kmeans_centre[CENTRE_WORDS];

// One thread a point: it walks its own row, a lane's words stay in one or two lines for a while.
extern "C" __global__ void kmeans_transpose(float *by_feature, const float *by_point, int points,
                                            int features)
{
    int p = blockDim.x * blockIdx.x + threadIdx.x;
    if (p >= points)
        return;
    for (int f = 0; f < features; f++)
        by_feature[f * points + p] = by_point[p * features + f];
}

// One thread a point, which passes over the point's features once for each cluster.
extern "C" __global__ void kmeans_nearest(int *nearest, const float *by_feature, int points,
                                          int features, int clusters)
{
    int p = blockDim.x * blockIdx.x + threadIdx.x;
    if (p >= points)
        return;
    float best = 3.4e38f;
    int which = 0;
    for (int c = 0; c < clusters; c++) {
        float distance = 0.0f;
#pragma unroll 1
        for (int f = 0; f < features; f++) {
            float d = by_feature[f * points + p] - kmeans_centre[c * features + f];
            distance += d * d;
        }
        if (distance < best) {
            best = distance;
            which = c;
        }
    }
    nearest[p] = which;
}
