#include "program/elf_image.h"

#include <string.h>

static bool inside(const struct elf_image *m, uint64_t off, uint64_t bytes)
{
    return off <= m->len && bytes <= m->len - off;
}

/* Whether the section is a table of texts: in the file, and ending with a NUL. */
static bool is_text(const struct elf_image *m, const Elf64_Shdr *s)
{
    return inside(m, s->sh_offset, s->sh_size) && s->sh_size &&
           !m->at[s->sh_offset + s->sh_size - 1];
}

bool elf_image_open(struct elf_image *m, const void *at, size_t len)
{
    const Elf64_Ehdr *h = at;
    *m = (struct elf_image){.at = at, .len = len};
    if (len < sizeof *h || memcmp(h->e_ident, ELFMAG, SELFMAG) != 0 ||
        h->e_ident[EI_CLASS] != ELFCLASS64 || h->e_shoff % 8 ||
        !inside(m, h->e_shoff, (uint64_t)h->e_shnum * sizeof(Elf64_Shdr)) ||
        h->e_shstrndx >= h->e_shnum)
        return false;
    m->section = (const Elf64_Shdr *)(m->at + h->e_shoff);
    m->sections = h->e_shnum;
    const Elf64_Shdr *s = &m->section[h->e_shstrndx];
    if (!is_text(m, s))
        return false;
    m->names = m->at + s->sh_offset;
    m->names_len = s->sh_size;
    return true;
}

static bool in_file(const struct elf_image *m, const Elf64_Shdr *s)
{
    return s->sh_type == SHT_NOBITS || inside(m, s->sh_offset, s->sh_size);
}

const Elf64_Shdr *elf_image_named(const struct elf_image *m, const char *name)
{
    for (int i = 0; i < m->sections; i++) {
        const Elf64_Shdr *s = &m->section[i];
        if (s->sh_name < m->names_len && strcmp(m->names + s->sh_name, name) == 0 && in_file(m, s))
            return s;
    }
    return NULL;
}

const Elf64_Shdr *elf_image_typed(const struct elf_image *m, Elf64_Word type)
{
    for (int i = 0; i < m->sections; i++)
        if (m->section[i].sh_type == type && in_file(m, &m->section[i]))
            return &m->section[i];
    return NULL;
}

bool elf_image_symbols(const struct elf_image *m, Elf64_Word type, struct elf_symbols *out)
{
    const Elf64_Shdr *s = elf_image_typed(m, type);
    if (!s || s->sh_offset % 8 || s->sh_link >= (Elf64_Word)m->sections ||
        !is_text(m, &m->section[s->sh_link]))
        return false;
    const Elf64_Shdr *t = &m->section[s->sh_link];
    *out = (struct elf_symbols){.symbol = (const Elf64_Sym *)(m->at + s->sh_offset),
                                .count = s->sh_size / sizeof *out->symbol,
                                .text = m->at + t->sh_offset,
                                .text_len = t->sh_size};
    return true;
}

const char *elf_function_name(const struct elf_symbols *s, size_t i)
{
    const Elf64_Sym *f = &s->symbol[i];
    if (ELF64_ST_TYPE(f->st_info) != STT_FUNC || f->st_shndx == SHN_UNDEF || !f->st_value ||
        f->st_name >= s->text_len)
        return "";
    return s->text + f->st_name;
}
