/* Earliest load first (Park et al., ELF, 2015): the warp with the fewest instructions to its next
 * load goes first, the oldest of several. A warp that issues comes nearer to its load and so stays
 * in front until it has issued that, unless one nearer to its own becomes ready. Fetch follows the
 * same order, the schedulers taking turns (3.3).
 *
 * A priority falls by one with each instruction. It is recalculated where it would be wrong: at
 * loads, at branches as their bit says, and where a warp goes on elsewhere without a branch (calls,
 * paths that meet). At the largest score, which stands for anything far away, it stays until then.
 * Which path of a divergent branch runs first decides as if all lanes had gone there. */
#include "sim/sm/sched/elf.h"
#include "sim/sm/sched/program_points.h"
#include "sim/sm/sched/warp_scheduler.h"

struct elf {
    uint16_t priority[MAX_WARPS];         /* the warp priority table */
    uint64_t fetches, fetched[MAX_WARPS]; /* so far; how many there were at a slot's last one */
    uint64_t issued, recalculated;
};

int elf_priority(const void *st, int slot)
{
    return ((const struct elf *)st)->priority[slot];
}

static void *analyse(const struct sched_code *code)
{
    return program_points(code->kernel, &code->cfg->elf);
}

static void recalculate(struct elf *e, const struct sched_view *v, int slot)
{
    e->priority[slot] = ((const struct program_points *)v->analysis)->priority[v->warp[slot].at.pc];
}

static void launch(void *st, const struct sched_view *v)
{
    (void)v;
    *(struct elf *)st = (struct elf){0};
}

static void warp_started(void *st, const struct sched_view *v, int slot)
{
    recalculate(st, v, slot);
}

static void issued(void *st, const struct sched_view *v, int slot, const struct inst_meta *m)
{
    const struct program_points *p = v->analysis;
    struct elf *e = st;
    e->issued++;
    if (v->set->done >> slot & 1)
        return;
    const bool jumped = v->warp[slot].at.pc != m->pc + 1;
    const enum recalculate when = (enum recalculate)p->recalculate[m->pc];
    if (when == RECALCULATE || (when == RECALCULATE_IF_JUMPED) == jumped) {
        recalculate(e, v, slot);
        e->recalculated++;
    } else if (e->priority[slot] && e->priority[slot] < p->max_score) {
        e->priority[slot]--;
    }
}

static int pick(const void *st, const struct sched_view *v, uint64_t among)
{
    const struct elf *e = st;
    int best = __builtin_ctzll(among);
    for (uint64_t rest = among & (among - 1); rest; rest &= rest - 1) {
        const int slot = __builtin_ctzll(rest), nearer = e->priority[slot] - e->priority[best];
        if (nearer < 0 || (!nearer && v->age[slot] < v->age[best]))
            best = slot;
    }
    return best;
}

/* The order of issue; but warps with no load ahead take turns, and of fetch_turns fetches one goes
 * round robin: else old warps that go round in a short loop, waiting for a young one, would leave
 * it no fetch for ever. */
static int fetch(void *st, const struct sched_view *v, uint64_t among)
{
    const struct program_points *p = v->analysis;
    struct elf *e = st;
    e->fetches++;
    if (!v->cfg->elf.fetch ||
        (v->cfg->elf.fetch_turns && e->fetches % (uint64_t)v->cfg->elf.fetch_turns == 0))
        return SCHED_ROUND_ROBIN;
    int best = pick(st, v, among);
    if (e->priority[best] == p->max_score) /* of all others too */
        for (uint64_t rest = among; rest; rest &= rest - 1)
            if (e->fetched[__builtin_ctzll(rest)] < e->fetched[best])
                best = __builtin_ctzll(rest);
    e->fetched[best] = e->fetches;
    return best;
}

static void counts(const void *st, struct sched_counts *add)
{
    const struct elf *e = st;
    sched_count(add, COUNT_elf_recalculations, e->recalculated);
    sched_share(add, COUNT_elf_recalculations_saved, e->issued - e->recalculated, e->issued);
}

const struct warp_scheduler_ops warp_scheduler_elf = {
    .name = "elf",
    .greedy = true,
    .help = "earliest load first: the warp with the fewest instructions to its next load",
    .paper = "Park et al., ELF, 2015",
    .bytes = sizeof(struct elf),
    .analyse = analyse,
    .launch = launch,
    .warp_started = warp_started,
    .pick = pick,
    .issued = issued,
    .fetch = fetch,
    .counts = counts,
};
