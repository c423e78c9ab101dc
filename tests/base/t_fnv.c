/* The published values of FNV-1a. */
#include "base/fnv.h"

#include <string.h>

#include "tests/suite.h"

static void names_are_those_of_fnv_1a(void)
{
    CU_ASSERT_EQUAL(fnv(FNV_NONE, "", 0), 0xcbf29ce484222325ull);
    CU_ASSERT_EQUAL(fnv(FNV_NONE, "a", 1), 0xaf63dc4c8601ec8cull);
    CU_ASSERT_EQUAL(fnv(FNV_NONE, "foobar", 6), 0x85944171f73967e8ull);
    CU_ASSERT_EQUAL(fnv(fnv(FNV_NONE, "foo", 3), "bar", 3), 0x85944171f73967e8ull);
}

SUITE("fnv", T(names_are_those_of_fnv_1a))
