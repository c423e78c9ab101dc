#include "cli/hot_spots.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/table.h"
#include "base/wrap.h"
#include "cli/keys.h"

#define LISTING_BYTES ((size_t)64 << 20) /* of a file that is listed */

static const struct {
    enum cause cause;
    const char *key, *name, *help;
} causes[] = {
    {CAUSE_MEM_DEP, "mem_dep", "data", "waits for data"},
    {CAUSE_MEM_UNIT, "mem_unit", "LD/ST", "no room in the load/store unit"},
    {CAUSE_ALU_DEP, "alu_dep", "result", "waits for a result"},
    {CAUSE_ALU_UNIT, "alu_unit", "ALU", "no room in an arithmetic unit"},
    {CAUSE_BARRIER, "barrier", "barrier", "waits at the barrier"},
    {CAUSE_FETCH, "fetch", "fetch", "waits for the instruction"},
    {CAUSE_POLICY, "policy", "policy", "held back by the warp scheduler"},
};
#define CAUSES (sizeof causes / sizeof *causes)

static uint64_t all_cycles(const struct inst_counts *c)
{
    uint64_t sum = c->cycles[CAUSE_ISSUED];
    for (size_t i = 0; i < CAUSES; i++)
        sum += c->cycles[causes[i].cause];
    return sum;
}

/* ---- Collecting ---- */
static struct hot_kernel *find(struct hot_spots *h, const struct kernel *k)
{
    for (int i = 0; i < h->kernels; i++)
        if (h->kernel[i].id == k->id)
            return &h->kernel[i];
    return NULL;
}

struct inst_counts *hot_spots_of(struct hot_spots *h, const struct kernel *k)
{
    struct hot_kernel *of = find(h, k);
    if (of)
        return of->counts;
    h->kernel = xrealloc(h->kernel, (size_t)(h->kernels + 1) * sizeof *h->kernel);
    of = &h->kernel[h->kernels++];
    *of = (struct hot_kernel){.name = xstrdup(k->name),
                              .module = xstrdup(k->module ? module_name(k->module) : ""),
                              .id = k->id,
                              .lines = (int)k->ninst,
                              .line = inst_lines_new(k),
                              .counts = xcalloc(k->ninst + 1, sizeof *of->counts)};
    return of->counts;
}

void hot_spots_add(struct hot_spots *h, const struct kernel *k, const struct run_stats *launch)
{
    struct hot_kernel *of = find(h, k);
    if (!of)
        return;
    stats_add(&of->stats, launch);
    of->launches++;
}

void hot_spots_release(struct hot_spots *h)
{
    for (int i = 0; i < h->kernels; i++) {
        struct hot_kernel *k = &h->kernel[i];
        inst_lines_free(k->line, k->lines);
        free(k->name);
        free(k->module);
        free(k->counts);
    }
    free(h->kernel);
    *h = (struct hot_spots){0};
}

/* ---- JSON ---- */
struct hot_line {
    const struct inst_line *at;
    const struct inst_counts *counts;
    uint64_t cycles;
};

static void write_stalled(struct output *out, const char *name, const void *line)
{
    const struct inst_counts *c = ((const struct hot_line *)line)->counts;
    output_object(out, name);
    for (size_t i = 0; i < CAUSES; i++)
        output_uint(out, causes[i].key, c->cycles[causes[i].cause], NULL);
    output_up(out);
}

const struct output_row hot_line_rows[] = {
    {"other", "line", "", "of the PTX", OUTPUT_VIA(struct hot_line, at, ptx)},
    {"other", "source", "", "FILE:LINE by .loc; empty: there is no line information",
     .via = 1 + offsetof(struct hot_line, at),
     OUTPUT_AS(struct inst_line, source, output_text_or_none)},
    {"other", "instruction", "", "the line's text", OUTPUT_VIA(struct hot_line, at, text)},
    {"other", "issued", "", "warp instructions", OUTPUT_VIA(struct hot_line, counts, issued)},
    {"other", "thread_insts", "", "active lanes, summed over these",
     OUTPUT_VIA(struct hot_line, counts, thread_insts)},
    {"other", "cycles", "cycles", "of schedulers: those that issued it, and those in `stalled`",
     OUTPUT_FIELD(struct hot_line, cycles)},
    {"other", "stalled", "",
     "an object of cycles in which a scheduler issued nothing and the oldest warp that waited for "
     "this reason waited with this instruction; named as `sched_...` of `run`",
     .write = write_stalled},
    {"other", "accesses", "", "of these, memory instructions with an active lane",
     OUTPUT_VIA(struct hot_line, counts, accesses)},
    {"other", "transactions", "", "... that these made: of caches or DRAM, not of shared memory",
     OUTPUT_VIA(struct hot_line, counts, transactions)},
    {"other", "l1d_accesses", "", "as of `run`; so are the next two",
     OUTPUT_VIA(struct hot_line, counts, l1d_accesses)},
    {"other", "l1d_misses", "", "", OUTPUT_VIA(struct hot_line, counts, l1d_misses)},
    {"other", "conflict_cycles", "cycles", "shared_conflict_cycles of `run`",
     OUTPUT_VIA(struct hot_line, counts, conflict_cycles)},
    {.name = NULL}};

static void write_lines(struct output *out, const char *name, const void *kernel)
{
    const struct hot_kernel *k = kernel;
    output_array(out, name);
    for (int i = 0; i < k->lines; i++) {
        const struct hot_line l = {&k->line[i], &k->counts[i], all_cycles(&k->counts[i])};
        if (!l.counts->issued && !l.cycles)
            continue;
        output_object(out, NULL);
        output_rows(out, hot_line_rows, &l);
        output_up(out);
    }
    output_up(out);
}

const struct output_row hot_kernel_rows[] = {
    {.name = "kernel", OUTPUT_FIELD(struct hot_kernel, name)},
    {"other", "module", "", "where its PTX comes from", OUTPUT_FIELD(struct hot_kernel, module)},
    {.name = "launches", OUTPUT_FIELD(struct hot_kernel, launches)},
    {"other", "sched_cycles", "cycles", "of all schedulers",
     OUTPUT_FIELD(struct hot_kernel, stats.sched_cycles)},
    {"other", "lines", "",
     "an object an instruction that issued or was waited with:", .write = write_lines},
    {.name = NULL}};

static void write_kernels(struct output *out, const char *name, const void *hot_spots)
{
    const struct hot_spots *h = hot_spots;
    output_objects(out, name, hot_kernel_rows, h->kernel, sizeof *h->kernel, (size_t)h->kernels);
}

const struct output_row hot_rows[] = OUTPUT_ONE(
    "other", "hot", "", "`run --hot`: an object a kernel, over its `launches` that were simulated:",
    .write = write_kernels);

void hot_spots_output(struct output *out, const struct hot_spots *h)
{
    if (out->format == FORMAT_JSON)
        output_rows(out, hot_rows, h);
}

/* ---- Text ---- */
static double share(uint64_t part, uint64_t all)
{
    return all ? 100.0 * (double)part / (double)all : 0;
}

static void ratio_cell(struct table *t, uint64_t part, uint64_t all, const char *fmt, double scale)
{
    if (all)
        table_cell(t, fmt, scale * (double)part / (double)all);
    else
        table_cell(t, "%s", "");
}

static const char *main_cause(const struct inst_counts *c)
{
    size_t most = 0;
    for (size_t i = 1; i < CAUSES; i++)
        if (c->cycles[causes[i].cause] > c->cycles[causes[most].cause])
            most = i;
    return c->cycles[causes[most].cause] ? causes[most].name : "";
}

#define HEADING "cycles\0issued\0waits for\0tr/access\0L1D miss\0conflicts\0"

static void heading_cells(struct table *t)
{
    for (const char *h = HEADING; *h; h += strlen(h) + 1)
        table_cell(t, "%s", h);
}

static void count_cells(struct table *t, const struct inst_counts *c, uint64_t sched_cycles)
{
    const bool any = c->issued || all_cycles(c);
    if (!any) {
        for (int i = 0; i < 6; i++)
            table_cell(t, "%s", "");
        return;
    }
    table_cell(t, "%.1f %%", share(all_cycles(c), sched_cycles));
    table_cell(t, "%llu", (unsigned long long)c->issued);
    table_cell(t, "%s", main_cause(c));
    ratio_cell(t, c->transactions, c->transactions ? c->accesses : 0, "%.1f", 1);
    ratio_cell(t, c->l1d_misses, c->l1d_accesses, "%.0f %%", 100);
    table_cell(t, c->conflict_cycles ? "%llu" : "", (unsigned long long)c->conflict_cycles);
}

struct ranked {
    uint64_t cycles;
    int line;
};

static int by_cycles(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    if (x->cycles != y->cycles)
        return x->cycles < y->cycles ? 1 : -1;
    return x->line - y->line;
}

static void print_kernel(FILE *to, const struct hot_kernel *k, int most)
{
    struct ranked *r = xcalloc((size_t)k->lines + 1, sizeof *r);
    uint64_t blamed = 0;
    for (int i = 0; i < k->lines; i++) {
        r[i] = (struct ranked){all_cycles(&k->counts[i]), i};
        blamed += r[i].cycles;
    }
    qsort(r, (size_t)k->lines, sizeof *r, by_cycles);
    fputc('\n', to);
    wrap_line(to, "%s: %llu scheduler cycles; in %.1f %% no instruction waits", k->name,
              (unsigned long long)k->stats.sched_cycles,
              share(k->stats.sched_cycles - blamed, k->stats.sched_cycles));
    fputc('\n', to);
    if (k->not_counted)
        fprintf(to, "Of %llu of its %llu launches, those that were simulated.\n\n",
                (unsigned long long)k->launches,
                (unsigned long long)(k->launches + k->not_counted));
    struct table *t = table_new("rrrlrrrll");
    table_cell(t, "line");
    heading_cells(t);
    table_cell(t, "source");
    table_cell(t, "instruction");
    for (int i = 0; i < k->lines && i < most && r[i].cycles; i++) {
        const struct inst_line *l = &k->line[r[i].line];
        table_cell(t, "%d", l->ptx);
        count_cells(t, &k->counts[r[i].line], k->stats.sched_cycles);
        table_cell(t, "%s", l->source ? l->source : "");
        table_cell(t, "%s", l->text);
    }
    table_print(t, to);
    table_free(t);
    free(r);
}

void hot_spots_print(FILE *to, const struct hot_spots *h, int most)
{
    for (int i = 0; i < h->kernels; i++)
        print_kernel(to, &h->kernel[i], most);
}

/* ---- A file, line by line ---- */
static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The line of the file that the instruction stems from; 0: of another file. */
static int line_in(const struct hot_kernel *k, const struct inst_line *l, const char *path)
{
    const char *file = base_name(path);
    const size_t len = strlen(file);
    if (len > 4 && strcmp(file + len - 4, ".ptx") == 0)
        return strcmp(base_name(k->module), file) == 0 ? l->ptx : 0;
    if (!l->source)
        return 0;
    const char *colon = l->source + strcspn(l->source, ":");
    const char *name = l->source;
    for (const char *p = l->source; p < colon; p++)
        if (*p == '/')
            name = p + 1;
    return (size_t)(colon - name) == len && strncmp(name, file, len) == 0 ? atoi(colon + 1) : 0;
}

/* by_line[1..lines], over all kernels; false: nothing stems from the file. */
static bool gather(const struct hot_spots *h, const char *path, struct inst_counts *by_line,
                   int lines, uint64_t *sched_cycles)
{
    bool any = false;
    *sched_cycles = 0;
    for (int i = 0; i < h->kernels; i++) {
        const struct hot_kernel *k = &h->kernel[i];
        *sched_cycles += k->stats.sched_cycles;
        for (int l = 0; l < k->lines; l++) {
            const int at = line_in(k, &k->line[l], path);
            if (at < 1 || at > lines)
                continue;
            inst_counts_add(&by_line[at], &k->counts[l]);
            any = true;
        }
    }
    return any;
}

static void print_listing(FILE *to, char *text, const struct inst_counts *by_line,
                          uint64_t sched_cycles)
{
    struct table *t = table_new("rrlrrrrl");
    heading_cells(t);
    table_cell(t, "line");
    table_cell(t, "source");
    int line = 0;
    for (char *p = text, *next; p; p = next) {
        next = strchr(p, '\n');
        if (next)
            *next++ = '\0';
        if (!next && !*p)
            break;
        for (char *c = p; *c; c++)
            *c = *c == '\t' ? ' ' : *c;
        count_cells(t, &by_line[++line], sched_cycles);
        table_cell(t, "%d", line);
        table_cell(t, "%s", p);
    }
    table_print(t, to);
    table_free(t);
}

/* Why nothing stems from the file: false. */
static bool no_lines(const struct hot_spots *h, const char *path, struct err *e)
{
    for (int i = 0; i < h->kernels; i++)
        for (int l = 0; l < h->kernel[i].lines; l++)
            if (h->kernel[i].line[l].source)
                return err_set(e, "%s: no kernel that ran stems from it, as its name and .loc say",
                               path);
    return err_set(e,
                   "%s: no kernel that ran stems from it: by name it is none of the PTX files, and "
                   "these say of no line what source it is of (.loc; `nvcc -lineinfo` writes that)",
                   path);
}

bool hot_spots_listing(FILE *to, const struct hot_spots *h, const char *path, struct err *e)
{
    size_t len;
    char *text = file_read(path, LISTING_BYTES, &len, e);
    if (!text)
        return false;
    int lines = 1;
    for (size_t i = 0; i < len; i++)
        lines += text[i] == '\n';
    struct inst_counts *by_line = xcalloc((size_t)lines + 1, sizeof *by_line);
    uint64_t sched_cycles;
    const bool any = gather(h, path, by_line, lines, &sched_cycles);
    if (any)
        print_listing(to, text, by_line, sched_cycles);
    else
        fprintf(to, "missing: %s\n", path);
    free(by_line);
    free(text);
    return any || no_lines(h, path, e);
}
