/* Sections and symbols of this very program, whole and damaged. */
#include "program/elf_image.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/rng.h"
#include "tests/suite.h"

static char *whole(size_t *len)
{
    char *bytes = file_read("/proc/self/exe", (size_t)1 << 30, len, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(bytes);
    return bytes;
}

static int functions(const struct elf_symbols *s, const char *name)
{
    int n = 0;
    for (size_t i = 0; i < s->count; i++)
        n += strcmp(elf_function_name(s, i), name) == 0;
    return n;
}

static void sections_and_functions_are_found(void)
{
    size_t len;
    struct elf_image m;
    struct elf_symbols s;
    char *bytes = whole(&len);
    CU_ASSERT_TRUE_FATAL(elf_image_open(&m, bytes, len));
    CU_ASSERT_PTR_NOT_NULL(elf_image_named(&m, ".text"));
    CU_ASSERT_PTR_NULL(elf_image_named(&m, ".no_such"));
    CU_ASSERT_PTR_EQUAL(elf_image_typed(&m, SHT_DYNAMIC), elf_image_named(&m, ".dynamic"));
    CU_ASSERT_TRUE_FATAL(elf_image_symbols(&m, SHT_SYMTAB, &s));
    CU_ASSERT_EQUAL(functions(&s, "main"), 1);
    CU_ASSERT_EQUAL(functions(&s, "sections_and_functions_are_found"), 1); /* static */
    CU_ASSERT_TRUE_FATAL(elf_image_symbols(&m, SHT_DYNSYM, &s));
    CU_ASSERT_EQUAL(functions(&s, "sections_and_functions_are_found"), 0);
    free(bytes);
}

/* The sanitizers look whether anything outside of the bytes is read. */
static void try(const char *bytes, size_t len)
{
    struct elf_image m;
    struct elf_symbols s;
    char *copy = xmalloc(len + !len);
    memcpy(copy, bytes, len);
    if (elf_image_open(&m, copy, len)) {
        elf_image_named(&m, ".dynamic");
        if (elf_image_symbols(&m, SHT_SYMTAB, &s))
            CU_ASSERT(functions(&s, "main") <= 1);
    }
    free(copy);
}

static void damaged_files_are_read_within_their_bytes(void)
{
    size_t len;
    char *bytes = whole(&len);
    for (size_t n = 0; n < 64; n++)
        try(bytes, n);
    for (int i = 1; i < 40; i++)
        try(bytes, len / 40 * (size_t)i);
    struct rng r = rng_seed(1);
    const Elf64_Ehdr *h = (const Elf64_Ehdr *)(void *)bytes;
    const size_t table = (size_t)h->e_shoff, size = h->e_shnum * sizeof(Elf64_Shdr);
    for (int i = 0; i < 60; i++) { /* a byte of the header, or of the table of sections */
        char *at = bytes + (i % 2 ? rng_below(&r, sizeof *h) : table + rng_below(&r, size));
        const char was = *at;
        *at = (char)rng_below(&r, 256);
        try(bytes, len);
        *at = was;
    }
    free(bytes);
}

SUITE("elf_image", T(sections_and_functions_are_found),
      T(damaged_files_are_read_within_their_bytes))
