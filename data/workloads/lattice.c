#include "data/workloads/lattice.h"

#include <math.h>
#include <stdlib.h>

/* From a site to its neighbours on the edges of the six tetrahedra between it and the opposite
 * corner; in one layer, the three with dz 0. */
static const int mesh_step[][3] = {{1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0, 0, 1},
                                   {1, 0, 1}, {0, 1, 1}, {1, 1, 1}};

static int sites_of(const struct lattice_shape *s)
{
    return s->n[0] * s->n[1] * s->n[2];
}

static int site_index(const struct lattice_shape *s, const int at[3])
{
    return (at[2] * s->n[1] + at[1]) * s->n[0] + at[0];
}

static void site_at(const struct lattice_shape *s, int index, int at[3])
{
    at[0] = index % s->n[0];
    at[1] = index / s->n[0] % s->n[1];
    at[2] = index / s->n[0] / s->n[1];
}

struct keyed { /* a site and where it comes */
    uint64_t brick, inside;
    int site;
};

static int by_key(const void *a, const void *b)
{
    const struct keyed *x = a, *y = b;
    if (x->brick != y->brick)
        return x->brick > y->brick ? 1 : -1;
    return (x->inside > y->inside) - (x->inside < y->inside);
}

/* Bits of the coordinates interleaved: Morton's curve. */
static uint64_t curve(const int at[3], int brick)
{
    uint64_t key = 0;
    for (int b = 0; b < 16; b++)
        for (int d = 0; d < 3; d++)
            key |= (uint64_t)(at[d] / brick >> b & 1) << (3 * b + d);
    return key;
}

/* number[site]: of the point there. */
static int *number_sites(struct host *h, const struct lattice_shape *s)
{
    int sites = sites_of(s), at[3];
    int *number = host_new(h, (size_t)sites, sizeof *number);
    struct keyed *key = host_new(h, (size_t)sites, sizeof *key);
    for (int i = 0; i < sites; i++) {
        site_at(s, i, at);
        key[i] = (struct keyed){curve(at, s->brick), rng_u64(&h->rng), i};
    }
    qsort(key, (size_t)sites, sizeof *key, by_key);
    for (int i = 0; i < sites; i++)
        number[key[i].site] = i;
    return number;
}

static void place_points(struct host *h, const struct lattice_shape *s, const int *number,
                         struct lattice *l)
{
    l->g.nodes = sites_of(s);
    l->at = host_new(h, (size_t)l->g.nodes, sizeof *l->at);
    for (int i = 0, at[3]; i < l->g.nodes; i++) {
        site_at(s, i, at);
        for (int d = 0; d < 3; d++)
            l->at[number[i]][d] = (float)(at[d] + rng_real(&h->rng, -s->jitter, s->jitter));
    }
}

/* The point a step away from a site, or -1 beyond the border. */
static int neighbour(const struct lattice_shape *s, const int *number, const int at[3],
                     const int step[3])
{
    int there[3];
    for (int d = 0; d < 3; d++) {
        there[d] = at[d] + step[d];
        if (there[d] < 0 || there[d] >= s->n[d])
            return -1;
    }
    return number[site_index(s, there)];
}

static void number_points(struct host *h, struct lattice *l)
{
    const int *place = graph_number(h, &l->g);
    graph_move(h, l->at, (size_t)l->g.nodes, sizeof *l->at, place);
}

struct lattice lattice_mesh(struct host *h, const struct lattice_shape *s)
{
    struct lattice l = {0};
    const int *number = number_sites(h, s);
    const size_t steps = sizeof mesh_step / sizeof *mesh_step;
    place_points(h, s, number, &l);
    l.g.edge = host_new(h, (size_t)l.g.nodes * steps, sizeof *l.g.edge);
    for (int i = 0, at[3]; i < l.g.nodes; i++) {
        site_at(s, i, at);
        for (size_t d = 0; d < steps; d++) {
            int to = neighbour(s, number, at, mesh_step[d]);
            if (to < 0)
                continue;
            l.g.edge[l.g.edges][0] = number[i];
            l.g.edge[l.g.edges++][1] = to;
        }
    }
    number_points(h, &l);
    return l;
}

static double distance2(const struct lattice *l, int a, int b)
{
    double sum = 0.0;
    for (int d = 0; d < 3; d++) {
        double by = (double)l->at[a][d] - (double)l->at[b][d];
        sum += by * by;
    }
    return sum;
}

/* Pairs of the point at site i with those behind it (in the sites' order) within the radius. */
static void add_pairs(struct lattice *l, const struct lattice_shape *s, const int *number, int i,
                      double radius)
{
    int at[3], reach = (int)ceil(radius + 2.0 * s->jitter), wide = 2 * reach + 1;
    site_at(s, i, at);
    for (int k = wide * wide * wide / 2 + 1; k < wide * wide * wide; k++) {
        int step[3] = {k % wide - reach, k / wide % wide - reach, k / wide / wide - reach};
        int to = neighbour(s, number, at, step);
        if (to < 0 || distance2(l, number[i], to) >= radius * radius)
            continue;
        l->g.edge[l->g.edges][0] = number[i];
        l->g.edge[l->g.edges++][1] = to;
    }
}

struct lattice lattice_box(struct host *h, const struct lattice_shape *s, double radius)
{
    struct lattice l = {0};
    const int *number = number_sites(h, s);
    double sphere = 4.19 * pow(radius + 2.0 * s->jitter + 1.0, 3.0); /* more sites don't reach */
    place_points(h, s, number, &l);
    l.g.edge = host_new(h, (size_t)(l.g.nodes * sphere / 2.0), sizeof *l.g.edge);
    for (int i = 0; i < l.g.nodes; i++)
        add_pairs(&l, s, number, i, radius);
    number_points(h, &l);
    return l;
}
