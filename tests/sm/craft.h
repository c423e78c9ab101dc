/* tests/sm/craft.h -- trace files put together by hand, as sim/sm/trace_write.h describes them. */
#ifndef MDP_TESTS_SM_CRAFT_H
#define MDP_TESTS_SM_CRAFT_H

#include "base/pack.h"
#include "sim/sm/trace_code.h"
#include "sim/sm/trace_file.h"

#include <stdlib.h>
#include <string.h>

static inline void craft_bytes(struct trace_bytes *b, const void *data, size_t n)
{
    for (size_t i = 0; i < n; i++)
        trace_put_byte(b, ((const uint8_t *)data)[i]);
}

static inline void craft_text(struct trace_bytes *b, const char *s)
{
    trace_put_uint(b, strlen(s));
    craft_bytes(b, s, strlen(s));
}

/* A file of one part and this table, in f. */
static inline void craft_file(struct trace_bytes *f, const struct trace_bytes *part,
                              const struct trace_bytes *table)
{
    size_t part_len, table_len;
    uint8_t *p = pack(part->at, part->n, &part_len), *t = pack(table->at, table->n, &table_len);
    const uint32_t version[2] = {TRACE_VERSION, 0};
    const uint64_t where[3] = {TRACE_HEADER + part_len, table_len, table->n};
    f->n = 0;
    craft_bytes(f, TRACE_MAGIC, 8);
    craft_bytes(f, version, sizeof version);
    craft_bytes(f, where, sizeof where);
    craft_bytes(f, p, part_len);
    craft_bytes(f, t, table_len);
    free(p);
    free(t);
}

/* A file of one launch of kernel k, which has no parameters, with one CTA, whose bytes are these.
 */
static inline void craft_launch(struct trace_bytes *f, const char *ptx, int threads,
                                const struct trace_bytes *cta)
{
    size_t len;
    struct trace_bytes t = {0};
    free(pack(cta->at, cta->n, &len));
    trace_put_uint(&t, 1);
    craft_text(&t, "k.ptx");
    craft_text(&t, ptx);
    trace_put_uint(&t, 1);
    trace_put_uint(&t, 0);
    craft_text(&t, "k");
    trace_put_uint(&t, 1);
    const uint64_t shape[] = {0, 1, 1, 1, (uint64_t)threads, 1, 1, 0, 0, 0};
    for (size_t i = 0; i < sizeof shape / sizeof *shape; i++)
        trace_put_uint(&t, shape[i]);
    trace_put_int(&t, 0);
    trace_put_uint(&t, len);
    trace_put_uint(&t, cta->n);
    craft_file(f, cta, &t);
    free(t.at);
}

#endif
