/* The numbers by which sampling goes: their table, their file, and that they are what counts. */
#include "sampler/sampling.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sampler/pilot/scale_model.h"
#include "sampler/profile/launch_cluster.h"
#include "sampler/profile/launch_facts.h"
#include "sim/gpu/gpu_cfg.h"
#include "tests/suite.h"

static void the_file_has_the_tables_values(void)
{
    struct sampling s;
    struct err e;
    CU_ASSERT_TRUE_FATAL(sampling_load(&s, &e));
    char *file = params_dump(sampling_groups, &s),
         *table = params_dump(sampling_groups, sampling_or_default(NULL));
    CU_ASSERT_STRING_EQUAL(file, table);
    CU_ASSERT_PTR_EQUAL(sampling_or_default(&s), &s);
    free(file);
    free(table);
}

/* data/coefficients/sampling.cfg of a folder that only this test has. */
static bool load_text(const char *text, struct sampling *s, struct err *e)
{
    char dir[] = "/tmp/mdp_sampling_XXXXXX", path[128];
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(dir));
    snprintf(path, sizeof path, "%s/coefficients", dir);
    CU_ASSERT_EQUAL_FATAL(mkdir(path, 0700), 0);
    snprintf(path, sizeof path, "%s/coefficients/sampling.cfg", dir);
    FILE *f = fopen(path, "w");
    fputs(text, f);
    fclose(f);
    const char *before = getenv("MDPREDICT_DATA");
    char *keep = before ? strdup(before) : NULL;
    setenv("MDPREDICT_DATA", dir, 1);
    const bool ok = sampling_load(s, e);
    if (keep)
        setenv("MDPREDICT_DATA", keep, 1);
    else
        unsetenv("MDPREDICT_DATA");
    free(keep);
    unlink(path);
    *strrchr(path, '/') = '\0';
    rmdir(path);
    rmdir(dir);
    return ok;
}

static void what_the_file_says_counts(void)
{
    struct sampling s;
    struct err e;
    CU_ASSERT_TRUE_FATAL(
        load_text("pilot = { cut_waves = 3; };\nsimilarity = { camping = 0.5; };\n", &s, &e));
    CU_ASSERT_EQUAL(s.pilot.cut_waves, 3);
    CU_ASSERT_EQUAL(s.similarity.camping, 0.5);
    CU_ASSERT_EQUAL(s.pilot.cut_whole, sampling_or_default(NULL)->pilot.cut_whole);
    CU_ASSERT_FALSE(load_text("\npilot = { cut_wave = 3; };\n", &s, &e));
    CU_ASSERT_PTR_NOT_NULL(strstr(e.msg, "sampling.cfg:2: "));
    CU_ASSERT_PTR_NOT_NULL(strstr(e.msg, "cut_waves"));
    CU_ASSERT_FALSE(load_text("waits = { part = 1.5; };\n", &s, &e));
    CU_ASSERT_PTR_NOT_NULL(strstr(e.msg, "sampling.cfg:1: "));
}

/* 12 of 16 cores where a partition may grow by a half, all but two quarters else. */
static void the_largest_scaling_sets_the_slice(void)
{
    struct gpu_cfg full;
    struct err e;
    struct pilot_params by = sampling_or_default(NULL)->pilot;
    gpu_cfg_default(&full);
    CU_ASSERT_TRUE_FATAL(params_set(gpu_cfg_groups(), &full, "cores=14", &e));
    full.mem.partition.count = 6;
    const int usual = scale_model_slice(&full, &by);
    by.most_scaling = 1;
    CU_ASSERT_TRUE(scale_model_slice(&full, &by) > usual);
}

static struct launch_facts facts_by(const struct similarity_params *by)
{
    uint64_t insts[16];
    struct launch_watch look = {.cta_insts = insts};
    const struct func_counts n = {.ctas = 16, .warp_insts = 16 * 100 + 80};
    for (int i = 0; i < 16; i++)
        insts[i] = i < 4 ? 120 : 100;
    return launch_facts_of(&n, &look, by);
}

/* The first quarter is a fifth longer than the rest. */
static void the_difference_of_lengths_makes_a_launch_uneven(void)
{
    struct similarity_params by = sampling_or_default(NULL)->similarity;
    CU_ASSERT_FALSE(facts_by(&by).uneven);
    by.length = 0.1;
    CU_ASSERT_TRUE(facts_by(&by).uneven);
    by.first_from = by.first_to = 1; /* no first part is compared */
    CU_ASSERT_FALSE(facts_by(&by).uneven);
}

SUITE("sampler/sampling", T(the_file_has_the_tables_values), T(what_the_file_says_counts),
      T(the_largest_scaling_sets_the_slice), T(the_difference_of_lengths_makes_a_launch_uneven))
