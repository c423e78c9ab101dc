/* sim/sm/coalesce.h -- how the lanes' addresses of a memory instruction become transactions. Pure.
 * The rules are those of compute capability 1.2 and later as GPGPU-Sim 3.2.1 applies them: one
 * transaction a touched segment; the segment's size follows from the data's size; a 128-byte
 * segment of which one half was touched shrinks to 64, one quarter to 32. */
#ifndef MDP_SIM_SM_COALESCE_H
#define MDP_SIM_SM_COALESCE_H

#include "base/types.h"

#define COALESCE_MAX 512 /* transactions of one instruction: 32 lanes x 16 texels */

struct txn {
    addr_t addr;
    uint32_t bytes;
};

struct coalescer {
    int n;
    int segment;                /* bytes; a power of two, at most 128 */
    addr_t base[COALESCE_MAX];  /* of the segment */
    uint8_t part[COALESCE_MAX]; /* bit i: the i-th 32 bytes of the segment were touched */
};

/* Segment size of data of `bytes` bytes (of one element of one lane). */
int coalesce_segment(int bytes);
void coalesce_begin(struct coalescer *c, int segment);
void coalesce_touch(struct coalescer *c, addr_t addr, int bytes);
void coalesce_lanes(struct coalescer *c, const addr_t *addr, lanes_t active, int bytes);
/* Transactions in the order in which they are sent: highest address first. Returns how many. */
int coalesce_end(struct coalescer *c, struct txn *out);

/* Atomics: per half warp, in segments of `segment` bytes; lanes that touch the same bytes need a
 * transaction each. Sent in reverse order of (half warp, address, conflict). */
int coalesce_atomic(const addr_t *addr, lanes_t active, int bytes, int segment, struct txn *out);
/* Lines of `line` bytes that the lanes touch (constants, parameters), highest first. */
int coalesce_lines(const addr_t *addr, lanes_t active, int bytes, struct txn *out, int line);
/* The same for lanes with several addresses each: {.t = out, .line = line}, add, add, ..., end. */
struct line_list {
    struct txn *t;
    int n, line;
};
void line_list_add(struct line_list *l, const addr_t *addr, lanes_t active, int bytes);
int line_list_end(struct line_list *l); /* sorts; returns how many */

#endif
