/* What clang makes of CUDA without the toolkit's headers; at -O0 nearly all accesses are generic.
 */
#define __global__   __attribute__((global))
#define __device__   __attribute__((device))
#define __shared__   __attribute__((shared))
#define __constant__ __attribute__((constant))
#define TX           __nvvm_read_ptx_sreg_tid_x()
#define BX           __nvvm_read_ptx_sreg_ctaid_x()
extern "C" __device__ int vprintf(const char *, void *);
extern "C" __device__ void *malloc(unsigned long);
extern "C" __device__ void free(void *);

struct record {
    int id;
    double weight;
    char tag[13];
};
typedef int (*unary)(int);
typedef float float4 __attribute__((ext_vector_type(4)));
typedef unsigned char uchar4 __attribute__((ext_vector_type(4)));

__device__ __attribute__((noinline)) record grow(record r, int k)
{
    r.id += k;
    r.weight *= k;
    r.tag[k & 7] = k;
    return r;
}
__device__ int thrice(int x)
{
    return x * 3;
}
__device__ int less_three(int x)
{
    return x - 3;
}
__device__ unary table[] = {thrice, less_three};
__device__ const char text[] = "abc";
struct mixed {
    char a;
    unary f;
    short b;
    const char *s;
};
__device__ mixed pointers = {1, thrice, 2, text};
__constant__ float scale[16] = {1, 2, 3};
__device__ int counter = 7;
__device__ int *where = &counter;
__device__ int grid2[2][3] = {{1, 2}, {4, 5, 6}};
__shared__ int tile[64];
extern __shared__ float dyn[];

extern "C" __global__ void generic(int *o, float *f, double *d, long *l, record s, unary g, bool b,
                                   char c, short h)
{
    const int i = BX * __nvvm_read_ptx_sreg_ntid_x() + TX;
    tile[TX] = o[i];
    dyn[TX] = f[i];
    __syncthreads();
    const float x = dyn[TX ^ 1];
    int local[10], z = 0;
    for (int j = 0; j < i % 10; j++)
        local[j] = o[j];
    for (int j = 0; j < 10; j++)
        z += local[j] * tile[j];
    f[i] = x / (x + 1) + __builtin_fabsf(x) + __nvvm_sqrt_rn_f(x) + __nvvm_sin_approx_f(x) +
           __nvvm_fma_rz_f(x, x, x) + __nvvm_saturate_f(x) + __nvvm_floor_f(x) + (float)l[i];
    d[i] = d[i] / x + __nvvm_sqrt_rn_d(d[i]) + (double)i;
    l[i] = l[i] / 7 + l[i] % 11 + (long)d[i] + (l[i] << i) + (l[i] >> 3);
    z += table[i % 2](i) + g(i) + (int)scale[i & 15] + *where + grid2[i & 1][2] + pointers.f(i);
    z += c * h + (b ? 1 : h) + __builtin_clz(i) + __builtin_popcount(i) + __nvvm_mulhi_i(i, 3);
    const record t = grow(s, i);
    z += t.id + (int)t.weight + t.tag[i & 7];
    void *args[1] = {&z};
    vprintf("%d\n", args);
    int *p = (int *)malloc(16);
    p[i & 3] = i;
    o[i] = z + p[1];
    free(p);
    __nvvm_atom_add_gen_i(o, 1);
    __nvvm_atom_add_gen_f(f, 1.0f);
    __nvvm_membar_gl();
    if (i == 77)
        __builtin_trap();
}

extern "C" __global__ void vectors(float4 *a, uchar4 *c)
{
    a[TX] = a[TX + 1] * 2.0f;
    c[TX] = c[TX + 2] + c[TX];
}

extern "C" __global__ void endless(volatile int *o)
{
    for (;;) {
        if (o[0])
            o[1] = 3;
        else
            o[2] = 4;
    }
}
