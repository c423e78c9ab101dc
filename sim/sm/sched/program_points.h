/* sim/sm/sched/program_points.h -- where the distance to the next load changes (Park et al., ELF,
 * 2015, 3.1 and 3.2): the program points of a kernel, by Algorithms 1 and 2, and what the priority
 * calculator makes of them.
 *
 * Points are loads from global, local and texture memory (atomics that return too), and backward
 * branches; forward ones on request. A branch's score is the smallest distance, in instructions,
 * from it to a load over the paths behind it; a load's is 0 until it takes the place of a point in
 * front of it. The score's walk goes through other branches and past predicated exits, follows an
 * unconditional branch to its target only, and ends at an unconditional exit. brx is always a
 * point, whatever its targets. */
#ifndef MDP_SIM_SM_SCHED_PROGRAM_POINTS_H
#define MDP_SIM_SM_SCHED_PROGRAM_POINTS_H

#include "sim/ptx/module.h"
#include "sim/sm/sm_cfg.h"

struct program_point {
    uint32_t pc;
    bool branch; /* else a load */
    int score;
};

/* When the priority of a warp that issued an instruction is recalculated; else it falls by one. */
enum recalculate {
    RECALCULATE_IF_JUMPED,     /* the next pc is not the one behind: recalculation bit set */
    RECALCULATE_IF_NOT_JUMPED, /* bit clear: the priority follows the path that is taken */
    RECALCULATE                /* a load */
};

struct program_points { /* one block of memory */
    int found;          /* points before merging: column PP of the paper's Table 2 */
    int n;              /* that are left */
    int max_score;      /* also the priority where no point lies ahead */
    uint32_t ninst;
    struct program_point *point; /* by pc */
    uint16_t *priority;          /* by pc, what the priority calculator says there */
    uint8_t *recalculate;        /* by pc, enum recalculate */
};

/* Caller frees, by free(). */
struct program_points *program_points(const struct kernel *k, const struct elf_cfg *cfg);
/* bra and brx: those with a recalculation bit. */
bool program_points_is_branch(const struct inst *in);
/* Bits of the priority calculator, of the table of priorities, of the re-execution queue (Table 3),
 * of a core with so many warp slots. */
struct elf_storage {
    int calculator, priorities, reexecution;
};
struct elf_storage elf_storage(const struct elf_cfg *cfg, int warps, int reexecution_entries);

#endif
