/* Linking PTX texts: externs, private names, weak definitions, .file numbers. */
#include "sim/ptx/link.h"

#include <stdlib.h>
#include <string.h>

#include "sim/ptx/module.h"
#include "tests/suite.h"

#define HEAD ".version 7.5\n.target sm_75\n.address_size 64\n"

static char *linked(const char *a, const char *b)
{
    const char *text[] = {a, b};
    struct err e;
    return ptx_link(text, 2, &e);
}

static int count(const char *in, const char *what)
{
    int n = 0;
    for (const char *p = in; (p = strstr(p, what)); p += strlen(what))
        n++;
    return n;
}

static void an_extern_function_is_found_in_the_other_text(void)
{
    char *all = linked(HEAD ".extern .func (.param .b32 r) twice (.param .b32 x);\n"
                            ".visible .entry k() { .reg .b32 %r<3>; { .param .b32 p0; "
                            "st.param.b32 [p0], 21; .param .b32 q0; call (q0), twice, (p0); "
                            "ld.param.b32 %r1, [q0]; } ret; }\n",
                       HEAD ".visible .func (.param .b32 r) twice (.param .b32 x)\n{ .reg .b32 "
                            "%r<3>; ld.param.b32 %r1, [x]; add.s32 %r2, %r1, %r1; "
                            "st.param.b32 [r], %r2; ret; }\n");
    CU_ASSERT_EQUAL(count(all, ".version"), 1);
    CU_ASSERT_EQUAL(count(all, ".target"), 1);
    struct err e = {""};
    struct module *m = module_parse("all.ptx", all, strlen(all), &e);
    CU_ASSERT_PTR_NOT_NULL_FATAL(m);
    struct kernel *k = kernel_get(m, "k", &e);
    CU_ASSERT_PTR_NOT_NULL(k);
    CU_ASSERT_EQUAL(k ? k->nfunc : 0, 2);
    module_free(m);
    free(all);
}

static void private_names_stay_apart_and_shared_ones_meet(void)
{
    char *all =
        linked(HEAD ".global .align 4 .u32 mine = 3;\n.extern .global .align 4 .u32 ours;\n"
                    ".visible .entry a() { .reg .b64 %rd<3>; mov.u64 %rd1, mine; "
                    "mov.u64 %rd2, ours; ret; }\n",
               HEAD ".global .align 4 .u32 mine = 5;\n.visible .global .align 4 .u32 ours;\n"
                    ".visible .entry b() { .reg .b64 %rd<3>; mov.u64 %rd1, mine; "
                    "mov.u64 %rd2, ours; ret; }\n");
    struct err e = {""};
    struct module *m = module_parse("all.ptx", all, strlen(all), &e);
    CU_ASSERT_PTR_NOT_NULL_FATAL(m);
    CU_ASSERT_EQUAL(module_nvars(m), 3); /* mine, mine, ours */
    const struct module_var *v = module_var_find(m, "ours");
    CU_ASSERT(v && !v->is_extern);
    v = module_var_find(m, "mine$t1");
    CU_ASSERT(v && v->init && v->init[0] == 5);
    CU_ASSERT_EQUAL(module_nentries(m), 2);
    module_free(m);
    free(all);
}

/* As often as it was made or kept. */
static void a_module_is_there_until_nobody_keeps_it(void)
{
    static const char text[] = HEAD ".visible .entry k() { ret; }\n";
    struct err e = {""};
    struct module *m = module_parse("k.ptx", text, strlen(text), &e);
    CU_ASSERT_PTR_NOT_NULL_FATAL(m);
    struct kernel *k = kernel_get(m, "k", &e);
    CU_ASSERT_PTR_NOT_NULL_FATAL(k);
    for (int kept = 0; kept < 2; kept++)
        module_keep(m);
    for (int kept = 0; kept < 2; kept++) {
        module_free(m);
        CU_ASSERT_STRING_EQUAL(k->name, "k");
        CU_ASSERT_PTR_EQUAL(kernel_get(k->module, "k", &e), k);
    }
    module_free(m);
}

static void of_weak_definitions_the_first_is_kept(void)
{
    static const char weak[] = ".weak .func f()\n{\n  // one }\n  ret;\n}\n";
    char a[500], b[500];
    snprintf(a, sizeof a, "%s%s.visible .entry a() { call f; ret; }\n", HEAD, weak);
    snprintf(b, sizeof b, "%s%s.visible .entry b() { call f; ret; }\n", HEAD, weak);
    char *all = linked(a, b);
    CU_ASSERT_EQUAL(count(all, ".weak .func f"), 1);
    /* Lines are kept: 9 a text, one between them, one behind. */
    CU_ASSERT_EQUAL(count(all, "\n"), 2 * 9 + 2);
    struct err e = {""};
    struct module *m = module_parse("all.ptx", all, strlen(all), &e);
    CU_ASSERT_PTR_NOT_NULL(m);
    module_free(m);
    free(all);
}

static void source_lines_are_told_apart(void)
{
    char *all = linked(HEAD ".visible .entry a()\n{\n.loc 1 7 0\nret;\n}\n.file 1 \"a.cu\"\n",
                       HEAD ".visible .entry b()\n{\n.loc 1 9 0\nret;\n}\n.file 1 \"b.cu\"\n");
    struct err e = {""};
    char text[100] = "";
    struct module *m = module_parse("all.ptx", all, strlen(all), &e);
    CU_ASSERT_PTR_NOT_NULL_FATAL(m);
    CU_ASSERT(module_source(m, 7, text, sizeof text)); /* the ret behind the .loc of line 6 */
    CU_ASSERT_STRING_EQUAL(text, "a.cu:7");
    CU_ASSERT(module_source(m, 17, text, sizeof text));
    CU_ASSERT_STRING_EQUAL(text, "b.cu:9");
    CU_ASSERT_FALSE(module_source(m, 4, text, sizeof text));
    module_free(m);
    free(all);
}

/* Line 6 was inlined where line 5 was, and that in line 7 of the kernel's own file; linked behind
 * another text, the numbers of files go on: 1 is 2 there, 2 is 3. */
/* 2^63 - 1 and the files of the text before are more than any number. */
static void a_file_number_beyond_all_is_refused(void)
{
    char *all = linked(HEAD ".visible .entry a()\n{\nret;\n}\n.file 1 \"a.cu\"\n",
                       HEAD ".visible .entry b()\n{\n.loc 9223372036854775807 9 0\nret;\n}\n");
    CU_ASSERT_PTR_NULL(strstr(all, "-9223372036854775808"));
    CU_ASSERT_PTR_NOT_NULL(strstr(all, ".loc 2147483648 "));
    free(all);
}

static void inlined_lines_name_the_line_that_holds_them(void)
{
    static const char inlined[] =
        HEAD ".visible .entry b()\n{\n.loc 2 50 3, function_name $i, inlined_at 1 7 9\n"
             ".loc 2 60 4, function_name $j, inlined_at 2 50 3\nret;\n}\n"
             ".func c()\n{\nret;\n}\n.file 1 \"b.cu\"\n.file 2 \"b.h\"\n";
    char *all = linked(HEAD ".visible .entry a()\n{\nret;\n}\n.file 1 \"a.cu\"\n", inlined);
    struct err e = {""};
    char text[100] = "";
    struct module *m = module_parse("all.ptx", all, strlen(all), &e);
    CU_ASSERT_PTR_NOT_NULL_FATAL(m);
    CU_ASSERT(module_source(m, 17, text, sizeof text));
    CU_ASSERT_STRING_EQUAL(text, "b.h:60, inlined at b.cu:7");
    CU_ASSERT(module_source(m, 15, text, sizeof text));
    CU_ASSERT_STRING_EQUAL(text, "b.h:50, inlined at b.cu:7");
    CU_ASSERT_FALSE(module_source(m, 21, text, sizeof text)); /* another function's */
    module_free(m);
    free(all);
}

SUITE("PTX linking", T(an_extern_function_is_found_in_the_other_text),
      T(private_names_stay_apart_and_shared_ones_meet),
      T(inlined_lines_name_the_line_that_holds_them), T(of_weak_definitions_the_first_is_kept),
      T(a_module_is_there_until_nobody_keeps_it), T(source_lines_are_told_apart),
      T(a_file_number_beyond_all_is_refused))
