/* sim/mem/mem_cfg.h -- parameters of caches, partitions and DRAM (defaults: GTX480 as GPGPU-Sim
 * 3.2.1 sets it; the reference runs' table). */
#ifndef MDP_SIM_MEM_MEM_CFG_H
#define MDP_SIM_MEM_MEM_CFG_H

#include "base/params.h"

#define CACHE_PARAMS(X, SIZE, LINE, WAYS, MSHRS, MERGES, QUEUE, ENABLED)                 \
    X(enabled, BOOL, 0, 1, ENABLED, "", "false: every access goes past it")              \
    X(size, INT, 128, 1 << 26, SIZE, "bytes", "capacity (L2: of one partition's slice)") \
    X(line, INT, 32, 256, LINE, "bytes", "line size")                                    \
    X(ways, INT, 1, 1024, WAYS, "", "associativity")                                     \
    X(mshrs, INT, 1, 4096, MSHRS, "entries", "miss-status holding registers")            \
    X(merges, INT, 1, 4096, MERGES, "requests", "requests that one MSHR entry holds")    \
    X(miss_queue, INT, 1, 4096, QUEUE, "requests", "miss queue towards the next level")  \
    X(hit_latency, INT, 0, 1000, 0, "cycles", "added to a hit beyond the access cycle")

#define L1D_PARAMS(X) CACHE_PARAMS(X, 16384, 128, 4, 32, 8, 8, true)
#define L1I_PARAMS(X) CACHE_PARAMS(X, 2048, 128, 4, 2, 32, 4, true)
#define L1C_PARAMS(X) CACHE_PARAMS(X, 8192, 64, 2, 2, 32, 4, true)
#define L2_PARAMS(X)  CACHE_PARAMS(X, 131072, 128, 16, 32, 4, 4, false)

PARAM_STRUCT(cache_cfg, L1D_PARAMS); /* all four tables have the same fields */

/* The texture cache has FIFOs in place of MSHRs: sim/mem/tex_cache.h. */
#define L1T_PARAMS(X)                                                                      \
    X(enabled, BOOL, 0, 1, true, "", "false: every fetch goes past it")                    \
    X(size, INT, 128, 1 << 26, 12288, "bytes", "capacity")                                 \
    X(line, INT, 32, 256, 128, "bytes", "line size")                                       \
    X(ways, INT, 1, 1024, 24, "", "associativity")                                         \
    X(fragments, INT, 1, 4096, 128, "lines", "fragment FIFO: accesses that wait for data") \
    X(requests, INT, 1, 4096, 4, "requests", "request FIFO towards the next level")        \
    X(rob, INT, 1, 4096, 128, "lines", "reorder buffer: lines on their way")               \
    X(results, INT, 1, 4096, 2, "lines", "result FIFO in front of write-back")             \
    X(latency, INT, 0, 1000, 0, "cycles", "least time in the fragment FIFO, beyond one cycle")

PARAM_STRUCT(tex_cache_cfg, L1T_PARAMS);

#define PARTITIONS_MAX 512
#define PARTITION_PARAMS(X)                                                                 \
    X(count, INT, 1, PARTITIONS_MAX, 6, "", "memory partitions (= DRAM channels)")          \
    X(interleave, INT, 32, 1 << 20, 256, "bytes", "consecutive bytes of one partition")     \
    X(rop_latency, INT, 0, 10000, 120, "core cycles", "before the partition's input queue") \
    X(icnt_to_l2, INT, 1, 1024, 8, "requests", "queue from the network")                    \
    X(l2_to_dram, INT, 1, 1024, 8, "requests", "queue from L2 to DRAM")                     \
    X(dram_to_l2, INT, 1, 1024, 8, "requests", "queue from DRAM to L2")                     \
    X(l2_to_icnt, INT, 1, 1024, 8, "requests", "queue to the network")                      \
    X(l2_texture_only, BOOL, 0, 1, false, "", "the L2 serves texture reads alone")          \
    X(atomic_writes, BOOL, 0, 1, true, "",                                                  \
      "DRAM writes the result of an atomic that no L2 serves (GPGPU-Sim 3.2.1: reads only)")

PARAM_STRUCT(partition_cfg, PARTITION_PARAMS);

#define DRAM_PARAMS(X)                                                                           \
    X(scheduler, STR, 0, 0, "frfcfs", "", "of requests")                                         \
    X(latency, INT, 0, 10000, 100, "core cycles", "fixed delay in front of the channel's queue") \
    X(most_passes, INT, 0, 1 << 30, 1024, "requests",                                            \
      "frfcfs: of the open row, that pass an older one of another row one after the other; 0: "  \
      "no bound")                                                                                \
    X(most_columns, INT, 0, 1 << 30, 16384, "commands",                                          \
      "column commands that pass one of the other direction one after the other; 0: no bound")   \
    X(queue, INT, 1, 1024, 16, "requests", "scheduler queue of a channel")                       \
    X(return_queue, INT, 1, 1024, 16, "requests", "served requests that wait for the partition") \
    X(bus_bytes, INT, 1, 64, 4, "bytes", "bus width of one chip")                                \
    X(chips, INT, 1, 16, 2, "", "chips a channel")                                               \
    X(burst, INT, 1, 64, 8, "beats", "burst length")                                             \
    X(data_rate, INT, 1, 8, 4, "beats/cycle", "data beats a command cycle (GDDR5 4, GDDR3 2)")   \
    X(banks, INT, 1, 64, 16, "", "banks a channel")                                              \
    X(bank_groups, INT, 1, 16, 4, "", "bank groups (1: none)")                                   \
    X(row_bit, INT, 6, 40, 16, "bit", "lowest row bit of the address inside the partition")      \
    X(row_bits, INT, 1, 30, 12, "bits", "row bits")                                              \
    X(bank_bit, INT, 4, 40, 12, "bit", "lowest bank bit")                                        \
    X(tCCD, INT, 1, 200, 2, "DRAM cycles", "column to column, different bank groups")            \
    X(tCCDL, INT, 0, 200, 3, "DRAM cycles", "column to column, same bank group")                 \
    X(tRRD, INT, 1, 200, 6, "DRAM cycles", "activate to activate, different banks")              \
    X(tRCD, INT, 1, 200, 12, "DRAM cycles", "activate to read")                                  \
    X(tRAS, INT, 1, 200, 28, "DRAM cycles", "activate to precharge")                             \
    X(tRP, INT, 1, 200, 12, "DRAM cycles", "precharge to activate")                              \
    X(tRC, INT, 1, 200, 40, "DRAM cycles", "activate to activate, same bank")                    \
    X(tCL, INT, 1, 200, 12, "DRAM cycles", "read to data")                                       \
    X(tWL, INT, 1, 200, 4, "DRAM cycles", "write to data")                                       \
    X(tCDLR, INT, 1, 200, 5, "DRAM cycles", "last write data to read")                           \
    X(tWR, INT, 1, 200, 12, "DRAM cycles", "last write data to precharge")                       \
    X(tRTPL, INT, 0, 200, 2, "DRAM cycles", "read to precharge")

PARAM_STRUCT(dram_cfg, DRAM_PARAMS);

/* Of what this is a scale model. */
struct mem_model {
    int partitions; /* of the GPU, of which rows and banks are (addrmap.h); 0: of none */
    bool unlimited; /* its channels are not held to their shares (channel_share.h) */
    int lead;       /* cycles by which one may be ahead of its share */
    double l2_cycle, flit_cycle;  /* of L2, and of a flit of the network, in core cycles */
    int flit_bytes, header_bytes; /* of a packet */
};

struct mem_cfg {
    struct cache_cfg l1d, l1i, l1c, l2;
    struct tex_cache_cfg l1t;
    struct partition_cfg partition;
    struct dram_cfg dram;
    struct mem_model model;
};

/* The groups under "l1d", "l1i", "l1c", "l1t", "l2", "partition", "dram"; offsets are inside struct
 * mem_cfg. mem_cfg_rows(i) gives rows and count for sim/gpu/gpu_cfg.c to place. */
extern const struct param_group mem_cfg_groups[]; /* ends with rows == NULL */
/* Cross-field checks: powers of two, sizes that divide, address bits that overlap. */
bool mem_cfg_check(const struct mem_cfg *c, struct err *e);

#endif
