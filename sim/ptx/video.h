/* sim/ptx/video.h -- video instructions (PTX ISA 9.7.17): what one says beyond its operands.
 *
 * A scalar one computes with a byte, a half or all of a and of b; one for two halves or four bytes
 * computes with as many elements, each from a or from b. The results replace parts of c, or are
 * joined with c. */
#ifndef MDP_SIM_PTX_VIDEO_H
#define MDP_SIM_PTX_VIDEO_H

#include "sim/ptx/inst.h"

enum video_op {
    VIDEO_ADD,
    VIDEO_SUB,
    VIDEO_ABSDIFF,
    VIDEO_AVRG,
    VIDEO_MIN,
    VIDEO_MAX,
    VIDEO_SET, /* inst.cmp */
    VIDEO_SHL,
    VIDEO_SHR,
    VIDEO_MAD
};

struct video_part { /* bits of an operand */
    uint8_t src;    /* 0: a, 1: b */
    uint8_t shift, bits;
};

struct video {
    uint8_t op;    /* enum video_op */
    uint8_t parts; /* 1, 2, 4 */
    bool signed_d, signed_a, signed_b;
    struct video_part a[4], b[4], d[4]; /* [parts]; of d without source */
    uint8_t mask;                       /* bit i: result i is used */
    bool merges;                        /* into c, not joined with it by inst.aop */
    bool plus_one, minus_product, minus_c;
    uint8_t scale; /* VIDEO_MAD: shifted right by so many bits */
};

#endif
