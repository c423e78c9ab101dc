/* data/workloads/speckle.h -- speckle reducing anisotropic diffusion (Yu and Acton, IEEE Trans.
 * Image Processing 2002): images with speckle, and what one iteration makes of them, with bounds.
 */
#ifndef MDP_DATA_WORKLOADS_SPECKLE_H
#define MDP_DATA_WORKLOADS_SPECKLE_H

#include "data/workloads/bounded.h"

#define SPECKLE_RATE 0.125f /* a quarter of the time step 0.5 */

/* Discs on a gradient, times speckle: 0.7 .. 1.95, row after row. */
float *speckle_image(struct host *h, int wide, int high);

struct speckle_pixel { /* differences to its neighbours, diffusion coefficient */
    struct bounded n, s, w, e, c;
};

struct speckle {
    int wide, high;
    struct speckle_pixel *pixel; /* of the last iteration */
    struct bounded *next;        /* what it made of the image */
};

struct speckle speckle_new(struct host *h, int wide, int high);
/* One iteration from the image; q0: the speckle's squared coefficient of variation. Pixels beyond
 * an edge are those of the edge. */
void speckle_iterate(const struct speckle *s, const float *image, float q0);

#endif
