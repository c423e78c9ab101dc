#include "model/sample.h"

const struct sample_row sample_rows[] = {
#define X(name, unit, help) {#name, unit, help, offsetof(struct sample, name)},
    SAMPLE_FIELDS(X)
#undef X
        {NULL, NULL, NULL, 0}};
