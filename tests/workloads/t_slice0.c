/* Every workload, part 1 of 4. */
#define SLICE 0
#include "tests/workloads/every.h"
