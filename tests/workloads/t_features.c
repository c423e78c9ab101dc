/* What the bundled workloads use of the machine beside plain loads, stores and arithmetic, and that
 * the table of data/workloads/README.md says which. */
#include "base/file.h"
#include "sim/frontend/session.h"
#include "sim/frontend/workload.h"
#include "tests/gpu/whole.h"

#include <string.h>

enum feature { TEXTURE, CONSTANT, DOUBLE, ATOMIC, DIVERGENT, DYNAMIC, STREAMS, FEATURES };

/* The table's first column, and one workload that is executed to see it happen. */
static const struct {
    const char *row, *executed;
} features[] = {
    [TEXTURE] = {"texture fetches", "mum"},
    [CONSTANT] = {"constant memory", "ray"},
    [DOUBLE] = {"double precision", "lmd"},
    [ATOMIC] = {"atomics", "topk"},
    [DIVERGENT] = {"divergent ray tracing, without recursion", "ray"},
    [DYNAMIC] = {"dynamic shared memory", "nqu"},
    [STREAMS] = {"several streams", "jpeg"},
};

struct seen {
    bool of[FEATURES];
    bool execute, calls;
    uint64_t alone, together; /* warp instructions of some lanes of a warp, of all 32 */
};

static bool in_code(void *user, const struct kernel *k, struct err *e)
{
    struct seen *s = user;
    (void)e;
    for (uint32_t i = 0; i < k->ninst; i++) {
        const struct inst *in = &k->inst[i];
        s->of[TEXTURE] |= in->op == OP_TEX;
        s->of[CONSTANT] |= in->op == OP_LD && in->space == SP_CONST;
        s->of[DOUBLE] |= in->num == NUM_DP;
        s->of[ATOMIC] |= in->op == OP_ATOM || in->op == OP_RED;
    }
    return true;
}

static void on_step(void *user, const struct warp *w, const struct step *p)
{
    struct seen *s = user;
    (void)w;
    s->of[TEXTURE] |= p->space == SP_TEX && p->taps > 0;
    s->of[CONSTANT] |= p->space == SP_CONST && p->is_load;
    s->of[DOUBLE] |= p->inst->num == NUM_DP;
    s->of[ATOMIC] |= p->is_atomic;
    *(p->simt_mask == ~(lanes_t)0 ? &s->together : &s->alone) += 1;
    s->calls |= p->inst->op == OP_CALL;
}

static bool on_launch(void *self, struct launch *l, struct err *e)
{
    struct seen *s = self;
    struct func_counts counts;
    int streams = 0;
    for (CUstream of = session_current()->streams; of; of = of->next)
        streams++;
    s->of[STREAMS] |= streams > 1;
    s->of[DYNAMIC] |= l->dyn_shared > 0;
    return !s->execute ||
           (launch_init(l, e) &&
            func_run(l, &(struct func_opts){.on_step = on_step, .user = s}, &counts, e));
}

/* As small. Without execution the host's results are wrong, and nobody looks at them. */
static struct seen look_at(const char *name, bool execute)
{
    struct err e = {""};
    struct seen s = {.execute = execute};
    const struct executor x = {.launch = on_launch, .self = &s};
    struct target *t = target_open(name, NULL, &e);
    CU_ASSERT_PTR_NOT_NULL_FATAL(t);
    if (!execute)
        CU_ASSERT_TRUE(target_kernels(t, in_code, &s, &e));
    CU_ASSERT_TRUE(target_run(t, &x, execute, &e));
    target_free(t);
    return s;
}

/* "| atomics | `histo`, `topk` |": what stands in the row's second cell. */
static void row_of(const char *readme, const char *row, char *cell, size_t n)
{
    char head[128];
    snprintf(head, sizeof head, "\n| %s | ", row);
    const char *at = strstr(readme, head);
    CU_ASSERT_PTR_NOT_NULL_FATAL(at);
    at += strlen(head);
    snprintf(cell, n, "%.*s", (int)strcspn(at, "|") - 1, at);
}

static void the_table_names_all_that_use_it(void)
{
    char found[FEATURES][1024] = {{0}}, stated[1024];
    struct err e = {""};
    for (int i = 0; workloads[i]; i++) {
        const struct seen s = look_at(workloads[i]->name, false);
        for (int f = 0; f < FEATURES; f++) {
            char *to = found[f];
            if (s.of[f])
                snprintf(to + strlen(to), sizeof *found - strlen(to), "%s`%s`", *to ? ", " : "",
                         workloads[i]->name);
        }
    }
    snprintf(found[DIVERGENT], sizeof *found, "`ray`");
    char *readme = file_read("data/workloads/README.md", 1 << 20, NULL, &e);
    CU_ASSERT_PTR_NOT_NULL_FATAL(readme);
    for (int f = 0; f < FEATURES; f++) {
        row_of(readme, features[f].row, stated, sizeof stated);
        if (strcmp(stated, found[f]) != 0)
            printf("\n  %s: %s\n  the table: %s\n", features[f].row, found[f], stated);
        CU_ASSERT_STRING_EQUAL(stated, found[f]);
    }
    free(readme);
}

/* ray: a warp's lanes part at the edges of spheres and after unlike numbers of bounces, so that
 * more than a tenth of what it executes has some lanes alone. */
static void each_happens_when_one_of_them_runs(void)
{
    for (int f = 0; f < FEATURES; f++) {
        struct seen s = look_at(features[f].executed, true);
        s.of[DIVERGENT] = !s.calls && s.together > 0 && s.alone > s.together / 10;
        if (!s.of[f])
            printf("\n  %s does not execute: %s\n", features[f].executed, features[f].row);
        CU_ASSERT_TRUE(s.of[f]);
    }
}

SUITE("features of workloads", T(the_table_names_all_that_use_it),
      T(each_happens_when_one_of_them_runs))
