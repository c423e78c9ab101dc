/* cudart/rt.h -- what every function of this folder uses.
 *
 *   CUDART(cudaMemset, void *p, int value, size_t bytes)
 *   {
 *       RT_ENTER();                    takes the lock until the function is left; returns early
 *       return rt(cuMemsetD8(...));    when there is no device
 *   }
 *
 * The C name is rt_NAME; the program sees NAME at the version nodes of every runtime. */
#ifndef MDP_CUDART_RT_H
#define MDP_CUDART_RT_H

#include "cudart/types.h"
#include "sim/frontend/cuda_library.h"
#include "sim/frontend/pending.h"

#define RT_EXPORT                 __attribute__((visibility("default"), used))
#define RT_NODE_10                "libcudart.so.10.2"
#define RT_NODE_11                "libcudart.so.11.0"
#define RT_NODE_12                "libcudart.so.12"
#define RT_NODE_13                "libcudart.so.13"
#define RT_AT(symbol, name, node) __asm__(".symver " #symbol "," #name node)
#define RT_NAMES(symbol, name)           \
    RT_AT(symbol, name, "@" RT_NODE_10); \
    RT_AT(symbol, name, "@" RT_NODE_11); \
    RT_AT(symbol, name, "@" RT_NODE_12); \
    RT_AT(symbol, name, "@@" RT_NODE_13)

/* type rt_NAME(...), exported as NAME */
#define CUDART_AS(type, name, ...)         \
    RT_EXPORT type rt_##name(__VA_ARGS__); \
    RT_NAMES(rt_##name, name);             \
    type rt_##name(__VA_ARGS__)
#define CUDART(name, ...) CUDART_AS(cudaError_t, name, __VA_ARGS__)
/* The same function under another name, such as those for per-thread default streams. */
#define CUDART_ALIAS(name, alias) RT_NAMES(rt_##name, alias)

/* -- process.c */

/* The device is there and current on it is a context; else the error to return. */
cudaError_t rt_ready(void);
#define RT_ENTER()                         \
    SESSION_CALL();                        \
    do {                                   \
        cudaError_t rt_error = rt_ready(); \
        if (rt_error != cudaSuccess)       \
            return rt_set(rt_error);       \
    } while (0)

/* Likewise, for calls that the legacy stream's work comes before. */
#define RT_ENTER_SYNC()                          \
    RT_ENTER();                                  \
    do {                                         \
        pending_settle(session_current(), NULL); \
    } while (0)

/* The context of threads that made none current; make: if need be. */
cudaError_t rt_primary(int device, bool make, CUcontext *ctx);
int rt_device(void);                /* the thread's present one */
cudaError_t rt_choose(int device);  /* its primary context is current from now on */
struct recorder *rt_recorder(void); /* likewise */
struct devmem *rt_memory(void);     /* after rt_ready: the current context's */
const struct gpu_cfg *rt_gpu(void);
cudaError_t rt_reset(void); /* the context, its memory and modules are gone */
/* One line on stderr, each text once. */
void rt_say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
cudaError_t rt_unsupported(const char *name);
/* A kernel that cannot be simulated: from here on every call fails with e, so that no program takes
 * its results for good, and mdpredict fails. why NULL: what the session last failed for. */
cudaError_t rt_refuse(cudaError_t e, const char *why);

/* device.c: whether kernels of the present context reach the memory of device `peer`. */
cudaError_t rt_reach(int peer, bool enable);

/* -- reject.c */

/* A launch of k never begins for its shape; error: what the program gets for it. */
void rt_rejected(const struct kernel *k, const struct launch_request *r, int error);
uint64_t rt_most_threads(const struct kernel *k); /* of a CTA, by its launch bounds */

/* -- error.c */

const char *rt_cudaGetErrorString(cudaError_t e);

/* Keeps a failure as the thread's last error; returns it. */
cudaError_t rt_set(cudaError_t e);
cudaError_t rt(CUresult r);

/* redirect.c: programs with a runtime of their own use this one. Once, before any of their code. */
void rt_redirect(void);

/* per_thread.c: in place of none, the calling thread's stream. */
cudaStream_t rt_own_stream(cudaStream_t stream);

/* array.c: a copy of which one side is an array at least */
cudaError_t rt_copy_arrays(const struct cudaMemcpy3DParms *p, cudaStream_t stream);

/* -- graph_memory.c: what graphs allocate is there from then on, at the same place in each launch
 */

CUresult rt_graph_capture_alloc(CUdeviceptr *d, size_t bytes, cudaStream_t stream);
/* False: the stream is not captured. */
bool rt_graph_capture_free(void *p, cudaStream_t stream, CUresult *r);
CUresult rt_free(CUdeviceptr p); /* as cudaFree: a graph's stays, for its next launch */
struct rt_graph_place {          /* of a new node */
    CUgraphNode *node;
    CUgraph g;
    const CUgraphNode *deps;
    size_t n;
};
CUresult rt_graph_add_alloc(const struct rt_graph_place *at, void *params);
CUresult rt_graph_add_free(const struct rt_graph_place *at, void *p);

/* launch.c: what launch attributes say goes into *l. */
void rt_attributes(const struct cudaLaunchAttribute *attrs, unsigned n, struct graph_launch *l);

/* -- register.c */

struct rt_module;
struct rt_function {
    struct rt_module *module;      /* NULL: of a library */
    const char *name;              /* borrowed from the program; of a library: owned */
    CUfunction cu;                 /* of the present device, after rt_function() */
    CUfunction on[DEVMEM_DEVICES]; /* NULL until the module is loaded there */
    CUkernel kernel;               /* of a library; NULL: of a module */
};
struct rt_var {
    struct rt_module *module;
    const char *name;
    size_t bytes;
    void **managed; /* the host's pointer to it; NULL: no managed variable */
    CUdeviceptr at; /* on the present device, after rt_var() */
    CUdeviceptr on[DEVMEM_DEVICES];
};
/* By what the host calls it (the stub's or the shadow variable's address, or a cudaKernel_t); the
 * module is loaded. */
cudaError_t rt_function(const void *host, struct rt_function **out);
/* A library's kernel, as a cudaKernel_t; there is one of each. */
struct rt_function *rt_add_kernel(CUkernel kernel, const char *name);
cudaError_t rt_var(const void *host, struct rt_var **out);
/* Texture and surface references: the driver's, and whether integers are read as fractions. */
void rt_add_texture(void **handle, const void *host, const char *name, int normalized_float);
cudaError_t rt_texture(const void *host, CUtexref *out, int *normalized_float);
void rt_forget_modules(int device); /* after rt_reset: load them again when needed */
/* What the program was built for: the highest compute_XX of its PTX, 75 when there is none; what
 * the module of this kernel was built for, 0 when it has no PTX. */
unsigned rt_compute_capability(void);
unsigned rt_function_sm(const struct rt_function *f);

#endif
