// topk.cu -- the k largest elements of each row and where they are, largest first, the leftmost
// first of those that are equal; a CTA a row. Radix selection, 8 bits a pass from the highest: the
// digit of the k-th largest is found in a histogram, until as many are left as are wanted. These are
// then sorted in shared memory (bitonic).
// PTX: nvcc -ptx -arch=compute_75 topk.cu -o topk.ptx

#define DIGITS 256
#define MOST   64 // k at most
#define ALL    0xffffffffu

struct selection {
    int shift;                 // of the last digit seen
    unsigned long long prefix; // the digits of the k-th largest so far
    unsigned wanted, left;     // of those with this prefix
};

// Larger elements have larger keys, and of equal ones that on the left.
static __device__ unsigned long long key_of(const float *row, int i)
{
    unsigned bits = __float_as_uint(row[i]);
    bits = bits & 0x80000000u ? ~bits : bits | 0x80000000u;
    return (unsigned long long)bits << 32 | (unsigned)~i;
}

// By the first warp: the digit of which the wanted-th largest is, 8 digits a lane.
static __device__ void find_digit(struct selection *s, const unsigned *count)
{
    int lane = threadIdx.x;
    unsigned own = 0, wanted = s->wanted;
    for (int i = 0; i < 8; i++)
        own += count[8 * lane + i];
    unsigned from_here = own;
    for (int far = 1; far < 32; far *= 2) {
        unsigned more = __shfl_down_sync(ALL, from_here, far);
        from_here += lane + far < 32 ? more : 0;
    }
    unsigned above = from_here - own;
    if (above < wanted && wanted <= from_here) {
        int digit = 8 * lane + 7;
        while (above + count[digit] < wanted)
            above += count[digit--];
        s->prefix = s->prefix << 8 | digit;
        s->wanted = wanted - above;
        s->left = count[digit];
    }
}

static __device__ void select(struct selection *s, unsigned *count, const float *row, int columns)
{
    for (int shift = 56; shift >= 0 && s->left != s->wanted; shift -= 8) {
        for (int i = threadIdx.x; i < DIGITS; i += blockDim.x)
            count[i] = 0;
        __syncthreads();
        unsigned long long prefix = s->prefix;
        for (int i = threadIdx.x; i < columns; i += blockDim.x) {
            unsigned long long key = key_of(row, i);
            if (shift == 56 || key >> (shift + 8) == prefix)
                atomicAdd(&count[(key >> shift) % DIGITS], 1u);
        }
        __syncthreads();
        if (threadIdx.x < 32)
            find_digit(s, count);
        if (threadIdx.x == 0)
            s->shift = shift;
        __syncthreads();
    }
}

// Largest first; by 32 threads. The same instructions in whatever order the keys came.
static __device__ void sort(unsigned long long *key)
{
    for (int run = 2; run <= MOST; run *= 2)
        for (int far = run / 2; far > 0; far /= 2) {
            int i = 2 * threadIdx.x - (threadIdx.x & (far - 1));
            unsigned long long a = key[i], b = key[i + far];
            bool swap = (a < b) == ((i & run) == 0);
            key[i] = swap ? b : a;
            key[i + far] = swap ? a : b;
            __syncwarp();
        }
}

extern "C" __global__ void topk_rows(float *value, int *index, const float *from, int columns,
                                     int k)
{
    __shared__ unsigned count[DIGITS], chosen;
    __shared__ unsigned long long key[MOST];
    __shared__ struct selection s;
    const float *row = from + (size_t)blockIdx.x * columns;
    if (threadIdx.x == 0) {
        s.shift = 64;
        s.prefix = 0;
        s.wanted = k;
        s.left = columns;
        chosen = 0;
    }
    for (int i = threadIdx.x; i < MOST; i += blockDim.x)
        key[i] = 0; // smaller than every element's
    __syncthreads();
    select(&s, count, row, columns);
    for (int i = threadIdx.x; i < columns; i += blockDim.x) {
        unsigned long long own = key_of(row, i);
        if (own >> s.shift >= s.prefix)
            key[atomicAdd(&chosen, 1u)] = own;
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        sort(key);
        for (int i = threadIdx.x; i < k; i += 32) {
            int at = ~(int)(unsigned)key[i];
            index[blockIdx.x * k + i] = at;
            value[blockIdx.x * k + i] = row[at];
        }
    }
}
