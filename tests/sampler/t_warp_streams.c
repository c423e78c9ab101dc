/* What the CTAs that a sample follows ask of the texture cache, beside what a core's own does. */
#include "sampler/window/warp_streams.h"
#include "sim/gpu/gpu.h"
#include "tests/gpu/whole.h"

#include <math.h>

struct asked {
    const struct gpu_cfg *cfg;
    uint64_t accesses, misses; /* of the simulated core's texture cache */
    uint64_t lines;            /* that the streams say are read */
};

static bool first_cta(void *user, struct launch *l, struct err *e)
{
    struct asked *a = user;
    struct warp_streams s;
    struct run_stats st = {0};
    struct func_counts counts = {0};
    const struct gpu_opts o = {.n = 1, .num_ctas = 1, .only_core = 0, .max_cycles = 10000000};
    if (!launch_init(l, e))
        return false;
    struct launch copy = *l;
    copy.mem = devmem_share(l->mem);
    warp_streams_init(&s, a->cfg, &copy);
    warp_streams_add(&s, &copy, 0, 10000000);
    a->lines += s.work.textures;
    warp_streams_fini(&s);
    devmem_free(copy.mem);
    copy.mem = devmem_share(l->mem);
    struct gpu *g = gpu_new(a->cfg, e);
    const bool ok = gpu_launch(g, &copy, &o, &st, e);
    gpu_free(g);
    devmem_free(copy.mem);
    a->accesses += st.texture_accesses;
    a->misses += st.texture_misses;
    return ok && func_run(l, &(struct func_opts){0}, &counts, e);
}

static struct asked ask(const char *name, const char *const *settings)
{
    struct err e = {""};
    const struct gpu_cfg cfg = whole_gpu("yen2014", settings);
    struct asked a = {.cfg = &cfg};
    struct target *t = target_open(name, NULL, &e);
    CU_ASSERT_PTR_NOT_NULL_FATAL(t);
    CU_ASSERT_TRUE(target_run(t, &(struct executor){.launch = first_cta, .self = &a}, false, &e));
    target_free(t);
    return a;
}

/* One CTA alone; its warps take turns in another order than the core's, so that a few lines that
 * leave are others. */
static void as_many_lines_as_the_texture_cache_reads(void)
{
    static const char *const names[] = {"sad", "lkc", "mum"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const struct asked a = ask(names[i], NULL);
        CU_ASSERT(a.misses > 0 && a.misses < a.accesses);
        CU_ASSERT(fabs(log((double)a.lines / (double)a.misses)) < 0.1);
    }
}

static void a_smaller_texture_cache_reads_more(void)
{
    static const char *const small[] = {"l1t.size=1536", "l1t.ways=3", NULL};
    CU_ASSERT(ask("mum", small).lines > ask("mum", NULL).lines);
}

static void without_one_every_access_is_read(void)
{
    static const char *const off[] = {"l1t.enabled=false", NULL};
    CU_ASSERT_EQUAL(ask("sad", off).lines, ask("sad", NULL).accesses);
}

SUITE("warp streams", T(as_many_lines_as_the_texture_cache_reads),
      T(a_smaller_texture_cache_reads_more), T(without_one_every_access_is_read))
