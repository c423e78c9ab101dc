#include "sim/func/span.h"

#include "sim/func/lanes.h"

static const uint64_t lane_number[WARP_SIZE] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10,
                                                11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
                                                22, 23, 24, 25, 26, 27, 28, 29, 30, 31};

/* First the addresses and their shape: where that is one run or one address, its ends tell whether
 * it fits. Else every lane is looked at: sizes are below 2^62, so bit 63 of `off | (room - off)`
 * says "outside", and a lane that is not on a multiple of its bytes has lower bits than theirs.
 * Lanes that are not active are masked out. */
#define SPAN(name, row_t, ADDRESS)                                                              \
    LANE unsigned name##_lanes(const row_t *row, const struct span_query *q, const bool masked, \
                               addr_t *addr)                                                    \
    {                                                                                           \
        const uint64_t disp = q->disp, window = q->window, lo = q->lo, room = q->room;          \
        const uint64_t step = q->bytes, low = step - 1;                                         \
        const int shift = __builtin_ctz(q->bytes);                                              \
        const lanes_t active = q->active;                                                       \
        const row_t lead = row[masked ? __builtin_ctz(active) : 0];                             \
        const addr_t first = ADDRESS(lead);                                                     \
        uint64_t gap = 0, apart = 0, bad = 0;                                                   \
        LANE_LOOP                                                                               \
        {                                                                                       \
            const addr_t a = ADDRESS(row[i]);                                                   \
            addr[i] = a;                                                                        \
            if (masked)                                                                         \
                apart |= (a ^ first) & (active & lane_bit[i] ? UINT64_MAX : 0);                 \
            else {                                                                              \
                apart |= a ^ first;                                                             \
                gap |= (a - first) ^ lane_number[i] << shift;                                   \
            }                                                                                   \
        }                                                                                       \
        const bool run = !masked && !gap, same = !apart;                                        \
        if (run || same) {                                                                      \
            const uint64_t off = first - lo, end = off + (run ? (WARP_SIZE - 1) * step : 0);    \
            return (off <= room && end <= room && !(first & low) ? SPAN_FITS : 0) |             \
                   (run ? SPAN_RUN : 0) | (same ? SPAN_SAME : 0);                               \
        }                                                                                       \
        LANE_LOOP                                                                               \
        {                                                                                       \
            const uint64_t mask = !masked || (active & lane_bit[i]) ? UINT64_MAX : 0;           \
            const uint64_t off = addr[i] - lo;                                                  \
            bad |= (((off | (room - off)) & 1ull << 63) | (addr[i] & low)) & mask;              \
        }                                                                                       \
        return bad ? 0 : SPAN_FITS;                                                             \
    }                                                                                           \
    static unsigned name##_base(const row_t *row, const struct span_query *q, addr_t *addr)     \
    {                                                                                           \
        return q->active == LANES_ALL ? name##_lanes(row, q, false, addr)                       \
                                      : name##_lanes(row, q, true, addr);                       \
    }                                                                                           \
    WIDE_TARGET static unsigned name##_wide(const row_t *row, const struct span_query *q,       \
                                            addr_t *addr)                                       \
    {                                                                                           \
        return q->active == LANES_ALL ? name##_lanes(row, q, false, addr)                       \
                                      : name##_lanes(row, q, true, addr);                       \
    }                                                                                           \
    unsigned name(const row_t *row, const struct span_query *q, addr_t addr[WARP_SIZE])         \
    {                                                                                           \
        return (q->wide ? name##_wide : name##_base)(row, q, addr);                             \
    }

/* The sum has the row's width: compilers let 32-bit addresses pass zero on their way to an
 * element. */
#define ADDRESS_32(x) ((addr_t)(uint32_t)((x) + (uint32_t)disp) - window)
#define ADDRESS_64(x) ((x) + (disp - window))
SPAN(span_rows32, uint32_t, ADDRESS_32)
SPAN(span_rows64, uint64_t, ADDRESS_64)
