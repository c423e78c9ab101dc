#include "sim/func/race.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "sim/func/exec.h"
#include "sim/func/race_order.h"
#include "sim/ptx/inst_lines.h"

#define BUCKETS 1024 /* of CTAs that run */

/* Threads of a warp that have accessed the same bytes. */
struct touch {
    uint32_t tick, inst;
    lanes_t lanes; /* 0: nobody has */
    uint8_t warp, kind;
};

struct cell { /* of shared memory: as many bytes as the kernel's smallest access has */
    struct touch write, read[2]; /* the last ones; read: of two warps */
};
#define TOUCHES 3

struct watched { /* a CTA */
    const struct cta *cta;
    struct watched *next; /* in its bucket */
    struct race_order order;
    unsigned shift; /* bytes of a cell: 1 << shift */
    size_t cells;
    struct cell *cell; /* owned */
};

struct races {
    struct race *at; /* owned */
    int count;
    struct watched *bucket[BUCKETS]; /* owned */
};

struct races *races_new(void)
{
    return xcalloc(1, sizeof(struct races));
}

/* -- CTAs that run */

static struct watched **bucket_of(struct races *r, const struct cta *c)
{
    return &r->bucket[((uintptr_t)c >> 6) * 0x9e3779b97f4a7c15u >> 54];
}

static void watched_free(struct watched *x)
{
    race_order_fini(&x->order);
    free(x->cell);
    free(x);
}

static void forget_all(struct races *r)
{
    for (int i = 0; i < BUCKETS; i++)
        for (struct watched *x = r->bucket[i], *next; x; x = next) {
            next = x->next;
            watched_free(x);
            r->bucket[i] = next;
        }
}

static void forget(struct races *r, const struct cta *c)
{
    for (struct watched **link = bucket_of(r, c); *link; link = &(*link)->next)
        if ((*link)->cta == c) {
            struct watched *gone = *link;
            *link = gone->next;
            watched_free(gone);
            return;
        }
}

/* Bytes, as a power of two, that every element has at least which the kernel may move. */
static unsigned cell_shift(const struct kernel *k)
{
    unsigned least = 2;
    for (uint32_t i = 0; i < k->ninst; i++) {
        const struct inst *in = &k->inst[i];
        const bool may = in->space == SP_SHARED || in->space == SP_GENERIC;
        const int bytes = type_bytes((enum vtype)in->type);
        if (may && in->flags & (INST_LOAD | INST_STORE | INST_ATOMIC) && bytes > 0 && bytes < 4)
            least = bytes == 1 ? 0 : least < 1 ? least : 1;
    }
    return least;
}

static struct watched *watched_of(struct races *r, const struct cta *c)
{
    struct watched **first = bucket_of(r, c), *x = *first;
    while (x && x->cta != c)
        x = x->next;
    if (x)
        return x;
    x = xcalloc(1, sizeof *x);
    x->cta = c;
    x->shift = cell_shift(c->kernel);
    x->cells = (c->shared_room >> x->shift) + 1;
    x->cell = xcalloc(x->cells, sizeof *x->cell);
    race_order_init(&x->order);
    x->next = *first;
    *first = x;
    return x;
}

/* -- what was found */

static void side_set(struct race_side *to, uint32_t inst, unsigned kind,
                     const struct inst_line *line)
{
    *to = (struct race_side){
        .inst = inst, .kind = kind, .ptx = line[inst].ptx, .text = xstrdup(line[inst].text)};
    if (line[inst].source)
        to->source = xstrdup(line[inst].source);
}

static struct race *find(struct races *r, const struct kernel *k, uint32_t first, uint32_t second)
{
    for (int i = r->count - 1; i >= 0; i--) {
        struct race *x = &r->at[i];
        if (x->side[0].inst == first && x->side[1].inst == second && x->kernel_id == k->id)
            return x;
    }
    return NULL;
}

struct hit { /* one thread's access, and what it races with */
    const struct warp *w;
    const struct inst *in;
    int lane;
    unsigned kind;
    addr_t addr;
    const struct touch *before;
    int other; /* a lane of it */
};

static void found(struct races *r, const struct hit *h)
{
    const struct kernel *k = h->w->cta->kernel;
    const bool swaps = h->in->pc < h->before->inst;
    const uint32_t first = swaps ? h->in->pc : h->before->inst;
    const uint32_t second = swaps ? h->before->inst : h->in->pc;
    struct race *x = find(r, k, first, second);
    if (!x) {
        r->at = xrealloc(r->at, (size_t)(r->count + 1) * sizeof *r->at);
        x = &r->at[r->count++];
        *x = (struct race){.kernel_id = k->id, .kernel = xstrdup(k->name), .addr = h->addr};
        x->module = xstrdup(k->module ? module_name(k->module) : "");
        struct inst_line *line = inst_lines_new(k);
        side_set(&x->side[0], first, swaps ? h->kind : h->before->kind, line);
        side_set(&x->side[1], second, swaps ? h->before->kind : h->kind, line);
        inst_lines_free(line, (int)k->ninst);
        x->side[swaps].thread = h->before->warp * WARP_SIZE + h->other;
        x->side[!swaps].thread = h->w->index * WARP_SIZE + h->lane;
        memcpy(x->cta, h->w->cta->id, sizeof x->cta);
    }
    x->count++;
    x->news = true;
}

/* -- accesses */

struct accesses { /* of a warp's instruction: one a lane */
    const struct warp *w;
    const struct inst *in;
    lanes_t lanes;
    unsigned kind, bytes;
    addr_t addr[WARP_SIZE];
};

/* A lane of the touch with which this access races; -1: none. */
static int races_with(const struct watched *x, const struct accesses *a, int lane,
                      const struct touch *t)
{
    const struct warp *w = a->w;
    const unsigned both = t->kind & a->kind;
    if (!t->lanes || !((t->kind | a->kind) & RACE_WRITE) || both & RACE_ATOMIC)
        return -1;
    if (t->warp != w->index) {
        const bool fine = both & RACE_STRONG || race_order_warps(&x->order, w, t->warp, t->tick);
        return fine ? -1 : __builtin_ctz(t->lanes);
    }
    for (lanes_t m = w->cta->independent ? t->lanes & ~(1u << lane) : 0; m; m &= m - 1)
        if (!race_order_lanes(&x->order, w, lane, __builtin_ctz(m), t->tick))
            return __builtin_ctz(m);
    return -1;
}

/* The cells that a lane's access covers: from *first on. */
static size_t cells_of(const struct watched *x, const struct accesses *a, int lane, size_t *first)
{
    *first = (size_t)(a->addr[lane] >> x->shift);
    const size_t n = ((size_t)a->bytes + (1u << x->shift) - 1) >> x->shift;
    return a->addr[lane] < x->cells << x->shift && *first + n <= x->cells ? n : 0;
}

/* Each lane tells of each earlier access once, however many of its bytes are concerned. */
static void compare(struct races *r, const struct watched *x, const struct accesses *a, int lane)
{
    size_t first;
    const size_t n = cells_of(x, a, lane, &first);
    unsigned told = 0;
    for (size_t i = first; i < first + n; i++) {
        const struct touch *const all[TOUCHES] = {&x->cell[i].write, &x->cell[i].read[0],
                                                  &x->cell[i].read[1]};
        for (int k = 0; k < TOUCHES; k++) {
            const int other = told >> k & 1 ? -1 : races_with(x, a, lane, all[k]);
            if (other < 0)
                continue;
            found(r, &(struct hit){a->w, a->in, lane, a->kind, a->addr[lane], all[k], other});
            told |= 1u << k;
        }
    }
}

/* Lanes of one warp between which nothing was ordered are kept together. */
static void touch(const struct watched *x, struct touch *t, const struct accesses *a, int lane)
{
    const struct touch now = {.tick = x->order.tick,
                              .inst = a->in->pc,
                              .lanes = 1u << lane,
                              .warp = (uint8_t)a->w->index,
                              .kind = (uint8_t)a->kind};
    const bool together = t->lanes && t->warp == now.warp && t->kind == now.kind &&
                          (t->tick == now.tick || (!x->order.warp[now.warp].lanes &&
                                                   t->tick >= x->order.warp[now.warp].together));
    const lanes_t before = together ? t->lanes : 0;
    *t = now;
    t->lanes |= before;
}

static void record(struct watched *x, const struct accesses *a, int lane)
{
    size_t first;
    const size_t n = cells_of(x, a, lane, &first);
    for (size_t i = first; i < first + n; i++) {
        struct cell *c = &x->cell[i];
        if (a->kind & RACE_WRITE) {
            touch(x, &c->write, a, lane);
            c->read[0].lanes = c->read[1].lanes = 0;
            continue;
        }
        if (c->read[0].lanes && c->read[0].warp != a->w->index) {
            const struct touch last = c->read[0];
            c->read[0] = c->read[1];
            c->read[1] = last;
            if (c->read[0].lanes && c->read[0].warp != a->w->index)
                c->read[0].lanes = 0;
        }
        touch(x, &c->read[0], a, lane);
    }
}

/* All lanes access at once: what one of them does is not compared with what others do. */
static void look(struct races *r, struct watched *x, const struct accesses *a)
{
    for (lanes_t m = a->lanes; m; m &= m - 1)
        compare(r, x, a, __builtin_ctz(m));
    for (lanes_t m = a->lanes; m; m &= m - 1)
        record(x, a, __builtin_ctz(m));
}

static unsigned kind_of(const struct step *s)
{
    const bool strong = s->inst->flags & INST_VOLATILE;
    if (s->is_atomic)
        return RACE_READ | RACE_WRITE | RACE_ATOMIC | RACE_STRONG;
    return (s->is_store ? RACE_WRITE : RACE_READ) | (strong ? RACE_STRONG : 0);
}

/* cp.async: what a step tells of it is the side in global memory. */
static void copies(struct accesses *a)
{
    struct warp *w = (struct warp *)(uintptr_t)a->w;
    const struct opnd *o = &a->in->src[0];
    a->kind = RACE_WRITE;
    a->bytes = (unsigned)type_bytes((enum vtype)a->in->type) * a->in->vec;
    for (int i = 0; i < WARP_SIZE; i++)
        a->addr[i] = (o->width == 8 ? row64(w, o)[i] : row32(w, o)[i]) + (uint64_t)a->in->imm;
}

static bool accesses_shared(const struct warp *w, const struct step *s, struct accesses *a)
{
    const bool moves = s->is_load || s->is_store || s->is_atomic;
    *a = (struct accesses){.w = w, .in = s->inst, .lanes = s->active};
    if (s->inst->op == OP_CP_ASYNC) {
        copies(a);
        return true;
    }
    if (!s->bytes || !moves || s->space != SP_SHARED || s->inst->op == OP_CP_BULK)
        return false;
    a->kind = kind_of(s);
    a->bytes = s->bytes;
    memcpy(a->addr, s->addr, sizeof a->addr);
    return true;
}

void races_step(struct races *r, const struct warp *w, const struct step *s)
{
    const struct cta *c = w->cta;
    struct accesses a;
    if (!c->shared_room)
        return;
    struct watched *x = watched_of(r, c);
    race_order_before(&x->order, w, s);
    if (s->active && accesses_shared(w, s, &a))
        look(r, x, &a);
    race_order_after(&x->order, w, s);
    if (s->warp_done && cta_done(c))
        forget(r, c);
}

/* -- what was found, for others */

void races_begin(struct races *r, struct launch *l)
{
    forget_all(r);
    l->races = r;
}

int races_count(const struct races *r)
{
    return r->count;
}

const struct race *races_all(const struct races *r)
{
    return r->at;
}

void races_told(struct races *r)
{
    for (int i = 0; i < r->count; i++)
        r->at[i].news = false;
}

void race_release(struct race *x)
{
    free(x->kernel);
    free(x->module);
    for (int k = 0; k < 2; k++) {
        free(x->side[k].text);
        free(x->side[k].source);
    }
}

void races_free(struct races *r)
{
    if (!r)
        return;
    forget_all(r);
    for (int i = 0; i < r->count; i++)
        race_release(&r->at[i]);
    free(r->at);
    free(r);
}

const char *race_kind_name(unsigned kind)
{
    return kind & RACE_ATOMIC ? "is atomic" : kind & RACE_WRITE ? "writes" : "reads";
}
