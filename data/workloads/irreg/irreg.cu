// irreg.cu -- relaxation of a partial differential equation on an irregular mesh, one thread a node: a
// node's value moves towards its neighbours', by the weights of the edges to them.
// PTX: clang-14 -x cuda --cuda-device-only --cuda-gpu-arch=sm_20 -nocudainc -nocudalib -O2 -Wno-unknown-cuda-version -S irreg.cu -o irreg.ptx
#include "../simt.cuh"

struct link { // to a neighbour
    int node;
    float weight;
};

extern "C" __global__ void irreg_sweep(float *out, const float *x, const int *first, const link *links,
                                       int nodes)
{
    int v = blockDim.x * blockIdx.x + threadIdx.x;
    if (v >= nodes)
        return;
    float own = x[v], sum = 0.0f;
    int end = first[v + 1];
    for (int k = first[v]; k < end; k++)
        sum += links[k].weight * (x[links[k].node] - own);
    out[v] = own + sum;
}
