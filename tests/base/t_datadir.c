/* base/datadir: beside the program or above it, or where MDPREDICT_DATA says. */
#include "base/datadir.h"
#include "base/file.h"
#include "tests/suite.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void found_above_the_build_folder(void)
{
    struct err e = {""};
    unsetenv("MDPREDICT_DATA");
    char *found = datadir(&e);
    CU_ASSERT_PTR_NOT_NULL_FATAL(found);
    CU_ASSERT_STRING_EQUAL(found + strlen(found) - 5, "/data");
    free(found);
    char *coefficients = datadir_find("coefficients", "yen2014", &e);
    CU_ASSERT_PTR_NOT_NULL_FATAL(coefficients);
    CU_ASSERT_EQUAL(access(coefficients, R_OK), 0);
    free(coefficients);
}

static void environment_comes_first(void)
{
    char folder[] = "/tmp/t_datadir.XXXXXX";
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
    setenv("MDPREDICT_DATA", folder, 1);
    struct err e = {""};
    char *gpus = xasprintf("%s/gpus", folder), *b = xasprintf("%s/b.cfg", gpus),
         *a = xasprintf("%s/a.cfg", gpus), *other = xasprintf("%s/readme", gpus);
    mkdir(gpus, 0700);
    CU_ASSERT(file_write(b, "", 0, &e) && file_write(a, "", 0, &e) && file_write(other, "", 0, &e));
    char **names = datadir_list("gpus", &e);
    CU_ASSERT_PTR_NOT_NULL_FATAL(names);
    CU_ASSERT(!strcmp(names[0], "a") && !strcmp(names[1], "b") && !names[2]);
    datadir_list_free(names);
    CU_ASSERT_PTR_NULL(datadir_find("gpus", "c", &e));
    CU_ASSERT_STRING_EQUAL(e.msg, "no \"c\" among the bundled gpus; there are: a, b");
    CU_ASSERT_PTR_NULL(datadir_list("nothing", &e));
    CU_ASSERT_PTR_NOT_NULL(strstr(e.msg, "/nothing: no such folder"));
    unlink(a), unlink(b), unlink(other), rmdir(gpus);
    CU_ASSERT_EQUAL(rmdir(folder), 0);
    CU_ASSERT_PTR_NULL(datadir(&e));
    CU_ASSERT_PTR_NOT_NULL(strstr(e.msg, "is not a folder"));
    unsetenv("MDPREDICT_DATA");
    free(gpus), free(a), free(b), free(other);
}

SUITE("datadir", T(found_above_the_build_folder), T(environment_comes_first))
