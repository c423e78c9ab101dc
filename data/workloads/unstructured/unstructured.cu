// unstructured.cu -- fluid dynamics on an unstructured mesh, one thread a node: what the flow through the
// faces carries to a node, and what diffuses there. A node's VARS quantities lie together; face k of node
// v is faces[k * nodes + v], so that neighbouring threads read neighbouring words.
// The launch bounds ask for registers to be spared so that 8 CTAs of 6 warps fit on a core.
// PTX: clang-14 -x cuda --cuda-device-only --cuda-gpu-arch=sm_20 -nocudainc -nocudalib -O2 -Wno-unknown-cuda-version -S unstructured.cu -o unstructured.ptx
#include "../simt.cuh"

#define VARS 5

struct face { // towards a neighbour
    int node;
    float inflow; // share of the node's volume that comes from there in a time step
};

extern "C" __global__ void __launch_bounds__(192, 8)
    unstructured_step(float *next, const float *state, const int *count, const face *faces, int nodes)
{
    int v = blockDim.x * blockIdx.x + threadIdx.x;
    if (v >= nodes)
        return;
    float s0 = 0.0f, s1 = 0.0f, s2 = 0.0f, s3 = 0.0f, s4 = 0.0f, all = 0.0f;
    int end = v + nodes * count[v];
    for (int k = v; k < end; k += nodes) {
        const float *from = state + VARS * faces[k].node;
        float share = faces[k].inflow;
        all += share;
        float rho = from[0], mx = from[1];
        s0 += share * rho;
        s1 += share * mx;
        s2 += share * from[2];
        s3 += share * from[3];
        s4 += share * from[4];
    }
    const float *own = state + VARS * v;
    float *to = next + VARS * v, stays = 1.0f - all;
    to[0] = stays * own[0] + s0;
    to[1] = stays * own[1] + s1;
    to[2] = stays * own[2] + s2;
    to[3] = stays * own[3] + s3;
    to[4] = stays * own[4] + s4;
}
