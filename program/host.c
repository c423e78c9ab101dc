#include "program/host.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "program/elf.h"

#define LIBRARY "libcudart.so.13"

/* -- what stands before the program */

static char *folder_of_us(void)
{
    char path[4096];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    path[n > 0 ? n : 0] = '\0';
    char *slash = strrchr(path, '/');
    if (slash)
        *slash = '\0';
    return xstrdup(path);
}

/* Beside the executable, in the build folder below it, or where an installed program has it. */
static char *find_library(struct err *e)
{
    static const char *const places[] = {"cuda", "build/cuda", "../lib/mdpredict"};
    const char *given = getenv("MDPREDICT_CUDA");
    char *us = folder_of_us(), *found = NULL;
    for (size_t i = 0; !found && !given && i < sizeof places / sizeof *places; i++) {
        char *dir = xasprintf("%s/%s", us, places[i]);
        char *lib = xasprintf("%s/%s", dir, LIBRARY);
        if (access(lib, R_OK) == 0)
            found = xstrdup(dir);
        free(lib);
        free(dir);
    }
    if (given)
        found = xstrdup(given);
    if (!found)
        err_set(e, "%s is not to be found beside %s; build it with `make`", LIBRARY, us);
    free(us);
    return found;
}

static void put_before(const char *name, const char *value, const char *between)
{
    const char *old = getenv(name);
    char *all = old && *old ? xasprintf("%s%s%s", value, between, old) : xstrdup(value);
    setenv(name, all, 1);
    free(all);
}

static void prepare_environment(const char *dir, int parent, int plan, int records)
{
    char *where = xasprintf("%d:%d:%d", parent, plan, records);
    setenv(PROGRAM_ENV, where, 1);
    free(where);
    put_before("LD_LIBRARY_PATH", dir, ":");
    char *lib = xasprintf("%s/%s", dir, LIBRARY);
    const char *old = getenv("LD_PRELOAD"); /* a sanitizer's runtime has to stay the first */
    char *preload = old && *old ? xasprintf("%s:%s", old, lib) : xstrdup(lib);
    setenv("LD_PRELOAD", preload, 1);
    free(preload);
    free(lib);
}

/* -- the process */

static volatile sig_atomic_t the_child; /* whom signals go to; 0: nobody, they are lost */
static volatile sig_atomic_t passed_on; /* some have been */

static void pass_on(int sig)
{
    if (the_child <= 0)
        return;
    passed_on = true;
    kill((pid_t)the_child, sig);
}

static const int passed[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
#define NPASSED (sizeof passed / sizeof *passed)

/* The program's memory lies where it lay last time, as far as that is up to the kernel: what the
 * program makes of its own addresses is the same, and the heap of one that is linked to a fixed
 * place keeps clear of the device's addresses. Where the system forbids it, it goes without. */
static void keep_addresses(void)
{
    const int now = personality(0xffffffff);
    if (now != -1)
        personality((unsigned long)now | ADDR_NO_RANDOMIZE);
}

_Noreturn static void become(char **argv, const char *path, pid_t parent, bool quiet, int report)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* whatever ends us ends the program */
    if (getppid() != parent)
        _exit(127);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    if (quiet)
        dup2(2, 1);
    keep_addresses();
    execv(path, argv);
    int why = errno;
    if (write(report, &why, sizeof why) < 0)
        _exit(126);
    _exit(127);
}

/* The new process, or -1 and e. */
static pid_t start(char **argv, const char *path, bool quiet, struct err *e)
{
    int report[2], why = 0;
    pid_t us = getpid();
    if (pipe2(report, O_CLOEXEC) != 0) {
        err_set(e, "pipe: %s", strerror(errno));
        return -1;
    }
    pid_t pid = fork();
    if (pid == 0)
        become(argv, path, us, quiet, report[1]);
    close(report[1]);
    bool failed = pid < 0 || read(report[0], &why, sizeof why) == (ssize_t)sizeof why;
    close(report[0]);
    if (!failed)
        return pid;
    err_set(e, "%s: %s", argv[0], strerror(pid < 0 ? errno : why));
    if (pid > 0)
        waitpid(pid, NULL, 0);
    return -1;
}

/* Our children now: what the program left behind comes to us, its ancestor. */
static int signal_children(int sig)
{
    DIR *proc = opendir("/proc");
    int n = 0, pid, parent;
    char state;
    for (struct dirent *d; proc && (d = readdir(proc));) {
        char path[300], line[512];
        if (d->d_name[0] < '0' || d->d_name[0] > '9')
            continue;
        snprintf(path, sizeof path, "/proc/%s/stat", d->d_name);
        FILE *f = fopen(path, "r");
        size_t got = f ? fread(line, 1, sizeof line - 1, f) : 0;
        if (f)
            fclose(f);
        line[got] = '\0';
        const char *rest = strrchr(line, ')'); /* the name may hold anything */
        if (rest && sscanf(line, "%d", &pid) == 1 &&
            sscanf(rest + 1, " %c %d", &state, &parent) == 2 && parent == getpid() &&
            state != 'Z') {
            kill(pid, sig);
            n++;
        }
    }
    if (proc)
        closedir(proc);
    return n;
}

static void end_what_is_left(void)
{
    for (int round = 0; round < 100; round++) {
        while (waitpid(-1, NULL, WNOHANG) > 0)
            ;
        if (signal_children(round == 0 ? SIGTERM : round < 50 ? 0 : SIGKILL) == 0)
            return;
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    }
}

/* Whom a signal has ended has a report still, which the same signal must not end: timeout(1) sends
 * it to us, and then to us and the program. */
static void wait_for(pid_t pid, struct program_end *out)
{
    struct sigaction before[NPASSED], on = {.sa_handler = pass_on};
    int status;
    passed_on = false;
    the_child = pid;
    for (size_t i = 0; i < NPASSED; i++)
        sigaction(passed[i], &on, &before[i]);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    the_child = 0;
    for (size_t i = 0; !passed_on && i < NPASSED; i++)
        sigaction(passed[i], &before[i], NULL);
    out->code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    out->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    end_what_is_left();
}

/* As the file is now: whoever has it open still can make it no shorter. Of a file with holes, as
 * large as it pleases, only what is read takes memory. */
static bool read_records(int fd, struct program_end *out, struct err *e)
{
    struct stat st;
    if (fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK) != 0 || fstat(fd, &st) != 0)
        return err_set(e, "records: %s", strerror(errno));
    if (st.st_size == 0)
        return true;
    void *all = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_SHARED | MAP_NORESERVE, fd, 0);
    if (all == MAP_FAILED)
        return err_set(e, "records: %s", strerror(errno));
    out->records = all;
    out->bytes = (size_t)st.st_size;
    return true;
}

void program_end_release(struct program_end *end)
{
    if (end->bytes)
        munmap((void *)(uintptr_t)end->records, end->bytes);
    *end = (struct program_end){0};
}

bool program_run(char **argv, const struct program_plan *plan, bool quiet, struct program_end *out,
                 struct err *e)
{
    *out = (struct program_end){0};
    char *path = program_find(argv[0], e);
    char *dir = path && program_check(path, e) ? find_library(e) : NULL;
    int plan_fd = memfd_create("mdpredict plan", MFD_CLOEXEC);
    int records = memfd_create("mdpredict records", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    bool ok = dir != NULL;
    if (ok &&
        (plan_fd < 0 || records < 0 || write(plan_fd, plan, sizeof *plan) != (ssize_t)sizeof *plan))
        ok = err_set(e, "no memory for the program's plan: %s", strerror(errno));
    if (ok) {
        prctl(PR_SET_CHILD_SUBREAPER, 1);
        prepare_environment(dir, getpid(), plan_fd, records);
        pid_t pid = start(argv, path, quiet, e);
        ok = pid > 0;
        if (ok)
            wait_for(pid, out);
        ok = ok && read_records(records, out, e);
    }
    close(plan_fd);
    close(records);
    free(dir);
    free(path);
    return ok;
}
