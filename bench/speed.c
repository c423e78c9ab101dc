/* bench/speed.c -- `make bench`: how fast the program is, against GPGPU-Sim's CPU seconds of the
 * same runs. Those are of its whole process, so each row is a process of ours here: `mdpredict run`
 * from start to exit, which reads and checks everything, on one thread. CPU seconds, user and
 * system, both; rows one after another.
 *   speed [-k KERNEL] [-r] REFERENCE_DIR MDPREDICT     -r: one line a row as well
 * Exit code 1 if a bar is short. */
#include "bench/bar.h"
#include "bench/reference.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

struct tally {
    double log_gain, least, most, seconds, warp_insts, cycles;
    int rows;
};

static void count(struct tally *t, const struct reference *r)
{
    const double gain = r->cpu_s / r->host_s;
    t->log_gain += log(gain);
    t->least = t->rows == 0 || gain < t->least ? gain : t->least;
    t->most = fmax(t->most, gain);
    t->seconds += r->host_s;
    t->warp_insts += r->warp_insts;
    t->cycles += r->cycles;
    t->rows++;
}

static void print_tally(const char *name, const struct tally *t)
{
    printf("%-12s %5d %9.1f x %8.1f x %8.1f x %12.0f %12.0f\n", name, t->rows,
           exp(t->log_gain / t->rows), t->least, t->most, t->warp_insts / t->seconds,
           t->cycles / t->seconds);
}

static void print_row(const struct reference *r)
{
    printf("  %-8s %2d cores n=%d %3d KB l2 %-3s %s  %7.2f s  %7.4f s  %6.1f x\n", r->kernel,
           r->cores, r->n, r->l1d_kb, r->l2, r->scheduler, r->cpu_s, r->host_s,
           r->cpu_s / r->host_s);
}

static void print_table(const struct reference *r, int n, const struct tally *all)
{
    printf("\n%-12s %5s %11s %10s %10s %12s %12s\n", "kernel", "rows", "geomean", "least", "most",
           "warp insts/s", "cycles/s");
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
    print_tally("all", all);
}

static int report(const struct reference_set *set, double most_mb)
{
    struct tally all = {0};
    for (int i = 0; i < set->count; i++)
        count(&all, &set->row[i]);
    puts("CPU seconds of GPGPU-Sim's whole process / those of a whole `mdpredict run`, one thread");
    int bad = bar("faster than GPGPU-Sim: geometric mean of rows", exp(all.log_gain / all.rows),
                  ">=", 50, "x");
    bad += bar("faster than GPGPU-Sim: least of all rows", all.least, ">=", 15, "x");
    printf("%-52s %10.4g x\n", "faster than GPGPU-Sim: most of all rows", all.most);
    bad += bar("peak memory of a run", most_mb, "<=", 200, "MB");
    print_table(set->row, set->count, &all);
    for (int i = 0; set->each && i < set->count; i++)
        print_row(&set->row[i]);
    return bad;
}

/* The child: does not return. */
static void run_program(const char *program, char *const argv[], FILE *said)
{
    const int null = open("/dev/null", O_WRONLY);
    if (null >= 0 && dup2(null, STDOUT_FILENO) >= 0 && dup2(fileno(said), STDERR_FILENO) >= 0)
        execv(program, argv);
    dprintf(fileno(said), "%s", strerror(errno));
    _exit(127);
}

/* Its messages tell only why it failed: that of a row whose n does not fit is no news. */
static bool failed(const char *program, const char *target, FILE *said, struct err *e)
{
    char text[512];
    rewind(said);
    text[fread(text, 1, sizeof text - 1, said)] = '\0';
    return err_set(e, "%s run %s failed: %s", program, target, text);
}

/* Starts it, waits for its end, and says what it used. */
static bool time_program(const char *program, char *const argv[], struct rusage *use, struct err *e)
{
    int status = 0;
    FILE *said = tmpfile();
    if (!said)
        return err_set(e, "a temporary file: %s", strerror(errno));
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0)
        run_program(program, argv, said);
    pid_t ended = child;
    while (child > 0 && (ended = wait4(child, &status, 0, use)) < 0 && errno == EINTR)
        ;
    bool ok = ended > 0 || err_set(e, "%s: %s", program, strerror(errno));
    if (ok && !(WIFEXITED(status) && WEXITSTATUS(status) == 0))
        ok = failed(program, argv[2], said, e);
    fclose(said);
    return ok;
}

static double seconds_of(const struct rusage *use)
{
    return (double)(use->ru_utime.tv_sec + use->ru_stime.tv_sec) +
           1e-6 * (double)(use->ru_utime.tv_usec + use->ru_stime.tv_usec);
}

static bool time_row(const struct reference_set *set, struct reference *r, double *most_mb,
                     struct err *e)
{
    struct rusage use;
    char *target = xasprintf("%s/%s/launch.cfg", set->dir, r->kernel);
    char *set_cores = xasprintf("cores=%d", r->cores);
    char *set_l1d = xasprintf("l1d.size=%d", r->l1d_kb * 1024);
    char *set_l2 = xasprintf("l2.enabled=%s", strcmp(r->l2, "on") == 0 ? "true" : "false");
    char *scheduler = xasprintf("warp_scheduler=%s", r->scheduler);
    char *n = xasprintf("%d", r->n);
    char *argv[] = {(char *)set->with, "run",   target,  "-g",    "gpgpusim321", "--set",
                    set_cores,         "--set", set_l1d, "--set", set_l2,        "--set",
                    scheduler,         "-n",    n,       "--csv", NULL};
    const bool ok = time_program(set->with, argv, &use, e);
    if (ok) {
        r->host_s = seconds_of(&use);
        *most_mb = fmax(*most_mb, (double)use.ru_maxrss / 1024);
    }
    free(target);
    free(set_cores);
    free(set_l1d);
    free(set_l2);
    free(scheduler);
    free(n);
    return ok;
}

int main(int argc, char **argv)
{
    struct reference_set set;
    struct err e;
    double most_mb = 0;
    const int code = reference_open(argc, argv, "MDPREDICT", &set);
    if (code)
        return code;
    bool ok = true;
    for (int i = 0; ok && i < set.count; i++)
        ok = time_row(&set, &set.row[i], &most_mb, &e);
    const int bad = ok ? report(&set, most_mb) : 1;
    if (!ok)
        fprintf(stderr, "%s: %s\n", argv[0], e.msg);
    free(set.row);
    return bad ? 1 : 0;
}
