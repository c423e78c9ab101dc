/* Function pointers in tables and arguments, structures by value, printf, assert, malloc. */
#include <cassert>
#include <cstdio>

struct record {
    int id;
    double weight;
    char tag[13];
};

__device__ __noinline__ int triangle(int n)
{
    int sum = 0;
    for (int i = 1; i <= n; i++)
        sum += i * i % 7;
    return sum;
}
__device__ int thrice(int x)
{
    return 3 * x;
}
__device__ int less_three(int x)
{
    return x - 3;
}
typedef int (*unary)(int);
__device__ unary table[] = {thrice, less_three, triangle};
__device__ int counter = 7;
__device__ int *where = &counter;
__constant__ float scale[4] = {1.0f, 2.0f, 3.0f};
__managed__ int shared_with_host = 3;

__device__ __noinline__ record grow(record r, int k)
{
    r.id += k;
    r.weight *= k;
    r.tag[k & 7] = (char)k;
    return r;
}

__global__ void calls(int *out, record r, unary f)
{
    const int i = threadIdx.x;
    int v = triangle(i) + table[i % 3](i) + f(i) + (int)scale[i & 3] + *where + shared_with_host;
    const record g = grow(r, i);
    v += g.id + (int)g.weight + g.tag[i & 7];
    printf("%d: %f\n", i, g.weight);
    assert(i < 1000);
    int *p = (int *)malloc(16);
    if (p) {
        p[i & 3] = i;
        v += p[1];
        free(p);
    }
    out[i] = v;
}

__global__ void choose(int *out, int k)
{
    const int i = threadIdx.x;
    int r = 0;
    switch (out[i]) {
    case 0:
        r = 3;
        break;
    case 1:
        r = i * k;
        break;
    case 2:
        r = out[i + 1];
        break;
    case 3:
        r = k / 3;
        break;
    case 4:
        r = triangle(k);
        break;
    case 5:
        r = k ^ i;
        break;
    case 6:
        r = -i;
        break;
    case 7:
        r = i << k;
        break;
    case 8:
        r = 99;
        out[3] = 2;
        break;
    case 9:
        __syncthreads();
        break;
    case 10:
        r = out[k];
        break;
    default:
        r = 1;
    }
    out[i] = r;
}
