/* Which lines the cores' L1s hold after a run without timing. */
#include "sampler/l1_state.h"
#include "sampler/replay.h"
#include "tests/sampler/traced.h"

/* &out[32 * ctaid] */
#define OWN_LINE "mov.u32 %r9, %ctaid.x; mul.wide.u32 %rd5, %r9, 128; add.s64 %rd6, %rd3, %rd5;"

struct l1_fix {
    struct gpu_cfg cfg;
    struct ptxrun run;
    struct requests made;
    struct l1_state l1;
};

static void on_step(void *user, const struct warp *w, const struct step *st)
{
    struct l1_fix *f = user;
    requests_make(&f->made, w, st);
    if (requests_are_constants(st))
        requests_constants(&f->made, st);
    l1_state_step(&f->l1, &f->made, st, (int)(w->cta->linear % f->cfg.top.cores));
}

static void open_run(struct l1_fix *f, const char *body, const char *const *settings, int ctas)
{
    static char text[4096];
    KERNEL_TEXT(text, body);
    f->cfg = whole_gpu("yen2014", settings);
    ptxrun_open(&f->run, text, 1, 1 << 22);
    f->run.l.grid[0] = ctas;
    f->run.opts.on_step = on_step;
    f->run.opts.user = f;
    f->made.cfg = &f->cfg;
    l1_state_init(&f->l1, &f->cfg);
    CU_ASSERT_TRUE_FATAL(ptxrun_go(&f->run));
}

static void close_run(struct l1_fix *f)
{
    l1_state_fini(&f->l1);
    ptxrun_close(&f->run);
}

static bool holds(const struct l1_fix *f, int core, int line)
{
    return stamp_find(&f->l1.cache[L1_DATA][core], f->run.out + 128 * (addr_t)line) != NULL;
}

/* CTA i, on core i modulo 15, reads line i; CTA 16 writes its own and so has it no more, which says
 * nothing of core 2's. */
static void each_core_holds_what_its_ctas_have_read(void)
{
    struct l1_fix f;
    open_run(&f,
             OWN_LINE "ld.global.u32 %r3, [%rd6]; setp.eq.u32 %p1, %r9, 16;\n"
                      "ld.global.u32 %r4, [%rd3+2048]; @%p1 st.global.u32 [%rd6], %r3;",
             NULL, 20);
    for (int i = 0; i < 20; i++)
        for (int core = 0; core < 15; core++)
            CU_ASSERT_EQUAL(holds(&f, core, i), i == 16 ? core != 1 : core == i % 15);
    close_run(&f);
}

/* One set of two ways. */
static void the_youngest_lines_remain(void)
{
    static const char *const tiny[] = {"cores=1", "l1d.size=256", "l1d.ways=2", NULL};
    struct l1_fix f;
    open_run(&f, OWN_LINE "ld.global.u32 %r3, [%rd6];", tiny, 9);
    for (int i = 0; i < 9; i++)
        CU_ASSERT_EQUAL(holds(&f, 0, i), i >= 7);
    close_run(&f);
}

static void what_does_not_last_is_not_kept(void)
{
    static const char *const flushed[] = {"flush_l1=true", NULL}, *const none[] = {
                                                                      "l1d.enabled=false", NULL};
    struct l1_fix f;
    open_run(&f, OWN_LINE "ld.global.u32 %r3, [%rd6];", flushed, 9);
    CU_ASSERT(!f.l1.cache[L1_DATA] && f.l1.cache[L1_CONST] && !f.l1.cache[L1_TEXTURE]);
    close_run(&f);
    open_run(&f, OWN_LINE "ld.global.u32 %r3, [%rd6];", none, 9);
    CU_ASSERT(!f.l1.cache[L1_DATA] && f.l1.cache[L1_CONST] && f.l1.cache[L1_TEXTURE]);
    close_run(&f);
}

/* CTA i reads the line that core i + shift modulo 15 has read before. */
static void a_replay_begins_with_it(void)
{
    for (int shift = 0; shift < 3; shift++) {
        struct l1_fix f;
        struct traced x;
        struct replay_result r;
        open_run(&f, OWN_LINE "ld.global.u32 %r3, [%rd6];", NULL, 15);
        traced_open(&x,
                    shift ? "mov.u32 %r9, %ctaid.x; add.u32 %r9, %r9, 1; rem.u32 %r9, %r9, 15;\n"
                            "mul.wide.u32 %rd5, %r9, 128; add.s64 %rd6, %rd3, %rd5;\n"
                            "ld.global.u32 %r3, [%rd6];"
                          : OWN_LINE "ld.global.u32 %r3, [%rd6];",
                    NULL, (struct traced_shape){.ctas = 15, .threads = 1, .want = 1});
        CU_ASSERT_EQUAL_FATAL(x.run.out, f.run.out);
        struct replay *p = replay_new(&x.cfg, &(struct replay_opts){.n = 1});
        replay_set_l1(p, &f.l1, shift == 2 ? 1 : 0);
        replay_run(p, &x.t, 1, &r);
        CU_ASSERT_EQUAL(r.l1d_misses, shift == 1 ? 15 : 0);
        CU_ASSERT_EQUAL(r.dram_reads_first, shift == 1 ? 15 : 0);
        replay_free(p);
        traced_close(&x);
        close_run(&f);
    }
}

/* 17 CTAs read their two parameters, which lie in one line: cores 0 to 14 hold it, and a replay of
 * a CTA a core is the faster for it by a read's way. A core that had no CTA does not. */
static void constants_are_kept_too(void)
{
    double cycles[2];
    for (int few = 0; few < 2; few++) {
        struct l1_fix f;
        struct traced x;
        struct replay_result r;
        open_run(&f, OWN_LINE, NULL, few ? 3 : 17);
        traced_open(&x, OWN_LINE, NULL, (struct traced_shape){.ctas = 15, .threads = 1, .want = 1});
        for (int core = 0; core < 15; core++) {
            const addr_t line = TRACE_LINE(x.t.warp[core].txn[0]);
            const struct stamp_cache *l1c = &f.l1.cache[L1_CONST][core];
            CU_ASSERT_EQUAL(stamp_find(l1c, line) != NULL, !few || core < 3);
        }
        struct replay *p = replay_new(&x.cfg, &(struct replay_opts){.n = 1});
        replay_set_l1(p, &f.l1, 0);
        replay_run(p, &x.t, 1, &r);
        cycles[few] = r.last;
        replay_free(p);
        traced_close(&x);
        close_run(&f);
    }
    CU_ASSERT_TRUE(cycles[0] + 200 < cycles[1]);
}

SUITE("L1s' lines", T(each_core_holds_what_its_ctas_have_read), T(the_youngest_lines_remain),
      T(what_does_not_last_is_not_kept), T(a_replay_begins_with_it), T(constants_are_kept_too))
