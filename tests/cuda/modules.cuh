__device__ float twice(float);
template <typename T> __device__ __noinline__ T add40(T x)
{
    return x + 40;
}
void fill_table();
void second(float *);
