/* base/file, base/err, base/suggest. */
#include "base/file.h"
#include "base/suggest.h"
#include "tests/suite.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/t_file.XXXXXX";

static char *in_folder(const char *name)
{
    return xasprintf("%s/%s", folder, name);
}

static void written_files_read_back(void)
{
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
    char *path = in_folder("a"), *big = xcalloc(1, 100000);
    size_t len = 0;
    struct err e = {""};
    big[99999] = 'x';
    CU_ASSERT_TRUE(file_write(path, big, 100000, &e));
    char *back = file_read(path, 100000, &len, &e);
    CU_ASSERT_PTR_NOT_NULL_FATAL(back);
    CU_ASSERT(len == 100000 && !memcmp(big, back, 100000) && back[100000] == '\0');
    free(back);
    CU_ASSERT_PTR_NULL(file_read(path, 99999, &len, &e));
    CU_ASSERT_PTR_NOT_NULL(strstr(e.msg, "larger than 99999 bytes"));
    CU_ASSERT_FALSE(file_write(path, "", 0, &e)); /* it was read: an input is not written over */
    CU_ASSERT_PTR_NOT_NULL(strstr(e.msg, "is an input of this command"));
    unlink(path);
    CU_ASSERT_TRUE(file_write(path, "", 0, &e));
    back = file_read(path, 10, NULL, &e);
    CU_ASSERT_STRING_EQUAL(back, "");
    free(back);
    unlink(path);
    free(path);
    free(big);
}

static void failed_write_leaves_nothing(void)
{
    struct err e = {""};
    char *path = in_folder("no/such/folder");
    CU_ASSERT_FALSE(file_write(path, "x", 1, &e));
    CU_ASSERT_PTR_NOT_NULL(strstr(e.msg, "No such file or directory"));
    free(path);
    CU_ASSERT_FALSE(file_write("/dev/full", "x", 1, &e));
    CU_ASSERT_STRING_EQUAL(e.msg, "/dev/full: No space left on device");
    CU_ASSERT_TRUE(file_write("/dev/null", "x", 1, &e));
    CU_ASSERT_FALSE(file_write(folder, "x", 1, &e));
    CU_ASSERT_EQUAL(rmdir(folder), 0); /* empty: no temporary file is left */
}

static void paths_are_relative_to_the_file_that_names_them(void)
{
    static const char *const cases[][3] = {{"a/b.cfg", "c.bin", "a/c.bin"},
                                           {"b.cfg", "c.bin", "c.bin"},
                                           {"a/b.cfg", "/c.bin", "/c.bin"},
                                           {"/b.cfg", "../c", "/../c"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *p = file_beside(cases[i][0], cases[i][1]);
        CU_ASSERT_STRING_EQUAL(p, cases[i][2]);
        free(p);
    }
}

static void error_prefix_goes_in_front(void)
{
    struct err e = {""};
    CU_ASSERT_FALSE(err_set(&e, "bad %d", 3));
    CU_ASSERT_FALSE(err_prefix(&e, "file %s", "x"));
    CU_ASSERT_STRING_EQUAL(e.msg, "file x: bad 3");
    CU_ASSERT_FALSE(err_set(NULL, "dropped"));
    CU_ASSERT_FALSE(err_prefix(NULL, "dropped"));
}

static void long_errors_are_cut(void)
{
    struct err e = {""};
    char *text = xcalloc(1, 2000);
    memset(text, 'a', 1999);
    err_set(&e, "%s", text);
    CU_ASSERT_EQUAL(strlen(e.msg), sizeof e.msg - 1);
    err_prefix(&e, "p");
    CU_ASSERT_EQUAL(strlen(e.msg), sizeof e.msg - 1);
    CU_ASSERT_EQUAL(strncmp(e.msg, "p: aaa", 6), 0);
    err_prefix(&e, "%s", text);
    CU_ASSERT_EQUAL(strlen(e.msg), sizeof e.msg - 1);
    free(text);
}

static const char *hint(const char *wanted, char buf[128])
{
    static const char *const names[] = {"vecadd",   "nbf",     "bfs",        "matmul",
                                        "l1d.size", "l2.size", "dram.banks", "bfs"};
    struct suggest s;
    suggest_init(&s, wanted);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        suggest_offer(&s, names[i]);
    return suggest_text(&s, buf, 128);
}

static void near_names_are_offered_nearest_first(void)
{
    char buf[128];
    CU_ASSERT_STRING_EQUAL(hint("vecad", buf), "; did you mean vecadd?");
    CU_ASSERT_STRING_EQUAL(hint("vceadd", buf), "; did you mean vecadd?");
    CU_ASSERT_STRING_EQUAL(hint("nfs", buf), "; did you mean bfs or nbf?");
    CU_ASSERT_STRING_EQUAL(hint("size", buf), "; did you mean l1d.size or l2.size?");
    CU_ASSERT_STRING_EQUAL(hint("bank", buf), "; did you mean dram.banks?");
    CU_ASSERT_STRING_EQUAL(hint("hotspot", buf), "");
    CU_ASSERT_STRING_EQUAL(hint("BFS", buf), "; did you mean bfs?");
    CU_ASSERT_STRING_EQUAL(hint("MatMul", buf), "; did you mean matmul?");
    CU_ASSERT_STRING_EQUAL(hint("", buf), "");
}

SUITE("file", T(written_files_read_back), T(failed_write_leaves_nothing),
      T(paths_are_relative_to_the_file_that_names_them), T(error_prefix_goes_in_front),
      T(long_errors_are_cut), T(near_names_are_offered_nearest_first))
