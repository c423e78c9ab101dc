#include "sampler/window/l1_flight.h"

#include <math.h>
#include <stdlib.h>

#include "base/err.h"

void l1_flight_init(struct l1_flight *c, const struct cache_cfg *cfg,
                    const struct memory_share *memory)
{
    *c = (struct l1_flight){.memory = *memory, .mshrs = cfg->mshrs, .hit = 1 + cfg->hit_latency};
    tags_init(&c->tags, (uint32_t)cfg->size, (uint32_t)cfg->line, (uint32_t)cfg->ways);
    c->back = xcalloc((size_t)c->tags.sets * c->tags.ways, sizeof *c->back);
    c->mshr = xcalloc((size_t)c->mshrs, sizeof *c->mshr);
}

void l1_flight_fini(struct l1_flight *c)
{
    tags_fini(&c->tags);
    free(c->back);
    free(c->mshr);
}

/* fmax() is a call. */
static double later(double a, double b)
{
    return a < b ? b : a;
}

static uint32_t first_way(const struct l1_flight *c, addr_t line)
{
    return (uint32_t)(line >> c->tags.line_log2 & (c->tags.sets - 1)) * c->tags.ways;
}

/* What has come by now may leave. */
static void land(struct l1_flight *c, addr_t line, double now)
{
    const uint32_t first = first_way(c, line);
    for (uint32_t w = first; w < first + c->tags.ways; w++)
        if (tags_state(&c->tags, w) == TAG_RESERVED && c->back[w] <= now)
            tags_set_state(&c->tags, w, TAG_VALID);
}

static double first_back(const struct l1_flight *c, addr_t line)
{
    const uint32_t first = first_way(c, line);
    double when = INFINITY;
    for (uint32_t w = first; w < first + c->tags.ways; w++)
        when = fmin(when, c->back[w]);
    return when;
}

static enum tag_result probe(struct l1_flight *c, addr_t line, double now, uint32_t *way)
{
    land(c, line, now);
    return tags_probe(&c->tags, line, line, way);
}

double l1_flight_load(struct l1_flight *c, addr_t line, double *now, double *missed)
{
    uint32_t way;
    addr_t dirty;
    enum tag_result t = probe(c, line, *now, &way);
    c->uses++;
    if (t == TAG_HIT || t == TAG_HIT_RESERVED) {
        tags_touch(&c->tags, way, c->uses);
        return later(c->back[way], *now + c->hit);
    }
    double *mshr = &c->mshr[c->oldest];
    c->oldest = (c->oldest + 1) % c->mshrs;
    *now = later(*now, *mshr);
    if ((t = probe(c, line, *now, &way)) == TAG_FAIL) {
        *now = first_back(c, line);
        t = probe(c, line, *now, &way);
    }
    c->next_line = later(c->next_line, *now) + c->memory.each;
    *mshr = c->back[way] = c->next_line + c->memory.latency;
    (void)tags_replace(&c->tags, way, line | TAG_RESERVED, c->uses,
                       &dirty); /* writes are not timed */
    ++*missed;
    return *mshr;
}

void l1_flight_store(struct l1_flight *c, addr_t line, double now, bool kept)
{
    uint32_t way;
    c->uses++;
    if (probe(c, line, now, &way) != TAG_HIT)
        return;
    if (kept)
        tags_touch(&c->tags, way, c->uses);
    else
        tags_set_state(&c->tags, way, TAG_INVALID);
}
