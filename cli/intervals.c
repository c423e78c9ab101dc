#include "cli/intervals.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "cli/output.h"

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

bool intervals_open(struct intervals *iv, const char *path, uint64_t every, struct err *e)
{
    *iv = (struct intervals){.every = every, .path = path};
    if (!output_can_write(path, e))
        return false;
    iv->text = open_memstream(&iv->buf, &iv->len);
    if (!iv->text)
        return err_set(e, "open_memstream: %s", strerror(errno));
    csv_start(&iv->csv, iv->text);
    heading(&iv->csv);
    return true;
}

void intervals_row(void *intervals, const struct gpu_interval *i)
{
    struct intervals *iv = intervals;
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

bool intervals_close(struct intervals *iv, bool ok, struct err *e)
{
    if (iv->text) {
        fclose(iv->text);
        ok = ok && file_write(iv->path, iv->buf, iv->len, e);
    }
    free(iv->buf);
    *iv = (struct intervals){0};
    return ok;
}
