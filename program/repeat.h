/* program/repeat.h -- launches seen before: those that are the same but for pointers
 * (launch_key.h) do much the same work. Which do not is seen by looking at them while they are
 * executed, which takes time. The first is looked at closely, then a glance at a few CTAs tells
 * whether one is as another was, or wants a close look too. Once several in a row have
 * shown nothing new, the next comes a fifth later. Those that nobody looks at are told apart by
 * their sizes (launch_cluster.h); where launches of the same size differ, they are shared out as
 * these did. One of a size that no look has seen is missed, and sought from then on. */
#ifndef MDP_PROGRAM_REPEAT_H
#define MDP_PROGRAM_REPEAT_H

#include "sampler/profile/launch_cluster.h"
#include "sim/func/warp.h"

#define REPEAT_LOOKS 16 /* that are kept; repeat.recent is no more */

struct repeat {                /* one set of equal launches */
    const struct sampling *by; /* borrowed; NULL: the table's defaults */
    uint64_t seen;             /* launches so far */
    uint64_t cycles;           /* of the last one simulated; 0: none */
    uint64_t thread_insts;     /* of that one */
    int cluster;               /* of that one: clusters of its kernel are the caller's */
    bool detailed;             /* it was simulated or sampled */
    bool missed;               /* it was to be, but memory as it was before was not kept: */
    int missed_of;             /* ... one of this cluster */
    struct repeat_look {
        int cluster;
        struct launch_size size;
        struct memory_use few; /* as a glance sees it */
    } * look; /* owned, [room]: the latest first, and the last one of each cluster */
    int looks, room;
    int as_expected;  /* since one that showed something new, with that */
    int in_doubt;     /* looks, until so many in a row showed nothing new */
    int unlike;       /* looks for one that a glance found so */
    bool mixed;       /* two looks of the same size used memory in unlike ways */
    bool guessed;     /* some were not looked at */
    uint64_t look_at; /* the next one, as seen */
    bool seeks;       /* one that was missed: */
    struct launch_size sought;
    uint64_t sought_until; /* as seen */
};

struct repeats; /* opaque */

struct repeats *repeats_new(const struct sampling *by); /* borrowed */
void repeats_free(struct repeats *r);
enum repeat_wants { REPEAT_UNSEEN, REPEAT_GLANCE, REPEAT_LOOK };
/* What the launch that is seen now needs. one_degree: there is nothing to choose, so that one look
 * is enough. */
enum repeat_wants repeat_wants(const struct repeat *r, bool one_degree);
/* It was looked at closely, and is of that cluster. */
void repeat_looked_at(struct repeat *r, int cluster, const struct launch_size *size,
                      const struct memory_use *few);
/* It was glanced at: the cluster that it is of; -1: of none that was looked at, so that it wants a
 * close look. */
int repeat_glanced_at(struct repeat *r, const struct launch_size *size,
                      const struct memory_use *few);
/* ... which it can't have any more: the next ones do. */
void repeat_missed(struct repeat *r);
/* Nobody looked: the cluster that it is taken to be of; -1: none that is known. With one degree it
 * is of the last one's. */
int repeat_executed(struct repeat *r, const struct launch_size *size, bool one_degree);
/* The launch's set; a new one has seen == 0. Valid until repeats_free(). */
struct repeat *repeats_find(struct repeats *r, const struct launch *l, int kernel);

#endif
