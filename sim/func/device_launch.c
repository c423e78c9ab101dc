#include "sim/func/device_launch.h"

#include <stdlib.h>
#include <string.h>

#include "sim/func/exec.h"

#define LEAST_BUFFER (4u << 10) /* what parameters of a kernel could take before CUDA 12.1 */
#define MOST_HELD    (1ull << 30)
#define FIRST_HANDLE 0x1000 /* behind the streams that have names */
#define TAIL_LAUNCH  3      /* cudaStreamTailLaunch */

enum { INVALID_VALUE = 1, INVALID_CONFIGURATION = 9 }; /* cudaError */

struct device_error {
    uint64_t cta;
    int thread;
    uint32_t error;
};

static int thread_of(const struct warp *w, int lane)
{
    return w->index * WARP_SIZE + lane;
}

static int in_order(const void *a, const void *b)
{
    const struct device_launch *x = a, *y = b;
    if (x->tail != y->tail)
        return x->tail - y->tail;
    if (x->parent != y->parent)
        return x->parent < y->parent ? -1 : 1;
    return x->number - y->number;
}

void device_launches_sort(struct device_launches *d)
{
    if (d->n > 1)
        qsort(d->v, (size_t)d->n, sizeof *d->v, in_order);
}

void device_launches_fini(struct device_launches *d)
{
    free(d->v);
    free(d->errors);
    memset(d, 0, sizeof *d);
}

/* Room for one more, twice as much each time. */
static void *grown(void *v, int n, int *cap, size_t each)
{
    if (n < *cap)
        return v;
    *cap = *cap ? 2 * *cap : 16;
    return xrealloc(v, (size_t)*cap * each);
}

static bool may_be_launched(const struct device_launch *d)
{
    const int *g = d->grid, *b = d->block;
    return g[0] > 0 && g[1] > 0 && g[2] > 0 && b[0] > 0 && b[1] > 0 && b[2] > 0 &&
           (int64_t)b[0] * b[1] <= 1024 && (int64_t)b[0] * b[1] * b[2] <= 1024;
}

static struct kernel *kernel_at(struct warp *w, const struct inst *in, int lane, addr_t a)
{
    struct module *m = w->cta->launch->kernel->module;
    const char *name = module_entry_at(m, a);
    struct err e = {0};
    struct kernel *k = name ? kernel_get(m, name, &e) : NULL;
    if (!name)
        err_set(&e, "a launch of 0x%llx, which is no kernel of this module", (unsigned long long)a);
    if (!k)
        warp_fault(w, in, FAULT_TRAP, lane, 0, 0, e.msg);
    return k;
}

static addr_t buffer(const struct launch *l, uint32_t bytes)
{
    return devmem_heap_alloc(l->mem, bytes > LEAST_BUFFER ? bytes : LEAST_BUFFER, MOST_HELD);
}

addr_t device_parameter_buffer(struct warp *w, const struct inst *in, int lane,
                               const struct device_launch *asked, addr_t kernel)
{
    const struct launch *l = w->cta->launch;
    struct device_launches *d = l->launches;
    devmem_note_effect(l->mem);
    if (!may_be_launched(asked)) {
        device_set_error(w, lane, INVALID_CONFIGURATION);
        return 0;
    }
    if (!d)
        return buffer(l, 0);
    struct device_launch new = *asked;
    new.kernel = kernel_at(w, in, lane, kernel);
    new.params = new.kernel ? buffer(l, new.kernel->param_bytes) : 0;
    if (!new.params)
        return 0;
    new.parent = (uint64_t)w->cta->linear;
    new.number = d->n;
    d->v = grown(d->v, d->n, &d->cap, sizeof *d->v);
    d->v[d->n++] = new;
    return new.params;
}

uint32_t device_launch_now(struct warp *w, addr_t params, uint64_t stream)
{
    struct device_launches *d = w->cta->launch->launches;
    if (d && d->depth >= DEVICE_LAUNCH_DEPTH)
        return DEVICE_LAUNCH_TOO_DEEP;
    for (int i = d ? d->n - 1 : -1; i >= 0; i--)
        if (d->v[i].params == params && !d->v[i].launched) {
            d->v[i].launched = true;
            d->v[i].tail = stream == TAIL_LAUNCH;
            d->v[i].number = d->n_launched++;
            return 0;
        }
    return d ? INVALID_VALUE : 0;
}

static struct device_error *error_of(const struct device_launches *d, const struct warp *w,
                                     int lane)
{
    for (int i = 0; i < d->nerrors; i++)
        if (d->errors[i].cta == (uint64_t)w->cta->linear &&
            d->errors[i].thread == thread_of(w, lane))
            return &d->errors[i];
    return NULL;
}

void device_set_error(struct warp *w, int lane, uint32_t error)
{
    struct device_launches *d = w->cta->launch->launches;
    struct device_error *e = d ? error_of(d, w, lane) : NULL;
    if (!d || (!e && !error))
        return;
    if (!e) {
        d->errors = grown(d->errors, d->nerrors, &d->cap_errors, sizeof *d->errors);
        e = &d->errors[d->nerrors++];
        *e = (struct device_error){(uint64_t)w->cta->linear, thread_of(w, lane), 0};
    }
    e->error = error;
}

uint32_t device_last_error(const struct warp *w, int lane)
{
    const struct device_launches *d = w->cta->launch->launches;
    const struct device_error *e = d ? error_of(d, w, lane) : NULL;
    return e ? e->error : 0;
}

uint64_t device_new_handle(struct warp *w)
{
    struct device_launches *d = w->cta->launch->launches;
    return FIRST_HANDLE + (d ? d->handles++ : 0);
}
