/* tests/cuda/ok.h -- checks of the test programs: a call's result has to be 0, a condition to hold.
 */
#ifndef MDP_TESTS_CUDA_OK_H
#define MDP_TESTS_CUDA_OK_H

#include <stdio.h>
#include <stdlib.h>

#define OK(call)                                              \
    do {                                                      \
        int r_ = (call);                                      \
        if (r_) {                                             \
            printf("line %d: %s: %d\n", __LINE__, #call, r_); \
            exit(1);                                          \
        }                                                     \
    } while (0)
#define EXPECT(c) OK(!(c))

#endif
