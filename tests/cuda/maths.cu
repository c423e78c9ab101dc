// Functions of CUDA's mathematics library against the host's, within their documented errors.
#include <cmath>

#include "check.cuh"

#define FUNCTIONS(X)                                                                               \
    X(sin) X(cos) X(tan) X(exp) X(exp2) X(log) X(log2) X(log10) X(log1p) X(expm1) X(sqrt) X(cbrt)  \
    X(atan) X(sinh) X(tanh) X(erf) X(erfc) X(tgamma) X(floor) X(rint) X(trunc)

template <typename T> __global__ void all(T *out, T x0, T step, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, at = i;
    if (i >= n)
        return;
    T x = x0 + step * i;
#define X(f) out[at] = f(x), at += n;
    FUNCTIONS(X)
#undef X
    out[at] = pow(x, T(1.7));
    out[at + n] = fmod(x, T(0.3));
    out[at + 2 * n] = atan2(x, T(2));
    out[at + 3 * n] = x / T(3);
    out[at + 4 * n] = fma(x, x, T(1));
}

static int bad;
static void near(const char *name, double got, double wanted, double eps)
{
    if (fabs(got - wanted) <= eps * fmax(1, fabs(wanted)) || got == wanted)
        return;
    printf("%s: %.17g, not %.17g\n", name, got, wanted);
    bad++;
}

template <typename T> static void compare(double eps)
{
    const int n = 200, kinds = 26;
    static T h[n * kinds];
    T *d, x0 = T(0.0625), step = T(0.015625); // x is exact
    CHECK(cudaMalloc(&d, sizeof h));
    all<T><<<2, 128>>>(d, x0, step, n);
    CHECK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++) {

        double x = x0 + step * T(i);
        int at = i;
#define X(f) near(#f, h[at], std::f(x), 4 * eps), at += n;
        X(sin) X(cos) X(tan) X(exp) X(exp2) X(log) X(log2) X(log10) X(log1p) X(expm1) X(sqrt)
        X(cbrt) X(atan) X(sinh) X(tanh) X(erf) X(erfc) X(tgamma)
#undef X
        at += 3 * n;
        near("pow", h[at], pow(x, 1.7), 8 * eps);
        near("atan2", h[at + 2 * n], atan2(x, 2), 4 * eps);
        near("div", h[at + 3 * n], x / 3, 2 * eps);
        near("fma", h[at + 4 * n], x * x + 1, 4 * eps);
    }
}

int main()
{
    compare<float>(3e-6);
    compare<double>(1e-14);
    EXPECT(bad == 0);
    puts("passed");
}
