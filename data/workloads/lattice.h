/* data/workloads/lattice.h -- points in space and who is near whom: unstructured meshes and boxes
 * of molecules. The points are the sites of a lattice of spacing 1, each displaced at random.
 *
 * NATURAL numbering goes brick by brick, the bricks along a space-filling curve, and has no order
 * inside a brick: as a mesh generator leaves it that refines region by region, or a molecular
 * dynamics code that sorts its molecules into cells. */
#ifndef MDP_DATA_WORKLOADS_LATTICE_H
#define MDP_DATA_WORKLOADS_LATTICE_H

#include "data/workloads/graph.h"

struct lattice_shape {
    int n[3];      /* sites each way */
    int brick;     /* sites of a brick's side */
    double jitter; /* displacement from the site, each way */
};

struct lattice {
    struct graph g; /* edges between neighbours */
    float (*at)[3]; /* coordinates by point */
};

/* The edges of triangles (n[2] is 1) or of tetrahedra, each cube of the lattice cut into six along
 * its diagonal: an inner point has 6 or 14 neighbours. */
struct lattice lattice_mesh(struct host *h, const struct lattice_shape *s);

/* An edge for each pair of points nearer than the radius. */
struct lattice lattice_box(struct host *h, const struct lattice_shape *s, double radius);

#endif
