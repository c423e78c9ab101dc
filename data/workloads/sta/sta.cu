// sta.cu -- static timing analysis, one launch a level, one thread a gate. Forward: when a gate's output
// has settled, from its inputs. Backward: when it has to have settled, from the gates it feeds. Nets
// carry their delay, gates theirs. What is left between the two times is the slack.
// PTX: clang-14 -x cuda --cuda-device-only --cuda-gpu-arch=sm_20 -nocudainc -nocudalib -O2 -Wno-unknown-cuda-version -S sta.cu -o sta.ptx
#include "../simt.cuh"

struct net { // to or from a gate
    int gate;
    float delay;
};

extern "C" __global__ void sta_arrive(float *arrival, const int *level, const float *cell,
                                      const int *first, const net *in, int now, int gates)
{
    int g = blockDim.x * blockIdx.x + threadIdx.x;
    if (g >= gates || level[g] != now)
        return;
    float latest = 0.0f;
    int end = first[g + 1];
    for (int k = first[g]; k < end; k++) {
        float t = arrival[in[k].gate] + in[k].delay;
        latest = t > latest ? t : latest;
    }
    arrival[g] = latest + cell[g];
}

extern "C" __global__ void sta_require(float *required, const int *level, const float *cell,
                                       const int *first, const net *out, int now, float period,
                                       int gates)
{
    int g = blockDim.x * blockIdx.x + threadIdx.x;
    if (g >= gates || level[g] != now)
        return;
    float soonest = period;
    int end = first[g + 1];
    for (int k = first[g]; k < end; k++) {
        int o = out[k].gate;
        float t = required[o] - cell[o] - out[k].delay;
        soonest = t < soonest ? t : soonest;
    }
    required[g] = soonest;
}

extern "C" __global__ void sta_slack(float *slack, const float *required, const float *arrival, int gates)
{
    int g = blockDim.x * blockIdx.x + threadIdx.x;
    if (g < gates)
        slack[g] = required[g] - arrival[g];
}
