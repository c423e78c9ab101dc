/* sim/ptx/target.c -- versions of PTX, and from which on each .target is there (PTX ISA, release
 * notes; ptxas 13.0). */
#include <stdlib.h>
#include <string.h>

#include "sim/ptx/module_int.h"

#define NEWEST 90 /* PTX 9.0 */

/* The last minor version of each major one, which all begin at 0. */
static const uint8_t last_minor[] = {0, 5, 3, 2, 3, 0, 5, 8, 8, 0};

static bool version_exists(int version)
{
    const int major = version / 10;
    return major >= 1 && version <= NEWEST && version % 10 <= last_minor[major];
}

static const struct target {
    const char *name;
    uint8_t version;
} targets[] = {
    {"sm_10", 10},   {"sm_11", 10},   {"sm_12", 12},   {"sm_13", 12},   {"sm_20", 20},
    {"sm_21", 20},   {"sm_30", 30},   {"sm_32", 40},   {"sm_35", 31},   {"sm_37", 41},
    {"sm_50", 40},   {"sm_52", 41},   {"sm_53", 42},   {"sm_60", 50},   {"sm_61", 50},
    {"sm_62", 50},   {"sm_70", 60},   {"sm_72", 61},   {"sm_75", 63},   {"sm_80", 70},
    {"sm_82", 62},   {"sm_86", 71},   {"sm_87", 74},   {"sm_88", 73},   {"sm_89", 78},
    {"sm_90", 78},   {"sm_90a", 80},  {"sm_100", 86},  {"sm_100a", 86}, {"sm_100f", 88},
    {"sm_101", 86},  {"sm_101a", 86}, {"sm_101f", 88}, {"sm_103", 88},  {"sm_103a", 88},
    {"sm_103f", 88}, {"sm_110", 90},  {"sm_110a", 90}, {"sm_110f", 90}, {"sm_120", 87},
    {"sm_120a", 87}, {"sm_120f", 88}, {"sm_121", 88},  {"sm_121a", 88}, {"sm_121f", 88},
};

static bool is_option(const char *word)
{
    static const char *const options[] = {"texmode_unified", "texmode_independent", "debug",
                                          "map_f64_to_f32"};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (!strcmp(options[i], word))
            return true;
    return false;
}

static const struct target *find(const char *word)
{
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
        if (!strcmp(targets[i].name, word))
            return &targets[i];
    return NULL;
}

static bool check_word(const struct module *m, const char *word, bool *machine, struct err *e)
{
    const struct target *t = find(word);
    if (is_option(word))
        return true;
    if (!t)
        return module_err(m, m->target_at, e, ".target %s is unknown to mdpredict", word);
    *machine = true;
    if (m->version < t->version)
        return module_err(m, m->target_at, e, "PTX .version %d.%d does not have .target %s",
                          m->version / 10, m->version % 10, word);
    return true;
}

bool target_check(const struct module *m, struct err *e)
{
    const struct loc start = {1, 1};
    bool machine = false;
    if (!m->version)
        return module_err(m, start, e, "the .version is missing");
    if (!version_exists(m->version))
        return module_err(m, m->version_at, e,
                          "PTX .version %d.%d is unknown to mdpredict; the newest is %d.%d",
                          m->version / 10, m->version % 10, NEWEST / 10, NEWEST % 10);
    if (!m->ntargets)
        return module_err(m, start, e, "the .target is missing");
    for (int i = 0; i < m->ntargets; i++)
        if (!check_word(m, m->targets[i]->text, &machine, e))
            return false;
    return machine || module_err(m, m->target_at, e, ".target names no machine");
}
