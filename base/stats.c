#include "base/stats.h"

const struct stat_row run_counter_rows[] = {
#define X(name, help) {#name, help, offsetof(struct run_stats, name)},
    RUN_COUNTERS(X)
#undef X
        {NULL, NULL, 0},
};

const struct stat_row run_rate_rows[] = {
#define X(name, help) {#name, help, RATE_##name},
    RUN_RATES(X)
#undef X
        {NULL, NULL, 0},
};

static uint64_t dram_requests(const struct run_stats *s)
{
    return s->dram_reads + s->dram_inst_reads + s->dram_const_reads + s->dram_writes;
}

static uint64_t other_stalls(const struct run_stats *s)
{
    return s->sched_idle + s->sched_barrier + s->sched_alu_dep + s->sched_alu_unit +
           s->sched_policy;
}

double stats_rate(const struct run_stats *s, enum run_rate r)
{
    switch (r) {
    case RATE_ipc:
        return ratio(s->thread_insts, s->cycles);
    case RATE_miss_rate:
        return ratio(s->dram_reads, s->l1d_accesses);
    case RATE_l1d_miss_rate:
        return ratio(s->l1d_misses, s->l1d_accesses);
    case RATE_dram_reads_per_cta:
        return ratio(s->dram_reads, s->ctas);
    case RATE_mf_latency:
        return ratio(s->mf_latency_sum, s->mf_latency_count);
    case RATE_read_l1:
        return ratio(s->read_l1_sum, s->mf_latency_count);
    case RATE_read_request:
        return ratio(s->read_request_sum, s->mf_latency_count);
    case RATE_read_partition:
        return ratio(s->read_partition_sum, s->mf_latency_count);
    case RATE_read_dram_queue:
        return ratio(s->read_dram_queue_sum, s->mf_latency_count);
    case RATE_read_dram:
        return ratio(s->read_dram_sum, s->mf_latency_count);
    case RATE_read_return:
        return ratio(s->read_return_sum, s->mf_latency_count);
    case RATE_read_reply:
        return ratio(s->read_reply_sum, s->mf_latency_count);
    case RATE_mem_latency:
        return ratio(s->mem_latency_sum, s->mem_latency_count);
    case RATE_cta_cycles:
        return ratio(s->cta_cycles_sum, s->ctas);
    case RATE_row_hit_rate:
        return ratio(s->dram_row_hits, dram_requests(s));
    case RATE_dram_utilization:
        return ratio(s->dram_bus_cycles, s->dram_cycles);
    case RATE_RACT:
        return ratio(s->active_cycles, s->core_cycles);
    case RATE_C_mem:
        return ratio(s->c_mem_cycles, s->core_cycles);
    case RATE_C_stall:
        return ratio(s->stalled_cycles, s->core_cycles);
    case RATE_C_idle:
        return ratio(s->c_idle_cycles, s->core_cycles);
    case RATE_mean_n:
        return ratio(s->assigning_limit_sum, s->assigning_cycles);
    case RATE_mean_n_resident:
        return ratio(s->assigning_resident_sum, s->assigning_cycles);
    case RATE_mean_n_running:
        return ratio(s->assigning_running_sum, s->assigning_cycles);
    case RATE_mean_resident:
        return ratio(s->resident_cta_cycles, s->core_cycles);
    case RATE_util:
        return ratio(s->busy_core_cycles, s->core_cycles);
    case RATE_stall_memory_conflict:
        return ratio(s->sched_mem_unit, s->sched_cycles);
    case RATE_stall_memory_dependency:
        return ratio(s->sched_mem_dep, s->sched_cycles);
    case RATE_stall_fetch:
        return ratio(s->sched_fetch, s->sched_cycles);
    case RATE_stall_other:
        return ratio(other_stalls(s), s->sched_cycles);
    case RATE_COUNT:
        break;
    }
    return 0;
}

void stats_add(struct run_stats *sum, const struct run_stats *s)
{
    uint64_t longest =
        sum->mf_latency_max > s->mf_latency_max ? sum->mf_latency_max : s->mf_latency_max;
#define X(name, help) sum->name += s->name;
    RUN_COUNTERS(X)
#undef X
    const uint64_t ctas = sum->traced_ctas;
    sum->mf_latency_max = longest;
    sum->working_set_lines = ctas ? (sum->working_set_sum + ctas / 2) / ctas : 0;
}

void stats_subtract(struct run_stats *sum, const struct run_stats *before)
{
    const uint64_t longest = sum->mf_latency_max;
#define X(name, help) sum->name -= before->name;
    RUN_COUNTERS(X)
#undef X
    const uint64_t ctas = sum->traced_ctas;
    sum->mf_latency_max = longest;
    sum->working_set_lines = ctas ? (sum->working_set_sum + ctas / 2) / ctas : 0;
}
