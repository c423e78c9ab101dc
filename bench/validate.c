/* bench/validate.c -- `make validate`: every reference run of GPGPU-Sim 3.2.1 on our simulator.
 *   validate [-k KERNEL] [-r] REFERENCE_DIR DATA_DIR     -r: one line a row as well
 * Prints one line a bar (name, measured, wanted, ok or short), then the table by kernel. Exit code
 * 1 if any bar is short. */
#include "bench/bar.h"
#include "bench/reference.h"
#include "bench/simulate.h"

#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum quantity { Q_CYCLES, Q_L1D_MISSES, Q_DRAM_READS, Q_LATENCY, Q_COUNT };
static const char *const quantity_name[Q_COUNT] = {"cycles", "L1D misses", "DRAM reads",
                                                   "memory latency"};

static double all_reads(const struct run_stats *s)
{
    return (double)(s->dram_reads + s->dram_inst_reads + s->dram_const_reads);
}

/* Relative error of a quantity; NAN where the reference states none. */
static double error_of(const struct reference *r, enum quantity q)
{
    const struct run_stats *o = &r->ours;
    const double pair[Q_COUNT][2] = {
        [Q_CYCLES] = {(double)o->cycles, r->cycles},
        [Q_L1D_MISSES] = {(double)o->l1d_misses, r->l1d_misses},
        [Q_DRAM_READS] = {all_reads(o), r->dram_reads},
        [Q_LATENCY] = {stats_rate(o, RATE_mem_latency), r->latency},
    };
    if (pair[q][1] == 0)
        return pair[q][0] == 0 && q != Q_LATENCY ? 0 : NAN;
    return pair[q][0] / pair[q][1] - 1;
}

static bool counts_equal(const struct reference *r)
{
    return (double)r->ours.thread_insts == r->thread_insts &&
           (double)r->ours.warp_insts == r->warp_insts &&
           (double)r->ours.l1d_accesses == r->l1d_accesses;
}

struct spread {
    double mean_abs, worst; /* worst keeps its sign */
};

static struct spread spread_of(const struct reference *r, int n, enum quantity q,
                               const char *kernel)
{
    struct spread s = {0, 0};
    int used = 0;
    for (int i = 0; i < n; i++) {
        const double err = error_of(&r[i], q);
        if (isnan(err) || (kernel && strcmp(kernel, r[i].kernel)))
            continue;
        s.mean_abs += fabs(err);
        s.worst = fabs(err) > fabs(s.worst) ? err : s.worst;
        used++;
    }
    s.mean_abs = used ? s.mean_abs / used : 0;
    return s;
}

/* What GPGPU-Sim itself loses at the n that is best on our simulator: the worst over kernels and
 * settings. */
static double worst_degree_loss(const struct reference *r, int n)
{
    double worst = 0;
    for (int i = 0; i < n; i++) {
        const struct reference *ours = &r[i], *theirs = &r[i];
        bool first = true;
        for (int k = 0; k < n; k++) {
            if (!reference_same_setting(&r[i], &r[k]))
                continue;
            first = first && k >= i;
            ours = r[k].ours.cycles < ours->ours.cycles ? &r[k] : ours;
            theirs = r[k].cycles < theirs->cycles ? &r[k] : theirs;
        }
        if (first)
            worst = fmax(worst, 1 - theirs->cycles / ours->cycles);
    }
    return worst;
}

static int print_bars(const struct reference *r, int n)
{
    double *a = malloc((size_t)n * sizeof *a), *b = malloc((size_t)n * sizeof *b);
    int equal = 0;
    for (int i = 0; i < n; i++) {
        equal += counts_equal(&r[i]);
        a[i] = stats_rate(&r[i].ours, RATE_ipc);
        b[i] = r[i].ipc;
    }
    const struct spread c = spread_of(r, n, Q_CYCLES, NULL);
    int bad = bar("rows with equal instruction and L1D counts", equal, ">=", n, "");
    bad += bar("cycles: mean absolute error", c.mean_abs, "<=", 0.04, "%");
    bad += bar("cycles: worst row", fabs(c.worst), "<=", 0.15, "%");
    if (n > 2)
        bad +=
            bar("IPC: correlation", gsl_stats_correlation(a, 1, b, 1, (size_t)n), ">=", 0.99, "");
    bad += bar("L1D misses: mean absolute error", spread_of(r, n, Q_L1D_MISSES, NULL).mean_abs,
               "<=", 0.05, "%");
    bad += bar("DRAM reads: mean absolute error", spread_of(r, n, Q_DRAM_READS, NULL).mean_abs,
               "<=", 0.05, "%");
    bad += bar("memory latency: mean absolute error", spread_of(r, n, Q_LATENCY, NULL).mean_abs,
               "<=", 0.08, "%");
    bad +=
        bar("degree: worst loss in GPGPU-Sim's figures", worst_degree_loss(r, n), "<=", 0.02, "%");
    free(a);
    free(b);
    return bad;
}

/* Yen, Table 4: vector addition on one core, n = 1..7 CTAs of 2 warps. */
static int table4(const char *data, struct err *e)
{
    static const double cycles[] = {197157, 100867, 67506, 50857, 40823, 34682, 29757};
    static const double latency[] = {264, 269, 267, 269, 268, 271, 270};
    struct gpu_cfg cfg;
    if (!gpu_cfg_load(&cfg, data, "yen2014", e))
        return -1;
    cfg.top.cores = 1;
    double worst_cycles = 0, worst_latency = 0;
    for (int n = 1; n <= 7; n++) {
        struct simulation one;
        if (!simulate("vecadd", &cfg, n, &one, e))
            return -1;
        const struct run_stats s = one.total;
        worst_cycles = fmax(worst_cycles, fabs((double)s.cycles / cycles[n - 1] - 1));
        worst_latency =
            fmax(worst_latency, fabs(stats_rate(&s, RATE_mf_latency) / latency[n - 1] - 1));
    }
    return bar("Yen, Table 4: cycles, worst n", worst_cycles, "<=", 0.03, "%") +
           bar("Yen, Table 4: load latency, worst n", worst_latency, "<=", 0.04, "%");
}

static void print_table(const struct reference *r, int n)
{
    printf("\n%-10s %5s %6s", "kernel", "rows", "equal");
    for (int q = 0; q < Q_COUNT; q++)
        printf("  %16s", quantity_name[q]);
    printf("\n%-10s %5s %6s", "", "", "counts");
    for (int q = 0; q < Q_COUNT; q++)
        printf("  %16s", "mean |err| worst");
    putchar('\n');
    for (int i = 0; i < n; i++) {
        bool seen = false;
        int rows = 0, equal = 0;
        for (int k = 0; k < n; k++) {
            if (strcmp(r[i].kernel, r[k].kernel))
                continue;
            seen = seen || k < i;
            rows++;
            equal += counts_equal(&r[k]);
        }
        if (seen)
            continue;
        printf("%-10s %5d %6d", r[i].kernel, rows, equal);
        for (int q = 0; q < Q_COUNT; q++) {
            const struct spread s = spread_of(r, n, (enum quantity)q, r[i].kernel);
            printf("  %6.2f %% %+6.1f %%", 100 * s.mean_abs, 100 * s.worst);
        }
        putchar('\n');
    }
}

static void print_rows(const struct reference *r, int n)
{
    for (int i = 0; i < n; i++) {
        printf("%-8s %2d cores n=%d %3d KB l2 %-3s %s: cycles %8.0f ours %8.0f (%+.1f %%)",
               r[i].kernel, r[i].cores, r[i].n, r[i].l1d_kb, r[i].l2, r[i].scheduler, r[i].cycles,
               (double)r[i].ours.cycles, 100 * error_of(&r[i], Q_CYCLES));
        for (int q = Q_L1D_MISSES; q < Q_COUNT; q++)
            printf(" %s %+.1f %%", quantity_name[q], 100 * error_of(&r[i], (enum quantity)q));
        printf(" insts %.0f/%.0f %s  %.2f s vs %.3f s\n", r[i].warp_insts,
               (double)r[i].ours.warp_insts, counts_equal(&r[i]) ? "equal" : "DIFFER", r[i].cpu_s,
               r[i].host_s);
    }
}

int main(int argc, char **argv)
{
    struct reference_set set;
    struct gpu_cfg cfg;
    struct err e;
    const int code = reference_open(argc, argv, "DATA_DIR", &set);
    if (code)
        return code;
    if (!gpu_cfg_load(&cfg, set.with, "gpgpusim321", &e) ||
        !reference_run(set.dir, &cfg, set.row, set.count, (int)sysconf(_SC_NPROCESSORS_ONLN), &e)) {
        fprintf(stderr, "%s: %s\n", argv[0], e.msg);
        free(set.row);
        return 1;
    }
    int bad = print_bars(set.row, set.count);
    const int yen = table4(set.with, &e);
    if (yen < 0)
        fprintf(stderr, "validate: %s\n", e.msg);
    bad += abs(yen);
    print_table(set.row, set.count);
    if (set.each)
        print_rows(set.row, set.count);
    free(set.row);
    return bad ? 1 : 0;
}
