/* Every workload, part 4 of 4. */
#define SLICE 3
#include "tests/workloads/every.h"
