#include "cli/chart.h"

#include <langinfo.h>
#include <locale.h>
#include <math.h>
#include <string.h>

#include "base/table.h"
#include "base/wrap.h"

#define BAR_MOST  44 /* columns of the longest bar */
#define BAR_LEAST 8
#define BESIDE    42 /* columns of what stands beside a bar */

bool chart_utf8(void)
{
    locale_t l = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
    if (l == (locale_t)0)
        return false;
    bool utf8 = strcmp(nl_langinfo_l(CODESET, l), "UTF-8") == 0;
    freelocale(l);
    return utf8;
}

/* On a terminal it keeps to its width. */
static int bar_room(void)
{
    const int all = terminal_columns(), room = all - BESIDE;
    if (!all || room > BAR_MOST)
        return BAR_MOST;
    return room < BAR_LEAST ? BAR_LEAST : room;
}

static void draw_bar(FILE *out, double columns, int room, int tick, bool utf8)
{
    static const char *const eighth[] = {" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"};
    int last = tick;
    if ((int)ceil(columns) - 1 > last)
        last = (int)ceil(columns) - 1;
    for (int i = 0; i <= last; i++) {
        double part = fmin(1, fmax(0, columns - i));
        if (i == tick)
            fputs(utf8 ? (part >= 1 ? "▓" : "│") : (part >= 0.5 ? "+" : "|"), out);
        else if (utf8)
            fputs(eighth[(int)lround(part * 8)], out);
        else
            fputc(part >= 0.5 ? '#' : ' ', out);
    }
    for (int i = last + 1; i < room; i++)
        fputc(' ', out);
}

void chart_print(FILE *out, const char *title, const struct chart_bar *bar, int bars, bool utf8)
{
    double top = 0;
    bool predicted = false;
    const int room = bar_room();
    for (int i = 0; i < bars; i++) {
        top = fmax(top, fmax(bar[i].value, bar[i].predicted));
        predicted |= bar[i].predicted >= 0;
    }
    fprintf(out, "%.*s", (int)strspn(title, "\n"), title);
    wrap_line(out, "%s", title + strspn(title, "\n"));
    for (int i = 0; i < bars; i++) {
        const struct chart_bar *b = &bar[i];
        double scale = top > 0 ? room / top : 0;
        int tick = b->predicted >= 0 ? (int)fmin(room - 1, floor(b->predicted * scale)) : -1;
        fprintf(out, "%4d  ", b->n);
        draw_bar(out, b->value * scale, room, tick, utf8);
        fprintf(out, "  %8.2f%s%s%s\n", b->value, b->chosen ? "  chosen" : "",
                b->optimum ? "  optimum" : "", b->is_default ? "  default" : "");
    }
    if (predicted)
        fprintf(out, "      %s marks the predicted IPC\n", utf8 ? "│ or ▓" : "| or +");
}
