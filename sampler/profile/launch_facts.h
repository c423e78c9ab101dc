/* sampler/profile/launch_facts.h -- what executing a launch tells of its CTAs: which one stands for
 * all, which is the longest. */
#ifndef MDP_SAMPLER_LAUNCH_FACTS_H
#define MDP_SAMPLER_LAUNCH_FACTS_H

#include "sampler/profile/launch_watch.h"
#include "sampler/profile/recent_code.h"

struct launch_facts {
    uint64_t cta; /* to sample: the one whose warp instructions are nearest to the mean; of equals
                     the first; 0 if they are not known */
    uint64_t longest;    /* the one with most of them; of equals the first; 0 if not known */
    uint64_t cta_insts;  /* warp instructions of the one to sample; 0: not known */
    uint64_t most_insts; /* its warp instructions; of all if that is not known */
    uint64_t warp_insts, thread_insts; /* of the launch */
    uint64_t waits;                    /* how often it left a loop that only waits */
    uint64_t work;                     /* func_work() */
    bool uneven;                       /* its first CTAs are longer or shorter than
                                          the rest, or use memory unlike them */
    bool camping;                      /* partition_watch_camping(), with few CTAs on a core, too */
    double bank_cycles;                /* partition_watch_bank_cycles() */
    bool code_ran;                     /* recent_code_has(), recent_code_since() */
    uint64_t code_since;
    bool draws; /* sample_launch()'s: alone that CTA does the work of others, from a queue */
    /* sample_waiting()'s: pilot.by_completed; its CTAs wait for earlier ones alone, and pilots have
     * the first ones; how long it is from one to the next, pilot_hop(). */
    bool by_completed, in_order;
    double hop;
};

/* look: what watched it; all NULL if nobody did. */
struct launch_facts launch_facts_of(const struct func_counts *n, const struct launch_watch *look,
                                    const struct similarity_params *by);
/* The CTA to sample is the one that was asked for; -1: none was. The launch may have no such. */
void launch_facts_ask(struct launch_facts *f, int64_t cta);
/* It runs next, after those that *r has seen. */
void launch_facts_follow(struct launch_facts *f, const struct recent_code *r,
                         const struct launch *l);

#endif
