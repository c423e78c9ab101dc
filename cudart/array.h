/* cudart/array.h -- channel descriptions against the driver's formats. */
#ifndef MDP_CUDART_ARRAY_H
#define MDP_CUDART_ARRAY_H

#include "cudart/rt.h"

struct cudaChannelFormatDesc {
    int x, y, z, w; /* bits */
    int kind;       /* 0 signed, 1 unsigned, 2 float */
};

/* False: no format of 1, 2 or 4 equal channels of 8, 16 or 32 bits. */
bool rt_format(const struct cudaChannelFormatDesc *d, CUarray_format *format, unsigned *channels);

#endif
