/* A program of several devices (`devices N`): memory, streams, events and modules of each, peers,
 * copies between them. `devices N stray` reads another's memory without peer access. */
#include <string.h>

#include "tests/cuda/fatbin.h"
#include "tests/cuda/ok.h"

typedef void *Stream, *Event;
struct attributes {
    int type, device;
    void *device_pointer, *host_pointer;
};
int cudaGetDeviceCount(int *), cudaSetDevice(int), cudaGetDevice(int *);
int cudaDeviceCanAccessPeer(int *, int, int), cudaDeviceEnablePeerAccess(int, unsigned);
int cudaDeviceDisablePeerAccess(int), cudaDeviceGetAttribute(int *, int, int);
int cudaMemcpyPeer(void *, int, const void *, int, size_t);
int cudaMemcpyAsync(void *, const void *, size_t, int, Stream), cudaFree(void *);
int cudaPointerGetAttributes(struct attributes *, const void *), cudaDeviceReset(void);
int cudaStreamCreate(Stream *), cudaStreamSynchronize(Stream), cudaStreamQuery(Stream);
int cudaStreamWaitEvent(Stream, Event, unsigned), cudaDeviceSynchronize(void);
int cudaEventCreate(Event *), cudaEventRecord(Event, Stream), cudaEventSynchronize(Event);
int cudaMemGetInfo(size_t *, size_t *), cudaHostAlloc(void **, size_t, unsigned);
int cudaGetLastError(void);

enum { INVALID_DEVICE = 101, INVALID_HANDLE = 400, ALREADY = 704, NOT_ENABLED = 705 };
enum { ILLEGAL_ADDRESS = 700, TO_DEVICE = 1, TO_HOST, ON_DEVICE };

static char add; /* its address names the kernel */
extern const char ptx[], ptx_end[];
__asm__(".pushsection .rodata\n.balign 8\nptx: .incbin \"" PTX
        "\"\nptx_end: .byte 0\n.popsection\n");

/* *p += by, by one thread of the present device. */
static int launch(unsigned *p, unsigned by, Stream s)
{
    return cudaLaunchKernel(&add, (dim3){1, 1, 1}, (dim3){1, 1, 1}, (void *[]){&p, &by}, 0, s);
}

static unsigned at(const unsigned *p)
{
    unsigned v;
    OK(cudaMemcpy(&v, p, sizeof v, TO_HOST));
    return v;
}

static void ordinals(int n)
{
    int count, device;
    OK(cudaGetDeviceCount(&count));
    EXPECT(count == n);
    EXPECT(cudaSetDevice(n) == INVALID_DEVICE && cudaSetDevice(-1) == INVALID_DEVICE);
    EXPECT(cudaGetLastError() == INVALID_DEVICE);
    OK(cudaGetDevice(&device));
    EXPECT(device == 0);
    EXPECT(cudaDeviceGetAttribute(&device, 1, n) == INVALID_DEVICE);
    OK(cudaSetDevice(n - 1));
    OK(cudaGetDevice(&device));
    EXPECT(device == n - 1);
}

/* Each has all of its own memory, and of no other's; a pointer says whose it is. */
static void memory(int n, unsigned **d)
{
    for (int i = 0; i < n; i++) {
        size_t all, before, after;
        struct attributes a;
        const unsigned value = 100u * (unsigned)i;
        OK(cudaSetDevice(i));
        OK(cudaMemGetInfo(&before, &all));
        EXPECT(before == all);
        OK(cudaMalloc((void **)&d[i], 1 << 20));
        OK(cudaMemGetInfo(&after, &all));
        EXPECT(before - after == 1 << 20);
        OK(cudaMemcpy(d[i], &value, sizeof value, TO_DEVICE));
        OK(cudaSetDevice(0));
        OK(cudaPointerGetAttributes(&a, d[i] + 1));
        EXPECT(a.device == i && a.device_pointer == d[i] + 1);
        EXPECT(i == 0 || d[i] != d[0]);
        EXPECT(at(d[i]) == value); /* whatever device is current */
    }
}

static void streams(unsigned **d)
{
    Stream s[2];
    Event e[2];
    for (int i = 0; i < 2; i++) {
        OK(cudaSetDevice(i));
        OK(cudaStreamCreate(&s[i]) | cudaEventCreate(&e[i]));
        OK(launch(d[i], 1, s[i]));
        OK(cudaEventRecord(e[i], s[i]));
    }
    EXPECT(launch(d[0], 1, s[0]) == INVALID_HANDLE); /* of another device */
    EXPECT(cudaEventRecord(e[0], s[1]) == INVALID_HANDLE);
    OK(cudaStreamWaitEvent(s[1], e[0], 0));
    OK(cudaEventSynchronize(e[0]));
    OK(cudaStreamQuery(s[0]));
    OK(cudaMemcpyAsync(d[0] + 1, d[1], 4, ON_DEVICE, s[0]));
    OK(cudaStreamSynchronize(s[0]));
    EXPECT(at(d[0]) == 1 && at(d[1]) == 101 && at(d[0] + 1) == 101);
}

static void peers(int n, unsigned **d)
{
    int can;
    OK(cudaDeviceCanAccessPeer(&can, 0, 1));
    EXPECT(can == 1);
    OK(cudaDeviceCanAccessPeer(&can, 1, 1));
    EXPECT(can == 0 && cudaDeviceCanAccessPeer(&can, 0, n) == INVALID_DEVICE);
    OK(cudaMemcpyPeer(d[1] + 2, 1, d[0], 0, 4));
    EXPECT(at(d[1] + 2) == 1 && cudaMemcpyPeer(d[1], n, d[0], 0, 4) == INVALID_DEVICE);
    OK(cudaSetDevice(1));
    EXPECT(cudaDeviceEnablePeerAccess(1, 0) == INVALID_DEVICE);
    EXPECT(cudaDeviceDisablePeerAccess(0) == NOT_ENABLED);
    OK(cudaDeviceEnablePeerAccess(0, 0));
    EXPECT(cudaDeviceEnablePeerAccess(0, 0) == ALREADY);
    OK(launch(d[0], 5, NULL)); /* device 1 adds to memory of device 0 */
    OK(cudaDeviceSynchronize());
    EXPECT(at(d[0]) == 6);
    OK(cudaDeviceDisablePeerAccess(0));
}

/* A reset takes what one device has, and leaves the others'. */
static void reset(unsigned **d)
{
    struct attributes a;
    OK(cudaSetDevice(1));
    OK(cudaDeviceReset());
    OK(cudaSetDevice(0));
    EXPECT(at(d[0]) == 6);
    OK(cudaPointerGetAttributes(&a, d[1]));
    EXPECT(a.type == 0);
    OK(launch(d[0], 1, NULL));
    EXPECT(at(d[0]) == 7);
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 2;
    unsigned *d[16];
    register_kernel(register_ptx(ptx, (size_t)(ptx_end - ptx), 8, 75), &add, "add");
    ordinals(n);
    memory(n, d);
    if (argc > 2) {
        const int r = launch(d[1], 1, NULL);
        EXPECT(r == ILLEGAL_ADDRESS || cudaDeviceSynchronize() == ILLEGAL_ADDRESS);
        puts("stray");
        return 0;
    }
    streams(d);
    peers(n, d);
    reset(d);
    puts("passed");
    return 0;
}
