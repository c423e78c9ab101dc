#include "base/own_pid.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

static _Atomic(pid_t) *kept; /* in a page that every child finds empty; NULL: there is none */

static void map_page(void)
{
#ifdef MADV_WIPEONFORK
    const size_t bytes = (size_t)sysconf(_SC_PAGESIZE);
    void *page = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED)
        return;
    if (madvise(page, bytes, MADV_WIPEONFORK) == 0)
        kept = page;
    else
        munmap(page, bytes);
#endif
}

pid_t own_pid(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, map_page);
    if (!kept)
        return getpid();
    pid_t pid = atomic_load_explicit(kept, memory_order_relaxed);
    if (!pid) {
        pid = getpid();
        atomic_store_explicit(kept, pid, memory_order_relaxed);
    }
    return pid;
}
