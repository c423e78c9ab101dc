/* sim/sm/trace_code.h -- the steps of one warp as bytes: what timing sees of each instruction that
 * a warp executed. Numbers are LEB128 varints, signed ones zigzag.
 *
 *   a step    tag, then what the tag's bits say, in this order:
 *             PC     signed: next pc less that of the step before + 1 (of the first one: its pc)
 *             ACTIVE lanes that executed it, XOR those of the step before
 *             LIVE   lanes that have exited with it
 *             MEMORY bytes a lane, space | SPREAD, addresses of the active lanes; or, of SP_TEX,
 *                    bytes of a texel, space, number of texels, and of each: lanes, SPREAD,
 *                    addresses of these
 *             ARRIVE barrier, threads that it wants (0: all)
 *   a run     RUN + n - 1: n steps in which none of these bits is set
 *   addresses signed: that of the first lane less the last step's in the same space; then, if not
 *             SPREAD, signed: what all others are apart; else each lane's less the lane's before
 *
 * Before the first step every lane of the warp is active. A warp's bytes end when no lane is live.
 */
#ifndef MDP_SIM_SM_TRACE_CODE_H
#define MDP_SIM_SM_TRACE_CODE_H

#include "sim/func/warp.h"

enum {
    TRACE_PC = 1,
    TRACE_ACTIVE = 2,
    TRACE_LIVE = 4,
    TRACE_MEMORY = 8,
    TRACE_ARRIVE = 16,
    TRACE_RUN = 128,
    TRACE_SPREAD = 8 /* beside a space */
};

struct trace_bytes { /* that grow */
    uint8_t *at;     /* owned */
    size_t n, cap;
};
void trace_put_byte(struct trace_bytes *b, uint8_t v);
void trace_put_uint(struct trace_bytes *b, uint64_t v);
void trace_put_int(struct trace_bytes *b, int64_t v);

struct trace_cursor { /* bytes that are read */
    const uint8_t *at, *end;
};
/* False: they end within the number, or it has more than 64 bits. */
bool trace_get_uint(struct trace_cursor *c, uint64_t *v);
bool trace_get_int(struct trace_cursor *c, int64_t *v);
bool trace_get_below(struct trace_cursor *c, uint64_t limit, uint64_t *v); /* v < limit */

struct trace_warp { /* what both sides know of the step before */
    uint32_t pc;    /* of the next one, if it is none that PC says */
    lanes_t active, live;
    addr_t last[SP_COUNT];
    uint32_t run; /* writer: steps of a run not written yet; reader: left of one */
    uint8_t tag;  /* reader: of the next step, whose PC has been read */
};
void trace_warp_begin(struct trace_warp *w, lanes_t live);

/* NULL, or why this step cannot be recorded. */
const char *trace_put_step(struct trace_bytes *b, struct trace_warp *w, const struct step *s,
                           lanes_t live);
void trace_put_end(struct trace_bytes *b, struct trace_warp *w); /* of the warp's last run */

/* Both return NULL, or what is wrong with the bytes: whatever they are, a step is one that the
 * kernel's instruction can do. next: reads as far as the next step's pc, which is w->pc then.
 * step: fills all of *s that timing reads; w->live: what is left. */
const char *trace_get_next(struct trace_cursor *c, struct trace_warp *w, const struct kernel *k);
const char *trace_get_step(struct trace_cursor *c, struct trace_warp *w, const struct kernel *k,
                           struct step *s);

/* Whether timing sees what the instruction does to memory. */
static inline bool trace_sees_memory(const struct inst *in)
{
    return in->unit == UNIT_MEM && in->space != SP_FRAME;
}

#endif
