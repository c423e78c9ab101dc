/* sim/sm/trace_file.h -- a file of recorded launches, opened to be run again. trace_write.h says
 * what the bytes mean. Opening reads the table alone; a CTA's bytes are read when it starts.
 * Nothing in an open file changes: any number of simulations use it at the same time.
 *
 * The bytes may be anything: every number is checked before it is used, and what is wrong is said
 * with the file's name and the offset. */
#ifndef MDP_SIM_SM_TRACE_FILE_H
#define MDP_SIM_SM_TRACE_FILE_H

#include "base/err.h"
#include "base/types.h"

#define TRACE_MAGIC      "MDPTRACE"
#define TRACE_VERSION    1
#define TRACE_HEADER     40         /* bytes */
#define TRACE_CTA_MOST   (1u << 30) /* bytes of a CTA, unpacked */
#define TRACE_TABLE_MOST (1u << 31)

struct trace_part { /* packed bytes of the file */
    uint64_t at;
    uint32_t packed, bytes; /* bytes: unpacked */
};

struct trace_text { /* borrowed from the table; no NUL */
    const char *name, *ptx;
    size_t name_len, ptx_len;
};

struct trace_kernel {
    int text;
    char *name; /* owned */
};

struct trace_launch {
    const struct trace_file *file; /* borrowed */
    int number;                    /* of the launch in the file, from 0 */
    int kernel;
    int grid[3], block[3];
    uint32_t dyn_shared, param_bytes;
    int regs; /* registers a thread, for occupancy; 0: as the kernel needs */
    uint64_t ctas;
    struct trace_part *cta; /* owned, by linear number */
};

struct trace_file {
    char *path;          /* owned: in messages */
    int fd;              /* -1: the bytes are these */
    const uint8_t *data; /* borrowed */
    uint64_t bytes;
    uint8_t *table; /* owned, unpacked */
    struct trace_text *text;
    struct trace_kernel *kernel;
    struct trace_launch *launch;
    int texts, kernels, launches;
};

bool trace_file_is(const char *path); /* by its first bytes */
/* NULL and e: it cannot be read, or is wrong. */
struct trace_file *trace_file_open(const char *path, struct err *e);
struct trace_file *trace_file_from(const char *name, const uint8_t *data, size_t bytes,
                                   struct err *e); /* data: borrowed */
void trace_file_free(struct trace_file *f);
/* Unpacks the part into out, which has room for part->bytes. */
bool trace_file_read(const struct trace_file *f, const struct trace_part *part, uint8_t *out,
                     struct err *e);

#endif
