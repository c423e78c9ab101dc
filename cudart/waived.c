/* waived.c -- programs look whether the device can do something, and end where it cannot
 * ("waived"), often without a word which attribute it was. A program that ends without a launch is
 * told what it asked for and got 0. What it read in cudaDeviceProp is not known. */
#include <stdio.h>
#include <string.h>

#include "cudart/props.h"
#include "cudart/rt.h"

static const struct ability {
    int attribute;
    const char *name; /* CU_DEVICE_ATTRIBUTE_... */
} abilities[] = {
    {44, "CAN_TEX2D_GATHER"},
    {78, "STREAM_PRIORITIES_SUPPORTED"},
    {79, "GLOBAL_L1_CACHE_SUPPORTED"},
    {80, "LOCAL_L1_CACHE_SUPPORTED"},
    {86, "HOST_NATIVE_ATOMIC_SUPPORTED"},
    {88, "PAGEABLE_MEMORY_ACCESS"},
    {92, "CAN_USE_STREAM_MEM_OPS_V1"},
    {93, "CAN_USE_64_BIT_STREAM_MEM_OPS_V1"},
    {94, "CAN_USE_STREAM_WAIT_VALUE_NOR_V1"},
    {96, "COOPERATIVE_MULTI_DEVICE_LAUNCH"},
    {98, "CAN_FLUSH_REMOTE_WRITES"},
    {100, "PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES"},
    {101, "DIRECT_MANAGED_MEM_ACCESS_FROM_HOST"},
    {103, "HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED"},
    {107, "GENERIC_COMPRESSION_SUPPORTED"},
    {108, "MAX_PERSISTING_L2_CACHE_SIZE"},
    {109, "MAX_ACCESS_POLICY_WINDOW_SIZE"},
    {110, "GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED"},
    {112, "SPARSE_CUDA_ARRAY_SUPPORTED"},
    {113, "READ_ONLY_HOST_REGISTER_SUPPORTED"},
    {114, "TIMELINE_SEMAPHORE_INTEROP_SUPPORTED"},
    {116, "GPU_DIRECT_RDMA_SUPPORTED"},
    {119, "MEMPOOL_SUPPORTED_HANDLE_TYPES"},
    {120, "CLUSTER_LAUNCH"},
    {121, "DEFERRED_MAPPING_CUDA_ARRAY_SUPPORTED"},
    {122, "CAN_USE_64_BIT_STREAM_MEM_OPS"},
    {123, "CAN_USE_STREAM_WAIT_VALUE_NOR"},
    {124, "DMA_BUF_SUPPORTED"},
    {125, "IPC_EVENT_SUPPORTED"},
    {127, "TENSOR_MAP_ACCESS_SUPPORTED"},
    {128, "HANDLE_TYPE_FABRIC_SUPPORTED"},
    {129, "UNIFIED_FUNCTION_POINTERS"},
    {132, "MULTICAST_SUPPORTED"},
    {136, "MEM_DECOMPRESS_ALGORITHM_MASK"},
    {141, "HOST_NUMA_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED"},
    {142, "HOST_NUMA_MEMORY_POOLS_SUPPORTED"},
    {144, "HOST_MEMORY_POOLS_SUPPORTED"},
    {145, "HOST_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED"},
};
#define NABILITIES (sizeof abilities / sizeof *abilities)
static bool refused[NABILITIES];

void waived_asked(int attribute, int value)
{
    for (size_t i = 0; i < NABILITIES; i++)
        if (abilities[i].attribute == attribute && value == 0)
            refused[i] = true;
}

void waived_tell(void)
{
    for (size_t i = 0; i < NABILITIES; i++)
        if (refused[i])
            rt_say("the program asked for CU_DEVICE_ATTRIBUTE_%s, which is 0: the simulated GPU "
                   "cannot do that",
                   abilities[i].name);
}
