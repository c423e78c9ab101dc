#include "base/nowhere.h"

#include "base/err.h"

static ssize_t drop(void *self, const char *bytes, size_t n)
{
    (void)self;
    (void)bytes;
    return (ssize_t)n;
}

FILE *nowhere_open(void)
{
    FILE *f = fopencookie(NULL, "w", (cookie_io_functions_t){.write = drop});
    BUG_ON(!f, "out of memory");
    return f;
}
