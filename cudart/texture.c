/* texture.c -- channel descriptions. */
#include "cudart/rt.h"

struct cudaChannelFormatDesc {
    int x, y, z, w; /* bits */
    int kind;
};

CUDART_AS(struct cudaChannelFormatDesc, cudaCreateChannelDesc, int x, int y, int z, int w, int kind)
{
    return (struct cudaChannelFormatDesc){x, y, z, w, kind};
}
