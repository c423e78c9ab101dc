/* sim/frontend/session.h -- what stands behind the driver API (cuda.h) for one run of host code:
 * the executor of its launches, its contexts, and the text of what went wrong.
 *
 * The current session is thread-local, so that several runs go on at once in as many threads. Where
 * the front end serves a whole process, all its threads share one session, a call at a time, and
 * each has its own stack of contexts, as CUDA has it. session_end frees every context that the host
 * code left behind. The structs are visible to the cu_*.c files alone. */
#ifndef MDP_SIM_FRONTEND_SESSION_H
#define MDP_SIM_FRONTEND_SESSION_H

#include <pthread.h>

#include "sim/frontend/context.h"
#include "sim/frontend/cuda_graph.h"
#include "sim/frontend/timeline.h"

struct old_launch { /* what launches of old are put together from (cu_old_launch.c) */
    unsigned block[3], shared, bytes;
    uint8_t *params; /* owned: as many bytes as the kernel takes; NULL: none is set */
};

struct CUfunc_st {
    CUmodule module; /* borrowed */
    struct kernel *kernel;
    int max_dynamic;     /* bytes of shared memory that a launch may ask for */
    int cluster[3];      /* CTAs of a cluster that launches must have; 0: any */
    bool large_clusters; /* of more CTAs than every GPU takes */
    int cluster_policy;  /* kept, no more */
    int carveout; /* percent, -1: none; kept, no more: shared memory and L1D are apart here */
    struct old_launch old;
    CUfunction next;
};

struct CUarray_st {
    struct image im;
    CUDA_ARRAY3D_DESCRIPTOR desc;
    CUmipmappedArray whole; /* NULL, or whose level it is */
    CUarray next;
};

struct CUmipmappedArray_st {
    struct image im;
    CUarray level[18]; /* MIPMAP_MAX_LEVELS; borrowed: the context's */
    CUmipmappedArray next;
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
    psec_t at;         /* device time when it was recorded */
    uint64_t pending;  /* what it waits for, by number (pending.h) */
    uint64_t capture;  /* it was recorded in, by number; 0: none */
    CUgraphNode *tail; /* owned: what it stands for there */
    size_t ntail;
    CUevent next;
};

struct stream_attributes { /* cu_stream_attribute.c */
    bool begun;            /* they are no longer all 0 */
    unsigned char window[32], policy[4], domains[2], domain[4];
};

struct CUctx_st {
    struct context *context; /* owned */
    int device;
    unsigned peers;                  /* devices whose memory its kernels may reach: a bit each */
    CUmodule modules;                /* owned */
    CUstream streams;                /* owned */
    CUevent events;                  /* owned */
    CUarray arrays;                  /* owned */
    CUmipmappedArray mipmaps;        /* owned */
    struct object *objects;          /* owned */
    struct virtual_range *ranges;    /* these three: owned by cu_virtual.c */
    struct virtual_memory *memories; /* made by cuMemCreate */
    struct virtual_run *runs;        /* allocations that show what is mapped */
    uint64_t number; /* of this process: a later context may lie at the same address */
    struct timeline time;
    struct stream_attributes attributes; /* of its legacy default stream */
    CUresult sticky; /* after a kernel fault every call fails with it, as on hardware */
    CUcontext next;
};

struct CUstream_st {
    unsigned flags;
    int priority;
    bool of_thread; /* `owner`'s default stream */
    pthread_t owner;
    psec_t at;         /* when its work has ended (timeline.h) */
    uint64_t capture;  /* that it takes part in, by number; 0: none */
    CUgraphNode *tail; /* owned: what its next work there depends on */
    size_t ntail;
    struct stream_attributes attributes;
    CUstream next;
};

struct launch_request { /* as a program asks for it, unchecked */
    unsigned grid[3], block[3], cluster[3];
    size_t shared; /* dynamic, bytes */
};

struct session {
    const struct executor *x;   /* borrowed */
    struct host_region *host;   /* borrowed; NULL: no memory is shared with the host */
    const char *module_name;    /* borrowed: the PTX's name in messages */
    bool initialised;           /* cuInit was called */
    CUcontext contexts;         /* owned */
    struct CUlib_st *libraries; /* owned by cu_library.c */
    struct graphs *graphs;      /* owned by cu_graph.c */
    uint64_t created;           /* contexts so far */
    int devices;                /* how many there are, each of its own memory */
    uint64_t memory;            /* bytes of the device; a session without `host` may take more */
    bool failed;
    struct err why; /* the first failure of a launch or a module load */
    /* NULL, or who hears of every failure at once; fault and kernel: of a launch, else NULL */
    void (*on_failure)(const struct err *why, const struct fault *f, const struct kernel *k);
    /* NULL, or who hears of launches that never begin for their shape; why: a CUresult */
    void (*on_rejected)(const struct kernel *k, const struct launch_request *r, int why);
};

/* The thread has no session yet. */
struct session *session_begin(const struct executor *x, const char *module_name);
/* False: a launch or a module load failed during the session, and e has its text in full. */
bool session_end(struct session *s, struct err *e);

/* The thread's session; without one the process's, if there is that; else NULL. */
struct session *session_get(void);
/* A session of no thread. */
struct session *session_new(const struct executor *x, const char *module_name);

/* Where the front end stands in for libcuda in a whole process (cudart/), what it has for the
 * threads without a session of their own. */
struct session_process {
    struct session *(*session)(void); /* NULL returned: this process has no device */
    pthread_mutex_t *mutex;           /* recursive: a call holds it */
    /* More attributes of the device than a workload asks for; false: not known. */
    bool (*attribute)(int attribute, int *value);
};
/* Before the first call of the driver API; *p stays the caller's and must last. */
void session_serve_process(const struct session_process *p);
/* What it says of an attribute; false where there is no such process. */
bool session_attribute(int attribute, int *value);

/* The first line of every call: what threads share is this thread's until the function is left. A
 * function of the host (callbacks) runs outside: it may wait for another thread. */
struct session_guard {
    pthread_mutex_t *held; /* NULL: the session is the thread's own */
};
struct session_guard session_lock(void);
void session_unlock(struct session_guard *g);
/* Gives the process's lock away, however often the thread holds it (its calls, and
 * session_return()); returns how often, for session_return(). */
int session_leave(void);
void session_return(int held);
uint64_t session_calls(void);          /* of the program's threads, so far */
void session_adopt(struct session *s); /* a thread of ours has the process's session as its own */
#define SESSION_CALL()                                                                    \
    struct session_guard session_guard __attribute__((cleanup(session_unlock), unused)) = \
        session_lock()

/* The thread's stack of contexts, of which the top is current; one that was destroyed, by whatever
 * thread, is as good as none. */
CUcontext session_current(void);          /* NULL: none */
bool session_push_context(CUcontext ctx); /* false: CUDA's stack is not deeper either */
void session_pop_context(void);
/* What every call that needs no context checks first. */
CUresult session_ready(void);
/* The thread's context, or the error that a call has to return. */
CUresult session_context(CUcontext *ctx);
/* The GPU that device queries are answered from. */
void session_device(struct gpu_cfg *cfg);
/* Shared memory of a CTA in bytes: what CUDA grants unasked, and at most. */
#define SHARED_UNASKED 49152
int session_shared_most(void);
bool session_is_device(CUdevice device);
/* Calls on a stream or event of another device act there: until the function is left, that context
 * is current. NULL, and where there is one device: nothing changes. */
struct session_visit {
    bool elsewhere;
};
struct session_visit session_visit(CUcontext ctx);
void session_visit_end(struct session_visit *v);
CUcontext session_owner_of_stream(CUstream stream); /* NULL: nobody's own */
CUcontext session_owner_of_event(CUevent event);
#define SESSION_VISIT(ctx)                                                                    \
    struct session_visit session_visit_ __attribute__((cleanup(session_visit_end), unused)) = \
        session_visit(ctx)
/* A function that one of the context's modules has. */
bool session_has_function(CUcontext ctx, CUfunction wanted);
bool session_has_event(CUcontext ctx, CUevent event);
/* Arguments of a launch, packed: k->param_bytes. */
CUresult session_pack(const struct kernel *k, void **params, void **extra, uint8_t *out);
/* What every launch comes to. */
CUresult session_launch(const struct graph_launch *l, CUstream stream);
/* cu_cluster.c: the size of the launch's clusters, of which 0 is what the kernel says; false: the
 * function or the grid does not go with what it asks for. */
CUresult session_cluster(CUfunction f, const struct graph_launch *l, int size[3]);
int session_largest_cluster(CUfunction f); /* CTAs */
/* Clusters that run at once; the most CTAs that one may have. Of l: f, grid, block, cluster,
 * shared.
 */
CUresult session_active_clusters(const struct graph_launch *l, int *clusters);
CUresult session_potential_cluster(const struct graph_launch *l, int *size);
/* Attributes of a function that are about clusters. */
CUresult session_set_cluster(CUfunction f, CUfunction_attribute attribute, int value);
CUresult session_get_cluster(CUfunction f, CUfunction_attribute attribute, int *value);
/* Of a CUfunction, or of a CUkernel given as one: the context's function. */
CUresult session_function(CUcontext ctx, CUfunction *f);
void session_libraries_free(struct session *s);
/* The PTX in an image: text, a fat binary, or its wrapper. Caller frees. A failure's text is in e,
 * too. */
CUresult session_image_text(const void *image, char **text, struct err *e);
/* A module cannot be loaded. */
CUresult session_broken_ptx(const struct err *why);
/* Loads PTX, NUL-terminated. A kernel that is wrong fails it, if `check`; else when it is asked
 * for: what a compiler made need not be decoded as a whole. Any failure's text is in why, too. */
CUresult session_load(CUmodule *module, const char *text, bool check, struct err *why);
#define DEVICE_MEMORY (16ull << 30) /* what the device has if nobody says */
/* Bytes of device memory that can still be had. */
uint64_t session_memory_free(CUcontext ctx);
CUresult session_own_stream(CUstream stream); /* a stream of the current context */
/* The default stream of the calling thread in the current context, made when it is first asked for.
 * A thread that comes later may have that of one that has ended. */
CUresult session_thread_stream(CUstream *stream);
/* Whether the context has that stream. */
CUresult session_stream(CUcontext ctx, CUstream stream);
/* cu_virtual.c: bytes that cuMemCreate made; whether such an address is one of
 * cuMemAddressReserve's; at the context's end. */
uint64_t session_virtual_bytes(CUcontext ctx);
bool session_is_virtual(CUdeviceptr p);
void session_virtual_free(CUcontext ctx);
/* Bytes of device memory that are taken. */
uint64_t session_memory_used(CUcontext ctx);
/* What memory that the host shares is called, in messages too. */
#define SHARED_PINNED     "pinned memory"
#define SHARED_MANAGED    "managed memory"
#define SHARED_REGISTERED "registered host memory"
/* Frees such a block; CUDA_ERROR_INVALID_VALUE: p is not the first byte of one of that name. */
CUresult session_free_shared(CUcontext ctx, void *p, const char *name);
/* Keeps the first failure's text; returns result. */
CUresult session_fail(struct session *s, CUresult result, const struct err *why);
/* cu_array.c, cu_texture.c: what arrays, textures and references share. */
bool session_has_array(CUcontext ctx, CUarray array);
CUcontext session_owner_of_array(CUarray array); /* NULL: nobody's */
bool session_has_context(CUcontext ctx);
bool session_has_mipmap(CUcontext ctx, CUmipmappedArray m);
CUresult session_array_shape(const CUDA_ARRAY3D_DESCRIPTOR *d, struct image *im);
/* Memory for one that is laid out; false: the device has not so much. */
bool session_array_memory(CUcontext ctx, struct image *im, const char *what);
bool session_texel_format(CUarray_format f, unsigned int channels, struct image *im);
CUresult session_sampler_flags(unsigned int flags, struct tex_sampler *s);
struct pitch_shape {
    size_t width, height, pitch;
};
/* The format is set; the rest follows from the memory, which must be there. */
CUresult session_linear_image(CUcontext ctx, struct image *im, CUdeviceptr ptr, size_t bytes);
/* A box in memory, from at[] on: x in bytes, rows, slices of `rows` rows each: false: its end is
 * beyond what addresses can count. An empty one is fine. */
bool session_box_fits(size_t pitch, size_t rows, const size_t at[3], const size_t size[3]);
CUresult session_pitch_image(CUcontext ctx, struct image *im, CUdeviceptr ptr,
                             const struct pitch_shape *s);
/* Device time of everything so far, whatever its stream; 0: none passes. */
psec_t session_now(void);
/* Device time passes: so many bytes were copied or filled, in the stream of pending_work_begin().
 */
void session_moved(uint64_t bytes, enum copy_route route);
/* Frees every element of a list that is linked by `next`. */
#define FREE_LIST(head)                \
    do {                               \
        __typeof__(head) at_ = (head); \
        while (at_) {                  \
            void *gone_ = at_;         \
            at_ = at_->next;           \
            free(gone_);               \
        }                              \
    } while (0)
/* Frees the module's functions and the handle; the context frees what was loaded. */
void session_module_free(CUmodule m);

#endif
