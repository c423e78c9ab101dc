#include <string.h>

#include "model/effort.h"
#include "tests/suite.h"

static void every_name_finds_its_effort(void)
{
    for (int i = 0; i < EFFORT_COUNT; i++) {
        enum effort found = EFFORT_DEFAULT;
        CU_ASSERT_TRUE(effort_find(effort_name((enum effort)i), &found));
        CU_ASSERT_EQUAL((int)found, i);
        CU_ASSERT(strlen(effort_help((enum effort)i)) > 0);
    }
}

static void nothing_but_a_whole_name_is_one(void)
{
    static const char *const wrong[] = {"", "Quick", "quic", "quick ", "thorougher"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        enum effort found = EFFORT_WINDOW;
        CU_ASSERT_FALSE(effort_find(wrong[i], &found));
        CU_ASSERT_EQUAL(found, EFFORT_WINDOW);
    }
}

SUITE("effort", T(every_name_finds_its_effort), T(nothing_but_a_whole_name_is_one))
