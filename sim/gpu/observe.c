/* Statistics of a launch as it goes. The parts count on their own; what they counted is collected
 * at the end of each interval, and the sum of the intervals is the launch's. */
#include "sim/gpu/machine.h"

static void collect_cores(struct gpu *g, cycle_t cycles, struct run_stats *out,
                          struct run_stats *per_core)
{
    for (int i = 0; i < g->cfg.top.cores; i++) {
        struct run_stats one = {0};
        sm_stats(g->sm[i], g->now, &one);
        dispatch_stats(&g->dispatch, i, g->now, &one);
        one.core_cycles = cycles;
        stats_add(out, &one);
        one.cycles = cycles;
        if (per_core)
            stats_add(&per_core[i], &one);
    }
}

/* What happened since cycle `since`, when the counters were last collected. */
static void collect(struct gpu *g, cycle_t since, struct run_stats *out, struct run_stats *per_core)
{
    struct uncore *u = &g->uncore;
    uncore_catch_up(u);
    collect_cores(g, g->now - since, out, per_core);
    for (int p = 0; p < g->cfg.mem.partition.count; p++)
        partition_stats(u->part[p], out);
    struct icnt_stats req, reply;
    u->icnt->stats(u->req_net, &req);
    u->icnt->stats(u->reply_net, &reply);
    out->icnt_flits_to_mem += req.flits - g->req_seen.flits;
    out->icnt_flits_to_core += reply.flits - g->reply_seen.flits;
    g->req_seen = req;
    g->reply_seen = reply;
    out->cycles += g->now - since;
}

void observer_start(struct observer *ob, const struct gpu *g, const struct gpu_opts *o,
                    struct run_stats *out)
{
    *ob = (struct observer){.opts = o,
                            .out = out,
                            .start = g->now,
                            .since = g->now,
                            .at = o->every ? g->now + o->every : CYCLE_NEVER};
}

void observer_row(struct observer *ob, struct gpu *g)
{
    const struct gpu_opts *o = ob->opts;
    struct run_stats st = {0};
    collect(g, ob->since, &st, o->per_core);
    stats_add(ob->out, &st);
    struct gpu_interval i = {.end = g->now - ob->start, .stats = &st};
    for (int c = 0; c < g->cfg.top.cores; c++)
        i.resident += sm_resident_ctas(g->sm[c]);
    if (o->every)
        o->interval(o->interval_user, &i);
    ob->counted += st.warp_insts;
    ob->since = g->now;
    ob->at = o->every ? g->now + o->every : CYCLE_NEVER;
}

void gpu_sched_counts(const struct gpu *g, struct sched_counts *add)
{
    for (int i = 0; i < g->cfg.top.cores; i++)
        sm_sched_counts(g->sm[i], add);
}
