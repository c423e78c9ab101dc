/* Which lines L2 holds after a run without timing. */
#include "sampler/l2_state.h"
#include "sampler/replay.h"
#include "tests/sampler/traced.h"

/* &out[32 * ctaid + tid] */
#define OWN_LINE "mov.u32 %r9, %ctaid.x; mul.wide.u32 %rd5, %r9, 128; add.s64 %rd6, %rd3, %rd5;"

/* A load of a line of `out`, and %rd1 again when it is back. */
#define LOAD(line)                                                    \
    "ld.global.u32 %r3, [%rd1+" #line "*128]; and.b32 %r3, %r3, 0;\n" \
    "cvt.u64.u32 %rd5, %r3; add.s64 %rd1, %rd1, %rd5;\n"

struct l2_fix {
    struct gpu_cfg cfg;
    struct ptxrun run;
    struct requests made;
    struct l2_state l2;
};

static void on_step(void *user, const struct warp *w, const struct step *st)
{
    struct l2_fix *f = user;
    requests_make(&f->made, w, st);
    l2_state_step(&f->l2, &f->made, st);
}

static void open_run(struct l2_fix *f, const char *body, const char *const *settings, int ctas)
{
    static char text[4096];
    KERNEL_TEXT(text, body);
    f->cfg = whole_gpu("yen2014", settings);
    ptxrun_open(&f->run, text, 32, 1 << 22);
    f->run.l.grid[0] = ctas;
    f->run.opts.on_step = on_step;
    f->run.opts.user = f;
    f->made.cfg = &f->cfg;
    l2_state_init(&f->l2, &f->cfg);
    CU_ASSERT_TRUE_FATAL(ptxrun_go(&f->run));
}

static void close_run(struct l2_fix *f)
{
    l2_state_fini(&f->l2);
    ptxrun_close(&f->run);
}

static enum tag_state holds(const struct l2_state *s, addr_t addr)
{
    struct mem_req q = {.addr = addr};
    addrmap_set(&s->map, &q);
    uint32_t way;
    const struct tags *t = &s->slice[q.partition];
    return tags_probe(t, q.chan_addr, addr, &way) == TAG_HIT ? tags_state(t, way) : TAG_INVALID;
}

/* CTA i reads line i of `out`, and of the first two lines a word is written again afterwards. */
static void lines_that_were_used_are_there(void)
{
    static const char *const with[] = {"l2.enabled=true", NULL};
    struct l2_fix f;
    open_run(&f,
             OWN_LINE "ld.global.u32 %r3, [%rd6]; setp.lt.u32 %p1, %r9, 2;\n"
                      "@%p1 st.global.u32 [%rd6], %r3;",
             with, 40);
    for (addr_t i = 0; i < 48; i++)
        CU_ASSERT_EQUAL(holds(&f.l2, f.run.out + 128 * i), i < 2    ? TAG_MODIFIED
                                                           : i < 40 ? TAG_VALID
                                                                    : TAG_INVALID);
    CU_ASSERT_EQUAL(f.l2.uses, 42);
    CU_ASSERT_EQUAL(f.l2.misses, 40);
    close_run(&f);
}

/* One partition of one set of two ways: the last two lines remain. Lines 0 to 8 in turn, and then
 * once more, are never there; read twice each they miss once. */
static void the_youngest_lines_remain(void)
{
    static const char *const tiny[] = {"l2.enabled=true", "partition.count=1", "l2.size=256",
                                       "l2.ways=2", NULL};
    struct l2_fix f;
    open_run(&f, OWN_LINE "ld.global.u32 %r3, [%rd6];", tiny, 9);
    for (addr_t i = 0; i < 9; i++)
        CU_ASSERT_EQUAL(holds(&f.l2, f.run.out + 128 * i), i < 7 ? TAG_INVALID : TAG_VALID);
    CU_ASSERT_EQUAL(f.l2.misses, 9);
    CU_ASSERT_TRUE(ptxrun_go(&f.run));
    CU_ASSERT_EQUAL(f.l2.misses, 18);
    close_run(&f);
    open_run(&f, OWN_LINE "ld.global.u32 %r3, [%rd6]; ld.global.u32 %r4, [%rd6];", tiny, 9);
    CU_ASSERT(f.l2.uses == 18 && f.l2.misses == 9);
    close_run(&f);
}

static void without_an_l2_nothing_is_kept(void)
{
    struct l2_fix f;
    open_run(&f, OWN_LINE "ld.global.u32 %r3, [%rd6];", NULL, 9);
    CU_ASSERT_PTR_NULL(f.l2.slice);
    CU_ASSERT(f.l2.uses == 0 && f.l2.misses == 0);
    close_run(&f);
}

/* An L2 of 16 sets and 2 ways: lines 0 to 8 are there, and 16 to 24; 15 is not. In set 0 the
 * replay's 32 takes the place of 0, its 48 that of 16, and not of 32, which is younger. */
static void a_replay_begins_with_it(void)
{
    static const char *const small[] = {"l2.enabled=true", "partition.count=1", "l2.size=4096",
                                        "l2.ways=2",       "l1d.enabled=false", NULL};
    static const char *const then[] = {LOAD(4), LOAD(20), LOAD(15), LOAD(32) LOAD(48) LOAD(32)};
    static const int reads[4] = {0, 0, 1, 2};
    for (int i = 0; i < 4; i++) {
        struct l2_fix f;
        struct traced x;
        struct replay_result r;
        open_run(&f,
                 "mov.u32 %r9, %ctaid.x; rem.u32 %r10, %r9, 9; div.u32 %r9, %r9, 9;\n"
                 "mad.lo.u32 %r10, %r9, 16, %r10; mul.wide.u32 %rd5, %r10, 128;\n"
                 "add.s64 %rd6, %rd3, %rd5; ld.global.u32 %r3, [%rd6];",
                 small, 18);
        traced_open(&x, then[i], small, (struct traced_shape){.ctas = 1, .threads = 1, .want = 1});
        CU_ASSERT_EQUAL_FATAL(x.run.out, f.run.out);
        struct replay *p = replay_new(&x.cfg, &(struct replay_opts){.n = 1, .alone = true});
        replay_set_l2(p, &f.l2);
        replay_run(p, &x.t, 1, &r);
        CU_ASSERT_EQUAL(r.dram_reads_first, reads[i]);
        replay_free(p);
        traced_close(&x);
        close_run(&f);
    }
}

SUITE("L2's lines", T(lines_that_were_used_are_there), T(the_youngest_lines_remain),
      T(without_an_l2_nothing_is_kept), T(a_replay_begins_with_it))
