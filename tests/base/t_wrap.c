#include <stdlib.h>
#include <string.h>

#include "base/table.h"
#include "base/wrap.h"
#include "tests/suite.h"

static void is_printed_as(const char *text, int at, int indent, int width, const char *wanted)
{
    char *got = NULL;
    size_t len;
    FILE *f = open_memstream(&got, &len);
    wrap_print(f, text, at, indent, width);
    fclose(f);
    CU_ASSERT_STRING_EQUAL(got, wanted);
    free(got);
}

/* "aa bb" is five columns, "aa bb cc" eight. */
static void lines_end_before_the_width(void)
{
    is_printed_as("aa bb cc", 0, 2, 8, "aa bb cc\n");
    is_printed_as("aa bb cc", 0, 2, 7, "aa bb\n  cc\n");
    is_printed_as("aa bb cc", 1, 2, 8, "aa bb\n  cc\n");
    is_printed_as("aa bb cc", 0, 2, 4, "aa\n  bb\n  cc\n");
    is_printed_as("", 0, 2, 4, "\n");
}

static void a_word_stays_whole(void)
{
    is_printed_as("a abcdefgh b", 0, 1, 4, "a\n abcdefgh\n b\n");
    is_printed_as("a k<<<g, b>>>, c d", 0, 1, 6, "a\n k<<<g, b>>>,\n c d\n");
}

/* Two bytes, one column. */
static void letters_count_not_bytes(void)
{
    is_printed_as("\u00e4\u00e4 bb", 0, 0, 5, "\u00e4\u00e4 bb\n");
}

static void a_field_is_aligned(void)
{
    char *got = NULL;
    size_t len;
    FILE *f = open_memstream(&got, &len);
    wrap_field(f, "gain", 10, "%d %s", 3, "%");
    fclose(f);
    CU_ASSERT_STRING_EQUAL(got, "  gain    3 %\n");
    free(got);
}

/* Ten columns on the left, 33 of text. With 60 columns 26 are beside column 34; with 50 only 16. */
static void text_comes_below_where_there_is_no_room_beside(void)
{
    static const struct {
        int room;
        const char *wanted;
    } at[] = {{0, "  name  9                         some words that say what it is for\n"},
              {60, "  name  9                         some words that say what\n"
                   "                                  it is for\n"},
              {50, "  name  9\n    some words that say what it is for\n"},
              {30, "  name  9\n    some words that say what\n    it is for\n"}};
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        char *got = NULL;
        size_t len;
        FILE *f = open_memstream(&got, &len);
        table_room(at[i].room);
        wrap_beside(f, "  name  9 ", "some words that say what it is for", 34, 100);
        fclose(f);
        CU_ASSERT_STRING_EQUAL(got, at[i].wanted);
        free(got);
    }
    table_room(0);
}

SUITE("wrap", T(text_comes_below_where_there_is_no_room_beside), T(lines_end_before_the_width),
      T(a_word_stays_whole), T(letters_count_not_bytes), T(a_field_is_aligned))
