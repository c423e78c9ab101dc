#include "base/nowhere.h"

#include <dirent.h>

#include "tests/suite.h"

static int descriptors(void)
{
    DIR *d = opendir("/proc/self/fd");
    CU_ASSERT_PTR_NOT_NULL_FATAL(d);
    int n = 0;
    while (readdir(d))
        n++;
    closedir(d);
    return n;
}

static void what_is_written_is_gone(void)
{
    const int before = descriptors();
    FILE *f = nowhere_open();
    CU_ASSERT_EQUAL(descriptors(), before);
    for (int i = 0; i < 1000; i++)
        CU_ASSERT_EQUAL(fprintf(f, "%0100d", i), 100);
    CU_ASSERT_EQUAL(fflush(f), 0);
    CU_ASSERT_FALSE(ferror(f));
    CU_ASSERT_EQUAL(fclose(f), 0);
}

SUITE("nowhere", T(what_is_written_is_gone))
