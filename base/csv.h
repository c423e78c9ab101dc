/* base/csv.h -- writing CSV as RFC 4180 has it: fields that need it are quoted; rows end with CR LF
 * there, with LF here, which every reader takes. */
#ifndef MDP_BASE_CSV_H
#define MDP_BASE_CSV_H

#include "base/types.h"

#include <stdio.h>

struct csv {
    FILE *out;  /* borrowed */
    int column; /* fields written in this row */
};

void csv_start(struct csv *c, FILE *out);
void csv_str(struct csv *c, const char *v); /* NULL: an empty field */
void csv_int(struct csv *c, int64_t v);
void csv_uint(struct csv *c, uint64_t v);
void csv_real(struct csv *c, double v); /* shortest exact; empty when not finite */
void csv_end_row(struct csv *c);

#endif
