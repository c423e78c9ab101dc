#include "sim/sm/sched/program_points.h"

#include "base/types.h"
#include "sim/sm/meta.h"

#include <stdlib.h>
#include <string.h>

#define NOWHERE UINT32_MAX

struct way { /* from an instruction to the point that the walk meets first */
    uint32_t steps;
    uint32_t point; /* pc; NOWHERE: there is none */
};

struct search {
    const struct kernel *k;
    const struct elf_cfg *cfg;
    struct program_points *out;
    bool *is_point; /* by pc */
    int *score;     /* by pc of a point */
    struct way *way;
};

bool program_points_is_branch(const struct inst *in)
{
    return in->op == OP_BRA || in->op == OP_BRX;
}

static bool is_conditional(const struct inst *in)
{
    return in->guard.off != OPND_NONE;
}

static bool is_branch_point(const struct inst *in, bool forward)
{
    return in->op == OP_BRX || (in->op == OP_BRA && (forward || in->target <= in->pc));
}

/* Forward branches lead to higher pcs, so that one pass from the end has all ways. A backward one
 * that is no point has been removed: no load lies behind it. */
static void find_ways(struct search *s)
{
    s->way[s->k->ninst] = (struct way){0, NOWHERE};
    for (uint32_t pc = s->k->ninst; pc-- > 0;) {
        const struct inst *in = &s->k->inst[pc];
        struct way *w = &s->way[pc];
        uint32_t next = pc + 1;
        if (s->is_point[pc]) {
            *w = (struct way){0, pc};
            continue;
        }
        if (program_points_is_branch(in) && !is_conditional(in))
            next = in->op == OP_BRA && in->target > pc ? in->target : s->k->ninst;
        else if ((in->op == OP_RET || in->op == OP_EXIT) && !is_conditional(in))
            next = s->k->ninst;
        *w = (struct way){s->way[next].steps + 1, s->way[next].point};
    }
}

/* getScore() of Algorithm 1. */
static int score_from(const struct search *s, uint32_t pc)
{
    const struct way *w = &s->way[pc];
    const uint32_t most = (uint32_t)s->out->max_score;
    if (w->point == NOWHERE || w->steps >= most)
        return (int)most;
    const uint32_t score = w->steps + (uint32_t)s->score[w->point];
    return (int)(score < most ? score : most);
}

static int branch_score(const struct search *s, const struct inst *in)
{
    int best = is_conditional(in) ? score_from(s, in->pc + 1) : s->out->max_score;
    for (int i = 0; in->op == OP_BRX && i < in->table->n; i++) {
        const int score = score_from(s, in->table->target[i]);
        best = score < best ? score : best;
    }
    if (in->op == OP_BRA) {
        const int score = score_from(s, in->target);
        best = score < best ? score : best;
    }
    return best + 1;
}

static void find_points(struct search *s)
{
    for (uint32_t pc = 0; pc < s->k->ninst; pc++) {
        const struct inst *in = &s->k->inst[pc];
        const bool branch = is_branch_point(in, s->cfg->forward_branches);
        s->is_point[pc] = branch || meta_is_long_latency(in);
        s->score[pc] = branch ? s->out->max_score : 0;
    }
    find_ways(s);
}

static bool is_branch_at(const struct search *s, uint32_t pc)
{
    return s->is_point[pc] && program_points_is_branch(&s->k->inst[pc]);
}

static void settle_scores(struct search *s)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t pc = 0; pc < s->k->ninst; pc++) {
            if (!is_branch_at(s, pc))
                continue;
            const int score = branch_score(s, &s->k->inst[pc]);
            changed |= score < s->score[pc];
            s->score[pc] = score < s->score[pc] ? score : s->score[pc];
        }
    }
}

/* A branch says nothing if no load lies behind it, or if its fall-through path is the shortest. */
static void remove_meaningless(struct search *s)
{
    const int most = s->out->max_score;
    for (uint32_t pc = 0; pc < s->k->ninst; pc++) {
        if (!is_branch_at(s, pc))
            continue;
        const bool falls = is_conditional(&s->k->inst[pc]);
        if (s->score[pc] == most || (falls && s->score[pc] == score_from(s, pc + 1) + 1))
            s->is_point[pc] = false;
    }
    find_ways(s);
}

static void list_points(struct search *s)
{
    struct program_points *p = s->out;
    for (uint32_t pc = 0; pc < s->k->ninst; pc++)
        if (s->is_point[pc])
            p->point[p->n++] = (struct program_point){pc, is_branch_at(s, pc), s->score[pc]};
    p->found = p->n;
}

static void remove_point(struct search *s, int i)
{
    struct program_points *p = s->out;
    s->is_point[p->point[i].pc] = false;
    memmove(&p->point[i], &p->point[i + 1], (size_t)(--p->n - i) * sizeof *p->point);
    find_ways(s);
}

/* Algorithm 2 as printed: line 11 lowers the distance that later candidates compete with. False: no
 * load has a point in front of it within the score's range. */
static bool merge(struct search *s)
{
    struct program_points *p = s->out;
    int least = p->max_score, load = -1;
    for (int i = 1; i < p->n; i++) { /* the first has no previous point */
        const struct program_point *before = &p->point[i - 1];
        if (p->point[i].branch)
            continue;
        const int distance = score_from(s, before->pc + 1) + 1;
        if (distance >= least)
            continue;
        least = distance - (before->branch ? before->score : 0);
        load = i;
    }
    if (load < 0)
        return false;
    p->point[load].score = s->score[p->point[load].pc] = least;
    remove_point(s, load - 1);
    return true;
}

static void merge_down(struct search *s)
{
    const int slots = s->cfg->program_points;
    while (slots && s->out->n > slots)
        if (!merge(s))
            remove_point(s, s->out->n - 1); /* the hardware has no slot for it */
}

/* The priority encoder: the nearest point at or behind the pc. */
static void set_priorities(struct program_points *p)
{
    int i = p->n - 1;
    for (uint32_t pc = p->ninst; pc-- > 0;) {
        while (i > 0 && p->point[i - 1].pc >= pc)
            i--;
        const struct program_point *at = i >= 0 && p->point[i].pc >= pc ? &p->point[i] : NULL;
        uint32_t d = at ? at->pc - pc : (uint32_t)p->max_score;
        if (at && at->branch)
            d += (uint32_t)at->score;
        else if (at && d > (uint32_t)at->score)
            d -= (uint32_t)at->score;
        p->priority[pc] = (uint16_t)(d < (uint32_t)p->max_score ? d : (uint32_t)p->max_score);
    }
    p->priority[p->ninst] = (uint16_t)p->max_score;
}

/* The bit is clear where the priority in force, one less than at the branch, is right on the path
 * that is taken and only there; so it is right on both paths after all wherever it can be. The
 * paper's words ("set when the taken path has fewer instructions to the next program point") would
 * recalculate what the branch's score already holds, and keep it where the branch falls through. */
static enum recalculate recalculate_at(const struct program_points *p, const struct inst *in)
{
    const int here = p->priority[in->pc];
    const int after = here == p->max_score ? here : here ? here - 1 : 0;
    if (meta_is_long_latency(in))
        return RECALCULATE;
    if (in->op != OP_BRA || after != p->priority[in->target])
        return RECALCULATE_IF_JUMPED;
    return is_conditional(in) && after == p->priority[in->pc + 1] ? RECALCULATE_IF_JUMPED
                                                                  : RECALCULATE_IF_NOT_JUMPED;
}

static struct program_points *points_new(const struct kernel *k, const struct elf_cfg *cfg)
{
    const size_t points = (size_t)k->ninst * sizeof(struct program_point);
    const size_t each = (size_t)(k->ninst + 1) * (sizeof(uint16_t) + 1);
    struct program_points *p = xcalloc(1, sizeof *p + points + each);
    p->point = (struct program_point *)(p + 1);
    p->priority = (uint16_t *)(p->point + k->ninst);
    p->recalculate = (uint8_t *)(p->priority + k->ninst + 1);
    p->ninst = k->ninst;
    p->max_score = (1 << cfg->score_bits) - 1;
    return p;
}

struct program_points *program_points(const struct kernel *k, const struct elf_cfg *cfg)
{
    const size_t n = (size_t)k->ninst + 1;
    struct search s = {.k = k,
                       .cfg = cfg,
                       .out = points_new(k, cfg),
                       .is_point = xcalloc(n, sizeof *s.is_point),
                       .score = xcalloc(n, sizeof *s.score),
                       .way = xcalloc(n, sizeof *s.way)};
    find_points(&s);
    settle_scores(&s);
    remove_meaningless(&s);
    list_points(&s);
    merge_down(&s);
    set_priorities(s.out);
    for (uint32_t pc = 0; pc < k->ninst; pc++)
        s.out->recalculate[pc] = (uint8_t)recalculate_at(s.out, &k->inst[pc]);
    free(s.is_point);
    free(s.score);
    free(s.way);
    return s.out;
}

/* Table 3: valid, branch, a pc of 32 bits, a score for each program point; a priority for each
 * warp; 301 bits for each transaction that waits, as Mascar has them. */
struct elf_storage elf_storage(const struct elf_cfg *cfg, int warps, int reexecution_entries)
{
    return (struct elf_storage){.calculator = (1 + 1 + 32 + cfg->score_bits) * cfg->program_points,
                                .priorities = cfg->score_bits * warps,
                                .reexecution = 301 * reexecution_entries};
}
