// blackscholes.cu -- prices of European options by the closed formula of Black and Scholes, with
// the cumulative normal distribution as a polynomial (Abramowitz and Stegun, 26.2.17). A fixed grid
// strides over all options.
// PTX: clang-14 -x cuda --cuda-device-only --cuda-gpu-arch=sm_20 -nocudainc -nocudalib -O2 -Wno-unknown-cuda-version -S blackscholes.cu -o blackscholes.ptx
#include "../simt.cuh"

static __device__ inline float normal(float d)
{
    float magnitude = d < 0.0f ? -d : d;
    float t = __fdividef(1.0f, 1.0f + 0.2316419f * magnitude);
    float poly =
        t * (0.31938153f +
             t * (-0.356563782f + t * (1.781477937f + t * (-1.821255978f + t * 1.330274429f))));
    float tail = 0.39894228f * __expf(-0.5f * d * d) * poly;
    return d > 0.0f ? 1.0f - tail : tail;
}

extern "C" __global__ void black_scholes(float *call, float *put, const float *price,
                                         const float *strike, const float *years, float rate,
                                         float volatility, int options)
{
    int stride = blockDim.x * gridDim.x;
    for (int i = blockDim.x * blockIdx.x + threadIdx.x; i < options; i += stride) {
        float s = price[i], x = strike[i], t = years[i];
        float spread = volatility * sqrtf(t);
        float d1 = __fdividef(__logf(__fdividef(s, x)) +
                                  (rate + 0.5f * volatility * volatility) * t,
                              spread);
        float up = normal(d1), down = normal(d1 - spread);
        float discounted = x * __expf(-rate * t);
        call[i] = s * up - discounted * down;
        put[i] = discounted * (1.0f - down) - s * (1.0f - up);
    }
}
