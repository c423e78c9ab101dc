/* Textures in the core: what a fetch costs, cycle by cycle, and which lines it asks for.
 *
 * A load that hits L1D is back after 4 cycles (t_timing.c). A fetch goes the same way to its
 * access, then through the fragment FIFO (1), the result FIFO (1: chosen for write-back) and
 * write-back (1); it reads two registers, handle and coordinate, the second one cycle later: 4 + 3
 * + 1 = 8. */
#include "tests/sm/fixture.h"

#define HANDLE "mov.u64 %rd2, 0x1000000000000;\n" /* the first object of a table */

struct texels {
    struct fix f;
    struct textures *table;
};

/* 4096 x 4 bytes of `buffer` as linear memory (width 65536, 1-D), or as an image of 64 x 64. */
static void open_texels(struct texels *x, const char *const *settings, bool flat)
{
    fix_init(&x->f, settings);
    x->table = textures_new();
    struct texture t = {.im = {.dims = flat ? 2 : 1, .size = {flat ? 64 : 65536, flat ? 64 : 1, 1}},
                        .s = {.linear = flat, .address = {TEX_CLAMP, TEX_CLAMP}}};
    image_set_format(&t.im, flat ? TEXEL_F32 : TEXEL_U32, 1);
    if (flat) {
        CU_ASSERT_TRUE(image_lay_out(&t.im));
        t.im.base = x->f.buffer;
    } else {
        image_over_memory(&t.im, x->f.buffer, 65536 * 4);
    }
    textures_add(x->table, TEX_KIND_TEXTURE, &t);
}

static void close_texels(struct texels *x)
{
    fix_fini(&x->f);
    textures_free(x->table);
}

static void go(struct texels *x, const char *body)
{
    fix_kernel(&x->f, body);
    x->f.launch.textures = x->table;
    fix_run(&x->f, 1, 32, 1);
}

/* next[i] = i + step, so that every fetch of a chain has its own texel. */
static cycle_t loop(const char *const *settings, const char *setup, uint32_t step, const int n[2])
{
    static const char fetch[] = "tex.1d.v4.u32.s32 {%r1, %r2, %r3, %r4}, [%rd2, {%r1}];\n";
    struct texels x;
    open_texels(&x, settings, false);
    for (uint32_t i = 0; i < 65536; i++) {
        const uint32_t next = (i + step) % 65536;
        devmem_write(x.f.mem, x.f.buffer + 4 * i, &next, 4);
    }
    char *body = xcalloc(1, 20000), *at = body;
    at += sprintf(at, "%s%s\nmov.u32 %%r80, 0;\nL:\n", HANDLE, setup);
    for (int i = 0; i < n[0]; i++)
        at += sprintf(at, "%s", fetch);
    sprintf(at, "add.s32 %%r80, %%r80, 1;\nsetp.lt.s32 %%p9, %%r80, %d;\n@%%p9 bra L;\nret;", n[1]);
    go(&x, body);
    const cycle_t cycles = x.f.cycles;
    close_texels(&x);
    free(body);
    return cycles;
}

/* Differences of differences, as in t_timing.c. */
static double chain(const char *const *settings, const char *setup, uint32_t step)
{
    const cycle_t many = loop(settings, setup, step, (const int[]){48, 20}) -
                         loop(settings, setup, step, (const int[]){48, 10});
    const cycle_t few = loop(settings, setup, step, (const int[]){16, 20}) -
                        loop(settings, setup, step, (const int[]){16, 10});
    return (double)(many - few) / 320;
}

static void near(double got, double want)
{
    if (got < want - 0.011 || got > want + 0.011)
        fprintf(stderr, "  got %.3f, want %.3f\n", got, want);
    CU_ASSERT_DOUBLE_EQUAL(got, want, 0.011);
}

static void a_hit_is_back_after_eight_cycles(void)
{
    const char *const slow[] = {"l1t.latency=30", NULL};
    near(chain(NULL, "mov.u32 %r1, 0;", 0), 8);
    near(chain(slow, "mov.u32 %r1, 0;", 0), 38);
}

/* Lanes 64 texels apart: 32 lines. 32 accesses, of which the last one's result follows 7 behind. */
static void every_line_takes_a_cycle(void)
{
    near(chain(NULL, "mov.u32 %r1, %tid.x; and.b32 %r1, %r1, 1; shl.b32 %r1, %r1, 5;", 0), 9);
    near(chain(NULL, "mov.u32 %r1, %tid.x; shl.b32 %r1, %r1, 6;", 0), 8 + 31);
}

/* The request leaves a cycle after the access, 100 in the mock memory; from the reply on it is a
 * load past L1 (100 + 7), with the second operand: 100 + 7 + 1 + 1. */
static void a_miss_takes_the_network_and_nine_cycles(void)
{
    near(chain(NULL, "mov.u32 %r1, 0;", 32), 100 + 9);
}

/* Switched off, a fetch is a load past the caches. */
static void without_a_cache_every_fetch_goes_out(void)
{
    const char *const off[] = {"l1t.enabled=false", NULL};
    near(chain(off, "mov.u32 %r1, 0;", 0), 100 + 8);
}

/* ---- Which lines ---- */
static struct run_stats fetch_square(const char *const *settings, const char *place)
{
    struct texels x;
    open_texels(&x, settings, true);
    char *body =
        xasprintf("%smov.u32 %%r1, %%tid.x;\n%s\n"
                  "tex.2d.v4.f32.f32 {%%f1, %%f2, %%f3, %%f4}, [%%rd2, {%%f5, %%f6}];\nret;",
                  HANDLE, place);
    go(&x, body);
    const struct run_stats s = x.f.st;
    free(body);
    close_texels(&x);
    return s;
}

/* Lane i at (i % 8 + a, i / 8 + b): a tile of 8 x 4 texels, one line. */
#define TILE(a, b)                                                         \
    "and.b32 %r2, %r1, 7; shr.u32 %r3, %r1, 3; cvt.rn.f32.u32 %f5, %r2;\n" \
    "cvt.rn.f32.u32 %f6, %r3; add.f32 %f5, %f5, " a "; add.f32 %f6, %f6, " b ";"
#define HALF "0f3F000000"
#define ONE  "0f3F800000"

static void a_block_of_lanes_reads_a_tile(void)
{
    CU_ASSERT_EQUAL(fetch_square(NULL, TILE(HALF, HALF)).texture_accesses, 1); /* texel centres */
    CU_ASSERT_EQUAL(fetch_square(NULL, TILE(ONE, HALF)).texture_accesses, 2);  /* and the next */
    CU_ASSERT_EQUAL(fetch_square(NULL, TILE(ONE, ONE)).texture_accesses, 4);
}

static void gpgpusim_times_the_first_texel_alone(void)
{
    const char *const first[] = {"texture_first_texel=true", NULL};
    CU_ASSERT_EQUAL(fetch_square(first, TILE(ONE, ONE)).texture_accesses, 1);
}

/* A row of 32 texels: 4 tiles. In linear memory it would be one line. */
static void a_row_of_lanes_crosses_tiles(void)
{
    const struct run_stats s = fetch_square(NULL, "cvt.rn.f32.u32 %f5, %r1; add.f32 %f5, %f5, " HALF
                                                  "; mov.f32 %f6, " HALF ";");
    CU_ASSERT_EQUAL(s.texture_accesses, 4);
    CU_ASSERT_EQUAL(s.texture_misses, 4);
    CU_ASSERT_EQUAL(s.l1d_accesses, 0);
}

/* Outside of linear memory nothing is read: the fetch ends in the cycle of its dispatch. */
static void lanes_outside_cost_nothing(void)
{
    struct texels x;
    open_texels(&x, NULL, false);
    go(&x, HANDLE "mov.u32 %r1, -1;\n"
                  "tex.1d.v4.u32.s32 {%r1, %r2, %r3, %r4}, [%rd2, {%r1}];\nret;");
    CU_ASSERT_EQUAL(x.f.st.texture_accesses, 0);
    CU_ASSERT_EQUAL(x.f.st.warp_insts, 4);
    close_texels(&x);
}

/* ---- Full FIFOs ---- */

/* Sleeping or not, refusals and cycles are the same. */
static struct run_stats crowded(const char *tick, cycle_t *cycles)
{
    const char *const settings[] = {"l1t.fragments=3", "l1t.rob=2", "l1t.requests=1", tick, NULL};
    struct texels x;
    open_texels(&x, settings, false);
    go(&x, HANDLE "mov.u32 %r1, %tid.x; shl.b32 %r5, %r1, 9;\n"
                  "tex.1d.v4.u32.s32 {%r6, %r2, %r3, %r4}, [%rd2, {%r5}];\n"
                  "tex.1d.v4.u32.s32 {%r7, %r2, %r3, %r4}, [%rd2, {%r1}];\nret;");
    *cycles = x.f.cycles;
    const struct run_stats s = x.f.st;
    close_texels(&x);
    return s;
}

static void refusals_are_counted_asleep_too(void)
{
    cycle_t asleep, awake;
    const struct run_stats a = crowded("tick_every_cycle=false", &asleep);
    const struct run_stats b = crowded("tick_every_cycle=true", &awake);
    CU_ASSERT_EQUAL(asleep, awake);
    CU_ASSERT_EQUAL(a.texture_accesses, 33);
    CU_ASSERT_EQUAL(a.texture_misses, 32);
    CU_ASSERT_TRUE(a.texture_fails > 16 * 90); /* two lines at once: 16 round trips of 100 */
    CU_ASSERT_EQUAL(a.texture_fails, b.texture_fails);
}

/* Linear memory on the host, wherever it lies there: 32 lanes two texels apart, two lines. */
static void texels_on_the_host_are_read_at_one_place(void)
{
    static uint32_t texels[1024];
    const addr_t place = 0x7ffc12345000;
    struct texels x = {.table = textures_new()};
    struct texture t = {.im = {.dims = 1, .size = {1024, 1, 1}}};
    fix_init(&x.f, NULL);
    CU_ASSERT_TRUE(devmem_map_anywhere(x.f.mem, place, sizeof texels, texels, "registered"));
    image_set_format(&t.im, TEXEL_U32, 1);
    image_over_memory(&t.im, place, sizeof texels);
    textures_add(x.table, TEX_KIND_TEXTURE, &t);
    go(&x, HANDLE "mov.u32 %r1, %tid.x; mul.lo.u32 %r1, %r1, 2;\n"
                  "tex.1d.v4.u32.s32 {%r1, %r2, %r3, %r4}, [%rd2, {%r1}]; ret;");
    int found = 0;
    for (int i = 0; i < x.f.net.sent; i++)
        if (x.f.net.log[i].kind == REQ_TEX_READ)
            found += x.f.net.log[i].addr - MOVED_BASE < 256;
    CU_ASSERT_EQUAL(found, 2);
    CU_ASSERT_EQUAL(x.f.st.texture_accesses, 2);
    close_texels(&x);
}

SUITE("textures in the core", T(a_hit_is_back_after_eight_cycles), T(every_line_takes_a_cycle),
      T(a_miss_takes_the_network_and_nine_cycles), T(without_a_cache_every_fetch_goes_out),
      T(a_block_of_lanes_reads_a_tile), T(gpgpusim_times_the_first_texel_alone),
      T(a_row_of_lanes_crosses_tiles), T(lanes_outside_cost_nothing),
      T(refusals_are_counted_asleep_too), T(texels_on_the_host_are_read_at_one_place))
