/* program/elf_image.h -- sections and symbols of a 64-bit ELF file in memory. Every offset is
 * checked against the file; nothing is copied or allocated. */
#ifndef MDP_PROGRAM_ELF_IMAGE_H
#define MDP_PROGRAM_ELF_IMAGE_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>

struct elf_image {
    const char *at; /* borrowed: the file */
    size_t len;
    const Elf64_Shdr *section;
    int sections;
    const char *names; /* of sections */
    size_t names_len;
};

/* False: it is no 64-bit ELF file, or is damaged. */
bool elf_image_open(struct elf_image *m, const void *at, size_t len);
/* The first section of that name or type. NULL: there is none, or it is not all in the file. */
const Elf64_Shdr *elf_image_named(const struct elf_image *m, const char *name);
const Elf64_Shdr *elf_image_typed(const struct elf_image *m, Elf64_Word type);

struct elf_symbols {
    const Elf64_Sym *symbol; /* borrowed, as what follows */
    size_t count;
    const char *text;
    size_t text_len;
};

/* type: SHT_SYMTAB, all symbols; SHT_DYNSYM, those that the loader knows. False: there are none. */
bool elf_image_symbols(const struct elf_image *m, Elf64_Word type, struct elf_symbols *out);
/* The name of a function that is defined; "" of all else. */
const char *elf_function_name(const struct elf_symbols *s, size_t i);

#endif
