/* sim/frontend/session.h -- what stands behind the driver API (cuda.h) for one run of host code:
 * the executor of its launches, its contexts, and the text of what went wrong.
 *
 * The current session is thread-local, so that several runs go on at once in as many threads.
 * session_end frees every context that the host code left behind. The structs are visible to the
 * cu_*.c files alone. */
#ifndef MDP_SIM_FRONTEND_SESSION_H
#define MDP_SIM_FRONTEND_SESSION_H

#include "sim/frontend/context.h"
#include "sim/frontend/cuda_async.h"

struct CUfunc_st {
    CUmodule module; /* borrowed */
    struct kernel *kernel;
    int max_dynamic; /* bytes of shared memory that a launch may ask for */
    int carveout;    /* percent, -1: none; kept, no more: shared memory and L1D are apart here */
    CUfunction next;
};

struct CUarray_st {
    struct image im;
    CUDA_ARRAY3D_DESCRIPTOR desc;
    CUarray next;
};

struct object { /* a texture or surface object, as it was asked for */
    unsigned long long handle;
    CUDA_RESOURCE_DESC resource;
    CUDA_TEXTURE_DESC texture; /* zeros for a surface */
    struct object *next;
};

struct CUtexref_st {
    addr_t variable;     /* of the module; holds the handle once there is an image */
    uint64_t handle;     /* 0: none yet */
    struct texture what; /* im.bytes 0: no image yet */
    CUarray_format format;
    unsigned int channels, flags;
    CUarray array; /* borrowed; NULL: memory */
    CUtexref next;
};

struct CUsurfref_st {
    addr_t variable;
    uint64_t handle;
    CUsurfref next;
};

struct CUmod_st {
    struct module *module; /* owned by the context below */
    CUfunction functions;  /* owned */
    CUtexref texrefs;      /* owned */
    CUsurfref surfrefs;    /* owned */
    CUmodule next;
};

struct CUevent_st {
    unsigned flags;
    bool recorded;
    psec_t at; /* device time when it was recorded */
    CUevent next;
};

struct CUctx_st {
    struct context *context; /* owned */
    CUmodule modules;        /* owned */
    CUstream streams;        /* owned */
    CUevent events;          /* owned */
    CUarray arrays;          /* owned */
    struct object *objects;  /* owned */
    CUresult sticky;         /* after a kernel fault every call fails with it, as on hardware */
    CUcontext next;
};

struct CUstream_st {
    unsigned flags;
    int priority;
    CUstream next;
};

struct session {
    const struct executor *x; /* borrowed */
    struct host_region *host; /* borrowed; NULL: no memory is shared with the host */
    const char *module_name;  /* borrowed: the PTX's name in messages */
    bool initialised;         /* cuInit was called */
    CUcontext contexts;       /* owned */
    CUcontext current;        /* NULL: none */
    bool failed;
    struct err why; /* the first failure of a launch or a module load */
    /* NULL, or who hears of every failure at once; fault and kernel: of a launch, else NULL */
    void (*on_failure)(const struct err *why, const struct fault *f, const struct kernel *k);
};

/* The thread has no session yet. */
struct session *session_begin(const struct executor *x, const char *module_name);
/* False: a launch or a module load failed during the session, and e has its text in full. */
bool session_end(struct session *s, struct err *e);

/* The thread's session; without one the process's, if there is that; else NULL. */
struct session *session_get(void);
/* A session of no thread, and who gives it to the threads that have none of their own: defined
 * where the front end stands in for libcuda in a whole process (hw/libcuda.c), and only there. Its
 * users see to it that one thread at a time makes calls. */
struct session *session_new(const struct executor *x, const char *module_name);
struct session *session_of_process(void) __attribute__((weak));
/* The thread's context, or the error that a call has to return. */
CUresult session_context(CUcontext *ctx);
/* The GPU that device queries are answered from. */
void session_device(struct gpu_cfg *cfg);
/* Shared memory of a CTA in bytes: what CUDA grants unasked, and at most. */
#define SHARED_UNASKED 49152
int session_shared_most(void);
/* A function that one of the context's modules has. */
bool session_has_function(CUcontext ctx, CUfunction wanted);
/* Loads PTX, NUL-terminated. */
CUresult session_load(CUmodule *module, const char *text);
/* More attributes of the device than a workload asks for; likewise defined in cudart/ only. */
bool session_attribute(int attribute, int *value) __attribute__((weak));
#define DEVICE_MEMORY (16ull << 30) /* what the simulated device says it has */
/* Whether the context has that stream. */
CUresult session_stream(CUcontext ctx, CUstream stream);
/* Frees pinned or managed memory. */
CUresult session_free_shared(CUcontext ctx, void *p);
/* Keeps the first failure's text; returns result. */
CUresult session_fail(struct session *s, CUresult result, const struct err *why);
/* cu_array.c, cu_texture.c: what arrays, textures and references share. */
bool session_has_array(CUcontext ctx, CUarray array);
bool session_texel_format(CUarray_format f, unsigned int channels, struct image *im);
CUresult session_sampler_flags(unsigned int flags, struct tex_sampler *s);
struct pitch_shape {
    size_t width, height, pitch;
};
/* The format is set; the rest follows from the memory, which must be there. */
CUresult session_linear_image(CUcontext ctx, struct image *im, CUdeviceptr ptr, size_t bytes);
CUresult session_pitch_image(CUcontext ctx, struct image *im, CUdeviceptr ptr,
                             const struct pitch_shape *s);
/* Frees the module's functions and the handle; the context frees what was loaded. */
void session_module_free(CUmodule m);

#endif
