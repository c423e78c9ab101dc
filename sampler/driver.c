#include "sampler/driver.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/nowhere.h"

/* How long the program is. */
static bool is_known(const struct sampling_driver *d)
{
    return isfinite(d->program_insts);
}

static void code_begin(struct sampling_driver *d, int device)
{
    recent_code_init(&d->code[device], d->cfg->top.cores,
                     sampling_or_default(d->opts.by)->pilot.recent_code);
}

void sampling_driver_begin(struct sampling_driver *d)
{
    for (int i = 0; i < DEVMEM_DEVICES; i++)
        code_begin(d, i);
    d->rest.for_the_end = is_known(d);
    d->nowhere = nowhere_open();
}

void sampling_driver_end(struct sampling_driver *d)
{
    unfinished_fini(&d->unfinished);
    for (int i = 0; i < DEVMEM_DEVICES; i++)
        recent_code_fini(&d->code[i]);
    for (int i = 0; i < d->nsaid; i++)
        free(d->said[i].kernel);
    free(d->said);
    fclose(d->nowhere);
}

void sampling_driver_reset(struct sampling_driver *d, int device)
{
    recent_code_fini(&d->code[device]);
    code_begin(d, device);
}

void sampling_driver_ran(struct sampling_driver *d, const struct launch *l)
{
    recent_code_ran(&d->code[l->device], l->kernel, launch_ctas(l));
}

void sampling_driver_ask(const struct sampling_driver *d, const struct launch *l,
                         struct launch_facts *facts)
{
    launch_facts_ask(facts, d->cta);
    launch_facts_follow(facts, &d->code[l->device], l);
}

static struct sample_opts opts_of(struct sampling_driver *d)
{
    struct sample_opts o = d->opts;
    o.rates = &d->rates;
    o.rest = NULL;
    if (!o.every_pilot && (o.effort == EFFORT_QUICK || !is_known(d)))
        o.rest = &d->rest;
    o.program_insts = d->program_insts;
    return o;
}

static bool is_news(struct sampling_driver *d, const char *kernel, enum sampling_news what,
                    int least)
{
    for (int i = 0; i < d->nsaid; i++) {
        struct said *s = &d->said[i];
        if (s->what != what || strcmp(s->kernel, kernel) != 0)
            continue;
        const bool more = least > s->least;
        s->least = more ? least : s->least;
        return more;
    }
    d->said = xrealloc(d->said, (size_t)(d->nsaid + 1) * sizeof *d->said);
    d->said[d->nsaid++] = (struct said){xstrdup(kernel), what, least};
    return true;
}

/* sentence: owned; NULL: there is none. */
static void say(struct sampling_driver *d, char *sentence)
{
    if (sentence && d->say)
        d->say(d->user, sentence);
    free(sentence);
}

void sampling_driver_say_least(struct sampling_driver *d, const char *kernel, int least)
{
    if (is_news(d, kernel, NEWS_LEAST, least))
        say(d, representative_least_text(kernel, least));
}

static void say_what_was_done(struct sampling_driver *d, const struct sampled_launch *x,
                              const struct sample *s)
{
    const char *kernel = x->l->kernel->name;
    const int least = representative_least(d->cfg, x->l, s);
    char *text = representative_text(x->l, x->facts, s, x->waits);
    const bool news = text && is_news(d, kernel, x->waits ? NEWS_WAITS : NEWS_SHORT, 0);
    if (news && !x->told)
        say(d, text);
    else
        free(text);
    if (least > 1)
        sampling_driver_say_least(d, kernel, least);
}

bool sampling_driver_sample(struct sampling_driver *d, struct sampled_launch *x, struct sample *out,
                            struct sample_cost *cost, struct err *e)
{
    struct sample_opts o = opts_of(d);
    struct launch_cluster alone = {0};
    struct launch quiet = *x->l;
    struct representative r = {.cfg = d->cfg,
                               .opts = &o,
                               .facts = x->facts,
                               .of = x->of ? x->of : &alone,
                               .waits = x->waits};
    launch_cluster_count(&alone, &(struct func_counts){.warp_insts = x->facts->warp_insts,
                                                       .thread_insts = x->facts->thread_insts,
                                                       .ctas = launch_ctas(x->l)});
    if (x->may_go_on && !is_known(d) && o.effort == EFFORT_QUICK) /* others may need it more */
        o.pilots.worth = fmax(o.pilots.worth, o.pilots.worth_now);
    quiet.why = NULL;
    quiet.printf_file = d->nowhere;
    const bool ok = representative_sample(&r, &quiet, out, cost, e);
    x->waits = r.waits;
    if (ok)
        say_what_was_done(d, x, out);
    return ok;
}

double sampling_driver_gain(const struct sampling_driver *d, const struct sample *s)
{
    return d->opts.every_pilot ? 0 : sample_more_gain(&d->opts, s);
}

/* Returns the gain of one more. */
static double sample_further(struct sampling_driver *d, struct unfinished_launch *x,
                             const struct sampling_end *by)
{
    const struct sample_opts o = opts_of(d);
    const struct representative r = {.cfg = d->cfg, .opts = &o, .facts = &x->facts};
    struct launch quiet = x->l;
    struct sample_cost cost = {0};
    struct err ignored;
    quiet.printf_file = d->nowhere;
    const bool ok = representative_more(&r, &quiet, x->sample, &cost, &ignored);
    by->took(by->user, x, ok, &cost);
    /* None: --budget is spent, or a search cheaper. */
    return ok && cost.pilot_warp_insts ? sampling_driver_gain(d, x->sample) : 0;
}

void sampling_driver_finish(struct sampling_driver *d, double program_insts,
                            const struct sampling_end *by)
{
    const struct pilot_coeff *pilots = &d->opts.pilots;
    struct unfinished_launch *x;
    d->rest.for_the_end = false;
    if (is_known(d))
        pilot_rest_know(&d->rest, pilots, program_insts);
    else
        pilot_rest_end(&d->rest, pilots, program_insts);
    for (int done = 0; (x = unfinished_next(&d->unfinished, &d->rest, by->insts, by->user));
         done++) {
        if (by->progress)
            by->progress(by->user,
                         (double)done / (done + unfinished_open(&d->unfinished, &d->rest)));
        x->gain = sample_further(d, x, by);
    }
    unfinished_fini(&d->unfinished);
}
