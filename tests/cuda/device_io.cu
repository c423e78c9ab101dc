// printf, malloc and free on the device.
#include "check.cuh"

struct node {
    int value;
    node *next;
};

__global__ void list(int *sum)
{
    node *head = nullptr;
    for (int i = 1; i <= 10; i++) {
        node *n = (node *)malloc(sizeof *n);
        if (!n) {
            printf("no memory\n");
            return;
        }
        n->value = i * (int)(threadIdx.x + 1);
        n->next = head;
        head = n;
    }
    int s = 0;
    while (head) {
        node *next = head->next;
        s += head->value;
        free(head);
        head = next;
    }
    sum[threadIdx.x] = s;
    if (threadIdx.x < 2)
        printf("thread %u: %d %5.2f %s %c %lld\n", threadIdx.x, s, s / 3.0, "text", 'x', 1LL << 40);
}

int main()
{
    int h[64], *d;
    size_t heap;
    CHECK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 32 << 20));
    CHECK(cudaDeviceGetLimit(&heap, cudaLimitMallocHeapSize));
    EXPECT(heap == 32 << 20);
    CHECK(cudaMalloc(&d, sizeof h));
    list<<<1, 64>>>(d);
    CHECK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 64; i++)
        EXPECT(h[i] == 55 * (i + 1));
    puts("passed");
}
