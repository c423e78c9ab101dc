/* bench/bar.h -- one line of `make validate` and `make bench`: what was measured, what is wanted.
 */
#ifndef MDP_BENCH_BAR_H
#define MDP_BENCH_BAR_H

/* relation: ">=" or "<="; unit: "%": both numbers are shares; "" for none. Returns 1 if it is short
 * (NAN is), else 0. */
int bar(const char *name, double measured, const char *relation, double wanted, const char *unit);

#endif
