// wp.cu -- cloud microphysics of a weather model, in the manner of WSM5 (Hong, Dudhia and Chen, Mon.
// Wea. Rev. 2004; Lin, Farley and Orville, J. Climate Appl. Meteor. 1983): vapour, cloud water, cloud
// ice, rain and snow. A thread takes one column of the atmosphere from the ground to the top: rain
// and snow fall, then every level's water changes its phase. One kernel, many registers.
// PTX: clang-14 -x cuda --cuda-device-only --cuda-gpu-arch=sm_20 -nocudainc -nocudalib -O2 -Wno-unknown-cuda-version -S wp.cu -o wp.ptx
#include "../simt.cuh"

#define T_ICE      273.15f
#define RV         461.5f // gas constant of vapour, J / (kg K)
#define CP         1004.5f
#define LV         2.5e6f // latent heat of vapour over water, over ice, of ice over water, J / kg
#define LS         2.834e6f
#define LF         (LS - LV)
#define RHO_0      1.28f
#define TINY       1e-9f   // kg of water per kg of air
#define RAIN_N     8e6f    // drops per m^4: intercept of the sizes' exponential distribution
#define SNOW_N     2e6f    // flakes, at 0 degrees Celsius
#define RAIN_FALL  2502.9493f // speed of the mass, by the size to the power of 0.8: 841.9 Gamma(4.8) / 6
#define SNOW_FALL  20.071289f // to the power of 0.41: 11.72 Gamma(4.41) / 6
#define RAIN_SWEEP 2.4831307e10f // pi / 4 841.9 RAIN_N Gamma(3.8)
#define SNOW_SWEEP 27.737162f     // pi / 4 11.72 Gamma(3.41)
#define RAIN_VENT  16.43671f      // 0.31 Gamma(2.9) root(841.9)
#define SNOW_VENT  2.3360884f     // 0.44 Gamma(2.705) root(11.72)

struct wp_fields { // [levels][columns], the ground first
    float *t;      // K
    float *vapour, *cloud, *ice, *rain, *snow; // kg per kg of air
    const float *p, *rho, *depth;              // Pa, kg / m^3, m
};

static __device__ inline float at_least_0(float x)
{
    return x > 0.0f ? x : 0.0f;
}

static __device__ inline float lesser(float a, float b)
{
    return a < b ? a : b;
}

// Saturated vapour over water, and over ice (Murray 1967)
static __device__ inline float saturated(float t, float p, float a, float b)
{
    float e = 610.78f * __expf(__fdividef(a * (t - T_ICE), t - b));
    return __fdividef(0.622f * e, p - e);
}

static __device__ inline float flakes(float t)
{
    return SNOW_N * __expf(0.12f * at_least_0(T_ICE - t));
}

// Base 2 logarithm of the mean size, from mass = pi density intercept size^4
static __device__ inline float log_size(float mass, float by_size)
{
    return 0.25f * __log2f(__fdividef(mass, by_size));
}

static __device__ inline float fall_speed(float q, float rho, float t, bool snow)
{
    float size = snow ? log_size(rho * q, 314.15927f * flakes(t)) : log_size(rho * q, 2.5132741e10f);
    float speed = snow ? SNOW_FALL * exp2f(0.41f * size) : RAIN_FALL * exp2f(0.8f * size);
    return speed * sqrtf(__fdividef(RHO_0, rho));
}

// What falls out of each level arrives in the one below; as many steps as the fastest needs to pass
// no more than its level. Returns what reaches the ground, kg / m^2.
static __device__ inline float sediment(float *q, struct wp_fields f, bool snow, int levels,
                                        int columns, float dt)
{
    float fastest = 0.0f, ground = 0.0f;
    for (int i = 0; i < levels * columns; i += columns)
        if (q[i] > TINY) {
            float turns = __fdividef(fall_speed(q[i], f.rho[i], f.t[i], snow), f.depth[i]);
            fastest = fastest > turns ? fastest : turns;
        }
    if (fastest == 0.0f)
        return 0.0f;
    int steps = 1 + (int)(fastest * dt);
    float step = __fdividef(dt, (float)steps);
    for (int s = 0; s < steps; s++) {
        float from_above = 0.0f;
        for (int i = (levels - 1) * columns; i >= 0; i -= columns) {
            float here = q[i], rho = f.rho[i], mass = rho * f.depth[i], out = 0.0f;
            if (here > TINY)
                out = lesser(fall_speed(here, rho, f.t[i], snow) * rho * here * step, here * mass);
            q[i] = here + __fdividef(from_above - out, mass);
            from_above = out;
        }
        ground += from_above;
    }
    return ground;
}

struct air { // of one level
    float t, p, rho, vapour, cloud, ice, rain, snow;
    float thin;      // root of RHO_0 / rho
    float conducts;  // heat, J / (m s K)
    float diffuses;  // vapour, m^2 / s
    float ventilated; // of falling drops and flakes
};

struct rates { // kg per kg of air and s
    float to_rain, sweep_cloud, evaporate;                        // warm
    float to_snow, snow_ice, snow_cloud, deposit_snow, deposit_ice, new_ice, freeze; // cold
    float melt_snow, melt_ice;
};

static __device__ inline void set_properties(struct air *a)
{
    float viscous = __fdividef(1.496e-6f * a->t * sqrtf(a->t), a->t + 120.0f);
    float kinematic = __fdividef(viscous, a->rho);
    a->thin = sqrtf(__fdividef(RHO_0, a->rho));
    a->conducts = 1414.0f * viscous;
    a->diffuses = __fdividef(8.794e-5f * __powf(a->t, 1.81f), a->p);
    a->ventilated = __powf(__fdividef(kinematic, a->diffuses), 0.33333333f) * rsqrtf(kinematic) *
                    sqrtf(a->thin);
}

// How heat and vapour that must be carried away slow growth: Lin's A + B
static __device__ inline float resists(const struct air *a, float latent, float saturation)
{
    return __fdividef(latent * latent, a->conducts * RV * a->t * a->t) +
           __fdividef(1.0f, a->rho * saturation * a->diffuses);
}

static __device__ inline void warm_rain(struct rates *r, const struct air *a, float dt)
{
    float over_water = saturated(a->t, a->p, 17.27f, 35.86f);
    r->to_rain = 1e-3f * at_least_0(a->cloud - 5e-4f);
    r->sweep_cloud = r->evaporate = 0.0f;
    if (a->rain > TINY) {
        float size = log_size(a->rho * a->rain, 2.5132741e10f);
        float grows = 6.2831853f * RAIN_N *
                      (0.78f * exp2f(2.0f * size) + RAIN_VENT * a->ventilated * exp2f(2.9f * size));
        float lacks = at_least_0(1.0f - __fdividef(a->vapour, over_water));
        r->sweep_cloud = a->cloud * RAIN_SWEEP * exp2f(3.8f * size) * a->thin;
        r->evaporate = __fdividef(lacks * grows, a->rho * resists(a, LV, over_water));
        r->evaporate = lesser(r->evaporate, __fdividef(0.5f * lacks * over_water, dt));
    }
}

static __device__ inline void frost(struct rates *r, const struct air *a, float dt)
{
    float over_ice = saturated(a->t, a->p, 21.875f, 7.66f), cold = T_ICE - a->t;
    float too_much = __fdividef(a->vapour, over_ice) - 1.0f, slow = a->rho * resists(a, LS, over_ice);
    r->to_snow = 1e-3f * __expf(-0.025f * cold) * at_least_0(a->ice - __fdividef(8e-5f, a->rho));
    r->snow_ice = r->snow_cloud = r->deposit_snow = r->deposit_ice = 0.0f;
    if (a->snow > TINY) {
        float number = flakes(a->t), size = log_size(a->rho * a->snow, 314.15927f * number);
        float sweeps = number * SNOW_SWEEP * exp2f(3.41f * size) * a->thin;
        float grows = 4.0f * number *
                      (0.65f * exp2f(2.0f * size) + SNOW_VENT * a->ventilated * exp2f(2.705f * size));
        r->snow_ice = a->ice * sweeps * __expf(-0.07f * cold);
        r->snow_cloud = a->cloud * sweeps;
        r->deposit_snow = __fdividef(too_much * grows, slow);
    }
    if (a->ice > TINY) {
        float number = lesser(5.38e7f * __powf(a->rho * a->ice, 0.75f), 1e6f);
        float across = lesser(11.9f * sqrtf(__fdividef(a->rho * a->ice, number)), 5e-4f);
        r->deposit_ice = __fdividef(4.0f * across * too_much * number, slow);
    }
    float nuclei = 1e3f * __expf(0.1f * cold);
    float first = __fdividef(4.92e-11f * __powf(nuclei, 1.33f), a->rho);
    r->new_ice = __fdividef(lesser(at_least_0(first - a->ice), at_least_0(too_much * over_ice)), dt);
    float all = r->deposit_snow + r->deposit_ice + r->new_ice, spare = too_much * over_ice;
    if (all * spare > 0.0f) { // no more than half of what would saturate
        float share = lesser(1.0f, __fdividef(0.5f * spare, all * dt));
        r->deposit_snow *= share;
        r->deposit_ice *= share;
        r->new_ice *= share;
    }
    r->freeze = 100.0f * (__expf(0.66f * cold) - 1.0f) * a->rho * a->cloud * a->cloud * 3.3333333e-12f;
    if (cold > 40.0f)
        r->freeze = __fdividef(a->cloud, dt);
}

static __device__ inline void thaw(struct rates *r, const struct air *a, float dt)
{
    float warm = a->t - T_ICE;
    r->melt_snow = 0.0f;
    r->melt_ice = __fdividef(a->ice, dt);
    if (a->snow > TINY) {
        float size = log_size(a->rho * a->snow, 314.15927f * SNOW_N);
        float grows =
            0.65f * exp2f(2.0f * size) + SNOW_VENT * a->ventilated * exp2f(2.705f * size);
        r->melt_snow =
            __fdividef(6.2831853f * a->conducts * warm * SNOW_N * grows, a->rho * LF);
    }
    float most = __fdividef(0.5f * warm * CP, LF * dt); // half of what would cool to 0 degrees
    float all = r->melt_snow + r->melt_ice;
    if (all > most) {
        float share = __fdividef(most, all);
        r->melt_snow *= share;
        r->melt_ice *= share;
    }
}

// The share of what would leave in dt that is there.
static __device__ inline float share_of(float there, float leaves, float dt)
{
    return leaves * dt > there ? __fdividef(there, leaves * dt) : 1.0f;
}

static __device__ inline void limit(struct rates *r, const struct air *a, float dt)
{
    float cloud = share_of(a->cloud, r->to_rain + r->sweep_cloud + r->snow_cloud + r->freeze, dt);
    float ice = share_of(
        a->ice, r->to_snow + r->snow_ice + r->melt_ice + at_least_0(-r->deposit_ice), dt);
    float snow = share_of(a->snow, r->melt_snow + at_least_0(-r->deposit_snow), dt);
    r->to_rain *= cloud;
    r->sweep_cloud *= cloud;
    r->snow_cloud *= cloud;
    r->freeze *= cloud;
    r->to_snow *= ice;
    r->snow_ice *= ice;
    r->melt_ice *= ice;
    r->melt_snow *= snow;
    r->evaporate *= share_of(a->rain, r->evaporate, dt);
    if (r->deposit_ice < 0.0f)
        r->deposit_ice *= ice;
    if (r->deposit_snow < 0.0f)
        r->deposit_snow *= snow;
}

static __device__ inline void change(struct air *a, const struct rates *r, float dt)
{
    float deposited = r->deposit_snow + r->deposit_ice + r->new_ice;
    float frozen = r->snow_cloud + r->freeze - r->melt_snow - r->melt_ice;
    a->t += dt * (LS / CP * deposited - LV / CP * r->evaporate + LF / CP * frozen);
    a->vapour += dt * (r->evaporate - deposited);
    a->cloud += dt * (r->melt_ice - r->to_rain - r->sweep_cloud - r->snow_cloud - r->freeze);
    a->ice += dt * (r->deposit_ice + r->new_ice + r->freeze - r->to_snow - r->snow_ice - r->melt_ice);
    a->rain += dt * (r->to_rain + r->sweep_cloud + r->melt_snow - r->evaporate);
    a->snow += dt * (r->to_snow + r->snow_ice + r->snow_cloud + r->deposit_snow - r->melt_snow);
}

// Vapour beyond saturation condenses; cloud water evaporates where some is lacking.
static __device__ inline void condense(struct air *a)
{
    float over_water = saturated(a->t, a->p, 17.27f, 35.86f);
    float heats = __fdividef(LV * LV * over_water, CP * RV * a->t * a->t);
    float amount = __fdividef(a->vapour - over_water, 1.0f + heats);
    amount = amount < -a->cloud ? -a->cloud : amount;
    a->vapour -= amount;
    a->cloud += amount;
    a->t += LV / CP * amount;
}

// fallen: rain and snow that have reached the ground, kg / m^2, [2][columns]. dt is cut into `parts`.
extern "C" __global__ void wp_microphysics(struct wp_fields f, float *fallen, int wide, int high,
                                           int levels, float dt, int parts)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= wide || y >= high)
        return;
    int own = y * wide + x, columns = wide * high;
    f.t += own, f.p += own, f.rho += own, f.depth += own;
    f.vapour += own, f.cloud += own, f.ice += own, f.rain += own, f.snow += own;
    for (int part = 0; part < parts; part++) {
        fallen[own] += sediment(f.rain, f, false, levels, columns, dt);
        fallen[columns + own] += sediment(f.snow, f, true, levels, columns, dt);
        for (int i = 0; i < levels * columns; i += columns) {
            struct air a = {f.t[i], f.p[i], f.rho[i], f.vapour[i], f.cloud[i], f.ice[i], f.rain[i],
                            f.snow[i], 0.0f, 0.0f, 0.0f, 0.0f};
            struct rates r = {0.0f};
            set_properties(&a);
            warm_rain(&r, &a, dt);
            if (a.t < T_ICE)
                frost(&r, &a, dt);
            else
                thaw(&r, &a, dt);
            limit(&r, &a, dt);
            change(&a, &r, dt);
            condense(&a);
            f.t[i] = a.t;
            f.vapour[i] = at_least_0(a.vapour);
            f.cloud[i] = at_least_0(a.cloud);
            f.ice[i] = at_least_0(a.ice);
            f.rain[i] = at_least_0(a.rain);
            f.snow[i] = at_least_0(a.snow);
        }
    }
}
