/* hw/driver.h -- the CUDA driver of this machine, found when the program runs: it builds, and says
 * what is missing, where there is none. driver.c defines every call of sim/frontend/cuda.h that the
 * workloads' host code makes and hands it on; measure.c stands between host code and driver for
 * cuModuleGetFunction and cuLaunchKernel. */
#ifndef MDP_HW_DRIVER_H
#define MDP_HW_DRIVER_H

#include "base/err.h"
#include "sim/frontend/cuda_texture.h"

#define DRIVER_DEFAULT "libcuda.so.1"

/* False and e: no such library, or one that lacks a call. Once, before any call. */
bool driver_open(const char *library, struct err *e);

struct driver_launch { /* cuLaunchKernel's arguments */
    CUfunction f;
    unsigned grid[3], block[3], shared;
    CUstream stream;
    void **params, **extra;
};
CUresult driver_launch(const struct driver_launch *l);
CUresult driver_get_function(CUfunction *f, CUmodule m, const char *name);

#endif
