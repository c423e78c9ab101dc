/* A parameter that is a name lists its choices; each of them is taken, and no other word is. */
#include "sim/gpu/gpu_choices.h"

#include <string.h>

#include "sim/gpu/gpu_cfg.h"
#include "tests/suite.h"

static bool takes(const char *parameter, const char *word)
{
    struct gpu_cfg cfg;
    char assignment[128];
    gpu_cfg_default(&cfg);
    snprintf(assignment, sizeof assignment, "%s=%s", parameter, word);
    return params_set(gpu_cfg_groups(), &cfg, assignment, NULL) && gpu_cfg_check(&cfg, NULL);
}

static void every_name_has_choices_that_are_taken(void)
{
    int names = 0;
    for (const struct param_group *g = gpu_cfg_groups(); g->rows; g++)
        for (int i = 0; i < g->nrows; i++) {
            char name[PARAM_NAME_LEN];
            params_name(g, &g->rows[i], name);
            if (g->rows[i].type != PARAM_STR) {
                CU_ASSERT_PTR_NULL(gpu_choice(name, 0));
                continue;
            }
            names++;
            CU_ASSERT_PTR_NOT_NULL(gpu_choice(name, 1));
            for (int k = 0; gpu_choice(name, k); k++)
                if (strcmp(name, "icnt.topology") != 0 || strcmp(gpu_choice(name, k), "mesh") != 0)
                    CU_ASSERT_TRUE(takes(name, gpu_choice(name, k)));
            CU_ASSERT_FALSE(takes(name, "nosuch"));
        }
    CU_ASSERT_EQUAL(names, 10);
    CU_ASSERT_PTR_NULL(gpu_choice("nosuch", 0));
}

SUITE("gpu choices", T(every_name_has_choices_that_are_taken))
