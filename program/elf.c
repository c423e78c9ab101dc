#include "program/elf.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"

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

struct image {
    const char *at;
    size_t len;
    const Elf64_Shdr *section;
    int sections;
    const char *names; /* of sections */
    size_t names_len;
};

static bool inside(const struct image *m, uint64_t off, uint64_t bytes)
{
    return off <= m->len && bytes <= m->len - off;
}

static bool open_image(struct image *m)
{
    const Elf64_Ehdr *h = (const Elf64_Ehdr *)m->at;
    if (m->len < sizeof *h || memcmp(h->e_ident, ELFMAG, SELFMAG) != 0 ||
        h->e_ident[EI_CLASS] != ELFCLASS64 || h->e_shoff % 8 ||
        !inside(m, h->e_shoff, (uint64_t)h->e_shnum * sizeof(Elf64_Shdr)) ||
        h->e_shstrndx >= h->e_shnum)
        return false;
    m->section = (const Elf64_Shdr *)(m->at + h->e_shoff);
    m->sections = h->e_shnum;
    const Elf64_Shdr *s = &m->section[h->e_shstrndx];
    if (!inside(m, s->sh_offset, s->sh_size) || !s->sh_size || m->at[s->sh_offset + s->sh_size - 1])
        return false;
    m->names = m->at + s->sh_offset;
    m->names_len = s->sh_size;
    return true;
}

static const Elf64_Shdr *find(const struct image *m, const char *name)
{
    for (int i = 0; i < m->sections; i++) {
        const Elf64_Shdr *s = &m->section[i];
        if (s->sh_name < m->names_len && strcmp(m->names + s->sh_name, name) == 0 &&
            (s->sh_type == SHT_NOBITS || inside(m, s->sh_offset, s->sh_size)))
            return s;
    }
    return NULL;
}

/* Whether a library whose name begins so is loaded with it. */
static bool needs(const struct image *m, const char *library)
{
    const Elf64_Shdr *dyn = find(m, ".dynamic"), *str = find(m, ".dynstr");
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
static bool has_kernels(const struct image *m)
{
    const Elf64_Shdr *fatbin = find(m, ".nv_fatbin");
    return fatbin && fatbin->sh_size > EMPTY_FATBIN && find(m, ".nvFatBinSegment");
}

/* Whether the functions of a runtime that is linked in can be found (cudart/redirect.c). */
static bool has_symbols(const struct image *m)
{
    const Elf64_Shdr *s = find(m, ".symtab");
    return s && s->sh_type == SHT_SYMTAB;
}

static bool is_static(const char *path, bool *stripped)
{
    struct image m = {0};
    char *bytes = file_read(path, MAX_FILE, &m.len, NULL);
    m.at = bytes;
    const bool is = bytes && open_image(&m) && has_kernels(&m) && !needs(&m, "libcudart");
    *stripped = is && !has_symbols(&m);
    free(bytes);
    return is;
}

bool program_has_runtime(const char *path)
{
    bool stripped;
    return is_static(path, &stripped);
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
