#include <gsl/gsl_cdf.h>
#include <gsl/gsl_qrng.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cudart/curand.h"
#include "program/recorder.h"

#define POISSON_NORMAL 1e6 /* from this mean on, a rounded normal number */

static bool is_normal(const struct rng_draw *d)
{
    return d->kind == NORMAL || d->kind == LOG_NORMAL;
}

static size_t bytes_of(const struct rng_draw *d)
{
    return d->doubles || d->kind == LONG_WORDS ? 8 : 4;
}

bool rng_is_same(const struct rng_draw *d)
{
    return (d->type == RNG_XORWOW || d->type == RNG_PHILOX) && d->kind != POISSON;
}

/* The least k of which the distribution function is u or more. */
static uint32_t poisson(double mean, double u)
{
    if (mean >= POISSON_NORMAL) {
        const double v = round(mean + sqrt(mean) * gsl_cdf_ugaussian_Pinv(u < 1 ? u : 1 - 0x1p-53));
        return v > 0 ? (uint32_t)v : 0;
    }
    const double spread = 10 * sqrt(mean) + 20;
    uint32_t low = 0, high = (uint32_t)(mean + spread);
    while (low < high) {
        const uint32_t mid = low + (high - low) / 2;
        if (gsl_cdf_poisson_P(mid, mean) >= u)
            high = mid;
        else
            low = mid + 1;
    }
    return low;
}

void rng_store(const struct rng_draw *d, void *out, size_t i, double v)
{
    if (d->kind == POISSON) {
        ((uint32_t *)out)[i] = poisson(d->mean, v);
        return;
    }
    if (is_normal(d))
        v = d->mean + d->deviation * v;
    if (d->kind == LOG_NORMAL)
        v = exp(v);
    if (d->doubles)
        ((double *)out)[i] = v;
    else
        ((float *)out)[i] = (float)v;
}

/* What a coordinate is XORed with where they are scrambled: any number does. */
static uint64_t scramble(const struct rng_draw *d, unsigned dimension)
{
    const bool scrambled = d->type == RNG_SCRAMBLED32 || d->type == RNG_SCRAMBLED64;
    uint64_t x = (dimension + 1) * UINT64_C(0x9E3779B97F4A7C15);
    x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    return scrambled ? x ^ x >> 31 : 0;
}

static void store_coordinate(const struct rng_draw *d, void *out, size_t i, uint64_t x)
{
    const bool is_long = d->type == RNG_SOBOL64 || d->type == RNG_SCRAMBLED64 || d->doubles;
    const double u = is_long ? (double)(x >> 11) * 0x1p-53 + 0x1p-54
                             : (double)((float)(uint32_t)(x >> 32) * 0x1p-32f + 0x1p-33f);
    if (d->kind == LONG_WORDS)
        ((uint64_t *)out)[i] = x;
    else if (d->kind == WORDS)
        ((uint32_t *)out)[i] = (uint32_t)(x >> 32);
    else
        rng_store(d, out, i, is_normal(d) ? gsl_cdf_ugaussian_Pinv(u) : u);
}

/* Points in their order, all of a dimension before those of the next. The first is 0, which GSL
 * leaves out. */
static void quasi(const struct rng_draw *d, void *out)
{
    gsl_qrng *q = gsl_qrng_alloc(gsl_qrng_sobol, d->dims);
    double at[RNG_DIMENSIONS] = {0};
    const size_t points = d->n / d->dims;
    for (uint64_t i = 0; i < d->from; i++)
        gsl_qrng_get(q, at);
    for (size_t i = 0; i < points; i++) {
        for (unsigned k = 0; k < d->dims; k++)
            store_coordinate(d, out, k * points + i,
                             (uint64_t)(at[k] * 0x1p53) << 11 ^ scramble(d, k));
        gsl_qrng_get(q, at);
    }
    gsl_qrng_free(q);
}

CUresult rng_run(const void *data, CUstream stream)
{
    const struct rng_draw *d = data;
    const size_t bytes = d->n * bytes_of(d);
    void *all = d->to_host ? d->out : xmalloc(bytes);
    (void)stream;
    if (rng_is_quasi(d->type))
        quasi(d, all);
    else
        rng_pseudo(d, all);
    if (d->to_host)
        return CUDA_SUCCESS;
    struct record_host_call r = {""};
    snprintf(r.name, sizeof r.name, "%s", d->name);
    recorder_put(rt_recorder(), RECORD_HOST_CALL, &r, sizeof r);
    const bool ok = devmem_write(rt_memory(), (CUdeviceptr)(uintptr_t)d->out, all, bytes);
    free(all);
    return ok ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
