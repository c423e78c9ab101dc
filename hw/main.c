/* main.c -- mdpredict-hw: bundled workloads on a real GPU, at every number of CTAs a core, as CSV.
 */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "base/file.h"
#include "base/num.h"
#include "hw/driver.h"
#include "hw/measure.h"
#include "sim/frontend/workload.h"

#define REPEATS_MAX 1000

struct hw {
    const char *driver, *output;
    int repeats, carveout;
    char gpu[256];
    struct csv csv;
};

static const struct option long_options[] = {
    {"driver", required_argument, NULL, 'd'},   {"repeats", required_argument, NULL, 'r'},
    {"carveout", required_argument, NULL, 'c'}, {"output", required_argument, NULL, 'o'},
    {"help", no_argument, NULL, 'h'},           {0},
};

static int help(FILE *out)
{
    fputs(
        "Usage: mdpredict-hw [OPTION]... [WORKLOAD[:SIZE]]...\n\n"
        "Run workloads (default: all, size paper) on this machine's GPU, at every number of CTAs\n"
        "a core from 1 to the most that fit, held down with dynamic shared memory; check the\n"
        "results, and write each kernel's time as CSV.\n\n"
        "  -d, --driver FILE    CUDA driver library (default: " DRIVER_DEFAULT ")\n"
        "  -r, --repeats N      runs at each n; the median counts (default: 5)\n"
        "  -c, --carveout P     percent of the unified storage for shared memory, the same at\n"
        "                       every n; -1: as the driver likes (default: 100)\n"
        "  -o, --output FILE    write to FILE, whole or not at all (default: -, stdout)\n"
        "  -h, --help           show this text\n",
        out);
    return out == stdout ? 0 : 2;
}

static bool one_run(const struct hw *hw, const struct workload *w, struct workload_input *in,
                    struct measurement *m, struct err *e)
{
    int n = m->n;
    measure_begin(m, n, hw->carveout);
    bool ok = w->run(w, in, e);
    measure_end(m);
    return ok;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *v, int n)
{
    qsort(v, (size_t)n, sizeof *v, ascending);
    return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

static void write_kernel(struct hw *hw, const struct workload *w, const char *size,
                         const struct kernel_time *k, double ms)
{
    csv_str(&hw->csv, hw->gpu);
    csv_str(&hw->csv, w->name);
    csv_str(&hw->csv, size);
    csv_str(&hw->csv, k->name);
    csv_int(&hw->csv, k->threads);
    csv_int(&hw->csv, k->n);
    csv_int(&hw->csv, k->n_max);
    csv_uint(&hw->csv, k->shared);
    csv_int(&hw->csv, k->launches);
    csv_real(&hw->csv, round(ms * 1e6) / 1e6); /* nanoseconds */
    csv_end_row(&hw->csv);
}

/* A row for each kernel that n holds down, or that just fits n times. */
static void write_rows(struct hw *hw, const struct workload *w, const char *size, int n,
                       const struct measurement *all)
{
    double *ms = xcalloc((size_t)hw->repeats, sizeof *ms);
    for (int k = 0; k < all[0].kernels; k++) {
        for (int r = 0; r < hw->repeats; r++)
            ms[r] = all[r].kernel[k].ms;
        if (all[0].kernel[k].n == n)
            write_kernel(hw, w, size, &all[0].kernel[k], median(ms, hw->repeats));
        else if (all[0].kernel[k].n_max >= n)
            fprintf(stderr, "mdpredict-hw: %s: %s cannot be held to %d CTAs a core\n", w->name,
                    all[0].kernel[k].name, n);
    }
    free(ms);
}

/* Runs `repeats` times at n, verified the first time. *n_max: the most that fit of any kernel. */
static bool at_degree(struct hw *hw, const struct workload *w, struct workload_input *in, int n,
                      int *n_max, struct err *e)
{
    struct measurement *all = xcalloc((size_t)hw->repeats, sizeof *all);
    bool ok = true;
    for (int r = 0; ok && r < hw->repeats; r++) {
        all[r].n = n;
        in->verify = r == 0;
        ok = one_run(hw, w, in, &all[r], e);
        if (ok && all[r].kernels != all[0].kernels)
            ok = err_set(e, "%s launches other kernels when it runs again", w->name);
    }
    for (int k = 0; ok && k < all[0].kernels; k++)
        *n_max = all[0].kernel[k].n_max > *n_max ? all[0].kernel[k].n_max : *n_max;
    if (ok)
        write_rows(hw, w, in->size->name, n, all);
    for (int r = 0; r < hw->repeats; r++)
        measure_free(&all[r]);
    free(all);
    return ok;
}

static bool run_workload(struct hw *hw, const struct workload *w, const char *size, struct err *e)
{
    struct workload_input in = {.size = workload_size_find(w, size, e), .seed = WORKLOAD_SEED};
    struct measurement warm = {.n = 0};
    if (!in.size || !one_run(hw, w, &in, &warm, e))
        return false;
    int n_max = 0;
    for (int k = 0; k < warm.kernels; k++)
        n_max = warm.kernel[k].n_max > n_max ? warm.kernel[k].n_max : n_max;
    measure_free(&warm);
    bool ok = true;
    for (int n = 1; ok && n <= n_max; n++)
        ok = at_degree(hw, w, &in, n, &n_max, e);
    return ok;
}

static bool run_named(struct hw *hw, const char *name, struct err *e)
{
    char *head = xstrdup(name), *colon = strchr(head, ':');
    if (colon)
        *colon = 0;
    const struct workload *w = workload_find(head);
    bool ok = w ? run_workload(hw, w, colon ? colon + 1 : "paper", e)
                : err_set(e, "no workload called \"%s\"", head);
    free(head);
    return ok;
}

static bool device_name(struct hw *hw, struct err *e)
{
    CUdevice dev;
    CUresult r = cuInit(0);
    if (r == CUDA_SUCCESS)
        r = cuDeviceGet(&dev, 0);
    if (r == CUDA_SUCCESS)
        r = cuDeviceGetName(hw->gpu, sizeof hw->gpu, dev);
    return r == CUDA_SUCCESS || err_set(e, "no GPU (error %d)", (int)r);
}

static bool say(bool ok, const struct err *e)
{
    if (!ok)
        fprintf(stderr, "mdpredict-hw: %s\n", e->msg);
    return ok;
}

/* All that were named, whatever becomes of one of them. */
static bool run_all(struct hw *hw, char **name, int count)
{
    static const char *const head[] = {"gpu",      "workload", "size",  "kernel",
                                       "threads",  "n",        "n_max", "dynamic_shared_bytes",
                                       "launches", "ms"};
    struct err e;
    bool ok = true;
    for (size_t i = 0; i < sizeof head / sizeof *head; i++)
        csv_str(&hw->csv, head[i]);
    csv_end_row(&hw->csv);
    for (int i = 0; i < count; i++)
        ok &= say(run_named(hw, name[i], &e), &e);
    for (int i = 0; !count && workloads[i]; i++)
        ok &= say(run_workload(hw, workloads[i], "paper", &e), &e);
    return ok;
}

static bool parse(struct hw *hw, int argc, char **argv, bool *wants_help)
{
    int64_t v;
    for (int c; (c = getopt_long(argc, argv, "d:r:c:o:h", long_options, NULL)) >= 0;) {
        if (c == 'd') {
            hw->driver = optarg;
        } else if (c == 'o') {
            hw->output = optarg;
        } else if (c == 'r' && num_int(optarg, &v) && v >= 1 && v <= REPEATS_MAX) {
            hw->repeats = (int)v;
        } else if (c == 'c' && num_int(optarg, &v) && v >= -1 && v <= 100) {
            hw->carveout = (int)v;
        } else if (c == 'h') {
            return *wants_help = true;
        } else {
            return false;
        }
    }
    return true;
}

int main(int argc, char **argv)
{
    struct hw hw = {.driver = DRIVER_DEFAULT, .output = "-", .repeats = 5, .carveout = 100};
    struct err e = {""};
    bool wants_help = false;
    if (!parse(&hw, argc, argv, &wants_help) || wants_help)
        return help(wants_help ? stdout : stderr);
    if (!say(driver_open(hw.driver, &e) && device_name(&hw, &e), &e))
        return 1;
    char *text = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&text, &len);
    BUG_ON(!out, "open_memstream failed");
    csv_start(&hw.csv, out);
    bool ok = run_all(&hw, argv + optind, argc - optind);
    fclose(out);
    ok &= say(file_write(hw.output, text, len, &e), &e);
    free(text);
    return ok ? 0 : 1;
}
