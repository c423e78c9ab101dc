/* tests/gpu/random_gpu.h -- configurations drawn at random: sane, but unlike any GPU. */
#ifndef MDP_TESTS_GPU_RANDOM_GPU_H
#define MDP_TESTS_GPU_RANDOM_GPU_H

#include "base/rng.h"
#include "tests/gpu/whole.h"

/* What a random configuration is made of: each row's values are as good as each other. */
static const char *const choices[][8] = {
    {"cores=1", "cores=2", "cores=7", "cores=15", "cores=30"},
    {"cluster_size=1", "cluster_size=2", "cluster_size=3"},
    {"flush_l1=true", "flush_l1=false"},
    {"warp_scheduler=gto", "warp_scheduler=lrr", "warp_scheduler=two-level",
     "warp_scheduler=two-level-groups", "warp_scheduler=paws", "warp_scheduler=ccws",
     "warp_scheduler=mascar", "warp_scheduler=elf++"},
    {"reexecution_entries=1", "reexecution_entries=5", "reexecution_entries=32"},
    {"inst_prefetch=0", "inst_prefetch=0", "inst_prefetch=3", "inst_prefetch=16"},
    {"elf.program_points=1", "elf.program_points=32", "elf.program_points=0"},
    {"elf.score_bits=2", "elf.score_bits=8"},
    {"elf.forward_branches=false", "elf.forward_branches=true"},
    {"elf.fetch=false", "elf.fetch=true"},
    {"elf.fetch_turns=1", "elf.fetch_turns=64", "elf.fetch_turns=0"},
    {"schedulers=1", "schedulers=2", "schedulers=3", "schedulers=4"},
    {"simd_width=4", "simd_width=8", "simd_width=16", "simd_width=32"},
    {"issue_interval=1", "issue_interval=1", "issue_interval=2", "issue_interval=4"},
    {"sp_units=1", "sp_units=2", "sp_units=4"},
    {"result_buses=1", "result_buses=2", "result_buses=5"},
    {"reg_banks=1", "reg_banks=7", "reg_banks=16"},
    {"shared_banks=16", "shared_banks=32"},
    {"shared_parts=1", "shared_parts=2"},
    {"bypass_segment=32", "bypass_segment=128"},
    {"cluster_buffer=1", "cluster_buffer=8"},
    {"response_fifo=1", "response_fifo=2"},
    {"dp_units=0", "dp_units=1"},
    {"independent_threads=auto", "independent_threads=on"},
    {"atomics_block=true", "atomics_block=false"},
    {"shared_atomic_turns=true", "shared_atomic_turns=false"},
    {"l2.hit_latency=0", "l2.hit_latency=40"},
    {"icnt.eject_rate=1", "icnt.eject_rate=2"},
    {"partition.atomic_writes=true", "partition.atomic_writes=false"},
    {"vector_first_element=true", "vector_first_element=false"},
    {"clock.core=575", "clock.core=700", "clock.core=1400"},
    {"clock.icnt=700", "clock.icnt=1400"},
    {"clock.dram=500", "clock.dram=924"},
    {"clock.rounded=true", "clock.rounded=false"},
    {"l1d.enabled=false", "l1d.enabled=true", "l1d.enabled=true"},
    {"l1d.size=2048", "l1d.size=8192", "l1d.size=65536"},
    {"l1d.line=64", "l1d.line=128"},
    {"l1d.mshrs=1", "l1d.mshrs=8", "l1d.mshrs=64"},
    {"l1d.merges=1", "l1d.merges=8"},
    {"l1d.miss_queue=2", "l1d.miss_queue=8"},
    {"l1d.hit_latency=0", "l1d.hit_latency=30"},
    {"l1i.enabled=true", "l1i.enabled=true", "l1i.enabled=false"},
    {"l1c.enabled=true", "l1c.enabled=false"},
    {"l1t.enabled=true", "l1t.enabled=true", "l1t.enabled=false"},
    {"l1t.size=12288", "l1t.size=768"},
    {"l1t.ways=6", "l1t.ways=3"},
    {"l1t.line=32", "l1t.line=128"},
    {"l1t.fragments=1", "l1t.fragments=128"},
    {"l1t.rob=1", "l1t.rob=16"},
    {"l1t.requests=1", "l1t.requests=4"},
    {"l1t.latency=0", "l1t.latency=50"},
    {"l2.enabled=true", "l2.enabled=false"},
    {"partition.l2_texture_only=false", "partition.l2_texture_only=true"},
    {"l2.mshrs=1", "l2.mshrs=32"},
    {"partition.count=3", "partition.count=6", "partition.count=11"},
    {"partition.rop_latency=0", "partition.rop_latency=120"},
    {"partition.icnt_to_l2=1", "partition.icnt_to_l2=8"},
    {"partition.dram_to_l2=1", "partition.dram_to_l2=8"},
    {"dram.scheduler=fcfs", "dram.scheduler=frfcfs"},
    {"dram.latency=0", "dram.latency=100"},
    {"dram.queue=1", "dram.queue=16"},
    {"dram.return_queue=1", "dram.return_queue=16"},
    {"dram.bank_groups=1", "dram.bank_groups=2", "dram.bank_groups=4"},
    {"dram.tRCD=12", "dram.tRCD=40"},
    {"icnt.topology=xbar", "icnt.topology=fly", "icnt.topology=mesh"},
    {"icnt.flit_bytes=16", "icnt.flit_bytes=32"},
    {"icnt.vc_flits=1", "icnt.vc_flits=8"},
    {"icnt.eject_flits=1", "icnt.eject_flits=8"},
};
#define CHOICES ((int)(sizeof choices / sizeof *choices))

static inline struct gpu_cfg random_gpu(struct rng *r)
{
    const char *settings[CHOICES + 1] = {NULL};
    for (int i = 0; i < CHOICES; i++) {
        uint64_t n = 0;
        while (n < 8 && choices[i][n])
            n++;
        settings[i] = choices[i][rng_below(r, n)];
    }
    return whole_gpu("yen2014", settings);
}

#endif
