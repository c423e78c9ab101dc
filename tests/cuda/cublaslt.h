/* tests/cuda/cublaslt.h -- cuBLASLt as its header has it, as far as the test uses it. */
#ifndef MDP_TESTS_CUDA_CUBLASLT_H
#define MDP_TESTS_CUDA_CUBLASLT_H

#include <stdint.h>

#include "tests/cuda/driver_types.h"

typedef struct lt *Handle;
typedef struct layout *Layout;
typedef struct operation *Operation;
typedef struct preference *Preference;
struct algorithm {
    uint64_t data[8];
};
struct heuristic {
    struct algorithm algorithm;
    size_t workspace;
    int status;
    float waves;
    int reserved[4];
};
int cublasLtCreate(Handle *), cublasLtDestroy(Handle);
int cublasLtMatrixLayoutCreate(Layout *, int, uint64_t, uint64_t, int64_t);
int cublasLtMatrixLayoutInit_internal(Layout, size_t, int, uint64_t, uint64_t, int64_t);
int cublasLtMatrixLayoutDestroy(Layout);
int cublasLtMatrixLayoutSetAttribute(Layout, int, const void *, size_t);
int cublasLtMatrixLayoutGetAttribute(Layout, int, void *, size_t, size_t *);
int cublasLtMatmulDescCreate(Operation *, int, int), cublasLtMatmulDescDestroy(Operation);
int cublasLtMatmulDescInit_internal(Operation, size_t, int, int);
int cublasLtMatmulDescSetAttribute(Operation, int, const void *, size_t);
int cublasLtMatmulDescGetAttribute(Operation, int, void *, size_t, size_t *);
int cublasLtMatmulPreferenceCreate(Preference *), cublasLtMatmulPreferenceDestroy(Preference);
int cublasLtMatmulPreferenceInit_internal(Preference, size_t);
int cublasLtMatmulPreferenceSetAttribute(Preference, int, const void *, size_t);
int cublasLtMatmulPreferenceGetAttribute(Preference, int, void *, size_t, size_t *);
int cublasLtMatmulAlgoGetHeuristic(Handle, Operation, Layout, Layout, Layout, Layout, Preference,
                                   int, struct heuristic *, int *);
int cublasLtMatmulAlgoCheck(Handle, Operation, Layout, Layout, Layout, Layout,
                            const struct algorithm *, struct heuristic *);
int cublasLtMatmul(Handle, Operation, const void *alpha, const void *, Layout, const void *, Layout,
                   const void *beta, const void *, Layout, void *, Layout, const struct algorithm *,
                   void *, size_t, CUstream);
int cublasLtMatrixTransform(void), cublasLtLoggerSetLevel(int), cublasLtGetProperty(int, int *);
size_t cublasLtGetVersion(void);
const char *cublasLtGetStatusString(int);

enum { NOT_INITIALIZED = 1, ALLOC_FAILED = 3, INVALID_VALUE = 7, NOT_SUPPORTED = 15 };
enum { AS_HALVES = 64, AS_FLOATS = 68, AS_DOUBLES = 70, FAST = 77 };
enum { ORDER = 1, ROWS, COLS, LD, BATCH, STRIDE, PLANE, POINTERS_TO = 8 }; /* of a layout */
enum {                                                                     /* of an operation */
       SCALE = 1,
       POINTERS,
       TRANSA,
       TRANSB,
       TRANSC,
       PART,
       EPILOGUE,
       BIAS,
       BIAS_STRIDE = 10,
       AUX,
       AUX_LD,
       AUX_STRIDE,
       A_SCALE = 17,
       AUX_TYPE = 22,
       BIAS_TYPE = 26
};
enum { /* epilogues */
       NONE = 1,
       RELU = 2,
       ADD_BIAS = 4,
       GELU = 32,
       DGELU = 64,
       WITH_AUX = 128,
       SUM_A = 256,
       SUM_B = 512
};

#endif
