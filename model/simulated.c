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

static bool same(const struct prediction *p, int n, int m)
{
    return n == m || (p->same_from && n >= p->same_from && m >= p->same_from);
}

double model_doubt(const struct prediction *p, int n)
{
    double most = 0;
    for (int m = 1; m <= p->n_max; m++)
        if (p->simulated[m])
            most = fmax(most, n == m ? 1 : shared(p, n, m));
    return sqrt(1 - most * most);
}

static bool comes_near(const struct prediction *p, int n)
{
    const double chosen = p->simulated[p->chosen_n] ? 0 : p->chance[p->chosen_n];
    const double error = hypot(p->error, hypot(p->chance[n], chosen));
    return p->error <= 0 || p->ipc[n] >= p->ipc[p->chosen_n] * exp(-RIVAL * error);
}

/* Another degree may be the best instead of n, or n instead of the chosen one. */
static bool in_doubt(const struct prediction *p, int n)
{
    bool any = n != p->chosen_n && comes_near(p, n);
    for (int m = 1; n == p->chosen_n && m <= p->n_max; m++)
        any |= m != n && comes_near(p, m);
    return any;
}

static bool is_known(const struct prediction *p, int n)
{
    return p->simulated[n];
}

/* The largest degree is chosen where nothing is known, and `margin` guards it: what another one
 * really does decides more often than what it does itself. So it is the last. */
int model_simulate_next(const struct prediction *p)
{
    int best = 0;
    for (int n = 1; n < p->n_max; n++)
        if (!is_known(p, n) && in_doubt(p, n) && (!best || p->ipc[n] > p->ipc[best]))
            best = n;
    if (!best && !is_known(p, p->n_max) && in_doubt(p, p->n_max))
        best = p->n_max;
    return best;
}

/* Logarithm of what is taken over at m of what was found at n. */
static double taken_over(const struct prediction *p, int n, int m, double found)
{
    return found * (same(p, n, m) ? 1 : shared(p, n, m));
}

void model_simulated(struct prediction *p, int n, double ipc)
{
    const double found = p->ipc[n] > 0 && ipc > 0 ? log(ipc / p->ipc[n]) : 0;
    for (int m = 1; m <= p->n_max; m++)
        if (same(p, n, m)) {
            p->ipc[m] = ipc;
            p->simulated[m] = true;
        } else if (!p->simulated[m]) {
            p->ipc[m] *= exp(taken_over(p, n, m, found));
        }
    model_choose(p);
}
