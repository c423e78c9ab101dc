/* Arrays and copies of rows: what goes in comes out, and nothing else is touched. */
#include "tests/frontend/texfix.h"

static CUDA_ARRAY3D_DESCRIPTOR bytes_array(size_t w, size_t h, size_t d, unsigned flags)
{
    return (CUDA_ARRAY3D_DESCRIPTOR){w, h, d, CU_AD_FORMAT_UNSIGNED_INT8, 1, flags};
}

static void an_array_describes_itself(void)
{
    struct texfix f = texfix_open(NULL);
    CUarray a;
    CUDA_ARRAY_DESCRIPTOR flat = {33, 17, CU_AD_FORMAT_HALF, 4}, got;
    CUDA_ARRAY3D_DESCRIPTOR deep;
    OK(cuArrayCreate(&a, &flat));
    OK(cuArrayGetDescriptor(&got, a));
    CU_ASSERT_EQUAL(got.Width, 33);
    CU_ASSERT_EQUAL(got.Height, 17);
    CU_ASSERT_EQUAL(got.Format, CU_AD_FORMAT_HALF);
    CU_ASSERT_EQUAL(got.NumChannels, 4);
    OK(cuArray3DGetDescriptor(&deep, a));
    CU_ASSERT_EQUAL(deep.Depth, 0);
    OK(cuArrayDestroy(a));
    GIVES(cuArrayDestroy(a), CUDA_ERROR_INVALID_HANDLE);
    GIVES(cuArrayGetDescriptor(&got, NULL), CUDA_ERROR_INVALID_HANDLE);
    GIVES(cuArrayGetDescriptor(NULL, a), CUDA_ERROR_INVALID_VALUE);
    texfix_close(&f);
}

static void shapes_that_cuda_does_not_have_are_refused(void)
{
    struct texfix f = texfix_open(NULL);
    static const CUDA_ARRAY3D_DESCRIPTOR bad[] = {
        {0, 4, 0, CU_AD_FORMAT_FLOAT, 1, 0},
        {4, 4, 0, CU_AD_FORMAT_FLOAT, 3, 0},
        {4, 4, 0, CU_AD_FORMAT_FLOAT, 8, 0},
        {4, 4, 0, (CUarray_format)0x55, 1, 0},
        {4, 0, 4, CU_AD_FORMAT_FLOAT, 1, 0},      /* depth without height */
        {131073, 0, 0, CU_AD_FORMAT_FLOAT, 1, 0}, /* one more than there may be */
        {16385, 1, 1, CU_AD_FORMAT_FLOAT, 1, 0},
        {4, 4, 0, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_LAYERED},
        {4, 4, 2049, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_LAYERED},
        {4, 5, 6, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_CUBEMAP},
        {4, 4, 7, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_CUBEMAP},
        {4, 4, 12, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_CUBEMAP}, /* two cubes: layered */
    };
    CUarray a;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        GIVES(cuArray3DCreate(&a, &bad[i]), CUDA_ERROR_INVALID_VALUE);
    CUDA_ARRAY3D_DESCRIPTOR d = bytes_array(4, 4, 0, 0x40);
    GIVES(cuArray3DCreate(&a, &d), CUDA_ERROR_NOT_SUPPORTED); /* sparse */
    d.Flags = 0;
    GIVES(cuArray3DCreate(NULL, &d), CUDA_ERROR_INVALID_VALUE);
    GIVES(cuArrayCreate(&a, NULL), CUDA_ERROR_INVALID_VALUE);
    texfix_close(&f);
}

static void fill(uint8_t *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        p[i] = (uint8_t)(i * 7 + i / 256 + 1);
}

/* Through a tiled array and back, every byte of an odd box. */
static void a_box_comes_back_as_it_went(void)
{
    struct texfix f = texfix_open(NULL);
    static uint8_t in[5 * 9 * 37], out[5 * 9 * 37];
    fill(in, sizeof in);
    const CUDA_ARRAY3D_DESCRIPTOR d = bytes_array(37, 9, 5, 0);
    CUarray a = texfix_array(&d, in);
    const CUDA_MEMCPY3D back = {.srcMemoryType = CU_MEMORYTYPE_ARRAY,
                                .srcArray = a,
                                .srcXInBytes = 3,
                                .srcY = 2,
                                .srcZ = 1,
                                .dstMemoryType = CU_MEMORYTYPE_HOST,
                                .dstHost = out,
                                .dstXInBytes = 3,
                                .dstY = 2,
                                .dstZ = 1,
                                .dstPitch = 37,
                                .dstHeight = 9,
                                .WidthInBytes = 30,
                                .Height = 6,
                                .Depth = 3};
    OK(cuMemcpy3D(&back));
    for (size_t i = 0; i < sizeof in; i++) {
        const size_t x = i % 37, y = i / 37 % 9, z = i / 37 / 9;
        const bool inside = x >= 3 && x < 33 && y >= 2 && y < 8 && z >= 1 && z < 4;
        CU_ASSERT_EQUAL(out[i], inside ? in[i] : 0);
    }
    texfix_close(&f);
}

static void copies_know_pitch_and_device_memory(void)
{
    struct texfix f = texfix_open(NULL);
    uint8_t in[4 * 20], out[4 * 20] = {0};
    CUdeviceptr p;
    size_t pitch;
    fill(in, sizeof in);
    const CUDA_ARRAY3D_DESCRIPTOR d = bytes_array(20, 4, 0, 0);
    CUarray a = texfix_array(&d, in);
    OK(cuMemAllocPitch(&p, &pitch, 20, 4, 4));
    CU_ASSERT_EQUAL(pitch, 512);
    CUDA_MEMCPY2D c = {.srcMemoryType = CU_MEMORYTYPE_ARRAY,
                       .srcArray = a,
                       .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                       .dstDevice = p,
                       .dstPitch = pitch,
                       .WidthInBytes = 20,
                       .Height = 4};
    OK(cuMemcpy2D(&c));
    OK(cuMemcpyDtoH(out, p + 3 * pitch, 20));
    CU_ASSERT_EQUAL(memcmp(out, in + 60, 20), 0);
    c.dstPitch = 19; /* rows would overlap */
    GIVES(cuMemcpy2D(&c), CUDA_ERROR_INVALID_VALUE);
    c.dstPitch = pitch;
    c.Height = 5; /* more rows than the array has */
    GIVES(cuMemcpy2D(&c), CUDA_ERROR_INVALID_VALUE);
    c.Height = 4;
    c.dstDevice = p + pitch; /* the last row is outside */
    GIVES(cuMemcpy2D(&c), CUDA_ERROR_INVALID_VALUE);
    c.dstMemoryType = CU_MEMORYTYPE_UNIFIED;
    GIVES(cuMemcpy2D(&c), CUDA_ERROR_NOT_SUPPORTED);
    c.srcArray = NULL;
    GIVES(cuMemcpy2D(&c), CUDA_ERROR_INVALID_HANDLE);
    GIVES(cuMemcpy2D(NULL), CUDA_ERROR_INVALID_VALUE);
    GIVES(cuMemAllocPitch(&p, &pitch, 20, 4, 3), CUDA_ERROR_INVALID_VALUE);
    GIVES(cuMemAllocPitch(&p, NULL, 20, 4, 4), CUDA_ERROR_INVALID_VALUE);
    texfix_close(&f);
}

/* Bytes run on from the end of one row to the start of the next. */
static void linear_copies_run_over_rows(void)
{
    struct texfix f = texfix_open(NULL);
    uint8_t in[60], out[60] = {0};
    fill(in, sizeof in);
    const CUDA_ARRAY_DESCRIPTOR d = {20, 3, CU_AD_FORMAT_UNSIGNED_INT8, 1};
    CUarray a, b;
    OK(cuArrayCreate(&a, &d));
    OK(cuArrayCreate(&b, &d));
    OK(cuMemcpyHtoA(a, 0, in, 60));
    OK(cuMemcpyAtoH(out, a, 13, 30));
    CU_ASSERT_EQUAL(memcmp(out, in + 13, 30), 0);
    OK(cuMemcpyAtoD(f.out, a, 5, 40));
    OK(cuMemcpyDtoA(b, 7, f.out, 40));
    OK(cuMemcpyAtoA(b, 50, a, 2, 10));
    OK(cuMemcpyAtoH(out, b, 0, 60));
    CU_ASSERT_EQUAL(out[6], 0);
    CU_ASSERT_EQUAL(memcmp(out + 7, in + 5, 40), 0);
    CU_ASSERT_EQUAL(out[47] + out[48] + out[49], 0);
    CU_ASSERT_EQUAL(memcmp(out + 50, in + 2, 10), 0);
    GIVES(cuMemcpyHtoA(a, 31, in, 30), CUDA_ERROR_INVALID_VALUE);
    GIVES(cuMemcpyAtoH(out, NULL, 0, 1), CUDA_ERROR_INVALID_HANDLE);
    GIVES(cuMemcpyAtoA(a, 0, b, 0, SIZE_MAX), CUDA_ERROR_INVALID_VALUE);
    texfix_close(&f);
}

SUITE("arrays", T(an_array_describes_itself), T(shapes_that_cuda_does_not_have_are_refused),
      T(a_box_comes_back_as_it_went), T(copies_know_pitch_and_device_memory),
      T(linear_copies_run_over_rows))
