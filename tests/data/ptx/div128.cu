/* 128-bit division, which nvcc makes of carry chains: addc follows sub.cc. */
typedef unsigned __int128 wide;
extern "C" __global__ void k(wide *out, const wide *in)
{
    const wide *p = in + 2 * threadIdx.x;
    out[2 * threadIdx.x] = p[0] / p[1];
    out[2 * threadIdx.x + 1] = p[0] % p[1];
}
