#include "cli/result_text.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#define AS_STORED (JSON_COMPACT | JSON_REAL_PRECISION(17))

static json_t *of_stats(const struct run_stats *s)
{
    json_t *out = json_object();
    for (const struct stat_row *r = run_counter_rows; r->name; r++) {
        uint64_t v;
        memcpy(&v, (const char *)s + r->off, sizeof v);
        json_object_set_new(out, r->name, json_integer((json_int_t)v));
    }
    return out;
}

static json_t *of_uses(const struct cta_resources *k)
{
    return json_pack("{s:i,s:i,s:i,s:i,s:i,s:i}", "threads", k->threads, "registers", k->regs,
                     "static_shared", (int)k->static_shared, "shared", (int)k->all_shared, "n_max",
                     k->n_max, "limit", (int)k->limit);
}

static json_t *of_launches(const struct run_result *r)
{
    json_t *out = json_array();
    for (int i = 0; i < r->launches; i++) {
        const struct launch_result *l = &r->launch[i];
        json_array_append_new(out,
                              json_pack("{s:s,s:i,s:o,s:o}", "kernel", l->kernel, "n", l->n, "uses",
                                        of_uses(&l->uses), "counters", of_stats(&l->stats)));
    }
    return out;
}

static json_t *of_sched(const struct sched_counts *c)
{
    json_t *out = json_array();
    for (const struct sched_count *r = c->row; r < c->row + c->n; r++) {
        const struct sched_counter_row *of = &sched_counter_rows[r->what];
        json_array_append_new(out, json_pack("{s:s,s:s,s:b,s:I,s:I}", "name", of->name, "help",
                                             of->help, "share", r->share, "n", (json_int_t)r->n,
                                             "of", (json_int_t)r->of));
    }
    return out;
}

static char *text_of(json_t *v)
{
    char *out = json_dumps(v, AS_STORED);
    BUG_ON(!out, "a result is no JSON");
    json_decref(v);
    return out;
}

struct profile_result result_text(const struct run_result *r)
{
    json_t *seconds = json_array();
    for (int i = 0; i < r->launches; i++)
        json_array_append_new(seconds, json_real(r->launch[i].host_seconds));
    return (struct profile_result){
        .counted = text_of(json_pack("{s:i,s:i,s:o,s:o}", "n", r->n, "n_max", r->n_max, "scheduler",
                                     of_sched(&r->sched), "launches", of_launches(r))),
        .seconds = text_of(json_pack("{s:f,s:o}", "run", r->seconds, "launches", seconds))};
}

/* Every counter, and no other. */
static bool read_stats(const json_t *v, struct run_stats *out)
{
    size_t rows = 0;
    for (const struct stat_row *r = run_counter_rows; r->name; r++, rows++) {
        const json_t *c = json_object_get(v, r->name);
        const uint64_t n = (uint64_t)json_integer_value(c);
        if (!json_is_integer(c) || json_integer_value(c) < 0)
            return false;
        memcpy((char *)out + r->off, &n, sizeof n);
    }
    return json_object_size(v) == rows;
}

static bool read_uses(json_t *v, struct cta_resources *out)
{
    int fixed, shared, limit;
    if (json_unpack(v, "{s:i,s:i,s:i,s:i,s:i,s:i!}", "threads", &out->threads, "registers",
                    &out->regs, "static_shared", &fixed, "shared", &shared, "n_max", &out->n_max,
                    "limit", &limit) != 0)
        return false;
    out->static_shared = (uint32_t)fixed;
    out->all_shared = (uint32_t)shared;
    out->limit = (enum occ_limit)limit;
    return out->threads > 0 && out->regs >= 0 && fixed >= 0 && shared >= 0 && limit >= 0 &&
           limit < OCC_LIMITS;
}

static bool read_launch(json_t *v, json_t *seconds, struct launch_result *out)
{
    const char *kernel;
    json_t *uses, *counters;
    if (json_unpack(v, "{s:s,s:i,s:o,s:o!}", "kernel", &kernel, "n", &out->n, "uses", &uses,
                    "counters", &counters) != 0 ||
        !json_is_real(seconds) || !read_uses(uses, &out->uses) ||
        !read_stats(counters, &out->stats))
        return false;
    out->host_seconds = json_real_value(seconds);
    out->kernel = xstrdup(kernel);
    return true;
}

static bool read_launches(json_t *v, json_t *seconds, struct run_result *out)
{
    const size_t n = json_array_size(v);
    if (n == 0 || n > INT32_MAX || json_array_size(seconds) != n)
        return false;
    out->launch = xcalloc(n, sizeof *out->launch);
    for (size_t i = 0; i < n; i++) {
        struct launch_result *l = &out->launch[out->launches++];
        if (!read_launch(json_array_get(v, i), json_array_get(seconds, i), l))
            return false;
        stats_add(&out->total, &l->stats);
        out->host_seconds += l->host_seconds;
    }
    return true;
}

/* SCHED_COUNTS: there is none of that name. */
static enum sched_counter counter_of(const char *name)
{
    int i = 0;
    while (i < SCHED_COUNTS && strcmp(sched_counter_rows[i].name, name) != 0)
        i++;
    return (enum sched_counter)i;
}

static bool read_sched_row(json_t *v, struct sched_count *out)
{
    const char *name, *help;
    int share;
    json_int_t n, of;
    if (json_unpack(v, "{s:s,s:s,s:b,s:I,s:I!}", "name", &name, "help", &help, "share", &share, "n",
                    &n, "of", &of) != 0)
        return false;
    *out = (struct sched_count){counter_of(name), share, (uint64_t)n, (uint64_t)of};
    return out->what != SCHED_COUNTS;
}

static bool read_sched(json_t *v, struct sched_counts *out)
{
    const size_t n = json_array_size(v);
    if (!json_is_array(v) || n > SCHED_COUNTS)
        return false;
    for (size_t i = 0; i < n; i++)
        if (!read_sched_row(json_array_get(v, i), &out->row[out->n++]))
            return false;
    return true;
}

static bool read_result(json_t *counted, json_t *seconds, struct run_result *out)
{
    json_t *sched, *launches, *each;
    return json_unpack(counted, "{s:i,s:i,s:o,s:o!}", "n", &out->n, "n_max", &out->n_max,
                       "scheduler", &sched, "launches", &launches) == 0 &&
           json_unpack(seconds, "{s:f,s:o!}", "run", &out->seconds, "launches", &each) == 0 &&
           out->n >= 1 && out->n <= out->n_max && read_sched(sched, &out->sched) &&
           read_launches(launches, each, out);
}

bool result_of_text(const struct profile_result *text, struct run_result *out)
{
    *out = (struct run_result){0};
    json_t *counted = json_loads(text->counted, 0, NULL),
           *seconds = json_loads(text->seconds, 0, NULL);
    const bool ok = counted && seconds && read_result(counted, seconds, out);
    if (!ok)
        run_result_release(out);
    json_decref(counted);
    json_decref(seconds);
    return ok;
}
