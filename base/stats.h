/* base/stats.h -- the statistics of a run: plain counters, and one table that names each once.
 * RUN_COUNTERS add up over launches and cores; RUN_RATES are derived from them when a report is
 * made (stats_rate()). JSON keys and CSV columns are these names; shared words are counted as
 * docs/words.md says. */
#ifndef MDP_BASE_STATS_H
#define MDP_BASE_STATS_H

#include "base/types.h"

#define RUN_COUNTERS(X)                                                                            \
    X(cycles, "core clock cycles, summed over launches")                                           \
    X(warp_insts, "issued warp instructions")                                                      \
    X(thread_insts, "active lanes summed over warp instructions")                                  \
    X(ctas, "completed CTAs")                                                                      \
    X(cta_cycles_sum, "cycles from dispatch to completion, summed over CTAs")                      \
    X(l1d_accesses, "coalesced line requests of loads accepted by L1D, and local stores that hit") \
    X(l1d_hits, "of these, lines present")                                                         \
    X(l1d_misses, "of these, lines neither present nor reserved: one read sent for each")          \
    X(l1d_merges, "of these, lines reserved and still on their way")                               \
    X(l1d_reservation_fails, "refused line requests, each retry counted")                          \
    X(l1d_fail_line, "refused: every line of the set is reserved")                                 \
    X(l1d_fail_mshr, "refused: no MSHR entry is free")                                             \
    X(l1d_fail_merge, "refused: the MSHR entry has no merge left")                                 \
    X(l1d_fail_queue, "refused: the miss queue is full")                                           \
    X(l1d_write_accesses, "store transactions accepted by L1D")                                    \
    X(l1d_write_misses, "of these, lines not present")                                             \
    X(l1i_accesses, "instruction cache accesses")                                                  \
    X(l1i_misses, "of these, misses (merges included)")                                            \
    X(l1c_accesses, "constant cache accesses (ld.const, ld.param)")                                \
    X(l1c_misses, "of these, misses (merges included)")                                            \
    X(texture_accesses, "texture cache accesses: one per line that a warp's fetch touches")        \
    X(texture_hits, "of these, lines present or on their way")                                     \
    X(texture_misses, "of these, lines not present: one read sent for each")                       \
    X(texture_fails, "refused texture accesses (a FIFO is full), each retry counted")              \
    X(l2_accesses, "L2 tag accesses")                                                              \
    X(l2_misses, "of these, misses")                                                               \
    X(l2_merges, "of these, lines reserved and still on their way")                                \
    X(mem_reads, "data read packets sent by the cores (global, local)")                            \
    X(mem_writes, "data write packets sent by the cores (global, local)")                          \
    X(mem_atomics, "atomic packets sent by the cores")                                             \
    X(dram_reads, "data read requests that reached a DRAM channel (global, local, textures, "      \
                  "atomics, L2 fills)")                                                            \
    X(dram_inst_reads, "instruction fetches that reached a DRAM channel")                          \
    X(dram_const_reads, "constant and parameter fetches that reached a DRAM channel")              \
    X(dram_texture_reads, "of dram_reads, texture fetches")                                        \
    X(dram_writes, "write requests that reached a DRAM channel")                                   \
    X(dram_cmd_rd, "RD column commands")                                                           \
    X(dram_cmd_wr, "WR column commands")                                                           \
    X(dram_activates, "row activations")                                                           \
    X(dram_row_hits, "requests served from a row opened for an earlier one")                       \
    X(dram_bus_cycles, "DRAM cycles with data on a channel's bus, summed over channels")           \
    X(dram_cycles, "DRAM cycles, summed over channels")                                            \
    X(mf_latency_sum, "core cycles from L1 sending a data read to its reply's return, summed")     \
    X(mf_latency_count, "reads in that sum")                                                       \
    X(mf_latency_max, "the longest of them (the maximum, not a sum)")                              \
    X(read_l1_sum, "of mf_latency_sum: in L1's miss queue")                                        \
    X(read_request_sum, "of it: in the request network")                                           \
    X(read_partition_sum, "of it: ROP, L2 and queues, up to the DRAM channel (or the reply)")      \
    X(read_dram_queue_sum, "of it: in the DRAM scheduler's queue")                                 \
    X(read_dram_sum, "of it: at a bank, up to the last data")                                      \
    X(read_return_sum, "of it: from the data to the reply network")                                \
    X(read_reply_sum, "of it: in the reply network and in front of the core")                      \
    X(mem_latency_sum,                                                                             \
      "same for every packet that is answered: reads, stores, atomics, constants")                 \
    X(mem_latency_count, "packets in that sum")                                                    \
    X(replies_from_dram, "replies with data, textures and atomics too, that DRAM was asked for")   \
    X(icnt_flits_to_mem, "flits sent by the cores")                                                \
    X(icnt_flits_to_core, "flits sent to the cores")                                               \
    X(shared_conflict_cycles, "extra cycles of shared memory bank conflicts")                      \
    X(core_cycles, "cycles of cores, summed over cores, while the kernel runs")                    \
    X(busy_core_cycles, "of these, with at least one CTA resident")                                \
    X(active_cycles, "core cycles in which a warp issues (Kayiran's N_act)")                       \
    X(stalled_cycles, "core cycles in which none does although one is ready, or data is back but " \
                      "for the write-back port: the pipeline or the warp scheduler refuses")       \
    X(c_mem_cycles,                                                                                \
      "core cycles in which no warp is ready and at least one waits for data (Kayiran's C_mem)")   \
    X(c_idle_cycles, "core cycles in which no warp is ready and none waits for data: results, "    \
                     "instructions, barriers, an empty core (Kayiran's C_idle)")                   \
    X(resident_cta_cycles, "CTAs on the cores, summed over core cycles")                           \
    X(assigning_cycles, "core_cycles until the last CTA of the launch was handed out")             \
    X(assigning_limit_sum, "CTA limits of the cores (Kayiran's n), summed over these")             \
    X(assigning_resident_sum, "CTAs on the cores, summed over these")                              \
    X(assigning_running_sum, "of these CTAs, those that are not paused")                           \
    X(sched_cycles, "scheduler cycles of busy cores; the causes below add up to it")               \
    X(sched_issued, "an instruction was issued")                                                   \
    X(sched_idle, "no warp resident on this scheduler")                                            \
    X(sched_barrier, "every warp waits at a barrier, or has finished and awaits its stores")       \
    X(sched_fetch, "no valid instruction buffered")                                                \
    X(sched_mem_dep, "blocked by the scoreboard on a load in flight, or by an atomic or a fence")  \
    X(sched_alu_dep, "blocked by the scoreboard on an arithmetic result")                          \
    X(sched_mem_unit, "ready, but the LD/ST pipeline register is occupied")                        \
    X(sched_alu_unit, "ready, but the pipeline register of its unit is occupied")                  \
    X(sched_policy, "ready, but held back by the warp scheduler, or of a paused CTA")              \
    X(working_set_sum, "distinct L1D lines touched, summed over CTAs that were traced")            \
    X(traced_ctas, "CTAs in that sum")                                                             \
    X(working_set_lines, "distinct L1D lines touched, mean over CTAs that were traced, else 0")

#define RUN_RATES(X)                                                                               \
    X(ipc, "thread_insts / cycles over the whole GPU")                                             \
    X(miss_rate, "dram_reads / l1d_accesses (Yen, 4.2)")                                           \
    X(l1d_miss_rate, "l1d_misses / l1d_accesses")                                                  \
    X(dram_reads_per_cta, "dram_reads / ctas (Yen, Table 5)")                                      \
    X(mf_latency, "mean core cycles from a read leaving the core to its data coming back")         \
    X(read_l1, "of mf_latency: in L1's miss queue; it and the six below add up to mf_latency")     \
    X(read_request, "of mf_latency: in the request network")                                       \
    X(read_partition, "of mf_latency: ROP, L2 and queues, up to the DRAM channel")                 \
    X(read_dram_queue, "of mf_latency: in the DRAM scheduler's queue")                             \
    X(read_dram, "of mf_latency: at a bank, up to the last data")                                  \
    X(read_return, "of mf_latency: from the data to the reply network")                            \
    X(read_reply, "of mf_latency: in the reply network and in front of the core")                  \
    X(mem_latency, "mean over all packets but instruction fetches (GPGPU-Sim's averagemflatency)") \
    X(cta_cycles, "mean core cycles from a CTA's dispatch to its completion (Yen, Table 6)")       \
    X(row_hit_rate, "dram_row_hits / all requests")                                                \
    X(dram_utilization, "data bus cycles / DRAM cycles")                                           \
    X(RACT, "active_cycles / core cycles; it, C_mem, C_stall and C_idle add up to 1 (Kayiran, "    \
            "III-A)")                                                                              \
    X(C_mem, "c_mem_cycles / core cycles: memory waiting time")                                    \
    X(C_stall, "stalled_cycles / core cycles: stall time")                                         \
    X(C_idle, "c_idle_cycles / core cycles: idle time")                                            \
    X(mean_n, "CTA limit of a core until the last CTA was handed out, mean over cores and time "   \
              "(Kayiran, Figure 8); 0: nothing was left to hand out")                              \
    X(mean_n_resident, "CTAs on a core in the same time")                                          \
    X(mean_n_running, "of these, those that are not paused")                                       \
    X(mean_resident, "CTAs on a core, mean over cores and the whole time (Kayiran, Figure 9)")     \
    X(util, "share of core cycles with at least one CTA resident")                                 \
    X(stall_memory_conflict, "share of scheduler cycles: sched_mem_unit (Park, Figure 3)")         \
    X(stall_memory_dependency, "share of scheduler cycles: sched_mem_dep")                         \
    X(stall_fetch, "share of scheduler cycles: sched_fetch")                                       \
    X(stall_other, "share of scheduler cycles: every other cause")

struct run_stats {
#define X(name, help) uint64_t name;
    RUN_COUNTERS(X)
#undef X
};
enum run_rate {
#define X(name, help) RATE_##name,
    RUN_RATES(X)
#undef X
        RATE_COUNT
};

struct stat_row {
    const char *name, *help;
    size_t off;
};
extern const struct stat_row run_counter_rows[]; /* ends with name == NULL */
extern const struct stat_row run_rate_rows[];    /* off is the enum run_rate */

double stats_rate(const struct run_stats *s, enum run_rate r);
void stats_add(struct run_stats *sum,
               const struct run_stats *s); /* counters add; mf_latency_max takes the maximum,
                                              working_set_lines is the new mean */

/* Takes away what had been counted before: *sum was read later from the same counters. The longest
 * latency stays. */
void stats_subtract(struct run_stats *sum, const struct run_stats *before);

#endif
