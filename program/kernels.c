#include "program/kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/demangle.h"
#include "base/err.h"
#include "sim/gpu/gpu.h"

void kernels_fini(struct kernels *ks)
{
    for (int i = 0; i < ks->count; i++) {
        clusters_fini(&ks->kernel[i]->clusters);
        free(ks->kernel[i]->single.look);
        kernel_key_fini(&ks->kernel[i]->key);
        free(ks->kernel[i]);
    }
    free(ks->kernel);
    *ks = (struct kernels){0};
}

struct kernel_state *kernels_find(struct kernels *ks, struct launch *l)
{
    for (int i = 0; i < ks->count; i++) {
        struct kernel_state *k = ks->kernel[i];
        if (k->k.device == l->device && kernel_key_is(&k->key, l)) {
            if (k->k.regs != launch_regs(l))
                l->regs_override = k->k.regs;
            return k;
        }
    }
    return NULL;
}

/* A kernel that would not fit for its registers alone is one that a compiler for this GPU gives
 * fewer of them: as many as there are for its threads. */
static void fit_registers(const struct gpu_cfg *cfg, struct launch *l, struct record_kernel *k)
{
    k->n_max = gpu_occupancy(cfg, l, &k->limit);
    if (k->n_max > 0 || k->limit != OCC_REGISTERS)
        return;
    int each = cfg->sm.registers / (launch_warps(l) * WARP_SIZE);
    each -= each % cfg->sm.register_granularity;
    if (each < 1)
        return;
    char *name = demangle_short(l->kernel->name);
    fprintf(stderr,
            "mdpredict: %s: %d registers a thread are too many for a block of %d threads on "
            "this GPU; simulated with %d, as a compiler for it has to do with\n",
            name, launch_regs(l), launch_threads(l), each);
    free(name);
    l->regs_override = each;
    k->n_max = gpu_occupancy(cfg, l, &k->limit);
    k->regs = each;
}

void kernel_shown_name(const char *name, char out[KERNEL_NAME])
{
    if (strlen(name) < KERNEL_NAME) {
        snprintf(out, KERNEL_NAME, "%s", name);
        return;
    }
    char *plain = demangle_short(name);
    snprintf(out, KERNEL_NAME, "%.*s...", KERNEL_NAME - 4, plain);
    free(plain);
}

static bool is_selected(const struct program_plan *p, const char *name)
{
    if (!*p->kernel)
        return true;
    char *plain = demangle(name);
    bool yes = strstr(name, p->kernel) || strstr(plain, p->kernel);
    free(plain);
    return yes;
}

/* What the warp scheduler has to say of a kernel, once for its name. */
static void note(const struct kernels *ks, const struct program_plan *p, const struct launch *l)
{
    struct sm_code code;
    const char *name = ks->kernel[ks->count - 1]->key.name;
    for (int i = 0; i < ks->count - 1; i++)
        if (strcmp(ks->kernel[i]->key.name, name) == 0)
            return;
    sm_code_build(&code, l->kernel, &p->cfg.sm);
    if (code.note) {
        char *plain = demangle_short(name);
        fprintf(stderr, "mdpredict: %s: %s\n", plain, code.note);
        free(plain);
    }
    sm_code_free(&code);
}

struct kernel_state *kernels_add(struct kernels *ks, const struct program_plan *p, struct launch *l)
{
    struct kernel_state *k = xmalloc(sizeof *k);
    ks->kernel = xrealloc(ks->kernel, (size_t)(ks->count + 1) * sizeof(struct kernel_state *));
    ks->kernel[ks->count] = k;
    *k = (struct kernel_state){.k = {.kernel = ks->count,
                                     .device = l->device,
                                     .regs = launch_regs(l),
                                     .static_shared = l->kernel->shared_bytes,
                                     .shared = launch_shared(l)},
                               .clusters.like.by = &p->rules,
                               .single.by = &p->rules};
    ks->count++;
    k->key = kernel_key_of(l);
    kernel_shown_name(k->key.name, k->k.name);
    memcpy(k->k.block, l->block, sizeof k->k.block);
    fit_registers(&p->cfg, l, &k->k);
    k->k.selected = is_selected(p, k->key.name);
    if (k->k.selected && !p->no_notes)
        note(ks, p, l);
    return k;
}
