#include "sampler/unfinished.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"

bool unfinished_has_room(const struct unfinished *u, uint64_t bytes, const struct pilot_params *by)
{
    return bytes <= (uint64_t)by->kept - u->bytes;
}

void unfinished_keep(struct unfinished *u, const struct launch *before, const struct usage *used,
                     const struct unfinished_launch *x)
{
    u->bytes += devmem_kept_bytes(before->mem, used);
    if (used)
        devmem_keep_only(before->mem, used);
    u->v = xrealloc(u->v, (size_t)(u->count + 1) * sizeof *u->v);
    struct unfinished_launch *to = &u->v[u->count++];
    *to = *x;
    to->l = *before;
    to->l.params = xmalloc(before->kernel->param_bytes + 1);
    memcpy(to->l.params, before->params, before->kernel->param_bytes);
    to->l.textures = to->textures = textures_copy(before->textures);
    to->l.clusters = NULL;
    to->l.why = NULL; /* of who launched it, and is gone */
    to->l.others = NULL;
    to->l.others_user = NULL;
    to->l.launches = NULL;
    module_keep(to->l.kernel->module);
}

static bool is_open(const struct unfinished_launch *x, const struct pilot_rest *rest)
{
    return x->gain > 0 && pilot_rest_has(rest, x->sample);
}

int unfinished_open(const struct unfinished *u, const struct pilot_rest *rest)
{
    int n = 0;
    for (int i = 0; i < u->count; i++)
        n += is_open(&u->v[i], rest);
    return n;
}

struct unfinished_launch *unfinished_next(const struct unfinished *u, const struct pilot_rest *rest,
                                          double (*insts)(void *user,
                                                          const struct unfinished_launch *x),
                                          void *user)
{
    struct unfinished_launch *most = NULL;
    double worth = 0;
    for (int i = 0; i < u->count; i++) {
        struct unfinished_launch *x = &u->v[i];
        if (!is_open(x, rest))
            continue;
        const double w = pilot_rest_worth(x->sample, x->gain, insts(user, x));
        if (!most || w > worth) {
            most = x;
            worth = w;
        }
    }
    return most;
}

void unfinished_fini(struct unfinished *u)
{
    for (int i = 0; i < u->count; i++) {
        struct unfinished_launch *x = &u->v[i];
        module_free(x->l.kernel->module);
        textures_free(x->textures);
        devmem_free(x->l.mem);
        free(x->l.params);
        free(x->owner);
    }
    free(u->v);
    *u = (struct unfinished){0};
}
