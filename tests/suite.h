/* tests/suite.h -- one CUnit suite a file: `SUITE("mshr", T(merges_to_one_line), T(...))` defines
 * main(). */
#ifndef MDP_TESTS_SUITE_H
#define MDP_TESTS_SUITE_H

#include <CUnit/Basic.h>
#include <stdio.h>
#include <stdlib.h>

/* In a test whose data is not there: NOT_RUN("no %s", path); return; -- the summary lists it, and
 * does not count the test as passed. */
#define NOT_RUN(...) (printf("NOT RUN: " __VA_ARGS__), putchar('\n'))

/* Built with sanitizers, several times slower. Such a run looks for wrong accesses: what only
 * counts more of the same a test may leave to the other run; it says so there. */
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define SANITIZED 1
#else
#define SANITIZED 0
#endif

struct suite_test {
    const char *name;
    void (*fn)(void);
};
#define T(fn)   \
    {           \
#fn, fn \
    }
#define SUITE(title, ...)                                          \
    int main(void)                                                 \
    {                                                              \
        static const struct suite_test tests[] = {__VA_ARGS__};    \
        if (CU_initialize_registry() != CUE_SUCCESS)               \
            return 2;                                              \
        CU_pSuite s = CU_add_suite(title, NULL, NULL);             \
        for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)  \
            if (!s || !CU_add_test(s, tests[i].name, tests[i].fn)) \
                return 2;                                          \
        CU_basic_set_mode(CU_BRM_NORMAL);                          \
        CU_basic_run_tests();                                      \
        unsigned bad = CU_get_number_of_failures();                \
        unsigned ran = CU_get_number_of_tests_run();               \
        CU_cleanup_registry();                                     \
        return bad || ran != sizeof tests / sizeof *tests ? 1 : 0; \
    }

#endif
