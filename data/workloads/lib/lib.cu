// lib.cu -- LIBOR market model by Monte Carlo, and its Greeks by adjoints (Giles and Glasserman,
// Risk 2006): each thread evolves forward rates along a path of random shocks and prices a portfolio
// of swaptions at the end. A path's rates are an array in local memory; for the Greeks every step's
// are kept, and the thread goes back through them.
// PTX: clang-14 -x cuda --cuda-device-only --cuda-gpu-arch=sm_20 -nocudainc -nocudalib -O2 -Wno-unknown-cuda-version -S lib.cu -o lib.ptx
#include "../simt.cuh"

#define RATES   80 // at most
#define STEPS   40 // at most
#define OPTIONS 15
#define DELTA   0.25f // years between two rates' maturities, and of a step

__constant__ float lib_volatility[RATES], lib_start[RATES], lib_strike[OPTIONS];
__constant__ int lib_maturity[OPTIONS]; // in rates after the last step

static __device__ inline float discounted(float x, float rate)
{
    return __fdividef(x, 1.0f + DELTA * rate);
}

// Step n moves the rates behind the n-th: next = now in lib_value.
static __device__ inline void step(float *next, const float *now, int n, int rates, float normal)
{
    float drift = 0.0f, shock = 0.5f * normal; // 0.5: the root of DELTA
    for (int i = n + 1; i < rates; i++) {
        float volatility = lib_volatility[i - n - 1], per_step = DELTA * volatility, rate = now[i];
        drift += discounted(per_step * rate, rate);
        next[i] = rate * __expf(per_step * drift + volatility * (shock - 0.5f * per_step));
    }
}

// normal: [steps][paths]
extern "C" __global__ void __launch_bounds__(64, 8)
    lib_value(float *value, const float *normal, int paths, int rates, int steps)
{
    float rate[RATES], bond[RATES], annuity[RATES];
    int stride = blockDim.x * gridDim.x;
    for (int path = blockDim.x * blockIdx.x + threadIdx.x; path < paths; path += stride) {
        for (int i = 0; i < rates; i++)
            rate[i] = lib_start[i];
        for (int n = 0; n < steps; n++)
            step(rate, rate, n, rates, normal[n * paths + path]);
        float b = 1.0f, s = 0.0f, v = 0.0f;
        for (int i = steps; i < rates; i++) {
            b = discounted(b, rate[i]);
            s += DELTA * b;
            bond[i] = b;
            annuity[i] = s;
        }
        for (int k = 0; k < OPTIONS; k++) {
            int last = lib_maturity[k] + steps - 1;
            float swap = bond[last] + lib_strike[k] * annuity[last] - 1.0f;
            if (swap < 0.0f)
                v -= 100.0f * swap;
        }
        for (int i = 0; i < steps; i++)
            v = discounted(v, rate[i]);
        value[path] = v;
    }
}

// Forward as lib_value, but rates are kept: those of step n in row n. Rate i moves until step i.
static __device__ inline float final_rate(const float *kept, int i, int steps)
{
    return kept[(i < steps ? i : steps) * RATES + i];
}

// Value; d[i]: its derivative by the i-th final rate. bond: room
static __device__ inline float portfolio(const float *kept, float *d, float *bond, int rates,
                                         int steps)
{
    float annuity[RATES], by_bond[RATES], by_annuity[RATES];
    float b = 1.0f, s = 0.0f, v = 0.0f, today = 1.0f, back_b = 0.0f, back_s = 0.0f;
    for (int i = steps; i < rates; i++) {
        b = discounted(b, final_rate(kept, i, steps));
        s += DELTA * b;
        bond[i] = b;
        annuity[i] = s;
        by_bond[i] = by_annuity[i] = 0.0f;
    }
    for (int i = 0; i < steps; i++)
        today = discounted(today, final_rate(kept, i, steps));
    for (int k = 0; k < OPTIONS; k++) {
        int last = lib_maturity[k] + steps - 1;
        float swap = bond[last] + lib_strike[k] * annuity[last] - 1.0f;
        if (swap < 0.0f) {
            v -= 100.0f * swap;
            by_bond[last] -= 100.0f * today;
            by_annuity[last] -= 100.0f * today * lib_strike[k];
        }
    }
    v *= today;
    for (int i = rates - 1; i >= steps; i--) {
        float rate = final_rate(kept, i, steps);
        back_s += by_annuity[i];
        back_b += by_bond[i] + DELTA * back_s;
        d[i] = discounted(-DELTA * bond[i] * back_b, rate);
        back_b = discounted(back_b, rate);
    }
    for (int i = 0; i < steps; i++)
        d[i] = discounted(-DELTA * v, final_rate(kept, i, steps));
    return v;
}

// From derivatives by the rates after step n to those by the rates before.
static __device__ inline void step_back(float *d, const float *now, const float *next, int n,
                                        int rates)
{
    float sum = 0.0f;
    for (int i = rates - 1; i > n; i--) {
        float per_step = DELTA * lib_volatility[i - n - 1], grown = d[i] * next[i], rate = now[i];
        sum += per_step * grown;
        float back = discounted(1.0f, rate);
        d[i] = __fdividef(grown, rate) + sum * per_step * back * back;
    }
}

// delta: derivative of a path's value by a shift of all rates of today
extern "C" __global__ void __launch_bounds__(64, 8)
    lib_greeks(float *value, float *delta, const float *normal, int paths, int rates, int steps)
{
    float kept[(STEPS + 1) * RATES], d[RATES], bond[RATES];
    int stride = blockDim.x * gridDim.x;
    for (int path = blockDim.x * blockIdx.x + threadIdx.x; path < paths; path += stride) {
        for (int i = 0; i < rates; i++)
            kept[i] = lib_start[i];
        for (int n = 0; n < steps; n++)
            step(kept + (n + 1) * RATES, kept + n * RATES, n, rates, normal[n * paths + path]);
        value[path] = portfolio(kept, d, bond, rates, steps);
        for (int n = steps - 1; n >= 0; n--)
            step_back(d, kept + n * RATES, kept + (n + 1) * RATES, n, rates);
        float sum = 0.0f;
        for (int i = 0; i < rates; i++)
            sum += d[i];
        delta[path] = sum;
    }
}
