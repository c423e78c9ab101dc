/* curand.c -- the host's side of cuRAND, whose kernels are machine code: the numbers are computed
 * by the host. It is counted in the report; no time passes on the device. Generators of host memory
 * need no device. What is missing here refuses by name (curand.list). */
#include <math.h>
#include <stdlib.h>

#include "cudart/curand.h"

enum { /* curandStatus_t */
       OK,
       NOT_INITIALIZED = 101,
       TYPE_ERROR = 103,
       OUT_OF_RANGE,
       LENGTH_NOT_MULTIPLE,
       LAUNCH_FAILURE = 201,
       INITIALIZATION_FAILED = 203
};
#define DIMENSIONS_OF_CURAND 20000
#define POINTS               (UINT64_C(1) << 30) /* of GSL's sequence */

typedef struct rng_generator {
    enum rng_type type;
    uint64_t points; /* quasirandom, that were drawn */
    unsigned dims;
    bool on_host;
    CUstream stream;
    struct rng_state *state; /* owned, but by the process once work was queued or captured */
    bool kept;
} * Generator;

#define CURAND(name, ...)                        \
    RT_EXPORT int rt_##name(__VA_ARGS__);        \
    RT_AT(rt_##name, name, "@@libcurand.so.10"); \
    int rt_##name(__VA_ARGS__)

/* -- generators */

static bool is_type(int type)
{
    return type == RNG_DEFAULT || type == RNG_XORWOW || type == RNG_MRG32K3A ||
           type == RNG_MTGP32 || type == RNG_MT19937 || type == RNG_PHILOX ||
           (type >= RNG_QUASI_DEFAULT && type <= RNG_SCRAMBLED64);
}

static int create(Generator *g, int type, bool on_host)
{
    if (!g || !is_type(type))
        return g ? TYPE_ERROR : NOT_INITIALIZED;
    const enum rng_type t = type == RNG_DEFAULT         ? RNG_XORWOW
                            : type == RNG_QUASI_DEFAULT ? RNG_SOBOL32
                                                        : (enum rng_type)type;
    *g = xcalloc(1, sizeof **g);
    **g =
        (struct rng_generator){.type = t, .dims = 1, .on_host = on_host, .state = rng_state_new(t)};
    return OK;
}

CURAND(curandCreateGenerator, Generator *g, int type)
{
    SESSION_CALL();
    return rt_ready() == cudaSuccess ? create(g, type, false) : INITIALIZATION_FAILED;
}

CURAND(curandCreateGeneratorHost, Generator *g, int type)
{
    return create(g, type, true);
}

CURAND(curandDestroyGenerator, Generator g)
{
    if (!g)
        return NOT_INITIALIZED;
    if (!g->kept)
        rng_state_free(g->state);
    free(g);
    return OK;
}

CURAND(curandGetVersion, int *version)
{
    if (!version)
        return OUT_OF_RANGE;
    *version = 10400;
    return OK;
}

CURAND(curandGetProperty, int which, int *value)
{
    static const int version[] = {10, 4, 0};
    if (!value || which < 0 || which > 2)
        return OUT_OF_RANGE;
    *value = version[which];
    return OK;
}

/* A generator seeds itself when it is first used. */
CURAND(curandGenerateSeeds, Generator g)
{
    return g ? OK : NOT_INITIALIZED;
}

CURAND(curandSetStream, Generator g, CUstream stream)
{
    if (g)
        g->stream = stream;
    return g ? OK : NOT_INITIALIZED;
}

CURAND(curandSetPseudoRandomGeneratorSeed, Generator g, unsigned long long seed)
{
    if (!g || rng_is_quasi(g->type))
        return g ? TYPE_ERROR : NOT_INITIALIZED;
    rng_state_seed(g->state, seed);
    return OK;
}

CURAND(curandSetGeneratorOffset, Generator g, unsigned long long offset)
{
    if (!g || g->type == RNG_MTGP32 || g->type == RNG_MT19937)
        return g ? TYPE_ERROR : NOT_INITIALIZED;
    g->points = offset;
    rng_state_offset(g->state, offset);
    return OK;
}

CURAND(curandSetGeneratorOrdering, Generator g, int order)
{
    enum { FIRST = 100, SEEDED = 102, LAST = 104, QUASI = 201 };
    if (!g)
        return NOT_INITIALIZED;
    if (rng_is_quasi(g->type) ? order != QUASI : order < FIRST || order > LAST)
        return OUT_OF_RANGE;
    if (order == SEEDED && g->type == RNG_XORWOW)
        rt_say("cuRAND: of CURAND_ORDERING_PSEUDO_SEEDED the numbers are those of the default "
               "ordering");
    return OK;
}

CURAND(curandSetQuasiRandomGeneratorDimensions, Generator g, unsigned dims)
{
    if (!g || !rng_is_quasi(g->type))
        return g ? TYPE_ERROR : NOT_INITIALIZED;
    if (!dims || dims > DIMENSIONS_OF_CURAND)
        return OUT_OF_RANGE;
    if (dims > RNG_DIMENSIONS) {
        rt_say("cuRAND: quasirandom points of %u dimensions are missing: at most %d", dims,
               RNG_DIMENSIONS);
        return OUT_OF_RANGE;
    }
    g->dims = dims;
    return OK;
}

/* -- numbers */

static int check(const struct rng_generator *g, const struct rng_draw *d)
{
    const bool is_long = g->type == RNG_SOBOL64 || g->type == RNG_SCRAMBLED64;
    if ((d->kind == LONG_WORDS && !is_long) || (d->kind == WORDS && is_long))
        return TYPE_ERROR;
    if (rng_is_quasi(g->type))
        return d->n % g->dims                       ? LENGTH_NOT_MULTIPLE
               : d->from + d->n / g->dims >= POINTS ? OUT_OF_RANGE
                                                    : OK;
    return (d->kind == NORMAL || d->kind == LOG_NORMAL) && d->n % 2 ? LENGTH_NOT_MULTIPLE : OK;
}

/* Work of the generator's stream. */
static int submit(Generator g, const struct rng_draw *d)
{
    const struct graph_work w = {GRAPH_EMPTY, rng_run, d, sizeof *d};
    if (g->on_host)
        return rng_run(d, NULL) == CUDA_SUCCESS ? OK : LAUNCH_FAILURE;
    if (rt_ready() != cudaSuccess)
        return INITIALIZATION_FAILED;
    CUresult r = session_own_stream(g->stream);
    if (r == CUDA_SUCCESS) {
        if (graph_capture(g->stream, &w, &r) || pending_later(session_current(), g->stream, &w))
            g->kept = true;
        else
            r = rng_run(d, g->stream);
    }
    return r == CUDA_SUCCESS ? OK : LAUNCH_FAILURE;
}

static int generate(Generator g, struct rng_draw *d)
{
    SESSION_CALL();
    if (!g)
        return NOT_INITIALIZED;
    d->type = g->type;
    d->state = g->state;
    d->from = g->points;
    d->dims = g->dims;
    d->to_host = g->on_host;
    const int bad = check(g, d);
    if (bad || !d->n)
        return bad;
    if (!d->out)
        return LAUNCH_FAILURE;
    if (!rng_is_same(d))
        rt_say(
            "cuRAND: numbers of the distribution that is asked for, but not cuRAND's own: so for "
            "all generators but XORWOW and Philox, and for all Poisson numbers");
    const int status = submit(g, d);
    g->points += d->n / g->dims;
    return status;
}

CURAND(curandGenerate, Generator g, unsigned *out, size_t n)
{
    struct rng_draw d = {.name = "curandGenerate", .kind = WORDS, .out = out, .n = n};
    return generate(g, &d);
}

CURAND(curandGenerateLongLong, Generator g, unsigned long long *out, size_t n)
{
    struct rng_draw d = {.name = "curandGenerateLongLong", .kind = LONG_WORDS, .out = out, .n = n};
    return generate(g, &d);
}

CURAND(curandGeneratePoisson, Generator g, unsigned *out, size_t n, double mean)
{
    struct rng_draw d = {
        .name = "curandGeneratePoisson", .kind = POISSON, .mean = mean, .out = out, .n = n};
    return mean > 0 && mean <= 400000 ? generate(g, &d) : OUT_OF_RANGE;
}

/* Of floats and of doubles. */
#define GENERATE(name_, type_, doubles_)                                                  \
    CURAND(curandGenerateUniform##name_, Generator g, type_ *out, size_t n)               \
    {                                                                                     \
        struct rng_draw d = {.name = "curandGenerateUniform" #name_,                      \
                             .kind = UNIFORM,                                             \
                             .doubles = (doubles_),                                       \
                             .out = out,                                                  \
                             .n = n};                                                     \
        return generate(g, &d);                                                           \
    }                                                                                     \
    CURAND(curandGenerateNormal##name_, Generator g, type_ *out, size_t n, type_ mean,    \
           type_ deviation)                                                               \
    {                                                                                     \
        struct rng_draw d = {.name = "curandGenerateNormal" #name_,                       \
                             .kind = NORMAL,                                              \
                             .doubles = (doubles_),                                       \
                             .mean = (double)mean,                                        \
                             .deviation = (double)deviation,                              \
                             .out = out,                                                  \
                             .n = n};                                                     \
        return generate(g, &d);                                                           \
    }                                                                                     \
    CURAND(curandGenerateLogNormal##name_, Generator g, type_ *out, size_t n, type_ mean, \
           type_ deviation)                                                               \
    {                                                                                     \
        struct rng_draw d = {.name = "curandGenerateLogNormal" #name_,                    \
                             .kind = LOG_NORMAL,                                          \
                             .doubles = (doubles_),                                       \
                             .mean = (double)mean,                                        \
                             .deviation = (double)deviation,                              \
                             .out = out,                                                  \
                             .n = n};                                                     \
        return generate(g, &d);                                                           \
    }
GENERATE(, float, false)
GENERATE(Double, double, true)
