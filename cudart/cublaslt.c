/* cublaslt.c -- of cuBLASLt: handles, and the descriptors of matrices, operations and preferences.
 * An attribute is a row of a table; one whose only value here is CUDA's default refuses any other.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cudart/cublaslt.h"

/* -- handles: cuBLAS's, which a program may use here as well */

CUBLASLT(cublasLtCreate, Handle *h)
{
    return cublas_create(h);
}

CUBLASLT(cublasLtDestroy, Handle h)
{
    return cublas_destroy(h);
}

EXPORTED_LT(const char *, cublasLtGetStatusName, int status)
{
    return cublas_status_name(status);
}

EXPORTED_LT(const char *, cublasLtGetStatusString, int status)
{
    return cublas_status_name(status);
}

EXPORTED_LT(size_t, cublasLtGetVersion, void)
{
    return CUBLAS_VERSION;
}

EXPORTED_LT(size_t, cublasLtGetCudartVersion, void)
{
    return CUBLAS_VERSION / 10;
}

CUBLASLT(cublasLtGetProperty, int which, int *value)
{
    return cublas_property(which, value);
}

EXPORTED_LT(unsigned, cublasLtDisableCpuInstructionsSetMask, unsigned mask)
{
    (void)mask;
    return 0;
}

/* It has nothing to say. */
#define LOGGER(name, type)       \
    CUBLASLT(name, type setting) \
    {                            \
        (void)setting;           \
        return OK;               \
    }
LOGGER(cublasLtLoggerSetCallback, void *)
LOGGER(cublasLtLoggerSetFile, void *)
LOGGER(cublasLtLoggerOpenFile, const char *)
LOGGER(cublasLtLoggerSetLevel, int)
LOGGER(cublasLtLoggerSetMask, int)

CUBLASLT(cublasLtLoggerForceDisable, void)
{
    return OK;
}

/* -- attributes */

#define NOWHERE 0xffff
struct attribute {
    int id;
    unsigned short at, bytes; /* NOWHERE: `only` is its value */
    int64_t only;
};
struct attributes {
    const char *set; /* the function that sets one */
    const struct attribute *row;
    size_t n;
};
#define STORED(id, type, field)                                                                \
    {                                                                                          \
        id, (unsigned short)offsetof(struct type, field), sizeof(((struct type *)0)->field), 0 \
    }
#define ONLY(id, bytes, value)    \
    {                             \
        id, NOWHERE, bytes, value \
    }

static const struct attribute *attribute(const struct attributes *t, int id)
{
    for (size_t i = 0; i < t->n; i++)
        if (t->row[i].id == id)
            return &t->row[i];
    return NULL;
}

static int attribute_set(const struct attributes *t, void *d, int id, const void *from,
                         size_t bytes)
{
    const struct attribute *a = attribute(t, id);
    char what[64];
    if (!d || !from || (a && bytes != a->bytes))
        return INVALID_VALUE;
    if (a && a->at != NOWHERE) {
        memcpy((char *)d + a->at, from, bytes);
        return OK;
    }
    if (a && memcmp(from, &a->only, bytes) == 0)
        return OK;
    snprintf(what, sizeof what, a ? "attribute %d other than its default" : "attribute %d", id);
    return cublaslt_refuse(t->set, what);
}

struct room { /* that a program has for a value, and how much of it is used */
    void *at;
    size_t bytes, *used;
};

static int attribute_get(const struct attributes *t, const void *d, int id, struct room to)
{
    const struct attribute *a = attribute(t, id);
    if (!d || !a || (!to.bytes && !to.used) || (to.bytes && (!to.at || to.bytes != a->bytes)))
        return INVALID_VALUE;
    if (to.bytes)
        memcpy(to.at, a->at == NOWHERE ? (const char *)&a->only : (const char *)d + a->at,
               a->bytes);
    if (to.used)
        *to.used = a->bytes;
    return OK;
}

static const struct attribute of_layout[] = {
    STORED(0, lt_layout, type),
    STORED(1, lt_layout, order),
    STORED(2, lt_layout, rows),
    STORED(3, lt_layout, cols),
    STORED(4, lt_layout, ld),
    STORED(5, lt_layout, batch),
    STORED(6, lt_layout, stride),
    ONLY(7, 8, 0), /* imaginary parts in a plane of their own */
    ONLY(8, 4, 0), /* arrays of pointers */
};
static const struct attribute of_matmul[] = {
    STORED(0, lt_matmul, compute),
    STORED(1, lt_matmul, scale),
    STORED(2, lt_matmul, pointers),
    STORED(3, lt_matmul, transa),
    STORED(4, lt_matmul, transb),
    ONLY(5, 4, 0), /* C transposed */
    ONLY(6, 4, 2), /* a part of the result alone */
    STORED(7, lt_matmul, epilogue),
    STORED(8, lt_matmul, bias),
    STORED(10, lt_matmul, bias_stride),
    STORED(11, lt_matmul, aux),
    STORED(12, lt_matmul, aux_ld),
    STORED(13, lt_matmul, aux_stride),
    ONLY(14, 8, 0), /* a vector of alphas for each matrix */
    STORED(15, lt_matmul, cores),
    ONLY(17, 8, 0), /* scales of A, B, C, D, and the largest of D */
    ONLY(18, 8, 0),
    ONLY(19, 8, 0),
    ONLY(20, 8, 0),
    ONLY(21, 8, 0),
    STORED(22, lt_matmul, aux_type),
    ONLY(23, 8, 0), /* ... likewise of what the epilogue has */
    ONLY(24, 8, 0),
    STORED(25, lt_matmul, fast),
    STORED(26, lt_matmul, bias_type),
    ONLY(31, 4, 0), /* how scales are stored */
    ONLY(32, 4, 0),
    ONLY(33, 4, 0),
    ONLY(34, 4, 0),
    ONLY(35, 4, 0),
    ONLY(36, 8, 0),
    ONLY(37, 4, 0),
    ONLY(38, 8, 0), /* emulation */
};
static const struct attribute of_preference[] = {
    STORED(0, lt_preference, search),     STORED(1, lt_preference, workspace),
    STORED(2, lt_preference, math),       STORED(3, lt_preference, reductions),
    STORED(4, lt_preference, gaussian),   STORED(5, lt_preference, aligned[0]),
    STORED(6, lt_preference, aligned[1]), STORED(7, lt_preference, aligned[2]),
    STORED(8, lt_preference, aligned[3]), STORED(9, lt_preference, waves),
    STORED(10, lt_preference, pointers),  STORED(11, lt_preference, epilogues),
    STORED(12, lt_preference, numerics),  STORED(13, lt_preference, cores),
};
#define TABLE(call, rows)                         \
    {                                             \
        call, rows, sizeof(rows) / sizeof *(rows) \
    }
static const struct attributes layouts = TABLE("cublasLtMatrixLayoutSetAttribute", of_layout),
                               matmuls = TABLE("cublasLtMatmulDescSetAttribute", of_matmul),
                               preferences =
                                   TABLE("cublasLtMatmulPreferenceSetAttribute", of_preference);

#define DESCRIPTOR(kind, type, table)                                                            \
    CUBLASLT(cublasLt##kind##Destroy, struct type *d)                                            \
    {                                                                                            \
        free(d);                                                                                 \
        return OK;                                                                               \
    }                                                                                            \
    CUBLASLT(cublasLt##kind##SetAttribute, struct type *d, int id, const void *from, size_t n)   \
    {                                                                                            \
        return attribute_set(&table, d, id, from, n);                                            \
    }                                                                                            \
    CUBLASLT(cublasLt##kind##GetAttribute, const struct type *d, int id, void *to, size_t bytes, \
             size_t *used)                                                                       \
    {                                                                                            \
        return attribute_get(&table, d, id, (struct room){to, bytes, used});                     \
    }
DESCRIPTOR(MatrixLayout, lt_layout, layouts)
DESCRIPTOR(MatmulDesc, lt_matmul, matmuls)
DESCRIPTOR(MatmulPreference, lt_preference, preferences)

/* -- descriptors as they begin: in the program's memory, or in ours */

static int init(void *d, size_t room, const void *from, size_t bytes)
{
    if (!d)
        return INVALID_VALUE;
    if (room < bytes)
        return ALLOC_FAILED;
    memset(d, 0, room);
    memcpy(d, from, bytes);
    return OK;
}

static int create(void **d, const void *from, size_t bytes)
{
    if (!d)
        return INVALID_VALUE;
    *d = xmalloc(bytes);
    memcpy(*d, from, bytes);
    return OK;
}

static struct lt_layout layout(uint32_t type, uint64_t rows, uint64_t cols, int64_t ld)
{
    return (struct lt_layout){.type = type, .rows = rows, .cols = cols, .ld = ld, .batch = 1};
}

CUBLASLT(cublasLtMatrixLayoutInit_internal, void *d, size_t room, uint32_t type, uint64_t rows,
         uint64_t cols, int64_t ld)
{
    const struct lt_layout l = layout(type, rows, cols, ld);
    return init(d, room, &l, sizeof l);
}

CUBLASLT(cublasLtMatrixLayoutCreate, void **d, uint32_t type, uint64_t rows, uint64_t cols,
         int64_t ld)
{
    const struct lt_layout l = layout(type, rows, cols, ld);
    return create(d, &l, sizeof l);
}

static struct lt_matmul matmul(int compute, int scale)
{
    return (struct lt_matmul){
        .compute = compute, .scale = scale, .epilogue = 1, .bias_type = -1, .aux_type = -1};
}

CUBLASLT(cublasLtMatmulDescInit_internal, void *d, size_t room, int compute, int scale)
{
    const struct lt_matmul op = matmul(compute, scale);
    return init(d, room, &op, sizeof op);
}

CUBLASLT(cublasLtMatmulDescCreate, void **d, int compute, int scale)
{
    const struct lt_matmul op = matmul(compute, scale);
    return create(d, &op, sizeof op);
}

static const struct lt_preference any = {.numerics = UINT64_MAX,
                                         .reductions = 7,
                                         .aligned = {256, 256, 256, 256},
                                         .pointers = 3,
                                         .epilogues = 1};

CUBLASLT(cublasLtMatmulPreferenceInit_internal, void *d, size_t room)
{
    return init(d, room, &any, sizeof any);
}

CUBLASLT(cublasLtMatmulPreferenceCreate, void **d)
{
    return create(d, &any, sizeof any);
}
