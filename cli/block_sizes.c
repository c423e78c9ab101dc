#include "cli/block_sizes.h"
#include "base/wrap.h"

#include <stdlib.h>
#include <string.h>

#include "base/demangle.h"
#include "base/table.h"
#include "cli/keys.h"

/* The object is an int; 0: there is but one. */
const struct output_row block_rows[] =
    OUTPUT_ONE("command", "block_size", "threads", "`search --block-sizes`: of a CTA",
               .type = OUTPUT_INT, .from = 1);

/* -- what was found */

void block_choices_add(struct block_choices *b, struct block_choice c)
{
    b->at = xrealloc(b->at, (size_t)(b->count + 1) * sizeof *b->at);
    b->at[b->count++] = c;
}

void block_choices_free(struct block_choices *b)
{
    for (int i = 0; i < b->count; i++) {
        free(b->at[i].of);
        free(b->at[i].paste);
    }
    free(b->at);
    *b = (struct block_choices){0};
}

static bool is_first_of(const struct block_choices *b, int i)
{
    for (int k = 0; k < i; k++)
        if (strcmp(b->at[k].of, b->at[i].of) == 0)
            return false;
    return true;
}

/* Of equals the first. */
static const struct block_choice *best_of(const struct block_choices *b, const char *of)
{
    const struct block_choice *best = NULL;
    for (int i = 0; i < b->count; i++)
        if (strcmp(b->at[i].of, of) == 0 && (!best || b->at[i].cycles < best->cycles))
            best = &b->at[i];
    return best;
}

static void print_of(FILE *out, const struct block_choices *b, const char *of)
{
    static const char *const head[] = {"block",  "limit",  "cycles at the limit",
                                       "best n", "cycles", "to the best"};
    const struct block_choice *best = best_of(b, of);
    struct table *t = table_new("rrrrrr");
    for (size_t i = 0; i < sizeof head / sizeof *head; i++)
        table_cell(t, "%s", head[i]);
    for (int i = 0; i < b->count; i++) {
        const struct block_choice *c = &b->at[i];
        if (strcmp(c->of, of) != 0)
            continue;
        table_cell(t, "%d", c->size);
        table_cell(t, "%d", c->n_max);
        table_cell(t, "%.0f", c->deflt);
        table_cell(t, "%d", c->n);
        table_cell(t, "%.0f", c->cycles);
        table_cell(t, "%.3f", c->cycles / best->cycles);
    }
    table_print(t, out);
    table_free(t);
    fputc('\n', out);
    wrap_line(out, "Best of %s: blocks of %d threads, n = %d%s:", of, best->size, best->n,
              best->n == best->n_max ? ", as many as fit" : "");
    wrap_line(out, "%s", best->paste);
}

void block_choices_print(FILE *out, const struct block_choices *b)
{
    for (int i = 0; i < b->count; i++)
        if (is_first_of(b, i))
            print_of(out, b, b->at[i].of);
}

char *block_paste(const struct sm_cfg *c, const struct cta_resources *k, const int block[3], int n,
                  const char *kernel)
{
    char shape[64], *line[SET_DEGREE_LINES], *all;
    snprintf(shape, sizeof shape, "%d", block[0]);
    if (block[1] * block[2] > 1)
        snprintf(shape, sizeof shape, "dim3(%d, %d, %d)", block[0], block[1], block[2]);
    const int dynamic = set_degree_shared(c, k, n);
    char *name = demangle_short(kernel);
    all = dynamic < 0 ? xasprintf("    %s: shared memory cannot hold it down to %d\n", name, n)
                      : xstrdup("");
    const int lines = dynamic < 0 ? 0 : set_degree_launch(k, dynamic, shape, name, line);
    for (int i = 0; i < lines; i++) {
        char *longer = xasprintf("%s    %s\n", all, line[i]);
        free(line[i]);
        free(all);
        all = longer;
    }
    free(name);
    return all;
}

/* -- on a target */

static double cycles_at(const struct search *s, int n)
{
    double sum = (double)s->all[n - 1].total.cycles;
    for (int i = 0; i < s->perturbations; i++)
        sum += (double)s->perturbed[i].all[n - 1].total.cycles;
    return sum / (s->perturbations + 1);
}

static bool was_pasted(const struct run_result *r, int i)
{
    const struct launch_result *l = r->launch;
    for (int k = 0; k < i; k++)
        if (strcmp(l[k].kernel, l[i].kernel) == 0 &&
            memcmp(l[k].block, l[i].block, sizeof l[i].block) == 0 &&
            memcmp(&l[k].uses, &l[i].uses, sizeof l[i].uses) == 0)
            return true;
    return false;
}

/* Of each of its kernels once. */
static char *paste_all(const struct gpu_cfg *cfg, const struct run_result *r)
{
    char *all = xstrdup("");
    for (int i = 0; i < r->launches; i++) {
        const struct launch_result *l = &r->launch[i];
        if (was_pasted(r, i))
            continue;
        char *one = block_paste(&cfg->sm, &l->uses, l->block, l->n, l->kernel);
        char *longer = xasprintf("%s%s", all, one);
        free(one);
        free(all);
        all = longer;
    }
    return all;
}

struct block_choice block_choose(const struct gpu_cfg *cfg, const char *of, int size,
                                 const struct search *s)
{
    struct block_choice c = {.of = xstrdup(of), .size = size, .n_max = s->n_max, .n = s->n_max};
    for (int n = s->least; n <= s->n_max; n++)
        if (cycles_at(s, n) < cycles_at(s, c.n))
            c.n = n;
    c.deflt = cycles_at(s, s->n_max);
    c.cycles = cycles_at(s, c.n);
    c.paste = paste_all(cfg, &s->all[c.n - 1]);
    return c;
}
