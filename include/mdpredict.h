/* mdpredict.h -- libmdpredict: PTX kernels on a simulated GPU, and how many CTAs of each should run
 * at once on a core. Text: docs/library.md; a whole program: docs/example.c.
 *
 *   gpu      what is simulated: a bundled configuration or a file, and changes to it
 *   device   memory and modules of one such GPU
 *   launch   a kernel of a module with its grid, block and arguments
 *   result   what running, searching or sampling a launch found, by degree n: CTAs at once on a
 * core
 *
 * A function that fails returns NULL, -1 or, of an address, 0; mdpredict_error() then says why. A
 * NULL handle is such a failure; every _free takes NULL. A handle is used by one thread at a time;
 * threads may each have their own. The library does not end the process and prints nothing, but for
 * what follows: a kernel's own printf goes to stdout; a process without memory, and a bug of ours,
 * end with a message on stderr. The data folder (GPUs, coefficients) is found beside the library,
 * or is $MDPREDICT_DATA.
 *
 * Version: functions are added, none is changed or taken away, while MDPREDICT_ABI stays; it is the
 * number in the library's soname. */
#ifndef MDPREDICT_H
#define MDPREDICT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MDPREDICT_ABI 0
#define MDPREDICT_API __attribute__((visibility("default")))

struct mdpredict_gpu;
struct mdpredict_device;
struct mdpredict_module;
struct mdpredict_result;

/* "0.1 (REVISION)"; static. */
MDPREDICT_API const char *mdpredict_version(void);
/* Why the calling thread's last failure failed, until its next call; "": none has. In files with
 * FILE:LINE. */
MDPREDICT_API const char *mdpredict_error(void);

/* -- the GPU */

/* name: bundled ("yen2014": `mdpredict list gpus`), or a file's path. */
MDPREDICT_API struct mdpredict_gpu *mdpredict_gpu_load(const char *name);
/* "l1d.size=16KB": `mdpredict list parameters`. Devices that were made before stay as they are. */
MDPREDICT_API int mdpredict_gpu_set(struct mdpredict_gpu *gpu, const char *assignment);
MDPREDICT_API void mdpredict_gpu_free(struct mdpredict_gpu *gpu);

/* -- a device: memory is in bytes, addresses are those that kernels see */

/* gpu is copied. */
MDPREDICT_API struct mdpredict_device *mdpredict_device_new(const struct mdpredict_gpu *gpu);
/* Frees its modules and memory too; results stay. */
MDPREDICT_API void mdpredict_device_free(struct mdpredict_device *device);
/* ptx: text that ends with NUL; name stands for it in messages. */
MDPREDICT_API struct mdpredict_module *mdpredict_module_load(struct mdpredict_device *device,
                                                             const char *name, const char *ptx);
MDPREDICT_API struct mdpredict_module *mdpredict_module_load_file(struct mdpredict_device *device,
                                                                  const char *path);
/* Zeroed. */
MDPREDICT_API uint64_t mdpredict_alloc(struct mdpredict_device *device, size_t bytes);
MDPREDICT_API int mdpredict_release(struct mdpredict_device *device, uint64_t address);
/* Copies to and from the device, inside one allocation. */
MDPREDICT_API int mdpredict_write(struct mdpredict_device *device, uint64_t to, const void *from,
                                  size_t bytes);
MDPREDICT_API int mdpredict_read(struct mdpredict_device *device, void *to, uint64_t from,
                                 size_t bytes);

/* -- launches */

struct mdpredict_launch { /* all borrowed */
    struct mdpredict_module *module;
    const char *kernel;          /* as the PTX names it: C++ names are mangled */
    unsigned grid[3], block[3];  /* CTAs; threads of each */
    size_t shared_bytes;         /* dynamic shared memory of a CTA */
    const void *const *argument; /* a pointer to each parameter's value, as the PTX declares it */
    size_t arguments;
};

/* How many CTAs of it fit on a core at once; at least 1. */
MDPREDICT_API int mdpredict_occupancy(const struct mdpredict_launch *launch);
/* Executes it without timing: memory is as a GPU leaves it. */
MDPREDICT_API int mdpredict_execute(const struct mdpredict_launch *launch);
/* Simulates it cycle by cycle with at most n CTAs at once on a core; 0: as many as fit. Caches and
 * DRAM rows are as the device's simulated launch before left them. */
MDPREDICT_API struct mdpredict_result *mdpredict_simulate(const struct mdpredict_launch *launch,
                                                          int n);
/* Simulates it at every degree. Memory stays as it is: mdpredict_execute() follows where later
 * launches need what this one writes. So with mdpredict_sample(). With too few at once CTAs that
 * wait for each other may never end: what is said of so few is that of the least n that ends, and
 * they are not chosen. */
MDPREDICT_API struct mdpredict_result *mdpredict_search(const struct mdpredict_launch *launch);
/* Predicts every degree from one CTA and, where they are worth it, pilots. effort: "window",
 * "quick", "thorough"; NULL: quick. A kernel whose CTAs wait for each other is simulated at every
 * degree instead, and so is a launch so short that this takes no longer; of its values only "ipc"
 * is known then, others are NAN. */
MDPREDICT_API struct mdpredict_result *mdpredict_sample(const struct mdpredict_launch *launch,
                                                        const char *effort);

/* -- results */

/* The degree: simulated; of highest IPC (search); chosen (sample). */
MDPREDICT_API int mdpredict_result_n(const struct mdpredict_result *result);
/* Degrees 1 to this one have values; of mdpredict_simulate() its own alone. */
MDPREDICT_API int mdpredict_result_n_max(const struct mdpredict_result *result);
/* name: simulated, any counter or rate of `mdpredict run --json` (docs/keys.md): "cycles", "ipc",
 * "l1d_misses"; sampled: "ipc", "dram_reads_per_cta", "miss_rate", "mf_latency", "cta_cycles". */
MDPREDICT_API int mdpredict_result_value(const struct mdpredict_result *result, int n,
                                         const char *name, double *value);
MDPREDICT_API void mdpredict_result_free(struct mdpredict_result *result);

#ifdef __cplusplus
}
#endif

#endif
