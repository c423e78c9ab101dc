/* A program as compilers make them, by hand: a fat binary around PTX, registered before main,
 * kernels launched through their stubs. Needs no CUDA tool. Called as `host WHAT [HOW]`; see
 * host.sh. */
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "program/plan.h"
#include "tests/cuda/fatbin.h"

void __cudaRegisterFatBinaryEnd(void **h);
void __cudaUnregisterFatBinary(void **h);
void __cudaRegisterVar(void **h, char *host, char *dev, const char *name, int ext, size_t bytes,
                       int constant, int global);
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, void *stream);
int __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void **stream);
int cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes, size_t off, int kind);
int cudaDeviceSynchronize(void);
int cudaGetLastError(void);
int cudaDeviceReset(void);
int cudaGetDeviceProperties(void *to, int device);
int cudaIpcGetMemHandle(void *handle, void *p);

extern const char ptx[], ptx_end[];
__asm__(".pushsection .rodata\n.balign 8\nptx: .incbin \"" PTX
        "\"\nptx_end: .byte 0\n.popsection\n");

static void **handle;
static int counter; /* the device variable's shadow */

static int launch(const void *stub, unsigned grid, unsigned block, void **args)
{
    dim3 g = {grid, 1, 1}, b = {block, 1, 1};
    size_t shared;
    void *stream;
    if (__cudaPushCallConfiguration(g, b, 0, NULL) != 0)
        return -1;
    __cudaPopCallConfiguration(&g, &b, &shared, &stream);
    return cudaLaunchKernel(stub, g, b, args, shared, stream);
}
static int scale(unsigned grid, float *p, float by, int n)
{
    void *args[] = {&p, &by, &n};
    return launch((const void *)scale, grid, 64, args);
}
static int poke(char *p)
{
    void *args[] = {&p};
    return launch((const void *)poke, 1, 1, args);
}
static int spin(void)
{
    void *args[1];
    return launch((const void *)spin, 1, 32, args);
}

__attribute__((constructor)) static void before_main(void)
{
    handle = register_ptx(ptx, (size_t)(ptx_end - ptx), 8, 75);
    static const struct {
        const void *stub;
        char *name;
    } k[] = {
        {(const void *)scale, "scale"}, {(const void *)poke, "poke"}, {(const void *)spin, "spin"}};
    for (int i = 0; i < 3; i++)
        register_kernel(handle, k[i].stub, k[i].name);
    __cudaRegisterVar(handle, (char *)&counter, "counter", "counter", 0, sizeof counter, 0, 0);
    __cudaRegisterFatBinaryEnd(handle);
}
__attribute__((destructor)) static void after_main(void)
{
    __cudaUnregisterFatBinary(handle);
}

static float h[1000], *d;

static int compute(void)
{
    int n = 0;
    for (int i = 0; i < 1000; i++)
        h[i] = (float)i;
    if (cudaMalloc((void **)&d, sizeof h) || cudaMemcpy(d, h, sizeof h, 1) ||
        scale(16, d, 3, 1000) || scale(16, d, 0.5f, 1000) || scale(16, d, 0.5f, 1000) ||
        cudaDeviceSynchronize() || cudaMemcpy(h, d, sizeof h, 2) ||
        cudaMemcpyFromSymbol(&n, &counter, sizeof n, 0, 2))
        return 1;
    for (int i = 0; i < 1000; i++)
        if (h[i] != (float)i * 0.75f)
            return 1;
    return n % 3 != 0;
}

/* Wherever it lies, a kernel cannot write a byte of the host: 700, illegal address. */
static int hostile(void)
{
    static char mine = 1;
    char here = 2, *heap = calloc(1, 4096),
         *targets[] = {&mine, &here, heap, (char *)launch, (char *)h};
    unsigned which = (unsigned)atoi(getenv("TARGET"));
    if (poke(targets[which % 5]) != 0 || cudaDeviceSynchronize() != 700)
        return 1;
    return mine != 1 || here != 2 || heap[0] != 0;
}

/* A library with a module of its own was opened, and is closed before anything asked for that. */
static int closed_library(void)
{
    char properties[2048], *page = mmap(NULL, 1 << 20, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memcpy(page, &wrapper, sizeof wrapper);
    memcpy(page + 64, &container, sizeof container);
    *(char **)(page + 8) = page + 64; /* wrapper.data */
    __cudaUnregisterFatBinary(__cudaRegisterFatBinary(page));
    munmap(page, 1 << 20);
    return cudaGetDeviceProperties(properties, 0) || compute();
}

/* Kernels whose names are longer than a record holds, and differ in their last letter alone; the
 * driver is opened by hand. */
static int long_names(void)
{
    enum { LONG = 1100 };
    static char text[4 * LONG], name[2][LONG + 2];
    void *cuda = dlopen("libcuda.so", RTLD_NOW), *ctx, *module, *f;
    int (*init)(unsigned) = dlsym(cuda, "cuInit");
    int (*create)(void **, unsigned, int) = dlsym(cuda, "cuCtxCreate_v2");
    int (*load)(void **, const void *) = dlsym(cuda, "cuModuleLoadData");
    int (*get)(void **, void *, const char *) = dlsym(cuda, "cuModuleGetFunction");
    int (*run)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *,
               void **, void **) = dlsym(cuda, "cuLaunchKernel");
    size_t n = (size_t)sprintf(text, ".version 7.8\n.target sm_75\n.address_size 64\n");
    for (int i = 0; i < 2; i++) {
        memset(name[i], 'k', LONG);
        name[i][LONG] = (char)('0' + i);
        n += (size_t)sprintf(text + n, ".visible .entry %s()\n{\nret;\n}\n", name[i]);
    }
    int bad = init(0) || create(&ctx, 0, 0) || load(&module, text);
    for (int i = 0; i < 2; i++)
        bad = bad || get(&f, module, name[i]) || run(f, 1, 1, 1, 32, 1, 1, 0, NULL, NULL, NULL);
    return bad;
}

/* Calls the functions that stdin names, each twice. */
static int not_supported(void)
{
    char name[200];
    int bad = 0;
    for (int n = 0; scanf("%199s", name) == 1; n++)
        for (int i = 0; i < 2; i++) {
            int (*f)(void) = dlsym(RTLD_DEFAULT, name);
            bad |= !f || f() != 801;
        }
    return bad;
}

/* A container that says to be longer than the memory that holds it. */
static int broken_container(void)
{
    const size_t bytes = 2 << 20; /* of which nothing but the first page may be read */
    char *page = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), key;
    mprotect(page + 4096, bytes - 4096, PROT_NONE);
    container.size = 1 << 20;
    container.entry.payload = container.size - sizeof container.entry;
    memcpy(page, &wrapper, sizeof wrapper);
    memcpy(page + 64, &container, 4000);
    *(char **)(page + 8) = page + 64; /* wrapper.data */
    register_kernel(__cudaRegisterFatBinary(page), &key, "scale");
    return launch(&key, 1, 1, NULL) != 209; /* no kernel image */
}

static int forks(void)
{
    int status = 1;
    if (compute())
        return 1;
    pid_t child = fork();
    if (child == 0) /* the device is the parent's: 3, initialisation error */
        _exit(cudaDeviceSynchronize() == 3 && cudaMalloc((void **)&d, 4) == 3 ? 42 : 1);
    waitpid(child, &status, 0);
    if (fork() == 0) /* is left behind */
        for (;;)
            pause();
    return !WIFEXITED(status) || WEXITSTATUS(status) != 42 || compute();
}

/* The program closes what it does not know, and gets such numbers for a file of its own. */
static int descriptors(void)
{
    char name[] = "/tmp/descriptorsXXXXXX";
    int mine[50], bad = 0;
    if (compute())
        return 1;
    for (int fd = 3; fd < 1024; fd++)
        close(fd);
    for (int i = 0; i < 50; i++)
        mine[i] = i ? dup(mine[0]) : mkstemp(name);
    unlink(name);
    bad = compute();
    return bad || lseek(mine[0], 0, SEEK_END) != 0;
}

/* The program writes into what mdpredict reads of it: n_max of its first kernel, or only zeros up
 * to a terabyte. */
static int damage(const char *how)
{
    const int wrong = 0x7ffffff0;
    int pid, plan, records;
    char path[64];
    if (compute() || sscanf(getenv(PROGRAM_ENV), "%d:%d:%d", &pid, &plan, &records) != 3)
        return 1;
    snprintf(path, sizeof path, "/proc/%d/fd/%d", pid, records);
    const int fd = open(path, O_RDWR);
    const size_t at = 2 * sizeof(struct record_head) + sizeof(struct record_device) +
                      offsetof(struct record_kernel, n_max);
    if (!strcmp(how, "size"))
        return ftruncate(fd, 1LL << 40) != 0;
    return pwrite(fd, &wrong, sizeof wrong, (off_t)at) != sizeof wrong;
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    if (!strcmp(what, "damage"))
        return damage(argv[2]);
    if (!strcmp(what, "compute"))
        return compute();
    if (!strcmp(what, "reset")) /* launches 0 to 2, and 3 to 5 on a device that has been reset */
        return compute() || cudaDeviceReset() || compute();
    if (!strcmp(what, "hostile"))
        return hostile();
    if (!strcmp(what, "fork"))
        return forks();
    if (!strcmp(what, "descriptors"))
        return descriptors();
    if (!strcmp(what, "environment"))
        return clearenv() || compute();
    if (!strcmp(what, "closed"))
        return closed_library();
    if (!strcmp(what, "names"))
        return long_names();
    if (!strcmp(what, "these"))
        return not_supported();
    if (!strcmp(what, "broken"))
        return broken_container();
    if (!strcmp(what, "rejected")) /* 9: invalid configuration */
        return compute() || scale(0, d, 1, 1) != 9 || scale(0, d, 2, 2) != 9 ||
               launch((const void *)scale, 0, 64, NULL) != 9;
    if (!strcmp(what, "all rejected"))
        return scale(0, d, 1, 1) != 9;
    if (!strcmp(what, "more")) /* and one that never ends: 702, timeout */
        return compute() || spin() || cudaDeviceSynchronize() != 702;
    if (!strcmp(what, "endless"))
        return spin() || cudaDeviceSynchronize() != 702;
    if (!strcmp(what, "unsupported")) {
        char handle[64];
        return cudaIpcGetMemHandle(handle, d) != 801 || cudaIpcGetMemHandle(handle, d) != 801 ||
               cudaGetLastError() != 801;
    }
    if (compute())
        return 1;
    if (!strcmp(what, "exit"))
        exit(7);
    if (!strcmp(what, "_exit"))
        _exit(0);
    if (!strcmp(what, "abort"))
        abort();
    if (!strcmp(what, "crash")) {
        float *volatile nowhere = NULL;
        h[0] = *nowhere;
    }
    if (!strcmp(what, "touch"))
        h[0] = *(volatile float *)d; /* device memory is none of the host's */
    if (!strcmp(what, "kill"))
        raise(SIGKILL);
    if (!strcmp(what, "wait"))
        for (;;)
            pause();
    return 9;
}
