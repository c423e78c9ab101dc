#include "fitter/profile.h"
#include "tests/suite.h"

#include <sqlite3.h>
#include <string.h>
#include <unistd.h>

static char path[] = "/tmp/t_profile.XXXXXX";

static const struct profile_input nbf = {.config = "0123456789abcdef",
                                         .gpu = "yen2014",
                                         .l1d_bytes = 8192,
                                         .target = "nbf:small",
                                         .seed = 1,
                                         .numbering = "natural",
                                         .warps = 0,
                                         .revision = "r1"};

/* A new file, with its name in path. */
static struct profile *fresh(void)
{
    strcpy(path + sizeof path - 7, "XXXXXX");
    close(mkstemp(path));
    struct err e = {""};
    struct profile *p = profile_open(path, true, &e);
    CU_ASSERT_PTR_NOT_NULL_FATAL(p);
    return p;
}

static void end(struct profile *p)
{
    profile_close(p);
    unlink(path);
}

static bool has(struct profile *p, const struct profile_input *in, int n)
{
    bool out = false;
    CU_ASSERT_TRUE(profile_has(p, in, n, &out, NULL));
    return out;
}

static char *export(struct profile *p, enum profile_table t)
{
    char *text = NULL;
    size_t len;
    FILE *f = open_memstream(&text, &len);
    CU_ASSERT_TRUE(profile_export(p, t, f, NULL));
    fclose(f);
    return text;
}

static void a_run_is_found_by_each_part_of_its_key(void)
{
    struct profile *p = fresh();
    struct profile_kernel k = {.kernel = "force", .launches = 1, .kernel_n = 2, .n_max = 8};
    CU_ASSERT_TRUE(profile_add_run(p, &nbf, 2, &k, 1, NULL));
    CU_ASSERT_TRUE(has(p, &nbf, 2));
    CU_ASSERT_FALSE(has(p, &nbf, 3));
    CU_ASSERT_FALSE(has(p, &nbf, 0)); /* no sample */
    struct profile_input other[5] = {nbf, nbf, nbf, nbf, nbf};
    other[0].config = "0123456789abcdee";
    other[1].target = "nbf:medium";
    other[2].seed = 2;
    other[3].numbering = "shuffled";
    other[4].warps = 4;
    for (int i = 0; i < 5; i++)
        CU_ASSERT_FALSE(has(p, &other[i], 2));
    other[0] = nbf;
    other[0].revision = "r2"; /* no part of the key */
    CU_ASSERT_TRUE(has(p, &other[0], 2));
    end(p);
}

static void limits_are_over_the_kernels_of_a_sample(void)
{
    struct profile *p = fresh();
    struct sample s[2] = {{.kernel = "a", .n_max = 6, .total_warp_insts = 100},
                          {.kernel = "b", .n_max = 8, .total_warp_insts = 11}};
    int n_max = -1;
    double insts = -1;
    CU_ASSERT_TRUE(profile_limits(p, &nbf, &n_max, &insts, NULL));
    CU_ASSERT_EQUAL(n_max, 0);
    CU_ASSERT_EQUAL(insts, 0);
    CU_ASSERT_TRUE(profile_add_sample(p, &nbf, s, 2, NULL));
    CU_ASSERT_TRUE(profile_limits(p, &nbf, &n_max, &insts, NULL));
    CU_ASSERT_EQUAL(n_max, 8);
    CU_ASSERT_EQUAL(insts, 111);
    CU_ASSERT_TRUE(has(p, &nbf, 0));
    end(p);
}

/* Recorded in any order, and twice: the same rows in the same order. */
static void equal_contents_export_equal_bytes(void)
{
    struct profile_kernel k[2] = {
        {.kernel = "b", .launches = 3, .kernel_n = 1, .n_max = 8, .stats.cycles = 5},
        {.kernel = "a,\"", .launches = 1, .kernel_n = 1, .n_max = 8, .stats.cycles = 7}};
    struct profile *p = fresh();
    for (int n = 1; n <= 12; n++)
        CU_ASSERT_TRUE(profile_add_run(p, &nbf, n, k, 2, NULL));
    char *up = export(p, PROFILE_RUNS);
    end(p);
    p = fresh();
    for (int n = 12; n >= 1; n--)
        for (int i = 0; i < 2; i++)
            CU_ASSERT_TRUE(profile_add_run(p, &nbf, n, k, 2, NULL));
    char *down = export(p, PROFILE_RUNS);
    end(p);
    CU_ASSERT_STRING_EQUAL(up, down);
    CU_ASSERT_PTR_NOT_NULL(strstr(up, ",natural,0,r1,9,\"a,\"\"\",1,1,8,7,0,"));
    CU_ASSERT_PTR_NOT_NULL(strstr(up, ",natural,0,r1,10,b,3,1,8,5,0,"));
    CU_ASSERT_TRUE(strstr(up, ",r1,9,b,") < strstr(up, ",r1,10,b,")); /* as numbers, not as text */
    free(up);
    free(down);
}

/* Twice the largest exact integer of a double, and a real number without a short decimal. */
static void values_come_back_exactly(void)
{
    struct profile *p = fresh();
    struct profile_kernel k = {
        .kernel = "k", .launches = 1, .kernel_n = 1, .n_max = 1, .stats.cycles = (1ull << 54) + 1};
    struct sample s = {.kernel = "k", .cta_cycles = 0.1 + 0.2};
    CU_ASSERT_TRUE(profile_add_run(p, &nbf, 1, &k, 1, NULL));
    CU_ASSERT_TRUE(profile_add_sample(p, &nbf, &s, 1, NULL));
    char *runs = export(p, PROFILE_RUNS), *samples = export(p, PROFILE_SAMPLES);
    CU_ASSERT_PTR_NOT_NULL(strstr(runs, ",18014398509481985,"));
    CU_ASSERT_PTR_NOT_NULL(strstr(samples, ",0.30000000000000004,"));
    free(runs);
    free(samples);
    end(p);
}

static void expect_refused(const char *why)
{
    struct err e = {""};
    CU_ASSERT_PTR_NULL(profile_open(path, true, &e));
    CU_ASSERT_PTR_NOT_NULL(strstr(e.msg, path));
    CU_ASSERT_PTR_NOT_NULL(strstr(e.msg, why));
}

static void alter(const char *sql)
{
    sqlite3 *db;
    CU_ASSERT_EQUAL(sqlite3_open(path, &db), SQLITE_OK);
    CU_ASSERT_EQUAL(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

static void files_of_others_are_refused(void)
{
    profile_close(fresh());
    alter("PRAGMA user_version = 99");
    expect_refused("schema 99");
    unlink(path);
    profile_close(fresh());
    alter("ALTER TABLE run ADD COLUMN more INTEGER");
    expect_refused("another version");
    unlink(path);
    alter("CREATE TABLE run (x)"); /* a database, but of somebody else */
    expect_refused("not a profile database");
    FILE *f = fopen(path, "w");
    fputs("plain text that is longer than the sixteen bytes of a header\n", f);
    fclose(f);
    expect_refused("not a database");
    unlink(path);
    struct err e = {""};
    CU_ASSERT_PTR_NULL(profile_open(path, false, &e)); /* not there, and not to be made */
    CU_ASSERT_NOT_EQUAL(access(path, F_OK), 0);
}

SUITE("profile", T(a_run_is_found_by_each_part_of_its_key),
      T(limits_are_over_the_kernels_of_a_sample), T(equal_contents_export_equal_bytes),
      T(values_come_back_exactly), T(files_of_others_are_refused))
