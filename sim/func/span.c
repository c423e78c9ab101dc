#include "sim/func/span.h"

#include "sim/func/lanes.h"

/* Sizes are below 2^62, so bit 63 of `off | (room - off)` says "outside"; a lane that is not on a
 * multiple of its bytes has lower bits than theirs. Lanes that are not active are masked out. */
#define SPAN(name, row_t, ADDRESS)                                                                 \
    LANE struct span name##_lanes(const row_t *row, const struct span_query *q, const bool masked, \
                                  addr_t *addr)                                                    \
    {                                                                                              \
        const uint64_t disp = q->disp, window = q->window, lo = q->lo, room = q->room;             \
        const uint64_t step = q->bytes, low = step - 1, sign = 1ull << 63;                         \
        const lanes_t active = q->active;                                                          \
        const row_t lead = row[__builtin_ctz(active)];                                             \
        const addr_t first = ADDRESS(lead);                                                        \
        uint64_t bad = 0, gap = 0, apart = 0;                                                      \
        LANE_LOOP                                                                                  \
        {                                                                                          \
            const uint64_t mask = !masked || (active & lane_bit[i]) ? UINT64_MAX : 0;              \
            const addr_t a = ADDRESS(row[i]);                                                      \
            const uint64_t off = a - lo;                                                           \
            addr[i] = a;                                                                           \
            bad |= (((off | (room - off)) & sign) | (a & low)) & mask;                             \
            apart |= (a ^ first) & mask;                                                           \
            if (!masked)                                                                           \
                gap |= a ^ (first + (uint64_t)i * step);                                           \
        }                                                                                          \
        return (struct span){.fits = !bad, .run = !masked && !gap, .same = !apart};                \
    }                                                                                              \
    static struct span name##_base(const row_t *row, const struct span_query *q, addr_t *addr)     \
    {                                                                                              \
        return q->active == LANES_ALL ? name##_lanes(row, q, false, addr)                          \
                                      : name##_lanes(row, q, true, addr);                          \
    }                                                                                              \
    WIDE_TARGET static struct span name##_wide(const row_t *row, const struct span_query *q,       \
                                               addr_t *addr)                                       \
    {                                                                                              \
        return q->active == LANES_ALL ? name##_lanes(row, q, false, addr)                          \
                                      : name##_lanes(row, q, true, addr);                          \
    }                                                                                              \
    struct span name(const row_t *row, const struct span_query *q, addr_t addr[WARP_SIZE])         \
    {                                                                                              \
        return (q->wide ? name##_wide : name##_base)(row, q, addr);                                \
    }

/* The sum has the row's width: compilers let 32-bit addresses pass zero on their way to an
 * element. */
#define ADDRESS_32(x) ((addr_t)(uint32_t)((x) + (uint32_t)disp) - window)
#define ADDRESS_64(x) ((x) + (disp - window))
SPAN(span_rows32, uint32_t, ADDRESS_32)
SPAN(span_rows64, uint64_t, ADDRESS_64)
