// Kernels that launch kernels. nvcc -rdc=true -arch=compute_75 -ptx nested.cu
extern "C" __device__ int __cuda_syscall_cnpv2GetLastError(void);

// A binary tree: node i says how deep it is, and launches nodes 2i and 2i+1 with a thread each.
extern "C" __global__ void tree(int *node, int i, int depth, int most)
{
    const int mine = i + (int)threadIdx.x;
    node[mine] += depth;
    if (depth < most)
        tree<<<1, 2>>>(node, 2 * mine, depth + 1, most);
}

extern "C" __global__ void add(int *p, int what)
{
    atomicAdd(p, what);
}

extern "C" __global__ void twice(int *p)
{
    *p *= 2;
}

// The tail launch comes last, though it is launched first.
extern "C" __global__ void tail(int *p)
{
    twice<<<1, 1, 0, cudaStreamTailLaunch>>>(p);
    add<<<2, 32>>>(p, 1);
    add<<<1, 1, 0, cudaStreamFireAndForget>>>(p, 3);
}

// What is in no grid's power: a block of 2,000 threads, an empty grid.
extern "C" __global__ void refused(int *error)
{
    add<<<1, 2000>>>(error, 1);
    error[1] = __cuda_syscall_cnpv2GetLastError();
    error[2] = threadIdx.x ? 0 : error[1];
    if (threadIdx.x == 0)
        add<<<dim3(1, 0, 1), 1>>>(error, 1);
}

extern "C" __global__ void endless(int *p)
{
    *p += 1;
    endless<<<1, 1>>>(p);
    p[1] = __cuda_syscall_cnpv2GetLastError();
}

struct big {
    int v[4];
};

extern "C" __global__ void sum(int *p, struct big b)
{
    extern __shared__ int part[];
    const unsigned mine = threadIdx.x + 4 * (threadIdx.y + 4 * threadIdx.z);
    part[mine] = b.v[threadIdx.x % 4];
    __syncthreads();
    if (mine == 0)
        for (unsigned i = 0; i < 64; i++)
            atomicAdd(p, part[i]);
}

// A structure by value, a grid and a block of several dimensions, dynamic shared memory.
extern "C" __global__ void spread(int *p)
{
    struct big b;
    for (int i = 0; i < 4; i++)
        b.v[i] = i;
    sum<<<dim3(1, 2, 1), dim3(4, 4, 4), 256>>>(p, b);
}
