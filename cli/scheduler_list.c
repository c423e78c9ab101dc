#include "cli/scheduler_list.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/suggest.h"
#include "sim/cta/cta_scheduler.h"
#include "sim/sm/sched/scheduler_name.h"

/* What the two lists differ in. */
struct list_kind {
    const char *option, *parameter;
    bool degrees; /* n=K and optimum are entries */
};
static const struct list_kind warp_list = {"--warp-schedulers", "warp_scheduler", false};
static const struct list_kind cta_list = {"--cta-schedulers", "cta_scheduler", true};

/* A CTA scheduler's name, parameters behind it. */
static bool check_name(const char *text, struct err *e)
{
    char name[PARAM_STR_LEN], near[128];
    struct suggest s;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(text, ":"), text);
    if (cta_scheduler_find(name))
        return true;
    suggest_init(&s, name);
    for (int i = 0; cta_scheduler_at(i); i++)
        suggest_offer(&s, cta_scheduler_at(i)->name);
    suggest_offer(&s, "optimum");
    return err_set(e,
                   "\"%s\": no such CTA scheduler (`mdpredict list schedulers`), nor n=K or "
                   "optimum%s",
                   name, suggest_text(&s, near, sizeof near));
}

/* "n=K", "optimum", or a name. */
static bool take_cta(struct scheduler_choice *c, struct err *e)
{
    int64_t n;
    c->optimum = strcmp(c->text, "optimum") == 0;
    if (c->optimum)
        return true;
    if (strncmp(c->text, "n=", 2) != 0)
        return check_name(c->text, e);
    if (!num_int(c->text + 2, &n) || n < 1 || n > INT32_MAX)
        return err_set(e, "\"%s\": n is a whole number from 1 on", c->text);
    c->n = (int)n;
    return true;
}

static bool add_choice(struct scheduler_list *l, const struct list_kind *kind, const char *text,
                       struct err *e)
{
    if (!*text)
        return err_set(e, "%s: an entry is empty", kind->option);
    for (int i = 0; i < l->count; i++)
        if (strcmp(l->one[i].text, text) == 0)
            return err_set(e, "%s: \"%s\" is there twice", kind->option, text);
    l->one = xrealloc(l->one, (size_t)(l->count + 1) * sizeof *l->one);
    struct scheduler_choice *c = &l->one[l->count++];
    *c = (struct scheduler_choice){.text = xstrdup(text)};
    return !kind->degrees || take_cta(c, e) || err_prefix(e, "%s", kind->option);
}

static bool read_list(struct scheduler_list *l, const struct list_kind *kind, const char *list,
                      struct err *e)
{
    char *copy = list ? xstrdup(list) : NULL, *rest = copy, *item;
    bool ok = true;
    while (ok && (item = strsep(&rest, ",")))
        ok = add_choice(l, kind, item, e);
    free(copy);
    return ok;
}

static bool set(struct gpu_cfg *cfg, const char *parameter, const char *value, struct err *e)
{
    char *assignment = xasprintf("%s=%s", parameter, value);
    const bool ok = params_set(gpu_cfg_groups(), cfg, assignment, e);
    free(assignment);
    return ok;
}

/* Name and parameters of an entry. */
static bool apply(const struct scheduler_choice *c, const struct list_kind *kind,
                  struct gpu_cfg *cfg, struct err *e)
{
    if (!c)
        return true;
    if (c->n || c->optimum)
        return set(cfg, kind->parameter, "static", e);
    char *copy = xstrdup(c->text), *rest = copy;
    bool ok = set(cfg, kind->parameter, strsep(&rest, ":"), e);
    for (char *item; ok && (item = strsep(&rest, ":"));)
        ok = params_set(gpu_cfg_groups(), cfg, item, e) && sm_part_check(&cfg->sm, item, e);
    free(copy);
    return ok || err_prefix(e, "%s %s", kind->option, c->text);
}

static char *name_of(const struct combination *c)
{
    if (c->warp && c->cta)
        return xasprintf("%s/%s", c->warp->text, c->cta->text);
    return xstrdup(c->warp ? c->warp->text : c->cta->text);
}

static bool add_combination(struct combinations *all, const struct scheduler_choice *warp,
                            const struct scheduler_choice *cta, const struct gpu_cfg *cfg,
                            struct err *e)
{
    all->one = xrealloc(all->one, (size_t)(all->count + 1) * sizeof *all->one);
    struct combination *c = &all->one[all->count++];
    *c = (struct combination){.warp = warp, .cta = cta, .cfg = *cfg};
    c->name = name_of(c);
    if (!apply(warp, &warp_list, &c->cfg, e) || !apply(cta, &cta_list, &c->cfg, e))
        return false;
    if (!gpu_cfg_check(&c->cfg, e))
        return err_prefix(e, "%s", c->name);
    snprintf(c->hash, sizeof c->hash, "%016" PRIx64, params_hash(gpu_cfg_groups(), &c->cfg));
    return true;
}

static bool find_baseline(struct combinations *c, const char *name, struct err *e)
{
    struct suggest near;
    char text[512];
    if (!name)
        return true;
    suggest_init(&near, name);
    for (int i = 0; i < c->count; i++) {
        if (strcmp(c->one[i].name, name) == 0) {
            c->baseline = i;
            return true;
        }
        suggest_offer(&near, c->one[i].name);
    }
    return err_set(e, "--baseline \"%s\" is none of what is compared%s", name,
                   suggest_text(&near, text, sizeof text));
}

bool combinations_make(struct combinations *c, const char *warp, const char *cta,
                       const char *baseline, const struct gpu_cfg *cfg, struct err *e)
{
    *c = (struct combinations){0};
    if (!read_list(&c->warp, &warp_list, warp, e) || !read_list(&c->cta, &cta_list, cta, e))
        return false;
    for (int w = 0; w < (warp ? c->warp.count : 1); w++)
        for (int k = 0; k < (cta ? c->cta.count : 1); k++)
            if (!add_combination(c, warp ? &c->warp.one[w] : NULL, cta ? &c->cta.one[k] : NULL, cfg,
                                 e))
                return false;
    return find_baseline(c, baseline, e);
}

static void free_list(struct scheduler_list *l)
{
    for (int i = 0; i < l->count; i++)
        free(l->one[i].text);
    free(l->one);
}

void combinations_free(struct combinations *c)
{
    for (int i = 0; i < c->count; i++)
        free(c->one[i].name);
    free(c->one);
    free_list(&c->warp);
    free_list(&c->cta);
    *c = (struct combinations){0};
}

const char *combination_warp(const struct combination *c)
{
    return c->warp ? c->warp->text : c->cfg.sm.warp_scheduler;
}

const char *combination_cta(const struct combination *c)
{
    return c->cta ? c->cta->text : c->cfg.cta.cta_scheduler;
}
