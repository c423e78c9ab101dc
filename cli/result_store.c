#include "cli/result_store.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/revision.h"
#include "cli/result_text.h"
#include "sim/frontend/workload.h"

static struct profile_run run_of(const struct result_store *s, int n)
{
    return (struct profile_run){.n = n, .perturbation = s->perturbation};
}

/* With its size, whichever way it is named. */
static char *key_of(const struct target *t)
{
    const char *name = target_name(t);
    const struct workload *w = workload_find(name);
    return w ? xasprintf("%s:%s", name, w->size[0].name) : xstrdup(name);
}

bool result_store_open(struct result_store *s, const struct options *o, const struct gpu_cfg *cfg,
                       const struct target *t, struct err *e)
{
    struct target_input in;
    *s = (struct result_store){0};
    if (!target_input_of(t, &in))
        return err_set(e, "--db: %s is a file; runs of bundled workloads alone are recorded",
                       target_name(t));
    s->db = profile_open(o->db, true, e);
    if (!s->db)
        return false;
    pthread_mutex_init(&s->lock, NULL);
    s->target = key_of(t);
    snprintf(s->hash, sizeof s->hash, "%016" PRIx64, params_hash(gpu_cfg_groups(), cfg));
    s->in = (struct profile_input){.config = s->hash,
                                   .gpu = o->gpu,
                                   .l1d_bytes = cfg->mem.l1d.enabled ? cfg->mem.l1d.size : 0,
                                   .target = s->target,
                                   .seed = (int64_t)in.seed,
                                   .numbering =
                                       in.order ? in.order : workload_order_name(WORKLOAD_NATURAL),
                                   .warps = in.warps,
                                   .revision = mdpredict_revision};
    char *text = params_dump(gpu_cfg_groups(), cfg);
    const bool ok = profile_add_config(s->db, s->hash, text, e);
    free(text);
    return ok;
}

void result_store_close(struct result_store *s)
{
    if (s->db)
        pthread_mutex_destroy(&s->lock);
    profile_close(s->db);
    free(s->target);
    *s = (struct result_store){0};
}

bool result_store_get(struct result_store *s, int n, struct run_result *out, bool *found,
                      struct err *e)
{
    struct profile_result text;
    if (!profile_get_result(s->db, &s->in, run_of(s, n), &text, e))
        return false;
    *found = text.counted;
    const bool ok = !*found || result_of_text(&text, out);
    free(text.counted);
    free(text.seconds);
    return ok || err_set(e,
                         "%s at n = %d is recorded by another version of mdpredict: begin a new "
                         "database",
                         s->target, n);
}

bool result_store_add(struct result_store *s, int n, const struct run_result *r, struct err *e)
{
    struct profile_result text = result_text(r);
    pthread_mutex_lock(&s->lock);
    const bool ok = profile_add_result(s->db, &s->in, run_of(s, n), &text, e);
    s->added += ok;
    pthread_mutex_unlock(&s->lock);
    free(text.counted);
    free(text.seconds);
    return ok;
}

bool result_store_wants(const struct result_store *s, int n)
{
    return !s || !s->mine || s->mine[n - 1];
}
