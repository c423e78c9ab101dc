#include "base/suggest.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define LONGEST 64
#define KEEP    3

static int min3(int a, int b, int c)
{
    int m = a < b ? a : b;
    return m < c ? m : c;
}

/* Capitals are no difference: papers write PAWS, GTO, DYNCTA. */
static bool same(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Optimal string alignment: edits are insert, delete, replace, and swap of neighbours. */
static int edit_distance(const char *a, const char *b)
{
    int la = (int)strnlen(a, LONGEST), lb = (int)strnlen(b, LONGEST);
    int row[3][LONGEST + 1];
    int *before = row[0], *prev = row[1], *cur = row[2];
    for (int j = 0; j <= lb; j++)
        prev[j] = j;
    for (int i = 1; i <= la; i++) {
        cur[0] = i;
        for (int j = 1; j <= lb; j++) {
            cur[j] = min3(prev[j] + 1, cur[j - 1] + 1, prev[j - 1] + !same(a[i - 1], b[j - 1]));
            if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]) &&
                before[j - 2] + 1 < cur[j])
                cur[j] = before[j - 2] + 1;
        }
        int *t = before;
        before = prev, prev = cur, cur = t;
    }
    return prev[lb];
}

/* A name whose last dotted part is the wanted one ("size" for "l1d.size") is as good as one edit;
 * one that merely contains it, as good as two. */
static int distance_to(const char *wanted, const char *name)
{
    const char *dot = strrchr(name, '.');
    int d = edit_distance(wanted, name);
    if (dot && d > 1 && !strcmp(dot + 1, wanted))
        d = 1;
    if (d > 2 && strlen(wanted) >= 3 && strstr(name, wanted))
        d = 2;
    return d;
}

void suggest_init(struct suggest *s, const char *wanted)
{
    *s = (struct suggest){.wanted = wanted};
}

void suggest_offer(struct suggest *s, const char *name)
{
    int limit = 1 + (int)strlen(s->wanted) / 3;
    int d = distance_to(s->wanted, name);
    if (d > limit)
        return;
    int i = KEEP;
    while (i > 0 && (!s->name[i - 1] || d < s->distance[i - 1]))
        i--;
    for (int k = 0; k < KEEP; k++)
        if (s->name[k] && !strcmp(s->name[k], name))
            return;
    for (int k = KEEP - 1; k > i; k--) {
        s->name[k] = s->name[k - 1];
        s->distance[k] = s->distance[k - 1];
    }
    if (i < KEEP) {
        s->name[i] = name;
        s->distance[i] = d;
    }
}

const char *suggest_text(const struct suggest *s, char *buf, size_t size)
{
    int n = 0; /* beside a near one nobody means a far one */
    while (n < KEEP && s->name[n] && s->distance[n] <= s->distance[0] + 1)
        n++;
    if (n == 0)
        snprintf(buf, size, "%s", "");
    else if (n == 1)
        snprintf(buf, size, "; did you mean %s?", s->name[0]);
    else if (n == 2)
        snprintf(buf, size, "; did you mean %s or %s?", s->name[0], s->name[1]);
    else
        snprintf(buf, size, "; did you mean %s, %s or %s?", s->name[0], s->name[1], s->name[2]);
    return buf;
}
