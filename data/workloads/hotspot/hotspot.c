/* hotspot -- temperatures on a chip under a map of power (Yen 2014, Table 2): explicit time steps
 * on a grid, 16 x 16 cells a CTA, two steps a launch. Each cell of silicon exchanges heat with its
 * four neighbours and with the air, and is heated by its share of the power.
 *
 * The time step is an eighth of a cell's time constant against one neighbour: half of what the
 * explicit method bears (Courant). Then the share of each difference is, from a cell's capacity
 * and the resistances to a neighbour, 1/(CONDUCTIVITY x THICK), and to the air: */
#include "data/workloads/bounded.h"

#include <string.h>

#define TILE         16
#define STEPS        2 /* a launch */
#define SIDE         16e-3
#define THICK        0.5e-3 /* m */
#define CONDUCTIVITY 100.0  /* W/(m K), silicon when hot */
#define SHARE        0.125
#define AMBIENT      80.0f
#define POWER        60.0 /* W, on average over the chip */

struct flow {
    float x, y, z, power;
};

static struct flow flow_of(int side)
{
    double cell = SIDE / side;
    return (struct flow){(float)SHARE, (float)SHARE, (float)(SHARE * cell * cell / (THICK * THICK)),
                         (float)(SHARE / (CONDUCTIVITY * THICK))};
}

/* Blocks of 8 x 8 cells that are idle or busy, and a little noise. */
static float *make_power(struct host *h, int side)
{
    size_t n = (size_t)side * (size_t)side;
    int blocks = (side + 7) / 8;
    const float *busy = host_random_floats(h, (size_t)blocks * (size_t)blocks, 0.0, 1.8);
    float *power = host_random_floats(h, n, 0.0, 0.2);
    for (size_t i = 0; i < n; i++) {
        int x = (int)i % side, y = (int)i / side;
        power[i] = (power[i] + busy[y / 8 * blocks + x / 8]) * (float)(POWER / (double)n);
    }
    return power;
}

/* Sum of the neighbours a and b, less twice the cell t. */
static struct bounded bend(struct bounded a, struct bounded b, struct bounded t)
{
    return bounded_sub(bounded_add(a, b), bounded_add(t, t));
}

static struct bounded next_temperature(const struct bounded *from, float watts, int side, int i)
{
    struct flow k = flow_of(side);
    int x = i % side, y = i / side;
    struct bounded t = from[i];
    struct bounded east = from[x < side - 1 ? i + 1 : i], west = from[x > 0 ? i - 1 : i];
    struct bounded south = from[y < side - 1 ? i + side : i], north = from[y > 0 ? i - side : i];
    struct bounded sum = bounded_mul(bounded(k.power), bounded(watts));
    sum = bounded_add(sum, bounded_mul(bounded(k.y), bend(south, north, t)));
    sum = bounded_add(sum, bounded_mul(bounded(k.x), bend(east, west, t)));
    sum = bounded_add(sum, bounded_mul(bounded(k.z), bounded_sub(bounded(AMBIENT), t)));
    return bounded_add(t, sum);
}

static const struct bounded *reference(struct host *h, const float *start, const float *power,
                                       int side, int steps)
{
    size_t n = (size_t)side * (size_t)side;
    struct bounded *from = bounded_from(h, start, n), *to = host_new(h, n, sizeof *to);
    for (int s = 0; s < steps; s++) {
        for (int i = 0; i < (int)n; i++)
            to[i] = next_temperature(from, power[i], side, i);
        struct bounded *t = from;
        from = to;
        to = t;
    }
    return from;
}

/* In: temperatures at the start. Out: after all launches. */
static bool run_on_device(struct host *h, float *temperature, const float *power, int side,
                          struct err *e)
{
    CUfunction kernel;
    CUdeviceptr from, to, watts;
    size_t bytes = (size_t)side * (size_t)side * sizeof *temperature;
    unsigned wide = host_ctas((size_t)side, TILE - 2 * STEPS);
    float ambient = AMBIENT;
    int steps = STEPS;
    struct flow k = flow_of(side);
    if (!host_kernel(h, "hotspot_steps", &kernel, e) || !host_array(&from, temperature, bytes, e) ||
        !host_array(&to, NULL, bytes, e) || !host_array(&watts, power, bytes, e))
        return false;
    for (long launch = 0; launch < h->in->size->param[1]; launch++) {
        void *args[] = {&to, &from, &watts, &side, &steps, &ambient, &k};
        if (!host_launch_grid(kernel, (struct host_grid){wide, wide, 1},
                              (struct host_grid){TILE, TILE, 1}, args, e))
            return false;
        CUdeviceptr t = from;
        from = to;
        to = t;
    }
    TRY(cuMemcpyDtoH(temperature, from, bytes));
    return true;
}

static bool body(struct host *h, struct err *e)
{
    int side = (int)h->in->size->param[0], steps = STEPS * (int)h->in->size->param[1];
    size_t n = (size_t)side * (size_t)side;
    float *temperature = host_random_floats(h, n, 320.0, 340.0),
          *start = host_new(h, n, sizeof *start);
    const float *power = make_power(h, side);
    memcpy(start, temperature, n * sizeof *start);
    if (!run_on_device(h, temperature, power, side, e))
        return false;
    return !h->in->verify || bounded_near(h, "temperature", temperature,
                                          reference(h, start, power, side, steps), n, e);
}

static bool run(const struct workload *w, const struct workload_input *in, struct err *e)
{
    return host_run(w, in, body, e);
}

extern const char workload_hotspot_ptx[];
extern const struct workload workload_hotspot;
const struct workload workload_hotspot = {
    .name = "hotspot",
    .suite = "Kayiran, Park, Awatramani, Yen",
    .title = "heat flow on a chip, two time steps a launch",
    .paper_class = "compute-intensive",
    .size = {{"small", {216, 1}, "216 x 216 cells, 1 launch"},
             {"medium", {336, 1}, "336 x 336 cells, 1 launch"},
             {"paper",
              {512, 2},
              "512 x 512 cells: 5.1 MB as text, our reading of Table 2; 2 launches"}},
    .ptx = workload_hotspot_ptx,
    .run = run,
};
