/* Targets: names, launch files fitted to their PTX, and two runs at once. */
#include "base/file.h"
#include "sim/frontend/target.h"
#include "tests/frontend/ptx.h"
#include "tests/suite.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char dir[] = "/tmp/t_target.XXXXXX";

static void write_text(const char *name, const char *text)
{
    char *path = xasprintf("%s/%s", dir, name);
    unlink(path); /* what was read is not written over */
    CU_ASSERT_TRUE(file_write(path, text, strlen(text), NULL));
    free(path);
}

/* A launch file over the test module: 40 words 0, 1, 2 ..., and what the issue calls args, checks.
 */
static char *launch_text(const char *kernel, const char *args, const char *checks)
{
    return xasprintf("module = \"test.ptx\";\n"
                     "buffers = ( { name = \"x\"; bytes = 160; iota = true; } );\n"
                     "launches = (\n"
                     "  { kernel = \"%s\"; grid = [2, 1, 1]; block = [32, 1, 1]; repeat = 2;\n"
                     "    args = ( %s ); } );\n"
                     "checks = ( %s );\n",
                     kernel, args, checks);
}

static struct target *open_launch(const char *kernel, const char *args, const char *checks,
                                  struct err *e)
{
    char *text = launch_text(kernel, args, checks);
    write_text("launch.cfg", text);
    free(text);
    return target_open(dir, NULL, e);
}

#define ARGS "{ buffer = \"x\"; }, { s32 = 1; },\n{ s32 = 1; }, { s32 = 40; }"

static void a_launch_file_runs_and_is_checked(void)
{
    struct err e = {""};
    /* twice: ((i + 1) * 2 + 1) * 2 = 4 i + 6 */
    struct target *t = open_launch(
        "scale", ARGS, "{ buffer = \"x\"; iota = { start = 6; step = 4; }; type = \"s32\"; }", &e);
    CU_ASSERT_PTR_NOT_NULL_FATAL(t);
    int launches = 0;
    struct executor x = {.launch = run_functionally, .self = &launches};
    CU_ASSERT_TRUE(target_run(t, &x, true, &e));
    CU_ASSERT_TRUE(target_run(t, &x, true, &e));
    CU_ASSERT_EQUAL(launches, 4);
    CU_ASSERT_STRING_EQUAL(target_name(t), dir);
    CU_ASSERT_FALSE(target_input_of(t, &(struct target_input){0}));
    target_free(t);
    t = open_launch("scale", ARGS, "{ buffer = \"x\"; iota = 6; type = \"s32\"; }", &e);
    CU_ASSERT_PTR_NOT_NULL_FATAL(t);
    CU_ASSERT_TRUE(target_run(t, &x, false, &e));
    CU_ASSERT_FALSE(target_run(t, &x, true, &e));
    CU_ASSERT_PTR_NOT_NULL(strstr(e.msg, "launch.cfg:7: check of buffer 'x' failed at index 1: "
                                         "found 10, expected 7 (39 of 40 elements differ)"));
    target_free(t);
}

static void launches_must_fit_their_kernel(void)
{
    static const struct {
        const char *kernel, *args;
        int line;
        const char *msg;
    } cases[] = {
        {"scal", ARGS, 4, "test.ptx has no kernel 'scal'; did you mean scale?"},
        {"scale", "{ buffer = \"x\"; }", 4, "kernel 'scale' takes 4 arguments, 1 are given"},
        {"bad", ARGS, 4, "kernel 'bad' takes 0 arguments, 4 are given"},
        {"scale", "{ buffer = \"x\"; }, { s64 = 1; },\n{ s32 = 1; }, { s32 = 40; }", 5,
         "argument 2 of 'scale' is s64, 8 bytes; its parameter offset has 4"},
        {"scale", "{ buffer = \"x\"; }, { buffer = \"x\"; },\n{ s32 = 1; }, { s32 = 40; }", 5,
         "argument 2 of 'scale' is a buffer, 8 bytes; its parameter offset has 4"},
        {"scale", "{ buffer = \"x\"; }, { s32 = 1; },\n{ f32 = 1; }, { s32 = 40; }", 6,
         "argument 3 of 'scale' is f32, its parameter gain is .s32"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct err e = {""};
        struct target *t = open_launch(cases[i].kernel, cases[i].args, "", &e);
        char *place = xasprintf("%s/launch.cfg:%d: ", dir, cases[i].line);
        CU_ASSERT_PTR_NULL(t);
        CU_ASSERT_TRUE(!strncmp(e.msg, place, strlen(place)));
        CU_ASSERT_PTR_NOT_NULL(strstr(e.msg, cases[i].msg));
        free(place);
        target_free(t);
    }
}

/* PTX 1.x and .address_size 32: a pointer has 4 bytes. */
static void a_buffer_is_a_pointer_of_32_bits_there(void)
{
    struct err e = {""};
    write_text("own.ptx",
               ".version 1.4\n.target sm_10\n.entry k(.param .u32 n, .param .u32 o)\n"
               "{ .reg .u32 %r<5>; ld.param.u32 %r1, [o]; cvt.u32.u16 %r2, %tid.x;\n"
               "mul24.lo.u32 %r3, %r2, 4; add.u32 %r1, %r1, %r3; ld.param.u32 %r4, [n];\n"
               "add.u32 %r2, %r2, %r4; st.global.u32 [%r1+0], %r2; exit; }\n");
    write_text("own.cfg", "module = \"own.ptx\";\n"
                          "buffers = ( { name = \"x\"; bytes = 260; zero = true; } );\n"
                          "launches = ( { kernel = \"k\"; grid = [1, 1, 1]; block = [64, 1, 1];\n"
                          "args = ( { u32 = 1; }, { buffer = \"x\"; offset = 4; } ); } );\n"
                          "checks = ( { buffer = \"x\"; iota = true; type = \"u32\"; } );\n");
    char *path = xasprintf("%s/own.cfg", dir);
    struct target *t = target_open(path, NULL, &e);
    CU_ASSERT_PTR_NOT_NULL_FATAL(t);
    CU_ASSERT_TRUE(target_run(t, &functional, true, &e));
    CU_ASSERT_STRING_EQUAL(e.msg, "");
    target_free(t);
    free(path);
}

/* Opens and runs a launch of kernel k in a module of its own; the message. */
static const char *complaint(const char *ptx)
{
    static char msg[sizeof((struct err *)0)->msg];
    struct err e = {""};
    write_text("own.ptx", ptx);
    write_text("own.cfg", "module = \"own.ptx\";\nlaunches = (\n"
                          "{ kernel = \"k\"; grid = [1, 1, 1]; block = [64, 1, 1]; } );\n");
    char *path = xasprintf("%s/own.cfg", dir);
    struct target *t = target_open(path, NULL, &e);
    if (t)
        target_run(t, &functional, true, &e);
    target_free(t);
    free(path);
    memcpy(msg, e.msg, sizeof msg);
    return msg;
}
#define PTX_HEAD ".version 6.0\n.target sm_70\n.address_size 64\n"

static void modules_that_can_not_be_run(void)
{
    CU_ASSERT_STRING_EQUAL(complaint(PTX_HEAD ".entry k() { ret; }\n"), "");
    CU_ASSERT_PTR_NOT_NULL(strstr(complaint(PTX_HEAD ".entry k()\n .maxntid 32, 1, 1\n{ ret; }\n"),
                                  "own.cfg:3: kernel k: block of 64 threads, but .maxntid"));
    CU_ASSERT_PTR_NOT_NULL(
        strstr(complaint(PTX_HEAD ".extern .global .align 4 .u32 far;\n.entry k() { ret; }\n"),
               "own.ptx: variable 'far' is declared .extern and defined nowhere"));
    CU_ASSERT_PTR_NOT_NULL(strstr(complaint(PTX_HEAD ".entry k( {\n"), "own.ptx:4:"));
    CU_ASSERT_PTR_NOT_NULL(
        strstr(complaint(PTX_HEAD ".entry k()\n{\nbra NOWHERE;\n}\n"), "own.ptx:6:"));
    static const char *const names[] = {"own.cfg", "own.ptx"};
    for (int i = 0; i < 2; i++) {
        char *path = xasprintf("%s/%s", dir, names[i]);
        unlink(path);
        free(path);
    }
}

static void a_module_that_is_not_there(void)
{
    struct err e = {""};
    write_text("launch.cfg", "\nmodule = \"none.ptx\";\nlaunches = ( { kernel = \"k\"; "
                             "grid = [1, 1, 1]; block = [1, 1, 1]; } );\n");
    CU_ASSERT_PTR_NULL(target_open(dir, NULL, &e));
    CU_ASSERT_PTR_NOT_NULL(strstr(e.msg, "launch.cfg:2: "));
    CU_ASSERT_PTR_NOT_NULL(strstr(e.msg, "none.ptx: No such file or directory"));
}

static void more_than_the_address_space_is_refused_by_line(void)
{
    struct err e = {""};
    write_text("launch.cfg",
               "module = \"test.ptx\";\nbuffers = (\n"
               "{ name = \"a\"; bytes = 1099511627776; zero = true; },\n"
               "{ name = \"b\"; bytes = 1099511627776; zero = true; } );\n"
               "launches = ( { kernel = \"bad\"; grid = [1, 1, 1]; block = [1, 1, 1]; } );\n");
    struct target *t = target_open(dir, NULL, &e);
    CU_ASSERT_PTR_NOT_NULL_FATAL(t);
    CU_ASSERT_FALSE(target_run(t, &functional, true, &e));
    CU_ASSERT_PTR_NOT_NULL(strstr(e.msg, "no room for buffer"));
    target_free(t);
}

static void a_fault_comes_back_in_full(void)
{
    struct err e = {""};
    struct target *t = open_launch("bad", "", "", &e);
    CU_ASSERT_PTR_NOT_NULL_FATAL(t);
    CU_ASSERT_FALSE(target_run(t, &functional, true, &e));
    CU_ASSERT_PTR_NOT_NULL(strstr(e.msg, "kernel bad, "));
    CU_ASSERT_PTR_NOT_NULL(strstr(e.msg, "test.ptx:"));
    CU_ASSERT_PTR_NOT_NULL(strstr(e.msg, "0x40"));
    target_free(t);
}

static void names_that_do_not_exist(void)
{
    static const char *const cases[][2] = {
        {"vecad",
         "'vecad' is no launch file, no trace and no bundled workload; did you mean vecadd?"},
        {"bfs:huge", "workload 'bfs' has no size 'huge'; its sizes: small, medium, paper"},
        {"no/such.cfg", "'no/such.cfg' is no launch file, no trace and no bundled workload"},
        {"data/workloads/bfs/bfs.ptx", "is PTX; name a launch file"},
        {"data/workloads", "data/workloads/launch.cfg: No such file or directory"},
        {"/dev/zero", "/dev/zero: not a regular file"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct err e = {""};
        CU_ASSERT_PTR_NULL(target_open(cases[i][0], NULL, &e));
        CU_ASSERT_PTR_NOT_NULL(strstr(e.msg, cases[i][1]));
        if (!strstr(e.msg, cases[i][1]))
            printf("\n  %s: %s\n", cases[i][0], e.msg);
    }
}

static void expect_refused(const char *name, struct target_input in, const char *why)
{
    struct err e = {""};
    CU_ASSERT_PTR_NULL(target_open(name, &in, &e));
    CU_ASSERT_PTR_NOT_NULL(strstr(e.msg, why));
}

static void inputs_that_a_target_does_not_take(void)
{
    expect_refused("vecadd", (struct target_input){.warps = 4}, "takes no --warps-per-cta");
    expect_refused("vecadd", (struct target_input){.order = "shuffled"}, "takes no --order");
    write_text("launch.cfg", "module = \"test.ptx\";\nlaunches = (\n"
                             "{ kernel = \"bad\"; grid = [1, 1, 1]; block = [1, 1, 1]; } );\n");
    expect_refused(dir, (struct target_input){.seeded = true}, "takes no --seed");
    expect_refused(dir, (struct target_input){.order = "natural"}, "takes no --order");
    expect_refused(dir, (struct target_input){.warps = 1}, "takes no --warps-per-cta");
}

static bool count_kernel(void *user, const struct kernel *k, struct err *e)
{
    (void)e;
    int *n = user;
    ++*n;
    return k->ninst > 0;
}

static void the_kernels_of_a_launch_file_come_once_each(void)
{
    struct err e = {""};
    write_text("launch.cfg", "module = \"test.ptx\";\nlaunches = (\n"
                             "{ kernel = \"bad\"; grid = [1, 1, 1]; block = [1, 1, 1]; },\n"
                             "{ kernel = \"bad\"; grid = [2, 1, 1]; block = [1, 1, 1]; } );\n");
    struct target *t = target_open(dir, NULL, &e);
    CU_ASSERT_PTR_NOT_NULL_FATAL(t);
    int kernels = 0;
    CU_ASSERT_TRUE(target_kernels(t, count_kernel, &kernels, &e));
    CU_ASSERT_EQUAL(kernels, 1);
    target_free(t);
}

static void *run_in_thread(void *target)
{
    struct err e;
    for (int i = 0; i < 3; i++)
        if (!target_run(target, &functional, true, &e))
            return target;
    return NULL;
}

static void targets_run_in_threads_at_once(void)
{
    struct err e;
    struct target *shared = open_launch(
        "scale", ARGS, "{ buffer = \"x\"; iota = { start = 6; step = 4; }; type = \"s32\"; }", &e);
    struct target *vecadd = target_open("vecadd", NULL, &e);
    CU_ASSERT_PTR_NOT_NULL_FATAL(shared);
    CU_ASSERT_PTR_NOT_NULL_FATAL(vecadd);
    pthread_t thread[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&thread[i], NULL, run_in_thread, i % 2 ? shared : vecadd);
    for (int i = 0; i < 4; i++) {
        void *failed;
        pthread_join(thread[i], &failed);
        CU_ASSERT_PTR_NULL(failed);
    }
    target_free(shared);
    target_free(vecadd);
}

static void prepare(void)
{
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(dir));
    write_text("test.ptx", test_ptx);
}

static void clean_up(void)
{
    static const char *const names[] = {"launch.cfg", "test.ptx"};
    for (int i = 0; i < 2; i++) {
        char *path = xasprintf("%s/%s", dir, names[i]);
        CU_ASSERT_EQUAL(unlink(path), 0);
        free(path);
    }
    CU_ASSERT_EQUAL(rmdir(dir), 0);
}

SUITE("targets", T(prepare), T(a_launch_file_runs_and_is_checked),
      T(launches_must_fit_their_kernel), T(a_buffer_is_a_pointer_of_32_bits_there),
      T(modules_that_can_not_be_run), T(a_module_that_is_not_there),
      T(more_than_the_address_space_is_refused_by_line),
      T(the_kernels_of_a_launch_file_come_once_each), T(a_fault_comes_back_in_full),
      T(names_that_do_not_exist), T(inputs_that_a_target_does_not_take),
      T(targets_run_in_threads_at_once), T(clean_up))
