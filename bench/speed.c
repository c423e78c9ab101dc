/* bench/speed.c -- `make bench`: how fast the simulator is, against GPGPU-Sim's CPU seconds of the
 * same runs. One host thread; CPU time of the simulation alone. speed [-k KERNEL] [-r]
 * REFERENCE_DIR DATA_DIR     -r: one line a row as well Exit code 1 if a bar is short. */
#include "bench/bar.h"
#include "bench/reference.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

struct tally {
    double log_gain, worst, seconds, warp_insts, cycles, core_cycles;
    int rows;
};

static void count(struct tally *t, const struct reference *r)
{
    const double gain = r->cpu_s / r->host_s;
    t->log_gain += log(gain);
    t->worst = t->rows == 0 || gain < t->worst ? gain : t->worst;
    t->seconds += r->host_s;
    t->warp_insts += (double)r->ours.warp_insts;
    t->cycles += (double)r->ours.cycles;
    t->core_cycles += (double)r->ours.core_cycles;
    t->rows++;
}

static void print_tally(const char *name, const struct tally *t)
{
    printf("%-12s %5d %9.1f x %7.1f x %12.0f %12.0f %12.0f\n", name, t->rows,
           exp(t->log_gain / t->rows), t->worst, t->warp_insts / t->seconds, t->cycles / t->seconds,
           t->core_cycles / t->seconds);
}

static void print_row(const struct reference *r)
{
    printf("  %-8s %2d cores n=%d %3d KB l2 %-3s %s  %7.2f s  %7.4f s  %6.1f x\n", r->kernel,
           r->cores, r->n, r->l1d_kb, r->l2, r->scheduler, r->cpu_s, r->host_s,
           r->cpu_s / r->host_s);
}

static int report(const struct reference *r, int n, bool each)
{
    struct tally all = {0};
    for (int i = 0; i < n; i++)
        count(&all, &r[i]);
    struct rusage use;
    getrusage(RUSAGE_SELF, &use);
    int bad = bar("faster than GPGPU-Sim: geometric mean of rows", exp(all.log_gain / all.rows),
                  ">=", 50, "x");
    bad += bar("faster than GPGPU-Sim: slowest row", all.worst, ">=", 15, "x");
    bad += bar("peak memory of all runs one after another", (double)use.ru_maxrss / 1024, "<=", 200,
               "MB");
    printf("\n%-12s %5s %11s %9s %12s %12s %12s\n", "kernel", "rows", "geomean", "slowest",
           "warp insts/s", "cycles/s", "core cycles/s");
    for (int i = 0; i < n; i++) {
        struct tally t = {0};
        bool seen = false;
        for (int k = 0; k < n; k++) {
            if (strcmp(r[i].kernel, r[k].kernel))
                continue;
            seen = seen || k < i;
            count(&t, &r[k]);
        }
        if (!seen)
            print_tally(r[i].kernel, &t);
    }
    print_tally("all", &all);
    for (int i = 0; each && i < n; i++)
        print_row(&r[i]);
    return bad;
}

int main(int argc, char **argv)
{
    struct reference_set set;
    const int code = reference_main(argc, argv, 1, &set);
    if (code)
        return code;
    const int bad = report(set.row, set.count, set.each);
    free(set.row);
    return bad ? 1 : 0;
}
