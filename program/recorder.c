#include "program/recorder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct recorder {
    struct program_plan plan;
    int fd; /* of the records */
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

struct recorder *recorder_open(struct err *e)
{
    int pid, plan, records;
    const char *where = getenv(PROGRAM_ENV);
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
    r->fd = read_plan(r, fd, e) ? open_fd(pid, records, O_WRONLY | O_APPEND) : -1;
    if (r->fd >= 0)
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
    struct record_head head = {(uint32_t)kind, (uint32_t)bytes, getpid()};
    char *whole = xmalloc(sizeof head + bytes);
    memcpy(whole, &head, sizeof head);
    memcpy(whole + sizeof head, record, bytes);
    ssize_t put = write(r->fd, whole, sizeof head + bytes);
    if (put != (ssize_t)(sizeof head + bytes))
        fprintf(stderr,
                "mdpredict: a record was lost (%s): the program closed a descriptor of "
                "ours?\n",
                strerror(errno));
    free(whole);
}

void recorder_put_fault(struct recorder *r, bool refused, const char *text)
{
    struct record_fault f = {.refused = refused};
    snprintf(f.text, sizeof f.text, "%s", text);
    recorder_put(r, RECORD_FAULT, &f, sizeof f);
}
