/* What the three runtimes differ in: `version NUMBER BYTES` expects that version and that size of
 * cudaDeviceProp. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int cudaRuntimeGetVersion(int *version);
int PROPERTIES(void *out, int device);

int main(int argc, char **argv)
{
    static unsigned char p[4096];
    int version;
    size_t size = sizeof p;
    memset(p, 0xaa, sizeof p);
    if (argc != 3 || cudaRuntimeGetVersion(&version) || PROPERTIES(p, 0))
        return 1;
    while (size && p[size - 1] == 0xaa)
        size--;
    fprintf(stderr, "%d %zu %s\n", version, size, (char *)p);
    return version != atoi(argv[1]) || size != strtoul(argv[2], NULL, 10) ||
           strcmp((char *)p, "mdpredict simulated GPU") != 0;
}
