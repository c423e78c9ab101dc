/* Every workload, part 2 of 4. */
#define SLICE 1
#include "tests/workloads/every.h"
