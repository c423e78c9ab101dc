/* sim/frontend/cuda_async.h -- the driver API's streams, memory shared with the host, and
 * copies in any direction (cuda.h has the rest).
 *
 * Work is done in the order of the calls, whatever its stream: a call returns when its work is
 * done, unless a launch waits for others (pending.h). Event times are simulated time: what launches
 * and copies took on the simulated device. */
#ifndef MDP_SIM_FRONTEND_CUDA_ASYNC_H
#define MDP_SIM_FRONTEND_CUDA_ASYNC_H

#include "sim/frontend/cuda_texture.h"

#pragma GCC visibility push(default)

typedef void (*CUhostFn)(void *user);
typedef void (*CUstreamCallback)(CUstream stream, CUresult status, void *user);

#define CU_STREAM_LEGACY        ((CUstream)0x1)
#define CU_STREAM_PER_THREAD    ((CUstream)0x2)
#define CU_EVENT_DISABLE_TIMING 2u
#define CU_EVENT_INTERPROCESS   4u

#define CU_MEM_ATTACH_GLOBAL         1u
#define CU_MEM_ATTACH_HOST           2u
#define CU_MEMHOSTREGISTER_IOMEMORY  4u
#define CU_MEMHOSTREGISTER_READ_ONLY 8u

#define cuStreamDestroy           cuStreamDestroy_v2
#define cuMemAllocHost            cuMemAllocHost_v2
#define cuMemHostRegister         cuMemHostRegister_v2
#define cuMemHostGetDevicePointer cuMemHostGetDevicePointer_v2
#define cuMemGetInfo              cuMemGetInfo_v2
#define cuMemGetAddressRange      cuMemGetAddressRange_v2
#define cuMemcpyHtoDAsync         cuMemcpyHtoDAsync_v2
#define cuMemcpyDtoHAsync         cuMemcpyDtoHAsync_v2
#define cuMemcpyDtoDAsync         cuMemcpyDtoDAsync_v2
#define cuDeviceTotalMem          cuDeviceTotalMem_v2

/* Modules as PTX text, a fat binary (its PTX), or a file of either; options are the compiler's and
 * are not read. The linker takes PTX and gives PTX. */
typedef struct CUlinkState_st *CUlinkState;
#define cuLinkCreate  cuLinkCreate_v2
#define cuLinkAddData cuLinkAddData_v2
#define cuLinkAddFile cuLinkAddFile_v2
CUresult cuModuleLoad(CUmodule *module, const char *path);
CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned n, int *options,
                            void **values);
CUresult cuModuleLoadFatBinary(CUmodule *module, const void *image);
CUresult cuLinkCreate(unsigned n, int *options, void **values, CUlinkState *state);
CUresult cuLinkAddData(CUlinkState state, int type, void *data, size_t bytes, const char *name,
                       unsigned n, int *options, void **values);
CUresult cuLinkAddFile(CUlinkState state, int type, const char *path, unsigned n, int *options,
                       void **values);
CUresult cuLinkComplete(CUlinkState state, void **image, size_t *bytes);
CUresult cuLinkDestroy(CUlinkState state);

/* All CTAs are on the cores at once, or CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE: the grid can wait
 * for itself. */
CUresult cuLaunchCooperativeKernel(CUfunction f, unsigned int gx, unsigned int gy, unsigned int gz,
                                   unsigned int bx, unsigned int by, unsigned int bz,
                                   unsigned int shared_bytes, CUstream stream, void **params);

CUresult cuStreamCreate(CUstream *stream, unsigned flags);
CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned flags, int priority);
CUresult cuStreamDestroy(CUstream stream);
CUresult cuStreamSynchronize(CUstream stream);
CUresult cuStreamQuery(CUstream stream);
CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags);
CUresult cuStreamGetFlags(CUstream stream, unsigned *flags);
CUresult cuStreamGetPriority(CUstream stream, int *priority);
/* Hints: kept for who asks. */
CUresult cuStreamSetAttribute(CUstream stream, int attribute, const void *value);
CUresult cuStreamGetAttribute(CUstream stream, int attribute, void *value);
CUresult cuStreamCopyAttributes(CUstream to, CUstream from);
CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback fn, void *user, unsigned flags);
CUresult cuLaunchHostFunc(CUstream stream, CUhostFn fn, void *user);

CUresult cuEventQuery(CUevent event);

CUresult cuMemAllocHost(void **p, size_t bytes);
CUresult cuMemHostAlloc(void **p, size_t bytes, unsigned flags);
CUresult cuMemFreeHost(void *p);
CUresult cuMemHostRegister(void *p, size_t bytes, unsigned flags);
CUresult cuMemHostUnregister(void *p);
CUresult cuMemHostGetDevicePointer(CUdeviceptr *d, void *p, unsigned flags);
CUresult cuMemAllocManaged(CUdeviceptr *d, size_t bytes, unsigned flags);
CUresult cuMemGetInfo(size_t *free_bytes, size_t *total);
CUresult cuMemGetAddressRange(CUdeviceptr *base, size_t *bytes, CUdeviceptr p);
CUresult cuDeviceTotalMem(size_t *bytes, CUdevice dev);

/* Unified addressing: each side is a device address if it lies in an allocation, else the host's.
 */
CUresult cuMemcpy(CUdeviceptr dst, CUdeviceptr src, size_t bytes);
CUresult cuMemcpyAsync(CUdeviceptr dst, CUdeviceptr src, size_t bytes, CUstream stream);
CUresult cuMemcpyHtoDAsync(CUdeviceptr dst, const void *src, size_t bytes, CUstream stream);
CUresult cuMemcpyDtoHAsync(void *dst, CUdeviceptr src, size_t bytes, CUstream stream);
CUresult cuMemcpyDtoDAsync(CUdeviceptr dst, CUdeviceptr src, size_t bytes, CUstream stream);
CUresult cuMemsetD8Async(CUdeviceptr dst, unsigned char value, size_t n, CUstream stream);
CUresult cuMemsetD16Async(CUdeviceptr dst, unsigned short value, size_t n, CUstream stream);
CUresult cuMemsetD32Async(CUdeviceptr dst, unsigned value, size_t n, CUstream stream);

#pragma GCC visibility pop
#endif
