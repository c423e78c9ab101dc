/* cli/price.h -- what an answer costs, in CPU seconds: everything that it needed, beside one
 * simulation at the default degree and beside the exhaustive search. */
#ifndef MDP_CLI_PRICE_H
#define MDP_CLI_PRICE_H

#include "cli/output.h"

enum price_of { /* what a part of an answer was spent on */
                PRICE_EXECUTION,
                PRICE_WINDOW,
                PRICE_MEMORY,
                PRICE_PILOTS,
                PRICE_RUNS,
                PRICE_COMPILATION,
                PRICE_OTHER,
                PRICE_COUNT
};

struct price {     /* seconds are CPU seconds, over all threads and child processes; 0: not known */
    double answer; /* everything that the answer needed */
    double simulation;     /* one simulation at the default degree, as a process of its own */
    bool estimated;        /* ... not measured */
    double search;         /* simulating every degree, likewise */
    bool search_estimated; /* ... not measured */
    double budget;         /* that was asked for; 0: none */
    double common;         /* of the answer, what the other two need as well and have in them */
    bool searched;         /* the answer has simulated every degree of something itself */
    struct price_part {
        enum price_of of;
        double seconds;
    } part[PRICE_COUNT]; /* they add up to `answer` once price_end() was called */
    int parts;
    double warp_insts, full_warp_insts; /* simulated in detail; by one simulation */
};

/* CPU seconds that this process and the children it has waited for have taken so far. */
double price_clock(void);
/* Adds a part of the answer that was measured by itself; common: see price_end(). */
void price_add(struct price *p, enum price_of of, double seconds);
void price_add_common(struct price *p, enum price_of of, double seconds);
/* The answer is there: it took what the clock has run since `since`; what no part accounts for is
 * PRICE_OTHER: starting, reading the input, printing. A simulation and a search need that and
 * the common parts, too: where they are known, these are added to them. */
void price_end(struct price *p, double since);

/* One simulation takes so many seconds a warp instruction (0: not known); a search is n_max of
 * them. */
void price_estimate(struct price *p, double seconds_each, int n_max);

/* answer_seconds, simulation_seconds, simulation_seconds_estimated; answer_parts. */
void price_output(struct output *out, const struct price *p);
/* search_seconds: of whoever has measured it. */
void price_output_search(struct output *out, const struct price *p);
/* The lines "price" of an answer, their text in column `indent`. */
void price_print(FILE *out, const struct price *p, int indent);

#endif
