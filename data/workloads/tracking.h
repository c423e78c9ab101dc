/* data/workloads/tracking.h -- the video of a bright disk that moves over a darker ground, and what
 * particle filters that track it have in common (Goodrum and others, "Parallelization of particle
 * filter algorithms", 2010): how a particle moves, and how well a place fits the object. */
#ifndef MDP_DATA_WORKLOADS_TRACKING_H
#define MDP_DATA_WORKLOADS_TRACKING_H

#include "data/workloads/host.h"

#define TRACKING_GROUND 100 /* mean brightness outside of the object, and of the object */
#define TRACKING_OBJECT 228
#define TRACKING_SCALE  400 /* of the log likelihood: see tracking_fit */

/* Per frame the object moves by this, and so do the particles, and spread with the deviation. */
#define TRACKING_MOVE_X   1
#define TRACKING_MOVE_Y   (-2)
#define TRACKING_SPREAD_X 5
#define TRACKING_SPREAD_Y 2

struct tracking {
    int width, height, frames, radius;
    uint8_t *video;       /* frame after frame, row after row */
    int points;           /* pixels of the disk */
    int *disk;            /* their (x, y) from its centre */
    int start_x, start_y; /* its centre in the first frame */
};

/* size: width, height, frames, radius */
struct tracking tracking_make(struct host *h, const long size[4]);
/* The sum over the disk around (x, y) of (pixel - ground)^2 - (pixel - object)^2; pixels beyond an
 * edge are those of the edge. The log likelihood is this over TRACKING_SCALE x points: -41 .. 41
 * without noise. */
int tracking_fit(const struct tracking *t, int frame, int x, int y);
/* The first of the n ascending numbers that is at least u; n - 1 if none is. */
int tracking_first_at_least(const double *ascending, int n, double u);

#endif
