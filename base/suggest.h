/* base/suggest.h -- "did you mean": the names nearest to one that does not exist. */
#ifndef MDP_BASE_SUGGEST_H
#define MDP_BASE_SUGGEST_H

#include <stddef.h>

struct suggest { /* the best few so far; names are borrowed */
    const char *wanted;
    const char *name[3];
    int distance[3];
};

void suggest_init(struct suggest *s, const char *wanted);
void suggest_offer(struct suggest *s, const char *name); /* a name that does exist */
/* "; did you mean a, b or c?", or "" when nothing is near. Returns buf. */
const char *suggest_text(const struct suggest *s, char *buf, size_t size);

#endif
