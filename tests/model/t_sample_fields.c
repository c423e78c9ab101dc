/* Which fields of a sample models read: each of SAMPLE_FIELDS and SAMPLE_ARRAYS changes what some
 * model predicts of some kernel, and none of the others does. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/model.h"
#include "tests/suite.h"

/* 1000 CTAs of 100 warp instructions on 15 cores; a CTA more than half of whose 40 accesses miss,
 * on a GPU without L2. */
static struct sample memory_kernel(void)
{
    struct sample s = {.warp_insts = 100,
                       .thread_insts = 3200,
                       .cta_cycles = 4000,
                       .l1d_accesses = 40,
                       .l1d_misses = 24,
                       .dram_reads = 26,
                       .mf_latency = 500,
                       .reused_lines = 200,
                       .issue_cycles = 100,
                       .mem_dep_cycles = 3000,
                       .alu_dep_cycles = 300,
                       .fetch_cycles = 2000,
                       .barrier_cycles = 100,
                       .mem_unit_cycles = 400,
                       .alu_unit_cycles = 200,
                       .idle_cycles = 900,
                       .memory_rounds = 4,
                       .code_lines = 5,
                       .shared_core = 0.5,
                       .launch_thread_insts = 3200000,
                       .followed_insts = 110,
                       .load_lines = 44,
                       .store_lines = 10,
                       .past_lines = 3,
                       .port_cycles = 70,
                       .sp_cycles = 90,
                       .sfu_cycles = 30,
                       .dp_cycles = 20,
                       .next_lines = 15,
                       .launches = 2,
                       .warps_per_cta = 1,
                       .grid_ctas = 1000,
                       .longest_cta = 1000,
                       .longest_at = 500,
                       .total_ctas = 2000,
                       .total_warp_insts = 210000,
                       .total_thread_insts = 6400000,
                       .bank_cycles = 1.5,
                       .mshrs = 32,
                       .n_max = 8,
                       .cores = 15,
                       .l1d_lines = 256,
                       .schedulers = 2,
                       .issue_rate = 2,
                       .l2_lines_per_cycle = 2,
                       .dram_lines_per_cycle = 0.8,
                       .memory_latency = 450};
    for (int n = 1; n <= 8; n++) {
        s.l1d_misses_at[n - 1] = 22 + n;
        s.l1i_misses_at[n - 1] = n;
        s.pilot_cycles[n - 1] = 100000 - 1000 * n;
        s.pilot_insts[n - 1] = 100000;
        s.pilot_seconds[n - 1] = 0.1;
    }
    return s;
}

/* ... with an L2; short of SFUs; short of DP units. */
#define KERNELS 4
static void kernels(struct sample *s)
{
    for (int i = 0; i < KERNELS; i++)
        s[i] = memory_kernel();
    s[1].l2_lines = 6144;
    s[2].sfu_cycles = 500;
    s[3].dp_cycles = 500;
}

/* What every model says of every kernel, as text that the caller frees. */
static char *predictions(const struct sample *s)
{
    char *text = NULL;
    size_t len;
    FILE *out = open_memstream(&text, &len);
    const struct model_ops *m;
    for (int i = 0; (m = model_at(i)); i++) {
        void *coeff = calloc(1, m->coeff_size);
        params_default(m->groups, coeff);
        for (int k = 0; k < KERNELS; k++) {
            struct prediction p;
            m->predict(coeff, &s[k], &p);
            fprintf(out, "%d\n", p.chosen_n);
            for (int n = 1; n <= p.n_max; n++)
                fprintf(out, "%a %a %a %a %a %s\n", p.ipc[n], p.dram_reads_per_cta[n],
                        p.miss_rate[n], p.mf_latency[n], p.cta_cycles[n], p.bound[n]);
        }
        free(coeff);
    }
    fclose(out);
    return text;
}

/* `count` numbers from `off` on, in all kernels: times 1.3, or none at all. */
static bool changes_a_prediction(size_t off, int count)
{
    struct sample s[KERNELS];
    bool changed = false;
    kernels(s);
    char *before = predictions(s);
    for (int none = 0; none < 2; none++) {
        kernels(s);
        for (int k = 0; k < KERNELS; k++)
            for (int i = 0; i < count; i++) {
                void *at = (char *)&s[k] + off + (size_t)i * sizeof(double);
                *(double *)at = none ? 0 : 1.3 * *(double *)at;
            }
        char *after = predictions(s);
        changed |= strcmp(before, after) != 0;
        free(after);
    }
    free(before);
    return changed;
}

static void models_read_every_field_and_no_record(void)
{
    for (const struct sample_row *r = sample_rows; r->name; r++) {
        const bool changed = changes_a_prediction(r->off, 1);
        if (changed == r->record)
            printf("\n  %s is %s\n", r->name, changed ? "read by a model" : "read by no model");
        CU_ASSERT_EQUAL(changed, !r->record);
    }
    for (const struct sample_array *a = sample_arrays; a->name; a++) {
        const bool changed = changes_a_prediction(a->off, SAMPLE_DEGREES);
        if (changed == a->record)
            printf("\n  %s is %s\n", a->name, changed ? "read by a model" : "read by no model");
        CU_ASSERT_EQUAL(changed, !a->record);
    }
}

SUITE("sample_fields", T(models_read_every_field_and_no_record))
