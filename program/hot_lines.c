#include "program/hot_lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/ptx/inst_lines.h"

/* Once a kernel: what its instructions are. */
static void describe(struct recorder *r, int kernel, const struct kernel *k)
{
    struct record_code code = {.kernel = kernel, .insts = (int)k->ninst};
    struct inst_line *line = inst_lines_new(k);
    snprintf(code.module, sizeof code.module, "%s", k->module ? module_name(k->module) : "");
    recorder_put(r, RECORD_CODE, &code, sizeof code);
    for (uint32_t i = 0; i < k->ninst; i++) {
        struct record_inst in = {.kernel = kernel, .inst = (int)i, .ptx = line[i].ptx};
        snprintf(in.text, sizeof in.text, "%s", line[i].text);
        snprintf(in.source, sizeof in.source, "%s", line[i].source ? line[i].source : "");
        recorder_put(r, RECORD_INST, &in, sizeof in);
    }
    inst_lines_free(line, (int)k->ninst);
}

struct inst_counts *hot_lines_begin(struct hot_lines *h, struct recorder *r, int kernel,
                                    const struct kernel *k)
{
    if (k->ninst > RECORD_INSTS)
        return NULL;
    if (!h->counts) {
        h->insts = k->ninst;
        h->counts = xcalloc(k->ninst + 1, sizeof *h->counts);
        h->now = xcalloc(k->ninst + 1, sizeof *h->now);
        describe(r, kernel, k);
    }
    if (h->insts != k->ninst)
        return NULL;
    memset(h->now, 0, h->insts * sizeof *h->now);
    return h->now;
}

static void record(struct hot_lines *h, struct recorder *r, int kernel)
{
    static const struct inst_counts none;
    for (uint32_t i = 0; i < h->insts; i++) {
        const struct record_hot hot = {kernel, (int)i, h->counts[i]};
        if (memcmp(&hot.counts, &none, sizeof none) != 0)
            recorder_put(r, RECORD_HOT, &hot, sizeof hot);
    }
    memset(h->counts, 0, h->insts * sizeof *h->counts);
}

void hot_lines_counted(struct hot_lines *h, struct recorder *r, int kernel)
{
    for (uint32_t i = 0; i < h->insts; i++)
        inst_counts_add(&h->counts[i], &h->now[i]);
    h->launches++;
    if ((h->launches & (h->launches - 1)) == 0)
        record(h, r, kernel);
}

void hot_lines_end(struct hot_lines *h, struct recorder *r, int kernel)
{
    if (h->counts)
        record(h, r, kernel);
    free(h->counts);
    free(h->now);
    *h = (struct hot_lines){0};
}
