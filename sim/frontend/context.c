#include "sim/frontend/context.h"

#include "sim/frontend/host_region.h"
#include "sim/func/device_launch.h"

#include <stdlib.h>
#include <string.h>

bool launch_grid_ok(int64_t x, int64_t y, int64_t z)
{
    return x > 0 && x <= LAUNCH_MAX_GRID_X && y > 0 && y <= LAUNCH_MAX_GRID_YZ && z > 0 &&
           z <= LAUNCH_MAX_GRID_YZ;
}

bool launch_block_ok(int64_t x, int64_t y, int64_t z)
{
    return x > 0 && x <= LAUNCH_MAX_BLOCK_X && y > 0 && y <= LAUNCH_MAX_BLOCK_Y && z > 0 &&
           z <= LAUNCH_MAX_BLOCK_Z && x * y * z <= LAUNCH_MAX_THREADS;
}

struct loaded { /* a module and the list link */
    struct module *module;
    struct loaded *next;
};

struct users { /* contexts that share a memory */
    int all, on[DEVMEM_DEVICES];
};

struct context {
    const struct executor *x;  /* borrowed */
    struct devmem *mem;        /* owned by all `users` */
    struct users *users;       /* owned likewise */
    int device, devices;       /* whose it is, of how many */
    unsigned sees;             /* devices whose memory kernels reach */
    struct textures *textures; /* owned */
    struct loaded *modules;    /* owned */
    int sequence;              /* launches so far */
    uint64_t heap_limit;       /* of malloc() in kernels */
    addr_t workspace;          /* of cooperative launches; 0: none so far */
    struct host_region *host;  /* borrowed; NULL: managed variables are ordinary ones */
    struct fault fault;        /* of the last launch */
};

struct context *context_new(const struct executor *x)
{
    return context_new_on(x, 0, 1, NULL);
}

void context_see(struct context *c, unsigned devices)
{
    c->sees = devices | 1u << c->device;
}

struct context *context_new_on(const struct executor *x, int device, int devices,
                               struct context *beside)
{
    struct context *c = xcalloc(1, sizeof *c);
    c->x = x;
    c->mem = beside ? beside->mem : devmem_new();
    c->users = beside ? beside->users : xcalloc(1, sizeof *c->users);
    c->users->all++;
    c->users->on[device]++;
    c->device = device;
    c->devices = devices;
    c->sees = 1u << device;
    devmem_device(c->mem, device, devices);
    c->textures = textures_new();
    c->heap_limit = DEVICE_MALLOC_LIMIT;
    return c;
}

void context_free(struct context *c)
{
    if (!c)
        return;
    for (struct loaded *l = c->modules, *next; l; l = next) {
        next = l->next;
        module_free(l->module);
        free(l);
    }
    c->users->on[c->device]--;
    if (--c->users->all == 0) {
        devmem_free(c->mem);
        free(c->users);
    } else if (c->users->on[c->device] == 0) {
        devmem_release_device(c->mem, c->device);
    }
    textures_free(c->textures);
    free(c);
}

struct devmem *context_mem(struct context *c)
{
    devmem_device(c->mem, c->device, c->devices);
    return c->mem;
}

struct textures *context_textures(struct context *c)
{
    return c->textures;
}

/* A sampler's initialiser (PTX ISA, opaque types). */
static void place_sampler(struct context *c, const struct module_var *v)
{
    static const char *const modes[] = {"wrap", "clamp_to_edge", "mirror", "clamp_to_border"};
    static const char *const fields[] = {"addr_mode_0", "addr_mode_1", "addr_mode_2"};
    struct texture t = {.s = {.address = {TEX_CLAMP, TEX_CLAMP, TEX_CLAMP}, .normalized = true}};
    const char *word;
    int64_t number;
    for (int i = 0; i < 3; i++)
        for (int m = 0; m < 4; m++)
            if (module_var_field(v, fields[i], &word, &number) && !strcmp(word, modes[m]))
                t.s.address[i] = (uint8_t)m;
    if (module_var_field(v, "filter_mode", &word, &number))
        t.s.linear = !strcmp(word, "linear");
    if (module_var_field(v, "force_unnormalized_coords", &word, &number))
        t.s.normalized = !number;
    const uint64_t handle = textures_add(c->textures, TEX_KIND_SAMPLER, &t);
    devmem_write(c->mem, v->addr, &handle, sizeof handle);
}

void context_share_host(struct context *c, struct host_region *r)
{
    c->host = r;
}

void context_limit_heap(struct context *c, uint64_t bytes)
{
    c->heap_limit = bytes;
}

uint64_t context_heap(const struct context *c)
{
    return c->heap_limit;
}

const struct fault *context_fault(const struct context *c)
{
    return &c->fault;
}

static bool place_var(struct context *c, struct module *m, struct module_var *v, struct err *e)
{
    if (v->is_extern)
        return err_set(e, "%s: variable '%s' is declared .extern and defined nowhere",
                       module_name(m), v->name);
    uint64_t bytes = v->bytes ? v->bytes : 1;
    if (v->is_managed && c->host)
        v->addr = (addr_t)(uintptr_t)host_region_share(c->host, bytes, c->mem, v->name);
    else
        v->addr = devmem_alloc_global(c->mem, bytes, v->align, v->space == SP_CONST, v->name);
    if (!v->addr)
        return err_set(e, "%s: no room for variable '%s' of %llu bytes", module_name(m), v->name,
                       (unsigned long long)v->bytes);
    return true;
}

static bool place(struct context *c, struct module *m, struct err *e)
{
    for (int i = 0; i < module_nvars(m); i++)
        if (!place_var(c, m, module_var_at(m, i), e))
            return false;
    if (!module_place(m, e))
        return false;
    for (int i = 0; i < module_nvars(m); i++) {
        const struct module_var *v = module_var_at(m, i);
        if (v->opaque == OPAQUE_SAMPLER)
            place_sampler(c, v);
        if (v->init && v->bytes)
            BUG_ON(!devmem_write(c->mem, v->addr, v->init, v->bytes),
                   "variable %s does not hold its initialiser", v->name);
    }
    return true;
}

static void release_vars(struct context *c, struct module *m)
{
    for (int i = 0; i < module_nvars(m); i++)
        if (module_var_at(m, i)->addr)
            devmem_release(c->mem, module_var_at(m, i)->addr);
}

struct module *context_load(struct context *c, const char *name, const char *text, size_t len,
                            struct err *e)
{
    struct module *m = module_parse(name, text, len, e);
    if (!m)
        return NULL;
    devmem_device(c->mem, c->device, c->devices);
    if (!place(c, m, e)) {
        release_vars(c, m);
        module_free(m);
        return NULL;
    }
    struct loaded *l = xcalloc(1, sizeof *l);
    l->module = m;
    l->next = c->modules;
    c->modules = l;
    return m;
}

void context_unload(struct context *c, struct module *m)
{
    for (struct loaded **at = &c->modules; *at; at = &(*at)->next) {
        struct loaded *l = *at;
        if (l->module != m)
            continue;
        *at = l->next;
        devmem_new_epoch(c->mem); /* the next kernel may lie where one of these lay */
        release_vars(c, m);
        module_free(m);
        free(l);
        return;
    }
    BUG_ON(true, "unload of a module that this context did not load");
}

/* Zeros, where the CTAs of a cooperative launch count each other. */
#define WORKSPACE_BYTES 64
static addr_t workspace(struct context *c)
{
    if (!c->workspace)
        c->workspace = devmem_alloc(c->mem, WORKSPACE_BYTES, "grid workspace");
    devmem_fill(c->mem, c->workspace, 0, WORKSPACE_BYTES);
    return c->workspace;
}

static bool launch_nested(struct context *c, struct kernel *k, const struct launch_shape *s,
                          const void *params, int depth, struct err *e);

static bool run_launched(struct context *c, const struct device_launch *d,
                         const struct launch_shape *parent, int depth, struct err *e)
{
    struct launch_shape s = {
        .dyn_shared = d->dyn_shared, .others = parent->others, .others_user = parent->others_user};
    memcpy(s.grid, d->grid, sizeof s.grid);
    memcpy(s.block, d->block, sizeof s.block);
    const uint32_t bytes = d->kernel->param_bytes;
    uint8_t *params = xmalloc(bytes + 1);
    BUG_ON(bytes && !devmem_read(c->mem, d->params, params, bytes), "a lost parameter buffer");
    const bool ok = launch_nested(c, d->kernel, &s, params, depth + 1, e);
    free(params);
    return ok;
}

/* What a grid has launched: its own launches before those of the next. */
static bool run_all_launched(struct context *c, struct device_launches *d,
                             const struct launch_shape *parent, int depth, struct err *e)
{
    bool ok = true;
    device_launches_sort(d);
    for (int i = 0; i < d->n; i++) {
        ok = ok && (!d->v[i].launched || run_launched(c, &d->v[i], parent, depth, e));
        devmem_heap_release(c->mem, d->v[i].params);
    }
    return ok;
}

/* The host sees all memory, and so do other launches while this one waits. */
struct looking {
    struct context *c;
    const struct launch_shape *s;
};

static bool others_look(void *user, bool stuck)
{
    const struct looking *l = user;
    devmem_show(l->c->mem, DEVMEM_ALL);
    const bool ok = l->s->others(l->s->others_user, stuck);
    devmem_device(l->c->mem, l->c->device, l->c->devices);
    devmem_show(l->c->mem, l->c->sees);
    return ok;
}

static bool run(struct context *c, struct launch *l, const struct launch_shape *s, struct err *e)
{
    struct looking with = {c, s};
    if (c->devices > 1) {
        devmem_device(c->mem, c->device, c->devices);
        devmem_show(c->mem, c->sees);
        if (l->others) {
            l->others = others_look;
            l->others_user = &with; // cppcheck-suppress autoVariables; until this returns
        }
    }
    const bool ok = c->x->launch(c->x->self, l, e);
    devmem_show(c->mem, DEVMEM_ALL);
    return ok;
}

static bool launch_nested(struct context *c, struct kernel *k, const struct launch_shape *s,
                          const void *params, int depth, struct err *e)
{
    struct device_launches launches = {.depth = depth};
    struct launch l = {.kernel = k,
                       .dyn_shared = s->dyn_shared,
                       .regs_override = s->regs,
                       .recorded = s->recorded,
                       .mem = c->mem,
                       .textures = c->textures,
                       .sequence = c->sequence,
                       .device = c->device,
                       .malloc_limit = c->heap_limit,
                       .launches = &launches,
                       .why = &c->fault,
                       .others = s->others,
                       .others_user = s->others_user};
    if (s->cooperative)
        l.workspace = workspace(c);
    memcpy(l.grid, s->grid, sizeof l.grid);
    memcpy(l.block, s->block, sizeof l.block);
    memcpy(l.cluster, s->cluster, sizeof l.cluster);
    l.params = xaligned(64, k->param_bytes ? k->param_bytes : 1);
    if (k->param_bytes)
        memcpy(l.params, params, k->param_bytes);
    c->sequence++;
    c->fault.kind = FAULT_NONE;
    bool ok = run(c, &l, s, e);
    free(l.params);
    ok = ok && run_all_launched(c, &launches, s, depth, e);
    device_launches_fini(&launches);
    return ok;
}

bool context_launch(struct context *c, struct kernel *k, const struct launch_shape *s,
                    const void *params, struct err *e)
{
    BUG_ON(!c->x, "launch on a context without an executor");
    return launch_nested(c, k, s, params, 0, e);
}
