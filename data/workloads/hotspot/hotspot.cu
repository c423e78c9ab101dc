// hotspot.cu -- explicit time steps of heat flow on a chip, several a launch: a CTA computes `steps`
// of them on its tile in shared memory, where the part that is still right shrinks by one cell a
// step on each side that isn't the chip's edge, and writes the middle. No heat flows over the edge.
// PTX: clang-14 -x cuda --cuda-device-only --cuda-gpu-arch=sm_20 -nocudainc -nocudalib -O2 -Wno-unknown-cuda-version -S hotspot.cu -o hotspot.ptx
#include "../simt.cuh"

#define TILE 16

struct flow { // of one time step
    float x, y, z, power; // share of the difference to a neighbour, to the air; degrees a watt
};

extern "C" __global__ void hotspot_steps(float *to, const float *from, const float *power, int side,
                                         int steps, float ambient, flow k)
{
    __shared__ float now[TILE][TILE], next[TILE][TILE], watts[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y, inner = TILE - 2 * steps;
    int left = (int)blockIdx.x * inner - steps, top = (int)blockIdx.y * inner - steps; // of the tile
    int x = left + tx, y = top + ty, cell = y * side + x;
    bool on_chip = x >= 0 && x < side && y >= 0 && y < side;
    if (on_chip) {
        now[ty][tx] = from[cell];
        watts[ty][tx] = power[cell];
    }
    // beyond the chip's edge stands the cell itself
    int west = x > 0 ? tx - 1 : tx, east = x < side - 1 ? tx + 1 : tx;
    int north = y > 0 ? ty - 1 : ty, south = y < side - 1 ? ty + 1 : ty;
    __syncthreads();
    bool right = false;
    for (int s = 1; s <= steps; s++) {
        right = on_chip && tx >= s && tx < TILE - s && ty >= s && ty < TILE - s;
        if (right) {
            float t = now[ty][tx];
            next[ty][tx] = t + (k.power * watts[ty][tx] +
                                k.y * (now[south][tx] + now[north][tx] - 2.0f * t) +
                                k.x * (now[ty][east] + now[ty][west] - 2.0f * t) +
                                k.z * (ambient - t));
        }
        __syncthreads();
        if (right)
            now[ty][tx] = next[ty][tx];
        __syncthreads();
    }
    if (right)
        to[cell] = now[ty][tx];
}
