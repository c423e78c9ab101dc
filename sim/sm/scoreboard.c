/* The scoreboard: a warp's next instruction waits while a register that it reads or writes is to be
 * written by an earlier one (RAW, WAW). A register is free again at write-back. The answer for the
 * head of the buffer is kept in dep_mem / dep_alu and worked out anew only when the head changes or
 * one of the warp's registers is released. */
#include "sim/sm/core.h"

void board_reserve(struct sm *s, int slot, const struct inst_meta *m)
{
    struct warp_slot *ws = &s->warp[slot];
    for (int i = 0; i < m->ndst; i++) {
        const struct board_bits *d = &m->dst[i];
        struct board_word *b = &ws->board[d->word];
        b->reserved |= d->bits;
        if (m->load)
            b->by_memory |= d->bits;
        if (m->long_latency)
            b->long_latency |= d->bits;
    }
    ws->pending = (uint16_t)(ws->pending + m->nreserved);
}

void board_release(struct sm *s, int slot, const struct inst_meta *m)
{
    struct warp_slot *ws = &s->warp[slot];
    for (int i = 0; i < m->ndst; i++) {
        const struct board_bits *d = &m->dst[i];
        struct board_word *b = &ws->board[d->word];
        b->reserved &= ~d->bits;
        b->by_memory &= ~d->bits;
        b->long_latency &= ~d->bits;
    }
    ws->pending = (uint16_t)(ws->pending - m->nreserved);
    if ((s->set.dep_mem | s->set.dep_alu) >> slot & 1)
        board_check(s, slot);
}

void board_check(struct sm *s, int slot)
{
    const struct warp_slot *ws = &s->warp[slot];
    const struct inst_meta *m = ws->head;
    struct warp_sets *w = &s->set;
    const uint64_t bit = 1ull << slot;
    uint64_t any = 0, memory = 0, late = 0;
    if (ws->pending)
        for (int i = 0; i < m->ncheck; i++) {
            const struct board_bits *k = &m->check[i];
            any |= ws->board[k->word].reserved & k->bits;
            memory |= ws->board[k->word].by_memory & k->bits;
            late |= ws->board[k->word].long_latency & k->bits;
        }
    const uint64_t blocked = (uint64_t)(any != 0) << slot, by_memory = (uint64_t)(memory != 0)
                                                                       << slot;
    w->dep_mem = (w->dep_mem & ~bit) | by_memory;
    w->dep_long = late ? w->dep_long | bit : w->dep_long & ~bit;
    w->dep_alu = (w->dep_alu & ~bit) | (blocked & ~by_memory);
    w->ready = (w->ready | bit) & ~blocked;
    mark_dirty(s, slot);
}

void warp_settled(struct sm *s, int slot)
{
    const struct warp_slot *ws = &s->warp[slot];
    const uint64_t bit = 1ull << slot;
    if (!((s->set.fence | s->set.done) & bit) || ws->pending || ws->atomics)
        return;
    if (s->set.fence & bit && !(s->cfg->fence_stores && ws->stores) &&
        !s->ldst.reexec.of_warp[slot]) {
        s->set.fence &= ~bit;
        held_changed(&s->set);
        mark_dirty(s, slot);
    }
    if (s->set.done & bit && !ws->in_pipe && !ws->stores)
        s->set.leaving |= bit;
}
