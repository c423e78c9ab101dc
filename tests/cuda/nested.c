/* Kernels that launch kernels (nested.cu). */
#include "tests/cuda/fatbin.h"
#include "tests/cuda/ok.h"

enum { INVALID_CONFIGURATION = 9, MAX_DEPTH_EXCEEDED = 65, MAX_DEPTH = 24, LEVELS = 5 };
int cudaMemset(void *, int, size_t);

static int *d;
static char tree, tail, refused, endless, spread; /* their addresses name the kernels */

extern const char ptx[], ptx_end[];
__asm__(".pushsection .rodata\n.balign 8\nptx: .incbin \"" PTX
        "\"\nptx_end: .byte 0\n.popsection\n");

__attribute__((constructor)) static void before_main(void)
{
    void **h = register_ptx(ptx, (size_t)(ptx_end - ptx), 9, 75);
    register_kernel(h, &tree, "tree");
    register_kernel(h, &tail, "tail");
    register_kernel(h, &refused, "refused");
    register_kernel(h, &endless, "endless");
    register_kernel(h, &spread, "spread");
}

static void launch(const char *k, unsigned grid, void **args, int *h, size_t n)
{
    OK(cudaMemset(d, 0, 4 << LEVELS));
    OK(cudaLaunchKernel(k, (dim3){grid, 1, 1}, (dim3){2, 1, 1}, args, 0, NULL));
    OK(cudaMemcpy(h, d, n * sizeof *h, 2));
}

/* Nodes 2 to 2^LEVELS - 1: each was reached once. */
static void every_node_of_a_tree_is_reached_once(void)
{
    int h[1 << LEVELS], two = 2, one = 1, most = LEVELS - 1;
    launch(&tree, 1, (void *[]){&d, &two, &one, &most}, h, 1 << LEVELS);
    for (int i = 2; i < 1 << LEVELS; i++)
        EXPECT(h[i] == 31 - __builtin_clz((unsigned)i));
    EXPECT(h[0] == 0 && h[1] == 0);
}

static void a_tail_launch_comes_last(void)
{
    int h;
    OK(cudaMemset(d, 0, 4));
    OK(cudaLaunchKernel(&tail, (dim3){1, 1, 1}, (dim3){1, 1, 1}, (void *[]){&d}, 0, NULL));
    OK(cudaMemcpy(&h, d, 4, 2));
    EXPECT(h == 2 * (64 + 3));
}

static void what_no_gpu_takes_is_refused(void)
{
    int h[3];
    launch(&refused, 1, (void *[]){&d}, h, 3);
    EXPECT(h[0] == 0 && h[1] == INVALID_CONFIGURATION);
}

static void shapes_and_structures_arrive(void)
{
    int h;
    launch(&spread, 1, (void *[]){&d}, &h, 1); /* two threads launch */
    EXPECT(h == 2 * 2 * 16 * (0 + 1 + 2 + 3));
}

static void nesting_has_an_end(void)
{
    int h[2];
    OK(cudaMemset(d, 0, 8));
    OK(cudaLaunchKernel(&endless, (dim3){1, 1, 1}, (dim3){1, 1, 1}, (void *[]){&d}, 0, NULL));
    OK(cudaMemcpy(h, d, 8, 2));
    EXPECT(h[0] == MAX_DEPTH + 1 && h[1] == MAX_DEPTH_EXCEEDED);
}

int main(void)
{
    OK(cudaMalloc((void **)&d, 4 << LEVELS));
    every_node_of_a_tree_is_reached_once();
    a_tail_launch_comes_last();
    what_no_gpu_takes_is_refused();
    shapes_and_structures_arrive();
    nesting_has_an_end();
    printf("passed\n");
    return 0;
}
