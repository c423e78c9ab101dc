#include <string.h>

#include "cli/chart.h"
#include "tests/suite.h"

static char *drawn(const struct chart_bar *bar, int n, bool utf8)
{
    char *text = NULL;
    size_t len = 0;
    FILE *f = open_memstream(&text, &len);
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    chart_print(f, "title", bar, n, utf8);
    fclose(f);
    return text;
}

static int count(const char *text, const char *what)
{
    int n = 0;
    size_t len = strlen(what);
    for (size_t i = 0; text[i]; i++)
        n += strncmp(text + i, what, len) == 0;
    return n;
}

static void bars_are_proportional(void)
{
    struct chart_bar bar[] = {{.n = 1, .value = 11, .predicted = -1},
                              {.n = 2, .value = 44, .predicted = -1}};
    char *text = drawn(bar, 2, false);
    CU_ASSERT_EQUAL(count(text, "#"), 11 + 44);
    CU_ASSERT_EQUAL(count(text, "\n"), 3);
    free(text);
    text = drawn(bar, 2, true);
    CU_ASSERT_EQUAL(count(text, "█"), 11 + 44);
    free(text);
}

static void ascii_only_without_utf8(void)
{
    struct chart_bar bar[] = {{.n = 1, .value = 3, .predicted = 2}, {.n = 2, .value = 1}};
    char *text = drawn(bar, 2, false);
    for (const char *c = text; *c; c++)
        CU_ASSERT((unsigned char)*c < 128);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "predicted"));
    free(text);
}

static void marks_are_named(void)
{
    struct chart_bar bar[] = {{.n = 1, .value = 3, .predicted = -1, .chosen = true},
                              {.n = 2, .value = 4, .predicted = -1, .optimum = true},
                              {.n = 3, .value = 2, .predicted = -1, .is_default = true}};
    char *text = drawn(bar, 3, false);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "chosen"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "optimum"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "default"));
    CU_ASSERT_PTR_NULL(strstr(text, "predicted"));
    free(text);
}

static void nothing_to_draw_is_no_crash(void)
{
    struct chart_bar bar[] = {{.n = 1, .value = 0, .predicted = 0}};
    char *text = drawn(bar, 1, true);
    CU_ASSERT_PTR_NOT_NULL(text);
    free(text);
    free(drawn(bar, 0, true));
}

SUITE("chart", T(bars_are_proportional), T(ascii_only_without_utf8), T(marks_are_named),
      T(nothing_to_draw_is_no_crash))
