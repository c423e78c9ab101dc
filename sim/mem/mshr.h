/* sim/mem/mshr.h -- miss-status holding registers: one entry a line on its way, with the requests
 * that wait for it.
 * Invariant: a line has at most one entry. An entry lives until the last of its requests has been
 * taken; a filled one still accepts merges. The first request travels to memory and stays in no
 * list here; those merged are chained through next. Not modelled: lookup latency. */
#ifndef MDP_SIM_MEM_MSHR_H
#define MDP_SIM_MEM_MSHR_H

#include "sim/mem/req.h"

struct mshr; /* opaque */

struct mshr *mshr_new(int entries, int merges);
void mshr_free(struct mshr *m);                   /* NULL is fine */
int mshr_find(const struct mshr *m, addr_t line); /* entry, or -1 */
bool mshr_full(const struct mshr *m);             /* no free entry */
int mshr_used(const struct mshr *m);              /* entries that are taken */
bool mshr_can_merge(const struct mshr *m, int entry);
/* A new entry for the line; the way is kept for the fill. */
int mshr_add(struct mshr *m, addr_t line, struct mem_req *first, uint32_t way);
void mshr_merge(struct mshr *m, int entry, struct mem_req *r);
uint32_t mshr_way(const struct mshr *m, int entry);
struct mem_req *mshr_first(const struct mshr *m, int entry);
bool mshr_filled(const struct mshr *m, int entry);
bool mshr_has_kind(const struct mshr *m, int entry,
                   enum req_kind k); /* anyone of this kind waits */
/* The line has arrived: its requests become ready, behind those of lines filled before. */
void mshr_fill(struct mshr *m, int entry);
bool mshr_ready(const struct mshr *m);
struct mem_req *mshr_next(struct mshr *m); /* takes one ready request; NULL: none */
bool mshr_empty(const struct mshr *m);

#endif
