/* What simulating the whole application at one degree says of the others.
 *
 * A prediction's errors at n and m share a part, alike * exp(-|ln(n / m)| / reach): of what is
 * found at one degree that part is taken over to the other. */
#include <math.h>

#include "model/model.h"

#define RIVAL 2.0 /* errors */

static double shared(const struct prediction *p, int n, int m)
{
    return p->reach > 0 ? p->alike * exp(-fabs(log((double)n / m)) / p->reach) : 0;
}

double model_doubt(const struct prediction *p, int n)
{
    double most = 0;
    for (int m = 1; m <= p->n_max; m++)
        if (p->simulated[m])
            most = fmax(most, n == m ? 1 : shared(p, n, m));
    return sqrt(1 - most * most);
}

/* The best degree but for `n`, of those that were not simulated; 0: none. */
static int rival(const struct prediction *p, int n)
{
    int best = 0;
    for (int m = 1; m <= p->n_max; m++)
        if (m != n && !p->simulated[m] && (!best || p->ipc[m] > p->ipc[best]))
            best = m;
    return best;
}

int model_simulate_next(const struct prediction *p)
{
    const int chosen = p->chosen_n, other = rival(p, chosen);
    const bool in_doubt =
        other && (p->error <= 0 || p->ipc[other] >= p->ipc[chosen] * exp(-RIVAL * p->error));
    return !in_doubt ? 0 : p->simulated[chosen] ? other : chosen;
}

void model_simulated(struct prediction *p, int n, double ipc)
{
    const double found = p->ipc[n] > 0 && ipc > 0 ? log(ipc / p->ipc[n]) : 0;
    for (int m = 1; m <= p->n_max; m++)
        if (!p->simulated[m])
            p->ipc[m] *= exp(found * shared(p, n, m));
    p->ipc[n] = ipc;
    p->simulated[n] = true;
    model_choose(p);
}
