#include "cli/figure_page.h"

#include <stdlib.h>
#include <string.h>

#include "figure/markdown.h"

static void escaped(FILE *out, const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (text[i] == '<')
            fputs("&lt;", out);
        else if (text[i] == '>')
            fputs("&gt;", out);
        else if (text[i] == '&')
            fputs("&amp;", out);
        else
            fputc(text[i], out);
}

/* A line of a table in markdown as a row. */
static void row(FILE *out, const char *line, const char *cell)
{
    fputs("<tr>", out);
    for (const char *at = line + 1; *at;) {
        const size_t len = strcspn(at, "|");
        if (at[len] != '|')
            break;
        fprintf(out, "<%s>", cell);
        escaped(out, at + 1, len > 2 ? len - 2 : 0);
        fprintf(out, "</%s>", cell);
        at += len + 1;
    }
    fputs("</tr>\n", out);
}

static void table(FILE *out, const struct figure_cells *c)
{
    char *text, *save = NULL;
    size_t len;
    FILE *to = open_memstream(&text, &len);
    figure_markdown(to, c);
    fclose(to);
    int line = 0;
    fputs("<table>\n", out);
    for (char *at = strtok_r(text, "\n", &save); at; at = strtok_r(NULL, "\n", &save), line++)
        if (line != 1) /* the rule below the heading */
            row(out, at, line ? "td" : "th");
    fputs("</table>\n", out);
    free(text);
}

static void lines(FILE *out, const struct figure_cells *c)
{
    char *text, *save = NULL;
    size_t len;
    FILE *to = open_memstream(&text, &len);
    figure_lines(to, c);
    fclose(to);
    fputs("<ul>\n", out);
    for (char *at = strtok_r(text, "\n", &save); at; at = strtok_r(NULL, "\n", &save)) {
        fputs("<li>", out);
        escaped(out, at + 2, strlen(at + 2));
        fputs("</li>\n", out);
    }
    fputs("</ul>\n", out);
    free(text);
}

char *figure_page(const struct figure_cells *c, const char *svg, size_t *len)
{
    char *text;
    FILE *out = open_memstream(&text, len);
    const char *drawing = strstr(svg, "<svg");
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\">\n<meta "
          "name=\"viewport\" "
          "content=\"width=device-width\">\n<title>",
          out);
    escaped(out, c->of->title, strlen(c->of->title));
    fputs("</title>\n<style>body{font:16px sans-serif;max-width:70em;margin:1em auto;padding:0 1em;"
          "color-scheme:light dark}svg{max-width:100%;height:auto}table{border-collapse:collapse;"
          "display:block;overflow-x:auto}td,th{padding:.2em .6em;border-bottom:1px solid #8888;"
          "text-align:right}td:first-child,th:first-child{text-align:left}</style></"
          "head>\n<body>\n<h1>",
          out);
    escaped(out, c->of->title, strlen(c->of->title));
    fputs("</h1>\n<p>", out);
    escaped(out, c->of->note, strlen(c->of->note));
    fprintf(out, "</p>\n%s\n", drawing ? drawing : svg);
    table(out, c);
    lines(out, c);
    if (*c->of->says) {
        fputs("<p>", out);
        escaped(out, c->of->says, strlen(c->of->says));
        fputs("</p>\n", out);
    }
    fputs("</body>\n</html>\n", out);
    fclose(out);
    return text;
}
