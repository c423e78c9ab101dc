/* The grammar of launch files: what is taken, and the exact message for each mistake. Nothing is
 * read but the text. */
#include "sim/frontend/launch_file.h"
#include "sim/frontend/launch_impl.h"
#include "tests/suite.h"

#include <stdio.h>
#include <string.h>

#define HEAD "module = \"k.ptx\";\n"
#define BUF  "buffers = ( { name = \"a\"; bytes = 64; zero = true; } );\n"
#define RUN  "launches = ( { kernel = \"k\"; grid = [1, 1, 1]; block = [32, 1, 1]; } );\n"

struct bad {
    const char *text, *msg;
};

static void each_is_refused(const struct bad *cases, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct err e = {""};
        struct launch_file *f = launch_file_parse("l.cfg", cases[i].text, &e);
        if (f || strcmp(e.msg, cases[i].msg))
            printf("\n  for: %s\n  got: %s\n  not: %s\n", cases[i].text, e.msg, cases[i].msg);
        CU_ASSERT_PTR_NULL(f);
        CU_ASSERT_STRING_EQUAL(e.msg, cases[i].msg);
        launch_file_free(f);
    }
}
#define EACH_IS_REFUSED(cases) each_is_refused(cases, sizeof cases / sizeof *cases)

static void top_level_mistakes(void)
{
    static const struct bad cases[] = {
        {BUF RUN, "l.cfg:1: `module` is missing"},
        {HEAD BUF, "l.cfg:1: `launches` is missing"},
        {"module = 3;\n" RUN, "l.cfg:1: `module` is an integer, must be a string"},
        {"module = \"\";\n" RUN, "l.cfg:1: `module` is empty"},
        {HEAD "launches = ();\n", "l.cfg:2: `launches` is empty"},
        {HEAD "launches = [1];\n", "l.cfg:2: `launches` is an array [ ], must be a list ( )"},
        {HEAD "buffers = { };\n" RUN, "l.cfg:2: `buffers` is a group { }, must be a list ( )"},
        {HEAD "checks = 1;\n" RUN, "l.cfg:2: `checks` is an integer, must be a list ( )"},
        {HEAD RUN "check = ();\n", "l.cfg:3: unknown setting `check`; did you mean checks?"},
        {HEAD "buffers = (\n", "l.cfg:3: syntax error"},
    };
    EACH_IS_REFUSED(cases);
}

#define B(body) HEAD "buffers = (\n{ " body " } );\n" RUN
#define A(body) B("name = \"a\"; bytes = 64; " body)

static void buffer_mistakes(void)
{
    static const struct bad cases[] = {
        {HEAD "buffers = (\n 7 );\n" RUN, "l.cfg:3: element 0 of `buffers` is an integer, must be "
                                          "a group { }"},
        {B("bytes = 4; zero = true;"), "l.cfg:3: `name` is missing"},
        {B("name = \"\"; bytes = 4; zero = true;"), "l.cfg:3: `name` is empty"},
        {B("name = \"a\"; zero = true;"), "l.cfg:3: `bytes` is missing"},
        {B("name = \"a\"; bytes = 0; zero = true;"),
         "l.cfg:3: `bytes` = 0, allowed 1..1099511627776"},
        {B("name = \"a\"; bytes = -4; zero = true;"),
         "l.cfg:3: `bytes` = -4, allowed 1..1099511627776"},
        {B("name = \"a\"; bytes = 1.5; zero = true;"),
         "l.cfg:3: `bytes` is a number, must be an integer"},
        {B("name = \"a\"; byts = 4; zero = true;"),
         "l.cfg:3: unknown setting `byts`; did you mean bytes?"},
        {A(""), "l.cfg:3: one of file, zero, fill, random, iota, permutation, values is missing"},
        {A("zero = true;\n iota = true;"),
         "l.cfg:4: both `zero` and `iota`: one of them is to be given"},
        {A("zero = false;"), "l.cfg:3: `zero` can only be true"},
        {A("zero = 1;"), "l.cfg:3: `zero` is an integer, must be true or false"},
        {A("file = 1;"), "l.cfg:3: `file` is an integer, must be a string"},
        {A("file = \"\";"), "l.cfg:3: `file` is empty"},
        {A("zero = true; }, { name = \"a\"; bytes = 4; zero = true;"),
         "l.cfg:3: buffer 'a' is there already, line 3"},
    };
    EACH_IS_REFUSED(cases);
}

static void generator_mistakes(void)
{
    static const struct bad cases[] = {
        {A("fill = \"x\";"), "l.cfg:3: `fill` is a string, must be an integer"},
        {A("fill = 3000000000;"), "l.cfg:3: `fill` = 3000000000, allowed -2147483648..2147483647"},
        {A("fill = 256; type = \"u8\";"), "l.cfg:3: `fill` = 256, allowed 0..255"},
        {A("fill = 1e39;"), "l.cfg:3: `fill` = 1e+39, allowed -3.40282e+38..3.40282e+38"},
        {A("fill = 1; type = \"s31\";"),
         "l.cfg:3: `type` = \"s31\" is not one of u8 s8 u16 s16 u32 s32 u64 s64 f32 f64"},
        {A("fill = { type = \"u8\"; };"), "l.cfg:3: `value` is missing"},
        {A("random = true;"), "l.cfg:3: `random` is true or false, must be a group { }"},
        {A("random = { seed = 1; low = 0.0; };"),
         "l.cfg:3: unknown setting `low`; did you mean lo?"},
        {A("random = { type = \"s32\"; };"), "l.cfg:3: `hi` is missing"},
        {A("random = { type = \"s32\"; hi = -1; };"), "l.cfg:3: `lo` is greater than `hi`"},
        {A("random = { lo = 1.0; hi = 0.5; };"), "l.cfg:3: `lo` is greater than `hi`"},
        {A("random = { seed = -1; };"), "l.cfg:3: `seed` = -1, must not be negative"},
        {A("random = { seed = 0.5; };"), "l.cfg:3: `seed` is a number, must be an integer"},
        {A("random = { type = 3; };"), "l.cfg:3: `type` is an integer, must be a string"},
        {A("iota = \"x\";"), "l.cfg:3: `iota` is a string, must be a group { }"},
        {A("iota = { start = 120; type = \"s8\"; };"),
         "l.cfg:3: `iota`: the last element does not fit s8"},
        {A("iota = { step = -1; type = \"u32\"; };"),
         "l.cfg:3: `step` = -1, allowed 0..4294967295"},
        {B("name = \"a\"; bytes = 512; permutation = { type = \"u8\"; };"),
         "l.cfg:3: `permutation`: the last element does not fit u8"},
        {A("permutation = 0.5;"), "l.cfg:3: `permutation` is a number, must be a group { }"},
        {A("values = 3;"), "l.cfg:3: `values` is an integer, must be an array [ ]"},
        {A("values = ( 1, \"x\" );"),
         "l.cfg:3: element 1 of `values` is a string, must be an integer"},
        {A("values = [1.5, 2.5]; type = \"s32\";"),
         "l.cfg:3: element 0 of `values` is a number, must be an integer"},
        {B("name = \"a\"; bytes = 8; values = [1, 2, 3];"),
         "l.cfg:3: `values` takes 12 bytes, the buffer has 8"},
        {B("name = \"a\"; bytes = 6; iota = true;"),
         "l.cfg:3: `iota`: 6 bytes are no whole number of s32 elements"},
        {B("name = \"a\"; bytes = 8589934592; fill = 1;"),
         "l.cfg:3: `fill`: at most 4294967296 bytes are generated, use a file"},
    };
    EACH_IS_REFUSED(cases);
}

#define L(body) HEAD BUF "launches = (\n{ " body " } );\n"
#define K(body) L("kernel = \"k\"; grid = [1, 1, 1]; block = [32, 1, 1]; " body)
#define ARG(a)  K("args = ( " a " );")

static void launch_mistakes(void)
{
    static const struct bad cases[] = {
        {HEAD BUF "launches = (\n\"k\" );\n",
         "l.cfg:4: element 0 of `launches` is a string, must be a group { }"},
        {L("grid = [1, 1, 1]; block = [32, 1, 1];"), "l.cfg:4: `kernel` is missing"},
        {L("kernel = \"k\"; block = [32, 1, 1];"), "l.cfg:4: `grid` is missing"},
        {L("kernel = \"k\"; grid = [1, 1, 1];"), "l.cfg:4: `block` is missing"},
        {L("kernel = \"k\"; grid = [1, 1]; block = [32, 1, 1];"),
         "l.cfg:4: `grid` has 2 numbers, must have 3: x, y, z"},
        {L("kernel = \"k\"; grid = 16; block = [32, 1, 1];"),
         "l.cfg:4: `grid` is an integer, must be an array [ ]"},
        {L("kernel = \"k\"; grid = [1, 0, 1]; block = [32, 1, 1];"),
         "l.cfg:4: element 1 of `grid` = 0, allowed 1..2147483647"},
        {L("kernel = \"k\"; grid = [-1, 1, 1]; block = [32, 1, 1];"),
         "l.cfg:4: element 0 of `grid` = -1, allowed 1..2147483647"},
        {L("kernel = \"k\"; grid = [1, 65536, 1]; block = [32, 1, 1];"),
         "l.cfg:4: `grid` = 1x65536x1, allowed up to 2147483647x65535x65535"},
        {L("kernel = \"k\"; grid = [1, 1, 1]; block = [32, 32, 2];"),
         "l.cfg:4: `block` = 32x32x2, allowed up to 1024x1024x64 and 1024 threads"},
        {L("kernel = \"k\"; grid = [1.0, 1.0, 1.0]; block = [32, 1, 1];"),
         "l.cfg:4: element 0 of `grid` is a number, must be an integer"},
        {K("shared = -1;"), "l.cfg:4: `shared` = -1, allowed 0..232448"},
        {K("shared = 300000;"), "l.cfg:4: `shared` = 300000, allowed 0..232448"},
        {K("registers = 256;"), "l.cfg:4: `registers` = 256, allowed 0..255"},
        {K("repeat = 0;"), "l.cfg:4: `repeat` = 0, allowed 1..1000000"},
        {K("regs = 4;"), "l.cfg:4: unknown setting `regs`; did you mean args?"},
        {K("args = [1];"), "l.cfg:4: `args` is an array [ ], must be a list ( )"},
    };
    EACH_IS_REFUSED(cases);
}

static void argument_mistakes(void)
{
    static const struct bad cases[] = {
        {ARG("3"), "l.cfg:4: element 0 of `args` is an integer, must be a group { }"},
        {ARG("{ }"), "l.cfg:4: an argument is { buffer = ...; } or one value such as { s32 = 3; }"},
        {ARG("{ s32 = 1; u32 = 2; }"),
         "l.cfg:4: an argument is { buffer = ...; } or one value such as { s32 = 3; }"},
        {ARG("{ i32 = 1; }"),
         "l.cfg:4: argument type `i32` is not buffer, texture or one of u8 s8 u16 s16 "
         "u32 s32 u64 s64 f32 f64"},
        {ARG("{ s32 = 2147483648; }"),
         "l.cfg:4: `s32` = 2147483648, allowed -2147483648..2147483647"},
        {ARG("{ s32 = 1.5; }"), "l.cfg:4: `s32` is a number, must be an integer"},
        {ARG("{ u32 = -1; }"), "l.cfg:4: `u32` = -1, allowed 0..4294967295"},
        {ARG("{ u64 = -1; }"), "l.cfg:4: `u64` = -1, must not be negative"},
        {ARG("{ f32 = 1e39; }"), "l.cfg:4: `f32` = 1e+39, allowed -3.40282e+38..3.40282e+38"},
        {ARG("{ f32 = \"x\"; }"), "l.cfg:4: `f32` is a string, must be a number"},
        {ARG("{ buffer = 1; }"), "l.cfg:4: `buffer` is an integer, must be a string"},
        {ARG("{ buffer = \"b\"; }"), "l.cfg:4: there is no buffer 'b'; did you mean a?"},
        {ARG("{ buffer = \"a\"; offset = 65; }"),
         "l.cfg:4: `offset` = 65 is outside buffer 'a' of 64 bytes"},
        {ARG("{ buffer = \"a\"; offset = -4; }"),
         "l.cfg:4: `offset` = -4, allowed 0..1099511627776"},
        {ARG("{ buffer = \"a\"; ofset = 4; }"),
         "l.cfg:4: unknown setting `ofset`; did you mean offset?"},
        {ARG("{ buffer = \"a\"; s32 = 4; }"), "l.cfg:4: unknown setting `s32`"},
    };
    EACH_IS_REFUSED(cases);
}

#define C(body) HEAD BUF RUN "checks = (\n{ " body " } );\n"

static void check_mistakes(void)
{
    static const struct bad cases[] = {
        {C("file = \"x\"; type = \"s32\";"), "l.cfg:5: `buffer` is missing"},
        {C("buffer = \"c\"; file = \"x\"; type = \"s32\";"),
         "l.cfg:5: there is no buffer 'c'; did you mean a?"},
        {C("buffer = \"a\"; file = \"x\";"), "l.cfg:5: `type` is missing"},
        {C("buffer = \"a\"; type = \"s32\";"),
         "l.cfg:5: one of file, zero, fill, random, iota, permutation, values is missing"},
        {C("buffer = \"a\"; file = \"x\"; type = \"i32\";"),
         "l.cfg:5: `type` = \"i32\" is not one of u8 s8 u16 s16 u32 s32 u64 s64 f32 f64"},
        {C("buffer = \"a\"; file = \"x\"; type = \"s32\"; tolerance = -1.0;"),
         "l.cfg:5: `tolerance` = -1, allowed 0..inf"},
        {C("buffer = \"a\"; file = \"x\"; type = \"s32\"; tolerance = \"0\";"),
         "l.cfg:5: `tolerance` is a string, must be a number"},
        {C("buffer = \"a\"; file = \"x\"; type = \"s32\"; tol = 0;"),
         "l.cfg:5: unknown setting `tol`; did you mean tolerance?"},
        {HEAD "buffers = ( { name = \"a\"; bytes = 6; zero = true; } );\n" RUN
              "checks = ( { buffer = \"a\"; zero = true; type = \"s32\"; } );\n",
         "l.cfg:4: buffer 'a' of 6 bytes is no whole number of s32 elements"},
    };
    EACH_IS_REFUSED(cases);
}

/* The text of the issue that fixed the grammar, with a buffer of each kind. */
#define TX(body)  HEAD BUF "textures = (\n{ " body " } );\n" RUN
#define IMG(body) TX("name = \"t\"; buffer = \"a\"; " body)

static void texture_mistakes(void)
{
    static const struct bad cases[] = {
        {TX("buffer = \"a\"; size = [4];"), "l.cfg:4: `name` is missing"},
        {TX("name = \"t\"; size = [4];"), "l.cfg:4: `buffer` is missing"},
        {IMG(""), "l.cfg:4: `size` is missing"},
        {IMG("size = [];"), "l.cfg:4: `size` has 0 numbers, must have 1 to 3"},
        {IMG("size = [1, 2, 3, 4];"), "l.cfg:4: `size` has 4 numbers, must have 1 to 3"},
        {IMG("size = [0];"), "l.cfg:4: element 0 of `size` = 0, allowed 1..131072"},
        {IMG("size = [2, 2, 2]; layers = 2;"),
         "l.cfg:4: an image of three dimensions has no layers"},
        {IMG("size = [4]; format = \"f23\";"),
         "l.cfg:4: `format` is no \"f23\"; did you mean f32, u32 or s32?"},
        {IMG("size = [4]; channels = 3;"), "l.cfg:4: `channels` is 1, 2 or 4"},
        {IMG("size = [4]; filter = \"cubic\";"), "l.cfg:4: `filter` is no \"cubic\""},
        {IMG("size = [4]; filter = \"linear\"; format = \"u32\";"),
         "l.cfg:4: integers are not filtered"},
        {IMG("size = [4, 4]; memory = \"linear\";"),
         "l.cfg:4: linear memory has 1 dimension and no layers"},
        {IMG("size = [4]; memory = \"pitch\";"),
         "l.cfg:4: pitch memory has 2 dimensions and no layers"},
        {IMG("size = [4, 4]; memory = \"pitch\"; pitch = 8;"),
         "l.cfg:4: `pitch` = 8, allowed 16..1099511627776"},
        {IMG("size = [17];"), "l.cfg:4: texture 't' is made of 68 bytes, buffer 'a' has 64"},
        {IMG("size = [4, 2]; memory = \"pitch\"; pitch = 64;"),
         "l.cfg:4: texture 't' is made of 80 bytes, buffer 'a' has 64"},
        {IMG("size = [131072, 131072, 131072];"), "l.cfg:4: `size` is more than there may be"},
        {IMG("size = [4]; }, { name = \"t\"; buffer = \"a\"; size = [4];"),
         "l.cfg:4: texture 't' is there already, line 4"},
        {IMG("size = [4]; siz = 1;"), "l.cfg:4: unknown setting `siz`; did you mean size?"},
        {ARG("{ texture = \"t\"; }"), "l.cfg:4: there is no texture 't'"},
        {ARG("{ texture = \"t\"; offset = 1; }"), "l.cfg:4: unknown setting `offset`"},
    };
    EACH_IS_REFUSED(cases);
}

#define SHAPED(body) HEAD BUF "launches = (\n{ kernel = \"k\"; " body " } );\n"

static void a_grid_follows_from_the_threads(void)
{
    struct err e;
    struct launch_file *f = launch_file_parse(
        "l.cfg",
        SHAPED("threads = [1000, 7, 1]; block = [96, 2, 1]; shared = 100; shared_per_thread = 4;"),
        &e);
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    const struct launch_shape *s = &f->launch[0].shape; /* 1000 / 96 is 10.4; 7 / 2 is 3.5 */
    CU_ASSERT_TRUE(s->grid[0] == 11 && s->grid[1] == 4 && s->grid[2] == 1);
    CU_ASSERT_EQUAL(s->dyn_shared, 100 + 4 * 192);
    launch_file_free(f);
    static const struct bad cases[] = {
        {SHAPED("threads = [1, 1, 1]; grid = [1, 1, 1]; block = [32, 1, 1];"),
         "l.cfg:4: `threads` and `grid`: the grid follows from the former"},
        {SHAPED("threads = [1, 70000, 1]; block = [32, 1, 1];"),
         "l.cfg:4: `grid` = 1x70000x1, allowed up to 2147483647x65535x65535"},
        {SHAPED("threads = [64, 1]; block = [32, 1, 1];"),
         "l.cfg:4: `threads` has 2 numbers, must have 3: x, y, z"},
        {SHAPED("threads = [64, 1, 1]; block = [1024, 1, 1]; shared_per_thread = 300;"),
         "l.cfg:4: blocks of 1024x1x1 threads take 307200 bytes of shared memory; at most 232448"},
    };
    EACH_IS_REFUSED(cases);
}

static void a_texture_lies_in_its_buffer_or_in_an_array(void)
{
    struct err e;
    struct launch_file *f = launch_file_parse(
        "l.cfg",
        HEAD BUF
        "textures = ( { name = \"t\"; buffer = \"a\"; size = [3, 2]; channels = 2; format = "
        "\"u8\"; memory = \"pitch\"; pitch = 16; address = \"border\"; normalized = true; "
        "integer = true; reference = \"img\"; },\n"
        "{ name = \"v\"; buffer = \"a\"; size = [4]; layers = 4; filter = \"linear\"; } );\n" RUN,
        &e);
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    const struct texture_entry *t = f->texture;
    CU_ASSERT_EQUAL(f->ntextures, 2);
    CU_ASSERT_EQUAL(t[0].what.im.base, 0x80000000);
    CU_ASSERT_EQUAL(t[0].what.im.row, 16);
    CU_ASSERT_EQUAL(t[0].what.s.address[1], TEX_BORDER);
    CU_ASSERT_TRUE(t[0].what.s.normalized && t[0].what.s.integer);
    CU_ASSERT_STRING_EQUAL(t[0].reference, "img");
    CU_ASSERT_EQUAL(t[1].what.im.kind, IMAGE_ARRAY);
    CU_ASSERT_EQUAL(t[1].rows, 4);
    CU_ASSERT_EQUAL(t[1].row, 16);
    CU_ASSERT_EQUAL(t[1].what.s.address[0], TEX_CLAMP);
    launch_file_free(f);
}

static void the_whole_grammar_is_taken(void)
{
    static const char text[] =
        "module = \"bfs.ptx\";\n"
        "buffers = ( { name = \"row\"; bytes = 4100; file = \"row.bin\"; }, // a comment\n"
        "  { name = \"level\"; bytes = 4096; zero = true; }, { name = \"f\"; bytes = 8; fill = 7; "
        "},\n"
        "  { name = \"r\"; bytes = 8; random = { type = \"f32\"; seed = 1; lo = 0.0; hi = 1.0; }; "
        "},\n"
        "  { name = \"i\"; bytes = 8; iota = true; }, { name = \"i2\"; bytes = 8; iota = { start = "
        "5; }; },\n"
        "  { name = \"p\"; bytes = 8; permutation = { seed = 3; }; }, { name = \"q\"; bytes = 8; "
        "permutation = 3; },\n"
        "  { name = \"v\"; bytes = 8; values = [1, 2]; }, { name = \"w\"; bytes = 8; type = "
        "\"f64\"; values = (1); } );\n"
        "launches = ( { kernel = \"bfs_level\"; grid = [16, 1, 1]; block = [64, 1, 1]; shared = 0; "
        "registers = 20;\n"
        "  args = ( { buffer = \"row\"; }, { buffer = \"level\"; offset = 4; }, { s32 = 3; }, { "
        "f32 = 0.5; },\n"
        "    { u64 = 0xffffffffffffffff; }, { f32 = 2; }, { s8 = -1; } ); repeat = 2; } );\n"
        "checks = ( { buffer = \"level\"; file = \"level.expected.bin\"; type = \"s32\"; tolerance "
        "= 0.0; } );\n";
    struct err e;
    struct launch_file *f = launch_file_parse("l.cfg", text, &e);
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    CU_ASSERT_EQUAL(f->nbuffers, 10);
    CU_ASSERT_EQUAL(f->launch[0].shape.grid[0], 16);
    CU_ASSERT_EQUAL(f->launch[0].shape.regs, 20);
    CU_ASSERT_EQUAL(f->launch[0].repeat, 2);
    CU_ASSERT_EQUAL(f->launch[0].arg[1].value.u, 0x80001104);
    CU_ASSERT_EQUAL(f->launch[0].arg[4].value.u, UINT64_MAX);
    CU_ASSERT_DOUBLE_EQUAL(f->launch[0].arg[5].value.f, 2.0, 0);
    launch_file_free(f);
}

static void buffers_lie_in_file_order_each_aligned_to_256(void)
{
    struct err e;
    struct launch_file *f =
        launch_file_parse("l.cfg",
                          HEAD "buffers = ( { name = \"a\"; bytes = 1; zero = true; },\n"
                               "{ name = \"b\"; bytes = 256; zero = true; }, { name = \"c\"; bytes "
                               "= 257; zero = true; },\n"
                               "{ name = \"d\"; bytes = 4; zero = true; } );\n" RUN,
                          &e);
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    CU_ASSERT_EQUAL(f->buffer[0].addr, 0x80000000);
    CU_ASSERT_EQUAL(f->buffer[1].addr, 0x80000100);
    CU_ASSERT_EQUAL(f->buffer[2].addr, 0x80000200);
    CU_ASSERT_EQUAL(f->buffer[3].addr, 0x80000400);
    launch_file_free(f);
}

SUITE("launch files: grammar", T(top_level_mistakes), T(buffer_mistakes), T(generator_mistakes),
      T(launch_mistakes), T(argument_mistakes), T(check_mistakes), T(texture_mistakes),
      T(a_grid_follows_from_the_threads), T(a_texture_lies_in_its_buffer_or_in_an_array),
      T(the_whole_grammar_is_taken), T(buffers_lie_in_file_order_each_aligned_to_256))
