#include "program/elf.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "program/elf_image.h"

#define MAX_FILE     (1ull << 32)
#define EMPTY_FATBIN 16 /* bytes of a .nv_fatbin with nothing in it */

static char *in_path(const char *name)
{
    const char *path = getenv("PATH");
    for (const char *p = path ? path : "/usr/bin:/bin"; *p;) {
        size_t n = strcspn(p, ":");
        char *full = xasprintf("%.*s/%s", n ? (int)n : 1, n ? p : ".", name);
        if (access(full, X_OK) == 0)
            return full;
        free(full);
        p += n + (p[n] == ':');
    }
    return NULL;
}

char *program_find(const char *name, struct err *e)
{
    char *full = strchr(name, '/') ? xstrdup(name) : in_path(name);
    if (full && access(full, X_OK) == 0)
        return full;
    free(full);
    if (strchr(name, '/'))
        err_set(e, "%s: no such program", name);
    else
        err_set(e, "%s: no such program in PATH; write ./%s for one in this folder", name, name);
    return NULL;
}

/* Whether a library whose name begins so is loaded with it. */
static bool needs(const struct elf_image *m, const char *library)
{
    const Elf64_Shdr *dyn = elf_image_named(m, ".dynamic"), *str = elf_image_named(m, ".dynstr");
    if (!dyn || !str || !str->sh_size || m->at[str->sh_offset + str->sh_size - 1])
        return false;
    size_t n = dyn->sh_size / sizeof(Elf64_Dyn);
    for (size_t i = 0; i < n; i++) {
        Elf64_Dyn d;
        memcpy(&d, m->at + dyn->sh_offset + i * sizeof d, sizeof d);
        if (d.d_tag == DT_NEEDED && d.d_un.d_val < str->sh_size &&
            strncmp(m->at + str->sh_offset + d.d_un.d_val, library, strlen(library)) == 0)
            return true;
    }
    return false;
}

/* An object that defines kernels. nvcc leaves an empty .nv_fatbin in programs without any. */
static bool has_kernels(const struct elf_image *m)
{
    const Elf64_Shdr *fatbin = elf_image_named(m, ".nv_fatbin");
    return fatbin && fatbin->sh_size > EMPTY_FATBIN && elf_image_named(m, ".nvFatBinSegment");
}

/* Whether the functions of a runtime that is linked in can be found (cudart/redirect.c). */
static bool has_symbols(const struct elf_image *m)
{
    struct elf_symbols s;
    return elf_image_symbols(m, SHT_SYMTAB, &s);
}

static bool is_static(const char *path, bool *stripped)
{
    struct elf_image m;
    size_t len;
    char *bytes = file_read(path, MAX_FILE, &len, NULL);
    const bool is =
        bytes && elf_image_open(&m, bytes, len) && has_kernels(&m) && !needs(&m, "libcudart");
    *stripped = is && !has_symbols(&m);
    free(bytes);
    return is;
}

bool program_has_runtime(const char *path)
{
    bool stripped;
    return is_static(path, &stripped);
}

/* What the loader finds for it elsewhere. */
static bool imports(const struct elf_symbols *s, const char *name)
{
    for (size_t i = 0; i < s->count; i++)
        if (s->symbol[i].st_shndx == SHN_UNDEF && s->symbol[i].st_name < s->text_len &&
            strcmp(s->text + s->symbol[i].st_name, name) == 0)
            return true;
    return false;
}

/* Some of them a runtime that is linked in takes, too: then nothing follows from them. */
static const char *clock_of(const struct elf_symbols *s, bool has_runtime)
{
    static const struct {
        const char *symbol, *name;
        bool runtimes;
    } clocks[] = {{"_ZNSt6chrono3_V212steady_clock3nowEv", "std::chrono", false},
                  {"_ZNSt6chrono3_V212system_clock3nowEv", "std::chrono", false},
                  {"omp_get_wtime", "omp_get_wtime", false},
                  {"MPI_Wtime", "MPI_Wtime", false},
                  {"clock", "clock", false},
                  {"clock_gettime", "clock_gettime", true},
                  {"gettimeofday", "gettimeofday", true}};
    for (size_t i = 0; i < sizeof clocks / sizeof *clocks; i++)
        if (!(has_runtime && clocks[i].runtimes) && imports(s, clocks[i].symbol))
            return clocks[i].name;
    return NULL;
}

const char *program_host_clock(const char *path)
{
    struct elf_image m;
    struct elf_symbols s;
    size_t len;
    const char *name = NULL;
    char *bytes = file_read(path, MAX_FILE, &len, NULL);
    if (bytes && elf_image_open(&m, bytes, len) &&
        (has_kernels(&m) || needs(&m, "libcudart") || needs(&m, "libcuda.so")) &&
        elf_image_symbols(&m, SHT_DYNSYM, &s))
        name = clock_of(&s, has_kernels(&m) && !needs(&m, "libcudart"));
    free(bytes);
    return name;
}

bool program_check(const char *path, struct err *e)
{
    bool stripped;
    return !is_static(path, &stripped) || !stripped ||
           err_set(e,
                   "%s: the CUDA runtime is linked into it (nvcc's default) and its symbols are "
                   "stripped, so that nothing can stand in for it; do not strip it, or build it "
                   "with\n"
                   "    nvcc -cudart shared -gencode arch=compute_75,code=compute_75 ...",
                   path);
}
