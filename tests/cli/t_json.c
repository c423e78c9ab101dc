/* What scripts outside the project read: the JSON of each command, key by key. */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/err.h"
#include "base/stats.h"
#include "tests/suite.h"

static json_t *result_with(const char *args, int exit_code)
{
    const char *program = getenv("MDPREDICT");
    char *command = xasprintf("%s %s", program ? program : "./mdpredict", args);
    FILE *f = popen(command, "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    json_error_t why;
    json_t *v = json_loadf(f, 0, &why);
    if (!v)
        printf("\n  %s: line %d: %s\n", command, why.line, why.text);
    const int status = pclose(f);
    CU_ASSERT(WIFEXITED(status) && WEXITSTATUS(status) == exit_code);
    free(command);
    CU_ASSERT_PTR_NOT_NULL_FATAL(v);
    return v;
}

static json_t *result_of(const char *args)
{
    return result_with(args, 0);
}

static double number(const json_t *o, const char *key)
{
    const json_t *v = json_object_get(o, key);
    if (!json_is_number(v))
        printf("\n  no number \"%s\"", key);
    CU_ASSERT_TRUE(json_is_number(v));
    return json_number_value(v);
}

static void has_every_statistic(const json_t *o)
{
    for (const struct stat_row *r = run_counter_rows; r->name; r++)
        number(o, r->name);
    for (const struct stat_row *r = run_rate_rows; r->name; r++)
        number(o, r->name);
    number(o, "host_seconds");
    number(o, "n");
}

static void run_is_one_object_with_its_launches(void)
{
    json_t *v = result_of("run bfs --json -n 2");
    has_every_statistic(v);
    CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(v, "target")), "bfs");
    CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(v, "gpu")), "yen2014");
    CU_ASSERT_EQUAL(number(v, "n"), 2);
    const json_t *kernels = json_object_get(v, "kernels"), *k;
    CU_ASSERT_FATAL(json_array_size(kernels) > 1);
    double cycles = 0, insts = 0;
    size_t i;
    json_array_foreach(kernels, i, k)
    {
        has_every_statistic(k);
        CU_ASSERT_TRUE(json_is_string(json_object_get(k, "kernel")));
        CU_ASSERT_EQUAL(number(k, "launch"), (double)i);
        cycles += number(k, "cycles");
        insts += number(k, "thread_insts");
    }
    CU_ASSERT_EQUAL(number(v, "cycles"), cycles);
    CU_ASSERT_EQUAL(number(v, "thread_insts"), insts);
    CU_ASSERT_DOUBLE_EQUAL(number(v, "ipc"), insts / cycles, 1e-9);
    json_decref(v);
}

static void search_is_an_array_by_n(void)
{
    json_t *v = result_of("search vecadd --json --set max_ctas=3 --set cores=2"), *r;
    CU_ASSERT_EQUAL_FATAL(json_array_size(v), 3);
    size_t i;
    json_array_foreach(v, i, r)
    {
        has_every_statistic(r);
        CU_ASSERT_EQUAL(number(r, "n"), (double)i + 1);
        CU_ASSERT_EQUAL(number(r, "ctas"), 320);
    }
    json_decref(v);
}

static void functional_and_detailed_runs_count_the_same_instructions(void)
{
    json_t *f = result_of("run nbf --functional --json"), *d = result_of("run nbf --json");
    CU_ASSERT_EQUAL(number(f, "warp_insts"), number(d, "warp_insts"));
    CU_ASSERT_EQUAL(number(f, "thread_insts"), number(d, "thread_insts"));
    json_decref(f);
    json_decref(d);
}

static bool truth(const json_t *o, const char *key)
{
    const json_t *v = json_object_get(o, key);
    CU_ASSERT_TRUE(json_is_boolean(v));
    return json_is_true(v);
}

/* Parts, "other" among them, add up to the CPU time of the whole; names are not counted on. */
static void has_a_price(const json_t *o, bool estimated)
{
    const json_t *v;
    const char *name;
    double sum = 0;
    json_object_foreach(json_object_get(o, "answer_parts"), name, v)
    {
        CU_ASSERT(json_number_value(v) >= 0);
        sum += json_number_value(v);
    }
    CU_ASSERT(number(o, "answer_seconds") > 0 && number(o, "simulation_seconds") > 0);
    CU_ASSERT_DOUBLE_EQUAL(sum, number(o, "answer_seconds"), 1e-9);
    CU_ASSERT_EQUAL(truth(o, "simulation_seconds_estimated"), estimated);
}

/* Adds every key of an object, and of what is in it, to the set: an object itself. */
static void add_keys(const json_t *v, json_t *set)
{
    const char *key;
    const json_t *item;
    size_t i;
    if (json_is_array(v))
        json_array_foreach(v, i, item) add_keys(item, set);
    json_object_foreach((json_t *)v, key, item)
    {
        json_object_set_new(set, key, json_true());
        if (strcmp(key, "answer_parts") != 0) /* are by name what a command measures */
            add_keys(item, set);
    }
}

static void are_all_in(const json_t *set, const json_t *other, const char *where)
{
    const char *key;
    const json_t *v;
    json_object_foreach((json_t *)set, key, v)
    {
        if (!json_object_get(other, key))
            printf("\n  %s does not have \"%s\"", where, key);
        CU_ASSERT_PTR_NOT_NULL(json_object_get(other, key));
    }
}

static bool is_of(const json_t *key, const char *what)
{
    return strcmp(json_string_value(json_object_get(key, "of")), what) == 0;
}

static void other_keys_are_those_of_run_and_compare(void)
{
    json_t *keys = result_of("list keys --json"), *printed = json_object(), *listed = json_object();
    json_t *run = result_of("run vecadd --json --interval 100 --hot"),
           *race = result_with("run tests/data/race/shift.cfg --race --json 2>/dev/null", 1),
           *compare = result_of("compare vecadd --json");
    const json_t *k;
    size_t i;
    add_keys(run, printed);
    add_keys(race, printed);
    add_keys(compare, printed);
    json_array_foreach(keys, i, k) if (is_of(k, "other"))
        json_object_set_new(listed, json_string_value(json_object_get(k, "name")), json_true());
    CU_ASSERT(json_object_size(listed) > 5);
    are_all_in(listed, printed, "run and compare --json");
    json_decref(keys);
    json_decref(printed);
    json_decref(listed);
    json_decref(run);
    json_decref(race);
    json_decref(compare);
}

static void list_keys_names_what_sample_prints_and_no_other(void)
{
    json_t *models = result_of("list models --json"), *keys = result_of("list keys --json");
    json_t *listed = json_object(), *printed = json_object();
    const json_t *m, *k;
    size_t i;
    json_array_foreach(keys, i, k) /* those of programs: tests/cuda/host.sh */
        if (!is_of(k, "program") && !is_of(k, "other") && !is_of(k, "statistic") &&
            !is_of(k, "command"))
            json_object_set_new(listed, json_string_value(json_object_get(k, "name")), json_true());
    json_array_foreach(models, i, m)
    {
        char *args = xasprintf("sample backprop --json --explain --ctas 2 --model %s",
                               json_string_value(json_object_get(m, "name")));
        json_t *v = result_of(args);
        add_keys(v, printed);
        json_decref(v);
        free(args);
    }
    CU_ASSERT(json_object_size(listed) > 70);
    are_all_in(printed, listed, "list keys");
    are_all_in(listed, printed, "sample --json");
    json_decref(models);
    json_decref(keys);
    json_decref(listed);
    json_decref(printed);
}

static double cpu_of_children(void)
{
    struct rusage u;
    getrusage(RUSAGE_CHILDREN, &u);
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

/* What it says that it took is what the kernel says that it took: all but the printing, some
 * milliseconds. Sanitizers check for leaks at the end, which takes longer. */
static void sample_takes_the_cpu_time_that_it_says(void)
{
    const double before = cpu_of_children();
    json_t *v = result_of("sample nbf --json --effort window -j 2");
    const double took = cpu_of_children() - before;
    CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(v, "effort")), "window");
    has_a_price(v, true);
    CU_ASSERT(number(v, "answer_seconds") <= took + 0.01);
    CU_ASSERT(number(v, "answer_seconds") >= 0.8 * took - 0.1);
    json_decref(v);
}

/* A window alone can't tell degrees apart that pilots can. */
static void what_is_undecided_is_told(void)
{
    json_t *window = result_of("sample spmv --json --effort window"),
           *thorough = result_of("sample spmv --json --effort thorough");
    const json_t *many = json_object_get(window, "undecided"),
                 *few = json_object_get(thorough, "undecided");
    CU_ASSERT_TRUE(json_is_array(many) && json_is_array(few));
    CU_ASSERT(json_array_size(many) > json_array_size(few));
    for (size_t i = 0; i < json_array_size(many); i++) {
        const double n = json_number_value(json_array_get(many, i));
        CU_ASSERT(n >= 1 && n <= number(window, "n_max") && n != number(window, "chosen_n"));
    }
    json_decref(window);
    json_decref(thorough);
}

static void sample_has_an_interval_of_its_gain(void)
{
    json_t *v = result_of("sample nbf --json"), *d = result_of("sample vecadd --json");
    const json_t *ipc = json_object_get(v, "predicted_ipc");
    const double chosen = json_number_value(json_array_get(ipc, (size_t)number(v, "chosen_n") - 1)),
                 deflt = json_number_value(json_array_get(ipc, (size_t)number(v, "n_max") - 1));
    CU_ASSERT_DOUBLE_EQUAL(number(v, "predicted_gain"), chosen / deflt - 1, 1e-9);
    CU_ASSERT(number(v, "predicted_gain_low") < number(v, "predicted_gain"));
    CU_ASSERT(number(v, "predicted_gain_high") > number(v, "predicted_gain"));
    /* The default gains nothing over itself, for sure. */
    CU_ASSERT_EQUAL(number(d, "chosen_n"), number(d, "n_max"));
    CU_ASSERT_EQUAL(number(d, "predicted_gain_low"), 0);
    CU_ASSERT_EQUAL(number(d, "predicted_gain_high"), 0);
    json_decref(v);
    json_decref(d);
}

static void sample_has_choice_prediction_and_cost(void)
{
    json_t *v = result_of("sample vecadd --json");
    const json_t *ipc = json_object_get(v, "predicted_ipc");
    double n = number(v, "chosen_n");
    CU_ASSERT_EQUAL((double)json_array_size(ipc), number(v, "n_max"));
    CU_ASSERT(n >= 1 && n <= number(v, "n_max"));
    for (size_t i = 0; i < json_array_size(ipc); i++)
        CU_ASSERT(json_number_value(json_array_get(ipc, i)) <=
                  json_number_value(json_array_get(ipc, (size_t)n - 1)) * (1 + 1e-9));
    CU_ASSERT(number(v, "warp_insts") > 0);
    CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(v, "effort")), "quick");
    has_a_price(v, true);
    const json_t *k = json_array_get(json_object_get(v, "kernels"), 0);
    CU_ASSERT_EQUAL(number(k, "warps_per_cta"), 2);
    CU_ASSERT_EQUAL(number(k, "grid_ctas"), 320);
    CU_ASSERT_EQUAL(number(k, "dram_reads"), 4); /* two loads a warp, a line each */
    CU_ASSERT_EQUAL(number(k, "total_warp_insts"), 320 * number(k, "warp_insts"));
    json_decref(v);
}

static void compare_agrees_with_search_and_sample(void)
{
    json_t *v = result_of("compare vecadd --json"), *s = result_of("search vecadd --json"),
           *p = result_of("sample vecadd --json");
    CU_ASSERT_EQUAL_FATAL(json_array_size(v), 1);
    const json_t *c = json_array_get(v, 0), *ipc = json_object_get(c, "ipc");
    CU_ASSERT_EQUAL(number(c, "chosen_n"), number(p, "chosen_n"));
    CU_ASSERT_EQUAL(json_array_size(ipc), json_array_size(s));
    for (size_t i = 0; i < json_array_size(s); i++)
        CU_ASSERT_EQUAL(json_number_value(json_array_get(ipc, i)),
                        number(json_array_get(s, i), "ipc"));
    CU_ASSERT_DOUBLE_EQUAL(number(c, "kept"), number(c, "ipc_chosen") / number(c, "ipc_optimum"),
                           1e-9);
    CU_ASSERT_EQUAL(number(c, "default_n"), (double)json_array_size(s));
    CU_ASSERT_EQUAL(number(c, "sample_warp_insts"),
                    number(p, "warp_insts") + number(p, "memory_warp_insts"));
    has_a_price(c, false);
    CU_ASSERT(number(c, "search_seconds") > number(c, "simulation_seconds"));
    CU_ASSERT(number(c, "optimum_n") >= 1);
    json_decref(v);
    json_decref(s);
    json_decref(p);
}

/* What all instructions have of it: a number of a line, or of its "stalled". */
static double over_instructions(const json_t *run, const char *key)
{
    const json_t *k, *l;
    size_t i, n;
    double sum = 0;
    json_array_foreach(json_object_get(run, "hot"), i, k)
        json_array_foreach(json_object_get(k, "lines"), n, l)
    {
        const json_t *v = json_object_get(l, key);
        sum += number(v ? l : json_object_get(l, "stalled"), key);
    }
    return sum;
}

/* Nothing but what was added, and how long it took, is different. */
static void is_the_same_run(json_t *plain, json_t *counted)
{
    json_t *both[] = {plain, counted}, *k;
    size_t n;
    for (int i = 0; i < 2; i++) {
        json_object_del(both[i], "hot");
        json_object_del(both[i], "host_seconds");
        json_array_foreach(json_object_get(both[i], "kernels"), n, k)
            json_object_del(k, "host_seconds");
    }
    CU_ASSERT_TRUE(json_equal(plain, counted));
}

static void counts_by_instruction_add_up_to_the_run(void)
{
    static const char *const run[] = {"spmv",
                                      "histogram -g kayiran2013",
                                      "sgemm --warp-scheduler elf+newcar -g park2015",
                                      "kmeans --warp-scheduler two-level --cta-scheduler dyncta",
                                      "lud -n 1",
                                      "mum --warp-scheduler ccws"};
    static const char *const sum[][2] = {{"issued", "warp_insts"},
                                         {"thread_insts", "thread_insts"},
                                         {"l1d_accesses", "l1d_accesses"},
                                         {"l1d_misses", "l1d_misses"},
                                         {"conflict_cycles", "shared_conflict_cycles"},
                                         {"mem_dep", "sched_mem_dep"},
                                         {"mem_unit", "sched_mem_unit"},
                                         {"alu_dep", "sched_alu_dep"},
                                         {"alu_unit", "sched_alu_unit"},
                                         {"fetch", "sched_fetch"},
                                         {"policy", "sched_policy"}};
    for (size_t i = SANITIZED; i < sizeof run / sizeof *run; i += SANITIZED ? 2 : 1) {
        char *args = xasprintf("run %s --json", run[i]), *hot = xasprintf("%s --hot", args);
        json_t *plain = result_of(args), *counted = result_of(hot);
        for (size_t k = 0; k < sizeof sum / sizeof *sum; k++)
            CU_ASSERT_EQUAL(over_instructions(counted, sum[k][0]), number(plain, sum[k][1]));
        CU_ASSERT(over_instructions(counted, "barrier") <= number(plain, "sched_barrier"));
        is_the_same_run(plain, counted);
        json_decref(plain);
        json_decref(counted);
        free(args);
        free(hot);
    }
}

SUITE("json", T(counts_by_instruction_add_up_to_the_run), T(run_is_one_object_with_its_launches),
      T(search_is_an_array_by_n), T(functional_and_detailed_runs_count_the_same_instructions),
      T(sample_has_choice_prediction_and_cost), T(what_is_undecided_is_told),
      T(sample_has_an_interval_of_its_gain), T(sample_takes_the_cpu_time_that_it_says),
      T(list_keys_names_what_sample_prints_and_no_other),
      T(other_keys_are_those_of_run_and_compare), T(compare_agrees_with_search_and_sample))
