// lmd.cu -- forces between particles in boxes, double precision: a CTA has one box. It takes the
// boxes within reach one after the other, itself first, copies their particles into shared memory,
// and each thread adds up what they do to its own particles. The potential falls as
// exp(-(alpha r)^2), so that only boxes that touch matter.
// PTX: clang-14 -x cuda --cuda-device-only --cuda-gpu-arch=sm_20 -nocudainc -nocudalib -O2 -Wno-unknown-cuda-version -S lmd.cu -o lmd.ptx
#include "../simt.cuh"

#define MOST      100 // particles of a box at most
#define NEIGHBOURS 26

struct __attribute__((aligned(16))) vec4 {
    double v, x, y, z; // of a particle's place, v = (x^2 + y^2 + z^2) / 2; or potential and force
};

struct box {
    int first, neighbours; // its first particle; how many boxes touch it
    int neighbour[NEIGHBOURS];
};

extern "C" __global__ void lmd_forces(vec4 *force, const vec4 *place, const double *charge,
                                      const box *boxes, int each, double alpha)
{
    __shared__ vec4 own[MOST], other[MOST];
    __shared__ double other_charge[MOST];
    const box *home = boxes + blockIdx.x;
    int threads = blockDim.x, first = home->first, neighbours = home->neighbours;
    double alpha2 = 2.0 * alpha * alpha;
    for (int i = threadIdx.x; i < each; i += threads)
        own[i] = place[first + i];
    for (int k = -1; k < neighbours; k++) {
        int from = k < 0 ? first : boxes[home->neighbour[k]].first;
        for (int i = threadIdx.x; i < each; i += threads) {
            other[i] = place[from + i];
            other_charge[i] = charge[from + i];
        }
        __syncthreads();
        for (int i = threadIdx.x; i < each; i += threads) {
            vec4 at = own[i], sum = force[first + i];
            for (int j = 0; j < each; j++) {
                vec4 o = other[j];
                double half_r2 = at.v + o.v - (at.x * o.x + at.y * o.y + at.z * o.z);
                double weight = other_charge[j] * exp(-alpha2 * half_r2), push = 2.0 * weight;
                sum.v += weight;
                sum.x += push * (at.x - o.x);
                sum.y += push * (at.y - o.y);
                sum.z += push * (at.z - o.z);
            }
            force[first + i] = sum;
        }
        __syncthreads();
    }
}
