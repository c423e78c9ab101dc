#include "base/wrap.h"

#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/table.h"

#define LEAST_TEXT 24 /* columns: less is hard to read */
#define BELOW      4  /* indent of what finds no room beside */

/* Bytes of the word that text begins with. */
static size_t word_of(const char *text)
{
    const char *open = strstr(text, "<<<"), *close = open ? strstr(open, ">>>") : NULL;
    const size_t word = strcspn(text, " ");
    if (close && open < text + word)
        return (size_t)(close - text) + strcspn(close, " ");
    return word;
}

int wrap_width(int most)
{
    const int room = table_columns();
    return room && room < most ? room : most;
}

void wrap_print(FILE *out, const char *text, int at, int indent, int most)
{
    const int width = wrap_width(most);
    bool begun = false; /* a word stands in the line */
    while (*text) {
        const size_t word = word_of(text);
        const int wide = text_columns(text, word);
        if (begun && at + 1 + wide > width) {
            fprintf(out, "\n%*s", indent, "");
            at = indent;
            begun = false;
        }
        fprintf(out, "%s%.*s", begun ? " " : "", (int)word, text);
        at += begun + wide;
        begun = true;
        text += word + (text[word] == ' ');
    }
    fputc('\n', out);
}

void wrap_beside(FILE *out, const char *left, const char *text, int indent, int most)
{
    size_t bytes = strlen(left);
    int at = text_columns(left, bytes);
    if (indent > BELOW && wrap_width(most) - indent < LEAST_TEXT) {
        while (bytes && left[bytes - 1] == ' ')
            bytes--;
        fprintf(out, "%.*s\n", (int)bytes, left);
        at = 0;
        indent = BELOW;
        bytes = 0;
    }
    const int pad = at < indent ? indent - at : 0;
    fprintf(out, "%.*s%*s", (int)bytes, left, pad, "");
    wrap_print(out, text, at + pad, indent, most);
}

void wrap_line(FILE *out, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    char *text = xvasprintf(fmt, args);
    va_end(args);
    wrap_print(out, text, 0, BELOW, INT_MAX);
    free(text);
}

void wrap_paragraph(FILE *out, const char *text)
{
    if (!table_columns()) {
        fprintf(out, "%s\n", text);
        return;
    }
    char *all = xstrdup(text);
    char *from = all;
    for (char *end = all; *end; end++) {
        if (*end != '\n')
            continue;
        if (end[1] != '\n' && end[1] != ' ' && *from != '\0' && from != end && *from != ' ') {
            *end = ' ';
            continue;
        }
        *end = '\0';
        wrap_print(out, from, 0, 0, WRAP_TABLE);
        from = end + 1;
    }
    wrap_print(out, from, 0, 0, WRAP_TABLE);
    free(all);
}

void wrap_field(FILE *out, const char *label, int indent, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    char *text = xvasprintf(fmt, args);
    va_end(args);
    char *left = xasprintf("  %s", label);
    wrap_beside(out, left, text, indent, WRAP_SCREEN);
    free(left);
    free(text);
}
