/* library.c -- errors, GPUs, devices, modules and memory. */
#include "library/library.h"

#include <stdlib.h>
#include <string.h>

#include "base/datadir.h"
#include "base/file.h"
#include "base/revision.h"
#include "fitter/fit/coefficients.h"
#include "program/online.h"
#include "sim/ptx/module.h"

#define PTX_MAX ((size_t)1 << 30)

static _Thread_local struct err failure;

struct err *library_failed(void)
{
    return &failure;
}

struct err *library_begin(void)
{
    failure.msg[0] = '\0';
    return &failure;
}

const char *mdpredict_version(void)
{
    return mdpredict_full_version;
}

const char *mdpredict_error(void)
{
    return failure.msg;
}

struct mdpredict_gpu *mdpredict_gpu_load(const char *name)
{
    struct err *e = library_begin();
    char *data = name ? datadir(e) : NULL;
    struct mdpredict_gpu *g = xcalloc(1, sizeof *g);
    if (data && gpu_cfg_load(&g->cfg, data, name, e)) {
        free(data);
        return g;
    }
    if (!name)
        err_set(e, "no name of a GPU is given");
    free(data);
    free(g);
    return NULL;
}

int mdpredict_gpu_set(struct mdpredict_gpu *gpu, const char *assignment)
{
    struct err *e = library_begin();
    if (!gpu || !assignment)
        return err_set(e, "no %s is given", gpu ? "assignment" : "GPU") ? 0 : -1;
    struct gpu_cfg changed = gpu->cfg;
    if (!params_set(gpu_cfg_groups(), &changed, assignment, e))
        return -1;
    gpu->cfg = changed;
    return 0;
}

void mdpredict_gpu_free(struct mdpredict_gpu *gpu)
{
    free(gpu);
}

static bool on_launch(void *self, struct launch *l, struct err *e)
{
    struct mdpredict_device *d = self;
    l->threads = THREADS_INDEPENDENT;
    return launch_init(l, e) && d->act(d, l, e);
}

/* The coefficients of the CTA scheduler `online`, where the GPU has that one. */
static bool online_values(struct program_plan *p, struct err *e)
{
    struct coefficients c;
    const bool ok = online_coefficients(&c, &p->cfg, e);
    if (ok && c.model)
        memcpy(p->online, c.value, c.model->coeff_size);
    coefficients_release(&c);
    return ok;
}

struct mdpredict_device *mdpredict_device_new(const struct mdpredict_gpu *gpu)
{
    struct err *e = library_begin();
    if (!gpu) {
        err_set(e, "no GPU is given");
        return NULL;
    }
    struct mdpredict_device *d = xcalloc(1, sizeof *d);
    d->plan = (struct program_plan){.cfg = gpu->cfg, .jobs = 1, .cta = -1, .only_launch = -1};
    if (!gpu_cfg_check(&gpu->cfg, e) || !sampling_load(&d->plan.rules, e) ||
        !online_values(&d->plan, e)) {
        free(d);
        return NULL;
    }
    d->x = (struct executor){.launch = on_launch, .self = d, .device = &d->plan.cfg};
    d->context = context_new(&d->x);
    return d;
}

void mdpredict_device_free(struct mdpredict_device *device)
{
    if (!device)
        return;
    for (struct mdpredict_module *m = device->modules; m;) {
        struct mdpredict_module *gone = m;
        m = m->next;
        free(gone);
    }
    gpu_free(device->gpu);
    context_free(device->context);
    free(device);
}

static struct mdpredict_module *load(struct mdpredict_device *d, const char *name, const char *ptx,
                                     size_t len)
{
    struct module *loaded = context_load(d->context, name, ptx, len, library_failed());
    if (!loaded)
        return NULL;
    struct mdpredict_module *m = xcalloc(1, sizeof *m);
    *m = (struct mdpredict_module){.device = d, .module = loaded, .next = d->modules};
    return d->modules = m;
}

struct mdpredict_module *mdpredict_module_load(struct mdpredict_device *device, const char *name,
                                               const char *ptx)
{
    struct err *e = library_begin();
    if (device && ptx)
        return load(device, name ? name : "PTX", ptx, strlen(ptx));
    err_set(e, "no %s is given", device ? "PTX" : "device");
    return NULL;
}

struct mdpredict_module *mdpredict_module_load_file(struct mdpredict_device *device,
                                                    const char *path)
{
    struct err *e = library_begin();
    size_t len;
    if (!device || !path) {
        err_set(e, "no %s is given", device ? "path" : "device");
        return NULL;
    }
    char *text = file_read(path, PTX_MAX, &len, e);
    struct mdpredict_module *m = text ? load(device, path, text, len) : NULL;
    free(text);
    return m;
}

uint64_t mdpredict_alloc(struct mdpredict_device *device, size_t bytes)
{
    struct err *e = library_begin();
    const uint64_t a = device ? devmem_alloc(context_mem(device->context), bytes, "memory") : 0;
    if (!a)
        err_set(e, "the device cannot give %zu bytes", bytes);
    return a;
}

int mdpredict_release(struct mdpredict_device *device, uint64_t address)
{
    struct err *e = library_begin();
    if (device && devmem_release(context_mem(device->context), address))
        return 0;
    err_set(e, "no allocation of the device begins at 0x%llx", (unsigned long long)address);
    return -1;
}

/* The bytes are not all of one allocation. */
static int outside(size_t bytes, uint64_t at)
{
    err_set(library_failed(), "no allocation of the device has %zu bytes from 0x%llx on", bytes,
            (unsigned long long)at);
    return -1;
}

int mdpredict_write(struct mdpredict_device *device, uint64_t to, const void *from, size_t bytes)
{
    library_begin();
    return device && from && devmem_write(context_mem(device->context), to, from, bytes)
               ? 0
               : outside(bytes, to);
}

int mdpredict_read(struct mdpredict_device *device, void *to, uint64_t from, size_t bytes)
{
    library_begin();
    return device && to && devmem_read(context_mem(device->context), from, to, bytes)
               ? 0
               : outside(bytes, from);
}
