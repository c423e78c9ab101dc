/* What loading says of PTX that an assembler would reject, and where it says so. */
#include "sim/frontend/cuda_async.h"
#include "sim/frontend/cuda_library.h"
#include "sim/frontend/session.h"
#include "tests/frontend/ptx.h"
#include "tests/suite.h"

#include <stdint.h>
#include <string.h>

#define OK(call)         CU_ASSERT_EQUAL_FATAL(call, CUDA_SUCCESS)
#define GIVES(call, res) CU_ASSERT_EQUAL(call, res)

#define HEAD    ".version 7.0\n.target sm_70\n.address_size 64\n"
#define BAD     HEAD ".entry k() { ret; }\n.entry l() { .reg .b32 %r<2>; add.u32 %r1, %x, 1; }\n"
#define MESSAGE "test.ptx:5:44: %x is not declared\n"

enum { INFO = 3, INFO_BYTES, ERRORS, ERROR_BYTES };

struct log {
    char info[16], errors[400];
    int options[4];
    void *values[4];
};

static void log_init(struct log *l, size_t room)
{
    *l = (struct log){.options = {INFO, INFO_BYTES, ERRORS, ERROR_BYTES}};
    memset(l->info, 'x', sizeof l->info);
    memset(l->errors, 'x', sizeof l->errors);
    l->values[0] = l->info;
    l->values[1] = (void *)sizeof l->info;
    l->values[2] = l->errors;
    l->values[3] = (void *)room;
}

static struct session *start(void)
{
    struct session *s = session_begin(&functional, "test.ptx");
    CUcontext ctx;
    OK(cuInit(0));
    OK(cuCtxCreate(&ctx, 0, 0));
    return s;
}

static void the_log_has_the_message_and_its_size(void)
{
    struct session *s = start();
    struct log l;
    CUmodule m;
    log_init(&l, sizeof l.errors);
    GIVES(cuModuleLoadDataEx(&m, BAD, 4, l.options, l.values), CUDA_ERROR_INVALID_PTX);
    CU_ASSERT_TRUE(!strncmp(l.errors, MESSAGE, strlen(MESSAGE)));
    CU_ASSERT_EQUAL((uintptr_t)l.values[3], strlen(l.errors));
    CU_ASSERT_STRING_EQUAL(l.info, "");
    CU_ASSERT_EQUAL((uintptr_t)l.values[1], 0);
    log_init(&l, 10); /* what does not fit is cut, and nothing behind it is touched */
    GIVES(cuModuleLoadDataEx(&m, BAD, 4, l.options, l.values), CUDA_ERROR_INVALID_PTX);
    CU_ASSERT_STRING_EQUAL(l.errors, "test.ptx:");
    CU_ASSERT_EQUAL((uintptr_t)l.values[3], 9);
    CU_ASSERT_EQUAL(l.errors[10], 'x');
    log_init(&l, sizeof l.errors);
    CUlibrary library;
    GIVES(cuLibraryLoadData(&library, BAD, l.options, l.values, 4, NULL, NULL, 0),
          CUDA_ERROR_INVALID_PTX);
    CU_ASSERT_TRUE(!strncmp(l.errors, MESSAGE, strlen(MESSAGE)));
    CU_ASSERT_EQUAL((uintptr_t)l.values[3], strlen(l.errors));
    log_init(&l, sizeof l.errors);
    OK(cuModuleLoadDataEx(&m, test_ptx, 4, l.options, l.values));
    CU_ASSERT_STRING_EQUAL(l.errors, "");
    CU_ASSERT_EQUAL((uintptr_t)l.values[3], 0);
    session_end(s, NULL);
}

static void the_linker_checks_each_input(void)
{
    static char good[] = HEAD ".extern .func other();\n.entry k() { call other, (); ret; }\n";
    static char bad[] = BAD;
    struct session *s = start();
    struct log whole, own;
    CUlinkState state;
    log_init(&whole, sizeof whole.errors);
    log_init(&own, sizeof own.errors);
    OK(cuLinkCreate(4, whole.options, whole.values, &state));
    OK(cuLinkAddData(state, 1, good, sizeof good, "good", 0, NULL, NULL));
    CU_ASSERT_STRING_EQUAL(whole.errors, "");
    GIVES(cuLinkAddData(state, 1, bad, sizeof bad, "bad", 4, own.options, own.values),
          CUDA_ERROR_INVALID_PTX);
    CU_ASSERT_TRUE(!strncmp(own.errors, MESSAGE, strlen(MESSAGE)));
    CU_ASSERT_STRING_EQUAL(whole.errors, own.errors);
    CU_ASSERT_EQUAL((uintptr_t)whole.values[3], strlen(whole.errors));
    OK(cuLinkDestroy(state));
    session_end(s, NULL);
}

/* Loading alone finds it: no kernel of the module is asked for. */
static void modules_that_no_assembler_takes_do_not_load(void)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {".target sm_70\n.entry k() { ret; }", "1:1: the .version is missing"},
        {".version 7.0\n.entry k() { ret; }", "1:1: the .target is missing"},
        {".version 9.5\n.target sm_70\n", "1:10: PTX .version 9.5 is unknown to mdpredict"},
        {".version 7.9\n.target sm_70\n", "1:10: PTX .version 7.9 is unknown to mdpredict"},
        {".version 7.0\n.target sm_33\n", "2:9: .target sm_33 is unknown to mdpredict"},
        {".version 7.0\n.target sm_90\n", "2:9: PTX .version 7.0 does not have .target sm_90"},
        {".version 8.0\n.target sm_100a\n", "2:9: PTX .version 8.0 does not have .target sm_100a"},
        {".version 7.0\n.target debug\n", "2:9: .target names no machine"},
        {HEAD ".entry k() { frobnicate.u32 a; }", "4:14: the instruction frobnicate is unknown"},
        {HEAD ".entry k() { .reg .f32 f; add.u32 f, f, f; }",
         "4:35: f is .f32; .u32 is needed here"},
        {HEAD ".entry k() { .reg .b32 r; add.u32 r, r; }", "4:27: add.u32 takes 3 operands, not 2"},
        {HEAD ".entry k() { L: ret; L: ret; }", "4:22: label L is there twice"},
        {HEAD ".entry k() { .reg .b32 r; .reg .b64 r; }", "4:37: r is declared twice"},
        {HEAD ".entry k() { ret; }\n.entry k() { ret; }", "5:8: k has a body already"},
        {HEAD ".entry k() { .reg .b32 r; redux.sync.add.s32 r, r, -1; }",
         "4:27: redux.sync.add.s32 needs .target sm_80 or later"},
        {".version 6.5\n.target sm_70\n.entry k() { .reg .b64 d; alloca.u64 d, d; }",
         "3:27: alloca.u64 needs PTX .version 7.3 or later"},
        {HEAD ".entry k() { .reg .b16 h; add.bf16 h, h, h; }",
         "4:27: add.bf16 needs PTX .version 7.8 or later"},
        {HEAD ".entry k(.param .u64 a) { .reg .b64 a; }", "4:37: a is declared twice"},
        {HEAD ".entry k() { .reg .b32 %r<4>; .reg .f32 %r2; }", "4:41: %r2 is declared twice"},
        {HEAD ".entry k() { .reg .f32 %r2; .reg .b32 %r<4>; }", "4:39: %r is declared twice"},
        {HEAD ".entry k(.param .u64 a[600]) { ret; }",
         "4:8: k has 4800 bytes of parameters, at most 4352"},
        {HEAD ".entry k() .maxntid 256 .reqntid 128 { ret; }", "4:8: k has .maxntid and .reqntid"},
        /* a function that no kernel calls */
        {HEAD ".func f() { bra L; }\n.entry k() { ret; }", "4:17: "},
    };
    struct session *s = start();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct log l;
        CUmodule m;
        char want[200];
        snprintf(want, sizeof want, "test.ptx:%s", cases[i].message);
        log_init(&l, sizeof l.errors);
        GIVES(cuModuleLoadDataEx(&m, cases[i].text, 4, l.options, l.values),
              CUDA_ERROR_INVALID_PTX);
        if (strncmp(l.errors, want, strlen(want)))
            printf("\nwanted %s\nfound  %s\n", want, l.errors);
        CU_ASSERT_TRUE(!strncmp(l.errors, want, strlen(want)));
    }
    session_end(s, NULL);
}

/* Each function is decoded by itself, with the variables that several share. */
static void functions_load_that_use_variables_of_the_module(void)
{
    static const char *const texts[] = {
        HEAD ".shared .b32 s;\n.func f() { st.shared.b32 [s], 0; ret; }\n"
             ".entry k() { call f, (); st.shared.b32 [s], 1; ret; }",
        HEAD ".local .b32 v;\n.func f() { st.local.b32 [v], 0; ret; }\n.entry k() { ret; }",
        HEAD ".extern .shared .b32 s[];\n.func f() { st.shared.b32 [s+4], 0; ret; }\n",
    };
    struct session *s = start();
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        CUmodule m;
        OK(cuModuleLoadData(&m, texts[i]));
    }
    session_end(s, NULL);
}

/* Calls of functions declared only, instructions that are known and not there: for the launch. */
static void what_is_only_not_supported_loads(void)
{
    static const char *const texts[] = {
        HEAD ".extern .func other();\n.entry k() { call other, (); ret; }",
        HEAD ".entry k() { .reg .b32 r; .reg .b64 d; sured.b.add.2d.u32.trap [d, {r, r}], r; }",
        HEAD ".entry k() { .reg .b32 %r<4>; { .reg .f32 %r2; } .reg .b32 %r4; }",
        HEAD ".func f();\n.entry k() { call f, (); }\n.func f() { call f, (); ret; }",
        ".version 1.4\n.target sm_13, map_f64_to_f32\n.entry k() { exit; }",
    };
    struct session *s = start();
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        CUmodule m;
        OK(cuModuleLoadData(&m, texts[i]));
    }
    session_end(s, NULL);
}

SUITE("loading PTX", T(the_log_has_the_message_and_its_size), T(the_linker_checks_each_input),
      T(modules_that_no_assembler_takes_do_not_load),
      T(functions_load_that_use_variables_of_the_module), T(what_is_only_not_supported_loads))
