#include "cli/intervals.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

static const enum run_rate rates[] = {RATE_ipc,          RATE_miss_rate,        RATE_l1d_miss_rate,
                                      RATE_mf_latency,   RATE_dram_utilization, RATE_RACT,
                                      RATE_C_mem,        RATE_C_stall,          RATE_C_idle,
                                      RATE_mean_n,       RATE_mean_n_resident,  RATE_mean_n_running,
                                      RATE_mean_resident};
#define RATES ((int)(sizeof rates / sizeof *rates))

static void heading(struct csv *c)
{
    csv_str(c, "kernel");
    csv_str(c, "launch");
    csv_str(c, "cycle");
    csv_str(c, "resident_ctas");
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

void intervals_output(struct output *out, const struct intervals *iv)
{
    if (!iv->keep || out->format != FORMAT_JSON)
        return;
    output_object(out, "intervals");
    output_uint(out, "every", iv->every, NULL);
    output_array(out, "launch");
    for (size_t i = 0; i < iv->count; i++)
        output_uint(out, NULL, (uint64_t)iv->kept[i].launch, NULL);
    output_up(out);
    output_array(out, "cycle");
    for (size_t i = 0; i < iv->count; i++)
        output_uint(out, NULL, iv->kept[i].end, NULL);
    output_up(out);
    output_array(out, "resident_ctas");
    for (size_t i = 0; i < iv->count; i++)
        output_uint(out, NULL, (uint64_t)iv->kept[i].resident, NULL);
    output_up(out);
    for (const struct stat_row *r = run_counter_rows; r->name; r++)
        if (is_kept(r->name))
            output_counter(out, iv, r);
    for (int i = 0; i < RATES; i++)
        output_rate(out, iv, rates[i]);
    output_up(out);
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
