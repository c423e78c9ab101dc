#include "fitter/fit/segments.h"

#include <math.h>
#include <stdlib.h>

#define MAX_STEPS 200
#define SETTLED   1e-12 /* of the coefficient */
#define NEAR      1e-6  /* of numerical derivatives, of 1 + |c| */

struct segment { /* the rows of one coefficient */
    const struct ls_problem *p;
    double *coeff; /* of the point under way, borrowed */
    int c;         /* which; -1: none */
    int *row;      /* [rows], borrowed */
    int rows;
    double *left, *moved; /* [rows], borrowed: residuals at the point under way, and beside it */
};

static double squares(const struct segment *s, double at, double *left)
{
    double sum = 0;
    if (s->c >= 0)
        s->coeff[s->c] = at;
    for (int i = 0; i < s->rows; i++) {
        const int row = s->row[i];
        left[i] = s->p->value(s->p->user, s->coeff, row) - s->p->y[row];
        sum += left[i] * left[i];
    }
    return isfinite(sum) ? sum : INFINITY;
}

static double within(const struct ls_coeff *c, double v)
{
    return fmin(fmax(v, c->lo), c->hi);
}

/* Where the tangents at `at`, whose residuals are in s->left, have their minimum. */
static double tangents(const struct segment *s, double at)
{
    const struct ls_coeff *c = &s->p->coeff[s->c];
    const double near = NEAR * (1 + fabs(at)), beside = at + near <= c->hi ? at + near : at - near;
    double gradient = 0, curvature = 0;
    if (!isfinite(squares(s, beside, s->moved)))
        return at;
    for (int i = 0; i < s->rows; i++) {
        const double slope = (s->moved[i] - s->left[i]) / (beside - at);
        gradient += slope * s->left[i];
        curvature += slope * slope;
    }
    return curvature > 0 ? within(c, at - gradient / curvature) : at;
}

static double minimise(struct segment *s)
{
    double at = s->c >= 0 ? s->coeff[s->c] : 0, best = squares(s, at, s->left);
    for (int step = 0; s->c >= 0 && s->rows > 0 && isfinite(best) && step < MAX_STEPS; step++) {
        double next = tangents(s, at), sum = squares(s, next, s->moved);
        while (sum > best && fabs(next - at) > SETTLED * fabs(at)) {
            next = (at + next) / 2;
            sum = squares(s, next, s->moved);
        }
        if (!(sum < best))
            break;
        double *was = s->left;
        s->left = s->moved;
        s->moved = was;
        const bool settled = fabs(next - at) <= SETTLED * fabs(next);
        at = next;
        best = sum;
        if (settled)
            break;
    }
    if (s->c >= 0)
        s->coeff[s->c] = at;
    return best;
}

double segments_fit(const struct ls_problem *p, const int *of, double *coeff)
{
    if (p->nrows <= p->ncoeff)
        return INFINITY;
    const size_t rows = (size_t)p->nrows;
    int *row = xcalloc(rows, sizeof *row);
    double *left = xcalloc(2 * rows, sizeof *left), sum = 0;
    struct segment s = {.p = p, .coeff = coeff, .row = row, .left = left, .moved = left + rows};
    for (s.c = -1; s.c < p->ncoeff; s.c++) {
        s.rows = 0;
        for (int i = 0; i < p->nrows; i++)
            if (of[i] == s.c)
                s.row[s.rows++] = i;
        sum += minimise(&s);
    }
    free(row);
    free(left);
    return sum;
}
