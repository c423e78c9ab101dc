// Functions that call themselves, each other, and by address; locals of every call are its own.
#include "check.cuh"

__device__ int fibonacci(int n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

// Lanes go down to different depths; each call adds to what all calls above it hold.
struct chain {
    const chain *above;
    int value[3];
};
__device__ __noinline__ int walk(const chain *above, int depth, int left)
{
    chain own = {above, {depth, depth * depth, 7}};
    if (left > 0) {
        int below = walk(&own, depth + 1, left - 1);
        own.value[2] += below; // what the call below left of ours
        return own.value[2] - 7 + (own.value[0] == depth ? 0 : 1000000);
    }
    int sum = 0;
    for (const chain *c = &own; c; c = c->above)
        sum += c->value[0] + c->value[1];
    return sum;
}

__device__ bool is_even(int n);
__device__ __noinline__ bool is_odd(int n)
{
    return n != 0 && is_even(n - 1);
}
__device__ __noinline__ bool is_even(int n)
{
    return n == 0 || is_odd(n - 1);
}

struct node {
    __device__ virtual int sum(const node *tree) const = 0;
};
struct leaf : node {
    int v;
    __device__ leaf(int v_) : v(v_) {}
    __device__ int sum(const node *) const override { return v; }
};
struct pair : node {
    const node *a, *b;
    __device__ pair(const node *a_, const node *b_) : a(a_), b(b_) {}
    __device__ int sum(const node *tree) const override { return a->sum(tree) + b->sum(tree) + 1; }
};

__device__ __noinline__ void sort(int *v, int n) // quicksort
{
    if (n < 2)
        return;
    int pivot = v[n / 2], i = 0, j = n - 1;
    while (i <= j) {
        while (v[i] < pivot)
            i++;
        while (v[j] > pivot)
            j--;
        if (i <= j) {
            int t = v[i];
            v[i++] = v[j];
            v[j--] = t;
        }
    }
    sort(v, j + 1);
    sort(v + i, n - i);
}

__global__ void all(int *out, int *numbers)
{
    int t = threadIdx.x;
    out[t] = fibonacci(t % 13);
    out[64 + t] = walk(nullptr, 0, t % 20);
    out[128 + t] = is_even(t) + 2 * is_odd(t);
    leaf l(t), m(2 * t);
    pair p(&l, &m), q(&p, &l), r(&q, &p);
    const node *top = t % 2 ? (const node *)&r : (const node *)&q;
    out[192 + t] = top->sum(top);
    sort(numbers + 40 * t, 1 + t % 40);
}

__device__ __noinline__ int endless(int n)
{
    return n < 0 ? 1 : endless(n + 1) ^ (endless(n + 2) << 1);
}
__global__ void overflow(int *out)
{
    *out = endless(0);
}

int main()
{
    int *out, *numbers, fib[13] = {0, 1};
    for (int i = 2; i < 13; i++)
        fib[i] = fib[i - 1] + fib[i - 2];
    CHECK(cudaMallocManaged(&out, 256 * sizeof *out));
    CHECK(cudaMallocManaged(&numbers, 64 * 40 * sizeof *numbers));
    for (int i = 0; i < 64 * 40; i++)
        numbers[i] = i * 7919 % 1000;
    all<<<1, 64>>>(out, numbers);
    CHECK(cudaDeviceSynchronize());
    for (int t = 0; t < 64; t++) {
        int sum = 0;
        for (int d = 0; d <= t % 20; d++)
            sum += d + d * d;
        EXPECT(out[t] == fib[t % 13]);
        EXPECT(out[64 + t] == sum);
        EXPECT(out[128 + t] == (t % 2 ? 2 : 1));
        // p = 3t + 1, q = p + t + 1 = 4t + 2, r = q + p + 1 = 7t + 4
        EXPECT(out[192 + t] == (t % 2 ? 7 * t + 4 : 4 * t + 2));
        for (int i = 1; i < 1 + t % 40; i++)
            EXPECT(numbers[40 * t + i - 1] <= numbers[40 * t + i]);
    }
    overflow<<<1, 1>>>(out);
    GIVES(cudaDeviceSynchronize(), cudaErrorHardwareStackError);
    puts("passed");
}
