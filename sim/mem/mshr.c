/* Entries are found through an open hash table of line numbers with linear probing and deletion by
 * moving later entries of the run back, so that no tombstones pile up. */
#include "sim/mem/mshr.h"

#include "base/err.h"

#include <stdlib.h>

#define NONE (-1)

struct entry {
    addr_t line;
    struct mem_req *first;       /* NULL once taken */
    struct mem_req *head, *tail; /* merged */
    uint32_t count;              /* waiting, first included */
    uint32_t way, kinds;         /* kinds: bit per enum req_kind seen */
    bool filled;
    int next; /* free list, or list of filled entries */
};

struct mshr {
    int entries, merges, live;
    struct entry *entry; /* owned */
    int16_t *slot;       /* owned: hash table of entry indices */
    uint32_t mask;
    int free, ready_head, ready_tail;
};

struct mshr *mshr_new(int entries, int merges)
{
    struct mshr *m = xcalloc(1, sizeof *m);
    uint32_t slots = 4;
    while (slots < 2 * (uint32_t)entries)
        slots *= 2;
    *m = (struct mshr){.entries = entries,
                       .merges = merges,
                       .entry = xcalloc((size_t)entries, sizeof *m->entry),
                       .slot = xmalloc(slots * sizeof *m->slot),
                       .mask = slots - 1,
                       .ready_head = NONE,
                       .ready_tail = NONE};
    for (uint32_t i = 0; i < slots; i++)
        m->slot[i] = NONE;
    for (int i = 0; i < entries; i++)
        m->entry[i].next = i + 1 < entries ? i + 1 : NONE;
    return m;
}

void mshr_free(struct mshr *m)
{
    if (!m)
        return;
    free(m->entry);
    free(m->slot);
    free(m);
}

static uint32_t home(const struct mshr *m, addr_t line)
{
    return (uint32_t)((line * 0x9e3779b97f4a7c15ull) >> 40) & m->mask;
}

static uint32_t slot_of(const struct mshr *m, addr_t line)
{
    uint32_t i = home(m, line);
    while (m->slot[i] != NONE && m->entry[m->slot[i]].line != line)
        i = (i + 1) & m->mask;
    return i;
}

int mshr_find(const struct mshr *m, addr_t line)
{
    return m->slot[slot_of(m, line)];
}

bool mshr_full(const struct mshr *m)
{
    return m->live == m->entries;
}

int mshr_used(const struct mshr *m)
{
    return m->live;
}

bool mshr_empty(const struct mshr *m)
{
    return m->live == 0;
}

bool mshr_can_merge(const struct mshr *m, int entry)
{
    return m->entry[entry].count < (uint32_t)m->merges;
}

int mshr_add(struct mshr *m, addr_t line, struct mem_req *first, uint32_t way)
{
    BUG_ON(mshr_full(m), "no MSHR entry of %d is free", m->entries);
    const uint32_t s = slot_of(m, line);
    BUG_ON(m->slot[s] != NONE, "line %#llx has an MSHR entry already", (unsigned long long)line);
    const int i = m->free;
    m->free = m->entry[i].next;
    m->entry[i] = (struct entry){.line = line,
                                 .first = first,
                                 .count = 1,
                                 .way = way,
                                 .kinds = 1u << first->kind,
                                 .next = NONE};
    m->slot[s] = (int16_t)i;
    m->live++;
    return i;
}

void mshr_merge(struct mshr *m, int entry, struct mem_req *r)
{
    struct entry *e = &m->entry[entry];
    BUG_ON(!mshr_can_merge(m, entry), "MSHR entry holds %u requests already", e->count);
    r->next = NULL;
    if (e->head)
        e->tail->next = r;
    else
        e->head = r;
    e->tail = r;
    e->count++;
    e->kinds |= 1u << r->kind;
}

uint32_t mshr_way(const struct mshr *m, int entry)
{
    return m->entry[entry].way;
}

struct mem_req *mshr_first(const struct mshr *m, int entry)
{
    return m->entry[entry].first;
}

bool mshr_filled(const struct mshr *m, int entry)
{
    return m->entry[entry].filled;
}

bool mshr_has_kind(const struct mshr *m, int entry, enum req_kind k)
{
    return m->entry[entry].kinds >> k & 1;
}

void mshr_fill(struct mshr *m, int entry)
{
    struct entry *e = &m->entry[entry];
    BUG_ON(e->filled, "line %#llx filled twice", (unsigned long long)e->line);
    e->filled = true;
    e->next = NONE;
    if (m->ready_head == NONE)
        m->ready_head = entry;
    else
        m->entry[m->ready_tail].next = entry;
    m->ready_tail = entry;
}

bool mshr_ready(const struct mshr *m)
{
    return m->ready_head != NONE;
}

static void unhash(struct mshr *m, addr_t line)
{
    uint32_t hole = slot_of(m, line);
    for (uint32_t i = (hole + 1) & m->mask; m->slot[i] != NONE; i = (i + 1) & m->mask) {
        const uint32_t want = home(m, m->entry[m->slot[i]].line);
        if (((i - want) & m->mask) < ((i - hole) & m->mask))
            continue; /* its home lies behind the hole */
        m->slot[hole] = m->slot[i];
        hole = i;
    }
    m->slot[hole] = NONE;
}

static void release(struct mshr *m, int entry)
{
    unhash(m, m->entry[entry].line);
    m->entry[entry].next = m->free;
    m->free = entry;
    m->live--;
}

struct mem_req *mshr_next(struct mshr *m)
{
    const int i = m->ready_head;
    if (i == NONE)
        return NULL;
    struct entry *e = &m->entry[i];
    struct mem_req *r = e->first;
    if (r)
        e->first = NULL;
    else {
        r = e->head;
        e->head = r->next;
    }
    r->next = NULL;
    if (--e->count == 0) {
        m->ready_head = e->next;
        release(m, i);
    }
    return r;
}
