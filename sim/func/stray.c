#include "sim/func/stray.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/func/exec.h"

#define WIDEST 64 /* bytes of a lane's load, and more */

struct stray {
    char *kernel; /* owned */
    int line;
    struct stray *next;
};

void strays_init(struct strays *s, void (*tell)(void *user, const char *text), void *user)
{
    *s = (struct strays){.tell = tell, .user = user};
    pthread_mutex_init(&s->lock, NULL);
}

void strays_fini(struct strays *s)
{
    for (struct stray *at = s->seen, *next; at; at = next) {
        next = at->next;
        free(at->kernel);
        free(at);
    }
    s->seen = NULL;
}

static bool is_new(struct strays *s, const struct kernel *k, int line)
{
    for (const struct stray *at = s->seen; at; at = at->next)
        if (at->line == line && strcmp(at->kernel, k->name) == 0)
            return false;
    struct stray *made = xcalloc(1, sizeof *made);
    made->kernel = xstrdup(k->name);
    made->line = line;
    made->next = s->seen;
    s->seen = made;
    return true;
}

static void tell(const struct strays *s, const struct warp *w, const struct inst *in,
                 const struct bad_access *b)
{
    struct launch quiet = *w->cta->launch; /* whose fault this is not */
    struct fault f = {.kind = b->kind};
    struct err e;
    char source[512] = "", what[400];
    quiet.why = NULL;
    fault_place(&f, w, in, b->lane);
    fault_access_text(w, b, what, sizeof what);
    snprintf(f.detail, sizeof f.detail, "%.255s", what);
    fault_to_err(&f, &quiet, &e);
    const bool known = module_source(w->cta->kernel->module, in->line, source, sizeof source);
    char *text = xasprintf("%s%s%s; taken as 0", e.msg, known ? "; source " : "", source);
    s->tell(s->user, text);
    free(text);
}

uint8_t *stray_read(struct warp *w, const struct inst *in, const struct bad_access *b)
{
    static const uint8_t zeros[WIDEST];
    struct strays *s = w->cta->launch->strays;
    const bool load = in->op == OP_LD || in->op == OP_LDU;
    if (!s || !load || b->write || b->kind != FAULT_OUT_OF_BOUNDS || b->addr % b->bytes ||
        (b->space != SP_GLOBAL && b->space != SP_CONST))
        return NULL;
    devmem_note_effect(w->cta->launch->mem); /* what is allocated there later changes it */
    pthread_mutex_lock(&s->lock);
    if (is_new(s, w->cta->kernel, in->line))
        tell(s, w, in, b);
    pthread_mutex_unlock(&s->lock);
    return (uint8_t *)(uintptr_t)zeros; /* nothing stores there */
}
