#include "cli/intervals.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "cli/keys.h"

static const enum run_rate rates[] = {RATE_ipc,          RATE_miss_rate,        RATE_l1d_miss_rate,
                                      RATE_mf_latency,   RATE_dram_utilization, RATE_RACT,
                                      RATE_C_mem,        RATE_C_stall,          RATE_C_idle,
                                      RATE_mean_n,       RATE_mean_n_resident,  RATE_mean_n_running,
                                      RATE_mean_resident};
#define RATES ((int)(sizeof rates / sizeof *rates))

#define ROW(field) OUTPUT_FIELD(struct kept_interval, field)
const struct output_row kept_rows[] = {
    {"other", "launch", "", "in which launch the interval is, from 0", ROW(launch)},
    {"other", "cycle", "cycles", "of its end, since the launch began", ROW(end)},
    {"other", "resident_ctas", "CTAs", "on all cores at its end", ROW(resident)},
    {.name = NULL}};

static void heading(struct csv *c)
{
    csv_str(c, "kernel");
    for (const struct output_row *r = kept_rows; r->name; r++)
        csv_str(c, r->name);
    for (const struct stat_row *r = run_counter_rows; r->name; r++)
        csv_str(c, r->name);
    for (int i = 0; i < RATES; i++)
        csv_str(c, run_rate_rows[rates[i]].name);
    csv_end_row(c);
}

bool intervals_open(struct intervals *iv, const char *path, uint64_t every, bool keep,
                    struct err *e)
{
    *iv = (struct intervals){.every = every, .path = path, .keep = keep};
    if (!path)
        return true;
    if (!output_can_write(path, e))
        return false;
    iv->text = open_memstream(&iv->buf, &iv->len);
    if (!iv->text)
        return err_set(e, "open_memstream: %s", strerror(errno));
    csv_start(&iv->csv, iv->text);
    heading(&iv->csv);
    return true;
}

static void keep(struct intervals *iv, const struct gpu_interval *i)
{
    iv->kept = xgrow(iv->kept, iv->count, sizeof *iv->kept);
    iv->kept[iv->count++] = (struct kept_interval){
        .launch = iv->launch, .resident = i->resident, .end = i->end, .stats = *i->stats};
}

static void csv_row(struct intervals *iv, const struct gpu_interval *i)
{
    struct csv *c = &iv->csv;
    csv_str(c, iv->kernel);
    csv_int(c, iv->launch);
    csv_uint(c, i->end);
    csv_int(c, i->resident);
    for (const struct stat_row *r = run_counter_rows; r->name; r++) {
        uint64_t v;
        memcpy(&v, (const char *)i->stats + r->off, sizeof v);
        csv_uint(c, v);
    }
    for (int k = 0; k < RATES; k++)
        csv_real(c, stats_rate(i->stats, rates[k]));
    csv_end_row(c);
}

void intervals_row(void *intervals, const struct gpu_interval *i)
{
    struct intervals *iv = intervals;
    if (iv->keep)
        keep(iv, i);
    if (iv->text)
        csv_row(iv, i);
}

/* Beside the rates: what they are made of, and what scheduler cycles were spent on. */
static bool is_kept(const char *name)
{
    return strcmp(name, "cycles") == 0 || strcmp(name, "thread_insts") == 0 ||
           strncmp(name, "sched_", 6) == 0;
}

static void output_counter(struct output *out, const struct intervals *iv, const struct stat_row *r)
{
    output_array(out, r->name);
    for (size_t i = 0; i < iv->count; i++) {
        uint64_t v;
        memcpy(&v, (const char *)&iv->kept[i].stats + r->off, sizeof v);
        output_uint(out, NULL, v, NULL);
    }
    output_up(out);
}

static void output_rate(struct output *out, const struct intervals *iv, enum run_rate rate)
{
    output_array(out, run_rate_rows[rate].name);
    for (size_t i = 0; i < iv->count; i++)
        output_real(out, NULL, stats_rate(&iv->kept[i].stats, rate), NULL);
    output_up(out);
}

static void write_intervals(struct output *out, const char *name, const void *intervals)
{
    const struct intervals *iv = intervals;
    output_object(out, name);
    output_rows(out, every_rows, iv);
    for (const struct output_row *r = kept_rows; r->name; r++)
        output_column(out, r, iv->kept, sizeof *iv->kept, iv->count);
    for (const struct stat_row *r = run_counter_rows; r->name; r++)
        if (is_kept(r->name))
            output_counter(out, iv, r);
    for (int i = 0; i < RATES; i++)
        output_rate(out, iv, rates[i]);
    output_up(out);
}

const struct output_row intervals_rows[] = OUTPUT_ONE(
    "other", "intervals", "",
    "`run --interval`: an object of arrays, an element an interval; beside statistics of `run`:",
    .write = write_intervals);
const struct output_row every_rows[] =
    OUTPUT_ONE("other", "every", "cycles", "of an interval", OUTPUT_FIELD(struct intervals, every));

void intervals_output(struct output *out, const struct intervals *iv)
{
    if (iv->keep && out->format == FORMAT_JSON)
        output_rows(out, intervals_rows, iv);
}

bool intervals_close(struct intervals *iv, bool ok, struct err *e)
{
    if (iv->text) {
        fclose(iv->text);
        ok = ok && file_write(iv->path, iv->buf, iv->len, e);
    }
    free(iv->buf);
    free(iv->kept);
    *iv = (struct intervals){0};
    return ok;
}
