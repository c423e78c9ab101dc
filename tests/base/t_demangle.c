/* Names of kernels in tables. Names that are not C++'s stay as they are, so that no demangler is
 * needed here. */
#include <string.h>

#include "base/demangle.h"
#include "tests/suite.h"

static void fits(const char *name, size_t room, const char *wanted)
{
    char *text = demangle_fit(name, room);
    CU_ASSERT_STRING_EQUAL(text, wanted);
    free(text);
}

static void a_name_is_shortened_as_far_as_need_be(void)
{
    fits("sort", 10, "sort");
    fits("a::sort<int, b::c<d> >", 22, "a::sort<int, b::c<d> >");
    fits("a::sort<int, b::c<d> >", 21, "a::sort<...>");
    fits("a::b<e>::sort<int, b::c<d> >", 19, "b<...>::sort<...>");
    fits("a::b<e>::sort<int, b::c<d> >", 16, "sort<...>");
    fits("a::b<e>::sort<int, b::c<d> >", 20, "a::b<...>::sort<...>");
    fits("a_kernel_with_a_long_name", 10, "a_kerne...");
    fits("a::kernel_with_a_long_name<int>", 10, "kernel_...");
}

/* Whatever demangler there is: what it makes of the names alone. */
static void names_in_a_message_are_plain(void)
{
    char *text = demangle_text("kernel _Z3addPfi: x_Z3add, _Z3mulv!"), wanted[128];
    char *add = demangle_fit("_Z3addPfi", 80), *mul = demangle_fit("_Z3mulv", 80);
    snprintf(wanted, sizeof wanted, "kernel %s: x_Z3add, %s!", add, mul);
    CU_ASSERT_STRING_EQUAL(text, wanted);
    free(add);
    free(mul);
    free(text);
    text = demangle_text("");
    CU_ASSERT_STRING_EQUAL(text, "");
    free(text);
}

static void a_sentence_has_short_names(void)
{
    char *add = demangle_said("add"), long_name[200];
    memset(long_name, 'k', sizeof long_name - 1);
    long_name[sizeof long_name - 1] = 0;
    char *cut = demangle_said(long_name);
    CU_ASSERT_STRING_EQUAL(add, "add");
    CU_ASSERT_TRUE(strlen(cut) <= 60 && strncmp(cut, "kkkkk", 5) == 0);
    free(add);
    free(cut);
}

SUITE("demangle", T(a_sentence_has_short_names), T(a_name_is_shortened_as_far_as_need_be),
      T(names_in_a_message_are_plain))
