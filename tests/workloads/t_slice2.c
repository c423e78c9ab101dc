/* Every workload, part 3 of 4. */
#define SLICE 2
#include "tests/workloads/every.h"
