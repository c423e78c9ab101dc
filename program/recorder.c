#include "program/recorder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/demangle.h"
#include "base/own_pid.h"

struct recorder {
    struct program_plan plan;
    int pid, records; /* the file of the records: mdpredict's process, its descriptor there */
    int fd;           /* ours; -1: none */
    dev_t dev;        /* which file it has to be */
    ino_t ino;
};

static int open_fd(int pid, int fd, int flags)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/fd/%d", pid, fd);
    return open(path, flags | O_CLOEXEC);
}

static bool read_plan(struct recorder *r, int fd, struct err *e)
{
    bool ok = pread(fd, &r->plan, sizeof r->plan, 0) == (ssize_t)sizeof r->plan &&
              r->plan.magic == PROGRAM_MAGIC && r->plan.bytes == sizeof r->plan;
    close(fd);
    return ok || err_set(e, "the simulator's library and mdpredict are not of one build");
}

static bool open_records(struct recorder *r)
{
    struct stat st;
    r->fd = open_fd(r->pid, r->records, O_WRONLY | O_APPEND);
    if (r->fd < 0 || fstat(r->fd, &st) != 0)
        return false;
    r->dev = st.st_dev;
    r->ino = st.st_ino;
    return true;
}

/* The program may have closed our descriptor, and opened a file of its own under its number. */
static bool still_open(struct recorder *r)
{
    struct stat st;
    bool ours = fstat(r->fd, &st) == 0 && st.st_dev == r->dev && st.st_ino == r->ino;
    return ours || open_records(r);
}

struct recorder *recorder_open(const char *where, struct err *e)
{
    int pid, plan, records;
    if (!where || sscanf(where, "%d:%d:%d", &pid, &plan, &records) != 3) {
        err_set(e, "start the program with `mdpredict run -- PROGRAM`");
        return NULL;
    }
    int fd = open_fd(pid, plan, O_RDONLY);
    if (fd < 0) {
        err_set(e, "mdpredict, which started this program, has ended (%s)", strerror(errno));
        return NULL;
    }
    struct recorder *r = xcalloc(1, sizeof *r);
    r->pid = pid;
    r->records = records;
    if (read_plan(r, fd, e) && (open_records(r) || err_set(e, "records: %s", strerror(errno))))
        return r;
    free(r);
    return NULL;
}

void recorder_close(struct recorder *r)
{
    if (!r)
        return;
    close(r->fd);
    free(r);
}

const struct program_plan *recorder_plan(const struct recorder *r)
{
    return &r->plan;
}

void recorder_put(struct recorder *r, enum record_kind kind, const void *record, size_t bytes)
{
    struct record_head head = {(uint32_t)kind, (uint32_t)bytes, own_pid()};
    char *whole = xmalloc(sizeof head + bytes);
    memcpy(whole, &head, sizeof head);
    memcpy(whole + sizeof head, record, bytes);
    ssize_t put = still_open(r) ? write(r->fd, whole, sizeof head + bytes) : -1;
    if (put != (ssize_t)(sizeof head + bytes))
        fprintf(stderr, "mdpredict: a record was lost: %s\n", strerror(errno));
    free(whole);
}

void recorder_put_fault(struct recorder *r, const struct record_fault *what, const char *text)
{
    struct record_fault f = *what;
    char *plain = demangle_text(text);
    snprintf(f.text, sizeof f.text, "%s", plain);
    free(plain);
    recorder_put(r, RECORD_FAULT, &f, sizeof f);
}
