#include <string.h>

#include "sim/func/cta_cluster.h"
#include "sim/func/exec.h"

#define MAX_THREADS 1024
#define MAX_SHARED  (227u * 1024)
#define MAX_LOCAL   (512u * 1024)

static const int max_block[3] = {1024, 1024, 64};
static const int max_grid[3] = {INT32_MAX, 65535, 65535};

static bool check_shape(const struct launch *l, struct err *e)
{
    const char *name = l->kernel->name;
    for (int d = 0; d < 3; d++) {
        if (l->block[d] < 1 || l->block[d] > max_block[d])
            return err_set(e, "kernel %s: block.%c = %d, allowed 1..%d", name, "xyz"[d],
                           l -> block[d], max_block[d]);
        if (l->grid[d] < 1 || l->grid[d] > max_grid[d])
            return err_set(e, "kernel %s: grid.%c = %d, allowed 1..%d", name, "xyz"[d],
                           l -> grid[d], max_grid[d]);
    }
    if (launch_threads(l) > MAX_THREADS)
        return err_set(e, "kernel %s: block of %d x %d x %d = %d threads, at most %d", name,
                       l->block[0], l->block[1], l->block[2], launch_threads(l), MAX_THREADS);
    return true;
}

int launch_most_threads(const struct kernel *k)
{
    int most = MAX_THREADS;
    int64_t product = 1;
    if (!k->maxntid[0])
        return most;
    for (int d = 0; d < 3 && product < most; d++)
        product *= k->maxntid[d] ? k->maxntid[d] : 1;
    return product < most ? (int)product : most;
}

/* .reqntid fixes each dimension; .maxntid bounds the product (PTX ISA, performance directives). */
static bool check_directives(const struct launch *l, struct err *e)
{
    const struct kernel *k = l->kernel;
    const int *b = l->block, *r = k->reqntid;
    if (r[0] && (b[0] != r[0] || b[1] != (r[1] ? r[1] : 1) || b[2] != (r[2] ? r[2] : 1)))
        return err_set(e, "kernel %s: block %d x %d x %d, but .reqntid asks for %d x %d x %d",
                       k->name, b[0], b[1], b[2], r[0], r[1] ? r[1] : 1, r[2] ? r[2] : 1);
    const int most = launch_most_threads(k);
    if (launch_threads(l) > most)
        return err_set(e, "kernel %s: block of %d threads, but .maxntid allows %d", k->name,
                       launch_threads(l), most);
    return true;
}

static bool check_local(const struct kernel *k, struct err *e)
{
    if (k->local_bytes > MAX_LOCAL || k->frame_bytes > MAX_LOCAL)
        return err_set(e, "kernel %s: %u bytes of local memory a thread, at most %u", k->name,
                       k->local_bytes > k->frame_bytes ? k->local_bytes : k->frame_bytes,
                       MAX_LOCAL);
    return true;
}

static bool check_shared(const struct launch *l, struct err *e)
{
    if (launch_shared(l) > MAX_SHARED)
        return err_set(
            e, "kernel %s: %u + %u bytes of shared memory a CTA (static + dynamic), at most %u",
            l->kernel->name, l->kernel->shared_bytes, l->dyn_shared, MAX_SHARED);
    return true;
}

/* What compilers make of a kernel that launches kernels. */
static bool launches(const char *text)
{
    return strstr(text, "__cuda_syscall") || strstr(text, "cudaLaunchDevice") ||
           strstr(text, "cudaGetParameterBuffer");
}

static bool check_supported(const struct kernel *k, struct err *e)
{
    for (uint32_t i = 0; i < k->ninst; i++)
        if (k->inst[i].op == OP_UNSUPPORTED)
            return err_set(e, "kernel %s uses %s at %s:%d, which is not supported%s", k->name,
                           k->inst[i].text, module_name(k->module), k->inst[i].line,
                           launches(k->inst[i].text) ? " (it launches kernels itself)" : "");
    return true;
}

bool launch_init(struct launch *l, struct err *e)
{
    BUG_ON(!l->kernel || !l->mem, "launch without kernel or memory");
    BUG_ON(l->kernel->param_bytes && !l->params, "launch without parameters");
    return check_shape(l, e) && check_directives(l, e) && launch_check_cluster(l, e) &&
           check_shared(l, e) && check_local(l->kernel, e) && check_supported(l->kernel, e) &&
           exec_bind(l->kernel, e);
}

bool launch_independent(const struct launch *l)
{
    if (l->threads != THREADS_BY_TARGET)
        return l->threads == THREADS_INDEPENDENT;
    return module_target(l->kernel->module) >= 70;
}

int launch_threads(const struct launch *l)
{
    return l->block[0] * l->block[1] * l->block[2];
}

int launch_warps(const struct launch *l)
{
    return (launch_threads(l) + WARP_SIZE - 1) / WARP_SIZE;
}

uint64_t launch_ctas(const struct launch *l)
{
    return (uint64_t)l->grid[0] * (uint64_t)l->grid[1] * (uint64_t)l->grid[2];
}

uint32_t launch_shared(const struct launch *l)
{
    uint64_t fixed = l->kernel->shared_bytes;
    uint64_t all = l->dyn_shared ? (fixed + 15) / 16 * 16 + l->dyn_shared : fixed;
    return all > UINT32_MAX ? UINT32_MAX : (uint32_t)all;
}

int launch_regs(const struct launch *l)
{
    return l->regs_override ? l->regs_override : (int)l->kernel->regs;
}
