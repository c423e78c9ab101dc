/* cuRAND's generators beside a kernel of the program's own. The pinned words are those of NVIDIA's
 * libcurand 10.4 (host generators) with seed 1234. */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "tests/cuda/one_kernel.h"

typedef struct rng *Generator;
typedef struct CUgraph_st *Graph;
typedef struct CUgraphExec_st *Exec;
int curandCreateGenerator(Generator *, int), curandCreateGeneratorHost(Generator *, int);
int curandDestroyGenerator(Generator), curandGetVersion(int *);
int curandSetStream(Generator, CUstream), curandSetGeneratorOrdering(Generator, int);
int curandSetPseudoRandomGeneratorSeed(Generator, unsigned long long);
int curandSetGeneratorOffset(Generator, unsigned long long);
int curandSetQuasiRandomGeneratorDimensions(Generator, unsigned);
int curandGenerate(Generator, unsigned *, size_t);
int curandGenerateLongLong(Generator, unsigned long long *, size_t);
int curandGenerateUniform(Generator, float *, size_t);
int curandGenerateUniformDouble(Generator, double *, size_t);
int curandGenerateNormal(Generator, float *, size_t, float, float);
int curandGenerateNormalDouble(Generator, double *, size_t, double, double);
int curandGenerateLogNormal(Generator, float *, size_t, float, float);
int curandGenerateLogNormalDouble(Generator, double *, size_t, double, double);
int curandGeneratePoisson(Generator, unsigned *, size_t, double);
int curandGetDirectionVectors32(void *, int);
int cudaStreamBeginCapture(CUstream, int), cudaStreamEndCapture(CUstream, Graph *);
int cudaGraphInstantiate(Exec *, Graph, unsigned long long), cudaGraphLaunch(Exec, CUstream);

enum { NOT_INITIALIZED = 101, TYPE_ERROR = 103, OUT_OF_RANGE, LENGTH_NOT_MULTIPLE };
enum { LAUNCH_FAILURE = 201, INTERNAL_ERROR = 999 };
enum { DEFAULT = 100, XORWOW, MRG32K3A = 121, MTGP32 = 141, MT19937, PHILOX = 161 };
enum { SOBOL32 = 201, SOBOL64 = 203, MANY = 1 << 16 };

static Generator seeded(int type, bool on_host)
{
    Generator g;
    OK(on_host ? curandCreateGeneratorHost(&g, type) : curandCreateGenerator(&g, type));
    OK(curandSetPseudoRandomGeneratorSeed(g, 1234));
    return g;
}

static void *device(size_t bytes)
{
    CUdeviceptr d;
    OK(cuMemAlloc_v2(&d, bytes));
    return (void *)d;
}

static void words(void)
{
    static const struct {
        int type;
        unsigned word[6], late; /* late: word 4,096 of XORWOW, 262,144 of Philox */
        size_t at;
    } row[] = {{XORWOW,
                {0x253d5e15, 0xd1f7605a, 0x8ce6f6f8, 0x4b79ff67, 0xea2bee0d, 0xde75663f},
                0x6f558604,
                4096},
               {PHILOX,
                {0x2090b348, 0xda7cf0ab, 0x4401906f, 0xcbca470e, 0xd115a128, 0x52fc7c75},
                0x9eeede35,
                262144}};
    for (int i = 0; i < 2; i++) {
        Generator g = seeded(row[i].type, false);
        unsigned h[6], late, *d = device(sizeof h);
        OK(curandGenerate(g, d, 2)); /* calls go on where the last ended */
        OK(curandGenerate(g, d + 2, 4));
        OK(cuMemcpyDtoH_v2(h, (CUdeviceptr)d, sizeof h));
        EXPECT(memcmp(h, row[i].word, sizeof h) == 0);
        OK(curandDestroyGenerator(g));
        g = seeded(row[i].type, true);
        OK(curandSetGeneratorOffset(g, row[i].at));
        OK(curandGenerate(g, &late, 1));
        EXPECT(late == row[i].late);
        OK(curandDestroyGenerator(g));
    }
}

/* Uniform and normal numbers of the same words; mixed calls. */
static void numbers(void)
{
    Generator x = seeded(DEFAULT, true), p = seeded(PHILOX, true);
    float f[4];
    double d[2];
    OK(curandGenerateUniform(x, f, 2));
    EXPECT(f[0] == 0.145467639f && f[1] == 0.820180893f);
    OK(curandSetGeneratorOffset(x, 0));
    OK(curandGenerateUniformDouble(x, d, 2));
    EXPECT(d[0] == 0.43489880438841294 && d[1] == 0.92641692020243771);
    OK(curandSetGeneratorOffset(x, 0));
    OK(curandGenerateNormal(x, f, 4, 0, 1));
    EXPECT(fabsf(f[0] - 0.780973554f) < 1e-6f && fabsf(f[1] + 1.80157816f) < 1e-6f);
    OK(curandGenerateUniformDouble(p, d, 2));
    EXPECT(d[0] == 0.85346899543001431 && d[1] == 0.79605514883270523);
    OK(curandSetGeneratorOffset(p, 0));
    OK(curandGenerateNormal(p, f, 2, 10, 2));
    EXPECT(fabsf(f[0] - (10 - 2 * 1.61649048f)) < 1e-5f);
    OK(curandSetGeneratorOffset(p, 0));
    OK(curandGenerateLogNormalDouble(p, d, 2, 0, 1));
    EXPECT(fabs(d[0] - exp(-0.53952669590731883)) < 1e-12);
    OK(curandDestroyGenerator(x));
    OK(curandDestroyGenerator(p));
}

/* Mean and variance of many, within five standard errors. */
static void moments(int type, double mean)
{
    static double v[MANY];
    static unsigned count[MANY];
    Generator g = seeded(type, true);
    double sum = 0, square = 0;
    if (mean > 0)
        OK(curandGeneratePoisson(g, count, MANY, mean));
    else
        OK(curandGenerateNormalDouble(g, v, MANY, 3, 2));
    for (int i = 0; i < MANY; i++)
        sum += mean > 0 ? count[i] : v[i];
    for (int i = 0; i < MANY; i++)
        square += pow((mean > 0 ? count[i] : v[i]) - sum / MANY, 2);
    const double m = mean > 0 ? mean : 3, variance = mean > 0 ? mean : 4, n = MANY;
    EXPECT(fabs(sum / n - m) < 5 * sqrt(variance / n));
    EXPECT(fabs(square / n - variance) < 5 * sqrt((2 * variance * variance + variance) / n));
    OK(curandDestroyGenerator(g));
}

/* The first dimension is van der Corput's in Gray order; all of a dimension come first. */
static void quasi(void)
{
    static const unsigned first[] = {0, 0x80000000, 0xc0000000, 0x40000000};
    Generator g;
    unsigned u[8];
    unsigned long long l[2];
    OK(curandCreateGeneratorHost(&g, SOBOL32));
    EXPECT(curandSetPseudoRandomGeneratorSeed(g, 1) == TYPE_ERROR);
    OK(curandSetQuasiRandomGeneratorDimensions(g, 2));
    OK(curandGenerate(g, u, 8));
    EXPECT(memcmp(u, first, sizeof first) == 0 && u[4] == 0 && u[5] == 0x80000000);
    EXPECT(curandGenerate(g, u, 7) == LENGTH_NOT_MULTIPLE);
    EXPECT(curandSetQuasiRandomGeneratorDimensions(g, 0) == OUT_OF_RANGE);
    OK(curandDestroyGenerator(g));
    OK(curandCreateGeneratorHost(&g, SOBOL64));
    OK(curandSetGeneratorOffset(g, 1));
    OK(curandGenerateLongLong(g, l, 2));
    EXPECT(l[0] == 0x8000000000000000 && l[1] == 0xc000000000000000);
    EXPECT(curandGenerate(g, u, 1) == TYPE_ERROR);
    OK(curandDestroyGenerator(g));
}

static void mistakes(void)
{
    Generator g;
    unsigned u[2], *d = device(sizeof u);
    float f;
    EXPECT(curandCreateGenerator(&g, 99) == TYPE_ERROR);
    EXPECT(curandGenerate(NULL, u, 1) == NOT_INITIALIZED);
    g = seeded(MT19937, false);
    EXPECT(curandSetGeneratorOffset(g, 1) == TYPE_ERROR);
    EXPECT(curandSetGeneratorOrdering(g, 7) == OUT_OF_RANGE);
    EXPECT(curandGenerateNormal(g, &f, 1, 0, 1) == LENGTH_NOT_MULTIPLE);
    EXPECT(curandGenerateLongLong(g, NULL, 1) == TYPE_ERROR);
    EXPECT(curandGeneratePoisson(g, d, 1, -1) == OUT_OF_RANGE);
    EXPECT(curandGenerate(g, d, 3) == LAUNCH_FAILURE); /* beyond the buffer */
    OK(curandGenerate(g, d, 0));
    EXPECT(curandGetDirectionVectors32(u, 101) == INTERNAL_ERROR);
    OK(curandDestroyGenerator(g));
}

/* Captured, each launch of the graph goes on in the sequence. */
static void captured(CUstream s)
{
    Generator g = seeded(XORWOW, false);
    unsigned u, *d = device(sizeof u);
    Graph graph;
    Exec e;
    OK(curandSetStream(g, s));
    OK(cudaStreamBeginCapture(s, 0));
    OK(curandGenerate(g, d, 1));
    OK(cudaStreamEndCapture(s, &graph));
    OK(curandDestroyGenerator(g));
    OK(cudaGraphInstantiate(&e, graph, 0));
    OK(cudaGraphLaunch(e, s));
    OK(cudaGraphLaunch(e, s));
    OK(cuMemcpyDtoH_v2(&u, (CUdeviceptr)d, sizeof u));
    EXPECT(u == 0xd1f7605a);
}

int main(void)
{
    int version;
    CUstream s = one_stream();
    OK(curandGetVersion(&version));
    one_launch();
    words();
    numbers();
    moments(XORWOW, 0);
    moments(MRG32K3A, 0);
    moments(MTGP32, 4);
    moments(PHILOX, 1000);
    quasi();
    mistakes();
    captured(s);
    puts("passed");
    return 0;
}
