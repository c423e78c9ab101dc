#include "sim/sm/sched/scheduler_name.h"

#include "base/suggest.h"
#include "sim/sm/sched/warp_scheduler.h"

#include <stdio.h>
#include <string.h>

static const struct part {
    const char *name, *help, *paper;
    enum reexecution reexecution;
    bool prefetch;
} parts[] = {
    {"car", "refused loads and stores wait in a queue, one a warp, in order",
     "Sethia et al., HPCA 2015", REEXECUTION_CAR, false},
    {"newcar", "refused loads and stores wait in a queue, loads may pass each other",
     "Park et al., ELF, 2015, 3.4", REEXECUTION_NEWCAR, false},
    {"prefetch", "the next line of code is fetched ahead while few MSHRs are occupied",
     "Park et al., ELF, 2015, 3.5", REEXECUTION_NONE, true},
};
#define PARTS ((int)(sizeof parts / sizeof *parts))

const char *const reexecution_words[] = {"none", "car", "newcar", NULL};

static const struct { /* names of whole combinations */
    const char *name, *means;
} whole[] = {{"elf++", "elf+newcar+prefetch"}};
#define WHOLE ((int)(sizeof whole / sizeof *whole))

bool scheduler_part_at(int i, const char **name, const char **help, const char **paper)
{
    if (i < 0 || i >= PARTS)
        return false;
    *name = parts[i].name;
    *help = parts[i].help;
    *paper = parts[i].paper;
    return true;
}

static bool add_part(struct scheduler_name *n, const char *text, size_t len)
{
    for (int i = 0; i < PARTS; i++) {
        if (strlen(parts[i].name) != len || strncmp(parts[i].name, text, len) != 0)
            continue;
        const bool again = parts[i].prefetch ? n->prefetch : n->reexecution != REEXECUTION_NONE;
        n->prefetch |= parts[i].prefetch;
        n->reexecution += parts[i].reexecution;
        return !again;
    }
    return false;
}

bool scheduler_name_parse(const char *text, struct scheduler_name *out)
{
    char base[PARAM_STR_LEN];
    for (int i = 0; i < WHOLE; i++)
        text = strcmp(text, whole[i].name) == 0 ? whole[i].means : text;
    size_t len = strcspn(text, "+");
    *out = (struct scheduler_name){0};
    if (len >= sizeof base)
        return false;
    memcpy(base, text, len);
    base[len] = '\0';
    out->base = warp_scheduler_find(base);
    bool ok = out->base != NULL;
    for (text += len; ok && *text; text += len) {
        text++;
        len = strcspn(text, "+");
        ok = add_part(out, text, len);
    }
    return ok;
}

/* Offers every scheduler alone and with whatever parts are allowed together. */
static void offer_all(struct suggest *s, char (*room)[PARAM_STR_LEN], int size)
{
    static const char *const with[] = {"",          "+car",          "+newcar",
                                       "+prefetch", "+car+prefetch", "+newcar+prefetch"};
    int n = 0;
    for (size_t p = 0; p < sizeof with / sizeof *with; p++)
        for (int i = 0; warp_scheduler_at(i) && n < size; i++, n++) {
            snprintf(room[n], PARAM_STR_LEN, "%s%s", warp_scheduler_at(i)->name, with[p]);
            suggest_offer(s, room[n]);
        }
    for (int i = 0; i < WHOLE; i++)
        suggest_offer(s, whole[i].name);
}

bool scheduler_name_check(const char *parameter, const char *text, struct err *e)
{
    char near[256], room[128][PARAM_STR_LEN];
    struct scheduler_name n;
    struct suggest s;
    if (scheduler_name_parse(text, &n))
        return true;
    suggest_init(&s, text);
    offer_all(&s, room, (int)(sizeof room / sizeof *room));
    return err_set(e, "%s = \"%s\": no such warp scheduler (`mdpredict list schedulers`)%s",
                   parameter, text, suggest_text(&s, near, sizeof near));
}

static struct scheduler_name scheduler_name_of(const struct sm_cfg *c)
{
    struct scheduler_name n;
    BUG_ON(!scheduler_name_parse(c->warp_scheduler, &n), "unchecked: \"%s\"", c->warp_scheduler);
    return n;
}

const struct warp_scheduler_ops *sm_warp_scheduler(const struct sm_cfg *c)
{
    return scheduler_name_of(c).base;
}

enum reexecution sm_reexecution(const struct sm_cfg *c)
{
    const struct scheduler_name n = scheduler_name_of(c);
    const enum reexecution named = n.reexecution;
    for (int i = REEXECUTION_CAR; i <= REEXECUTION_NEWCAR && !named; i++)
        if (strcmp(c->reexecution, reexecution_words[i]) == 0)
            return (enum reexecution)i;
    return named;
}

int sm_prefetch_below(const struct sm_cfg *c)
{
    return c->inst_prefetch || !scheduler_name_of(c).prefetch ? c->inst_prefetch
                                                              : INST_PREFETCH_BELOW;
}

bool sm_parts_check(const struct sm_cfg *c, struct err *e)
{
    char near[128];
    struct suggest s;
    suggest_init(&s, c->reexecution);
    int i = REEXECUTION_NEWCAR;
    while (i >= 0 && strcmp(c->reexecution, reexecution_words[i]) != 0)
        suggest_offer(&s, reexecution_words[i--]);
    if (i < 0)
        return err_set(e, "reexecution = \"%s\": none, car or newcar%s", c->reexecution,
                       suggest_text(&s, near, sizeof near));
    const struct scheduler_name n = scheduler_name_of(c);
    const enum reexecution named = n.reexecution;
    if (i && named && (int)named != i)
        return err_set(e, "warp_scheduler = \"%s\" contradicts reexecution = \"%s\"",
                       c->warp_scheduler, c->reexecution);
    return true;
}

bool sm_part_check(const struct sm_cfg *c, const char *assignment, struct err *e)
{
    struct scheduler_name n;
    if (!scheduler_name_parse(c->warp_scheduler, &n))
        return true;
    if (n.prefetch && !c->inst_prefetch && strncmp(assignment, "inst_prefetch=", 14) == 0)
        return err_set(e, "warp_scheduler = \"%s\" contradicts inst_prefetch = 0",
                       c->warp_scheduler);
    if (n.reexecution && strcmp(c->reexecution, reexecution_words[0]) == 0 &&
        strncmp(assignment, "reexecution=", 12) == 0)
        return err_set(e, "warp_scheduler = \"%s\" contradicts reexecution = \"none\"",
                       c->warp_scheduler);
    return true;
}
