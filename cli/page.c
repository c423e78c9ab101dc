#include "cli/page.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "base/out_path.h"
#include "base/revision.h"

bool page_check(struct options *o, struct err *e)
{
    o->bad_usage = true;
    if (o->html && strcmp(o->html, "-") == 0)
        return err_set(e, "--html wants a file");
    if (o->html && out_path_same(o->html, o->output))
        return err_set(e, "--html and -o are the same file");
    if (o->html && o->interval_out && out_path_same(o->html, o->interval_out))
        return err_set(e, "--html and --interval-out are the same file");
    o->bad_usage = false;
    return true;
}

bool page_open(struct page *p, const struct options *o, struct err *e)
{
    *p = (struct page){0};
    if (!o->html)
        return true;
    if (!output_can_write(o->html, e))
        return false;
    *p = (struct page){.o = o, .json = {.format = FORMAT_JSON}};
    return true;
}

struct output *page_output(struct page *p)
{
    return p->o ? &p->json : NULL;
}

/* No "<" is left, so that nothing in it ends or begins an element; in JSON it stands in strings
 * alone. */
static void write_json(FILE *out, const char *id, const struct json_value *v)
{
    char *text = json_text(v);
    fprintf(out, "<script type=\"application/json\" id=\"%s\">\n", id);
    for (const char *c = text; *c; c++)
        if (*c == '<')
            fputs("\\u003c", out);
        else
            fputc(*c, out);
    fputs("</script>\n", out);
    free(text);
}

/* A word as a shell reads it. */
static void write_word(FILE *out, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-./:=,+@%";
    if (*word && strspn(word, plain) == strlen(word)) {
        fputs(word, out);
        return;
    }
    fputc('\'', out);
    for (; *word; word++)
        if (*word == '\'')
            fputs("'\\''", out);
        else
            fputc(*word, out);
    fputc('\'', out);
}

static char *command_line(const struct options *o)
{
    char *text = NULL;
    size_t len;
    FILE *f = open_memstream(&text, &len);
    BUG_ON(!f, "open_memstream failed");
    fprintf(f, "mdpredict %s", o->command->name);
    for (int i = 0; i < o->nwords; i++) {
        fputc(' ', f);
        write_word(f, o->word[i]);
    }
    fclose(f);
    return text;
}

static void put_choice(struct json_value *into, const char *what, const char *name)
{
    char *text = name ? xasprintf("%s %s", what, name) : NULL;
    if (text)
        json_put_str(into, NULL, text);
    free(text);
}

/* What is not in the result: how it was asked for. */
static struct json_value *about(const struct options *o)
{
    struct json_value *v = json_new_object();
    char *command = command_line(o);
    json_put_str(v, "command", o->command->name);
    json_put_str(v, "command_line", command);
    json_put_str(v, "gpu", o->gpu);
    struct json_value *set = json_put_array(v, "set");
    for (int i = 0; i < o->set.n; i++)
        json_put_str(set, NULL, o->set.word[i]);
    put_choice(set, "warp scheduler", o->warp_scheduler);
    put_choice(set, "CTA scheduler", o->cta_scheduler);
    json_put_str(v, "revision", mdpredict_revision);
    free(command);
    return v;
}

/* As text of a page, whatever is in it. */
static void write_text(FILE *out, const char *text)
{
    for (; *text; text++)
        if (*text == '<')
            fputs("&lt;", out);
        else if (*text == '&')
            fputs("&amp;", out);
        else
            fputc(*text, out);
}

static void write_licences(FILE *out)
{
    fputs("<details id=\"licences\"><summary>Licences of the chart library</summary>\n", out);
    for (const struct page_part *part = page_parts; part->name; part++)
        if (part->kind == PAGE_LICENCE) {
            fprintf(out, "<h4>%s</h4>\n<pre>\n", strrchr(part->name, '.') + 1);
            write_text(out, part->text);
            fputs("</pre>\n", out);
        }
    fputs("</details>\n", out);
}

/* The scripts find what stands before them. */
static void write_data(FILE *out, const struct page *p)
{
    struct json_value *of = about(p->o);
    write_json(out, "about", of);
    write_json(out, "result", p->json.at[0]);
    write_licences(out);
    json_free(of);
}

static void write_page(FILE *out, const struct page *p)
{
    for (const struct page_part *part = page_parts; part->name; part++)
        switch (part->kind) {
        case PAGE_HEAD:
            fputs(part->text, out);
            break;
        case PAGE_STYLE:
            fprintf(out, "<style>\n%s</style>\n", part->text);
            break;
        case PAGE_BODY:
            fputs(part->text, out);
            write_data(out, p);
            break;
        case PAGE_SCRIPT:
            fprintf(out, "<script>\n%s\n</script>\n", part->text);
            break;
        case PAGE_LICENCE:
            break;
        }
    fputs("</body>\n</html>\n", out);
}

static bool deliver(const struct page *p, struct err *e)
{
    char *text = NULL;
    size_t len;
    FILE *f = open_memstream(&text, &len);
    if (!f)
        return err_set(e, "open_memstream: %s", strerror(errno));
    write_page(f, p);
    fclose(f);
    const bool ok = file_write(p->o->html, text, len, e);
    free(text);
    return ok;
}

bool page_close(struct page *p, bool ok, struct err *e)
{
    if (p->o && p->json.at[0])
        ok = ok && deliver(p, e);
    json_free(p->json.at[0]);
    *p = (struct page){0};
    return ok;
}
