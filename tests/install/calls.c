/* Every function of mdpredict.h against the installed library, right and wrong; the last line says
 * what a launch took, for the caller to compare with the program's own. argv[1]:
 * tests/install/scale.ptx; argv[2]: tests/cuda/barrier.ptx */
#include <math.h>
#include <mdpredict.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 16384

static int bad;

static void check(int ok, const char *what)
{
    if (!ok)
        printf("FAIL: %s (%s)\n", what, mdpredict_error());
    bad |= !ok;
}
/* A call that failed says why. */
static void says(int failed, const char *text)
{
    check(failed && strstr(mdpredict_error(), text), text);
}

static double value(const struct mdpredict_result *r, int n, const char *name)
{
    double v = NAN;
    check(mdpredict_result_value(r, n, name, &v) == 0, name);
    return v;
}

static void wrong_handles(void)
{
    double v;
    says(!mdpredict_gpu_load("nosuch"), "nosuch");
    says(!mdpredict_gpu_load(NULL), "no name");
    says(!mdpredict_device_new(NULL), "no GPU");
    says(!mdpredict_module_load(NULL, "x", "x"), "no device");
    says(mdpredict_alloc(NULL, 1) == 0, "cannot give");
    says(mdpredict_occupancy(NULL) == -1, "no launch");
    says(!mdpredict_simulate(NULL, 0), "no launch");
    says(mdpredict_result_value(NULL, 1, "ipc", &v) == -1, "no result");
    check(mdpredict_result_n(NULL) == -1 && mdpredict_result_n_max(NULL) == -1, "no result");
    mdpredict_gpu_free(NULL);
    mdpredict_device_free(NULL);
    mdpredict_result_free(NULL);
}

static void wrong_launches(struct mdpredict_device *d, const struct mdpredict_launch *right)
{
    struct mdpredict_launch l = *right;
    says(!mdpredict_module_load(d, "wrong.ptx", ".version 7.0\n.target sm_70\n.entry k( {"),
         "wrong.ptx:3");
    says(!mdpredict_module_load_file(d, "nosuch.ptx"), "nosuch.ptx");
    l.kernel = "scal";
    says(mdpredict_execute(&l) == -1, "scal");
    l = *right, l.arguments = 1;
    says(mdpredict_execute(&l) == -1, "takes 2 arguments, not 1");
    l = *right, l.grid[1] = 0;
    says(mdpredict_execute(&l) == -1, "a grid of 64 x 0 x 1");
    l = *right, l.block[0] = 2048;
    says(!mdpredict_simulate(&l, 0), "a block of 2048");
    l = *right, l.shared_bytes = 1 << 20;
    says(!mdpredict_search(&l), "bytes of shared memory a CTA");
    says(!mdpredict_simulate(right, -1), "no such degree");
    says(!mdpredict_sample(right, "slow"), "no effort");
    const uint64_t nowhere = 64;
    const void *const argument[] = {&nowhere, right->argument[1]};
    l = *right, l.argument = argument;
    says(!mdpredict_simulate(&l, 1), "scale");
    says(mdpredict_execute(&l) == -1, "scale");
    says(!mdpredict_sample(&l, NULL), "scale");
}

static void memory(struct mdpredict_device *d)
{
    char byte = 1;
    const uint64_t at = mdpredict_alloc(d, 100);
    check(at && mdpredict_read(d, &byte, at + 99, 1) == 0 && byte == 0, "memory is zeroed");
    says(mdpredict_write(d, at + 99, "ab", 2) == -1, "2 bytes from");
    says(mdpredict_read(d, &byte, at + 100, 1) == -1, "1 bytes from");
    says(mdpredict_alloc(d, 0) == 0, "0 bytes");
    check(mdpredict_release(d, at) == 0, "release");
    says(mdpredict_release(d, at) == -1, "no allocation");
}

/* Each degree of a search on a device of its own is what the search found of it. */
static double degrees(const struct mdpredict_gpu *gpu, const struct mdpredict_launch *l,
                      const char *ptx)
{
    struct mdpredict_result *all = mdpredict_search(l), *chosen = mdpredict_sample(l, NULL);
    check(all && chosen, "search and sample");
    const int n_max = mdpredict_result_n_max(all);
    check(n_max == mdpredict_occupancy(l) && n_max == mdpredict_result_n_max(chosen), "n_max");
    double best = 0, cycles = 0;
    for (int n = 1; n <= n_max; n++) {
        struct mdpredict_device *d = mdpredict_device_new(gpu);
        const uint64_t x = mdpredict_alloc(d, N * sizeof(float));
        const void *const argument[] = {&x, l->argument[1]};
        struct mdpredict_launch own = *l;
        own.module = mdpredict_module_load_file(d, ptx);
        own.argument = argument;
        struct mdpredict_result *one = mdpredict_simulate(&own, n);
        check(mdpredict_result_n(one) == n, "n");
        cycles = value(one, n, "cycles");
        check(cycles == value(all, n, "cycles"), "a degree by itself");
        check(value(chosen, n, "ipc") > 0, "a prediction");
        best = fmax(best, value(all, n, "ipc"));
        double v;
        if (n > 1)
            says(mdpredict_result_value(one, 1, "ipc", &v) == -1, "no values");
        mdpredict_result_free(one);
        mdpredict_device_free(d);
    }
    check(value(all, mdpredict_result_n(all), "ipc") == best, "the best of all");
    double v;
    says(mdpredict_result_value(all, n_max + 1, "ipc", &v) == -1, "no values");
    says(mdpredict_result_value(all, 1, "nosuch", &v) == -1, "nosuch");
    says(mdpredict_result_value(chosen, 1, "l1d_misses", &v) == -1, "l1d_misses");
    mdpredict_result_free(all);
    mdpredict_result_free(chosen);
    return cycles;
}

/* 60 CTAs that all wait for each other, on 15 cores: 4 at once at least. */
static void waits(const struct mdpredict_gpu *gpu, const char *ptx)
{
    struct mdpredict_device *d = mdpredict_device_new(gpu);
    const uint64_t count = mdpredict_alloc(d, sizeof(int));
    const unsigned all = 60;
    const struct mdpredict_launch l = {.module = mdpredict_module_load_file(d, ptx),
                                       .kernel = "meet",
                                       .grid = {60, 1, 1},
                                       .block = {64, 1, 1},
                                       .argument = (const void *const[]){&count, &all},
                                       .arguments = 2};
    says(!mdpredict_simulate(&l, 3), "never ends");
    check(mdpredict_write(d, count, (int[]){0}, sizeof(int)) == 0, "nobody has come");
    struct mdpredict_result *search = mdpredict_search(&l), *sample = mdpredict_sample(&l, NULL);
    check(search && sample, "a barrier");
    check(mdpredict_result_n(search) >= 4 && mdpredict_result_n(sample) >= 4, "it ends");
    const double cycles = value(search, 4, "cycles");
    check(value(search, 1, "cycles") == cycles && cycles > 0, "as the least that ends");
    check(fabs(value(sample, 4, "ipc") / value(search, 4, "ipc") - 1) < 0.01, "it was simulated");
    check(isnan(value(sample, 4, "miss_rate")), "nobody has seen a miss");
    mdpredict_result_free(search);
    mdpredict_result_free(sample);
    mdpredict_device_free(d);
}

int main(int argc, char **argv)
{
    static float x[N];
    const float by = 3;
    if (argc != 3)
        return 2;
    for (int i = 0; i < N; i++)
        x[i] = (float)i;
    wrong_handles();
    struct mdpredict_gpu *gpu = mdpredict_gpu_load("yen2014");
    check(gpu != NULL, "gpu");
    says(mdpredict_gpu_set(gpu, "l1d.sise=1") == -1, "l1d.size");
    check(mdpredict_gpu_set(gpu, "l1d.size=16KB") == 0, "a size");
    struct mdpredict_device *d = mdpredict_device_new(gpu);
    const uint64_t at = mdpredict_alloc(d, sizeof x);
    const void *const argument[] = {&at, &by};
    const struct mdpredict_launch l = {.module = mdpredict_module_load_file(d, argv[1]),
                                       .kernel = "scale",
                                       .grid = {64, 1, 1},
                                       .block = {256, 1, 1},
                                       .argument = argument,
                                       .arguments = 2};
    check(l.module && mdpredict_write(d, at, x, sizeof x) == 0, "module and data");
    memory(d);
    const double cycles = degrees(gpu, &l, argv[1]);
    check(mdpredict_read(d, x, at, sizeof x) == 0 && x[7] == 7, "memory stays as it is");
    check(mdpredict_execute(&l) == 0 && *mdpredict_error() == 0, "execute");
    struct mdpredict_result *r = mdpredict_simulate(&l, 0);
    check(mdpredict_read(d, x, at, sizeof x) == 0 && x[7] == 7 * 3 * 3, "executed and simulated");
    mdpredict_result_free(r);
    wrong_launches(d, &l);
    waits(gpu, argv[2]);
    mdpredict_device_free(d);
    mdpredict_gpu_free(gpu);
    printf("%s cycles %.0f\n", mdpredict_version(), cycles);
    return bad;
}
