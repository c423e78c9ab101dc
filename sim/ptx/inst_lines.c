#include "sim/ptx/inst_lines.h"

#include <stdlib.h>
#include <string.h>

struct reader { /* of a module's text; lines mostly follow one another */
    const char *text, *at;
    int line;     /* that begins at `at` */
    bool has_loc; /* there is line information */
};

/* The line without what surrounds it. Caller frees. */
static char *trimmed_line(struct reader *r, int line)
{
    if (line < r->line) {
        r->at = r->text;
        r->line = 1;
    }
    for (; r->line < line && *r->at; r->line++) {
        r->at += strcspn(r->at, "\n");
        r->at += *r->at == '\n';
    }
    const char *from = r->at + strspn(r->at, " \t");
    size_t len = strcspn(from, "\r\n");
    while (len && (from[len - 1] == ' ' || from[len - 1] == '\t'))
        len--;
    char *text = xasprintf("%.*s", (int)len, from);
    for (char *c = text; *c; c++)
        *c = *c == '\t' ? ' ' : *c;
    return text;
}

static void describe_line(struct inst_line *l, const struct kernel *k, const struct inst *in,
                          struct reader *r)
{
    char source[1024];
    l->ptx = in->line;
    l->text = r->text ? trimmed_line(r, in->line) : xstrdup(in->text ? in->text : "");
    if (r->has_loc && module_source(k->module, in->line, source, sizeof source))
        l->source = xstrdup(source);
}

struct inst_line *inst_lines_new(const struct kernel *k)
{
    struct inst_line *v = xcalloc(k->ninst + 1, sizeof *v);
    size_t len;
    struct reader r = {.text = k->module ? module_ptx(k->module, &len) : NULL, .line = 1};
    r.at = r.text;
    r.has_loc = r.text && strstr(r.text, ".loc");
    for (uint32_t i = 0; i < k->ninst; i++)
        describe_line(&v[i], k, &k->inst[i], &r);
    return v;
}

void inst_lines_free(struct inst_line *v, int n)
{
    for (int i = 0; v && i < n; i++) {
        free(v[i].text);
        free(v[i].source);
    }
    free(v);
}
